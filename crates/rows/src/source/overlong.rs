//! Finds the end of a record that is too long to be read.
//!
//! The record is one malformed row, even if it has several lines, and it must not affect the records after it. Outside CSV it ends with its
//! line. In CSV a quote may be open, for one of two reasons:
//!
//! ```text
//! a very long field        the record ends according to the grammar
//! a quote that was not     the rest of the file would belong to the field: the record ends before the first line after
//! meant as a CSV quote     MAX_RECORD bytes that is certainly a row: no quotes, all columns, a puzzle
//! ```
//! Both ends may be possible. If the grammar ends the record within its first [`PIECE`] bytes, this end is used, unless text follows a
//! closing quote somewhere in the record. (Such a quote probably opens a field of a later row.) Beyond the first [`PIECE`] bytes, the end
//! that comes first is used.

use super::csv::CsvLayout;
use super::layout::Layout;
use super::parsed::MAX_RECORD;
use super::text::{is_whole, line_at};

/// The length of the pieces in which the reader reads ahead, in bytes.
pub(super) const PIECE: usize = 16 * MAX_RECORD;

/// A walk over an overlong record, piece by piece.
pub(super) struct OverlongWalk<'l> {
    csv: Option<&'l CsvLayout>,
    state: CsvState,
    /// False once text has followed a closing quote.
    is_tidy: bool,
    starts_line: bool,
    /// Number of bytes in the earlier pieces.
    passed: u64,
    reached: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CsvState {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote in a quoted field. If another quote follows, the two quotes are one quote inside the field. Otherwise this quote
    /// closes the field.
    BehindQuote,
}

/// A possible end of the record. All numbers are counted from the start of the record.
#[derive(Clone, Copy, Default)]
pub(super) struct End {
    /// Number of bytes of the record, without the line end after it.
    pub(super) length: u64,
    /// Number of line ends inside the record.
    pub(super) line_ends: u64,
    /// Number of bytes before the start of the search for the next record.
    pub(super) next: u64,
    /// Number of line ends before the start of this search.
    pub(super) next_line_ends: u64,
}

pub(super) enum Step {
    /// The record ends in this piece.
    Ends(End),
    /// The record does not end in this piece. This many bytes of the piece are processed; the next piece starts after them.
    More(usize),
}

impl<'l> OverlongWalk<'l> {
    pub(super) fn new(layout: &'l Layout) -> OverlongWalk<'l> {
        OverlongWalk {
            csv: layout.csv(),
            state: CsvState::FieldStart,
            is_tidy: true,
            starts_line: true,
            passed: 0,
            reached: End::default(),
        }
    }

    /// Continues with a piece: [`PIECE`] bytes or more, or the rest of the text. `is_all`: whether the text ends with this piece.
    pub(super) fn push(&mut self, piece: &[u8], is_all: bool) -> Step {
        let mut at = 0;
        let mut before_row = None;
        while at < piece.len() {
            let line = line_at(piece, at);
            let is_part = !is_all && !is_whole(piece, &line);
            if is_part && at > 0 {
                break;
            }
            let text = &piece[line.text.clone()];
            if before_row.is_none() && !is_part && self.is_row_inside(text) {
                before_row = Some(self.reached);
            }
            // If a line that is certainly a row was found inside the quotes, the search for the closing quote ends [`PIECE`] bytes after
            // the start of the record. The end of the search does not depend on the length of `piece`.
            let end = self.passed + line.text.end as u64;
            if let Some(before) = before_row.filter(|_| end > PIECE as u64) {
                return Step::Ends(before);
            }
            self.walk(text);
            let next = if is_part { line.text.end } else { line.next };
            self.reached = End {
                length: self.passed + line.text.end as u64,
                line_ends: self.reached.next_line_ends,
                next: self.passed + next as u64,
                next_line_ends: self.reached.next_line_ends + u64::from(next > line.text.end),
            };
            if !is_part && self.state != CsvState::Quoted {
                return Step::Ends(before_row.filter(|_| !self.is_tidy).unwrap_or(self.reached));
            }
            self.starts_line = !is_part;
            at = next;
        }
        match before_row {
            Some(end) => Step::Ends(end),
            None if is_all => Step::Ends(self.reached),
            None => {
                self.passed += at as u64;
                Step::More(at)
            }
        }
    }

    /// Returns whether `line`, the next line, is certainly a row, although it starts inside open quotes. False for a line that starts in
    /// the first [`MAX_RECORD`] bytes of the record.
    fn is_row_inside(&self, line: &[u8]) -> bool {
        let is_behind = self.reached.next > MAX_RECORD as u64;
        let is_open = self.starts_line && self.state == CsvState::Quoted;
        is_open && is_behind && self.csv.is_some_and(|csv| csv.is_plain_row(line))
    }

    /// Continues the walk with a part of a line. The part does not contain the line end.
    fn walk(&mut self, text: &[u8]) {
        let Some(CsvLayout { delimiter, .. }) = self.csv else { return };
        for &byte in text {
            self.state = match (self.state, byte) {
                (CsvState::FieldStart | CsvState::BehindQuote, b'"') => CsvState::Quoted,
                (CsvState::Quoted, b'"') => CsvState::BehindQuote,
                (CsvState::Quoted, _) => CsvState::Quoted,
                (_, byte) if byte == *delimiter => CsvState::FieldStart,
                (state, _) => {
                    self.is_tidy &= state != CsvState::BehindQuote;
                    CsvState::Plain
                }
            };
        }
    }
}
