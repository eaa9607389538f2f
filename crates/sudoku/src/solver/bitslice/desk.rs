//! Who works on what: the puzzles in progress, the lanes that work on them, and the stacks of what is left.
//!
//! ```text
//!   puzzles ->  job   <- lane   row in the state
//!               job   <- lane   stack: the alternatives not yet tried, bottom to top
//!                     <- lane   (stolen: the bottom alternative of another lane's stack)
//!               job   <- lane
//! ```
//!
//! A lane pops its own stack, else takes the next puzzle, else steals. So the end of a batch, where few puzzles
//! are left, still fills the lanes. A job ends when its verdict is known, or when the last lane leaves it.
//!
//! The search for the smallest solution takes the alternatives in order, and what is stolen from the bottom of a
//! stack comes after all else that its lane has. So the lanes of such a job form a list, each with the part of the
//! search that comes next (`order.rs`): a solution ends all lanes after its own, and stands once none is before it.
//!
//! # Depth of the stacks
//! Every row on a stack stands for one decision on the way to the lane's present row. A decision for a cell
//! leaves it one digit, one for a configuration leaves its digit one configuration in that band; neither is
//! decided again further down. So a stack holds at most 81 + 6 * 9 = 135 rows, whatever was stolen from its
//! bottom: 512 lanes * 135 rows * 96 bytes = 6.3 MiB. It grows to the depth that is met.

use super::branch::{split_cell, split_configuration};
use super::row::{Place, Row, Rows};
use super::state::Lanes;
use crate::puzzle::{Puzzle, Solution};
use crate::simd::Simd;
use crate::solver::clues::box_has_twice;
use crate::solver::{Answer, MOST_DECISIONS, Outcome, Question, Status, nanoseconds};

/// What a job is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Solutions, in any order, up to the limit.
    Count,
    /// The smallest solution: depth first, the first open cell, digits ascending.
    Smallest,
    /// Nothing: the verdict is out, and lanes that still work on it may stop.
    Closed,
    /// Of a lane only: its part of the search cannot matter any more.
    Dropped,
}

/// A puzzle in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub(super) puzzle: usize,
    pub(super) entered_ns: u64,
    pub(super) count: u64,
    pub(super) nodes: u64,
    pub(super) guesses: u64,
    /// The lanes that work on it.
    pub(super) lanes: u32,
    /// At [`Stage::Smallest`]: the lane with the first part of the search.
    pub(super) first: u16,
    pub(super) stage: Stage,
}

/// What a lane works on: a job at the stage at which the lane joined it, and the part of its stack in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub(super) job: u16,
    /// At [`Stage::Smallest`]: the lane with the part of the search that comes next.
    pub(super) after: u16,
    pub(super) stage: Stage,
    pub(super) bottom: u16,
    pub(super) top: u16,
}

/// No lane, no job.
pub(super) const NONE: u16 = u16::MAX;
pub(super) const IDLE: Lane = Lane { job: NONE, after: NONE, stage: Stage::Closed, bottom: 0, top: 0 };
pub(super) const NO_JOB: Job = Job {
    puzzle: 0,
    entered_ns: 0,
    count: 0,
    nodes: 0,
    guesses: 0,
    lanes: 0,
    first: NONE,
    stage: Stage::Closed,
};

/// What is kept from batch to batch to be used again: memory only.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) lanes: Vec<Lane>,
    pub(super) jobs: Vec<Job>,
    pub(super) free: Vec<u16>,
    pub(super) stack: Vec<Row>,
}

/// A batch in progress.
pub(super) struct Desk<'b, S, const N: usize> {
    pub(super) simd: S,
    pub(super) question: &'b Question,
    pub(super) max_ns: u64,
    pub(super) max_nodes: u64,
    pub(super) puzzles: &'b [Puzzle],
    pub(super) outcomes: &'b mut [Outcome],
    pub(super) lanes: &'b mut [Lane],
    pub(super) jobs: &'b mut [Job],
    /// The jobs that no lane works on.
    pub(super) free: &'b mut Vec<u16>,
    /// Row `depth * LANES + lane` is the lane's alternative at that depth.
    pub(super) stack: &'b mut Vec<Row>,
    /// The next puzzle to enter.
    pub(super) next: usize,
    /// The lane that the next thief looks at first.
    pub(super) victim: usize,
    /// Whether a thief has found nothing to steal in this round.
    pub(super) nothing_to_steal: bool,
    /// The clock at the start of the round.
    pub(super) now_ns: u64,
    /// The lanes that have work, and those of them that look for the smallest solution.
    pub(super) occupied: Lanes<N>,
    pub(super) smallest: Lanes<N>,
    /// The lanes that have taken up all alternatives of their puzzle in order so far, and alone: what they have
    /// found is the smallest.
    pub(super) in_order: Lanes<N>,
}

impl<'b, S: Simd<N>, const N: usize> Desk<'b, S, N> {
    pub(super) const LANES: usize = 64 * N;

    /// Takes a batch on; no lane has work yet.
    pub(super) fn open(
        simd: S,
        memory: &'b mut Memory,
        (puzzles, question, outcomes): (&'b [Puzzle], &'b Question, &'b mut [Outcome]),
    ) -> Desk<'b, S, N> {
        let Memory { lanes, jobs, free, stack } = memory;
        lanes.clear();
        lanes.resize(Self::LANES, IDLE);
        jobs.clear();
        jobs.resize(Self::LANES, NO_JOB);
        free.clear();
        free.extend((0..Self::LANES as u16).rev());
        let max_ns = question.max_time.map_or(u64::MAX, nanoseconds);
        Desk {
            simd,
            question,
            max_ns,
            max_nodes: question.max_nodes.unwrap_or(u64::MAX),
            puzzles,
            outcomes,
            lanes,
            jobs,
            free,
            stack,
            next: 0,
            victim: 0,
            nothing_to_steal: false,
            now_ns: 0,
            occupied: [0; N],
            smallest: [0; N],
            in_order: [0; N],
        }
    }

