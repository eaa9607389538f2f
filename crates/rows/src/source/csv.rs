//! Delimited columns.
//!
//! Records and fields are as in the csv crate (flexible, `"` for quotes, `""` for a quote inside). That crate doesn't return byte positions
//! of fields, so this module implements the same grammar and is tested against it:
//!
//! ```text
//! record = field (delimiter field)* line-end       an empty line is no record
//! field  = quote (not-quote | quote quote)* quote plain*        a quote has its meaning only at the start of a field
//!        | plain*                                               plain = neither delimiter nor line end
//! ```
//! A block without any quote is split only by its line ends and delimiters. A record of more than `MAX_RECORD` bytes is a malformed row. In
//! a block with quotes, or if the end of such a record is not read yet, `overlong` finds the end.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr3};
use sudobench_sudoku::puzzle::{CELLS, Puzzle, value_of_byte};

use super::alike::Alike;
use super::fault::RowFault;
use super::parsed::{MAX_RECORD, ParsedBlock, RowRanges};
use super::spreadsheet::read_puzzle;
use super::text::{Line, Walked, count_line_ends, is_whole, last_line_end, line_at};

/// The layout of rows with delimited columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvLayout {
    /// The byte between columns.
    pub delimiter: u8,
    /// The first record, if it names the columns.
    pub header: Option<CsvHeader>,
    /// Number of columns that every row must have.
    pub columns: usize,
    /// The column of the puzzle, from 0.
    pub puzzle_column: usize,
    /// The column of the expected solution, from 0; `None` if there is none.
    pub solution_column: Option<usize>,
    /// See [`Options::restore_zeros`](super::Options::restore_zeros).
    pub restores_zeros: bool,
}

/// The record that names the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvHeader {
    /// The names, unquoted.
    pub names: Vec<Vec<u8>>,
    /// The unchanged record, without its line end. Empty for a table.
    pub text: Vec<u8>,
}

struct Split {
    puzzle: Option<Range<usize>>,
    expected: Option<Range<usize>>,
    columns: usize,
    /// Whether [`Field::is_tidy`] is true for all fields of the record.
    is_tidy: bool,
    fault: Option<RowFault>,
}

