//! Stores candidates in words, so that a few integer operations find the singles of a whole grid.
//!
//! A minirow (three cells where a box meets a row) is one word, ten bits for each cell:
//!
//! ```text
//! bit     29   28..20      19   18..10       9    8..0
//!         -    9 .. 1      -    9 .. 1       -    9 .. 1
//!         - third cell -   - second cell -   - first cell -
//! ```
//!
//! The modules that use these words decide what the highest bit of a cell means.

use std::ops::{BitAnd, BitOr, Not};

/// One word for each minirow, by stack and row.
pub(crate) type Minirows = [[u32; 9]; 3];

/// Number of bits of a cell.
pub(crate) const CELL_BITS: u32 = 10;
/// The lowest bit of each cell of a minirow.
pub(crate) const EACH_CELL: u32 = 1 | 1 << CELL_BITS | 1 << (2 * CELL_BITS);
/// The bit above the candidates of each cell of a minirow.
pub(crate) const ABOVE: u32 = EACH_CELL << 9;
/// The nine digits of one cell.
pub(crate) const ALL_DIGITS: u32 = 0x1ff;
/// The nine digits of each cell of a minirow.
pub(crate) const ALL_CANDIDATES: u32 = EACH_CELL * ALL_DIGITS;

/// A digit in a cell: a bit of a minirow's word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The minirow: its stack and its row.
    pub(crate) stack: usize,
    pub(crate) row: usize,
    /// The bit in the word of the minirow.
    pub(crate) bit: u32,
}

impl Candidate {
    /// Makes the candidate `digit`, 1 to 9, of a cell.
    pub(crate) fn new(cell: usize, digit: u8) -> Candidate {
        let (stack, row, shift) = place_of(cell);
        Candidate { stack, row, bit: shift + u32::from(digit) - 1 }
    }

    /// Returns the cell, 0 to 80.
    pub(crate) fn cell(self) -> usize {
        self.row * 9 + self.stack * 3 + (self.bit / CELL_BITS) as usize
    }

    /// Returns the digit, 1 to 9.
    pub(crate) fn digit(self) -> u8 {
        (self.bit % CELL_BITS) as u8 + 1
    }

    /// Returns the bits of the other eight digits of the cell, in the word of the minirow.
    pub(crate) fn others(self) -> u32 {
        (ALL_DIGITS << (self.bit / CELL_BITS * CELL_BITS)) & !(1 << self.bit)
    }
}

/// Returns the stack, the row and the first bit of a cell.
pub(crate) fn place_of(cell: usize) -> (usize, usize, u32) {
    let (row, column) = (cell / 9, cell % 9);
    (column / 3, row, CELL_BITS * (column % 3) as u32)
}

/// A minirow, or the minirows of several grids in one vector.
pub(crate) trait MinirowWord:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Shifts to the left. The caller must make sure that no bit leaves its minirow.
    fn left<const BY: i32>(self) -> Self;

    /// Shifts to the right. Bits of a neighbouring minirow may enter at the top.
    fn right<const BY: i32>(self) -> Self;

    /// Adds. The caller must make sure that no carry leaves its minirow.
    fn plus(self, other: Self) -> Self;

    /// Subtracts. The caller must make sure that no borrow leaves its minirow.
    fn minus(self, other: Self) -> Self;
}

impl MinirowWord for u32 {
    #[inline(always)]
    fn left<const BY: i32>(self) -> u32 {
        self << BY
    }

    #[inline(always)]
    fn right<const BY: i32>(self) -> u32 {
        self >> BY
    }

    #[inline(always)]
    fn plus(self, other: u32) -> u32 {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: u32) -> u32 {
        self - other
    }
}

/// For each bit, says how many of several words have this bit: none, one, or at least two. Bitwise operations count for all bits at
/// the same time. A bit of `once` is set if at least one word has it; a bit of `twice`, if at least two words have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count<T> {
    pub(crate) once: T,
    pub(crate) twice: T,
}

impl<T: MinirowWord> Count<T> {
    /// Counts, for each bit, in how many of the three words it is set.
    #[inline(always)]
    pub(crate) fn new([first, second, third]: [T; 3]) -> Count<T> {
        Count { once: first | second | third, twice: first & second | (first | second) & third }
    }

    #[inline(always)]
    pub(crate) fn merge([first, second, third]: [Count<T>; 3]) -> Count<T> {
        let Count { once, twice } = Count::new([first.once, second.once, third.once]);
        Count { once, twice: twice | first.twice | second.twice | third.twice }
    }

    /// Adds the counts of the three cells into the bits of the first cell. The other bits become meaningless.
    #[inline(always)]
    pub(crate) fn folded(self) -> Count<T> {
        let Count { once, twice } = self;
        Count::merge([
            self,
            Count { once: once.right::<10>(), twice: twice.right::<10>() },
            Count { once: once.right::<20>(), twice: twice.right::<20>() },
        ])
    }

    #[inline(always)]
    pub(crate) fn within(self, mask: T) -> Count<T> {
        Count { once: self.once & mask, twice: self.twice & mask }
    }

    /// Returns the bits that were counted exactly once.
    #[inline(always)]
    pub(crate) fn alone(self) -> T {
        self.once & !self.twice
    }
}

/// Copies the digits of one cell to all three cells.
#[inline(always)]
pub(crate) fn in_each_cell<T: MinirowWord>(digits: T) -> T {
    digits | digits.left::<10>() | digits.left::<20>()
}
