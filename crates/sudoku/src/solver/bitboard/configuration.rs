//! Chooses what `bitboard` tries next: a digit, a band or stack, and the digit's configuration there.
//!
//! ```text
//!  in a band, a digit has one of six configurations. For example, 231 means: row 2 in box 1, row 3 in box 2, row 1 in box 3
//!
//!   box    1 2 3     1 2 3
//!   row 1  1 . .     . . 1             even: 123 231 312
//!   row 2  . 1 .     1 . .    ...      odd:  132 213 321
//!   row 3  . . 1     . 1 .
//!           123       231
//!
//!  for each of 3 bands + 3 stacks
//!    count the remaining configurations of each digit
//!    add up the counts of the nine digits: if the sum is 9, each digit has one configuration, and there is nothing to choose
//!  take the band or stack with the smallest sum above 9,
//!  and in this band or stack the digit with the fewest configurations, but at least two
//! ```
//!
//! The remaining configurations of a digit are stored as one byte for each of the six bands and stacks. So the six counts of a digit fit
//! into one 64-bit integer, and so do the six sums over the nine digits:
//!
//! ```text
//!   byte of a band    bits 0 3 6: the even configurations that use row 1 in box 1, 2, 3       bits 1 4 7: the odd ones
//!   byte of a stack   bits 0-2: the even configurations that use column 1, 2, 3 in band 1     bits 3-5: the odd ones
//! ```

use super::infer::{BAND, Board, Rules};
use crate::simd::{Digits, Simd};

/// A digit to branch on, and the cells that remain for this digit in each band of the grid, on both branches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Configuration {
    pub(super) digit: usize,
    /// The digit's cells if the digit takes its first configuration in the chosen band or stack.
    pub(super) first: [u32; 3],
    /// The digit's cells if the digit takes one of its other configurations in this band or stack.
    pub(super) others: [u32; 3],
}

/// For each value of the byte of a band: the cells of the configurations in the byte.
static OF_BAND: [u32; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 * 9 {
        let (byte, bit) = (index / 9, index % 9);
        if bit < 8 && byte >> bit & 1 == 1 && bit % 3 < 2 {
            let mut stack = 0;
            while stack < 3 {
                // Starting from the box that uses the first row, even configurations descend to the right, odd ones to
                // the left.
                let row = if bit % 3 == 0 { 3 + stack - bit / 3 } else { 3 + bit / 3 - stack };
                table[byte] |= 7 << (9 * (row % 3) + 3 * stack);
                stack += 1;
            }
        }
        index += 1;
    }
    table
};

/// For each value of the byte of the first stack: the cells of the configurations in the byte, one set of cells for each band. For the
/// other stacks, these cells are shifted.
static OF_STACK: [[u32; 3]; 64] = {
    let mut table = [[0; 3]; 64];
    let mut index = 0;
    while index < 64 * 6 {
        let (byte, bit) = (index / 6, index % 6);
        if byte >> bit & 1 == 1 {
            let mut band = 0;
            while band < 3 {
                let step = if bit < 3 { band } else { 3 - band };
                table[byte][band] |= 0o001_001_001 << ((bit % 3 + step) % 3);
                band += 1;
            }
        }
        index += 1;
    }
    table
};

/// The cells of the first stack in a band.
const STACK: u32 = 0o007_007_007;

/// The lowest bit of each byte.
const BYTES: u64 = 0x0101_0101_0101_0101;

/// Returns the number of set bits of each byte.
#[inline(always)]
fn count_bytes(bits: u64) -> u64 {
    let pairs = bits - (bits >> 1 & (0x55 * BYTES));
    let fours = (pairs & (0x33 * BYTES)) + (pairs >> 2 & (0x33 * BYTES));
    (fours + (fours >> 4)) & (0x0f * BYTES)
}

