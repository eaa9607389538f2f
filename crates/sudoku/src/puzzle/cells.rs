//! Sets of cells.

use std::fmt;

use super::{CELLS, Puzzle};

/// A set of cells, numbered row-major from 0 to 80.
///
/// ```
/// use sudobench_sudoku::puzzle::Cells;
/// let cells: Cells = [0, 13, 80].into_iter().collect();
/// assert_eq!((cells.len(), cells.contains(13), cells.to_string()), (3, true, "r1c1 r2c5 r9c9".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells(u128);

impl Cells {
    /// The empty set.
    pub const EMPTY: Cells = Cells(0);
    /// All 81 cells.
    pub const ALL: Cells = Cells((1 << CELLS) - 1);

    /// Returns whether the set contains a cell.
    #[inline]
    pub fn contains(self, cell: usize) -> bool {
        cell < CELLS && self.0 >> cell & 1 == 1
    }

    /// Returns the set of one cell.
    ///
    /// # Panics
    /// If the cell is above 80.
    #[inline]
    pub const fn one(cell: usize) -> Cells {
        Cells::EMPTY.with(cell)
    }

    /// Returns the set with a cell added.
    ///
    /// # Panics
    /// If the cell is above 80.
    #[inline]
    #[must_use]
    pub const fn with(self, cell: usize) -> Cells {
        assert!(cell < CELLS, "cells are numbered from 0 to 80");
        Cells(self.0 | 1 << cell)
    }

    /// Adds a cell.
    ///
    /// # Panics
    /// If the cell is above 80.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        *self = self.with(cell);
    }

    /// Returns the number of cells.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns the intersection.
    #[inline]
    #[must_use]
    pub fn and(self, other: Cells) -> Cells {
        Cells(self.0 & other.0)
    }

    /// Returns the union.
    #[inline]
    #[must_use]
    pub fn or(self, other: Cells) -> Cells {
        Cells(self.0 | other.0)
    }

    /// Returns the cells of this set that are not in the other set.
    #[inline]
    #[must_use]
    pub fn without(self, other: Cells) -> Cells {
        Cells(self.0 & !other.0)
    }

    /// Returns an iterator over the cell numbers in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let cell = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (cell < CELLS).then_some(cell)
        })
    }
}

impl FromIterator<usize> for Cells {
    /// # Panics
    /// If a cell is above 80.
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Cells {
        cells.into_iter().fold(Cells::EMPTY, Cells::with)
    }
}

impl fmt::Display for Cells {
    /// Writes the row and the column of each cell, numbered from 1, such as `r1c1 r2c5`. Writes nothing for the empty set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, cell) in self.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}r{}c{}", cell / 9 + 1, cell % 9 + 1)?;
        }
        Ok(())
    }
}

impl Puzzle {
    /// Returns the cells with clues.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// let puzzle: Puzzle = format!("{:.<81}", "..1.......2").parse()?;
    /// assert_eq!(puzzle.clue_cells().to_string(), "r1c3 r2c2");
    /// # Ok::<(), sudobench_sudoku::PuzzleError>(())
    /// ```
    pub fn clue_cells(&self) -> Cells {
        let is_clue = |(cell, &value): (usize, &u8)| (value != 0).then_some(cell);
        self.0.iter().enumerate().filter_map(is_clue).collect()
    }

    /// Returns the puzzle with these cells blank.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// let puzzle: Puzzle = format!("{:.<81}", "..1.......2").parse()?;
    /// assert_eq!(puzzle.without(puzzle.clue_cells()), Puzzle::EMPTY);
    /// # Ok::<(), sudobench_sudoku::PuzzleError>(())
    /// ```
    #[must_use]
    pub fn without(&self, cells: Cells) -> Puzzle {
        let mut puzzle = *self;
        cells.iter().for_each(|cell| puzzle.0[cell] = 0);
        puzzle
    }
}
