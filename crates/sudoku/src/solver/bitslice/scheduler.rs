//! Schedules the work: the puzzles in progress (jobs), the lanes that work on them, and the stacks of untried alternatives.
//!
//! ```text
//!   puzzles ->  job   <- lane   row in the state
//!               job   <- lane   stack: the alternatives not yet tried, bottom to top
//!                     <- lane   (stolen: the bottom alternative of another lane's stack)
//!               job   <- lane
//! ```
//!
//! A lane pops its own stack, otherwise takes the next puzzle, otherwise steals. So the lanes stay busy at the end of a
//! batch, when few puzzles are left. A job ends when its verdict is known, or when the last lane leaves it.
//!
//! A call may end before its batch does, so that the caller can add puzzles. The lanes keep their work, and the next call continues it.
//!
//! # The smallest solution
//! The search for the smallest solution takes the alternatives in order. In this order, work that is stolen from the bottom of a lane's
//! stack comes after all other work of that lane. So a job that is *in order* has a list of its lanes, in the order of their work:
//!
//! ```text
//!   job.first -> lane 7 -> lane 300 -> lane 12        all that lane 7 can still find is smaller than
//!                          (stolen    (stolen         anything in lane 300
//!                           last)      first)
//!
//!   lane 300 finds a solution      lane 12 and the stack of lane 300 are dropped; a later solution of lane 7 replaces this solution
//!   lane 7 is exhausted            lane 300 comes first; when the list is empty, the job ends
//! ```
//!
//! A job that still counts solutions can be in order too. Then, if lane 300 finds a solution, lane 300 and lane 12 are not dropped but
//! *beaten*: their further solutions count, but are not the smallest. When the count reaches the limit, the beaten lanes are dropped. If
//! lane 7, the first of the list, is then beaten too, the smallest solution is known, and the job ends.
//!
//! # The end of a batch
//! When few jobs are left, most lanes work on stolen parts of the search. If most branches succeed, most of this work is useless, because
//! other lanes find enough solutions first. Then the solver for single puzzles solves the last puzzles again from the start, which takes
//! less time. [`Scheduler::can_hand_over`] has the other conditions.
//!
//! # Depth of the stacks
//! Every row on a stack stands for one decision on the way to the lane's current row. A decision on a cell leaves one digit for this cell.
//! A decision on a configuration leaves one configuration for a digit in a band. Later decisions concern other cells and configurations. So
//! a stack holds at most 81 + 6 * 9 = 135 rows, even if rows were stolen from its bottom: 512 lanes * 135 rows * 64 bytes = 4.2 MiB. The
//! stacks only grow to the depth that is needed.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::BatchQuestion;
use super::branch::{resume, split_cell, split_configuration};
use super::grids::Grids;
use super::lane_rows::{LanePlace, LaneRow, bit_of_lane, cell_of_choice};
use super::state::{Allowed, LaneMask, PerLane, State};
use super::transpose::RowsOnDemand;
use crate::puzzle::Puzzle;
use crate::simd::{Simd, prefetch};
use crate::solver::{Answer, Known, MOST_DECISIONS, Outcome, Question, Solver, Status, nanoseconds};

/// The goal of a job or of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Counting solutions, up to the limit.
    Count,
    /// Finding the smallest solution: depth first, branching on the first open cell, digits ascending.
    Smallest,
    /// Nothing: the verdict is known, and lanes that still work on the job may stop.
    Closed,
    /// Nothing: the work of the lane no longer matters. A job never has this stage.
    Dropped,
}

/// A puzzle in progress.
#[derive(Clone, Copy, Debug)]
struct Job {
    puzzle: u32,
    entered_ns: u64,
    count: u64,
    nodes: u64,
    guesses: u64,
    /// Number of lanes that work on the job.
    lanes: u32,
    /// If the job is in order: the first lane of the job's list.
    first: u16,
    /// The candidate that is removed from the puzzle (see [`Known::Digit`]), as an index into [`Allowed`]; otherwise `NONE`.
    removed: u16,
    stage: Stage,
    /// Whether the job is *in order*: no lane has branched on a configuration in this search, so the lanes form a list. If the smallest
    /// solution is requested, this means that the lanes took all alternatives in order, and the list has the order of their work (see the
    /// module documentation). If any solution is enough, the list has no use.
    in_order: bool,
}

