//! The candidates of a grid, and how naked and hidden singles reduce them.
//!
//! A minirow (three cells where a box meets a row) is one word, ten bits for each cell:
//!
//! ```text
//! bit     29   28..20      19   18..10       9    8..0
//!         -    9 .. 1      -    9 .. 1       -    9 .. 1
//!         - third cell -   - second cell -   - first cell -
//! ```
//!
//! A filled cell has a single candidate. So one step finds all singles of the grid, including the cells already filled,
//! and removes them from all their peers at once, without a branch. The loop ends when nothing changes.

use crate::puzzle::{CELLS, Cells, Puzzle, Solution};

/// One word for each minirow, by stack and row.
pub(super) type Minirows = [[u32; 9]; 3];

/// Number of bits of a cell.
pub(super) const CELL_BITS: u32 = 10;
/// The lowest bit of each cell of a minirow.
const EACH_CELL: u32 = 1 | 1 << CELL_BITS | 1 << (2 * CELL_BITS);
/// The bit above the candidates of each cell of a minirow.
const ABOVE: u32 = EACH_CELL << 9;
/// The nine digits of one cell.
pub(super) const ALL_DIGITS: u32 = 0x1ff;
/// The nine digits of each cell of a minirow.
pub(super) const ALL_CANDIDATES: u32 = EACH_CELL * ALL_DIGITS;

/// The candidates of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidates(pub(super) Minirows);

/// A cell has no candidate left, or a digit has no place in a row, column or box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contradiction;

impl Candidates {
    /// Makes the candidates of a puzzle: one for each clue, all for each blank.
    pub(crate) fn new(puzzle: &Puzzle) -> Candidates {
        let mut candidates = Candidates([[0; 9]; 3]);
        for (cell, &value) in puzzle.values().iter().enumerate() {
            let digits = if value == 0 { ALL_DIGITS } else { 1 << (value - 1) };
            let (stack, row, shift) = place_of(cell);
            candidates.0[stack][row] |= digits << shift;
        }
        candidates
    }

    /// Makes the candidates of a filled grid.
    pub(super) fn from_solution(solution: &Solution) -> Candidates {
        Candidates::new(&Puzzle::from(*solution))
    }

    /// Returns the candidates of a cell, bits 0 to 8.
    pub(crate) fn digits_of(&self, cell: usize) -> u32 {
        let (stack, row, shift) = place_of(cell);
        self.0[stack][row] >> shift & ALL_DIGITS
    }

    /// Leaves a cell with one of its candidates, given as a bit.
    pub(super) fn fill(&mut self, cell: usize, digit: u32) {
        self.strike(cell, ALL_DIGITS & !digit);
    }

    /// Removes candidates of a cell. Returns whether any of them was present.
    pub(crate) fn strike(&mut self, cell: usize, digits: u32) -> bool {
        let (stack, row, shift) = place_of(cell);
        let word = &mut self.0[stack][row];
        let before = *word;
        *word &= !(digits << shift);
        *word != before
    }

    /// Returns `others` and the digits of the filled cells. Every cell must have a candidate.
    pub(super) fn with_filled(&self, mut others: Minirows) -> Minirows {
        let words = self.0.as_flattened().iter().zip(others.as_flattened_mut());
        words.for_each(|(word, others)| *others |= word & cells_with_one(*word));
        others
    }

    /// Returns the filled cells. Every cell must have a candidate.
    pub(super) fn filled_cells(&self) -> Cells {
        (0..CELLS).filter(|&cell| self.digits_of(cell).is_power_of_two()).collect()
    }

    /// Returns whether every cell is filled. Unless there is a contradiction, this is a solution.
    pub(super) fn is_full(&self) -> bool {
        self.0.as_flattened().iter().all(|word| word & word.wrapping_sub(EACH_CELL) & ALL_CANDIDATES == 0)
    }

    /// Fills naked and hidden singles until there are none.
    pub(crate) fn follow_singles(&mut self) -> Result<(), Contradiction> {
        loop {
            let before = *self;
            self.fill_singles()?;
            if *self == before {
                return Ok(());
            }
        }
    }

