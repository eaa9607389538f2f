//! The known solution of a puzzle when another solution is searched.

use crate::puzzle::Solution;

/// The solutions that don't count.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Known {
    /// All solutions with this digit, from 1, in this cell, which holds no clue. The candidate is removed before the
    /// search.
    Digit {
        /// The cell.
        cell: u8,
        /// The digit.
        digit: u8,
    },
    /// This solution. A search that finds it continues.
    Solution(Solution),
}

impl Known {
    /// Returns the cell and the digit, from 0, to remove.
    #[inline(always)]
    pub(super) fn struck(&self) -> Option<(usize, usize)> {
        match *self {
            Known::Digit { cell, digit } => Some((usize::from(cell), usize::from(digit) - 1)),
            Known::Solution(_) => None,
        }
    }

    /// Returns whether the solution that `found` returns is the known one.
    #[inline(always)]
    pub(super) fn is(&self, found: impl FnOnce() -> Solution) -> bool {
        match self {
            Known::Solution(known) => *known == found(),
            Known::Digit { .. } => false,
        }
    }
}
