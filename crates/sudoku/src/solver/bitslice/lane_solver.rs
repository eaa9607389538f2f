//! The rounds of the solver. Each round infers, chooses where to branch, and gives the lanes their work. A lane's *row* is the state of the
//! lane as consecutive bits (see `lane_rows.rs`). If some lane needs its row for this work, the round transposes the state to rows, and
//! transposes the rows back afterwards.
//!
//! The earlier rounds decide whether a round branches **eagerly**. If a puzzle has one solution, most branches fail. If it has many
//! solutions, hardly any branch fails, so inference to avoid branches is a waste of time. So if few branches failed in earlier rounds, all
//! lanes branch eagerly: on cells, after two passes, even if the lanes still change.
//!
//! An unsolved lane that no longer changes waits for the triple rule, and branches if the pass after the rule changes nothing in the lane.
//! The rule is applied when enough lanes wait for it. If nearly all other lanes hold puzzles that need no guess, a lane could wait until
//! the batch ends. So the rule is also applied after a fixed number of passes without the rule.
//!
//! Most passes make no report of the contradictory, unsolved and changed lanes. A report is useless in a pass that will probably not end
//! the round. If earlier rounds predict how many passes come before the triple rule, reports are useless in these passes, too.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::choose::{ChooseCell, ChooseConfiguration};
use super::grids::Grids;
use super::lane_rows::{BLOCKS, LaneRows, lanes_of_block};
use super::pass::{pass, pass_without_report};
use super::scheduler::{LaneWork, Memory, Scheduler};
use super::state::{Allowed, LaneMask, Report, State};
use super::transpose::{BlocksOfState, RowsOnDemand, StateOfBlocks, Turn};
use super::triple::triple;
use super::{Batch, BatchQuestion, Part};
use crate::simd::{Kernel, Simd, Word};
use crate::solver::{Bitboard, Outcome, nanoseconds};

/// After this number of passes, a round applies the triple rule, runs one last pass and ends, even if lanes still change.
const MOST_PASSES: u32 = 40;

/// A batch solver for `64 * N` lanes.
pub(super) struct LaneSolver<S: Simd<N>, const N: usize> {
    simd: S,
    state: Box<State<S::Word>>,
    rows: Box<LaneRows<N>>,
    allowed: Box<Allowed<N>>,
    grids: Grids<S, N>,
    memory: Memory<N>,
    /// If the previous call ended before its batch: the data that the next call needs to continue it.
    suspended: Option<Suspended<N>>,
    /// Solves the last puzzles of some batches: see [`Scheduler::can_hand_over`].
    board: Bitboard,
}

/// The data that a call needs to continue a batch, besides the other fields of [`LaneSolver`].
struct Suspended<const N: usize> {
    started: Instant,
    strategy: Strategy,
    work: LaneWork<N>,
    have_rows: bool,
}

/// The results of a pass, with the fields of [`Report`] as lane masks. If the triple rule was applied before the pass, `bad` also has the
/// lanes with a contradiction found by this rule. [`infer`] adds to `changed` the lanes that wait for the triple rule.
struct Observed<const N: usize> {
    bad: LaneMask<N>,
    unsolved: LaneMask<N>,
    changed: LaneMask<N>,
}

impl<const N: usize> Observed<N> {
    fn new<W: Word<Bits = [u64; N]>>(report: Report<W>) -> Observed<N> {
        let Report { bad, unsolved, changed } = report;
        Observed { bad: bad.bits(), unsolved: unsolved.bits(), changed: changed.bits() }
    }
}

/// If the sum of `branches` and `failures` is larger than this number, both are halved. So recent rounds count more than early rounds.
const FORGET: u64 = 40_000;

/// After this number of passes without the triple rule, the next round that is not eager starts with the rule, even if few lanes wait for
/// it. This number of passes takes a fraction of a millisecond.
const PASSES_WITHOUT_TRIPLES: u32 = 32;

/// Number of rounds that use the same prediction, which says after how many passes the triple rule is needed. The next round measures
/// again after how many passes the rule is needed.
const ROUNDS_FORETOLD: u32 = 7;

