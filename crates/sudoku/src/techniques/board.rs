//! A grid that is solved with techniques: the filled cells, and the candidates of the empty cells.

use std::fmt;

use crate::puzzle::{CELLS, Cells, Puzzle, UNITS, UNITS_OF, free_digits};

/// The units of each kind, one bit each.
pub(crate) const BOXES: u32 = 0x1ff;
pub(crate) const ROWS: u32 = 0x1ff << 9;
pub(crate) const COLUMNS: u32 = 0x1ff << 18;

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

/// For each cell, the 20 other cells that share a unit with it.
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

pub(crate) fn see_all(cells: impl IntoIterator<Item = usize>) -> Cells {
    cells.into_iter().fold(Cells::ALL, |seen, cell| seen.and(PEERS[cell]))
}

/// Returns the units that contain all these cells, in the order box, row, column.
pub(crate) fn common_units(cells: Cells) -> impl Iterator<Item = usize> {
    let units = cells.iter().take(1).flat_map(|cell| UNITS_OF[cell]).map(usize::from);
    units.filter(move |&unit| cells.without(UNIT_CELLS[unit]).is_empty())
}

/// A set of digits: bit 0 for the digit 1, bit 8 for the digit 9.
pub type Digits = u16;

pub(crate) const ALL_DIGITS: Digits = 0x1ff;

/// Number of elements of each set of nine bits. A table, because not every x86-64 CPU has an instruction that counts bits.
static COUNTS: [u8; 512] = {
    let mut counts = [0; 512];
    let mut set = 0;
    while set < 512 {
        counts[set] = (set as u16).count_ones() as u8;
        set += 1;
    }
    counts
};

/// Returns the number of elements of a set. The elements are digits, or positions in a unit.
#[inline]
pub(crate) fn count(set: u16) -> usize {
    COUNTS[(set & ALL_DIGITS) as usize].into()
}

/// A grid with the candidates of its empty cells. The methods that are private to this crate count digits from 0.
///
/// The board also stores data that the finders often need. Updating this data whenever a candidate is removed is cheaper than computing it
/// again for each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    filled: Puzzle,
    /// For each cell its candidates; none if it is filled.
    candidates: [Digits; CELLS],
    /// For each digit the empty cells that may hold it.
    cells: [Cells; 9],
    /// For each unit and digit, the positions in the unit that may hold the digit, one bit each.
    places: [[u16; 9]; 27],
    /// For each unit and each number from 0 to 9, the digits that have this number of places in the unit. A digit without a place is in the
    /// first set.
    digits_by_count: [[Digits; 10]; 27],
    /// The units in which some digit has only one place, one bit for each unit.
    single_units: u32,
    /// For each number from 0 to 9, the cells that have this number of candidates. Filled cells are in the first set.
    cells_by_count: [Cells; 10],
    /// For each unit the number of empty cells.
    empty_in: [u8; 27],
    /// The units with one empty cell, one bit each.
    last_units: u32,
    empty: Cells,
}

impl Board {
    /// Fills in the clues. The candidates of the other cells are the digits that no clue in their row, column or box has.
    pub fn new(puzzle: &Puzzle) -> Board {
        Board::with_candidates(puzzle, &free_digits(puzzle))
    }

    /// Fills in the clues, and gives each blank its candidates: element `i` of `candidates` is for cell `i`. The elements for cells with a
    /// clue are ignored.
    pub fn with_candidates(puzzle: &Puzzle, candidates: &[Digits; CELLS]) -> Board {
        let mut board = Board {
            filled: *puzzle,
            candidates: [0; CELLS],
            cells: [Cells::EMPTY; 9],
            places: [[0; 9]; 27],
            digits_by_count: [[0; 10]; 27],
            single_units: 0,
            cells_by_count: [Cells::EMPTY; 10],
            empty_in: [0; 27],
            last_units: 0,
            empty: Cells::EMPTY,
        };
        for cell in 0..CELLS {
            if puzzle[cell] != 0 {
                board.cells_by_count[0].insert(cell);
                continue;
            }
            let digits = candidates[cell] & ALL_DIGITS;
            board.candidates[cell] = digits;
            board.cells_by_count[count(digits)].insert(cell);
            board.empty.insert(cell);
            bits(digits).for_each(|digit| board.cells[digit].insert(cell));
            for unit in UNITS_OF[cell] {
                board.empty_in[unit as usize] += 1;
                let position = 1 << position_in(unit, cell);
                bits(digits).for_each(|digit| board.places[unit as usize][digit] |= position);
            }
        }
        for unit in 0..27 {
            for digit in 0..9 {
                board.digits_by_count[unit][count(board.places[unit][digit])] |= 1 << digit;
            }
            board.single_units |= u32::from(board.digits_by_count[unit][1] != 0) << unit;
            board.last_units |= u32::from(board.empty_in[unit] == 1) << unit;
        }
        board
    }

    /// Returns the filled cells as a puzzle.
    pub fn filled(&self) -> Puzzle {
        self.filled
    }

    /// Returns for each cell its digit from 1 to 9; 0 if it is empty.
    pub fn values(&self) -> &[u8; CELLS] {
        self.filled.values()
    }

    /// Returns the candidates of a cell; none if it is filled.
    #[inline]
    pub fn candidates(&self, cell: usize) -> Digits {
        self.candidates[cell]
    }

    pub(crate) fn all_candidates(&self) -> &[Digits; CELLS] {
        &self.candidates
    }

