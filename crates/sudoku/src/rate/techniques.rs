//! Eliminations beyond singles: locked candidates and pairs.

use super::candidates::{Candidates, Contradiction};
use crate::puzzle::UNITS;
use crate::puzzle::minirows::{ALL_CANDIDATES, ALL_DIGITS, CELL_BITS, in_each_cell};

impl Candidates {
    /// Applies singles and locked candidates until neither finds anything.
    pub(crate) fn follow_locked(&mut self) -> Result<(), Contradiction> {
        loop {
            self.follow_singles()?;
            if !self.strike_locked() {
                return Ok(());
            }
        }
    }

    /// Applies singles, locked candidates and pairs until none finds anything.
    pub(super) fn follow_pairs(&mut self) -> Result<(), Contradiction> {
        loop {
            self.follow_locked()?;
            if !self.strike_pairs() {
                return Ok(());
            }
        }
    }

    /// Eliminates by locked candidates, see [`Rating::locked`](super::Rating::locked). Returns whether anything was eliminated.
    fn strike_locked(&mut self) -> bool {
        let before = *self;
        for row in 0..9 {
            self.strike_locked_in_row(row);
        }
        for stack in 0..3 {
            self.strike_locked_in_stack(stack);
        }
        *self != before
    }

    /// Applies pointing and claiming to a row and the three boxes that it crosses.
    fn strike_locked_in_row(&mut self, row: usize) {
        let words = &mut self.0;
        let band = row / 3 * 3..row / 3 * 3 + 3;
        let digits = |word: u32| (word | word >> CELL_BITS | word >> (2 * CELL_BITS)) & ALL_DIGITS;
        for stack in 0..3 {
            let here = digits(words[stack][row]);
            let in_row = (0..3).filter(|&other| other != stack).fold(0, |all, other| all | words[other][row]);
            let in_box =
                band.clone().filter(|&other| other != row).fold(0, |all, other| all | words[stack][other]);
            let (in_row, in_box) = (digits(in_row), digits(in_box));
            let claimed = in_each_cell(here & !in_row);
            let pointing = in_each_cell(here & !in_box);
            band.clone().filter(|&other| other != row).for_each(|other| words[stack][other] &= !claimed);
            (0..3).filter(|&other| other != stack).for_each(|other| words[other][row] &= !pointing);
        }
    }

    /// Applies pointing and claiming to the columns and the three boxes of a stack. Each bit of a word is a digit in a column.
    fn strike_locked_in_stack(&mut self, stack: usize) {
        let words = &mut self.0[stack];
        for band in 0..3 {
            let rows = band * 3..band * 3 + 3;
            let here = words[rows.clone()].iter().fold(0, |all, word| all | word);
            let in_column = (0..9).filter(|row| !rows.contains(row)).fold(0, |all, row| all | words[row]);
            let claimed = in_other_cells(here & !in_column);
            let pointing = here & !in_other_cells(here);
            words[rows.clone()].iter_mut().for_each(|word| *word &= !claimed);
            (0..9).filter(|row| !rows.contains(row)).for_each(|row| words[row] &= !pointing);
        }
    }

    /// Eliminates by pairs, see [`Rating::pairs`](super::Rating::pairs). Returns whether anything was eliminated.
    fn strike_pairs(&mut self) -> bool {
        let mut has_struck = false;
        for cells in UNITS {
            let digits = cells.map(|cell| self.digits_of(cell.into()));
            for first in 0..9 {
                let pair = digits[first];
                let is_naked = |second: &usize| pair.count_ones() == 2 && digits[*second] == pair;
                if let Some(second) = (first + 1..9).find(is_naked) {
                    for other in (0..9).filter(|&other| other != first && other != second) {
                        has_struck |= self.strike(cells[other].into(), pair);
                    }
                }
            }
            let digits = cells.map(|cell| self.digits_of(cell.into()));
            let places: [u32; 9] = std::array::from_fn(|digit| {
                let has = |cell: usize| digits[cell] >> digit & 1;
                (0..9).fold(0, |places, cell| places | has(cell) << cell)
            });
            for first in 0..9 {
                let pair = places[first];
                let is_hidden = |second: &usize| pair.count_ones() == 2 && places[*second] == pair;
                if let Some(second) = (first + 1..9).find(is_hidden) {
                    let others = ALL_DIGITS & !(1 << first | 1 << second);
                    for cell in (0..9).filter(|cell| pair >> cell & 1 == 1) {
                        has_struck |= self.strike(cells[cell].into(), others);
                    }
                }
            }
        }
        has_struck
    }
}

/// For each cell of a minirow, returns the candidates that at least one of the two other cells has.
fn in_other_cells(word: u32) -> u32 {
    let rotated = |by: u32| word >> (by * CELL_BITS) | word << ((3 - by) * CELL_BITS);
    (rotated(1) | rotated(2)) & ALL_CANDIDATES
}
