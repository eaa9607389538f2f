//! Where to branch: for all lanes at once. On a configuration of a digit:
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
//! On a cell:
//!
//! ```text
//!  for each cell, row by row
//!    a lane that takes the alternatives in order takes the first cell with two digits or more,
//!    any other lane the first cell with exactly two, or without one the first with more
//! ```
//!
//! Only a lane that the last pass left unchanged may branch on configurations: its flags tell the truth. Others
//! branch on a cell, as do lanes that look for the smallest solution, which take the first open cell.

use super::state::{
    BoxPlanes, CHOICE_PLANES, MINICOLS, MINIROWS, State, count_nine, is_unknown, majority, place_of,
};
use crate::puzzle::CELLS;
use crate::simd::{Kernel, Word};

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
type Open<W> = [[W; 6]; 9];

/// A band, what it has left, and the sum of it.
struct Band<W> {
    open: Open<W>,
    sum: [W; SUM_BITS],
}

/// Writes to `state.choice` the configurations left (six planes), the digit (four) and the band (three) that each lane is
/// to branch on.
pub(super) struct ChooseConfiguration<'s, W> {
    pub(super) zero: W,
    pub(super) state: &'s mut State<W>,
}

impl<W: Word> Kernel for ChooseConfiguration<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let ChooseConfiguration { zero, state } = self;
        let mut best = Band { open: [[zero; 6]; 9], sum: [zero; SUM_BITS] };
        let mut other = Band { open: [[zero; 6]; 9], sum: [zero; SUM_BITS] };
        let mut number = [zero; 3];
        count_band(zero, &state.boxes, 0, &mut best);
        for band in 1..6 {
            count_band(zero, &state.boxes, band, &mut other);
            let less = keep_smaller(zero, &mut best, &other);
            for (bit, plane) in number.iter_mut().enumerate() {
                *plane = if (band >> bit) & 1 == 1 { *plane | less } else { *plane & !less };
            }
        }
        state.choice[10..13].copy_from_slice(&number);
        choose_digit(zero, &best.open, &mut state.choice);
    }
}

/// The number of set bits among six, in binary.
#[inline(always)]
fn count_six<W: Word>(x: [W; 6]) -> [W; 3] {
    let sums = [x[0] ^ x[1] ^ x[2], x[3] ^ x[4] ^ x[5]];
    let carries = [majority(x[0], x[1], x[2]), majority(x[3], x[4], x[5])];
    let carry = sums[0] & sums[1];
    let twos = carries[0] ^ carries[1] ^ carry;
    [sums[0] ^ sums[1], twos, majority(carries[0], carries[1], carry)]
}

/// Counts the configurations of the nine digits in a band.
#[inline(always)]
fn count_band<W: Word>(zero: W, boxes: &[BoxPlanes<W>; 9], band: usize, to: &mut Band<W>) {
    let lines = if band < 3 { MINIROWS } else { MINICOLS };
    let three = boxes_of_band(band);
    let mut sum = [zero; SUM_BITS];
    for digit in 0..9 {
        let flags = [
            &boxes[three[0]][digit].lines[lines],
            &boxes[three[1]][digit].lines[lines],
            &boxes[three[2]][digit].lines[lines],
        ];
        let mut left = [zero; 6];
        for (left, rows) in left.iter_mut().zip(&CONFIGURATIONS) {
            *left = flags[0][rows[0]] & flags[1][rows[1]] & flags[2][rows[2]];
        }
        to.open[digit] = left;
        let count = count_six(left);
        let mut carry = zero;
        for bit in 0..SUM_BITS - 1 {
            let (a, b) = (sum[bit], if bit < 3 { count[bit] } else { zero });
            sum[bit] = a ^ b ^ carry;
            carry = majority(a, b, carry);
        }
    }
    // Nine is 0b1001: one configuration for each digit. It counts as more than any other sum.
    sum[SUM_BITS - 1] = sum[0] & sum[3] & !(sum[1] | sum[2] | sum[4] | sum[5]);
    to.sum = sum;
}

/// Replaces `best` by `other` in the lanes where its sum is smaller; says which.
#[inline(always)]
fn keep_smaller<W: Word>(zero: W, best: &mut Band<W>, other: &Band<W>) -> W {
    let mut less = zero;
    for bit in 0..SUM_BITS {
        less = majority(!other.sum[bit], best.sum[bit], less);
    }
    for bit in 0..SUM_BITS {
        best.sum[bit] = best.sum[bit] & !less | other.sum[bit] & less;
    }
    for digit in 0..9 {
        for configuration in 0..6 {
            let (x, y) = (best.open[digit][configuration], other.open[digit][configuration]);
            best.open[digit][configuration] = x & !less | y & less;
        }
    }
    less
}

/// Writes the digit with the fewest configurations of two or more, and those configurations.
#[inline(always)]
fn choose_digit<W: Word>(zero: W, open: &Open<W>, choice: &mut [W; CHOICE_PLANES]) {
    // By class (two, three, four or five, six) and digit: whether it has so many. Each class before the next.
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

/// The bits of a cell's number.
const CELL_BITS: usize = 7;

/// Writes to `state.choice`, in `lanes`, the cell to branch on, and its digits. Returns the lanes that have one;
/// `first_cell` marks those that take the first open cell, whatever it holds.
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
                closed[index] = closed_cells(zero, &state.boxes[3 * band + index]);
            }
            for cell in 27 * band..27 * (band + 1) {
                let (in_box, place) = place_of(cell);
                let candidates = candidates_of(zero, &state.boxes[in_box], place);
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
                note_digits(&mut digits, &candidates_of(zero, &state.boxes[in_box], place), takes);
            }
        }
        let number = numbers(zero, &mut taken);
        for (plane, number) in state.choice.iter_mut().zip(number) {
            *plane = *plane & !lanes | number;
        }
        for (plane, digits) in state.choice[10..].iter_mut().zip(digits) {
            *plane = *plane & !lanes | digits;
        }
        lanes & !free
    }
}

/// The cells of a box in which a digit is known to be.
#[inline(always)]
fn closed_cells<W: Word>(zero: W, planes: &BoxPlanes<W>) -> [W; 9] {
    let mut closed = [zero; 9];
    for plane in planes {
        let [rows, cols] = plane.lines;
        let unknown = is_unknown(rows, cols);
        for place in 0..9 {
            closed[place] = closed[place] | rows[place / 3] & cols[place % 3] & !unknown;
        }
    }
    closed
}

/// The nine digits of a cell that is not closed.
#[inline(always)]
fn candidates_of<W: Word>(zero: W, planes: &BoxPlanes<W>, place: usize) -> [W; 9] {
    let mut candidates = [zero; 9];
    for (candidate, plane) in candidates.iter_mut().zip(planes) {
        *candidate = plane.lines[MINIROWS][place / 3] & plane.lines[MINICOLS][place % 3];
    }
    candidates
}

/// Notes the digits of a cell for the lanes that take it.
#[inline(always)]
fn note_digits<W: Word>(digits: &mut [W; 9], candidates: &[W; 9], takes: W) {
    for digit in 0..9 {
        digits[digit] = digits[digit] | candidates[digit] & takes;
    }
}

/// The number of the cell that each lane takes, bit by bit: pairs of cells are folded into one.
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
