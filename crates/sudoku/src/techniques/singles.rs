//! Hidden and naked singles.

use super::Technique;
use super::board::{BOXES, Board, COLUMNS, ROWS};
use super::step::Step;
use crate::puzzle::UNITS;

/// A hidden single, stored without the lists that a [`Step`] needs. This saves time, because most steps of most puzzles are hidden singles.
#[derive(Clone, Copy, Debug)]
pub(super) struct HiddenSingle {
    pub(super) rating: f64,
    pub(super) unit: usize,
    pub(super) cell: usize,
    /// The digit, counted from 0.
    pub(super) digit: usize,
}

/// Finds a hidden single: a digit that has only one place in a unit. The rating is 1.0 if this place is the last empty cell of the unit;
/// otherwise 1.2 in a box, and 1.5 in a row or column.
pub(super) fn find_hidden(board: &Board) -> Option<HiddenSingle> {
    let (units, last) = (board.single_units(), board.last_units());
    if units == 0 {
        return None;
    }
    for (units, ratings) in [(units & last, [1.0, 1.0]), (units & !last, [1.2, 1.5])] {
        for (kind, rating) in [(BOXES, ratings[0]), (COLUMNS, ratings[1]), (ROWS, ratings[1])] {
            if units & kind != 0 {
                let unit = (units & kind).trailing_zeros() as usize;
                let digit = board.digits_with_count(unit, 1).trailing_zeros() as usize;
                let cell = UNITS[unit][board.places(unit, digit).trailing_zeros() as usize].into();
                return Some(HiddenSingle { rating, unit, cell, digit });
            }
        }
    }
    None
}

impl HiddenSingle {
    pub(super) fn into_step(self) -> Step {
        let step = Step::placing(Technique::HiddenSingle, Some(self.unit), self.cell, self.digit);
        Step { rating: self.rating, ..step }
    }
}

pub(super) fn hidden(board: &Board) -> Option<Step> {
    find_hidden(board).map(HiddenSingle::into_step)
}

/// Finds a naked single: a cell with only one candidate.
pub(super) fn naked(board: &Board) -> Option<Step> {
    board.cells_with_count(1).iter().next().map(|cell| {
        let digit = board.candidates(cell).trailing_zeros() as usize;
        Step::placing(Technique::NakedSingle, None, cell, digit)
    })
}
