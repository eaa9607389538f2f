//! The rounds: infer, choose, transpose out, work on lanes, transpose in.
#![forbid(unsafe_code)]

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::choose::choose_configuration;
use super::choose_cell::choose_cell;
use super::desk::{Desk, Memory};
use super::pass::pass;
use super::row::Rows;
use super::state::{Report, State, Word};
use super::strategy::Strategy;
use super::transpose::{lane_order, rows_of_state, state_of_rows};
use super::triple::triple;
use crate::puzzle::Puzzle;
use crate::simd::Simd;
use crate::solver::{Limits, Outcome};

/// Passes after which a round ends, stable lanes or not.
const MOST_PASSES: u32 = 40;

/// A batch solver for `64 * N` lanes.
pub(super) struct Engine<S, const N: usize> {
    simd: S,
    state: Box<State<N>>,
    rows: Box<Rows<N>>,
    memory: Memory,
}

/// What each lane needs at the end of a round.
struct Verdicts<const N: usize> {
    /// It has to branch.
    open: Word<N>,
    /// Its row is a solution.
    solved: Word<N>,
    /// It needs a new row: contradictory, solved or idle.
    spent: Word<N>,
}

impl<S: Simd, const N: usize> Engine<S, N> {
    pub(super) fn new(simd: S) -> Engine<S, N> {
        Engine { simd, state: State::new(), rows: Rows::new(), memory: Memory::default() }
    }

    /// Solves a batch. What it learns about the puzzles on the way is forgotten at the end, so that the same
    /// batch is always solved in the same way.
    pub(super) fn solve(&mut self, puzzles: &[Puzzle], limits: &Limits, outcomes: &mut [Outcome]) {
        let Engine { simd, state, rows, memory } = self;
        let simd = *simd;
        let started = Instant::now();
        let mut desk = Desk::<S, N>::open(simd, memory, (puzzles, limits, outcomes));
        let mut strategy = Strategy::default();
        simd.call(|| refill(&mut desk, rows, &[!0; N]));
        while desk.occupied != [0; N] {
            simd.call(|| state_of_rows(rows, state));
            strategy.start_round();
            let report = infer(simd, state, &mut strategy, &desk.occupied);
            let mut verdicts = judge(&report, &desk.occupied, strategy.is_eager());
            strategy.note_round(&verdicts.open, &report.bad, &desk.occupied);
            let on_cell = choose(simd, state, &mut verdicts, strategy.is_eager(), &desk.smallest);
            simd.call(|| rows_of_state(state, rows));
            desk.start_round(u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX));
            if limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return desk.abort_all();
            }
            simd.call(|| work(&mut desk, rows, &verdicts, &on_cell));
        }
    }
}

/// Passes until most lanes are stable or contradictory; eagerly, just two.
fn infer<S: Simd, const N: usize>(
    simd: S,
    state: &mut State<N>,
    strategy: &mut Strategy,
    occupied: &Word<N>,
) -> Report<N> {
    let enough = (Desk::<S, N>::LANES as u32 * 15 / 32).min(ones(occupied));
    for passes in 1.. {
        let struck = if strategy.uses_triples() { triple(simd, state) } else { Report::BLANK };
        let mut report = pass(simd, state);
        if strategy.uses_triples() {
            strategy.note_triples(&struck, &report, occupied);
        }
        let mut settled = 0;
        for at in 0..N {
            report.bad[at] |= struck.bad[at];
            report.changed[at] |= struck.changed[at];
            settled += ((report.bad[at] | !report.changed[at]) & occupied[at]).count_ones();
        }
        let done = if strategy.is_eager() { passes >= 2 } else { settled >= enough };
        if done || passes >= MOST_PASSES {
            return report;
        }
    }
    Report::BLANK
}

/// Sorts the occupied lanes by what a report says of them. A lane without a contradiction in which every cell has
/// one digit is solved: each box has been seen with nine single cells and nine digits, and had any two of
/// them shared a row or column, the pass would have found no configuration for the later one. Eagerly, a lane
/// branches though it has not settled.
fn judge<const N: usize>(report: &Report<N>, occupied: &Word<N>, eager: bool) -> Verdicts<N> {
    let each = |verdict: &dyn Fn(usize) -> u64| std::array::from_fn(|at| verdict(at) & occupied[at]);
    let waits = |at: usize| if eager { 0 } else { report.changed[at] };
    let open = each(&|at| !report.bad[at] & report.unsolved[at] & !waits(at));
    let solved = each(&|at| !report.bad[at] & !report.unsolved[at]);
    let spent = std::array::from_fn(|at| report.bad[at] | solved[at] | !occupied[at]);
    Verdicts { open, solved, spent }
}

/// Chooses where the open lanes branch. Returns the lanes that branch on a cell; a lane that turns out to have no
/// open cell is not open.
fn choose<S: Simd, const N: usize>(
    simd: S,
    state: &mut State<N>,
    verdicts: &mut Verdicts<N>,
    eager: bool,
    smallest: &Word<N>,
) -> Word<N> {
    let on_cell: Word<N> =
        std::array::from_fn(|at| verdicts.open[at] & if eager { !0 } else { smallest[at] });
    if on_cell != verdicts.open {
        simd.call(|| choose_configuration(state));
    }
    if on_cell != [0; N] {
        let found = simd.call(|| choose_cell(state, &on_cell, smallest));
        for at in 0..N {
            verdicts.open[at] &= found[at] | !on_cell[at];
        }
    }
    on_cell
}

/// Branches the open lanes, takes the solutions, and gives every spent lane a new row.
#[inline(always)]
fn work<S: Simd, const N: usize>(
    desk: &mut Desk<'_, S, N>,
    rows: &mut Rows<N>,
    verdicts: &Verdicts<N>,
    on_cell: &Word<N>,
) {
    let mut spent = lane_order(&verdicts.spent);
    let on_cell = lane_order(on_cell);
    for_each_lane(&lane_order(&verdicts.open), |lane| {
        let bit = 1 << (lane % 64);
        if !desk.branch(rows, lane, on_cell[lane / 64] & bit != 0) {
            spent[lane / 64] |= bit;
        }
    });
    for_each_lane(&lane_order(&verdicts.solved), |lane| {
        if desk.solved(rows, lane) {
            spent[lane / 64] &= !(1 << (lane % 64));
        }
    });
    refill(desk, rows, &spent);
}

/// Gives the lanes of a mask, numbered in lane order, their next rows.
#[inline(always)]
fn refill<S: Simd, const N: usize>(desk: &mut Desk<'_, S, N>, rows: &mut Rows<N>, lanes: &Word<N>) {
    for_each_lane(lanes, |lane| desk.refill(rows, lane));
}

/// Calls `visit` with the number of each lane of a mask in lane order.
#[inline(always)]
fn for_each_lane<const N: usize>(mask: &Word<N>, mut visit: impl FnMut(usize)) {
    for (word, &lanes) in mask.iter().enumerate() {
        let mut left = lanes;
        while left != 0 {
            visit(word * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// The number of lanes in a mask.
pub(super) fn ones<const N: usize>(mask: &Word<N>) -> u32 {
    mask.iter().map(|word| word.count_ones()).sum()
}
