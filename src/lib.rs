//! The `sudobench` program, as a library for its tests and benches.
//!
//! What can be done with puzzles in memory is [`sudobench_sudoku`]; puzzles that stream are [`sudobench_rows`]. Here
//! stand the commands, and what measures, compares, gates and reports. `docs/ARCHITECTURE.md` is the map.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod bench;
pub mod cli;
pub mod command;
pub mod figures;
pub mod gate;
pub mod judge;
pub mod problem;
pub mod process;
pub mod record;
pub mod report;
pub mod repository;
pub mod started;
pub mod statistics;

// Its examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
