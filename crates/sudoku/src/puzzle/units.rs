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

/// Returns for each cell the digits that no clue in its row, column and box has: bit 0 for the digit 1, bit 8 for the digit 9.
pub(crate) fn free_digits(puzzle: &Puzzle) -> [u16; CELLS] {
    let mut taken = [0; 27];
    for (cell, &value) in puzzle.values().iter().enumerate() {
        if value != 0 {
            UNITS_OF[cell].into_iter().for_each(|unit| taken[usize::from(unit)] |= 1 << (value - 1));
        }
    }
    std::array::from_fn(|cell| {
        UNITS_OF[cell].into_iter().fold(0x1ff, |digits, unit| digits & !taken[usize::from(unit)])
    })
}