/// Returns the digit to branch on, with its first configuration and its other configurations. Returns `None` if each undecided digit of the
/// chosen band or stack still has all six configurations.
#[inline(always)]
pub(super) fn fewest<const N: usize, S: Simd<N>>(
    simd: S,
    rules: &Rules<S::Digits>,
    board: &Board<S::Digits>,
) -> Option<Configuration> {
    let (bands, stacks) =
        (rules.remaining_in_bands(simd, board).lanes(), rules.remaining_in_stacks(simd, board).lanes());
    let (mut left, mut counts, mut sums) = ([0; 9], [0; 9], 0);
    for digit in 0..9 {
        left[digit] = u64::from(bands[digit]) | u64::from(stacks[digit]) << 24;
        counts[digit] = count_bytes(left[digit]);
        sums += counts[digit];
    }
    // A sum of nine leaves no choice. Subtracting ten wraps a sum of nine around to 255, so it is larger than all other sums.
    let mut least = (u64::MAX, 0);
    for unit in 0..6 {
        let sum = (sums >> (8 * unit) & 0xff).wrapping_sub(10) & 0xff;
        least = least.min((sum, unit));
    }
    let unit = least.1;
    // In the same way, subtracting two makes a count of one larger than all other counts. The low bits hold the digit.
    let mut fewest = u64::MAX;
    for (digit, count) in counts.iter().enumerate() {
        let count = (count >> (8 * unit) & 0xff).wrapping_sub(2) & 0xff;
        fewest = fewest.min(count << 4 | digit as u64);
    }
    let digit = fewest as usize % 16;
    if fewest >> 4 >= 4 {
        return None;
    }
    let byte = (left[digit] >> (8 * unit) & 0xff) as usize;
    let first = byte & byte.wrapping_neg();
    Some(Configuration { digit, first: kept(unit, first), others: kept(unit, byte ^ first) })
}

/// Returns for each band the cells that the digit keeps: all cells outside the chosen band or stack, and inside it the cells of the
/// configurations in `byte`.
#[inline(always)]
fn kept(unit: usize, byte: usize) -> [u32; 3] {
    let mut kept = [BAND; 3];
    if unit < 3 {
        kept[unit] = OF_BAND[byte % 256];
    } else {
        let shift = 3 * (unit - 3);
        for band in 0..3 {
            kept[band] = BAND & !(STACK << shift) | OF_STACK[byte % 64][band] << shift;
        }
    }
    kept
}

impl<D: Digits> Rules<D> {
    /// Returns, in the lane of each digit, its remaining configurations in the bands: one byte for each band.
    #[inline(always)]
    fn remaining_in_bands<const N: usize>(&self, simd: impl Simd<N, Digits = D>, board: &Board<D>) -> D {
        let flags = self.minirows_of(board);
        let (even, odd) = even_and_odd(flags, self.other_boxes(flags));
        let low = simd.digits([0o111; 16]);
        let (middle, high) = (low.left::<1>(), low.left::<2>());
        (even & low | (odd & low).left::<1>())
            | ((even & middle).left::<7>() | (odd & middle).left::<8>())
            | ((even & high).left::<14>() | (odd & high).left::<15>())
    }

    /// Returns, in the lane of each digit, its remaining configurations in the stacks: one byte for each stack.
    #[inline(always)]
    fn remaining_in_stacks<const N: usize>(&self, simd: impl Simd<N, Digits = D>, board: &Board<D>) -> D {
        let flags = self.minicols_of(board);
        let (even, odd) = even_and_odd(flags, self.other_columns(flags));
        let low = simd.digits([0o007; 16]);
        let (middle, high) = (low.left::<3>(), low.left::<6>());
        (even & low | (odd & low).left::<3>())
            | ((even & middle).left::<5>() | (odd & middle).left::<8>())
            | ((even & high).left::<10>() | (odd & high).left::<13>())
    }
}

/// Returns the remaining even configurations and the remaining odd configurations. Each configuration is one bit, at the same position as
/// the flag of the minirow that the configuration uses in row 1 (or of the minicol that it uses in band 1). `next` and `last` are the
/// results of [`Rules::other_boxes`] (or [`Rules::other_columns`]) for `flags`.
#[inline(always)]
fn even_and_odd<D: Digits>(flags: D, (next, last): (D, D)) -> (D, D) {
    (flags & next.right::<9>() & last.right::<18>(), flags & last.right::<9>() & next.right::<18>())
}
