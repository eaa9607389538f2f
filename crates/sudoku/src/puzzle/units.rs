//! The units of the grid: boxes, rows and columns.

use super::{CELLS, Puzzle};

/// The cells of each unit: boxes, then rows, then columns. The cells of a box are listed row by row.
pub(crate) const UNITS: [[u8; 9]; 27] = {
    let mut units = [[0; 9]; 27];
    let mut cell = 0;
    while cell < CELLS {
        let [in_box, row, column] = UNITS_OF[cell];
        units[in_box as usize][cell / 9 % 3 * 3 + cell % 3] = cell as u8;
        units[row as usize][cell % 9] = cell as u8;
        units[column as usize][cell / 9] = cell as u8;
        cell += 1;
    }
    units
};

/// The box, the row and the column of each cell, as positions in [`UNITS`].
pub(crate) const UNITS_OF: [[u8; 3]; CELLS] = {
    let mut units = [[0; 3]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        units[cell] = [(cell / 27 * 3 + cell % 9 / 3) as u8, 9 + (cell / 9) as u8, 18 + (cell % 9) as u8];
        cell += 1;
    }
    units
};

/// All nine digits: bit 0 for the digit 1, bit 8 for the digit 9.
const ALL_DIGITS: u16 = 0x1ff;

/// The digits that each unit has, one bit each. The index is the position of the unit in [`UNITS`].
#[derive(Clone, Copy, Default)]
pub(crate) struct UsedDigits([u16; 27]);

impl UsedDigits {
    /// Collects the digits of the clues in each unit of a puzzle.
    pub(crate) fn new(puzzle: &Puzzle) -> UsedDigits {
        let mut used = UsedDigits::default();
        for (cell, &value) in puzzle.values().iter().enumerate() {
            used.insert(cell, 1 << value >> 1);
        }
        used
    }

    /// Adds digits of a cell to its row, column and box.
    #[inline]
    pub(crate) fn insert(&mut self, cell: usize, digits: u16) {
        UNITS_OF[cell].into_iter().for_each(|unit| self.0[usize::from(unit)] |= digits);
    }

    /// Returns the digits that the row, the column and the box of a cell have.
    #[inline]
    pub(crate) fn seen_by(&self, cell: usize) -> u16 {
        UNITS_OF[cell].into_iter().fold(0, |digits, unit| digits | self.0[usize::from(unit)])
    }
}

/// Returns for each cell the digits that no clue in its row, column and box has.
pub(crate) fn free_digits(puzzle: &Puzzle) -> [u16; CELLS] {
    let used = UsedDigits::new(puzzle);
    std::array::from_fn(|cell| ALL_DIGITS & !used.seen_by(cell))
}

/// Returns the digits of the clues, and for each blank the digits that its row, column and box do not have.
pub(crate) fn allowed_digits(puzzle: &Puzzle) -> [u16; CELLS] {
    let free = free_digits(puzzle);
    std::array::from_fn(|cell| match puzzle[cell] {
        0 => free[cell],
        value => 1 << (value - 1),
    })
}

/// Returns whether a puzzle has a plain contradiction: two equal clues are in one row, column or box, a blank has no candidate, or a digit
/// has no place in a row, column or box.
pub(crate) fn is_plain_contradiction(puzzle: &Puzzle) -> bool {
    if puzzle.conflict().is_some() {
        return true;
    }
    let digits = allowed_digits(puzzle);
    let lacks_a_digit =
        |unit: &[u8; 9]| unit.iter().fold(0, |all, &cell| all | digits[usize::from(cell)]) != ALL_DIGITS;
    digits.contains(&0) || UNITS.iter().any(lacks_a_digit)
}
