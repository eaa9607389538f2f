//! Where a lane's next row comes from, and where a job ends.

use super::desk::{Desk, IDLE, Job, Lane, NO_JOB, NONE, Stage};
use super::row::{Place, Row, Rows};
use crate::simd::{Simd, prefetch};
use crate::solver::{Answer, Outcome, Status};

/// A puzzle is fetched into the cache when the one so many before it enters.
const AHEAD: usize = 16;

impl<S: Simd<N>, const N: usize> Desk<'_, S, N> {
    /// Gives a lane whose row is used up its next one.
    #[inline(always)]
    pub(super) fn refill(&mut self, rows: &mut Rows<N>, lane: usize) {
        let place = Place::of_lane::<N>(lane);
        if let Some(slot) = self.pop(lane) {
            return rows.set_row(place, &self.stack[slot]);
        }
        self.leave(lane);
        if let Some(row) = self.enter(lane, place) {
            return rows.set_row(place, &row);
        }
        rows.set_row(place, &self.steal(lane).unwrap_or(Row::FULL));
    }

    /// Takes the topmost alternative off a lane's own stack, and says where it is.
    #[inline(always)]
    fn pop(&mut self, lane: usize) -> Option<usize> {
        let Lane { bottom, top, .. } = self.lanes[lane];
        if bottom == top || !self.may_place(lane) {
            return None;
        }
        self.lanes[lane].top = top - 1;
        Some((usize::from(top) - 1) * Self::LANES + lane)
    }

    /// Takes a lane off its job. The last one to leave has exhausted it.
    #[inline(always)]
    fn leave(&mut self, lane: usize) {
        let Lane { job, stage, .. } = self.lanes[lane];
        if job == NONE {
            return;
        }
        if stage == Stage::Smallest {
            self.unlink(lane);
        }
        self.lanes[lane] = IDLE;
        let entry = &mut self.jobs[usize::from(job)];
        entry.lanes -= 1;
        if entry.lanes == 0 {
            if entry.stage != Stage::Closed {
                self.close_counted(job);
            }
            self.free.push(job);
        }
        self.unmark(lane);
    }

    /// The next puzzle of the batch.
    #[inline(always)]
    fn enter(&mut self, lane: usize, place: Place) -> Option<Row> {
        let puzzle = self.puzzles.get(self.next)?;
        let job = self.free.pop()?;
        let ordered = self.question.max_solutions.get() == 1 && self.question.answer == Answer::Smallest;
        let stage = if ordered { Stage::Smallest } else { Stage::Count };
        let (number, entered_ns) = (self.next, self.now_ns);
        self.jobs[usize::from(job)] =
            Job { puzzle: number, entered_ns, lanes: 1, first: lane as u16, stage, ..NO_JOB };
        if let Some(ahead) = self.puzzles.get(number + AHEAD) {
            prefetch(ahead);
        }
        prefetch(&self.outcomes[number]);
        self.next += 1;
        self.join(lane, job, stage);
        if stage == Stage::Count && self.question.answer == Answer::Smallest {
            let (at, bit) = place.bit();
            self.in_order[at] |= bit;
        }
        Some(Row::of_puzzle(self.simd, puzzle))
    }

    /// The bottom alternative of another lane's stack: the largest part of its work.
    #[inline(always)]
    fn steal(&mut self, lane: usize) -> Option<Row> {
        while !self.nothing_to_steal {
            let Some(victim) = self.find_victim() else {
                self.nothing_to_steal = true;
                return None;
            };
            self.victim = (victim + 1) % Self::LANES;
            if !self.may_place(victim) {
                continue;
            }
            let Lane { job, stage, bottom, after, .. } = self.lanes[victim];
            let (at, bit) = Place::of_lane::<N>(victim).bit();
            self.in_order[at] &= !bit;
            self.lanes[victim].bottom += 1;
            self.lanes[victim].after = lane as u16;
            self.jobs[usize::from(job)].lanes += 1;
            self.join(lane, job, stage);
            self.lanes[lane].after = after;
            return Some(self.stack[usize::from(bottom) * Self::LANES + victim]);
        }
        None
    }

    /// A lane with alternatives to spare, from `self.victim` on.
    fn find_victim(&self) -> Option<usize> {
        let can_spare = |&victim: &usize| {
            let Lane { job, stage, bottom, top, .. } = self.lanes[victim];
            bottom < top && stage == self.jobs[usize::from(job)].stage && stage != Stage::Closed
        };
        (self.victim..Self::LANES).chain(0..self.victim).find(can_spare)
    }

    /// Puts an idle lane on a job.
    #[inline(always)]
    fn join(&mut self, lane: usize, job: u16, stage: Stage) {
        self.lanes[lane] = Lane { job, stage, ..IDLE };
        self.mark(lane, stage);
    }

    /// Notes that a lane works, and what for.
    #[inline(always)]
    pub(super) fn mark(&mut self, lane: usize, stage: Stage) {
        let (at, bit) = Place::of_lane::<N>(lane).bit();
        self.occupied[at] |= bit;
        if stage == Stage::Smallest {
            self.smallest[at] |= bit;
        }
    }

    /// Notes that a lane is idle.
    #[inline(always)]
    fn unmark(&mut self, lane: usize) {
        let (at, bit) = Place::of_lane::<N>(lane).bit();
        self.occupied[at] &= !bit;
        self.smallest[at] &= !bit;
        self.in_order[at] &= !bit;
    }

    /// Ends a job whose count says all: the limit is reached, or nothing is left to try.
    #[inline(always)]
    pub(super) fn close_counted(&mut self, job: u16) {
        let count = self.jobs[usize::from(job)].count;
        self.close(job, Status::of_count(self.question, count));
    }

    /// Ends a job with that verdict. The solution to report is in its outcome already.
    #[inline(always)]
    pub(super) fn close(&mut self, job: u16, status: Status) {
        let job = &mut self.jobs[usize::from(job)];
        job.stage = Stage::Closed;
        let outcome = &mut self.outcomes[job.puzzle];
        if matches!(status, Status::Unsolvable | Status::Aborted) {
            outcome.solution = None;
        }
        outcome.status = status;
        outcome.count = job.count;
        outcome.nodes = job.nodes;
        outcome.guesses = job.guesses;
        outcome.elapsed_ns = self.now_ns - job.entered_ns;
    }

    /// Gives up every puzzle that has no verdict yet.
    pub(super) fn abort_all(&mut self) {
        for job in 0..self.jobs.len() {
            if self.jobs[job].stage != Stage::Closed {
                self.close(job as u16, Status::Aborted);
            }
        }
        self.outcomes[self.next..].fill(Outcome::ABORTED);
    }
}
