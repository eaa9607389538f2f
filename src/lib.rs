//! Solves very large 9x9 Sudoku datasets in parallel, and measures the solvers that do it.

pub mod bench;
pub mod cli;
pub mod command;
pub mod gate;
pub mod measure;
pub mod puzzle;
pub mod report;
pub mod solver;

pub use puzzle::{Puzzle, PuzzleError, RefereeError, Solution};
pub use solver::{Answer, Limits, Outcome, Solver, Status, solve};
