//! Naked and hidden pairs, triplets and quads. Hidden pairs and triplets also have a direct form that fills a cell.

use super::Technique;
use super::board::{ALL_DIGITS, Board, Digits, UNIT_CELLS, bits, cells_at, count};
use super::changes::Changes;
use super::step::{Basis, Step};
use crate::puzzle::UNITS;

/// The units in the order in which sets are looked for: boxes, columns, rows.
const UNIT_ORDER: [usize; 27] = {
    let mut order = [0; 27];
    let mut position = 0;
    while position < 27 {
        order[position] = match position / 9 {
            0 => position,
            1 => position + 9,
            _ => position - 9,
        };
        position += 1;
    }
    order
};

/// Calls `found` with each set of `degree` elements whose masks together have exactly `degree` bits, until `found` returns `Some`. An
/// element is a position in `masks`. The arguments of `found` are the set and the union of its masks. Only the elements in `eligible` are
/// used.
///
/// The sets are visited in the order of their binary numbers: {0,1}, {0,2}, {1,2}, {0,3} and so on. The highest element is chosen first. If
/// the masks of the elements chosen so far together have more than `degree` bits, all sets that contain these elements are skipped.
pub(super) fn find_set<T>(
    masks: &[u16; 9],
    eligible: u16,
    degree: usize,
    found: &mut impl FnMut(u16, u16) -> Option<T>,
) -> Option<T> {
    match count(eligible) < degree {
        true => None,
        false => extend(masks, eligible, degree, (0, 0), degree, found),
    }
}

fn extend<T>(
    masks: &[u16; 9],
    eligible: u16,
    missing: usize,
    (chosen, union): (u16, u16),
    degree: usize,
    found: &mut impl FnMut(u16, u16) -> Option<T>,
) -> Option<T> {
    for element in bits(eligible) {
        let union = union | masks[element];
        if count(union) > degree {
            continue;
        }
        let chosen = chosen | 1 << element;
        let result = match missing {
            1 if count(union) == degree => found(chosen, union),
            1 => None,
            _ => {
                let lower = eligible & ((1 << element) - 1);
                extend(masks, lower, missing - 1, (chosen, union), degree, found)
            }
        };
        if result.is_some() {
            return result;
        }
    }
    None
}

/// Returns the digits that have from two to `degree` places in a unit.
fn digits_with_few_places(board: &Board, unit: usize, degree: usize) -> Digits {
    (2..=degree).fold(0, |digits, places| digits | board.digits_with_count(unit, places))
}

/// Finds a direct hidden set: `degree` digits share `degree` cells of a unit, so that another digit has only one place left in the unit.
pub(super) fn direct_hidden(
    board: &Board,
    changes: Changes,
    technique: Technique,
    degree: usize,
) -> Option<Step> {
    let may_hold = |&unit: &usize| board.empty_in(unit) > degree && changes.affect_unit(unit);
    UNIT_ORDER.into_iter().filter(may_hold).find_map(|unit| {
        let all_places = board.places_in(unit);
        let eligible = digits_with_few_places(board, unit, degree);
        find_set(all_places, eligible, degree, &mut |digits, positions| {
            bits(ALL_DIGITS & !digits).find_map(|digit| {
                let left = all_places[digit] & !positions;
                if count(left) != 1 || left == all_places[digit] {
                    return None;
                }
                let cell = cells_at(unit, left).iter().next()?;
                let cells = cells_at(unit, positions);
                Some(Step { cells, digits, ..Step::placing(technique, Some(unit), cell, digit) })
            })
        })
    })
}

/// Finds a naked set: `degree` cells of a unit have `degree` candidates together. These digits are removed from the other cells of the
/// unit.
///
/// Units with fewer than 2 * `degree` empty cells are skipped, because the other digits there, if any, are a hidden single or a smaller
/// hidden set, which removes the same candidates. `found` is called with the step of each set until `found` returns a step.
pub(super) fn naked(
    board: &Board,
    changes: Changes,
    technique: Technique,
    degree: usize,
    found: &mut dyn FnMut(Step) -> Option<Step>,
) -> Option<Step> {
    let few = (2..=degree)
        .fold(crate::puzzle::Cells::EMPTY, |cells, count| cells.or(board.cells_with_count(count)));
    let may_hold = |&unit: &usize| board.empty_in(unit) >= 2 * degree && changes.affect_unit(unit);
    UNIT_ORDER.into_iter().filter(may_hold).find_map(|unit| {
        if few.and(UNIT_CELLS[unit]).len() < degree {
            return None;
        }
        let (masks, eligible) = candidates_in(board, unit, 2..=degree);
        find_set(&masks, eligible, degree, &mut |positions, digits| {
            let cells = cells_at(unit, positions);
            let basis = Basis { technique, units: &[unit], cells, digits };
            let others = UNIT_CELLS[unit].without(cells);
            Step::eliminating(board, basis, others, digits).and_then(&mut *found)
        })
    })
}

/// Returns the candidates of the cells of a unit, and the positions of the cells whose number of candidates is in the range.
pub(super) fn candidates_in(
    board: &Board,
    unit: usize,
    counts: std::ops::RangeInclusive<usize>,
) -> ([Digits; 9], u16) {
    let candidates = UNITS[unit].map(|cell| board.candidates(cell.into()));
    let has_so_many = |&position: &usize| counts.contains(&count(candidates[position]));
    (candidates, (0..9).filter(has_so_many).fold(0, |positions, position| positions | 1 << position))
}

/// Finds a hidden set: `degree` digits share `degree` cells of a unit. All other digits are removed from these cells.
///
/// Units with at most 2 * `degree` empty cells are skipped, because the other cells there, if any, are a naked single or a naked set of at
/// most `degree` cells, which removes the same candidates. `found` is called with the step of each set until `found` returns a step.
pub(super) fn hidden(
    board: &Board,
    changes: Changes,
    technique: Technique,
    degree: usize,
    found: &mut dyn FnMut(Step) -> Option<Step>,
) -> Option<Step> {
    let may_hold = |&unit: &usize| board.empty_in(unit) > 2 * degree && changes.affect_unit(unit);
    UNIT_ORDER.into_iter().filter(may_hold).find_map(|unit| {
        let eligible = digits_with_few_places(board, unit, degree);
        find_set(board.places_in(unit), eligible, degree, &mut |digits, positions| {
            let cells = cells_at(unit, positions);
            let basis = Basis { technique, units: &[unit], cells, digits };
            Step::eliminating(board, basis, cells, !digits & ALL_DIGITS).and_then(&mut *found)
        })
    })
}
