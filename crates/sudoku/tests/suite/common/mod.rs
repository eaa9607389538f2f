//! What the end-to-end tests share: an oracle that solves puzzles in an obviously right way, and random puzzles.
#![allow(dead_code, reason = "each suite is a crate of its own and uses a part")]

pub(crate) mod grids;
pub(crate) mod oracle;

/// The vector level that the environment names, as continuous integration runs the suites at each; else the widest.
pub(crate) fn level() -> sudobench_sudoku::simd::Level {
    sudobench_sudoku::simd::Level::from_environment().unwrap()
}
