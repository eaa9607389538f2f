//! The triple rule: three cells and three digits, counted on the flags alone.
//!
//! A miniline is three cells, and so holds three digits. For each of the 54:
//!
//! ```text
//!   minirow   a b c | a b c d | ..       exactly three digits possible: they go nowhere else in the box
//!                                        or line, so strike them from the other minilines of both
//!   box       a b . | . . .              exactly three digits with no other miniline in the box: the
//!             . . . | . . .              miniline holds those, so strike all other digits from it
//!
//!   fewer than three possible, or more than three confined to it: a contradiction
//! ```
//!
//! Only flags are struck here; the next pass takes the cells along.
#![forbid(unsafe_code)]

use super::state::{BoxPlanes, MINICOLS, MINIROWS, Report, State, Word, column, majority};
use crate::simd::Simd;

/// Applies the rule to the three bands and the three stacks.
pub(super) fn triple<S: Simd, const N: usize>(simd: S, state: &mut State<N>) -> Report<N> {
    let mut report = Report::BLANK;
    for band in state.boxes.as_chunks_mut::<3>().0 {
        simd.call(|| strike_band::<MINIROWS, N>(band.each_mut(), &mut report));
    }
    let [b0, b1, b2, b3, b4, b5, b6, b7, b8] = &mut state.boxes;
    for stack in [[b0, b3, b6], [b1, b4, b7], [b2, b5, b8]] {
        simd.call(|| strike_band::<MINICOLS, N>(stack, &mut report));
    }
    report
}

/// For each miniline of a band, by box and line.
type Minilines<const N: usize> = [[Word<N>; 3]; 3];

/// The rule on the nine minilines of one band (or stack).
#[inline(always)]
fn strike_band<const LINES: usize, const N: usize>(
    mut boxes: [&mut BoxPlanes<N>; 3],
    report: &mut Report<N>,
) {
    let mut open: Minilines<N> = [[[0; N]; 3]; 3];
    let mut filled: Minilines<N> = [[[0; N]; 3]; 3];
    for (index, planes) in boxes.iter().enumerate() {
        for line in 0..3 {
            let (open, filled) = (&mut open[index][line], &mut filled[index][line]);
            count_miniline::<LINES, N>(planes, line, open, filled, &mut report.bad);
        }
    }
    for digit in 0..9 {
        let [first, second, third] = boxes.each_mut().map(|planes| &mut planes[digit].lines[LINES]);
        strike_digit([first, second, third], &open, &filled, &mut report.changed);
    }
}

/// Whether of nine bits exactly three are set, more than three, fewer than three.
#[inline(always)]
fn compare_with_three(x: [u64; 9]) -> (u64, u64, u64) {
    let sums = [0, 3, 6].map(|i| x[i] ^ x[i + 1] ^ x[i + 2]);
    let carries = [0, 3, 6].map(|i| majority(x[i], x[i + 1], x[i + 2]));
    let ones = sums[0] ^ sums[1] ^ sums[2];
    let carry = majority(sums[0], sums[1], sums[2]);
    let twos = carries[0] ^ carries[1] ^ carries[2];
    let more = majority(carries[0], carries[1], carries[2]) | twos & carry;
    let low_three = ones & (twos ^ carry);
    (low_three & !more, more, !more & !low_three)
}

/// Counts the digits of a miniline: `open` where just three are possible, `filled` where just three are confined
/// to it within the box.
#[inline(always)]
fn count_miniline<const LINES: usize, const N: usize>(
    planes: &BoxPlanes<N>,
    line: usize,
    open: &mut Word<N>,
    filled: &mut Word<N>,
    bad: &mut Word<N>,
) {
    let flags: [[&Word<N>; 3]; 9] = std::array::from_fn(|digit| {
        [0, 1, 2].map(|step| &planes[digit].lines[LINES][(line + step) % 3])
    });
    for at in 0..N {
        let possible = flags.map(|[own, _, _]| own[at]);
        let confined = flags.map(|[own, next, last]| own[at] & !next[at] & !last[at]);
        let (three_possible, _, fewer) = compare_with_three(possible);
        let (three_confined, more, _) = compare_with_three(confined);
        open[at] = three_possible;
        filled[at] = three_confined;
        bad[at] |= fewer | more;
    }
}

/// Strikes one digit from the minilines that the counts exclude.
#[inline(always)]
fn strike_digit<const N: usize>(
    flags: [&mut [Word<N>; 3]; 3],
    open: &Minilines<N>,
    filled: &Minilines<N>,
    changed: &mut Word<N>,
) {
    for at in 0..N {
        let before: [[u64; 3]; 3] = std::array::from_fn(|index| column(flags[index], at));
        let mut settled = before;
        for index in 0..3 {
            for line in 0..3 {
                settled[index][line] &= open[index][line][at];
            }
        }
        let mut change = changed[at];
        for index in 0..3 {
            for line in 0..3 {
                let (next, last) = ((line + 1) % 3, (line + 2) % 3);
                let in_box = settled[index][next] | settled[index][last];
                let in_line = settled[(index + 1) % 3][line] | settled[(index + 2) % 3][line];
                let elsewhere = before[index][next] | before[index][last];
                let struck = in_box | in_line | filled[index][line][at] & elsewhere;
                change |= before[index][line] & struck;
                flags[index][line][at] = before[index][line] & !struck;
            }
        }
        changed[at] = change;
    }
}
