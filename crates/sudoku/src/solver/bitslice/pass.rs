//! The pass: one round of inference over the nine boxes, for all lanes.
//!
//! ```text
//!  for each box
//!    for each digit
//!      drop the minirows and minicols that no configuration of the digit in the band or stack uses (see below)
//!      known = one minirow and one minicol left
//!    for each cell
//!      closed = the cell of a known digit
//!      single = exactly one digit left
//!    for each digit
//!      placed = a cell that is not closed has only this digit
//!      remove the digit from the closed cells of other digits; if it is placed, also from the other cells of the box
//!      compute the possible minirows and minicols (the flags) again: if they differ, the pass changed the lane
//!    contradiction, unless each cell has a digit, each digit has a place, there are as many closed cells as known digits,
//!      and there are as many placed digits as single cells that are not closed
//! ```
//!
//! A configuration of a digit in a band has one minirow in each box, all in different rows. Here, `###` is a minirow that is
//! possible, and two of the six configurations fit:
//!
//! ```text
//!   box 1  box 2  box 3
//!    ###    ###    ...    row 1    box -> row: 1->1 2->3 3->2, or 1->1 2->2 3->3
//!    ...    ###    ###    row 2    box 1 holds the digit in row 1, so box 2 cannot: locked candidates and row exclusion in one step
//!    ...    ###    ###    row 3
//! ```
//!
//! The boxes are processed one after the other, in place, so each box uses what the earlier boxes found. So fewer passes are needed than if
//! all boxes were processed in parallel.

use std::hint::black_box;

use super::state::{Allowed, BandPlanes, LaneMask, Minilines, Report, Scratch, State, is_unknown, majority};
use crate::simd::{Kernel, Simd, Word};

/// Runs one pass over the nine boxes. Candidates that aren't in `allowed` are removed. The report also calls the lanes `bad` contradictory.
pub(super) fn pass<S: Simd<N>, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    allowed: Option<&Allowed<N>>,
    bad: S::Word,
) -> Report<S::Word> {
    pass_where::<S, true, N>(simd, state, allowed, bad)
}

/// Runs a pass without a report. This saves about a sixth of the time of a pass (`docs/notes/engines.md`). No contradiction is lost: a
/// pass only removes possibilities, so a contradiction remains until a later pass with a report finds it.
pub(super) fn pass_without_report<S: Simd<N>, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    allowed: Option<&Allowed<N>>,
) {
    pass_where::<S, false, N>(simd, state, allowed, simd.zero());
}

/// Runs one pass with the allowed candidates. Without `REPORTS`, the pass adds nothing to the report.
fn pass_where<S: Simd<N>, const REPORTS: bool, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    allowed: Option<&Allowed<N>>,
    bad: S::Word,
) -> Report<S::Word> {
    let report = Report { bad, ..Report::blank(simd.zero()) };
    match allowed {
        None => pass_of::<S, _, REPORTS, N>(simd, state, |_| Anywhere, report),
        Some(allowed) => {
            pass_of::<S, _, REPORTS, N>(simd, state, |index| Where { simd, lanes: &allowed.0[index] }, report)
        }
    }
}

/// Runs one pass. `allowed` returns the allowed candidates of a box. The pass adds what it finds to the report.
fn pass_of<S: Simd<N>, A: Allows<S::Word>, const REPORTS: bool, const N: usize>(
    simd: S,
    state: &mut State<S::Word>,
    allowed: impl Fn(usize) -> A,
    mut report: Report<S::Word>,
) -> Report<S::Word> {
    let State { bands, scratch, .. } = state;
    let (bands, stacks) = bands.split_at_mut(3);
    for (row, band) in bands.iter_mut().enumerate() {
        for (column, stack) in stacks.iter_mut().enumerate() {
            let allowed = allowed(3 * row + column);
            let (zero, report, scratch) = (simd.zero(), &mut report, &mut *scratch);
            let place = [row, column];
            simd.call(SettleBox::<_, _, REPORTS> { zero, band, stack, place, allowed, scratch, report });
        }
    }
    report
}

/// Decides which candidates of a box a search may use.
trait Allows<W> {
    /// Returns the lanes among `lanes` in which the digit is allowed in this place.
    fn keep(&self, digit: usize, place: usize, lanes: W) -> W;
}

/// Everything is allowed.
struct Anywhere;

impl<W> Allows<W> for Anywhere {
    #[inline(always)]
    fn keep(&self, _digit: usize, _place: usize, lanes: W) -> W {
        lanes
    }
}

/// The allowed lanes for each digit and place.
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

/// Processes one box of a pass.
struct SettleBox<'s, W, A, const REPORTS: bool> {
    zero: W,
    /// The band and the stack of the box. The box is number `place[1]` in its band and number `place[0]` in its stack.
    band: &'s mut BandPlanes<W>,
    stack: &'s mut BandPlanes<W>,
    place: [usize; 2],
    allowed: A,
    scratch: &'s mut Scratch<W>,
    report: &'s mut Report<W>,
}

