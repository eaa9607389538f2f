//! Measures, compares and judges programs that solve Sudoku puzzles, decides whether a change to such a program passes (the gate), and
//! reports the results.
//!
//! ```text
//! Benchmark  a whole benchmark as a library call
//! bench      datasets, contestants, rounds, paired trials
//! judge      programs under the rules of the online judge
//! problem    the two problems of the online judge: inputs, and checks of outputs
//! leaderboard  the record of a contest, kept up to date
//! record     measurements as stored in files, and histories of measurements
//! analysis   statistics over records and histories
//! gate       decides whether a change passes or fails
//! report     records as text, Markdown, CSV, HTML, JUnit
//! process    starts, feeds, limits and ends external programs
//! meters     counters of the operating system and the processor
//! ```
#![forbid(unsafe_code)]

pub mod analysis;
pub mod bench;
mod benchmark;
pub mod gate;
pub mod judge;
mod leaderboard;
pub mod meters;
pub mod problem;
pub mod process;
pub mod record;
pub mod report;
pub mod repository;
pub mod started;
pub mod statistics;

pub use benchmark::{Benchmark, BenchmarkError, record_of};
pub use leaderboard::{add_to_leaderboard, contestant_files, new_leaderboard, update_leaderboard};
pub use process::child_main;
pub use sudobench_rows::figures;
