//! Fish: X-wing, swordfish and jellyfish.

use super::Technique;
use super::board::{Board, UNIT_CELLS, bits, cells_at};
use super::changes::Changes;
use super::sets::find_set;
use super::step::{Basis, Step};
use crate::puzzle::Cells;

/// Finds a fish: all places of a digit in `degree` rows (the base) lie in `degree` columns (the cover), or the reverse. The digit is
/// removed from the other cells of the cover.
///
/// Fish with base columns come before fish with base rows. Fish of the same kind are ordered by their sets of base lines, as in
/// [`find_set`], and then by digit. `found` is called with the step of each fish until `found` returns a step.
pub(super) fn fish(
    board: &Board,
    changes: Changes,
    technique: Technique,
    degree: usize,
    found: &mut dyn FnMut(Step) -> Option<Step>,
) -> Option<Step> {
    [(18, 9), (9, 18)].into_iter().find_map(|(base, cover)| {
        let mut all: Vec<(u16, usize, u16)> = Vec::new();
        for digit in bits(changes.digits) {
            let places: [u16; 9] = std::array::from_fn(|line| board.places(base + line, digit));
            let with = |is_wanted: fn(u32, u32) -> bool| {
                let wanted = |&line: &usize| is_wanted(places[line].count_ones(), degree as u32);
                (0..9).filter(wanted).fold(0_u16, |lines, line| lines | 1 << line)
            };
            let open = with(|count, _| count > 0);
            // `open`: the lines in which the digit still has a place. With fewer than `2 * degree` open lines, the open lines outside of
            // the fish are the cover of a smaller fish. If there is only one open line outside, it contains a hidden single. These steps
            // are found earlier and remove the same candidates.
            if (open.count_ones() as usize) < 2 * degree {
                continue;
            }
            let eligible = with(|count, degree| (2..=degree).contains(&count));
            find_set(&places, eligible, degree, &mut |lines, across| {
                if bits(open & !lines).any(|line| places[line] & across != 0) {
                    all.push((lines, digit, across));
                }
                None::<()>
            });
        }
        all.sort_unstable();
        all.into_iter().find_map(|(lines, digit, across)| {
            let of = |start: usize, lines: u16| bits(lines).map(move |line| start + line);
            let units: Vec<usize> = of(base, lines).chain(of(cover, across)).collect();
            let cells_of =
                |units: &[usize]| units.iter().fold(Cells::EMPTY, |cells, &unit| cells.or(UNIT_CELLS[unit]));
            let cells = of(base, lines)
                .fold(Cells::EMPTY, |cells, unit| cells.or(cells_at(unit, board.places(unit, digit))));
            let digits = 1 << digit;
            let basis = Basis { technique, units: &units, cells, digits };
            let others = cells_of(&units[degree..]).without(cells_of(&units[..degree]));
            Step::eliminating(board, basis, others, digits).and_then(&mut *found)
        })
    })
}