/// Counters of the rounds so far, and the decisions that follow from them.
struct Strategy {
    branches: u64,
    failures: u64,
    eager: bool,
    passes_without_triples: u32,
    /// The number of passes that [`Strategy::note_passes`] last recorded.
    last_passes: u32,
    /// Number of passes before the triple rule, in the last two rounds that measured this number, the earlier round first; `None` if a
    /// round did not use the rule.
    before_triples: [Option<u32>; 2],
    /// Number of rounds since a round last measured the number of passes before the triple rule.
    foretold: u32,
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy {
            branches: 64,
            failures: 64,
            eager: false,
            passes_without_triples: 0,
            last_passes: 0,
            before_triples: [None; 2],
            foretold: 0,
        }
    }
}

impl Strategy {
    /// Decides whether the round that starts now branches eagerly.
    fn start_round(&mut self) {
        self.eager = self.failures * 5 < self.branches * 2;
        if self.branches + self.failures > FORGET {
            self.branches = self.branches / 2 + 1;
            self.failures = self.failures / 2 + 1;
        }
    }

    fn is_eager(&self) -> bool {
        self.eager
    }

    /// Returns how a round begins: the number of passes without a report, and whether the triple rule follows them.
    fn start_passes(&mut self) -> (u32, bool) {
        self.foretold += 1;
        if self.passes_without_triples >= PASSES_WITHOUT_TRIPLES {
            return (0, true);
        }
        if let [Some(before), Some(last)] = self.before_triples
            && self.foretold <= ROUNDS_FORETOLD
        {
            return (before.min(last), true);
        }
        self.foretold = 0;
        // In the previous round, no report before the last pass was useful. So the first passes of this round make no reports. They are
        // fewer than half of the passes of the previous round, so that the solver notices if rounds become shorter.
        (self.last_passes.saturating_sub(1) / 2, false)
    }

    /// Records the number of passes of a round, and the number of passes before the triple rule.
    fn note_passes(&mut self, passes: u32, before_triples: Option<u32>) {
        self.last_passes = passes;
        if self.foretold == 0 {
            self.before_triples = [self.before_triples[1], before_triples];
        }
    }

    /// Counts a pass. `with_triples` is whether the triple rule was applied before the pass.
    fn note_pass(&mut self, with_triples: bool) {
        self.passes_without_triples = if with_triples { 0 } else { self.passes_without_triples + 1 };
    }

    /// Counts the branches and failures of a round.
    fn note_round<const N: usize>(
        &mut self,
        open: &LaneMask<N>,
        report: &Observed<N>,
        occupied: &LaneMask<N>,
    ) {
        self.branches += u64::from(ones(open));
        for at in 0..N {
            self.failures += u64::from((report.bad[at] & occupied[at]).count_ones());
        }
    }
}

/// The lanes sorted by what they need at the end of a round.
struct SortedLanes<const N: usize> {
    /// Lanes that must branch.
    open: LaneMask<N>,
    /// Lanes whose rows are solutions.
    solved: LaneMask<N>,
    /// Lanes that need a new row: contradictory, solved or idle.
    spent: LaneMask<N>,
}

impl<const N: usize> SortedLanes<N> {
    /// The initial state: every lane needs a row.
    fn all_spent() -> SortedLanes<N> {
        SortedLanes { open: [0; N], solved: [0; N], spent: [!0; N] }
    }
}

impl<S: Simd<N>, const N: usize> LaneSolver<S, N> {
    pub(super) fn new(simd: S) -> LaneSolver<S, N> {
        LaneSolver {
            simd,
            state: State::new(simd.ones()),
            rows: LaneRows::new(),
            allowed: Allowed::new(),
            grids: Grids::new(simd),
            memory: Memory::new(),
            suspended: None,
            board: Bitboard::from_simd(simd),
        }
    }
}

