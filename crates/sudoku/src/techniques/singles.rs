//! Hidden and naked singles.

use super::Technique;
use super::board::{Board, UNIT_CELLS, UNITS};
use super::step::Step;

/// A digit has one place in a unit. Rated 1.0 if it is the last empty cell of the unit, 1.2 in a box, 1.5 in a row or column.
pub(super) fn hidden(board: &Board) -> Option<Step> {
    for is_last in [true, false] {
        for start in [0, 18, 9] {
            for unit in start..start + 9 {
                if (UNIT_CELLS[unit].and(board.empty()).len() == 1) != is_last {
                    continue;
                }
                for digit in 0..9 {
                    let places = board.places(unit, digit);
                    if places.is_power_of_two() {
                        let cell = UNITS[unit][places.trailing_zeros() as usize] as usize;
                        let rating = if is_last {
                            1.0
                        } else if start == 0 {
                            1.2
                        } else {
                            1.5
                        };
                        return Some(Step::placing(Technique::HiddenSingle, rating, Some(unit), cell, digit));
                    }
                }
            }
        }
    }
    None
}

/// A cell has one candidate: 2.3.
pub(super) fn naked(board: &Board) -> Option<Step> {
    board.empty().iter().find(|&cell| board.candidates(cell).is_power_of_two()).map(|cell| {
        let digit = board.candidates(cell).trailing_zeros() as usize;
        Step::placing(Technique::NakedSingle, 2.3, None, cell, digit)
    })
}
