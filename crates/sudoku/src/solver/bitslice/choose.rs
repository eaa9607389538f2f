//! Chooses where to branch, for all lanes together. This is how a lane chooses a configuration of a digit:
//!
//! ```text
//!  a digit in a band has one of six configurations:
//!
//!   box 1 2 3
//!   1 . .    . 1 .  ...   even: 123 231 312
//!   . 1 .    . . 1  ...   odd:  132 213 321
//!   . . 1    1 . .  ...
//!
//!  for each of 3 bands + 3 stacks
//!    count the remaining configurations of each digit
//!    add up the counts of the nine digits: 9 means that all nine digits are decided
//!  take the band or stack with the smallest sum other than 9,
//!  and in this band or stack the digit with the fewest configurations, but at least two
//! ```
//!
//! And this is how a lane chooses a cell:
//!
//! ```text
//!  for each cell, row by row
//!    a lane that takes the alternatives in order takes the first cell with two digits or more,
//!    any other lane takes the first cell with exactly two digits; if there is none, the first cell with more
//! ```
//!
//! Only a lane that the previous pass left unchanged may branch on a configuration, because only then are its flags up to date. Other
//! lanes, lanes that search for the smallest solution, and all lanes of an eager round (see `lane_solver.rs`) branch on a cell.

use super::lane_rows::CELL_BITS;
use super::state::{
    BANDS, BandPlanes, CHOICE_PLANES, Minilines, State, count_nine, is_unknown, majority, place_of,
};
use crate::puzzle::CELLS;
use crate::simd::{Kernel, Word};

/// For each configuration in a band, the row that it uses in each of the three boxes. For a configuration in a stack, the column.
pub(super) const CONFIGURATIONS: [[usize; 3]; 6] =
    [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

/// Number of bits of a [`Sum`]: six for the sum of nine counts, and a highest bit that means "nothing to decide here".
const SUM_BITS: usize = 7;

/// A sum of nine counts in each lane: one word for each bit.
type Sum<W> = [W; SUM_BITS];

/// For each digit and configuration: the lanes in which the configuration remains.
type Open<W> = [[W; 6]; 9];

/// Writes to `state.choice` where each lane branches: the remaining configurations (six planes), the digit (four) and the band or stack
/// (three). A plane has one bit for each lane.
pub(super) struct ChooseConfiguration<'s, W> {
    pub(super) zero: W,
    pub(super) state: &'s mut State<W>,
}

impl<W: Word> Kernel for ChooseConfiguration<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let ChooseConfiguration { zero, state } = self;
        let mut least = sum_of_band(zero, &state.bands[0]);
        // For each band or stack: the lanes that branch in it.
        let mut chosen = [zero; BANDS];
        chosen[0] = !zero;
        for band in 1..BANDS {
            let sum = sum_of_band(zero, &state.bands[band]);
            let less = keep_smaller(zero, &mut least, &sum);
            for earlier in &mut chosen {
                *earlier = *earlier & !less;
            }
            chosen[band] = less;
        }
        let mut open = [[zero; 6]; 9];
        for digit in 0..9 {
            open[digit] = configurations(&flags_of_chosen(zero, &state.bands, digit, &chosen));
        }
        let [_, b1, b2, b3, b4, b5] = chosen;
        state.choice[10..13].copy_from_slice(&[b1 | b3 | b5, b2 | b3, b4 | b5]);
        choose_digit(zero, &open, &mut state.choice);
    }
}

/// Returns the flags of a digit in the band or stack that each lane has chosen.
#[inline(always)]
fn flags_of_chosen<W: Word>(
    zero: W,
    bands: &[BandPlanes<W>; BANDS],
    digit: usize,
    chosen: &[W; BANDS],
) -> Minilines<W> {
    let mut of_chosen = [[zero; 3]; 3];
    for band in 0..BANDS {
        let flags = &bands[band][digit];
        for index in 0..3 {
            for line in 0..3 {
                of_chosen[index][line] = of_chosen[index][line] | flags[index][line] & chosen[band];
            }
        }
    }
    of_chosen
}

