//! 9x9 Sudoku in memory: puzzles, the referee that checks solutions, and solvers from the plainest backtracker to 512
//! puzzles at once.

pub mod puzzle;
pub mod random;
pub mod simd;
pub mod solver;

pub use puzzle::{Puzzle, PuzzleError, RefereeError, Solution};
pub use solver::{Answer, Outcome, Question, Solver, Status, nanoseconds, solve};
