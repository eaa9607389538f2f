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
//! ```
//!
//! Boxes are settled one after the other in place, so a later box sees what an earlier one found: that nearly
//! halves the passes against one global sweep.

use super::state::{BoxPlanes, MINICOLS, MINIROWS, Plane, Report, State, one_of};
use crate::simd::{Kernel, Simd, Word};

/// One pass over the nine boxes.
pub(super) fn pass<S: Simd<N>, const N: usize>(simd: S, state: &mut State<S::Word>) -> Report<S::Word> {
    let mut report = Report::blank(simd.zero());
    let mut settle = |own: &mut _, beside: [&_; 2], stacked: [&_; 2]| {
        simd.call(SettleBox { zero: simd.zero(), own, beside, stacked, report: &mut report });
    };
    let [b0, b1, b2, b3, b4, b5, b6, b7, b8] = &mut state.boxes;
    settle(b0, [b1, b2], [b3, b6]);
    settle(b1, [b2, b0], [b4, b7]);
    settle(b2, [b0, b1], [b5, b8]);
    settle(b3, [b4, b5], [b6, b0]);
    settle(b4, [b5, b3], [b7, b1]);
    settle(b5, [b3, b4], [b8, b2]);
    settle(b6, [b7, b8], [b0, b3]);
    settle(b7, [b8, b6], [b1, b4]);
    settle(b8, [b6, b7], [b2, b5]);
    report
}

/// What is counted of each cell of a box. It is kept in registers: nothing in it is indexed by a variable.
struct CellCounts<W> {
    /// Some digit is possible; two are; a known digit belongs here.
    some: [W; 9],
    several: [W; 9],
    forced: [W; 9],
}

/// One box of a pass.
struct SettleBox<'s, W> {
    zero: W,
    own: &'s mut BoxPlanes<W>,
    /// The two other boxes of the band, and of the stack.
    beside: [&'s BoxPlanes<W>; 2],
    stacked: [&'s BoxPlanes<W>; 2],
    report: &'s mut Report<W>,
}

impl<W: Word> Kernel for SettleBox<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let SettleBox { zero, own, beside, stacked, report } = self;
        let nine = [zero; 9];
        let mut counts = CellCounts { some: nine, several: nine, forced: nine };
        // By digit: its cell in this box is known.
        let mut known = nine;
        for digit in 0..9 {
            let rows = [beside[0][digit].lines[MINIROWS], beside[1][digit].lines[MINIROWS]];
            let cols = [stacked[0][digit].lines[MINICOLS], stacked[1][digit].lines[MINICOLS]];
            known[digit] = filter_digit(&mut own[digit], (rows, cols), &mut counts);
        }
        let mut single = nine;
        let mut found = *report;
        for place in 0..9 {
            single[place] = counts.some[place] & !counts.several[place];
            found.unsolved = found.unsolved | counts.several[place];
            found.bad = found.bad | !counts.some[place];
        }
        for digit in 0..9 {
            exclude_digit(zero, &mut own[digit], &single, (&counts.forced, known[digit]), &mut found);
        }
        *report = found;
    }
}

/// Of the three lines of the own box, those that some placement in the band or stack uses.
#[inline(always)]
fn permitted<W: Word>(own: [W; 3], first: [W; 3], second: [W; 3]) -> [W; 3] {
    [
        own[0] & (first[1] & second[2] | first[2] & second[1]),
        own[1] & (first[2] & second[0] | first[0] & second[2]),
        own[2] & (first[0] & second[1] | first[1] & second[0]),
    ]
}

/// Steps 1 and 2 for a digit: keeps the cells in permitted minirows and minicols, and counts what is left in each
/// cell. Returns whether the digit's cell is known.
#[inline(always)]
fn filter_digit<W: Word>(
    plane: &mut Plane<W>,
    (beside, stacked): ([[W; 3]; 2], [[W; 3]; 2]),
    counts: &mut CellCounts<W>,
) -> W {
    let rows = permitted(plane.lines[MINIROWS], beside[0], beside[1]);
    let cols = permitted(plane.lines[MINICOLS], stacked[0], stacked[1]);
    let known = one_of(rows[0], rows[1], rows[2]) & one_of(cols[0], cols[1], cols[2]);
    for place in 0..9 {
        let left = plane.cells[place] & rows[place / 3] & cols[place % 3];
        plane.cells[place] = left;
        counts.several[place] = counts.several[place] | counts.some[place] & left;
        counts.some[place] = counts.some[place] | left;
        counts.forced[place] = counts.forced[place] | left & known;
    }
    known
}

/// Step 3 for a digit: takes it from the cells that other cells or other digits exclude, and computes its flags.
#[inline(always)]
fn exclude_digit<W: Word>(
    zero: W,
    plane: &mut Plane<W>,
    single: &[W; 9],
    (forced, known): (&[W; 9], W),
    report: &mut Report<W>,
) {
    let mut x = plane.cells;
    let mut placed = zero;
    for place in 0..9 {
        placed = placed | x[place] & single[place];
    }
    for place in 0..9 {
        x[place] = x[place] & (!placed | single[place]) & (!forced[place] | known);
    }
    plane.cells = x;
    let [rows, cols] = &mut plane.lines;
    let mut any = zero;
    for line in 0..3 {
        let row = x[3 * line] | x[3 * line + 1] | x[3 * line + 2];
        let col = x[line] | x[line + 3] | x[line + 6];
        report.changed = report.changed | row ^ rows[line];
        report.changed = report.changed | col ^ cols[line];
        rows[line] = row;
        cols[line] = col;
        any = any | row;
    }
    report.bad = report.bad | !any;
}
