//! Helpers of the end-to-end tests: an oracle that solves puzzles in an obviously correct way, and random puzzles.
#![allow(dead_code, reason = "each suite is a crate of its own and uses a part")]

pub(crate) mod grids;
pub(crate) mod oracle;

/// Returns the SIMD level that the environment names, because CI runs the suites at each level; otherwise the widest.
pub(crate) fn level() -> sudobench_sudoku::simd::Level {
    sudobench_sudoku::simd::Level::from_environment().unwrap()
}
