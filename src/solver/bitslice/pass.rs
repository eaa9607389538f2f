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
#![forbid(unsafe_code)]

use super::state::{
    BoxPlanes, MINICOLS, MINIROWS, Plane, Report, State, Word, column, majority, one_of,
};
use crate::simd::Simd;

/// One pass over the nine boxes.
pub(super) fn pass<S: Simd, const N: usize>(simd: S, state: &mut State<N>) -> Report<N> {
    let mut report = Report::BLANK;
    let mut settle = |own: &mut _, beside: [&_; 2], stacked: [&_; 2]| {
        simd.call(|| settle_box(own, beside, stacked, &mut report));
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

/// What one box needs to remember between its three steps.
#[repr(C, align(64))]
struct Marks<const N: usize> {
    /// By digit: its cell in this box is known.
    known: [Word<N>; 9],
    /// By cell: exactly one digit is left.
    single: [Word<N>; 9],
    /// By cell: a known digit belongs here.
    forced: [Word<N>; 9],
}

/// One box of a pass; `beside` are the other boxes of its band, `stacked` those of its stack.
#[inline(always)]
fn settle_box<const N: usize>(
    own: &mut BoxPlanes<N>,
    beside: [&BoxPlanes<N>; 2],
    stacked: [&BoxPlanes<N>; 2],
    report: &mut Report<N>,
) {
    let mut marks = Marks { known: [[0; N]; 9], single: [[0; N]; 9], forced: [[0; N]; 9] };
    for digit in 0..9 {
        let beside = beside.map(|planes| &planes[digit].lines[MINIROWS]);
        let stacked = stacked.map(|planes| &planes[digit].lines[MINICOLS]);
        filter_digit(&mut own[digit], beside, stacked, &mut marks.known[digit]);
    }
    mark_cells(own, &mut marks, report);
    for digit in 0..9 {
        exclude_digit(&mut own[digit], &marks, &marks.known[digit], report);
    }
}

/// Of the three lines of the own box, those that some placement in the band or stack uses.
#[inline(always)]
fn permitted(own: [u64; 3], first: [u64; 3], second: [u64; 3]) -> [u64; 3] {
    [
        own[0] & (first[1] & second[2] | first[2] & second[1]),
        own[1] & (first[2] & second[0] | first[0] & second[2]),
        own[2] & (first[0] & second[1] | first[1] & second[0]),
    ]
}

/// Step 1 for a digit: keeps the cells in permitted minirows and minicols.
#[inline(always)]
fn filter_digit<const N: usize>(
    plane: &mut Plane<N>,
    beside: [&[Word<N>; 3]; 2],
    stacked: [&[Word<N>; 3]; 2],
    known: &mut Word<N>,
) {
    for at in 0..N {
        let own = |lines: usize| column(&plane.lines[lines], at);
        let rows = permitted(own(MINIROWS), column(beside[0], at), column(beside[1], at));
        let cols = permitted(own(MINICOLS), column(stacked[0], at), column(stacked[1], at));
        known[at] = one_of(rows[0], rows[1], rows[2]) & one_of(cols[0], cols[1], cols[2]);
        for place in 0..9 {
            plane.cells[place][at] &= rows[place / 3] & cols[place % 3];
        }
    }
}

/// Step 2: the cells with one digit left, and those that a known digit claims.
#[inline(always)]
fn mark_cells<const N: usize>(own: &BoxPlanes<N>, marks: &mut Marks<N>, report: &mut Report<N>) {
    let Marks { known, single, forced } = marks;
    for place in 0..9 {
        let candidates: [&Word<N>; 9] = std::array::from_fn(|digit| &own[digit].cells[place]);
        let (single, forced) = (&mut single[place], &mut forced[place]);
        for at in 0..N {
            let x: [u64; 9] = std::array::from_fn(|digit| candidates[digit][at]);
            let some = [0, 3, 6].map(|i| x[i] | x[i + 1] | x[i + 2]);
            let twice = [0, 3, 6].map(|i| majority(x[i], x[i + 1], x[i + 2]));
            let any = some[0] | some[1] | some[2];
            let one = one_of(some[0], some[1], some[2]) & !(twice[0] | twice[1] | twice[2]);
            single[at] = one;
            report.unsolved[at] |= any & !one;
            report.bad[at] |= !any;
            forced[at] = (0..9).fold(0, |claimed, digit| claimed | x[digit] & known[digit][at]);
        }
    }
}

/// Step 3 for a digit: takes it from the cells that other cells or other digits exclude, and computes its flags.
#[inline(always)]
fn exclude_digit<const N: usize>(
    plane: &mut Plane<N>,
    marks: &Marks<N>,
    known: &Word<N>,
    report: &mut Report<N>,
) {
    let Plane { cells, lines: [rows, cols] } = plane;
    for at in 0..N {
        let mut x: [u64; 9] = std::array::from_fn(|place| cells[place][at]);
        let placed = (0..9).fold(0, |placed, place| placed | x[place] & marks.single[place][at]);
        for place in 0..9 {
            x[place] &= (!placed | marks.single[place][at]) & (!marks.forced[place][at] | known[at]);
            cells[place][at] = x[place];
        }
        let (mut changed, mut any) = (report.changed[at], 0);
        for line in 0..3 {
            let row = x[3 * line] | x[3 * line + 1] | x[3 * line + 2];
            let col = x[line] | x[line + 3] | x[line + 6];
            changed |= (row ^ rows[line][at]) | (col ^ cols[line][at]);
            rows[line][at] = row;
            cols[line][at] = col;
            any |= row;
        }
        report.changed[at] = changed;
        report.bad[at] |= !any;
    }
}
