//! The options and commands of the `sudobench` program, as a library.
//!
//! [`sudobench_sudoku`] solves puzzles in memory, [`sudobench_rows`] processes streams of puzzles, and [`sudobench_harness`] makes
//! measurements, comparisons and reports. `docs/ARCHITECTURE.md` describes the structure.
#![forbid(unsafe_code)]

pub mod cli;
pub mod command;

// Runs the Rust examples of `README.md` as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
