//! The lanes that search for the smallest solution of one puzzle, in the order of their parts of the search.
//!
//! ```text
//!   job.first -> lane 7 -> lane 300 -> lane 12        all that lane 7 can still find is smaller than
//!                          (stolen    (stolen         anything in lane 300
//!                           last)      first)
//!
//!   lane 300 finds a solution      lane 12 and the stack of lane 300 are dropped; what lane 7 finds replaces it
//!   lane 7 is exhausted            lane 300 comes first; with the list empty the job ends
//! ```

use super::desk::{Desk, NONE, Stage};
use super::state::Lanes;
use crate::simd::Simd;

impl<S: Simd<N>, const N: usize> Desk<'_, S, N> {
    /// Of the `open` lanes, those that branch on their first open cell, and so take the alternatives in order.
    ///
    /// A search for the smallest solution must. While solutions are counted, order costs little only where most
    /// branches succeed, that is `eagerly`; then it saves the second search.
    pub(super) fn takes_first_cell(&mut self, open: &Lanes<N>, eagerly: bool) -> Lanes<N> {
        let mut first_cell = self.smallest;
        for at in 0..N {
            if eagerly {
                first_cell[at] |= self.in_order[at];
            } else {
                self.in_order[at] &= !open[at];
            }
        }
        first_cell
    }

    /// Ends what comes after the present row of a lane: its own stack, and the lanes after it. If no lane is
    /// before it, the job is done.
    #[cold]
    pub(super) fn stop_after(&mut self, lane: usize) {
        let entry = &mut self.lanes[lane];
        entry.top = entry.bottom;
        let mut after = std::mem::replace(&mut entry.after, NONE);
        let job = entry.job;
        while after != NONE {
            let dropped = &mut self.lanes[usize::from(after)];
            dropped.stage = Stage::Dropped;
            after = std::mem::replace(&mut dropped.after, NONE);
        }
        if usize::from(self.jobs[usize::from(job)].first) == lane {
            self.close_counted(job);
        }
    }

    /// Takes a lane that searches in order out of the list of its job.
    #[cold]
    pub(super) fn unlink(&mut self, lane: usize) {
        let (job, after) = (self.lanes[lane].job, self.lanes[lane].after);
        let first = &mut self.jobs[usize::from(job)].first;
        if usize::from(*first) == lane {
            *first = after;
            return;
        }
        let mut before = usize::from(*first);
        while usize::from(self.lanes[before].after) != lane {
            before = usize::from(self.lanes[before].after);
        }
        self.lanes[before].after = after;
    }
}
