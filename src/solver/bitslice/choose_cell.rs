//! Which cell to branch on, for all lanes at once.
//!
//! ```text
//!  for each cell, row by row
//!    a lane that looks for the smallest solution takes the first cell with two digits or more,
//!    any other lane the first cell with exactly two, or without one the first with more
//! ```
#![forbid(unsafe_code)]

use super::state::{State, count_nine, place_of};
use crate::puzzle::CELLS;
use crate::simd::{Kernel, Word};

/// The bits of a cell's number.
const CELL_BITS: usize = 7;

/// Writes to `state.choice`, in `lanes`, the cell to branch on. Returns the lanes that have one; `smallest` marks
/// those that look for the smallest solution.
pub(super) struct ChooseCell<'s, W> {
    pub(super) zero: W,
    pub(super) state: &'s mut State<W>,
    pub(super) lanes: W,
    pub(super) smallest: W,
}

impl<W: Word> Kernel for ChooseCell<'_, W> {
    type Output = W;

    #[inline(always)]
    fn run(self) -> W {
        let ChooseCell { zero, state, lanes, smallest } = self;
        let mut number = [zero; CELL_BITS];
        let mut several = [zero; CELLS];
        let mut free = lanes;
        for cell in 0..CELLS {
            let (in_box, place) = place_of(cell);
            let mut candidates = [zero; 9];
            for (candidate, plane) in candidates.iter_mut().zip(&state.boxes[in_box]) {
                *candidate = plane.cells[place];
            }
            let [ones, twos, fours] = count_nine(candidates);
            several[cell] = twos | fours;
            let two = twos & !(ones | fours);
            let taken = (two | several[cell] & smallest) & free;
            free = free & !taken;
            note_cell(&mut number, cell, taken);
        }
        if free.bits() != zero.bits() {
            for (cell, &several) in several.iter().enumerate() {
                note_cell(&mut number, cell, several & free);
                free = free & !several;
            }
        }
        for (choice, &number) in state.choice.iter_mut().zip(&number) {
            *choice = *choice & !lanes | number;
        }
        lanes & !free
    }
}

/// Writes the number of a cell to the lanes that take it.
#[inline(always)]
fn note_cell<W: Word>(number: &mut [W; CELL_BITS], cell: usize, taken: W) {
    for (bit, number) in number.iter_mut().enumerate() {
        if (cell >> bit) & 1 == 1 {
            *number = *number | taken;
        }
    }
}
