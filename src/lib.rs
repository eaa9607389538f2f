//! The `sudobench` program, as a library for Python and for its tests: what is typed, and the commands.
//!
//! What can be done with puzzles in memory is [`sudobench_sudoku`]; puzzles that stream are [`sudobench_rows`]; what measures, compares,
//! gates and reports is [`sudobench_harness`]. `docs/ARCHITECTURE.md` is the map.
#![forbid(unsafe_code)]

pub mod cli;
pub mod command;

// Its examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