impl<S: Simd<N>, const N: usize> Batch for LaneSolver<S, N> {
    fn run_part(&mut self, part: Part) {
        let LaneSolver { simd, state, rows, .. } = self;
        let simd = *simd;
        match part {
            Part::Pass => {
                pass(simd, state, None, simd.zero());
            }
            Part::Triple => {
                triple(simd, state);
            }
            Part::Choose => simd.call(ChooseConfiguration { zero: simd.zero(), state }),
            Part::ToBlocks => simd.call(BlocksOfState { simd, state, rows }),
            Part::Turn => simd.call(Turn { simd, blocks: rows.blocks_mut() }),
            Part::FromBlocks => simd.call(StateOfBlocks { simd, rows, state }),
        }
    }

    fn solve(&mut self, batch: &BatchQuestion<'_>, outcomes: &mut [Outcome], ended: &mut Vec<u32>) {
        let LaneSolver { simd, state, rows, allowed, grids, memory, suspended, board } = self;
        let simd = *simd;
        let before = match suspended.take() {
            Some(_) if !batch.continues => {
                // The previous batch was given up, so its lanes have not allowed their candidates again.
                allowed.allow_all();
                None
            }
            before => before,
        };
        debug_assert!(before.is_some() || !batch.continues, "only the previous batch can be continued");
        let work = before.as_ref().map(|before| before.work);
        let mut scheduler =
            Scheduler::<S, N>::open(simd, (memory, allowed, grids), batch, (outcomes, ended), work);
        let (started, mut strategy, mut have_rows) = match before {
            Some(Suspended { started, strategy, have_rows, .. }) => (started, strategy, have_rows),
            None => {
                let sorted = SortedLanes::all_spent();
                scheduler.start_round(0, 0);
                let rows = RowsOnDemand::new(simd, state, rows);
                let work = Work { scheduler: &mut scheduler, rows, sorted, on_cell: [0; N] };
                (Instant::now(), Strategy::default(), simd.call(work))
            }
        };
        while scheduler.work.occupied != [0; N] {
            if scheduler.has_enough() {
                *suspended = Some(Suspended { started, strategy, work: scheduler.work, have_rows });
                break;
            }
            if have_rows {
                simd.call(StateOfBlocks { simd, rows, state });
            }
            scheduler.write_entered(state);
            strategy.start_round();
            if strategy.is_eager() && scheduler.can_hand_over() {
                return scheduler.hand_over(board, started);
            }
            let report = infer(simd, (state, scheduler.allowed()), &mut strategy, &scheduler.work.occupied);
            let mut sorted = sort_lanes(&report, &scheduler.work.occupied, strategy.is_eager());
            strategy.note_round(&sorted.open, &report, &scheduler.work.occupied);
            let first_cell = scheduler.takes_first_cell(&sorted.open, strategy.is_eager());
            let on_cell =
                choose(simd, state, &mut sorted, (strategy.is_eager(), &report.changed), &first_cell);
            scheduler.start_round(nanoseconds(started.elapsed()), ones(&sorted.solved));
            if batch.question.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return scheduler.abort_all();
            }
            let of_state = RowsOnDemand::new(simd, state, rows);
            have_rows = simd.call(Work { scheduler: &mut scheduler, rows: of_state, sorted, on_cell });
            scheduler.end_round(state);
        }
        scheduler.finish();
    }
}

