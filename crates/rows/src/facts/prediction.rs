//! The predicted grid of a row, and perhaps its solution.

use sudobench_sudoku::extract::TextForm;
use sudobench_sudoku::{Puzzle, Solution};

/// The predicted grid of a row, and perhaps its solution.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The predicted grid, or why it cannot be read.
    pub board: Result<Puzzle, String>,
    /// How the grid is written, if it was found in a text.
    pub form: Option<TextForm>,
    /// The solution in the row; `None` if there is none.
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
