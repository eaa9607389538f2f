//! Which tools the next round uses, by what the last ones have found.
//!
//! - A branch fails in most cases where a puzzle has one solution, and hardly ever where it has many. With many,
//!   inference is wasted: then lanes branch **eagerly**, on cells, after two passes and before they settle.
//! - The triple rule costs half a pass. Where it hits less than one settled lane in fifty it rests for a while.
#![forbid(unsafe_code)]

use super::engine::Found;
use super::state::Lanes;

/// Counters are halved at this size, so that they follow what the batch holds now.
const FORGET: u64 = 40_000;

/// While the triple rule rests, it is tried in one round of so many.
const TRIAL: u64 = 16;

/// The counters behind the decisions, and the decisions for this round.
pub(super) struct Strategy {
    rounds: u64,
    branches: u64,
    failures: u64,
    settled: u64,
    struck: u64,
    eager: bool,
    triples: bool,
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy {
            rounds: 0,
            branches: 64,
            failures: 64,
            settled: 64,
            struck: 64,
            eager: false,
            triples: true,
        }
    }
}

impl Strategy {
    /// Decides for the next round.
    pub(super) fn start_round(&mut self) {
        self.rounds += 1;
        self.eager = self.failures * 5 < self.branches * 2;
        let rests = self.struck * 50 < self.settled && !self.rounds.is_multiple_of(TRIAL);
        self.triples = !self.eager && !rests;
        if self.branches + self.failures > FORGET {
            self.branches = self.branches / 2 + 1;
            self.failures = self.failures / 2 + 1;
        }
        if self.settled > FORGET {
            self.settled = self.settled / 2 + 1;
            self.struck /= 2;
        }
    }

    /// Whether lanes branch before they settle.
    pub(super) fn is_eager(&self) -> bool {
        self.eager
    }

    /// Whether the triple rule is used.
    pub(super) fn uses_triples(&self) -> bool {
        self.triples
    }

    /// Counts the branches and failures of a round.
    pub(super) fn note_round<const N: usize>(
        &mut self,
        open: &Lanes<N>,
        bad: &Lanes<N>,
        occupied: &Lanes<N>,
    ) {
        for at in 0..N {
            self.branches += u64::from(open[at].count_ones());
            self.failures += u64::from((bad[at] & occupied[at]).count_ones());
        }
    }

    /// Counts the lanes that a pass has left alone, and those of them that the triple rule before it had not.
    pub(super) fn note_triples<const N: usize>(
        &mut self,
        struck: &Lanes<N>,
        report: &Found<N>,
        occupied: &Lanes<N>,
    ) {
        for at in 0..N {
            let settled = !(report.changed[at] | report.bad[at]) & occupied[at];
            self.settled += u64::from(settled.count_ones());
            self.struck += u64::from((settled & struck[at]).count_ones());
        }
    }
}
