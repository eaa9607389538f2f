//! Solves very large 9x9 Sudoku datasets in parallel, and measures the solvers that do it.

pub mod puzzle;
pub mod simd;
pub mod solver;

pub use puzzle::{Puzzle, PuzzleError, RefereeError, Solution};
pub use solver::{Answer, Limits, Outcome, Solver, Status, solve};
