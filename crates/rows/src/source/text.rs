//! Divides text into physical lines. Also defines the result type of a search for records.
//!
//! In every format, a line ends at `\n`, `\r\n` or a lone `\r`, like a record of the csv crate.

use std::ops::Range;

use memchr::{memchr_iter, memchr2, memrchr2};

use super::parsed::MAX_RECORD;

/// A physical line: its text without the line end, and the start of the next line.
pub(crate) struct Line {
    pub(super) text: Range<usize>,
    pub(super) next: usize,
}

/// The next result of a search for the records of a text.
pub(super) enum Walked {
    /// A record: its text, and the position at which the search for the next record starts.
    Record(Line),
    /// No further complete record. The text before `from` is done. The rest must be searched again when there are more bytes.
    More { from: usize },
}

impl Walked {
    pub(super) fn record(self) -> Option<Line> {
        if let Walked::Record(record) = self { Some(record) } else { None }
    }
}

/// Returns the records of a text. `next` finds the next record from a position on.
pub(super) fn records(next: impl Fn(usize) -> Walked) -> impl Iterator<Item = Line> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let record = next(at).record()?;
        at = record.next;
        Some(record)
    })
}

/// Returns the lines from `at` on, which must be the start of a line.
pub(super) fn lines(bytes: &[u8], mut at: usize) -> impl Iterator<Item = Line> {
    std::iter::from_fn(move || {
        let line = (at < bytes.len()).then(|| line_at(bytes, at))?;
        at = line.next;
        Some(line)
    })
}

#[inline]
pub(super) fn line_at(bytes: &[u8], start: usize) -> Line {
    let Some(length) = memchr2(b'\n', b'\r', &bytes[start..]) else {
        return Line { text: start..bytes.len(), next: bytes.len() };
    };
    let end = start + length;
    let is_pair = bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n');
    Line { text: start..end, next: end + 1 + usize::from(is_pair) }
}

/// Returns whether the line would stay the same if more bytes followed `bytes`.
pub(super) fn is_whole(bytes: &[u8], line: &Line) -> bool {
    line.next < bytes.len() || bytes[line.text.end..] == *b"\n" || bytes[line.text.end..] == *b"\r\n"
}

pub(super) fn has_line_end(bytes: &[u8]) -> bool {
    memchr2(b'\n', b'\r', bytes).is_some()
}

pub(super) fn count_line_ends(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64 + count_lone_returns(bytes)
}

/// Returns the number of line ends that are a single `\r`.
pub(super) fn count_lone_returns(bytes: &[u8]) -> u64 {
    memchr_iter(b'\r', bytes).filter(|&at| bytes.get(at + 1) != Some(&b'\n')).count() as u64
}

/// Returns the end of the last complete line, or 0 if there is none.
pub(super) fn last_line_end(bytes: &[u8]) -> usize {
    // A `\r` at the very end may be the first half of `\r\n`.
    let certain = bytes.len() - usize::from(bytes.last() == Some(&b'\r'));
    memrchr2(b'\n', b'\r', &bytes[..certain]).map_or(0, |at| {
        let splits_pair = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
        at + 1 + usize::from(splits_pair)
    })
}

/// Returns whether a line of the formats for lines and grids is a row, possibly a malformed one: not blank, and not a `#` comment. Only the
/// start of an overlong line counts, because the rest of the line might be missing.
pub(super) fn is_row(text: &[u8]) -> bool {
    let start = &text[..text.len().min(MAX_RECORD)];
    !matches!(start.trim_ascii_start().first(), None | Some(b'#'))
}

/// Returns the next line from `at` for which `is_row` returns true.
pub(super) fn next_row(bytes: &[u8], at: usize, is_row: impl Fn(&[u8]) -> bool) -> Option<Line> {
    lines(bytes, at).find(|line| is_row(&bytes[line.text.clone()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_complete_line_splits_no_line_end() {
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
}
