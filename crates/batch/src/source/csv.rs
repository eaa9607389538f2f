//! Delimited columns.
//!
//! Records and fields are those of the csv crate (flexible, `"` for quotes, `""` for a quote inside); it has
//! no byte positions of fields, so its grammar is written out here and tested against it (for `field`, see
//! `field.rs`):
//!
//! ```text
//! record = field (delimiter field)* line-end       an empty line is no record
//! field  = quote (not-quote | quote quote)* quote plain*        a quote opens only at the field's start
//!        | plain*                                               plain = neither delimiter nor line end
//! ```
//! A block without any quote is split by its line ends and delimiters alone.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::MAX_RECORD;
use super::field::{Content, field_at};
use super::layout::Layout;
use super::lines::{self, Line, Walked, count_line_ends, line_at};
use super::row::{ParsedBlock, RowFault, RowRanges};
use sudobench_sudoku::puzzle::{CELLS, Puzzle};

/// The next record from `at`, which starts a line outside quotes.
pub(super) fn next_record(bytes: &[u8], at: usize, ended: bool, delimiter: u8) -> Walked {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let Some(blanks) = bytes[at..].iter().position(|byte| !is_end(byte)) else {
        // A last `\r` may be the first half of `\r\n`: it stays with what follows.
        return Walked::More {
            from: if ended { bytes.len() } else { at + lines::last_line_end(&bytes[at..]) },
        };
    };
    let start = at + blanks;
    let end = match record_end(bytes, start, delimiter) {
        Some(end) => end,
        None if bytes.len() - start <= MAX_RECORD => bytes.len(),
        // Overlong: quotes mean nothing any more, so that an open one cannot swallow the rest of the input.
        None => line_at(bytes, start + MAX_RECORD + 1).text.end,
    };
    let rest = line_at(bytes, end);
    let record = Line { text: start..end, next: rest.next };
    if !ended && !lines::is_whole(bytes, &record) {
        return Walked::More { from: start };
    }
    Walked::Record(record)
}

/// The line end that closes the record, unless it has more than [`MAX_RECORD`] bytes or does not end.
fn record_end(bytes: &[u8], start: usize, delimiter: u8) -> Option<usize> {
    let view = &bytes[..bytes.len().min(start + MAX_RECORD + 1)];
    let mut at = start;
    loop {
        let end = field_at(view, at, delimiter).whole.end;
        match view.get(end) {
            Some(&byte) if byte == delimiter => at = end + 1,
            Some(_) => return Some(end),
            None => return None,
        }
    }
}

/// Where the puzzle and the expected solution of a record stand, and what is wrong with its columns.
struct Split {
    puzzle: Option<Range<usize>>,
    expected: Option<Range<usize>>,
    columns: usize,
    fault: Option<RowFault>,
}

/// Splits a record without quotes.
#[inline]
fn split_direct(layout: &Layout, bytes: &[u8], text: &Range<usize>, delimiter: u8) -> Split {
    let mut split = Split { puzzle: None, expected: None, columns: 1, fault: None };
    let last_wanted = layout.puzzle_column.max(layout.solution_column.unwrap_or(0));
    let mut start = text.start;
    loop {
        let length = memchr(delimiter, &bytes[start..text.end]);
        let end = length.map_or(text.end, |length| start + length);
        let column = split.columns - 1;
        if column == layout.puzzle_column {
            split.puzzle = Some(start..end);
        } else if Some(column) == layout.solution_column {
            split.expected = Some(start..end);
        }
        if length.is_none() {
            return split;
        }
        start = end + 1;
        split.columns += 1;
        if column == last_wanted {
            split.columns += memchr_iter(delimiter, &bytes[start..text.end]).count();
            return split;
        }
    }
}

