//! What is measured, and how measurements are kept, merged and written down.
//!
//! Each worker thread owns one [`Measures`]; they are merged when the work is done. Nothing here prints.
#![forbid(unsafe_code)]

mod bench_record;
mod budget;
#[cfg(test)]
pub(crate) mod canned;
mod histogram_text;
mod latency;
mod machine;
mod noise;
mod pair_record;
mod run_record;
mod seeded;
mod statistics;
mod tally;

pub use bench_record::{BenchRecord, DatasetRecord, RecordError, Settings};
pub use budget::{Budget, BudgetError, Budgets, Preset};
pub use histogram_text::{HistogramTextError, histogram_from_text, histogram_to_text};
pub use latency::{HistogramLogError, Latency, LatencySummary, Within};
pub use machine::{Build, Machine, simd_level};
pub use noise::{Finding, look_for_noise};
pub use pair_record::{
    Effort, EngineRecord, HardwareRecord, KeptPuzzles, Kind, Measurement, PairRecord, Par2, PrefixRecord,
    RoundRecord,
};
pub use run_record::{BudgetRecord, InputRecord, RunRecord, SCHEMA_VERSION, StatusRecord, write_json};
pub use seeded::Seeded;
pub use statistics::{
    CONFIDENCE, Interval, RESAMPLES, bootstrap_medians, geometric_mean, interval_of_samples, median,
    median_interval, median_u64, quantile_of_sorted, ratio_samples,
};
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
