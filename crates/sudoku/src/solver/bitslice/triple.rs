//! The triple rule: three cells and three digits, counted on the flags only.
//!
//! A miniline is a minirow or a minicol: the three cells of a box in one row or column. So it holds three digits. For each of the 54
//! minilines:
//!
//! ```text
//!   minirow   a b c | a b c d | ..       exactly three digits are possible in the miniline: they go nowhere else in the box
//!                                        or line, so remove them from the other minilines of the box and the line
//!   box       a b . | . . .              exactly three digits have no place in the other two minilines of the box: the
//!             . . . | . . .              miniline has exactly these digits, so remove all others from it
//!
//!   fewer than three digits are possible in the miniline, or more than three have no place in the other two: a contradiction
//! ```
//!
//! This rule only clears flags; the next pass finds out what follows for the cells.

use super::state::{BandPlanes, Minilines, State, count_nine};
use crate::simd::{Kernel, Simd, Word};

/// Applies the rule to the three bands and the three stacks. Returns the lanes in which the rule finds a contradiction.
pub(super) fn triple<S: Simd<N>, const N: usize>(simd: S, state: &mut State<S::Word>) -> S::Word {
    let mut bad = simd.zero();
    for band in &mut state.bands {
        simd.call(StrikeBand { zero: simd.zero(), band, bad: &mut bad });
    }
    bad
}

/// Applies the rule to the nine minilines of one band (or stack).
struct StrikeBand<'s, W> {
    zero: W,
    band: &'s mut BandPlanes<W>,
    bad: &'s mut W,
}

impl<W: Word> Kernel for StrikeBand<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let StrikeBand { zero, band, bad: found } = self;
        // `open`: for each miniline, the lanes in which exactly three digits are possible there. `filled`: for each miniline, the lanes in
        // which exactly three of the digits possible there are possible in no other miniline of the box.
        let (mut open, mut filled): (Minilines<W>, Minilines<W>) = ([[zero; 3]; 3], [[zero; 3]; 3]);
        let mut bad = *found;
        for index in 0..3 {
            for line in 0..3 {
                let mut possible = [zero; 9];
                let mut confined = [zero; 9];
                for digit in 0..9 {
                    let flags = &band[digit][index];
                    possible[digit] = flags[line];
                    confined[digit] = flags[line] & !(flags[(line + 1) % 3] | flags[(line + 2) % 3]);
                }
                let [ones, twos, fours] = count_nine(possible);
                open[index][line] = ones & twos & !fours;
                bad = bad | !(fours | ones & twos);
                let [ones, twos, fours] = count_nine(confined);
                filled[index][line] = ones & twos & !fours;
                bad = bad | fours;
            }
        }
        *found = bad;
        for digit in 0..9 {
            let before = band[digit];
            let struck = struck_minilines(zero, &before, &open, &filled);
            for index in 0..3 {
                for line in 0..3 {
                    band[digit][index][line] = before[index][line] & !struck[index][line];
                }
            }
        }
    }
}

/// Returns the minilines in which a digit cannot be. `flags` are the flags of the digit; `open` and `filled` are explained in `StrikeBand`.
#[inline(always)]
fn struck_minilines<W: Word>(
    zero: W,
    flags: &Minilines<W>,
    open: &Minilines<W>,
    filled: &Minilines<W>,
) -> Minilines<W> {
    let (mut certain, mut struck) = ([[zero; 3]; 3], [[zero; 3]; 3]);
    for index in 0..3 {
        for line in 0..3 {
            certain[index][line] = flags[index][line] & open[index][line];
        }
    }
    for index in 0..3 {
        for line in 0..3 {
            let (next, last) = ((line + 1) % 3, (line + 2) % 3);
            let in_box = certain[index][next] | certain[index][last];
            let in_line = certain[(index + 1) % 3][line] | certain[(index + 2) % 3][line];
            let elsewhere = flags[index][next] | flags[index][last];
            struck[index][line] = in_box | in_line | filled[index][line] & elsewhere;
        }
    }
    struck
}
