//! The start of a text, in which the layout is detected.

use sudobench_sudoku::puzzle::{CELLS, value_of_byte};

use super::error::SourceError;
use super::input::Input;
use super::options::Options;
use super::refused;
use super::text::{self, Line, line_at};

/// Number of bytes at the start of a text that decide its layout.
pub(super) const SAMPLE: usize = 64 * 1024;
/// Largest number of records that are examined to detect the layout.
pub(super) const RECORDS: usize = 500;

/// The text to examine, without byte order mark and count line.
pub(crate) struct Sample<'text> {
    pub(super) input: &'text Input,
    pub(super) options: &'text Options,
    /// The complete lines of the text.
    pub(super) text: &'text [u8],
    /// The complete lines, and the incomplete line after them. If `text` ends with `\r`, this field also has the byte after it,
    /// which shows whether the `\r` is a whole line end or the first half of `\r\n`.
    pub(super) with_rest: &'text [u8],
    /// Position of the text in the input.
    pub(super) start: usize,
    /// Number of the first physical line of the text, from 1.
    pub(super) first_line: u64,
    pub(super) is_all: bool,
}

impl<'text> Sample<'text> {
    pub(super) fn new(
        input: &'text Input,
        text: &'text [u8],
        is_all: bool,
        options: &'text Options,
    ) -> Result<Sample<'text>, SourceError> {
        if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
            return Err(SourceError::Utf16 { input: input.clone() });
        }
        refused::refuse(input, text)?;
        let mut start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        // An array without rows becomes an empty text, which is allowed.
        if text.len() == start && options.format.is_none_or(|format| format.magic.is_none()) {
            return Err(SourceError::Empty { input: input.clone() });
        }
        let end = if is_all { text.len() } else { start + text::last_line_end(&text[start..]) };
        if end == start && options.format.is_none() {
            refused::refuse_json(input, &text[start..], true)?;
            return Err(SourceError::NoLineEnd { input: input.clone() });
        }
        let mut first_line = 1;
        if let Some(count) = count_line(&text[start..end], options) {
            start += count.next;
            first_line += 1;
        }
        let (text, with_rest) = (&text[start..end], &text[start..]);
        Ok(Sample { input, options, text, with_rest, start, first_line, is_all })
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &'text [u8]> + use<'text> {
        let text = self.text;
        text::lines(text, 0).map(|line| &text[line.text])
    }
}

/// Returns the first line if it is only a count of the puzzles: digits, but not a row of a grid.
fn count_line(bytes: &[u8], options: &Options) -> Option<Line> {
    let line = line_at(bytes, 0);
    let text = bytes[line.text.clone()].trim_ascii();
    let is_number = (1..=12).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    let may_have_count =
        options.format.is_none_or(|format| format.reader.is_some_and(|reader| reader.may_have_count));
    let could_be_grid_row = text.len() == 9 && {
        let second = line_at(bytes, line.next);
        bytes[second.text].trim_ascii().len() < CELLS
    };
    (is_number && may_have_count && !could_be_grid_row && line.next < bytes.len()).then_some(line)
}

/// Returns whether a field may be meant as a puzzle: it is long and consists mostly of cells.
pub(super) fn looks_like_cells(field: &[u8]) -> bool {
    let cells = field.iter().filter(|&&byte| value_of_byte(byte).is_some()).count();
    field.len() >= 20 && cells * 5 >= field.len() * 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_distinguished_from_a_row() {
        let is_count = |text: &str| count_line(text.as_bytes(), &Options::default()).is_some();
        let puzzle = ".".repeat(81);
        assert!(is_count(&format!("17\n{puzzle}\n")));
        assert!(is_count(&format!("123456789\n{puzzle}\n")));
        assert!(!is_count("123456789\n456789123\n"));
        assert!(!is_count("17"));
        assert!(!is_count(&format!("{}\n{puzzle}\n", "1".repeat(13))));
    }
}
