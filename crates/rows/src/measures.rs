//! Measurements of a run: counts of verdicts, scores of predictions, and latencies of puzzles.
//!
//! Each block has its own counts and times. When the block is written, they are added to the counts and times of the run.

use crate::scores::Scores;
use crate::{Budget, Latency, Tally};

/// Measurements of a run: counts of verdicts, scores of predictions, and latencies of puzzles.
#[derive(Clone, Debug)]
pub struct RunMeasures {
    /// Counts of rows and verdicts.
    pub tally: Tally,
    /// The scores of predictions, if rows have predictions.
    pub scores: Scores,
    /// Latencies of the puzzles with an outcome.
    pub latency: Latency,
}

impl RunMeasures {
    /// Makes measures in which no puzzle is counted yet. When a puzzle is added, its time is compared with `budgets`.
    pub fn new(budgets: &[Budget]) -> RunMeasures {
        RunMeasures { tally: Tally::default(), scores: Scores::default(), latency: Latency::new(budgets) }
    }
}