    /// Returns the digits that a cell may have: its candidates, or its own digit if it is filled.
    pub fn digits(&self, cell: usize) -> Digits {
        match self.filled[cell] {
            0 => self.candidates[cell],
            digit => 1 << (digit - 1),
        }
    }

    #[inline]
    pub(crate) fn cells(&self, digit: usize) -> Cells {
        self.cells[digit]
    }

    #[inline]
    pub(crate) fn cells_of_digits(&self) -> &[Cells; 9] {
        &self.cells
    }

    /// Returns the empty cells that may hold at least one of the digits.
    #[inline]
    pub(crate) fn cells_with_any(&self, digits: Digits) -> Cells {
        bits(digits).fold(Cells::EMPTY, |cells, digit| cells.or(self.cells[digit]))
    }

    /// Returns the empty cells with this number of candidates.
    #[inline]
    pub(crate) fn cells_with_count(&self, count: usize) -> Cells {
        self.cells_by_count[count].and(self.empty)
    }

    #[inline]
    pub(crate) fn places(&self, unit: usize, digit: usize) -> u16 {
        self.places[unit][digit]
    }

    #[inline]
    pub(crate) fn places_in(&self, unit: usize) -> &[u16; 9] {
        &self.places[unit]
    }

    /// Returns the digits with this number of places in a unit. If `count` is 0, the result includes the digits of the filled cells.
    #[inline]
    pub(crate) fn digits_with_count(&self, unit: usize, count: usize) -> Digits {
        self.digits_by_count[unit][count]
    }

    #[inline]
    pub(crate) fn single_units(&self) -> u32 {
        self.single_units
    }

    #[inline]
    pub(crate) fn last_units(&self) -> u32 {
        self.last_units
    }

    #[inline]
    pub(crate) fn empty_in(&self, unit: usize) -> usize {
        self.empty_in[unit].into()
    }

    /// Returns the empty cells.
    #[inline]
    pub fn empty(&self) -> Cells {
        self.empty
    }

    /// Fills a cell: removes all candidates of the cell, and removes the digit from the candidates of its peers.
    pub(crate) fn place(&mut self, cell: usize, digit: usize) {
        self.filled.values_mut()[cell] = digit as u8 + 1;
        self.remove(cell, self.candidates[cell]);
        if self.empty.contains(cell) {
            self.empty = self.empty.without(Cells::one(cell));
            for unit in UNITS_OF[cell] {
                self.empty_in[unit as usize] -= 1;
                let is_last = u32::from(self.empty_in[unit as usize] == 1);
                self.last_units = self.last_units & !(1 << unit) | is_last << unit;
            }
        }
        for peer in self.cells[digit].and(PEERS[cell]).iter() {
            self.remove(peer, 1 << digit);
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, cell: usize, digits: Digits) {
        let before = self.candidates[cell];
        let gone = before & digits;
        let left = before & !digits;
        self.candidates[cell] = left;
        let (more, fewer) = (&mut self.cells_by_count[count(before)], Cells::one(cell));
        *more = more.without(fewer);
        self.cells_by_count[count(left)].insert(cell);
        for digit in bits(gone) {
            self.cells[digit] = self.cells[digit].without(Cells::one(cell));
            for unit in UNITS_OF[cell] {
                let unit = unit as usize;
                let places = self.places[unit][digit] & !(1 << position_in(unit as u8, cell));
                self.places[unit][digit] = places;
                let by_count = &mut self.digits_by_count[unit];
                by_count[count(places)] |= 1 << digit;
                by_count[count(places) + 1] &= !(1 << digit);
                self.single_units = self.single_units & !(1 << unit) | u32::from(by_count[1] != 0) << unit;
            }
        }
    }

    /// Returns, for each of the given cells that has candidates among the given digits, the cell and these candidates.
    pub(crate) fn eliminations(&self, cells: Cells, digits: Digits) -> Vec<(u8, Digits)> {
        let cells = cells.and(self.cells_with_any(digits));
        cells.iter().map(|cell| (cell as u8, self.candidates[cell] & digits)).collect()
    }
}

impl fmt::Display for Board {
    /// Draws the digits of the filled cells and the candidates of the empty cells, in the way that is usual in Sudoku forums:
    ///
    /// ```text
    /// +---------------+------------+---
    /// | 5    3    124 | 26   7 ...
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |cell: usize| match self.filled[cell] {
            0 => bits(self.candidates[cell]).map(|digit| char::from(b'1' + digit as u8)).collect(),
            value => value.to_string(),
        };
        let cells: Vec<String> = (0..CELLS).map(text).collect();
        let width = |column: usize| (0..9).map(|row| cells[row * 9 + column].len()).max().unwrap_or(0);
        let widths: [usize; 9] = std::array::from_fn(width);
        let border: String = widths
            .chunks(3)
            .map(|widths| format!("+{:-<1$}", "", widths.iter().sum::<usize>() + 4))
            .collect();
        for (row, cells) in cells.chunks(9).enumerate() {
            if row % 3 == 0 {
                writeln!(f, "{border}+")?;
            }
            for (column, cell) in cells.iter().enumerate() {
                let bar = if column % 3 == 0 { "| " } else { "" };
                write!(f, "{bar}{cell:<width$} ", width = widths[column])?;
            }
            writeln!(f, "|")?;
        }
        write!(f, "{border}+")
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
