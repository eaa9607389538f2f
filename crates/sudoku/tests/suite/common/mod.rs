//! Helpers of this crate's tests and of the program's tests (`tests/cli`, `tests/harness`): an oracle that solves puzzles in an obviously
//! correct way, and random puzzles.
#![allow(dead_code, reason = "the tests of the program use only a part of this module")]

pub(crate) mod grids;
pub(crate) mod oracle;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::techniques::Board;

/// Returns the SIMD level that the environment variable `SUDOBENCH_SIMD` names, or the widest level if it is not set. CI sets the variable
/// to run the tests at each level.
pub(crate) fn level() -> sudobench_sudoku::simd::Level {
    sudobench_sudoku::simd::Level::from_environment().unwrap()
}

/// Reads a board of `tests/data/techniques/steps.csv`. A cell is its digit, or a dot and its candidates.
pub(crate) fn board(text: &str) -> Board {
    let (mut values, mut candidates) = ([0; 81], [0; 81]);
    for (cell, text) in text.split(' ').enumerate() {
        match text.strip_prefix('.') {
            None => values[cell] = text.parse().unwrap(),
            Some(digits) => digits.bytes().for_each(|digit| candidates[cell] |= 1 << (digit - b'1')),
        }
    }
    Board::with_candidates(&Puzzle::try_from(values).unwrap(), &candidates)
}
