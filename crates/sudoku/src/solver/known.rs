//! What is known of a puzzle when another solution is sought.

use crate::puzzle::Solution;

/// What a solution has to differ from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Known {
    /// Whatever has this digit, from 1, in this cell, which holds no clue. The candidate is struck before the search begins.
    Digit {
        /// The cell.
        cell: u8,
        /// The digit.
        digit: u8,
    },
    /// This solution. A search that comes to it goes on.
    Solution(Solution),
}

impl Known {
    /// The cell, and the digit from 0, to be struck.
    #[inline(always)]
    pub(super) fn struck(&self) -> Option<(usize, usize)> {
        match *self {
            Known::Digit { cell, digit } => Some((usize::from(cell), usize::from(digit) - 1)),
            Known::Solution(_) => None,
        }
    }

    /// Whether this is the solution that is known.
    #[inline(always)]
    pub(super) fn is(&self, solution: &Solution) -> bool {
        matches!(self, Known::Solution(known) if known == solution)
    }
}