impl CsvLayout {
    /// Returns the fields of a row, unquoted. Don't call this while rows are parsed, because it allocates memory.
    pub fn fields<'text>(&self, text: &'text [u8]) -> Vec<Cow<'text, [u8]>> {
        fields(text, self.delimiter)
    }

    /// Returns the unchanged header, if there is one that all readers of CSV read alike.
    pub(crate) fn tidy_header(&self) -> Option<&[u8]> {
        let text = &self.header.as_ref()?.text;
        is_tidy(text, self.delimiter).then_some(text)
    }

    /// Reads every row of a block. `has_quote`: whether the block contains any `"`.
    pub(super) fn parse(&self, bytes: &[u8], has_quote: bool, first_line: u64, parsed: &mut ParsedBlock) {
        if has_quote {
            return self.parse_quoted(bytes, first_line, parsed);
        }
        let (mut at, mut number) = (0, first_line);
        let mut alike = self.alike();
        while at < bytes.len() {
            let line = line_at(bytes, at);
            (at, number) = (line.next, number + 1);
            if line.text.is_empty() {
                continue;
            }
            if line.text.len() > MAX_RECORD {
                parsed.push_overlong(line.text, number - 1);
                continue;
            }
            let split = self.split_direct(bytes, &line.text);
            self.push_split(bytes, line.text, split, number - 1, parsed);
            alike.read(bytes, &mut at, &mut number, parsed);
        }
    }

    fn parse_quoted(&self, bytes: &[u8], first_line: u64, parsed: &mut ParsedBlock) {
        let (mut at, mut number) = (0, first_line);
        let mut alike = self.alike();
        while let Walked::Record(record) = next_record(bytes, at, true, self.delimiter) {
            number += count_line_ends(&bytes[at..record.text.start]);
            let text = record.text.clone();
            let has_quote = memchr(b'"', &bytes[text.clone()]).is_some();
            let split =
                if has_quote { self.split_quoted(bytes, &text) } else { self.split_direct(bytes, &text) };
            self.push_split(bytes, text, split, number, parsed);
            number += count_line_ends(&bytes[record.text.start..record.next]);
            at = record.next;
            alike.read(bytes, &mut at, &mut number, parsed);
        }
    }

    /// Returns the reader for rows that are like the previous row. If the delimiter is a character that can be a cell, this reader never
    /// tries to find such rows.
    fn alike(&self) -> Alike {
        if value_of_byte(self.delimiter).is_some() { Alike::never() } else { Alike::default() }
    }

    /// Returns whether a line is certainly a row: no quotes, all columns, a puzzle.
    pub(super) fn is_plain_row(&self, line: &[u8]) -> bool {
        if memchr(b'"', line).is_some() {
            return false;
        }
        let split = self.split_direct(line, &(0..line.len()));
        let is_puzzle = |range| Puzzle::from_text(&line[trim(line, range)]).is_ok();
        split.columns == self.columns && split.puzzle.is_some_and(is_puzzle)
    }

    #[inline]
    fn split_direct(&self, bytes: &[u8], text: &Range<usize>) -> Split {
        let mut split = Split { puzzle: None, expected: None, columns: 1, is_tidy: true, fault: None };
        let last_wanted = self.puzzle_column.max(self.solution_column.unwrap_or(0));
        let mut start = text.start;
        loop {
            let length = memchr(self.delimiter, &bytes[start..text.end]);
            let end = length.map_or(text.end, |length| start + length);
            let column = split.columns - 1;
            if column == self.puzzle_column {
                split.puzzle = Some(start..end);
            } else if Some(column) == self.solution_column {
                split.expected = Some(start..end);
            }
            if length.is_none() {
                return split;
            }
            start = end + 1;
            split.columns += 1;
            if column == last_wanted {
                split.columns += memchr_iter(self.delimiter, &bytes[start..text.end]).count();
                return split;
            }
        }
    }

    fn split_quoted(&self, bytes: &[u8], text: &Range<usize>) -> Split {
        let record = &bytes[..text.end];
        let mut split = Split { puzzle: None, expected: None, columns: 0, is_tidy: true, fault: None };
        let mut start = text.start;
        loop {
            let field = field_at(record, start, self.delimiter);
            let column = split.columns;
            split.columns += 1;
            let is_puzzle = column == self.puzzle_column;
            let content = match field.content {
                Content::Plain(content) => content,
                Content::Broken => {
                    if is_puzzle {
                        split.fault = Some(RowFault::InnerQuote);
                    }
                    field.whole.clone()
                }
                // This fault replaces an earlier fault of the row, because it is more precise. A field without a closing quote is the last
                // field of its row, so no later fault can follow.
                Content::Open => {
                    split.fault = Some(RowFault::OpenQuote);
                    field.whole.clone()
                }
            };
            split.is_tidy &= field.is_tidy;
            if is_puzzle {
                split.puzzle = Some(content);
            } else if Some(column) == self.solution_column {
                split.expected = Some(content);
            }
            if field.whole.end == text.end {
                return split;
            }
            start = field.whole.end + 1;
        }
    }

    #[inline]
    fn push_split(
        &self,
        bytes: &[u8],
        text: Range<usize>,
        split: Split,
        number: u64,
        parsed: &mut ParsedBlock,
    ) {
        let trimmed = |range: Range<usize>| if range.len() == CELLS { range } else { trim(bytes, range) };
        let expected = split.expected.map(trimmed).filter(|range| !range.is_empty());
        let (found, expected_columns) = (split.columns, self.columns);
        let Some(puzzle_range) = split.puzzle.map(trimmed) else {
            let missing = RowFault::MissingColumns { found, expected: expected_columns };
            return parsed.push_fault(RowRanges::bare(text, number), split.fault.unwrap_or(missing));
        };
        let puzzle = match split.fault {
            Some(fault) => Err(fault),
            None if found != expected_columns => Err(RowFault::wrong_columns(found, expected_columns)),
            None => read_puzzle(&bytes[puzzle_range.clone()], self.restores_zeros),
        };
        let is_regular = split.is_tidy && found == expected_columns;
        parsed.push(RowRanges { text, puzzle: puzzle_range, expected, line: number, is_regular }, puzzle);
    }
}

