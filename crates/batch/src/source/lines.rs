//! Physical lines, and the format of one puzzle a line.
//!
//! A line ends at `\n`, `\r\n` or a lone `\r`, as a record of the csv crate does, in every format.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2};

use super::row::{ParsedBlock, RowFault, RowRanges};
use super::{MAX_RECORD, Options};
use sudobench_sudoku::puzzle::{CELLS, Puzzle};

/// A physical line: its text without the line end, and where the next line starts.
pub(super) struct Line {
    pub(super) text: Range<usize>,
    pub(super) next: usize,
}

/// What a walk over records comes to next.
pub(super) enum Walked {
    /// A record: its text, and where to look for the next one.
    Record(Line),
    /// No further whole record. What stands before `from` is done with; the rest must be looked at again when
    /// more bytes are there.
    More { from: usize },
}

/// The line that starts at `start`.
#[inline]
pub(super) fn line_at(bytes: &[u8], start: usize) -> Line {
    let Some(length) = memchr2(b'\n', b'\r', &bytes[start..]) else {
        return Line { text: start..bytes.len(), next: bytes.len() };
    };
    let end = start + length;
    let is_pair = bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n');
    Line { text: start..end, next: end + 1 + usize::from(is_pair) }
}

/// Whether the line would be the same with more bytes behind the last.
pub(super) fn is_whole(bytes: &[u8], line: &Line) -> bool {
    line.next < bytes.len() || bytes[line.text.end..] == *b"\n" || bytes[line.text.end..] == *b"\r\n"
}

/// The number of line ends.
pub(super) fn count_line_ends(bytes: &[u8]) -> u64 {
    let feeds = memchr_iter(b'\n', bytes).count();
    if memchr(b'\r', bytes).is_none() {
        return feeds as u64;
    }
    let lone = memchr_iter(b'\r', bytes).filter(|&at| bytes.get(at + 1) != Some(&b'\n')).count();
    (feeds + lone) as u64
}

/// The end of the last whole line, 0 where there is none.
pub(super) fn last_line_end(bytes: &[u8]) -> usize {
    // A `\r` at the very end may be the first half of `\r\n`.
    let certain = bytes.len() - usize::from(bytes.last() == Some(&b'\r'));
    memchr::memrchr2(b'\n', b'\r', &bytes[..certain]).map_or(0, |at| {
        let splits_pair = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
        at + 1 + usize::from(splits_pair)
    })
}

/// The next line from `at` that is a row.
pub(super) fn next_row(bytes: &[u8], mut at: usize, ended: bool, is_row: fn(&[u8]) -> bool) -> Walked {
    while at < bytes.len() {
        let line = line_at(bytes, at);
        if !ended && !is_whole(bytes, &line) {
            break;
        }
        if is_row(&bytes[line.text.clone()]) {
            return Walked::Record(line);
        }
        at = line.next;
    }
    Walked::More { from: at }
}

/// Whether a line of the lines format is a row: not blank, not a `#` comment. Of an overlong line the start
/// decides, since its rest may be gone.
pub(super) fn is_row(text: &[u8]) -> bool {
    let start = &text[..text.len().min(MAX_RECORD)];
    !matches!(start.trim_ascii_start().first(), None | Some(b'#'))
}

/// Whether the first line is only a count of what follows: digits, but not a row of a grid.
pub(super) fn count_line(bytes: &[u8], options: &Options) -> Option<Line> {
    let line = line_at(bytes, 0);
    let text = bytes[line.text.clone()].trim_ascii();
    let is_number = (1..=12).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    let is_csv = options.format.is_some_and(|format| format.grammar() == super::Grammar::Csv);
    let could_be_grid_row = text.len() == 9 && {
        let second = line_at(bytes, line.next);
        bytes[second.text].trim_ascii().len() < CELLS
    };
    (is_number && !is_csv && !could_be_grid_row && line.next < bytes.len()).then_some(line)
}