/// The work of a lane: its job, its goal (`stage`), and the used part of its stack.
#[derive(Clone, Copy, Debug)]
struct Lane {
    job: u16,
    /// If the job is in order (see [`Job::in_order`]): the lane's neighbours in the job's list.
    before: u16,
    after: u16,
    stage: Stage,
    /// If the job is in order (see [`Job::in_order`]): whether all solutions that the lane can still find are larger than a solution
    /// already found.
    is_beaten: bool,
    bottom: u16,
    top: u16,
}

/// Number of places by which the prefetched known solutions are ahead of the current puzzle.
const AHEAD: usize = 8;

/// Largest number of jobs that are handed over to the solver for single puzzles at the end of a batch.
const HANDED_OVER: usize = 64;

/// Stands for no lane, or for no job.
const NONE: u16 = u16::MAX;
const IDLE: Lane =
    Lane { job: NONE, before: NONE, after: NONE, stage: Stage::Closed, is_beaten: false, bottom: 0, top: 0 };
const NO_JOB: Job = Job {
    puzzle: 0,
    entered_ns: 0,
    count: 0,
    nodes: 0,
    guesses: 0,
    lanes: 0,
    first: NONE,
    removed: NONE,
    stage: Stage::Closed,
    in_order: true,
};

/// Memory that is reused from batch to batch.
pub(super) struct Memory<const N: usize> {
    lanes: Box<PerLane<Lane, N>>,
    jobs: Box<PerLane<Job, N>>,
    free: Vec<u16>,
    stack: Vec<LaneRow>,
}

impl<const N: usize> Memory<N> {
    pub(super) fn new() -> Memory<N> {
        Memory {
            lanes: Box::new(PerLane([[IDLE; 64]; N])),
            jobs: Box::new(PerLane([[NO_JOB; 64]; N])),
            free: Vec::new(),
            stack: Vec::new(),
        }
    }
}

/// Which lanes have work, and where the next work comes from.
#[derive(Clone, Copy)]
pub(super) struct LaneWork<const N: usize> {
    /// Position in `order` of the next puzzle that a lane will get.
    next: usize,
    /// The lane where the next search for work to steal starts.
    victim: usize,
    /// Whether a search for work to steal has failed since the last branch.
    nothing_to_steal: bool,
    /// The lanes that have work. The lanes in `smallest` are those among them that search for the smallest solution.
    pub(super) occupied: LaneMask<N>,
    smallest: LaneMask<N>,
    /// If the smallest solution is requested: the lanes that count solutions and have so far taken their alternatives in order. A lane that
    /// is about to branch out of order leaves this set first. Its job is no longer in order (`Job::in_order`) once the lane has branched.
    /// So if a job is in order and still counts, this set has all its lanes, except lanes that will branch out of order later in the same
    /// round.
    in_order: LaneMask<N>,
}

impl<const N: usize> LaneWork<N> {
    const NONE: LaneWork<N> = LaneWork {
        next: 0,
        victim: 0,
        nothing_to_steal: false,
        occupied: [0; N],
        smallest: [0; N],
        in_order: [0; N],
    };
}

