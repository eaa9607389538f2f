//! Where to branch: for all lanes at once.
//!
//! ```text
//!  a digit in a band is one of six configurations:     for each of 3 bands + 3 stacks
//!                                                        count the configurations left of each digit
//!   box 1 2 3                                            add them up: 9 means all is decided
//!   1 . .    . 1 .  ...   even: 123 231 312            take the band with the smallest sum that is not 9,
//!   . 1 .    . . 1  ...   odd:  132 213 321            in it the digit with the fewest of two or more
//!   . . 1    1 . .  ...
//! ```
//!
//! Only a lane that the last pass left unchanged may branch on configurations: its flags tell the truth. Others
//! branch on a cell, as do lanes that look for the smallest solution, which take the first open cell.
#![forbid(unsafe_code)]

use super::state::{BoxPlanes, CHOICE_BITS, MINICOLS, MINIROWS, State, Word, column, majority};

/// The row that each configuration uses in the three boxes of its band.
pub(super) const CONFIGURATIONS: [[usize; 3]; 6] =
    [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

/// The three boxes of a band, numbered 0 to 2, or of a stack, 3 to 5.
const fn boxes_of_band(band: usize) -> [usize; 3] {
    if band < 3 { [3 * band, 3 * band + 1, 3 * band + 2] } else { [band - 3, band, band + 3] }
}

/// The bits of a sum of nine counts, and one for "nothing to decide here".
const SUM_BITS: usize = 7;

/// By digit and configuration: what is left.
type Open<const N: usize> = [[Word<N>; 6]; 9];

/// A band, what it has left, and the sum of it.
#[repr(C, align(64))]
struct Band<const N: usize> {
    open: Open<N>,
    sum: [Word<N>; SUM_BITS],
}

impl<const N: usize> Band<N> {
    const BLANK: Band<N> = Band { open: [[[0; N]; 6]; 9], sum: [[0; N]; SUM_BITS] };
}

/// Writes to `state.choice` the configurations left (six bits), the band (three) and the digit (four) that
/// each lane is to branch on.
#[inline(always)]
pub(super) fn choose_configuration<const N: usize>(state: &mut State<N>) {
    let (mut best, mut other) = (Band::BLANK, Band::BLANK);
    let mut number = [[0; N]; 3];
    count_band(&state.boxes, 0, &mut best);
    for band in 1..6 {
        count_band(&state.boxes, band, &mut other);
        let less = keep_smaller(&mut best, &other);
        for (bit, plane) in number.iter_mut().enumerate() {
            for at in 0..N {
                let set = if band >> bit & 1 == 1 { less[at] } else { 0 };
                plane[at] = plane[at] & !less[at] | set;
            }
        }
    }
    state.choice[6..9].copy_from_slice(&number);
    choose_digit(&best.open, &mut state.choice);
}

/// The number of set bits among six, in binary.
#[inline(always)]
fn count_six(x: [u64; 6]) -> [u64; 3] {
    let sums = [x[0] ^ x[1] ^ x[2], x[3] ^ x[4] ^ x[5]];
    let carries = [majority(x[0], x[1], x[2]), majority(x[3], x[4], x[5])];
    let carry = sums[0] & sums[1];
    let twos = carries[0] ^ carries[1] ^ carry;
    [sums[0] ^ sums[1], twos, majority(carries[0], carries[1], carry)]
}

/// Counts the configurations of the nine digits in a band.
#[inline(always)]
fn count_band<const N: usize>(boxes: &[BoxPlanes<N>; 9], band: usize, to: &mut Band<N>) {
    let lines = if band < 3 { MINIROWS } else { MINICOLS };
    let three = boxes_of_band(band);
    let Band { open, sum } = to;
    *sum = [[0; N]; SUM_BITS];
    for (digit, open) in open.iter_mut().enumerate() {
        let flags = three.map(|in_box| &boxes[in_box][digit].lines[lines]);
        for at in 0..N {
            let flags = flags.map(|flags| column(flags, at));
            let left = CONFIGURATIONS.map(|rows| flags[0][rows[0]] & flags[1][rows[1]] & flags[2][rows[2]]);
            for configuration in 0..6 {
                open[configuration][at] = left[configuration];
            }
            let count = count_six(left);
            let mut carry = 0;
            for bit in 0..SUM_BITS - 1 {
                let (a, b) = (sum[bit][at], if bit < 3 { count[bit] } else { 0 });
                sum[bit][at] = a ^ b ^ carry;
                carry = majority(a, b, carry);
            }
        }
    }
    for at in 0..N {
        let nine = sum[0][at] & sum[3][at] & !(sum[1][at] | sum[2][at] | sum[4][at] | sum[5][at]);
        sum[SUM_BITS - 1][at] = nine;
    }
}

/// Replaces `best` by `other` in the lanes where its sum is smaller; says which.
#[inline(always)]
fn keep_smaller<const N: usize>(best: &mut Band<N>, other: &Band<N>) -> Word<N> {
    let mut less = [0; N];
    for at in 0..N {
        for bit in 0..SUM_BITS {
            less[at] = majority(!other.sum[bit][at], best.sum[bit][at], less[at]);
        }
        for bit in 0..SUM_BITS {
            best.sum[bit][at] = best.sum[bit][at] & !less[at] | other.sum[bit][at] & less[at];
        }
    }
    for (best, other) in best.open.iter_mut().zip(&other.open) {
        for at in 0..N {
            for configuration in 0..6 {
                let (x, y) = (best[configuration][at], other[configuration][at]);
                best[configuration][at] = x & !less[at] | y & less[at];
            }
        }
    }
    less
}

/// Writes the digit with the fewest configurations of two or more, and those configurations.
#[inline(always)]
fn choose_digit<const N: usize>(open: &Open<N>, choice: &mut [Word<N>; CHOICE_BITS]) {
    // Two, three, four or five, six: the digits that have so many, each class before the next.
    let mut classes = [[[0; N]; 9]; 4];
    for digit in 0..9 {
        for at in 0..N {
            let [ones, twos, fours] = count_six(open[digit].map(|left| left[at]));
            classes[0][digit][at] = twos & !ones & !fours;
            classes[1][digit][at] = twos & ones & !fours;
            classes[2][digit][at] = fours & !twos;
            classes[3][digit][at] = fours & twos;
        }
    }
    let mut free = [!0; N];
    let mut chosen = [[0; N]; 9];
    for class in &classes {
        for digit in 0..9 {
            for at in 0..N {
                let first = class[digit][at] & free[at];
                free[at] &= !first;
                chosen[digit][at] |= first;
            }
        }
    }
    choice[..6].fill([0; N]);
    choice[9..].fill([0; N]);
    for digit in 0..9 {
        for at in 0..N {
            for configuration in 0..6 {
                choice[configuration][at] |= open[digit][configuration][at] & chosen[digit][at];
            }
            for bit in 0..4 {
                choice[9 + bit][at] |= if (digit >> bit) & 1 == 1 { chosen[digit][at] } else { 0 };
            }
        }
    }
}
