//! Finds bivalue universal graves (BUG). This technique assumes that the puzzle has exactly one solution.
//!
//! If all empty cells had two candidates, and every digit had no place or two places in each unit, the puzzle would have no solution or
//! several solutions. The candidates beyond that pattern are called extra digits here. Because the puzzle has one solution, at least one
//! cell with more than two candidates holds one of its extra digits.

use super::Technique;
use super::board::{Board, Digits, UNIT_CELLS, bits, cells_at, common_units, count, position_in, see_all};
use super::sets::{candidates_in, find_set};
use super::step::{Basis, Step};
use crate::puzzle::Cells;

struct Grave {
    cells: Cells,
    /// The extra digits of all cells together.
    all_extra: Digits,
    /// The board without the extra digits.
    rest: Board,
}

pub(super) fn find(board: &Board) -> Option<Step> {
    let larger = board.empty().without(board.cells_with_count(1)).without(board.cells_with_count(2));
    // Every cell with more than two candidates has extra digits. Every type except type 1 needs a cell that sees all these cells.
    if larger.is_empty() || larger.len() > 1 && see_all(larger.iter()).is_empty() {
        return None;
    }
    let grave = Grave::new(board)?;
    let cells: Vec<usize> = grave.cells.iter().collect();
    match cells[..] {
        [cell] => {
            let rest = grave.rest.candidates(cell);
            Step::eliminating(board, grave.basis(Technique::BivalueGrave1, &[]), grave.cells, rest)
        }
        _ if count(grave.all_extra) == 1 => {
            let basis = grave.basis(Technique::BivalueGrave2, &[]);
            Step::eliminating(board, basis, see_all(grave.cells.iter()), grave.all_extra)
                .or_else(|| grave.type_4(&cells))
        }
        _ => grave.type_4(&cells).or_else(|| grave.type_3(board, &cells)),
    }
}

impl Grave {
    fn new(board: &Board) -> Option<Grave> {
        let mut grave = Grave { cells: Cells::EMPTY, all_extra: 0, rest: board.clone() };
        // `in_excess`: the digits with extra places. `undecided`: cells that may have an extra digit. If several places of a digit in a
        // unit have three or more candidates, it is not known in which of these cells the digit is extra.
        let (mut in_excess, mut undecided) = (0, Cells::EMPTY);
        for unit in 0..27 {
            for digit in 0..9 {
                let places = board.places(unit, digit);
                if matches!(count(places), 0 | 2) {
                    continue;
                }
                in_excess |= 1 << digit;
                let larger = |&cell: &usize| count(board.candidates(cell)) >= 3;
                let cells: Cells = cells_at(unit, places).iter().filter(larger).collect();
                match cells.len() {
                    0 => return None,
                    1 => cells.iter().for_each(|cell| grave.add(cell, digit)),
                    _ => undecided = undecided.or(cells),
                }
            }
        }
        // If only one digit has extra places, it is the extra digit of all undecided cells that still have a third candidate.
        if count(in_excess) == 1 {
            let digit = in_excess.trailing_zeros() as usize;
            for cell in undecided.iter() {
                if grave.rest.candidates(cell) >> digit & 1 == 1 && count(grave.rest.candidates(cell)) >= 3 {
                    grave.add(cell, digit);
                }
            }
        }
        grave.is_whole().then_some(grave)
    }

    fn add(&mut self, cell: usize, digit: usize) {
        self.cells.insert(cell);
        self.all_extra |= 1 << digit;
        self.rest.remove(cell, 1 << digit);
    }

    /// Returns whether, without the extra digits, each empty cell has two candidates and each digit has no place or two places in each
    /// unit.
    fn is_whole(&self) -> bool {
        let has_pairs =
            |unit: usize| (0..9).all(|digit| matches!(count(self.rest.places(unit, digit)), 0 | 2));
        self.rest.cells_with_count(2) == self.rest.empty() && (0..27).all(has_pairs)
    }

    fn basis<'a>(&self, technique: Technique, units: &'a [usize]) -> Basis<'a> {
        Basis { technique, units, cells: self.cells, digits: self.all_extra }
    }

    /// Finds type 4: two cells of a unit have exactly one common candidate that is not an extra digit. This digit is locked in the two
    /// cells, so they keep only this digit and the extra digits.
    fn type_4(&self, cells: &[usize]) -> Option<Step> {
        let [first, second] = cells else { return None };
        let rest = [first, second].map(|&cell| self.rest.candidates(cell));
        let common = rest[0] & rest[1];
        let unit = common_units(self.cells).next()?;
        (count(common) == 1).then(|| {
            let eliminations = [first, second].into_iter().zip(rest);
            let eliminations = eliminations.map(|(&cell, rest)| (cell as u8, rest & !common)).collect();
            self.basis(Technique::BivalueGrave4, &[unit]).step(eliminations)
        })
    }

    /// Finds type 3: in a unit, the cells with extra digits count as one cell of a naked set. The candidates of this one cell are all the
    /// extra digits.
    fn type_3(&self, board: &Board, cells: &[usize]) -> Option<Step> {
        (2..=6).find_map(|degree| {
            common_units(self.cells).find_map(|unit| {
                let (mut masks, mut eligible) = candidates_in(board, unit, 2..=9);
                let first = position_in(unit as u8, cells[0]);
                for &cell in cells {
                    eligible &= !(1 << position_in(unit as u8, cell));
                }
                masks[first] = self.all_extra;
                find_set(&masks, eligible | 1 << first, degree, &mut |positions, digits| {
                    // Together, the other cells of the set must have all digits of the set, the extra digits too.
                    let others =
                        bits(positions & !(1 << first)).fold(0, |all, position| all | masks[position]);
                    if positions >> first & 1 == 0 || others != digits {
                        return None;
                    }
                    let victims = UNIT_CELLS[unit].without(self.cells).without(cells_at(unit, positions));
                    let units = &[unit];
                    let basis = Basis { digits, ..self.basis(Technique::BivalueGrave3, units) };
                    let step = Step::eliminating(board, basis, victims, digits)?;
                    Some(Step { rating: 5.7 + 0.1 * (degree - 1) as f64, ..step })
                })
            })
        })
    }
}