/// A batch in progress.
pub(super) struct Scheduler<'b, S: Simd<N>, const N: usize> {
    simd: S,
    question: &'b Question,
    max_ns: u64,
    max_nodes: u64,
    puzzles: &'b [Puzzle],
    /// The indices of the puzzles, in the order in which they enter the lanes.
    order: &'b [u32],
    /// The indices of the puzzles that have ended since the call began. The list is not needed, and stays empty, if all puzzles must end in
    /// one call.
    ended: &'b mut Vec<u32>,
    /// The number of ended puzzles that ends the call: see [`BatchQuestion::enough`].
    enough: usize,
    /// For each puzzle, the solutions that the search ignores; empty if every solution counts.
    known: &'b [Known],
    /// For each lane, the candidates that its puzzle may use: all, except the candidate of a [`Known::Digit`]. Before and after a batch,
    /// everything is allowed.
    allowed: &'b mut Allowed<N>,
    grids: &'b mut Grids<S, N>,
    outcomes: &'b mut [Outcome],
    lanes: &'b mut PerLane<Lane, N>,
    jobs: &'b mut PerLane<Job, N>,
    /// Indices of the unused entries of `jobs`.
    free: &'b mut Vec<u16>,
    /// Row `depth * LANES + lane` is the lane's alternative at that depth.
    stack: &'b mut Vec<LaneRow>,
    /// The time at the start of the round's work on the lanes, in nanoseconds since the start of the batch.
    now_ns: u64,
    pub(super) work: LaneWork<N>,
}

impl<'b, S: Simd<N>, const N: usize> Scheduler<'b, S, N> {
    pub(super) const LANES: usize = 64 * N;

    /// Continues the previous batch if `continued` has the work of its lanes. Otherwise starts a batch; no lane has work yet.
    pub(super) fn open(
        simd: S,
        (memory, allowed, grids): (&'b mut Memory<N>, &'b mut Allowed<N>, &'b mut Grids<S, N>),
        &BatchQuestion { puzzles, question, known, order, enough, .. }: &BatchQuestion<'b>,
        (outcomes, ended): (&'b mut [Outcome], &'b mut Vec<u32>),
        continued: Option<LaneWork<N>>,
    ) -> Scheduler<'b, S, N> {
        let Memory { lanes, jobs, free, stack } = memory;
        if continued.is_none() {
            grids.clear();
            lanes.fill(IDLE);
            jobs.fill(NO_JOB);
            free.clear();
            free.extend((0..Self::LANES as u16).rev());
        }
        let max_ns = question.max_time.map_or(u64::MAX, nanoseconds);
        Scheduler {
            simd,
            question,
            max_ns,
            max_nodes: question.max_nodes.unwrap_or(u64::MAX),
            puzzles,
            order,
            ended,
            enough,
            known,
            allowed,
            grids,
            outcomes,
            lanes,
            jobs,
            free,
            stack,
            now_ns: 0,
            work: continued.unwrap_or(LaneWork::NONE),
        }
    }

    /// Returns the candidates that are allowed in each lane; `None` if there are no known solutions to ignore, so that everything is
    /// allowed.
    pub(super) fn allowed(&self) -> Option<&Allowed<N>> {
        (!self.known.is_empty()).then_some(&*self.allowed)
    }

    /// Starts the work of a round. `now_ns` is the time since the start of the batch, and `solved` is the number of solved lanes.
    pub(super) fn start_round(&mut self, now_ns: u64, solved: u32) {
        self.now_ns = now_ns;
        self.grids.start_round(solved as usize, (self.work.next, self.order.len()), self.outcomes);
    }

    /// Ends the work of a round. `state` must not have changed since [`Scheduler::start_round`].
    pub(super) fn end_round(&mut self, state: &State<S::Word>) {
        self.grids.end_round(state, self.outcomes);
    }

    pub(super) fn write_entered(&mut self, state: &mut State<S::Word>) {
        self.grids.write_entered(self.puzzles, state);
    }

    /// Splits a lane's part of the search into two alternatives: one stays in the lane's [`LaneRow`], the other is pushed onto the lane's
    /// stack. Returns false if the lane must not continue (see [`Scheduler::may_place`]) or its row is a contradiction.
    #[inline(always)]
    pub(super) fn branch(&mut self, rows: &mut RowsOnDemand<'_, S, N>, lane: usize, on_cell: bool) -> bool {
        let Lane { job, top, .. } = self.lanes[lane];
        if !self.may_place(lane) {
            return false;
        }
        let entry = &mut self.jobs[usize::from(job)];
        entry.guesses += 1;
        // If the smallest solution is requested and the job is in order, a lane that branches on a cell takes its first open cell, which keeps
        // the order. A branch on a configuration breaks the order.
        entry.in_order &= on_cell;
        let place = LanePlace::from_lane::<N>(lane);
        let slot = usize::from(top) * Self::LANES + lane;
        if slot >= self.stack.len() {
            self.deepen();
        }
        let rest = &mut self.stack[slot];
        let rows = rows.lanes();
        if on_cell {
            let (cell, digits) = cell_of_choice(rows.choice(place));
            split_cell(rows, place, rest, cell, digits);
        } else if !split_configuration(rows, place, rest) {
            return false;
        }
        self.lanes[lane].top += 1;
        self.work.nothing_to_steal = false;
        true
    }

