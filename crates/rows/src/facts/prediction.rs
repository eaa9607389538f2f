//! The predicted grid of a row, and the expected solution if the row has one.

use sudobench_sudoku::extract::TextForm;
use sudobench_sudoku::{Puzzle, Solution};

/// The predicted grid of a row, and the expected solution if the row has one.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The predicted grid, or why it cannot be read.
    pub board: Result<Puzzle, String>,
    /// How the grid is written, if it was found in a text.
    pub form: Option<TextForm>,
    /// The expected solution in the row; `None` if the row has no expected solution.
    pub solution: Option<Expected>,
}

/// The expected solution of a row.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// 81 digits that solve the puzzle.
    Right(Solution),
    /// A text that is not a solution of the puzzle.
    Wrong,
}
