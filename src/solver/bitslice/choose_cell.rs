//! Which cell to branch on, for all lanes at once.
//!
//! ```text
//!  for each cell, row by row
//!    a lane that looks for the smallest solution takes the first cell with two digits or more,
//!    any other lane the first cell with exactly two, or without one the first with more
//! ```
#![forbid(unsafe_code)]

use super::state::{State, Word, majority, place_of};
use crate::puzzle::CELLS;

/// The bits of a cell's number.
const CELL_BITS: usize = 7;

/// Writes to `state.choice`, in the lanes of `lanes`, the cell to branch on. Returns the lanes that have one;
/// `smallest` marks those that look for the smallest solution.
#[inline(always)]
pub(super) fn choose_cell<const N: usize>(
    state: &mut State<N>,
    lanes: &Word<N>,
    smallest: &Word<N>,
) -> Word<N> {
    let mut number = [[0; N]; CELL_BITS];
    let mut free = *lanes;
    let mut several = [[0; N]; CELLS];
    for cell in 0..CELLS {
        let (in_box, place) = place_of(cell);
        let planes = &state.boxes[in_box];
        let mut taken = [0; N];
        for at in 0..N {
            let (two, more) = two_or_more(std::array::from_fn(|digit| planes[digit].cells[place][at]));
            several[cell][at] = two | more;
            taken[at] = (two | more & smallest[at]) & free[at];
            free[at] &= !taken[at];
        }
        note_cell(&mut number, cell, &taken);
    }
    if free != [0; N] {
        for (cell, several) in several.iter().enumerate() {
            let mut taken = [0; N];
            for at in 0..N {
                taken[at] = several[at] & free[at];
                free[at] &= !taken[at];
            }
            note_cell(&mut number, cell, &taken);
        }
    }
    for (bit, number) in number.iter().enumerate() {
        for at in 0..N {
            state.choice[bit][at] = state.choice[bit][at] & !lanes[at] | number[at];
        }
    }
    std::array::from_fn(|at| lanes[at] & !free[at])
}

/// Whether exactly two of nine bits are set, and whether more are.
#[inline(always)]
fn two_or_more(x: [u64; 9]) -> (u64, u64) {
    let sums = [0, 3, 6].map(|i| x[i] ^ x[i + 1] ^ x[i + 2]);
    let carries = [0, 3, 6].map(|i| majority(x[i], x[i + 1], x[i + 2]));
    let ones = sums[0] ^ sums[1] ^ sums[2];
    let carry = majority(sums[0], sums[1], sums[2]);
    let twos = carries[0] ^ carries[1] ^ carries[2];
    let fours = majority(carries[0], carries[1], carries[2]) | twos & carry;
    let twos = twos ^ carry;
    (twos & !ones & !fours, fours | twos & ones)
}

/// Writes the number of a cell to the lanes that take it.
#[inline(always)]
fn note_cell<const N: usize>(number: &mut [Word<N>; CELL_BITS], cell: usize, taken: &Word<N>) {
    for (bit, number) in number.iter_mut().enumerate() {
        if (cell >> bit) & 1 == 1 {
            for at in 0..N {
                number[at] |= taken[at];
            }
        }
    }
}