    /// Makes room for one more alternative per lane.
    #[cold]
    #[inline(never)]
    fn deepen(&mut self) {
        debug_assert!(
            self.stack.len() < MOST_DECISIONS * Self::LANES,
            "no decision is made twice between the clues and a solution"
        );
        // The stack doesn't grow by doubling, because at full depth this could take twice the memory.
        self.stack.reserve_exact(Self::LANES);
        self.stack.resize(self.stack.len() + Self::LANES, LaneRow::FULL);
    }

    /// Counts one alternative that a lane is about to try. Returns false if the lane and its job are not in the same stage: the job is over
    /// or has started its second search, or the lane's part of the search was dropped. If a limit is reached, aborts the job and returns
    /// false.
    #[inline(always)]
    fn may_place(&mut self, lane: usize) -> bool {
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

    /// Handles a lane that has found a solution. Returns true if the lane has already been given another state to search.
    #[inline(always)]
    pub(super) fn solved(&mut self, rows: &mut RowsOnDemand<'_, S, N>, lane: usize) -> bool {
        let Lane { job, stage, bottom, top, .. } = self.lanes[lane];
        let entry = self.jobs[usize::from(job)];
        if entry.stage != stage {
            return false;
        }
        if entry.removed == NONE
            && let Some(Known::Solution(known)) = self.known.get(entry.puzzle as usize)
            && rows.lanes().row(LanePlace::from_lane::<N>(lane)).holds(self.simd, known)
        {
            return false;
        }
        let any_will_do = self.question.answer == Answer::First;
        let is_wanted = entry.removed == NONE;
        if is_wanted && (entry.count == 0 || !any_will_do) {
            let replaces = stage == Stage::Smallest || entry.count == 0;
            self.grids.keep(rows, self.outcomes, (lane, entry.puzzle as usize, replaces));
        }
        if stage == Stage::Smallest {
            self.jobs[usize::from(job)].count = entry.count.max(1);
            self.stop_after(lane);
            return false;
        }
        self.jobs[usize::from(job)].count += 1;
        let is_below_limit = entry.count + 1 < self.question.max_solutions.get();
        if is_below_limit && entry.lanes == 1 && bottom == top {
            return false;
        }
        if self.needs_second_search(lane) {
            self.search_in_order(rows, lane);
            return true;
        }
        false
    }

    /// Decides how a job continues after a lane has found and counted a solution. Called if the limit is reached, or if the job still has
    /// something to search. Returns whether a second search is needed to find the smallest solution.
    #[inline(never)]
    fn needs_second_search(&mut self, lane: usize) -> bool {
        let Lane { job, bottom, top, .. } = self.lanes[lane];
        let Job { count, lanes, first, in_order, .. } = self.jobs[usize::from(job)];
        if in_order && self.question.answer == Answer::Smallest {
            self.beat_after(lane);
        }
        if count < self.question.max_solutions.get() {
            return false;
        }
        let is_last_work = lanes == 1 && bottom == top;
        let is_smallest_known = is_last_work || in_order && self.lanes[usize::from(first)].is_beaten;
        if self.question.answer == Answer::First || is_smallest_known {
            self.close_counted(job);
            return false;
        }
        !(in_order && self.drop_beaten(job))
    }

    /// Switches a job to the search for its smallest solution. All lanes of the job drop their work, and this lane starts again from the
    /// puzzle.
    #[inline(always)]
    fn search_in_order(&mut self, rows: &mut RowsOnDemand<'_, S, N>, lane: usize) {
        let job = self.lanes[lane].job;
        let entry = &mut self.jobs[usize::from(job)];
        entry.stage = Stage::Smallest;
        entry.first = lane as u16;
        entry.in_order = true;
        let puzzle = &self.puzzles[entry.puzzle as usize];
        self.lanes[lane] = Lane { job, stage: Stage::Smallest, ..IDLE };
        self.mark(lane, Stage::Smallest);
        rows.lanes().set_row(LanePlace::from_lane::<N>(lane), &LaneRow::from_puzzle(self.simd, puzzle));
    }
}

/// Gives lanes their next rows and ends jobs.
impl<S: Simd<N>, const N: usize> Scheduler<'_, S, N> {
    /// Gives a lane a new row: from its own stack, from the next puzzle, or from the stack of another lane. If there is no work for the
    /// lane, the lane becomes idle.
    #[inline(always)]
    pub(super) fn refill(&mut self, rows: &mut RowsOnDemand<'_, S, N>, lane: usize) {
        let place = LanePlace::from_lane::<N>(lane);
        if self.pop(rows, lane, place) {
            return;
        }
        self.leave(lane);
        if !self.enter(rows, lane) && !self.steal(rows, lane, place) {
            rows.lanes().set_row(place, &LaneRow::FULL);
        }
    }

