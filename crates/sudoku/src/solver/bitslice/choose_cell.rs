//! Which cell to branch on, for all lanes at once.
//!
//! ```text
//!  for each cell, row by row
//!    a lane that takes the alternatives in order takes the first cell with two digits or more,
//!    any other lane the first cell with exactly two, or without one the first with more
//! ```

use super::state::{State, count_nine, place_of};
use crate::puzzle::CELLS;
use crate::simd::{Kernel, Word};

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
        for cell in 0..CELLS {
            let candidates = candidates_of(zero, state, cell);
            let [ones, twos, fours] = count_nine(candidates);
            several[cell] = twos | fours;
            let two = twos & !(ones | fours);
            let takes = (two | several[cell] & first_cell) & free;
            free = free & !takes;
            taken[cell] = takes;
            note_digits(&mut digits, &candidates, takes);
        }
        if free.bits() != zero.bits() {
            for cell in 0..CELLS {
                let takes = several[cell] & free;
                free = free & !takes;
                taken[cell] = taken[cell] | takes;
                note_digits(&mut digits, &candidates_of(zero, state, cell), takes);
            }
        }
        let number = numbers(zero, &mut taken);
        for (choice, &number) in state.choice[0].iter_mut().zip(&number) {
            *choice = *choice & !lanes | number;
        }
        state.choice[1][..9].copy_from_slice(&digits);
        lanes & !free
    }
}

/// The nine digits of a cell.
#[inline(always)]
fn candidates_of<W: Word>(zero: W, state: &State<W>, cell: usize) -> [W; 9] {
    let (in_box, place) = place_of(cell);
    let mut candidates = [zero; 9];
    for (candidate, plane) in candidates.iter_mut().zip(&state.boxes[in_box]) {
        *candidate = plane.cells[place];
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