    /// Fills all current singles and removes them from their peers.
    #[inline]
    fn fill_singles(&mut self) -> Result<(), Contradiction> {
        let words = &mut self.0;
        let mut bad = 0;
        let mut singles: Minirows = [[0; 9]; 3];
        let mut in_row = [0; 9];
        for row in 0..9 {
            let count = Count::new([words[0][row], words[1][row], words[2][row]]).folded();
            bad |= ALL_DIGITS & !count.once;
            in_row[row] = in_each_cell(count.once & !count.twice & ALL_DIGITS);
        }
        for (words, singles) in words.iter().zip(&mut singles) {
            let in_band = [0, 3, 6].map(|row| Count::new([words[row], words[row + 1], words[row + 2]]));
            let columns = Count::merge(in_band);
            bad |= ALL_CANDIDATES & !columns.once;
            for (band, count) in in_band.into_iter().enumerate() {
                let count = count.folded();
                bad |= ALL_DIGITS & !count.once;
                let in_box = in_each_cell(count.once & !count.twice & ALL_DIGITS);
                let alone = in_box | columns.once & !columns.twice;
                for row in band * 3..band * 3 + 3 {
                    let word = words[row];
                    bad |= ABOVE & !((word & ALL_CANDIDATES) + ALL_CANDIDATES);
                    singles[row] = word & (alone | in_row[row] | cells_with_one(word));
                }
            }
        }
        if bad != 0 {
            return Err(Contradiction);
        }
        let mut taken_in_row = [0; 9];
        for row in 0..9 {
            let count = Count::new([singles[0][row], singles[1][row], singles[2][row]]).folded();
            bad |= ALL_DIGITS & count.twice;
            taken_in_row[row] = in_each_cell(count.once & ALL_DIGITS);
        }
        for (words, singles) in words.iter_mut().zip(&singles) {
            let in_band = [0, 3, 6].map(|row| Count::new([singles[row], singles[row + 1], singles[row + 2]]));
            let columns = Count::merge(in_band);
            bad |= columns.twice;
            for (band, count) in in_band.into_iter().enumerate() {
                let count = count.folded();
                bad |= ALL_DIGITS & count.twice;
                let taken = in_each_cell(count.once & ALL_DIGITS) | columns.once;
                for row in band * 3..band * 3 + 3 {
                    let single = singles[row];
                    bad |= single & ((single | ABOVE) - EACH_CELL); // two digits for one cell
                    words[row] = words[row] & !(taken | taken_in_row[row] | in_cells_of(single)) | single;
                }
            }
        }
        if bad == 0 { Ok(()) } else { Err(Contradiction) }
    }
}

/// Returns the stack, the row and the first bit of a cell.
pub(super) fn place_of(cell: usize) -> (usize, usize, u32) {
    let (row, column) = (cell / 9, cell % 9);
    (column / 3, row, CELL_BITS * (column % 3) as u32)
}

/// Returns the cell and the digit, from 0, of a bit in a minirow.
pub(super) fn cell_of(stack: usize, row: usize, bit: u32) -> (usize, u32) {
    (row * 9 + stack * 3 + (bit / CELL_BITS) as usize, bit % CELL_BITS)
}

/// Counts the places of every digit at once, up to "two or more", with bitwise operations on words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    pub(super) once: u32,
    pub(super) twice: u32,
}

impl Count {
    /// Counts the places in three words.
    #[inline]
    pub(super) fn new([first, second, third]: [u32; 3]) -> Count {
        Count { once: first | second | third, twice: first & second | (first | second) & third }
    }

    /// Adds three counts.
    #[inline]
    pub(super) fn merge(counts: [Count; 3]) -> Count {
        let [first, second, third] = counts.map(|count| count.twice);
        let Count { once, twice } = Count::new(counts.map(|count| count.once));
        Count { once, twice: twice | first | second | third }
    }

    /// Adds the counts of the three cells into the bits of the first cell.
    #[inline]
    pub(super) fn folded(self) -> Count {
        Count::merge([0, CELL_BITS, 2 * CELL_BITS].map(|shift| Count {
            once: self.once >> shift & ALL_DIGITS,
            twice: self.twice >> shift & ALL_DIGITS,
        }))
    }
}

/// Copies the digits of one cell to all three cells.
#[inline]
pub(super) fn in_each_cell(digits: u32) -> u32 {
    digits | digits << CELL_BITS | digits << (2 * CELL_BITS)
}

/// Returns the full masks of the cells that have a candidate of `word`.
#[inline]
pub(super) fn in_cells_of(word: u32) -> u32 {
    let flags = (word + ALL_CANDIDATES) & ABOVE;
    flags - (flags >> 9)
}

/// Returns the full masks of the cells that have exactly one candidate of `word`. Each cell must have at least one.
#[inline]
fn cells_with_one(word: u32) -> u32 {
    let without_lowest = word & word.wrapping_sub(EACH_CELL);
    ALL_CANDIDATES & !in_cells_of(without_lowest & ALL_CANDIDATES)
}