    /// Resumes the topmost alternative of a lane's own stack. Returns false if the stack is empty, or if the lane must not continue (see
    /// [`Scheduler::may_place`]).
    #[inline(always)]
    fn pop(&mut self, rows: &mut RowsOnDemand<'_, S, N>, lane: usize, place: LanePlace) -> bool {
        let Lane { bottom, top, .. } = self.lanes[lane];
        if bottom == top || !self.may_place(lane) {
            return false;
        }
        let slot = (usize::from(top) - 1) * Self::LANES + lane;
        if resume(rows.lanes(), place, &mut self.stack[slot]) {
            self.lanes[lane].top = top - 1;
        }
        true
    }

    /// Removes a lane from its job. The job ends when its last lane leaves.
    #[inline(always)]
    fn leave(&mut self, lane: usize) {
        let Lane { job, stage, .. } = self.lanes[lane];
        if job == NONE {
            return;
        }
        let entry = &mut self.jobs[usize::from(job)];
        let others = entry.lanes - 1;
        entry.lanes = others;
        if others > 0 && entry.in_order && entry.stage == stage {
            self.unlink(lane);
        }
        self.strike(lane, false);
        self.lanes[lane] = IDLE;
        if others == 0 {
            if self.jobs[usize::from(job)].stage != Stage::Closed {
                self.close_counted(job);
            }
            if self.enough != usize::MAX {
                self.list_ended(job);
            }
            self.free.push(job);
        }
        self.unmark(lane);
    }

    /// Appends the puzzle of a job to the list of the ended ones. A function of its own, because a push makes the work on all lanes slower.
    #[inline(never)]
    fn list_ended(&mut self, job: u16) {
        self.ended.push(self.jobs[usize::from(job)].puzzle);
    }

    /// Gives a lane the next puzzle of the batch. Returns false if no puzzle is left or no job is free.
    #[inline(always)]
    fn enter(&mut self, rows: &mut RowsOnDemand<'_, S, N>, lane: usize) -> bool {
        let Some(&puzzle) = self.order.get(self.work.next) else { return false };
        let Some(job) = self.free.pop() else { return false };
        let ordered = self.question.max_solutions.get() == 1 && self.question.answer == Answer::Smallest;
        let stage = if ordered { Stage::Smallest } else { Stage::Count };
        let position = self.work.next;
        let removed = if self.known.is_empty() { NONE } else { self.removed_candidate(position) };
        let entered_ns = self.now_ns;
        self.jobs[usize::from(job)] =
            Job { puzzle, entered_ns, lanes: 1, first: lane as u16, removed, stage, ..NO_JOB };
        prefetch(&self.outcomes[puzzle as usize]);
        self.work.next += 1;
        self.join(lane, job, stage);
        if stage == Stage::Count && self.question.answer == Answer::Smallest {
            let (at, bit) = bit_of_lane::<N>(lane);
            self.work.in_order[at] |= bit;
        }
        self.grids.enter(rows, (self.puzzles, self.order), (position, puzzle as usize, lane));
        true
    }

