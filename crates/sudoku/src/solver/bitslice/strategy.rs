//! How eagerly the next round branches, by what the last ones have found.
//!
//! A branch fails in most cases where a puzzle has one solution, and hardly ever where it has many. With many,
//! inference is wasted: then lanes branch **eagerly**, on cells, after two passes and before they settle.
//!
//! A lane that stands still branches once the triple rule has found nothing in it. Where nearly all lanes hold puzzles
//! that need no guess, it would wait for that until the batch ends: so the rule is due after so many passes without it.

use super::engine::{Observed, ones};
use super::state::Lanes;

/// Counters are halved at this size, so that they follow what the batch holds now.
const FORGET: u64 = 40_000;

/// Passes after which the triple rule is due, for the sake of a few lanes: a fraction of a millisecond.
const PASSES_WITHOUT_TRIPLES: u32 = 32;

/// The counters behind the decision, and the decision for this round.
pub(super) struct Strategy {
    branches: u64,
    failures: u64,
    eager: bool,
    passes_without_triples: u32,
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy { branches: 64, failures: 64, eager: false, passes_without_triples: 0 }
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

    /// Whether the triple rule has not been applied for too long.
    pub(super) fn triples_are_due(&self) -> bool {
        self.passes_without_triples >= PASSES_WITHOUT_TRIPLES
    }

    /// Counts a pass, with the triple rule before it or without.
    pub(super) fn note_pass(&mut self, with_triples: bool) {
        self.passes_without_triples = if with_triples { 0 } else { self.passes_without_triples + 1 };
    }

    /// Counts the branches and failures of a round.
    pub(super) fn note_round<const N: usize>(
        &mut self,
        open: &Lanes<N>,
        report: &Observed<N>,
        occupied: &Lanes<N>,
    ) {
        self.branches += u64::from(ones(open));
        for at in 0..N {
            self.failures += u64::from((report.bad[at] & occupied[at]).count_ones());
        }
    }
}
