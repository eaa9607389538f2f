//! Helpers of this crate's tests and of the program's tests (`tests/cli`, `tests/harness`): an oracle that solves puzzles in an obviously
//! correct way, and random puzzles.
#![allow(dead_code, reason = "the tests of the program use only a part of this module")]

pub(crate) mod grids;
pub(crate) mod oracle;

use std::process::Child;
use std::time::{Duration, Instant};

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::techniques::Board;

/// A puzzle for which a solver that fills the cells row by row needs 69 million nodes, because the first rows have almost no clues.
pub(crate) const MONSTER: &str =
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

/// A puzzle whose last cell has no candidate. A solver that fills the cells row by row notices this only after it has filled all other
/// cells, and there are countless ways to fill them.
pub(crate) const ENDLESS: &str =
    "........9...............................................................12345678.";

/// Waits until a process has ended. Kills it and panics if it does not end within a minute.
pub(crate) fn wait_a_minute(child: &mut Child) {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("the process did not end within a minute");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Returns the SIMD level that the environment variable `SUDOBENCH_SIMD` names, or the widest level if it is not set. CI sets the variable
/// to run the tests at each level.
pub(crate) fn level() -> sudobench_sudoku::simd::Level {
    sudobench_sudoku::simd::Level::from_environment().unwrap()
}

/// Reads a board of `tests/data/techniques/steps.csv`. Each cell is written as its digit, or as a dot and its candidates.
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
