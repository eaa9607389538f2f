//! The options and commands of the `sudobench` program, as a library for the Python package and for the tests of the program.
//!
//! Puzzles in memory are in [`sudobench_sudoku`], streams of puzzles in [`sudobench_rows`], and measuring, comparing, gating and reporting
//! in [`sudobench_harness`]. `docs/ARCHITECTURE.md` is the map.
#![forbid(unsafe_code)]

pub mod cli;
pub mod command;

// Runs the examples of `README.md` as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