/// Returns the configurations that the flags allow.
#[inline(always)]
fn configurations<W: Word>(flags: &Minilines<W>) -> [W; 6] {
    let mut left = [flags[0][0]; 6];
    for configuration in 0..6 {
        let [first, second, third] = CONFIGURATIONS[configuration];
        left[configuration] = flags[0][first] & flags[1][second] & flags[2][third];
    }
    left
}

/// Counts in each lane how many of the six bits are set. Returns one word for each bit of the count, the lowest bit first.
#[inline(always)]
fn count_six<W: Word>(x: [W; 6]) -> [W; 3] {
    let sums = [x[0] ^ x[1] ^ x[2], x[3] ^ x[4] ^ x[5]];
    let carries = [majority(x[0], x[1], x[2]), majority(x[3], x[4], x[5])];
    let carry = sums[0] & sums[1];
    let twos = carries[0] ^ carries[1] ^ carry;
    [sums[0] ^ sums[1], twos, majority(carries[0], carries[1], carry)]
}

/// Counts the remaining configurations of each digit in a band or stack, and returns the sum of the nine counts. If the sum is nine,
/// nothing is left to decide in the band or stack, so the highest bit is also set, and the lane does not branch there.
#[inline(always)]
fn sum_of_band<W: Word>(zero: W, band: &BandPlanes<W>) -> Sum<W> {
    let mut sum = [zero; SUM_BITS];
    for flags in band {
        let count = count_six(configurations(flags));
        let mut carry = zero;
        for bit in 0..SUM_BITS - 1 {
            let (a, b) = (sum[bit], if bit < 3 { count[bit] } else { zero });
            sum[bit] = a ^ b ^ carry;
            carry = majority(a, b, carry);
        }
    }
    // Nine is 0b1001: one configuration for each digit. The highest bit makes this sum larger than any other.
    sum[SUM_BITS - 1] = sum[0] & sum[3] & !(sum[1] | sum[2] | sum[4] | sum[5]);
    sum
}

/// Replaces `least` by `sum` in the lanes where `sum` is smaller. Returns these lanes.
#[inline(always)]
fn keep_smaller<W: Word>(zero: W, least: &mut Sum<W>, sum: &Sum<W>) -> W {
    let mut less = zero;
    for bit in 0..SUM_BITS {
        less = majority(!sum[bit], least[bit], less);
    }
    for bit in 0..SUM_BITS {
        least[bit] = least[bit] & !less | sum[bit] & less;
    }
    less
}

/// Among the digits with at least two configurations, finds the digit with the fewest. Writes this digit and its configurations to
/// `choice`. Four and five configurations count as equally few.
#[inline(always)]
fn choose_digit<W: Word>(zero: W, open: &Open<W>, choice: &mut [W; CHOICE_PLANES]) {
    // For each class (2, 3, 4 to 5, or 6 configurations) and each digit: the lanes in which the digit is in this class. Classes with fewer
    // configurations come first.
    let mut classes = [[zero; 9]; 4];
    for digit in 0..9 {
        let [ones, twos, fours] = count_six(open[digit]);
        classes[0][digit] = twos & !(ones | fours);
        classes[1][digit] = twos & ones & !fours;
        classes[2][digit] = fours & !twos;
        classes[3][digit] = fours & twos;
    }
    let mut free = !zero;
    let mut chosen = [zero; 9];
    for class in &classes {
        for digit in 0..9 {
            chosen[digit] = chosen[digit] | class[digit] & free;
            free = free & !class[digit];
        }
    }
    let (mut configurations, mut number) = ([zero; 6], [zero; 4]);
    for digit in 0..9 {
        for configuration in 0..6 {
            configurations[configuration] =
                configurations[configuration] | open[digit][configuration] & chosen[digit];
        }
        for (bit, number) in number.iter_mut().enumerate() {
            *number = if (digit >> bit) & 1 == 1 { *number | chosen[digit] } else { *number };
        }
    }
    choice[..6].copy_from_slice(&configurations);
    choice[6..10].copy_from_slice(&number);
}

