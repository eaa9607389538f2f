//! Measures, compares, gates and judges programs that solve Sudoku puzzles, and reports it.
//!
//! ```text
//! Benchmark  a whole benchmark as a library call
//! bench      datasets, contestants, rounds, paired trials
//! judge      programs under the rules of the online judge
//! leaderboard  the record of a contest, kept up to date
//! record     what a measurement is on disk, and the history of many
//! analysis   statistics over records and histories
//! gate       what passes and what fails
//! report     records as text, Markdown, CSV, HTML, JUnit
//! process    other programs: started, fed, limited, ended
//! meters     what the operating system and the processor count
//! ```
#![forbid(unsafe_code)]

pub mod analysis;
pub mod bench;
mod benchmark;
pub mod figures;
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
