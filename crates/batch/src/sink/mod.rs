//! One output row for every input row: formats that turn an answered row into bytes, and the places these go to.
//!
//! Formatting happens in the workers, into a buffer for each block; [`Destination`] takes the buffers in order.

mod boj;
mod columns;
mod csv;
mod destination;
mod input_columns;
mod jsonl;
mod resume;

pub use columns::{Column, ColumnsError, parse_columns};
pub use destination::{Destination, DestinationError, Existing, Target};
pub use resume::{ResumeError, ResumeState, whole_rows};

use crate::source::{Layout, Row};
use sudobench_sudoku::puzzle::{Puzzle, RefereeError};
use sudobench_sudoku::solver::{Outcome, Status};

/// An input row and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredRow<'a> {
    /// The block that holds the row: the row's ranges point into it.
    pub block: &'a [u8],
    /// Where the row and its parts stand.
    pub row: &'a Row,
    /// The puzzle and the verdict on it; `None` for a malformed row.
    pub answered: Option<(&'a Puzzle, &'a Outcome)>,
    /// What is to be said about a row that holds a puzzle.
    pub note: Note,
}

/// What is to be said about an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Note {
    /// Nothing.
    #[default]
    None,
    /// The answer differs from the expected solution, which is not 81 digits.
    ExpectedUnreadable,
    /// The answer differs from the expected solution, which does not solve the puzzle.
    ExpectedWrong,
    /// The answer differs from the expected solution, which solves the puzzle as well.
    ExpectedAnother,
    /// There is an expected solution, which solves the puzzle, but the solver says that there is none.
    ExpectedExists,
    /// The solver's grid was refused by the referee.
    Refused(RefereeError),
}

impl Note {
    /// The words for the `note` column; empty for [`Note::None`].
    pub fn text(self) -> String {
        match self {
            Note::None => String::new(),
            Note::ExpectedUnreadable => "the expected solution is not 81 digits".to_owned(),
            Note::ExpectedWrong => "the expected solution does not solve the puzzle".to_owned(),
            Note::ExpectedAnother => "the expected solution is another one of several".to_owned(),
            Note::ExpectedExists => "no solution found, but the expected one solves the puzzle".to_owned(),
            Note::Refused(fault) => format!("the solver's grid was refused: {fault}"),
        }
    }
}

impl<'a> AnsweredRow<'a> {
    /// The row's status.
    pub fn status(&self) -> Status {
        self.answered.map_or(Status::Malformed, |(_, outcome)| outcome.status)
    }

    /// The text of the `note` column: why a row is malformed, or what is to be said about the answer.
    pub fn note_text(&self) -> String {
        self.row.fault.as_ref().map_or_else(|| self.note.text(), ToString::to_string)
    }

    /// The untouched input row.
    pub fn text(&self) -> &'a [u8] {
        part(self.block, &self.row.text)
    }
}

/// The bytes of a range of a block.
fn part<'a>(block: &'a [u8], range: &std::ops::Range<u32>) -> &'a [u8] {
    &block[range.start as usize..range.end as usize]
}

/// How rows are written.
#[derive(Clone, Debug)]
pub enum Format {
    /// Input columns untouched, then the chosen ones.
    Csv(csv::CsvFormat),
    /// An object a line.
    Jsonl(jsonl::JsonlFormat),
    /// 81 digits a line.
    Lines,
    /// Nine lines of nine digits, separated by one space, as BOJ 2580 wants them.
    Boj2580,
    /// Nine lines of nine digits, as BOJ 2239 wants them.
    Boj2239,
}

/// The output formats by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum FormatName {
    /// The input's columns untouched, then the chosen columns
    Csv,
    /// A JSON object a line
    Jsonl,
    /// 81 digits a line; a row without a solution becomes a comment
    Lines,
    /// Nine lines of nine digits separated by a space
    Boj2580,
    /// Nine lines of nine digits
    Boj2239,
}

impl FormatName {
    /// All formats, in the order of every listing.
    pub const ALL: [FormatName; 5] =
        [FormatName::Csv, FormatName::Jsonl, FormatName::Lines, FormatName::Boj2580, FormatName::Boj2239];

    /// The word that stands for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            FormatName::Csv => "csv",
            FormatName::Jsonl => "jsonl",
            FormatName::Lines => "lines",
            FormatName::Boj2580 => "boj2580",
            FormatName::Boj2239 => "boj2239",
        }
    }
}

impl Format {
    /// A format for rows of `layout`, with the chosen columns where the format has columns.
    pub fn new(name: FormatName, layout: &Layout, columns: &[Column]) -> Format {
        match name {
            FormatName::Csv => Format::Csv(csv::CsvFormat::new(layout, columns)),
            FormatName::Jsonl => Format::Jsonl(jsonl::JsonlFormat::new(layout, columns)),
            FormatName::Lines => Format::Lines,
            FormatName::Boj2580 => Format::Boj2580,
            FormatName::Boj2239 => Format::Boj2239,
        }
    }

    /// What stands before the first row.
    pub fn header(&self) -> &[u8] {
        if let Format::Csv(csv) = self { csv.header() } else { &[] }
    }

    /// Appends a row.
    pub fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        match self {
            Format::Csv(csv) => csv.write(row, out),
            Format::Jsonl(jsonl) => jsonl.write(row, out),
            Format::Lines => boj::write_line(row, out),
            Format::Boj2580 => boj::write_grid(row, b" ", out),
            Format::Boj2239 => boj::write_grid(row, b"", out),
        }
    }
}