/// Splits a record with quotes.
fn split_quoted(layout: &Layout, bytes: &[u8], text: &Range<usize>, delimiter: u8) -> Split {
    let record = &bytes[..text.end];
    let mut split = Split { puzzle: None, expected: None, columns: 0, fault: None };
    let mut start = text.start;
    loop {
        let field = field_at(record, start, delimiter);
        let column = split.columns;
        split.columns += 1;
        let is_puzzle = column == layout.puzzle_column;
        let (content, fault) = match field.content {
            Content::Plain(content) => (content, None),
            Content::Broken => (field.whole.clone(), is_puzzle.then_some(RowFault::InnerQuote)),
            Content::Open => (field.whole.clone(), Some(RowFault::OpenQuote)),
        };
        split.fault = split.fault.or(fault);
        if is_puzzle {
            split.puzzle = Some(content);
        } else if Some(column) == layout.solution_column {
            split.expected = Some(content);
        }
        if field.whole.end == text.end {
            return split;
        }
        start = field.whole.end + 1;
    }
}

/// Reads every row of a block. `has_quote` says whether there is any `"` in it.
pub(super) fn parse(
    layout: &Layout,
    bytes: &[u8],
    has_quote: bool,
    first_line: u64,
    parsed: &mut ParsedBlock,
) {
    let delimiter = layout.delimiter.unwrap_or(b',');
    if has_quote {
        return parse_quoted(layout, bytes, delimiter, first_line, parsed);
    }
    let (mut at, mut number) = (0, first_line);
    while at < bytes.len() {
        let line = line_at(bytes, at);
        if !line.text.is_empty() {
            if line.text.len() > MAX_RECORD {
                push_overlong(line.text, number, parsed);
            } else {
                let split = split_direct(layout, bytes, &line.text, delimiter);
                push_split(layout, bytes, line.text, split, number, parsed);
            }
        }
        number += 1;
        at = line.next;
    }
}

fn parse_quoted(layout: &Layout, bytes: &[u8], delimiter: u8, first_line: u64, parsed: &mut ParsedBlock) {
    let (mut at, mut number) = (0, first_line);
    while let Walked::Record(record) = next_record(bytes, at, true, delimiter) {
        number += count_line_ends(&bytes[at..record.text.start]);
        let text = record.text.clone();
        if text.len() > MAX_RECORD {
            push_overlong(text, number, parsed);
        } else if memchr(b'"', &bytes[text.clone()]).is_none() {
            let split = split_direct(layout, bytes, &text, delimiter);
            push_split(layout, bytes, text, split, number, parsed);
        } else {
            let split = split_quoted(layout, bytes, &text, delimiter);
            push_split(layout, bytes, text, split, number, parsed);
        }
        number += count_line_ends(&bytes[record.text.start..record.next]);
        at = record.next;
    }
}

#[cold]
fn push_overlong(text: Range<usize>, number: u64, parsed: &mut ParsedBlock) {
    let kept = text.start..text.start + MAX_RECORD;
    parsed.push_fault(RowRanges::bare(kept, number), RowFault::Overlong { length: text.len() as u64 });
}

#[inline]
fn push_split(
    layout: &Layout,
    bytes: &[u8],
    text: Range<usize>,
    split: Split,
    number: u64,
    parsed: &mut ParsedBlock,
) {
    let trimmed = |range: Range<usize>| if range.len() == CELLS { range } else { trim(bytes, range) };
    let expected = split.expected.map(trimmed).filter(|range| !range.is_empty());
    let (found, expected_columns) = (split.columns, layout.columns);
    let Some(puzzle_range) = split.puzzle.map(trimmed) else {
        let missing = RowFault::MissingColumns { found, expected: expected_columns };
        return parsed.push_fault(RowRanges::bare(text, number), split.fault.unwrap_or(missing));
    };
    let puzzle = match split.fault {
        Some(fault) => Err(fault),
        None if found < expected_columns => {
            Err(RowFault::MissingColumns { found, expected: expected_columns })
        }
        None if found > expected_columns => Err(RowFault::ExtraColumns { found, expected: expected_columns }),
        None => Puzzle::from_text(&bytes[puzzle_range.clone()]).map_err(RowFault::from),
    };
    parsed.push(RowRanges { text, puzzle: puzzle_range, expected, line: number }, puzzle);
}

/// The range without the white space around it.
fn trim(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let field = &bytes[range.clone()];
    let start = range.start + (field.len() - field.trim_ascii_start().len());
    start..start + field.trim_ascii().len()
}