impl<W: Word, A: Allows<W>, const REPORTS: bool> Kernel for SettleBox<'_, W, A, REPORTS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let SettleBox { zero, band, stack, place: [row, column], allowed, scratch, report } = self;
        let mut found = *report;
        let (mut places, mut singles) = (CountModFour([zero; 2]), CountModFour([zero; 2]));
        for digit in 0..9 {
            let (rows, cols) = (permitted(&band[digit], column), permitted(&stack[digit], row));
            let unknown = is_unknown(rows, cols);
            if REPORTS {
                found.unsolved = found.unsolved | unknown;
                places.add(unknown);
            }
            scratch.lines[digit] = [rows, cols];
            scratch.unknown[digit] = unknown;
        }
        let (mut single, mut closed) = ([zero; 9], [zero; 9]);
        // Minirow by minirow and three digits at a time, so that the counts stay in registers.
        for line in 0..3 {
            // `black_box` makes the compiler load these values again for each minirow. If they were kept in registers for all three
            // minirows, they would be spilled to the stack.
            let lines = black_box(&scratch.lines);
            let mut shut = [zero; 3];
            let (mut ones, mut twos) = ([[zero; 3]; 3], [[zero; 3]; 3]);
            for three in 0..3 {
                for col in 0..3 {
                    let mut left = [zero; 3];
                    for at in 0..3 {
                        let digit = 3 * three + at;
                        let [rows, cols] = &lines[digit];
                        left[at] = allowed.keep(digit, 3 * line + col, rows[line] & cols[col]);
                        shut[col] = shut[col] | left[at] & !scratch.unknown[digit];
                    }
                    ones[col][three] = left[0] | left[1] | left[2];
                    twos[col][three] = majority(left[0], left[1], left[2]);
                }
            }
            for col in 0..3 {
                let ([a, b, c], [x, y, z]) = (ones[col], twos[col]);
                let some = a | b | c;
                single[3 * line + col] = some & !(majority(a, b, c) | (x | y | z));
                closed[3 * line + col] = shut[col];
                if REPORTS {
                    found.bad = found.bad | !some;
                    places.add(shut[col]);
                    singles.add(single[3 * line + col] & !shut[col]);
                }
            }
        }
        for digit in 0..9 {
            let placed = exclude_digit::<_, A, REPORTS>(
                zero,
                (&mut band[digit][column % 3], &mut stack[digit][row % 3]),
                (&scratch.lines[digit], digit, &allowed),
                &single,
                (&closed, scratch.unknown[digit]),
                &mut found,
            );
            if REPORTS {
                singles.add(!placed);
            }
        }
        if REPORTS {
            // In the box, there must be as many closed cells as known digits; otherwise several digits are known to be in one cell. The
            // number of open cells with one digit left must equal the number of different digits left in these cells; otherwise several
            // cells have the same single digit.
            found.bad = found.bad | places.is_not_one() | singles.is_not_one();
            *report = found;
        }
    }
}

/// A count modulo four, in each lane: its low bit and its high bit.
///
/// The count compares two numbers: `d` of the nine digits and `c` of the nine cells of a box have some property. It counts the digits
/// without the property and the cells with the property, `9 - d + c`. If `d` and `c` are equal, this is nine, which is one modulo four.
struct CountModFour<W>([W; 2]);

impl<W: Word> CountModFour<W> {
    /// Adds one in these lanes.
    #[inline(always)]
    fn add(&mut self, lanes: W) {
        let [ones, twos] = &mut self.0;
        *twos = *twos ^ *ones & lanes;
        *ones = *ones ^ lanes;
    }

    /// Returns the lanes where the count isn't one.
    #[inline(always)]
    fn is_not_one(&self) -> W {
        let [ones, twos] = self.0;
        !ones | twos
    }
}

/// Does the work of the first loop of a pass for one digit and one box. Returns the minilines of the box that the digit uses in at least
/// one configuration of the band or stack.
#[inline(always)]
fn permitted<W: Word>(lines: &Minilines<W>, of_box: usize) -> [W; 3] {
    let [own, first, second] = [lines[of_box % 3], lines[(of_box + 1) % 3], lines[(of_box + 2) % 3]];
    [
        own[0] & (first[1] & second[2] | first[2] & second[1]),
        own[1] & (first[2] & second[0] | first[0] & second[2]),
        own[2] & (first[0] & second[1] | first[1] & second[0]),
    ]
}

/// Last loop of a pass, for one digit: removes the digit from cells, and computes its flags. The digit is removed from the closed cells,
/// which hold another known digit. If an open (not closed) cell has only this digit, the digit is removed from the other cells of the box.
/// A known digit keeps its flags. Returns the lanes in which an open cell of the box has only this digit.
#[inline(always)]
fn exclude_digit<W: Word, A: Allows<W>, const REPORTS: bool>(
    zero: W,
    (rows, cols): (&mut [W; 3], &mut [W; 3]),
    (lines, digit, allowed): (&[[W; 3]; 2], usize, &A),
    single: &[W; 9],
    (closed, unknown): (&[W; 9], W),
    report: &mut Report<W>,
) -> W {
    let mut x = [zero; 9];
    let mut placed = zero;
    for place in 0..9 {
        let lanes = lines[0][place / 3] & lines[1][place % 3] & !closed[place];
        x[place] = allowed.keep(digit, place, lanes);
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
        if REPORTS {
            report.changed = report.changed | row ^ rows[line];
            report.changed = report.changed | col ^ cols[line];
            any = any | row;
        }
        rows[line] = row;
        cols[line] = col;
    }
    if REPORTS {
        report.bad = report.bad | !any;
    }
    placed
}