    /// Returns the candidate that is removed from the puzzle at this position of `order`: see [`Job::removed`].
    #[inline(always)]
    fn removed_candidate(&self, position: usize) -> u16 {
        let known = |position: usize| self.known.get(*self.order.get(position)? as usize);
        if let Some(ahead) = known(position + AHEAD) {
            prefetch(ahead);
        }
        match known(position).and_then(Known::excluded_candidate) {
            Some((cell, digit)) => Allowed::<N>::index(cell, digit),
            None => NONE,
        }
    }

    /// Steals the bottom alternative of another lane's stack, which is usually the largest part of that lane's work. Returns false if no
    /// lane has an alternative to spare.
    #[inline(always)]
    fn steal(&mut self, rows: &mut RowsOnDemand<'_, S, N>, lane: usize, place: LanePlace) -> bool {
        while !self.work.nothing_to_steal {
            let Some(victim) = self.find_victim() else {
                self.work.nothing_to_steal = true;
                return false;
            };
            self.work.victim = (victim + 1) % Self::LANES;
            if !self.may_place(victim) {
                continue;
            }
            let Lane { job, stage, bottom, .. } = self.lanes[victim];
            self.lanes[victim].bottom += 1;
            self.jobs[usize::from(job)].lanes += 1;
            self.join(lane, job, stage);
            if self.jobs[usize::from(job)].in_order {
                self.link(lane, victim);
            }
            let mut rest = self.stack[usize::from(bottom) * Self::LANES + victim];
            if !resume(rows.lanes(), place, &mut rest) {
                self.stack[lane] = rest;
                self.lanes[lane].top = 1;
            }
            return true;
        }
        false
    }

    /// Returns the first lane with alternatives to spare, or `None`. The search starts at the lane `self.work.victim`.
    fn find_victim(&self) -> Option<usize> {
        let can_spare = |&victim: &usize| {
            let Lane { job, stage, bottom, top, .. } = self.lanes[victim];
            bottom < top && stage == self.jobs[usize::from(job)].stage && stage != Stage::Closed
        };
        (self.work.victim..Self::LANES).chain(0..self.work.victim).find(can_spare)
    }

    /// Assigns an idle lane to a job.
    #[inline(always)]
    fn join(&mut self, lane: usize, job: u16, stage: Stage) {
        self.lanes[lane] = Lane { job, stage, ..IDLE };
        self.mark(lane, stage);
        self.strike(lane, true);
    }

    /// If `known` excludes a candidate for the lane's puzzle: forbids this candidate in the lane if `is_struck`, otherwise allows it again.
    #[inline(always)]
    fn strike(&mut self, lane: usize, is_struck: bool) {
        if self.known.is_empty() {
            return;
        }
        let candidate = self.jobs[usize::from(self.lanes[lane].job)].removed;
        if candidate != NONE {
            let (at, bit) = bit_of_lane::<N>(lane);
            let lanes = &mut self.allowed.lanes_mut(candidate)[at];
            *lanes = if is_struck { *lanes & !bit } else { *lanes | bit };
        }
    }

    /// Marks a lane as occupied. If it searches for the smallest solution, also marks it in `smallest`.
    #[inline(always)]
    fn mark(&mut self, lane: usize, stage: Stage) {
        let (at, bit) = bit_of_lane::<N>(lane);
        self.work.occupied[at] |= bit;
        if stage == Stage::Smallest {
            self.work.smallest[at] |= bit;
        }
    }

    #[inline(always)]
    fn unmark(&mut self, lane: usize) {
        let (at, bit) = bit_of_lane::<N>(lane);
        self.work.occupied[at] &= !bit;
        self.work.smallest[at] &= !bit;
        self.work.in_order[at] &= !bit;
    }