/// Returns the range without surrounding white space.
pub(super) fn trim(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let field = &bytes[range.clone()];
    let start = range.start + (field.len() - field.trim_ascii_start().len());
    start..start + field.trim_ascii().len()
}

/// Finds the next record from `at` on. `at` must be the start of a line and not inside quotes. `ended`: whether the input has no more
/// bytes. An overlong record isn't returned, even if `ended` is true.
pub(super) fn next_record(bytes: &[u8], at: usize, ended: bool, delimiter: u8) -> Walked {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let Some(blanks) = bytes[at..].iter().position(|byte| !is_end(byte)) else {
        // A last `\r` may be the first half of `\r\n`, so it stays with the following text.
        return Walked::More { from: if ended { bytes.len() } else { at + last_line_end(&bytes[at..]) } };
    };
    let start = at + blanks;
    let end = match record_end(bytes, start, delimiter) {
        Some(end) => end,
        None if bytes.len() - start <= MAX_RECORD => bytes.len(),
        None => return Walked::More { from: start },
    };
    let rest = line_at(bytes, end);
    let record = Line { text: start..end, next: rest.next };
    if !ended && !is_whole(bytes, &record) {
        return Walked::More { from: start };
    }
    Walked::Record(record)
}

/// Returns the position of the line end that closes the record; `None` if the record has more than [`MAX_RECORD`] bytes or doesn't end.
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

struct Field {
    /// The range of the field: up to the delimiter, the line end or the end of the bytes.
    whole: Range<usize>,
    content: Content,
    /// Whether all readers of CSV agree on this field: it has no quotes at all, or it is in quotes as a whole and the quotes inside are
    /// doubled.
    is_tidy: bool,
}

enum Content {
    /// The content is this range of bytes, unchanged.
    Plain(Range<usize>),
    /// A quoted field with quotes inside, or with text after the closing quote. The content isn't a range of the input.
    Broken,
    /// The closing quote is missing.
    Open,
}

fn field_at(bytes: &[u8], start: usize, delimiter: u8) -> Field {
    let plain_end = |from: usize| {
        memchr3(delimiter, b'\n', b'\r', &bytes[from..]).map_or(bytes.len(), |length| from + length)
    };
    if bytes.get(start) != Some(&b'"') {
        let whole = start..plain_end(start);
        let is_tidy = memchr(b'"', &bytes[whole.clone()]).is_none();
        return Field { content: Content::Plain(whole.clone()), whole, is_tidy };
    }
    let mut at = start + 1;
    let mut has_quotes_inside = false;
    let close = loop {
        let Some(length) = memchr(b'"', &bytes[at..]) else {
            return Field { whole: start..bytes.len(), content: Content::Open, is_tidy: false };
        };
        if bytes.get(at + length + 1) != Some(&b'"') {
            break at + length;
        }
        has_quotes_inside = true;
        at += length + 2;
    };
    let end = plain_end(close + 1);
    let is_tidy = end == close + 1;
    let is_plain = !has_quotes_inside && is_tidy;
    let content = if is_plain { Content::Plain(start + 1..close) } else { Content::Broken };
    Field { whole: start..end, content, is_tidy }
}

fn is_tidy(record: &[u8], delimiter: u8) -> bool {
    fields_of(record, delimiter).all(|field| field.is_tidy)
}

