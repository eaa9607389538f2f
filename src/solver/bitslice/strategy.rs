//! How eagerly the next round branches, by what the last ones have found.
//!
//! A branch fails in most cases where a puzzle has one solution, and hardly ever where it has many. With many,
//! inference is wasted: then lanes branch **eagerly**, on cells, after two passes and before they settle.
#![forbid(unsafe_code)]

use super::engine::{Found, ones};
use super::state::Lanes;

/// Counters are halved at this size, so that they follow what the batch holds now.
const FORGET: u64 = 40_000;

/// The counters behind the decision, and the decision for this round.
pub(super) struct Strategy {
    branches: u64,
    failures: u64,
    eager: bool,
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy { branches: 64, failures: 64, eager: false }
    }
}

impl Strategy {
    /// Decides for the next round.
    pub(super) fn start_round(&mut self) {
        self.eager = self.failures * 5 < self.branches * 2;
        if self.branches + self.failures > FORGET {
            self.branches = self.branches / 2 + 1;
            self.failures = self.failures / 2 + 1;
        }
    }

    /// Whether lanes branch before they settle.
    pub(super) fn is_eager(&self) -> bool {
        self.eager
    }

    /// Counts the branches and failures of a round.
    pub(super) fn note_round<const N: usize>(
        &mut self,
        open: &Lanes<N>,
        report: &Found<N>,
        occupied: &Lanes<N>,
    ) {
        self.branches += u64::from(ones(open));
        for at in 0..N {
            self.failures += u64::from((report.bad[at] & occupied[at]).count_ones());
        }
    }
}
