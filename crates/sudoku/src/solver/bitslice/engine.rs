//! The rounds: infer, choose, transpose out, work on lanes, transpose in.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::choose::ChooseConfiguration;
use super::choose_cell::ChooseCell;
use super::desk::{Desk, Memory};
use super::pass::pass;
use super::row::Rows;
use super::state::{Lanes, Report, State};
use super::strategy::Strategy;
use super::transpose::{RowsOfState, StateOfRows, lane_order};
use super::triple::triple;
use super::{Batch, Part};
use crate::puzzle::Puzzle;
use crate::simd::{Kernel, Simd, Word};
use crate::solver::{Outcome, Question, nanoseconds};

/// Passes after which a round ends, stable lanes or not.
const MOST_PASSES: u32 = 40;

/// A batch solver for `64 * N` lanes.
pub(super) struct Engine<S: Simd<N>, const N: usize> {
    simd: S,
    state: Box<State<S::Word>>,
    rows: Box<Rows<N>>,
    memory: Memory,
}

/// What a pass, and the triple rule before it, found out about the lanes: see [`Report`].
pub(super) struct Observed<const N: usize> {
    pub(super) bad: Lanes<N>,
    pub(super) unsolved: Lanes<N>,
    pub(super) changed: Lanes<N>,
}

impl<const N: usize> Observed<N> {
    fn of<W: Word<Bits = [u64; N]>>(report: Report<W>) -> Observed<N> {
        let Report { bad, unsolved, changed } = report;
        Observed { bad: bad.bits(), unsolved: unsolved.bits(), changed: changed.bits() }
    }
}

/// What each lane needs at the end of a round.
struct Verdicts<const N: usize> {
    /// It has to branch.
    open: Lanes<N>,
    /// Its row is a solution.
    solved: Lanes<N>,
    /// It needs a new row: contradictory, solved or idle.
    spent: Lanes<N>,
}

impl<S: Simd<N>, const N: usize> Engine<S, N> {
    pub(super) fn new(simd: S) -> Engine<S, N> {
        Engine { simd, state: State::new(simd.ones()), rows: Rows::new(), memory: Memory::default() }
    }
}

impl<S: Simd<N>, const N: usize> Batch for Engine<S, N> {
    fn run_part(&mut self, part: Part) {
        let Engine { simd, state, rows, .. } = self;
        let simd = *simd;
        match part {
            Part::Pass => {
                pass(simd, state);
            }
            Part::Triple => {
                triple(simd, state);
            }
            Part::Choose => simd.call(ChooseConfiguration { zero: simd.zero(), state }),
            Part::ToRows => simd.call(RowsOfState { simd, state, rows }),
            Part::FromRows => simd.call(StateOfRows { simd, rows, state }),
        }
    }

    /// What it learns about the puzzles on the way is forgotten at the end, so that the same batch is always solved in
    /// the same way.
    fn solve(&mut self, puzzles: &[Puzzle], question: &Question, outcomes: &mut [Outcome]) {
        let Engine { simd, state, rows, memory } = self;
        let simd = *simd;
        let started = Instant::now();
        let mut desk = Desk::<S, N>::open(simd, memory, (puzzles, question, outcomes));
        let mut strategy = Strategy::default();
        simd.call(Refill { desk: &mut desk, rows });
        while desk.occupied != [0; N] {
            simd.call(StateOfRows { simd, rows, state });
            strategy.start_round();
            let report = infer(simd, state, &mut strategy, &desk.occupied);
            let mut verdicts = judge(&report, &desk.occupied, strategy.is_eager());
            strategy.note_round(&verdicts.open, &report, &desk.occupied);
            let first_cell = desk.takes_first_cell(&verdicts.open, strategy.is_eager());
            let on_cell = choose(simd, state, &mut verdicts, strategy.is_eager(), &first_cell);
            simd.call(RowsOfState { simd, state, rows });
            desk.start_round(nanoseconds(started.elapsed()));
            if question.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return desk.abort_all();
            }
            simd.call(Work { desk: &mut desk, rows, verdicts, on_cell });
        }
    }
}

/// Passes until most lanes have settled; eagerly, just two.
///
/// The triple rule costs half a pass and finds nothing in lanes that still move without it. So it waits until
/// enough lanes stand still that have to branch otherwise, or until the few that do have waited long enough.
fn infer<S: Simd<N>, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    strategy: &mut Strategy,
    occupied: &Lanes<N>,
) -> Observed<N> {
    if strategy.is_eager() {
        infer_once(simd, state, false);
        return infer_once(simd, state, false);
    }
    let lanes = Desk::<S, N>::LANES as u32;
    let enough = (lanes * 15 / 32).min(ones(occupied));
    // The open lanes that the triple rule has not moved.
    let mut confirmed = [0; N];
    let mut with_triples = strategy.triples_are_due();
    for _ in 0..MOST_PASSES {
        let mut found = infer_once(simd, state, with_triples);
        strategy.note_pass(with_triples);
        let (mut settled, mut stalled) = (0, 0);
        for at in 0..N {
            let open = found.unsolved[at] & !(found.bad[at] | found.changed[at]) & occupied[at];
            confirmed[at] |= if with_triples { open } else { 0 };
            found.changed[at] |= open & !confirmed[at];
            settled += ((found.bad[at] | !found.changed[at]) & occupied[at]).count_ones();
            stalled += (open & !confirmed[at]).count_ones();
        }
        if settled >= enough {
            return found;
        }
        with_triples = stalled >= lanes / 5 || settled + stalled >= enough;
    }
    infer_once(simd, state, true)
}