fn fields_of(record: &[u8], delimiter: u8) -> impl Iterator<Item = Field> {
    let mut start = Some(0);
    std::iter::from_fn(move || {
        let field = field_at(record, start?, delimiter);
        start = (field.whole.end < record.len()).then_some(field.whole.end + 1);
        Some(field)
    })
}

/// Passes the range of each field's content to `each`. Quoted fields are left out if they have quotes inside, text after the closing quote,
/// or no closing quote.
#[inline]
pub(super) fn each_content(record: &[u8], delimiter: u8, mut each: impl FnMut(Range<usize>)) {
    let has_quote = memchr(b'"', record).is_some();
    let mut start = 0;
    loop {
        let whole = if has_quote {
            let field = field_at(record, start, delimiter);
            if let Content::Plain(content) = field.content {
                each(content);
            }
            field.whole
        } else {
            let length = memchr(delimiter, &record[start..]);
            let whole = start..length.map_or(record.len(), |length| start + length);
            each(whole.clone());
            whole
        };
        if whole.end == record.len() {
            return;
        }
        start = whole.end + 1;
    }
}

/// Returns the fields of one record, unquoted.
pub(super) fn fields(record: &[u8], delimiter: u8) -> Vec<Cow<'_, [u8]>> {
    let content = |field: Field| match field.content {
        Content::Plain(content) => Cow::Borrowed(&record[content]),
        Content::Broken | Content::Open => Cow::Owned(unquote(&record[field.whole])),
    };
    fields_of(record, delimiter).map(content).collect()
}

/// Returns the content of a field that starts with a quote: up to the closing quote, each doubled quote becomes one quote. The text after
/// the closing quote is unchanged.
fn unquote(field: &[u8]) -> Vec<u8> {
    let mut content = Vec::with_capacity(field.len());
    let mut rest = &field[1..];
    loop {
        let Some(quote) = memchr(b'"', rest) else {
            content.extend_from_slice(rest);
            return content;
        };
        content.extend_from_slice(&rest[..quote]);
        rest = &rest[quote + 1..];
        if rest.first() != Some(&b'"') {
            content.extend_from_slice(rest);
            return content;
        }
        content.push(b'"');
        rest = &rest[1..];
    }
}

/// Appends a field, quoted if necessary.
pub fn push_field(field: &[u8], delimiter: u8, out: &mut Vec<u8>) {
    let special = |byte: u8| (byte == delimiter) | (byte == b'"') | (byte == b'\n') | (byte == b'\r');
    // The loop has no early exit, so that the compiler can vectorize it.
    if !field.iter().fold(false, |any, &byte| any | special(byte)) {
        out.extend_from_slice(field);
        return;
    }
    out.push(b'"');
    for &byte in field {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_the_right_content() {
        let field = |text: &'static str| {
            let field = field_at(text.as_bytes(), 0, b',');
            let content = match field.content {
                Content::Plain(content) => &text[content],
                Content::Broken => "broken",
                Content::Open => "open",
            };
            (&text[field.whole], content)
        };
        assert_eq!(field(""), ("", ""));
        assert_eq!(field("ab,c"), ("ab", "ab"));
        assert_eq!(field("a\"b\nc"), ("a\"b", "a\"b"));
        assert_eq!(field("\"a,\n\",c"), ("\"a,\n\"", "a,\n"));
        assert_eq!(field("\"a\"\"b\",c"), ("\"a\"\"b\"", "broken"));
        assert_eq!(field("\"a\"b\",c"), ("\"a\"b\"", "broken"));
        assert_eq!(field("\"a\"\",c"), ("\"a\"\",c", "open"));
        assert_eq!(field("\""), ("\"", "open"));
    }

    #[test]
    fn fields_are_unquoted() {
        let record = b"\"a\"\"b\",\"c\"d\"e,,\"f";
        assert_eq!(fields(record, b','), [&b"a\"b"[..], b"cd\"e", b"", b"f"]);
    }
}