    /// Ends a job whose count is final: the limit is reached, or nothing is left to try.
    #[inline(always)]
    fn close_counted(&mut self, job: u16) {
        let count = self.jobs[usize::from(job)].count;
        self.close(job, Status::from_count(self.question, count));
    }

    /// Ends a job with this verdict. If there is a solution to report, it is already in the outcome, or `grids` will write it there later.
    #[inline(always)]
    fn close(&mut self, job: u16, status: Status) {
        let job = &mut self.jobs[usize::from(job)];
        job.stage = Stage::Closed;
        let outcome = &mut self.outcomes[job.puzzle as usize];
        if matches!(status, Status::Unsolvable | Status::Aborted) {
            outcome.solution = None;
            self.grids.drop_waiting(job.puzzle as usize);
        }
        outcome.status = status;
        outcome.count = job.count;
        outcome.nodes = job.nodes;
        outcome.guesses = job.guesses;
        outcome.elapsed_ns = self.now_ns - job.entered_ns;
    }

    /// Returns whether enough puzzles have ended for this call.
    pub(super) fn has_enough(&self) -> bool {
        self.ended.len() >= self.enough
    }

    /// Writes the remaining solutions to their outcomes.
    pub(super) fn finish(&mut self) {
        self.grids.deliver_rows(self.outcomes);
    }

    /// Returns whether the last puzzles can be handed over to the solver for single puzzles: only a few puzzles are left, at most two
    /// solutions are requested, and the question has no limit of nodes or time and no solutions to ignore.
    pub(super) fn can_hand_over(&self) -> bool {
        let Question { max_solutions, max_nodes, max_time, .. } = self.question;
        self.work.next == self.order.len()
            && Self::LANES - self.free.len() <= HANDED_OVER
            && max_solutions.get() <= 2
            && max_nodes.is_none()
            && max_time.is_none()
            && self.known.is_empty()
    }

    /// Ends the batch: `solver` solves the puzzles that have no verdict yet. The counters of an outcome include the work that the lanes have
    /// done. If the cancel flag becomes true, aborts the remaining puzzles.
    #[cold]
    #[inline(never)]
    pub(super) fn hand_over(&mut self, solver: &mut impl Solver, started: Instant) {
        self.finish();
        for at in 0..self.jobs.len() {
            let job = self.jobs[at];
            if job.stage == Stage::Closed {
                continue;
            }
            if self.question.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return self.abort_all();
            }
            self.jobs[at].stage = Stage::Closed;
            let outcome = &mut self.outcomes[job.puzzle as usize];
            *outcome = solver.solve(&self.puzzles[job.puzzle as usize], self.question);
            outcome.nodes += job.nodes;
            outcome.guesses += job.guesses;
            outcome.elapsed_ns = nanoseconds(started.elapsed()).saturating_sub(job.entered_ns);
        }
    }

    /// Aborts every puzzle that has no verdict yet.
    pub(super) fn abort_all(&mut self) {
        for job in 0..self.jobs.len() {
            if self.jobs[job].stage != Stage::Closed {
                self.close(job as u16, Status::Aborted);
            }
        }
        for lane in 0..Self::LANES {
            if self.lanes[lane].job != NONE {
                self.strike(lane, false);
            }
        }
        for &puzzle in &self.order[self.work.next..] {
            self.outcomes[puzzle as usize] = Outcome::ABORTED;
        }
        self.finish();
    }
}