    /// Starts a round at that time.
    pub(super) fn start_round(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
        self.nothing_to_steal = false;
    }

    /// Splits the row of a lane and pushes one part. `false`: the lane's job is over.
    #[inline(always)]
    pub(super) fn branch(&mut self, rows: &mut Rows<N>, lane: usize, on_cell: bool) -> bool {
        let Lane { job, top, .. } = self.lanes[lane];
        if self.contradicts_itself(job) || !self.may_place(lane) {
            return false;
        }
        self.jobs[usize::from(job)].guesses += 1;
        let place = Place::of_lane::<N>(lane);
        let slot = usize::from(top) * Self::LANES + lane;
        if slot >= self.stack.len() {
            self.deepen();
        }
        let rest = &mut self.stack[slot];
        if on_cell {
            let (cell, digits) = (rows.choice::<0>(place), rows.choice::<1>(place));
            split_cell(rows, place, rest, cell, digits);
        } else {
            split_configuration(rows, place, rest);
        }
        self.lanes[lane].top += 1;
        true
    }

    /// Makes room for one more alternative a lane.
    #[cold]
    #[inline(never)]
    fn deepen(&mut self) {
        debug_assert!(self.stack.len() < MOST_DECISIONS * Self::LANES, "a decision is made once on a way");
        // Not by doubling: at the full depth that would be twice the memory.
        self.stack.reserve_exact(Self::LANES);
        self.stack.resize(self.stack.len() + Self::LANES, Row::FULL);
    }

    /// Whether the clues of a job that has not guessed yet contradict each other in a box.
    #[inline(always)]
    fn contradicts_itself(&self, job: u16) -> bool {
        let Job { puzzle, guesses, .. } = self.jobs[usize::from(job)];
        guesses == 0 && box_has_twice(&self.simd.cells_by_value(self.puzzles[puzzle].values()))
    }

    /// Counts one alternative that a lane is about to try. `false`: its job is over, perhaps by a limit.
    #[inline(always)]
    pub(super) fn may_place(&mut self, lane: usize) -> bool {
        let Lane { job, stage, .. } = self.lanes[lane];
        let entry = &mut self.jobs[usize::from(job)];
        if entry.stage != stage {
            return false;
        }
        let late = self.now_ns - entry.entered_ns >= self.max_ns;
        if late || entry.nodes >= self.max_nodes {
            self.close(job, Status::Aborted);
            return false;
        }
        entry.nodes += 1;
        true
    }

    /// A lane's row is a solution. `true`: the lane has a new row already.
    #[inline(always)]
    pub(super) fn solved(&mut self, rows: &mut Rows<N>, lane: usize) -> bool {
        let Lane { job, stage, .. } = self.lanes[lane];
        let entry = self.jobs[usize::from(job)];
        if entry.stage != stage {
            return false;
        }
        let any_will_do = self.question.answer == Answer::First;
        if entry.count == 0 || !any_will_do {
            self.keep_solution(&rows.row(Place::of_lane::<N>(lane)), entry);
        }
        if stage == Stage::Smallest {
            self.jobs[usize::from(job)].count = entry.count.max(1);
            self.stop_after(lane);
            return false;
        }
        self.jobs[usize::from(job)].count += 1;
        if entry.count + 1 < self.question.max_solutions.get() {
            return false;
        }
        if any_will_do || self.has_seen_all(lane) {
            self.close_counted(job);
            return false;
        }
        self.search_in_order(rows, lane);
        true
    }

    /// Makes the solution in `row` the answer of a job: in order, always; else if it is smaller than the last.
    #[inline(always)]
    fn keep_solution(&mut self, row: &Row, job: Job) {
        let best = &mut self.outcomes[job.puzzle].solution;
        if job.stage == Stage::Smallest || job.count == 0 {
            return row.write_solution(self.simd, best.insert(Solution::ONES));
        }
        let mut solution = Solution::ONES;
        row.write_solution(self.simd, &mut solution);
        *best = Some(best.map_or(solution, |best| best.min(solution)));
    }

    /// Whether no solution of a lane's job can be smaller than those found.
    #[inline(always)]
    fn has_seen_all(&self, lane: usize) -> bool {
        let Lane { job, bottom, top, .. } = self.lanes[lane];
        let (at, bit) = Place::of_lane::<N>(lane).bit();
        self.jobs[usize::from(job)].lanes == 1 && bottom == top || self.in_order[at] & bit != 0
    }

    /// Turns a job to the search for its smallest solution. Its lanes drop what they have, and this one searches anew.
    #[inline(always)]
    fn search_in_order(&mut self, rows: &mut Rows<N>, lane: usize) {
        let job = self.lanes[lane].job;
        let entry = &mut self.jobs[usize::from(job)];
        entry.stage = Stage::Smallest;
        entry.first = lane as u16;
        let puzzle = &self.puzzles[entry.puzzle];
        self.lanes[lane] = Lane { job, stage: Stage::Smallest, ..IDLE };
        self.mark(lane, Stage::Smallest);
        rows.set_row(Place::of_lane::<N>(lane), &Row::of_puzzle(self.simd, puzzle));
    }
}