/// One pass, with the triple rule before it or without.
fn infer_once<S: Simd<N>, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    with_triples: bool,
) -> Observed<N> {
    let struck = if with_triples { triple(simd, state) } else { Report::blank(simd.zero()) };
    let mut found = pass(simd, state);
    found.bad = found.bad | struck.bad;
    found.changed = found.changed | struck.changed;
    Observed::of(found)
}

/// Sorts the occupied lanes by what a report says of them. A lane without a contradiction in which every cell has
/// one digit is solved: each box has been seen with nine single cells and nine digits, and had any two of
/// them shared a row or column, the pass would have found no configuration for the later one. Eagerly, a lane
/// branches though it has not settled.
fn judge<const N: usize>(report: &Observed<N>, occupied: &Lanes<N>, eager: bool) -> Verdicts<N> {
    let each = |verdict: &dyn Fn(usize) -> u64| std::array::from_fn(|at| verdict(at) & occupied[at]);
    let waits = |at: usize| if eager { 0 } else { report.changed[at] };
    let open = each(&|at| !report.bad[at] & report.unsolved[at] & !waits(at));
    let solved = each(&|at| !report.bad[at] & !report.unsolved[at]);
    let spent = std::array::from_fn(|at| report.bad[at] | solved[at] | !occupied[at]);
    Verdicts { open, solved, spent }
}

/// Chooses where the open lanes branch. Returns the lanes that branch on a cell; a lane that turns out to have no
/// open cell is not open.
fn choose<S: Simd<N>, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    verdicts: &mut Verdicts<N>,
    eager: bool,
    first_cell: &Lanes<N>,
) -> Lanes<N> {
    let on_cell: Lanes<N> =
        std::array::from_fn(|at| verdicts.open[at] & if eager { !0 } else { first_cell[at] });
    if on_cell != verdicts.open {
        simd.call(ChooseConfiguration { zero: simd.zero(), state });
    }
    if on_cell != [0; N] {
        let (lanes, first_cell) = (simd.word(on_cell), simd.word(*first_cell));
        let found = simd.call(ChooseCell { zero: simd.zero(), state, lanes, first_cell }).bits();
        for at in 0..N {
            verdicts.open[at] &= found[at] | !on_cell[at];
        }
    }
    on_cell
}

/// Gives every lane its first puzzle.
struct Refill<'w, 'b, S, const N: usize> {
    desk: &'w mut Desk<'b, S, N>,
    rows: &'w mut Rows<N>,
}

impl<S: Simd<N>, const N: usize> Kernel for Refill<'_, '_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for lane in 0..64 * N {
            self.desk.refill(self.rows, lane);
        }
    }
}

/// Branches the open lanes, takes the solutions, and gives every spent lane a new row.
struct Work<'w, 'b, S, const N: usize> {
    desk: &'w mut Desk<'b, S, N>,
    rows: &'w mut Rows<N>,
    verdicts: Verdicts<N>,
    on_cell: Lanes<N>,
}

impl<S: Simd<N>, const N: usize> Kernel for Work<'_, '_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Work { desk, rows, verdicts, on_cell } = self;
        let mut spent = lane_order(&verdicts.spent);
        let on_cell = lane_order(&on_cell);
        for (word, open) in lane_order(&verdicts.open).into_iter().enumerate() {
            for bit in BitsOf(open) {
                let by_cell = (on_cell[word] >> bit) & 1 == 1;
                let over = !desk.branch(rows, 64 * word + bit, by_cell);
                spent[word] |= u64::from(over) << bit;
            }
        }
        for (word, solved) in lane_order(&verdicts.solved).into_iter().enumerate() {
            for bit in BitsOf(solved) {
                let supplied = desk.solved(rows, 64 * word + bit);
                spent[word] &= !(u64::from(supplied) << bit);
            }
        }
        for (word, spent) in spent.into_iter().enumerate() {
            for bit in BitsOf(spent) {
                desk.refill(rows, 64 * word + bit);
            }
        }
    }
}

/// The numbers of the set bits, ascending.
struct BitsOf(u64);

impl Iterator for BitsOf {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (bit < 64).then_some(bit as usize)
    }
}

/// The number of lanes in a mask.
pub(super) fn ones<const N: usize>(mask: &Lanes<N>) -> u32 {
    mask.iter().map(|word| word.count_ones()).sum()
}