/// Decides which lanes must branch in order, and keeps the lists of lanes. See "The smallest solution" in the module documentation.
impl<S: Simd<N>, const N: usize> Scheduler<'_, S, N> {
    /// Returns the lanes that must branch on their first open cell, so that they take the alternatives in order: the lanes in `smallest`
    /// and, if `eagerly`, the lanes in `in_order`. If not `eagerly`, the `open` lanes that count solutions are about to branch on
    /// configurations, so they are removed from `in_order`.
    ///
    /// A search for the smallest solution must take the alternatives in order. A search that counts solutions takes them in order only if
    /// most branches succeed, that is, if `eagerly`. Then the order costs little, and it can make the second search unnecessary.
    pub(super) fn takes_first_cell(&mut self, open: &LaneMask<N>, eagerly: bool) -> LaneMask<N> {
        let mut first_cell = self.work.smallest;
        for at in 0..N {
            if eagerly {
                first_cell[at] |= self.work.in_order[at];
            } else {
                self.work.in_order[at] &= !open[at];
            }
        }
        first_cell
    }

    fn clear_in_order(&mut self, lane: usize) {
        let (at, bit) = bit_of_lane::<N>(lane);
        self.work.in_order[at] &= !bit;
    }

    /// Adds a lane to its job's list, directly after the lane whose work it has stolen.
    #[cold]
    #[inline(never)]
    fn link(&mut self, lane: usize, victim: usize) {
        let Lane { stage, after, is_beaten, .. } = self.lanes[victim];
        self.lanes[victim].after = lane as u16;
        if let Some(next) = self.lanes.get_mut(usize::from(after)) {
            next.before = lane as u16;
        }
        let thief = &mut self.lanes[lane];
        (thief.before, thief.after, thief.is_beaten) = (victim as u16, after, is_beaten);
        if stage == Stage::Count && self.question.answer == Answer::Smallest {
            let (at, bit) = bit_of_lane::<N>(lane);
            self.work.in_order[at] |= bit;
        }
    }

    /// Marks a lane that has found a solution, and all lanes after it, as beaten (see [`Lane::is_beaten`]): all their further solutions are
    /// larger than this solution.
    fn beat_after(&mut self, lane: usize) {
        let mut next = lane as u16;
        // The loop ends at the first beaten lane, because all lanes after this lane are beaten too.
        while let Some(lane) = self.lanes.get_mut(usize::from(next)).filter(|lane| !lane.is_beaten) {
            lane.is_beaten = true;
            next = lane.after;
        }
    }

    /// Switches a job from counting to the search for its smallest solution, and returns true. The lanes that are not beaten continue, and
    /// the beaten lanes drop their work. If a lane that would continue is about to branch out of order, changes nothing and returns false.
    ///
    /// The job must be *in order* (see the module documentation), and the first lane of its list must not be beaten.
    #[cold]
    #[inline(never)]
    fn drop_beaten(&mut self, job: u16) -> bool {
        let mut next = self.jobs[usize::from(job)].first;
        while let Some(lane) = self.lanes.get(usize::from(next)).filter(|lane| !lane.is_beaten) {
            let (at, bit) = bit_of_lane::<N>(usize::from(next));
            if self.work.in_order[at] & bit == 0 {
                return false;
            }
            next = lane.after;
        }
        let entry = &mut self.jobs[usize::from(job)];
        entry.stage = Stage::Smallest;
        let mut next = entry.first;
        while next != NONE {
            let lane = usize::from(next);
            self.clear_in_order(lane);
            let Lane { after, is_beaten, .. } = self.lanes[lane];
            if is_beaten {
                self.lanes[lane].stage = Stage::Dropped;
            } else {
                self.lanes[lane].stage = Stage::Smallest;
                self.mark(lane, Stage::Smallest);
                if self.lanes.get(usize::from(after)).is_some_and(|after| after.is_beaten) {
                    self.lanes[lane].after = NONE;
                }
            }
            next = after;
        }
        true
    }

    /// Drops all work that comes after the current row of a lane: the stack of the lane, and the lanes that come later in the job's list.
    /// If the lane is the first in the list, ends the job.
    #[cold]
    fn stop_after(&mut self, lane: usize) {
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

    /// Removes a lane from its job's list, which exists only if the job is *in order* (see [`Job::in_order`]).
    #[cold]
    #[inline(never)]
    fn unlink(&mut self, lane: usize) {
        let Lane { job, before, after, .. } = self.lanes[lane];
        match self.lanes.get_mut(usize::from(before)) {
            Some(before) => before.after = after,
            None => self.jobs[usize::from(job)].first = after,
        }
        if let Some(next) = self.lanes.get_mut(usize::from(after)) {
            next.before = before;
        }
    }
}
