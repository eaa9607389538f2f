//! What is measured, and how measurements are kept, merged and written down.
//!
//! Each worker thread owns one [`Measures`]; they are merged when the work is done. Nothing here prints.
#![forbid(unsafe_code)]

mod budget;
mod latency;
mod machine;
mod run_record;
mod tally;

pub use budget::{Budget, BudgetError, Budgets, Preset};
pub use latency::{HistogramLogError, Latency, LatencySummary, Within};
pub use machine::{Build, Machine};
pub use run_record::{BudgetRecord, InputRecord, RunRecord, SCHEMA_VERSION, StatusRecord, write_json};
pub use tally::Tally;

use crate::solver::Outcome;

/// What one worker measured: counts of verdicts and the latency of each puzzle.
#[derive(Clone, Debug)]
pub struct Measures {
    /// Counts of rows and verdicts.
    pub tally: Tally,
    /// Latency of every puzzle that reached a solver.
    pub latency: Latency,
}

impl Measures {
    /// Empty measures held against `budgets`.
    pub fn new(budgets: &[Budget]) -> Measures {
        Measures { tally: Tally::default(), latency: Latency::new(budgets) }
    }

    /// Takes in the outcome of one puzzle.
    pub fn record(&mut self, outcome: &Outcome) {
        self.tally.record(outcome);
        self.latency.record(outcome.elapsed_ns, outcome.status != crate::solver::Status::Aborted);
    }

    /// Adds what another worker measured against the same budgets.
    pub fn merge(&mut self, other: &Measures) {
        self.tally.merge(&other.tally);
        self.latency.merge(&other.latency);
    }
}
