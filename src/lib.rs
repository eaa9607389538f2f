//! Solves very large 9x9 Sudoku datasets in parallel, and measures the solvers that do it.

pub mod cli;
pub mod command;
pub mod measure;
pub mod pipeline;
pub mod puzzle;
pub mod report;
pub mod sink;
pub mod solver;
pub mod source;

pub use puzzle::{Puzzle, PuzzleError, RefereeError, Solution};
pub use solver::{Answer, Limits, Outcome, Solver, Status, solve};