/// Runs passes until enough lanes have settled: about half of all lanes, or 7/8 of the occupied lanes if that number is smaller. A lane has
/// settled if it is contradictory, if it is solved and the last pass did not change it, or if even the pass after the triple rule did not
/// change it. Stops in any case after about [`MOST_PASSES`] passes. If the round branches eagerly, runs exactly two passes.
///
/// The triple rule costs half a pass, and finds little in lanes that still change without the rule. So the rule is applied only when enough
/// lanes no longer change and would have to branch, or when a few such lanes have waited long enough. A lane in which the rule removed
/// something counts as settled if the next pass changes nothing, because a second application would hardly find more.
fn infer<S: Simd<N>, const N: usize>(
    simd: S,
    (state, allowed): (&mut State<S::Word>, Option<&Allowed<N>>),
    strategy: &mut Strategy,
    occupied: &LaneMask<N>,
) -> Observed<N> {
    if strategy.is_eager() {
        pass_without_report(simd, state, allowed);
        return infer_once(simd, (state, allowed), false);
    }
    let lanes = Scheduler::<S, N>::LANES as u32;
    // The number of settled lanes that ends the round. Towards the end of a batch, few lanes are occupied, and 7/8 of them are enough: if
    // all of them had to settle, a round would take as many passes as its slowest lane.
    let enough = (lanes * 15 / 32).min((ones(occupied) * 7).div_ceil(8));
    // The unsolved lanes in which a pass right after the triple rule changed nothing.
    let mut confirmed = [0; N];
    let (mut silent, mut with_triples) = strategy.start_passes();
    let (mut passes, mut before_triples) = (0, None);
    while passes < MOST_PASSES {
        for _ in 0..silent {
            pass_without_report(simd, state, allowed);
            strategy.note_pass(false);
        }
        passes += silent;
        if with_triples && before_triples.is_none() {
            before_triples = Some(passes);
        }
        let mut found = infer_once(simd, (state, allowed), with_triples);
        strategy.note_pass(with_triples);
        passes += 1;
        let (mut settled, mut stalled) = (0, 0);
        for at in 0..N {
            let open = found.unsolved[at] & !(found.bad[at] | found.changed[at]) & occupied[at];
            confirmed[at] |= if with_triples { open } else { 0 };
            found.changed[at] |= open & !confirmed[at];
            settled += ((found.bad[at] | !found.changed[at]) & occupied[at]).count_ones();
            stalled += (open & !confirmed[at]).count_ones();
        }
        if settled >= enough {
            strategy.note_passes(passes, before_triples);
            return found;
        }
        with_triples = stalled >= lanes / 5 || settled + stalled >= enough;
        // One pass rarely more than doubles the number of lanes that no longer change. If twice the number isn't enough, the next pass
        // probably won't end the round, so it makes no report.
        silent = u32::from(!with_triples && 2 * (settled + stalled) < enough);
    }
    infer_once(simd, (state, allowed), true)
}

/// Runs one pass, with or without the triple rule before it.
fn infer_once<S: Simd<N>, const N: usize>(
    simd: S,
    (state, allowed): (&mut State<S::Word>, Option<&Allowed<N>>),
    with_triples: bool,
) -> Observed<N> {
    let bad = if with_triples { triple(simd, state) } else { simd.zero() };
    Observed::new(pass(simd, state, allowed, bad))
}

/// Sorts the lanes by what the pass reported. If eager, a lane branches even if it hasn't settled.
///
/// A lane is solved if it has no contradiction and the cell of each digit is known in each box. Then the grid breaks no rule: no cell of a
/// box is left without a digit, and if a digit occurred in two boxes in the same row or column, the pass would have found no
/// configuration for the digit in the second of the two boxes.
fn sort_lanes<const N: usize>(report: &Observed<N>, occupied: &LaneMask<N>, eager: bool) -> SortedLanes<N> {
    let each = |belongs: &dyn Fn(usize) -> u64| std::array::from_fn(|at| belongs(at) & occupied[at]);
    let waits = |at: usize| if eager { 0 } else { report.changed[at] };
    let open = each(&|at| !report.bad[at] & report.unsolved[at] & !waits(at));
    let solved = each(&|at| !report.bad[at] & !report.unsolved[at]);
    let spent = std::array::from_fn(|at| report.bad[at] | solved[at] | !occupied[at]);
    SortedLanes { open, solved, spent }
}

/// Chooses where the open lanes branch. Returns the lanes that must branch on a cell, not on a configuration. If such a lane has no open
/// cell, the lane is removed from the open lanes. If, in addition, the most recent pass changed nothing in the lane, two of its cells must
/// have the same single digit: the lane is contradictory, and it becomes spent.
fn choose<S: Simd<N>, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    sorted: &mut SortedLanes<N>,
    (eager, changed): (bool, &LaneMask<N>),
    first_cell: &LaneMask<N>,
) -> LaneMask<N> {
    let on_cell: LaneMask<N> =
        std::array::from_fn(|at| sorted.open[at] & if eager { !0 } else { first_cell[at] });
    if on_cell != sorted.open {
        simd.call(ChooseConfiguration { zero: simd.zero(), state });
    }
    if on_cell != [0; N] {
        let (lanes, first_cell) = (simd.word(on_cell), simd.word(*first_cell));
        let found = simd.call(ChooseCell { zero: simd.zero(), state, lanes, first_cell }).bits();
        for at in 0..N {
            let has_none = on_cell[at] & !found[at];
            sorted.open[at] &= !has_none;
            sorted.spent[at] |= has_none & !changed[at];
        }
    }
    on_cell
}

