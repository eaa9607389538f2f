//! Faults of a row.

use std::num::NonZeroU64;

use sudobench_sudoku::puzzle::{Cells, PuzzleError};

/// Reasons why a row is malformed. The text form is the reported reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowFault {
    /// The text of the puzzle is invalid.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    /// The text has 40 to 80 digits, some of them zeros, but does not start with a zero: another program probably converted the puzzle to a
    /// number.
    #[error(
        "{found} digits where a puzzle has 81; if zeros at the start were lost, --restore-zeros restores them"
    )]
    LostZeros {
        /// The number of digits.
        found: usize,
    },
    /// The text is a number in scientific notation: another program probably converted the puzzle to a number.
    #[error(
        "a number in scientific notation: its digits are lost and cannot be restored; create the puzzles again, in a column of text"
    )]
    LostDigits,
    /// A table or a JSON object has a null instead of the puzzle.
    #[error("the puzzle is null")]
    Null,
    /// A list of cells is too short or too long.
    #[error("{found} cell{} where a puzzle has 81", if *found == 1 { "" } else { "s" })]
    Cells {
        /// Number of cells in the list.
        found: usize,
    },
    /// A list of cells contains a null.
    #[error("a cell of the puzzle is null")]
    NullCell,
    /// The row has fewer columns than the others.
    #[error("the row has {found} of {expected} columns")]
    MissingColumns {
        /// Number of columns of this row.
        found: usize,
        /// Number of columns that each row should have.
        expected: usize,
    },
    /// The row has more columns than the others.
    #[error("the row has {found} columns instead of {expected}")]
    ExtraColumns {
        /// Number of columns of this row.
        found: usize,
        /// Number of columns that each row should have.
        expected: usize,
    },
    /// A quoted field runs to the end of the input.
    #[error("a quote is opened but not closed")]
    OpenQuote,
    /// The puzzle's quoted field has quotes inside, or text after its closing quote.
    #[error("a quote inside the puzzle")]
    InnerQuote,
    /// The line isn't a JSON object.
    #[error("not a JSON object{}", if *column == 0 { String::new() } else { format!(": parsing failed at byte {column}") })]
    NoObject {
        /// Number of the byte at which parsing failed, from 1; 0 if the line starts with a JSON array.
        column: usize,
    },
    /// A JSON object lacks the member that contains the puzzle.
    #[error("the object has no puzzle")]
    NoMember,
    /// A JSON value can't be a puzzle.
    #[error("the puzzle is neither a text nor 81 cells")]
    NoBoard,
    /// A text, such as the answer of a language model, has no grid in it.
    #[error("no grid in the text")]
    NoGrid,
    /// A cell of an array holds a number that is not from 0 to 9.
    #[error(
        "{} holds {}{magnitude}, which is neither a digit nor 0 for a blank",
        Cells::one(usize::from(*cell)),
        if *is_negative { "-" } else { "" }
    )]
    Cell {
        /// The cell, from 0.
        cell: u8,
        /// Whether the number in the cell is negative.
        is_negative: bool,
        /// The number without its sign.
        magnitude: u64,
    },
    /// The record is too long to be read.
    #[error("a row of {length} bytes{} is too long for a puzzle", lines.map_or(String::new(), |lines| format!(" in {lines} lines")))]
    Overlong {
        /// Length of the record in bytes, without the line end.
        length: u64,
        /// Number of physical lines, if there are several.
        lines: Option<NonZeroU64>,
    },
    /// A grid has fewer or more than nine rows.
    #[error("a grid of {rows} row{} instead of 9", if *rows == 1 { "" } else { "s" })]
    GridRows {
        /// Number of rows that were found.
        rows: usize,
    },
    /// A row of a grid does not have nine cells.
    #[error("row {row} of the grid has {cells} cell{} instead of 9", if *cells == 1 { "" } else { "s" })]
    GridCells {
        /// The row, from 1.
        row: usize,
        /// Number of cells in the row.
        cells: usize,
    },
    /// A line of a grid contains something that is not a cell.
    #[error("byte {:?} in row {row} of the grid is neither a digit nor a blank", char::from(*byte))]
    GridByte {
        /// The row, from 1.
        row: usize,
        /// The byte that is neither a digit nor a blank.
        byte: u8,
    },
}

impl RowFault {
    /// Returns the fault of a row with another number of columns than expected.
    pub(super) fn wrong_columns(found: usize, expected: usize) -> RowFault {
        match found < expected {
            true => RowFault::MissingColumns { found, expected },
            false => RowFault::ExtraColumns { found, expected },
        }
    }
}
