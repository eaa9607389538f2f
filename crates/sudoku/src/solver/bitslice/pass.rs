//! The pass: one round of inference over the nine boxes, for all lanes.
//!
//! ```text
//!  for each box                                     a digit in a band: one minirow in each box, all in
//!    for each digit                                 different rows. Of six ways two fit flags like these:
//!      drop the minirows and minicols that no
//!      placement of the digit in the band or         box 1  box 2  box 3
//!      stack uses                                     ###    ###    ...    row 1    1->1 2->3 3->2
//!      known = one minirow and one minicol left       ...    ###    ###    row 2    or, without box 2 in
//!    for each cell                                    ...    ###    ###    row 3    row 1:  1->1 2->2 3->3
//!      single = exactly one digit left               box 1 holds the digit in row 1, so box 2 cannot:
//!      forced = some known digit may be here         locked candidates and row exclusion in one step
//!    for each digit
//!      a single elsewhere in the box excludes it; a cell forced to another digit excludes it
//!      compute the flags anew: what differs is a change
//!    as many cells as digits are known, as many have one digit left as digits are placed: else a contradiction
//! ```
//!
//! Boxes are settled one after the other in place, so a later box sees what an earlier one found: that nearly
//! halves the passes against one global sweep.

use std::hint::black_box;

use super::state::{Allowed, BandPlanes, LaneMask, Minilines, Report, Scratch, State, is_unknown, majority};
use crate::simd::{Kernel, Simd, Word};

/// One pass over the nine boxes. What is not in `allowed` is struck.
pub(super) fn pass<S: Simd<N>, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    allowed: Option<&Allowed<N>>,
) -> Report<S::Word> {
    pass_where::<S, true, N>(simd, state, allowed)
}

/// A pass that does not say what it finds: a seventh of its operations are for that. What it has seen a later pass sees
/// as well, for flags only ever fall.
pub(super) fn pass_in_silence<S: Simd<N>, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    allowed: Option<&Allowed<N>>,
) {
    pass_where::<S, false, N>(simd, state, allowed);
}

/// One pass, with what is allowed. What it returns is blank unless it `TELLS`.
fn pass_where<S: Simd<N>, const TELLS: bool, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    allowed: Option<&Allowed<N>>,
) -> Report<S::Word> {
    match allowed {
        None => pass_of::<S, _, TELLS, N>(simd, state, |_| Anywhere),
        Some(allowed) => {
            pass_of::<S, _, TELLS, N>(simd, state, |index| Where { simd, lanes: &allowed.0[index] })
        }
    }
}

/// One pass, with what each box allows.
fn pass_of<S: Simd<N>, A: Allows<S::Word>, const TELLS: bool, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    allowed: impl Fn(usize) -> A,
) -> Report<S::Word> {
    let mut report = Report::blank(simd.zero());
    let State { bands, scratch, .. } = state;
    let (bands, stacks) = bands.split_at_mut(3);
    for (row, band) in bands.iter_mut().enumerate() {
        for (column, stack) in stacks.iter_mut().enumerate() {
            let allowed = allowed(3 * row + column);
            let (zero, report, scratch) = (simd.zero(), &mut report, &mut *scratch);
            let place = [row, column];
            simd.call(SettleBox::<_, _, TELLS> { zero, band, stack, place, allowed, scratch, report });
        }
    }
    report
}

/// Which candidates of a box a question leaves.
trait Allows<W> {
    /// Of these lanes those in which the digit is allowed in that place.
    fn keep(&self, digit: usize, place: usize, lanes: W) -> W;
}

/// All of them.
struct Anywhere;

impl<W> Allows<W> for Anywhere {
    #[inline(always)]
    fn keep(&self, _digit: usize, _place: usize, lanes: W) -> W {
        lanes
    }
}

/// By digit and place, those of these lanes.
struct Where<'s, S, const N: usize> {
    simd: S,
    lanes: &'s [[LaneMask<N>; 9]; 9],
}

impl<S: Simd<N>, const N: usize> Allows<S::Word> for Where<'_, S, N> {
    #[inline(always)]
    fn keep(&self, digit: usize, place: usize, lanes: S::Word) -> S::Word {
        lanes & self.simd.word(self.lanes[digit][place])
    }
}

/// One box of a pass.
struct SettleBox<'s, W, A, const TELLS: bool> {
    zero: W,
    /// Its band and its stack: box `place[1]` of the one and box `place[0]` of the other.
    band: &'s mut BandPlanes<W>,
    stack: &'s mut BandPlanes<W>,
    place: [usize; 2],
    allowed: A,
    scratch: &'s mut Scratch<W>,
    report: &'s mut Report<W>,
}

