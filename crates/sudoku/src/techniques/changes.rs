//! What changed between two states of a board. If a finder found nothing before, it has to look only at the changes.

use super::board::{Board, Digits, UNIT_CELLS};
use crate::puzzle::Cells;

/// The parts of a board that a finder has to look at.
///
/// A finder that found nothing is called again after candidates were removed. A pattern that exists now, but did not exist then, depends
/// on a cell that has lost a candidate since: a cell of the pattern, or another cell of its units. So a finder may skip all other patterns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changes {
    /// The empty cells with fewer candidates than before, and the cells that were filled.
    pub(super) cells: Cells,
    /// The digits that these cells have lost.
    pub(super) digits: Digits,
}

impl Changes {
    pub(super) const ALL: Changes = Changes { cells: Cells::ALL, digits: super::board::ALL_DIGITS };

    /// Compares two states of a board. `before` has, for each digit, the empty cells that could hold the digit. All candidates of `now`
    /// must already be in `before`.
    pub(super) fn between(before: &[Cells; 9], now: &Board) -> Changes {
        let mut changes = Changes { cells: Cells::EMPTY, digits: 0 };
        for (digit, cells) in before.iter().enumerate() {
            let gone = cells.without(now.cells(digit));
            changes.cells = changes.cells.or(gone);
            changes.digits |= Digits::from(!gone.is_empty()) << digit;
        }
        changes
    }

    pub(super) fn affect(self, cells: Cells) -> bool {
        !self.cells.and(cells).is_empty()
    }

    pub(super) fn affect_unit(self, unit: usize) -> bool {
        self.affect(UNIT_CELLS[unit])
    }
}