/// The work of a round, block by block: branches the open lanes, counts and stores the solutions of the solved lanes, and gives each spent
/// lane a new row while there is work left. `run` returns whether the round made the rows of the lanes, which it does only if
/// a lane needs its row.
struct Work<'w, 'b, S: Simd<N>, const N: usize> {
    scheduler: &'w mut Scheduler<'b, S, N>,
    rows: RowsOnDemand<'w, S, N>,
    sorted: SortedLanes<N>,
    on_cell: LaneMask<N>,
}

impl<S: Simd<N>, const N: usize> Kernel for Work<'_, '_, S, N> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Work { scheduler, mut rows, sorted, on_cell } = self;
        for block in 0..BLOCKS {
            let first = 8 * N * block;
            let of_block = |mask: &LaneMask<N>| lanes_of_block(mask, block);
            rows.start_block(block);
            let mut spent = of_block(&sorted.spent);
            let on_cell = of_block(&on_cell);
            for bit in SetBits(of_block(&sorted.open)) {
                let by_cell = (on_cell >> bit) & 1 == 1;
                let over = !scheduler.branch(&mut rows, first + bit, by_cell);
                spent |= u64::from(over) << bit;
            }
            for bit in SetBits(of_block(&sorted.solved)) {
                let supplied = scheduler.solved(&mut rows, first + bit);
                spent &= !(u64::from(supplied) << bit);
            }
            for bit in SetBits(spent) {
                scheduler.refill(&mut rows, first + bit);
            }
            rows.end_block();
        }
        rows.are_made()
    }
}

/// An iterator over the indices of the set bits, ascending.
struct SetBits(u64);

impl Iterator for SetBits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (bit < 64).then_some(bit as usize)
    }
}

fn ones<const N: usize>(mask: &LaneMask<N>) -> u32 {
    mask.iter().map(|word| word.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prediction is made only if two consecutive rounds needed the triple rule, because easy batches sometimes need the rule too, after
    /// many passes.
    #[test]
    fn two_rounds_predict_the_triple_rule_for_seven() {
        let mut strategy = Strategy::default();
        for (before_triples, next) in
            [(Some(9), (5, false)), (None, (2, false)), (Some(4), (2, false)), (Some(3), (3, true))]
        {
            let passes = before_triples.map_or(5, |before| before + 2);
            strategy.note_passes(passes, before_triples);
            assert_eq!(strategy.start_passes(), next);
        }
        for _ in 1..ROUNDS_FORETOLD {
            // Rounds that use the prediction do not affect the next prediction.
            strategy.note_passes(9, Some(8));
            assert_eq!(strategy.start_passes(), (3, true));
        }
        assert_eq!(strategy.start_passes(), (4, false));
        strategy.note_passes(5, None);
        assert_eq!(strategy.start_passes(), (2, false));
    }

    /// Without the limit [`PASSES_WITHOUT_TRIPLES`], a few lanes that need the triple rule could wait among many others until the batch
    /// ends.
    #[test]
    fn the_triple_rule_is_applied_after_enough_passes_without_it() {
        let mut strategy = Strategy::default();
        for _ in 0..PASSES_WITHOUT_TRIPLES {
            assert_eq!(strategy.start_passes(), (0, false));
            strategy.note_pass(false);
        }
        assert_eq!(strategy.start_passes(), (0, true));
        strategy.note_pass(true);
        // The rule was applied only because of the many passes without it, so the predictions ignore this round.
        strategy.note_passes(1, Some(0));
        assert_eq!(strategy.start_passes(), (0, false));
        assert_eq!(strategy.before_triples, [None; 2]);
    }
}
