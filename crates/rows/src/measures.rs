//! What a run measures: counts of verdicts, and the latency of each puzzle.
//!
//! Counts and times go with the blocks, and are taken in when a block is written. Nothing here prints.

use sudobench_sudoku::Outcome;

use crate::{Budget, Latency, Tally};

/// What a run measured: counts of verdicts and the latency of each puzzle.
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
        self.latency.record(outcome.elapsed_ns, outcome.status != sudobench_sudoku::Status::Aborted);
    }
}
