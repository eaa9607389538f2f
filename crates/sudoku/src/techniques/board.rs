//! A grid that is solved by technique: the filled cells and the candidates of the others.

use crate::puzzle::{CELLS, Cells, Puzzle};

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

/// The cells of each unit as a set.
pub(crate) static UNIT_CELLS: [Cells; 27] = {
    let mut sets = [Cells::EMPTY; 27];
    let mut unit = 0;
    while unit < 27 {
        let mut position = 0;
        while position < 9 {
            sets[unit] = sets[unit].with(UNITS[unit][position] as usize);
            position += 1;
        }
        unit += 1;
    }
    sets
};

/// The 20 cells that share a unit with each cell.
pub(crate) static PEERS: [Cells; CELLS] = {
    let mut peers = [Cells::EMPTY; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut other = 0;
        while other < CELLS {
            let (a, b) = (UNITS_OF[cell], UNITS_OF[other]);
            if cell != other && (a[0] == b[0] || a[1] == b[1] || a[2] == b[2]) {
                peers[cell] = peers[cell].with(other);
            }
            other += 1;
        }
        cell += 1;
    }
    peers
};

/// A set of digits: bit 0 for the digit 1, bit 8 for the digit 9.
pub type Digits = u16;

/// All nine digits.
pub(crate) const ALL_DIGITS: Digits = 0x1ff;

/// A grid with the candidates of its empty cells. Digits are counted from 0 here, and in everything that is private to this module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// For each cell its digit from 1 to 9, or 0.
    values: [u8; CELLS],
    /// For each cell its candidates; none if it is filled.
    candidates: [Digits; CELLS],
    /// For each digit the empty cells that may hold it.
    cells: [Cells; 9],
    /// For each unit and digit the positions in the unit that may hold it, one bit each.
    places: [[u16; 9]; 27],
    empty: Cells,
}

impl Board {
    /// Fills in the clues. The candidates of the other cells are the digits that no clue in their row, column or box has.
    pub fn new(puzzle: &Puzzle) -> Board {
        let mut board = Board {
            values: [0; CELLS],
            candidates: [ALL_DIGITS; CELLS],
            cells: [Cells::ALL; 9],
            places: [[0x1ff; 9]; 27],
            empty: Cells::ALL,
        };
        for (cell, &value) in puzzle.values().iter().enumerate() {
            if value != 0 {
                board.place(cell, value as usize - 1);
            }
        }
        board
    }

    /// Returns for each cell its digit from 1 to 9, or 0.
    pub fn values(&self) -> &[u8; CELLS] {
        &self.values
    }

    /// Returns the candidates of a cell; none if it is filled.
    #[inline]
    pub fn candidates(&self, cell: usize) -> Digits {
        self.candidates[cell]
    }

    /// Returns whether a cell may hold a digit.
    #[inline]
    pub(crate) fn has(&self, cell: usize, digit: usize) -> bool {
        self.candidates[cell] >> digit & 1 == 1
    }

    /// Returns the empty cells that may hold a digit.
    #[inline]
    pub(crate) fn cells(&self, digit: usize) -> Cells {
        self.cells[digit]
    }

    /// Returns the positions in a unit that may hold a digit, one bit each.
    #[inline]
    pub(crate) fn places(&self, unit: usize, digit: usize) -> u16 {
        self.places[unit][digit]
    }

    /// Returns the empty cells.
    #[inline]
    pub fn empty(&self) -> Cells {
        self.empty
    }

    /// Fills a cell: takes the digit from the candidates of its peers, and the other digits from the cell.
    pub(crate) fn place(&mut self, cell: usize, digit: usize) {
        self.values[cell] = digit as u8 + 1;
        self.remove(cell, self.candidates[cell]);
        self.empty = self.empty.without(Cells::of(cell));
        for peer in self.cells[digit].and(PEERS[cell]).iter() {
            self.remove(peer, 1 << digit);
        }
    }

    /// Takes candidates from a cell.
    pub(crate) fn remove(&mut self, cell: usize, digits: Digits) {
        let gone = self.candidates[cell] & digits;
        self.candidates[cell] &= !digits;
        for digit in bits(gone) {
            self.cells[digit] = self.cells[digit].without(Cells::of(cell));
            for unit in UNITS_OF[cell] {
                self.places[unit as usize][digit] &= !(1 << position_in(unit, cell));
            }
        }
    }
}

/// Returns the position of a cell in one of its units.
#[inline]
pub(crate) fn position_in(unit: u8, cell: usize) -> usize {
    match unit {
        0..9 => cell / 9 % 3 * 3 + cell % 3,
        9..18 => cell % 9,
        _ => cell / 9,
    }
}

/// Returns the cells of a unit at these positions.
#[inline]
pub(crate) fn cells_at(unit: usize, positions: u16) -> Cells {
    bits(positions).map(|position| UNITS[unit][position] as usize).collect()
}

/// Returns the positions of the bits of a set, ascending.
#[inline]
pub(crate) fn bits(set: u16) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (bit < 16).then_some(bit)
    })
}