/// Chooses a cell to branch on in each of `lanes`. Writes the number and the digits of the cell to `state.choice`. Only open cells can be
/// chosen: cells whose digit is not known and that have at least two candidates. Returns the lanes that have an open cell. `first_cell` has
/// the lanes that take their first open cell, even if it has more than two digits.
pub(super) struct ChooseCell<'s, W> {
    pub(super) zero: W,
    pub(super) state: &'s mut State<W>,
    pub(super) lanes: W,
    pub(super) first_cell: W,
}

impl<W: Word> Kernel for ChooseCell<'_, W> {
    type Output = W;

    #[inline(always)]
    fn run(self) -> W {
        let ChooseCell { zero, state, lanes, first_cell } = self;
        let mut taken = [zero; CELLS + 1];
        let mut several = [zero; CELLS];
        let mut digits = [zero; 9];
        let mut free = lanes;
        for band in 0..3 {
            let mut closed = [[zero; 9]; 3];
            for index in 0..3 {
                closed[index] = closed_cells(zero, state, 3 * band + index);
            }
            for cell in 27 * band..27 * (band + 1) {
                let (in_box, place) = place_of(cell);
                let candidates = candidates_of(zero, state, (in_box, place));
                let [ones, twos, fours] = count_nine(candidates);
                several[cell] = (twos | fours) & !closed[in_box % 3][place];
                let two = several[cell] & !(ones | fours);
                let takes = (two | several[cell] & first_cell) & free;
                free = free & !takes;
                taken[cell] = takes;
                note_digits(&mut digits, &candidates, takes);
            }
        }
        if free.bits() != zero.bits() {
            for cell in 0..CELLS {
                let takes = several[cell] & free;
                free = free & !takes;
                taken[cell] = taken[cell] | takes;
                let (in_box, place) = place_of(cell);
                note_digits(&mut digits, &candidates_of(zero, state, (in_box, place)), takes);
            }
        }
        let number = numbers(zero, &mut taken);
        for (plane, number) in state.choice.iter_mut().zip(number) {
            *plane = *plane & !lanes | number;
        }
        for (plane, digits) in state.choice[CELL_BITS..].iter_mut().zip(digits) {
            *plane = *plane & !lanes | digits;
        }
        lanes & !free
    }
}

/// For each cell of a box, returns the lanes in which the cell's digit is known.
#[inline(always)]
fn closed_cells<W: Word>(zero: W, state: &State<W>, in_box: usize) -> [W; 9] {
    let mut closed = [zero; 9];
    for digit in 0..9 {
        let [rows, cols] = state.lines(in_box, digit);
        let unknown = is_unknown(*rows, *cols);
        for place in 0..9 {
            closed[place] = closed[place] | rows[place / 3] & cols[place % 3] & !unknown;
        }
    }
    closed
}

/// For each digit, returns the lanes in which the digit is a candidate of the cell. In lanes where the cell's digit is already known, the
/// result is meaningless.
#[inline(always)]
fn candidates_of<W: Word>(zero: W, state: &State<W>, (in_box, place): (usize, usize)) -> [W; 9] {
    let mut candidates = [zero; 9];
    for digit in 0..9 {
        let [rows, cols] = state.lines(in_box, digit);
        candidates[digit] = rows[place / 3] & cols[place % 3];
    }
    candidates
}

/// Stores the digits of a cell for the lanes that branch on this cell.
#[inline(always)]
fn note_digits<W: Word>(digits: &mut [W; 9], candidates: &[W; 9], takes: W) {
    for digit in 0..9 {
        digits[digit] = digits[digit] | candidates[digit] & takes;
    }
}

/// Returns the number of the cell that each lane takes: one word for each bit of the number. `taken` has, for each cell, the lanes that
/// take it. Overwrites `taken`: for each bit of the number, the words of neighbouring cells are merged in pairs.
#[inline(always)]
fn numbers<W: Word>(zero: W, taken: &mut [W; CELLS + 1]) -> [W; CELL_BITS] {
    let mut number = [zero; CELL_BITS];
    let mut cells = CELLS;
    for number in &mut number {
        taken[cells] = zero;
        cells = cells.div_ceil(2);
        for pair in 0..cells {
            let odd = taken[2 * pair + 1];
            *number = *number | odd;
            taken[pair] = taken[2 * pair] | odd;
        }
    }
    number
}