impl<W: Word, A: Allows<W>, const TELLS: bool> Kernel for SettleBox<'_, W, A, TELLS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let SettleBox { zero, band, stack, place: [row, column], allowed, scratch, report } = self;
        let mut found = *report;
        let (mut places, mut singles) = (CountOfFour([zero; 2]), CountOfFour([zero; 2]));
        for digit in 0..9 {
            let (rows, cols) = (permitted(&band[digit], column), permitted(&stack[digit], row));
            let unknown = is_unknown(rows, cols);
            if TELLS {
                found.unsolved = found.unsolved | unknown;
                places.add(unknown);
            }
            scratch.lines[digit] = [rows, cols];
            scratch.unknown[digit] = unknown;
        }
        let (mut single, mut closed) = ([zero; 9], [zero; 9]);
        // Minirow by minirow and three digits at a time, so that what is counted stays in registers.
        for line in 0..3 {
            // What the minirows share is loaded for each. Held for all three, it would be copied to the stack.
            let lines = black_box(&scratch.lines);
            let mut shut = [zero; 3];
            let (mut ones, mut twos) = ([[zero; 3]; 3], [[zero; 3]; 3]);
            for three in 0..3 {
                for col in 0..3 {
                    let left: [W; 3] = std::array::from_fn(|at| {
                        let digit = 3 * three + at;
                        let [rows, cols] = &lines[digit];
                        let left = allowed.keep(digit, 3 * line + col, rows[line] & cols[col]);
                        shut[col] = shut[col] | left & !scratch.unknown[digit];
                        left
                    });
                    ones[col][three] = left[0] | left[1] | left[2];
                    twos[col][three] = majority(left[0], left[1], left[2]);
                }
            }
            for col in 0..3 {
                let ([a, b, c], [x, y, z]) = (ones[col], twos[col]);
                let some = a | b | c;
                single[3 * line + col] = some & !(majority(a, b, c) | (x | y | z));
                closed[3 * line + col] = shut[col];
                if TELLS {
                    found.bad = found.bad | !some;
                    places.add(shut[col]);
                    singles.add(single[3 * line + col] & !shut[col]);
                }
            }
        }
        for digit in 0..9 {
            let lines = &scratch.lines[digit];
            let keep = |place, lanes| allowed.keep(digit, place, lanes);
            let placed = exclude_digit::<_, TELLS>(
                zero,
                (&mut band[digit][column % 3], &mut stack[digit][row % 3]),
                (lines, keep),
                &single,
                (&closed, scratch.unknown[digit]),
                &mut found,
            );
            if TELLS {
                singles.add(!placed);
            }
        }
        if TELLS {
            // As many cells as digits are known, or several digits are known to be in one cell. As many digits are placed as
            // cells have one digit left, or several cells have but the same.
            found.bad = found.bad | places.is_not_one() | singles.is_not_one();
            *report = found;
        }
    }
}

/// A count modulo four, bit by bit. Of nine digits those that lack something and of nine cells those that have it make nine,
/// that is one, where as many cells as digits have it.
struct CountOfFour<W>([W; 2]);

impl<W: Word> CountOfFour<W> {
    /// Counts one more in these lanes.
    #[inline(always)]
    fn add(&mut self, lanes: W) {
        let [ones, twos] = &mut self.0;
        *twos = *twos ^ *ones & lanes;
        *ones = *ones ^ lanes;
    }

    /// Where it is another number than one.
    #[inline(always)]
    fn is_not_one(&self) -> W {
        let [ones, twos] = self.0;
        !ones | twos
    }
}

/// Step 1 for a digit: of the three minilines in a box, those that some placement in the band or stack uses.
#[inline(always)]
fn permitted<W: Word>(lines: &Minilines<W>, of_box: usize) -> [W; 3] {
    let [own, first, second] = [lines[of_box % 3], lines[(of_box + 1) % 3], lines[(of_box + 2) % 3]];
    [
        own[0] & (first[1] & second[2] | first[2] & second[1]),
        own[1] & (first[2] & second[0] | first[0] & second[2]),
        own[2] & (first[0] & second[1] | first[1] & second[0]),
    ]
}

/// Step 3 for a digit: takes it from the cells that other cells or other digits exclude, and computes its flags. A known
/// digit keeps those that it has. Says where some cell has this digit alone.
#[inline(always)]
fn exclude_digit<W: Word, const TELLS: bool>(
    zero: W,
    (rows, cols): (&mut [W; 3], &mut [W; 3]),
    (lines, keep): (&[[W; 3]; 2], impl Fn(usize, W) -> W),
    single: &[W; 9],
    (closed, unknown): (&[W; 9], W),
    report: &mut Report<W>,
) -> W {
    let mut x = [zero; 9];
    let mut placed = zero;
    for place in 0..9 {
        x[place] = keep(place, lines[0][place / 3] & lines[1][place % 3] & !closed[place]);
        placed = placed | x[place] & single[place];
    }
    let elsewhere = !placed;
    for place in 0..9 {
        x[place] = x[place].and_either(single[place], elsewhere);
    }
    let mut any = zero;
    for line in 0..3 {
        let row = x[3 * line] | x[3 * line + 1] | x[3 * line + 2] | lines[0][line] & !unknown;
        let col = x[line] | x[line + 3] | x[line + 6] | lines[1][line] & !unknown;
        if TELLS {
            report.changed = report.changed | row ^ rows[line];
            report.changed = report.changed | col ^ cols[line];
            any = any | row;
        }
        rows[line] = row;
        cols[line] = col;
    }
    if TELLS {
        report.bad = report.bad | !any;
    }
    placed
}