/// Reads every row of a block of the lines format.
pub(super) fn parse(bytes: &[u8], first_line: u64, parsed: &mut ParsedBlock) {
    let mut at = 0;
    let mut number = first_line;
    while at < bytes.len() {
        let line = line_at(bytes, at);
        parse_line(bytes, line.text, number, parsed);
        number += 1;
        at = line.next;
    }
}

fn parse_line(bytes: &[u8], text: Range<usize>, number: u64, parsed: &mut ParsedBlock) {
    if let Ok(puzzle) = Puzzle::from_text(&bytes[text.clone()]) {
        let ranges = RowRanges { puzzle: text.clone(), text, expected: None, line: number };
        return parsed.push(ranges, Ok(puzzle));
    }
    if !is_row(&bytes[text.clone()]) {
        return;
    }
    let length = text.len();
    if length > MAX_RECORD {
        let kept = text.start..text.start + MAX_RECORD;
        return parsed
            .push_fault(RowRanges::bare(kept, number), RowFault::Overlong { length: length as u64 });
    }
    let found = find_puzzle(&bytes[text.clone()]);
    let puzzle = Puzzle::from_text(&bytes[text.clone()][found.clone()]);
    let puzzle_range = text.start + found.start..text.start + found.end;
    parsed.push(
        RowRanges { puzzle: puzzle_range, text, expected: None, line: number },
        puzzle.map_err(RowFault::from),
    );
}

/// Where the puzzle of a line stands: the first of its first three words that is one; where none is, the word
/// that comes nearest, so that the reason speaks of it: one of 81 characters, else the longest.
///
/// Words end at white space or `:`.
pub(super) fn find_puzzle(text: &[u8]) -> Range<usize> {
    let mut nearest = 0..0;
    for word in words(text).take(3) {
        if Puzzle::from_text(&text[word.clone()]).is_ok() {
            return word;
        }
        let has_length = |range: &Range<usize>| range.len() == CELLS;
        if !has_length(&nearest) && (has_length(&word) || word.len() > nearest.len()) {
            nearest = word;
        }
    }
    nearest
}

/// The ranges of the words of a line.
fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_border = |byte: &u8| byte.is_ascii_whitespace() || *byte == b':';
        let start = at + text[at..].iter().position(|byte| !is_border(byte))?;
        let end = text[start..].iter().position(is_border).map_or(text.len(), |length| start + length);
        at = end;
        Some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_whole_line_ends_where_no_pair_is_split() {
        let cases: &[(&[u8], usize)] = &[
            (b"", 0),
            (b"a", 0),
            (b"\n", 1),
            (b"a\nb", 2),
            (b"a\r\nb", 3),
            (b"a\rb", 2),
            (b"a\r", 0),
            (b"a\r\n", 3),
            (b"a\n\r", 2),
            (b"a\r\r", 2),
        ];
        for (bytes, end) in cases {
            assert_eq!(last_line_end(bytes), *end, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn lines_and_their_count_agree() {
        for bytes in [&b"a\nb\r\nc\rd"[..], b"\r\r\n\n\n\r", b"\n", b"a\r\n", b"\r\n\r\n\r"] {
            let (mut at, mut lines) = (0, 0);
            while at < bytes.len() {
                let line = line_at(bytes, at);
                lines += u64::from(line.next > line.text.end);
                at = line.next;
            }
            assert_eq!(count_line_ends(bytes), lines, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_count_is_told_from_a_row() {
        let is_count = |text: &str| count_line(text.as_bytes(), &Options::default()).is_some();
        let puzzle = ".".repeat(81);
        assert!(is_count(&format!("17\n{puzzle}\n")));
        assert!(is_count(&format!("123456789\n{puzzle}\n")));
        assert!(!is_count("123456789\n456789123\n"));
        assert!(!is_count("17"));
        assert!(!is_count(&format!("{}\n{puzzle}\n", "1".repeat(13))));
    }
}
