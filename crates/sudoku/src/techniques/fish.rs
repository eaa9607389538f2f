//! Fish: X-wing, swordfish and jellyfish.

use super::Technique;
use super::board::{Board, UNIT_CELLS, bits, cells_at};
use super::sets::find_set;
use super::step::{Basis, Step};
use crate::puzzle::Cells;

/// A fish: the places of a digit in `degree` parallel lines lie in `degree` lines across, from whose other cells the digit goes.
///
/// Base columns come before base rows, then sets of lines as in [`find_set`], then digits.
fn fish(board: &Board, degree: usize, technique: Technique, rating: f64) -> Option<Step> {
    [(18, 9), (9, 18)].into_iter().find_map(|(base, cover)| {
        let mut first: Option<(u16, u16, usize)> = None;
        for digit in 0..9 {
            let places: [u16; 9] = std::array::from_fn(|line| board.places(base + line, digit));
            let with = |is_wanted: fn(u32, u32) -> bool| {
                let wanted = |&line: &usize| is_wanted(places[line].count_ones(), degree as u32);
                (0..9).filter(wanted).fold(0_u16, |lines, line| lines | 1 << line)
            };
            let open = with(|count, _| count > 0);
            // Otherwise the lines left are a smaller fish.
            if (open.count_ones() as usize) < 2 * degree {
                continue;
            }
            let eligible = with(|count, degree| (2..=degree).contains(&count));
            let found = find_set(&places, eligible, degree, &mut |lines, across| {
                bits(open & !lines).any(|line| places[line] & across != 0).then_some((lines, across))
            });
            if let Some((lines, across)) = found
                && first.is_none_or(|(first, ..)| lines < first)
            {
                first = Some((lines, across, digit));
            }
        }
        let (lines, across, digit) = first?;
        let of = |start: usize, lines: u16| bits(lines).map(move |line| start + line);
        let units: Vec<usize> = of(base, lines).chain(of(cover, across)).collect();
        let cells_of =
            |units: &[usize]| units.iter().fold(Cells::EMPTY, |cells, &unit| cells.or(UNIT_CELLS[unit]));
        let cells = of(base, lines)
            .fold(Cells::EMPTY, |cells, unit| cells.or(cells_at(unit, board.places(unit, digit))));
        let digits = 1 << digit;
        let basis = Basis { technique, rating, units: &units, cells, digits };
        Step::eliminating(
            board,
            basis,
            cells_of(&units[degree..]).without(cells_of(&units[..degree])),
            digits,
        )
    })
}

/// X-wing: 3.2.
pub(super) fn x_wing(board: &Board) -> Option<Step> {
    fish(board, 2, Technique::XWing, 3.2)
}

/// Swordfish: 3.8.
pub(super) fn swordfish(board: &Board) -> Option<Step> {
    fish(board, 3, Technique::Swordfish, 3.8)
}

/// Jellyfish: 5.2.
pub(super) fn jellyfish(board: &Board) -> Option<Step> {
    fish(board, 4, Technique::Jellyfish, 5.2)
}
