//! Sudoku puzzles that stream: read from files of any size, solved on all cores, written in order, measured.
#![forbid(unsafe_code)]

mod budgets;
mod latency;
mod measures;
pub mod pipeline;
pub mod sink;
pub mod source;
mod tally;

pub use budgets::{Budget, BudgetError, Budgets, Preset};
pub use latency::{HistogramLogError, Latency, LatencySummary, Within};
pub use measures::Measures;
pub use tally::Tally;
