//! The known solutions of a puzzle, for a search for another solution.

use crate::puzzle::Solution;

/// The solutions that a search for another solution ignores.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Known {
    /// All solutions with this digit in this cell, which holds no clue. The digit is removed from the candidates of the cell before the
    /// search. The outcome says whether there is another solution, but `bitslice` doesn't store this other solution in the outcome.
    Digit {
        cell: u8,
        /// The digit, 1 to 9.
        digit: u8,
    },
    /// This solution. A search that finds it continues.
    Solution(Solution),
}

impl Known {
    /// Returns the cell and the digit (0 to 8) of the candidate to remove before the search, if any.
    #[inline(always)]
    pub(super) fn excluded_candidate(&self) -> Option<(usize, usize)> {
        match *self {
            Known::Digit { cell, digit } => Some((usize::from(cell), usize::from(digit) - 1)),
            Known::Solution(_) => None,
        }
    }

    /// Returns whether a search must ignore a solution. With [`Known::Digit`], this is never the case, because the candidate was removed
    /// before the search.
    #[inline(always)]
    pub(super) fn excludes(&self, solution: &Solution) -> bool {
        matches!(self, Known::Solution(known) if known == solution)
    }
}
