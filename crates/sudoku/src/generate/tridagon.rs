//! Makes minimal puzzles with a tridagon, a pattern that trial and error of depth 1 often does not resolve.
//!
//! ```text
//!   a . . | b . .      A tridagon is twelve cells in four boxes that form a rectangle: three cells in each box, in different rows and
//!   . b . | . c .      different columns. In one box or in three of them, the columns of the three cells, from the top down, are an odd
//!   . . c | . . a      permutation of the box's columns (here in the lower right box). Three digits a, b and c cannot fill these cells,
//!   ------+------      so at least one cell holds another digit, called the guardian (here d).
//!   b . . | a . .
//!   . c . | . . b      If the other eleven cells can only hold a, b and c, the guardian's cell must hold the guardian. But an
//!   . . a | . d .      assumption about a single cell rarely shows this.
//! ```
//! The pattern is also called trivalue oddagon or Thor's hammer (Berthier, "The tridagon rule", New Sudoku Players' Forum, 2022).
//!
//! A puzzle starts with a random grid that has the pattern. Clues are removed as long as only one solution is left: first the guardian and
//! the digits a, b and c, except in the box that shares no line with the four boxes; then the other clues, those in the four boxes last,
//! because they keep other digits out of the twelve cells.

use super::neighbour::{Start, draw_solution};
use crate::puzzle::{Cells, Puzzle};
use crate::random::Random;
use crate::solver::Solver;

/// Four tridagons of the digits 1, 2 and 3 in boxes 5, 6, 8 and 9, with the guardian 4 in box 9. Every tridagon with one guardian is
/// equivalent to one of these four.
const TRIDAGONS: [&[u8; 81]; 4] = [
    b"..............................1..2......2..3......3..1...2..1......3...4.....1.2.",
    b"..............................1..2......2..3......3..1...2..3......3...4.....1.2.",
    b"..............................1..2......2..3......3..1...3..4......1...2.....2.1.",
    b"..............................1..2......2..3......3..1...3..1......1...2.....2.4.",
];

/// Draws a grid with a tridagon, and the order in which to try to remove its cells.
pub(super) fn tridagon(solver: &mut dyn Solver, random: &mut Random) -> Option<Start> {
    let pattern = Puzzle::from_text(TRIDAGONS[random.below(TRIDAGONS.len())]).ok()?;
    let (grid, form) = draw_solution(&pattern, solver, random)?;
    let source = form.inverse().apply_to_solution(&grid);
    let turn = |&cell: &usize| {
        let at = usize::from(form.cells()[cell]);
        let (is_below, is_right) = (at >= 27, at % 9 >= 3);
        let is_guardian = pattern.values()[at] == 4;
        match (is_guardian || source.values()[at] <= 3 && (is_below || is_right), is_below && is_right) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 2,
        }
    };
    let mut order: Vec<usize> = Cells::ALL.iter().collect();
    random.shuffle(&mut order);
    order.sort_by_key(turn);
    Some(Start { grid, first: order.into_iter().map(Cells::one).collect(), kept: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::CELLS;
    use crate::solver::Mrv;

    /// Returns whether the digits 1, 2 and 3 can fill these cells.
    fn can_hold_three_digits(puzzle: &mut Puzzle, cells: &[usize]) -> bool {
        let Some((&cell, rest)) = cells.split_first() else { return true };
        for digit in 1..=3 {
            puzzle.values_mut()[cell] = digit;
            if puzzle.conflict().is_none() && can_hold_three_digits(puzzle, rest) {
                return true;
            }
        }
        puzzle.values_mut()[cell] = 0;
        false
    }

    #[test]
    fn three_digits_cannot_fill_the_cells_of_a_tridagon() {
        for text in TRIDAGONS {
            let pattern = Puzzle::from_text(text).unwrap();
            let cells: Vec<usize> = pattern.clue_cells().iter().collect();
            assert!(cells.len() == 12 && pattern.conflict().is_none());
            assert!(!can_hold_three_digits(&mut Puzzle::EMPTY.clone(), &cells));
            // The three digits can fill the other eleven cells, without the guardian's cell.
            let others: Vec<usize> = cells.into_iter().filter(|&cell| pattern.values()[cell] != 4).collect();
            assert!(can_hold_three_digits(&mut Puzzle::EMPTY.clone(), &others));
        }
    }

    #[test]
    fn the_cells_of_the_four_boxes_that_hold_other_digits_are_tried_last() {
        let (mut solver, mut random) = (Mrv::new(), Random::new(8));
        for _ in 0..20 {
            let start = tridagon(&mut solver, &mut random).unwrap();
            assert_eq!(start.grid.check(&Puzzle::EMPTY), Ok(()));
            // The four boxes have 36 cells. 12 of them hold the three digits. One of the other cells holds the guardian and is tried first.
            // So 23 cells are tried last.
            let last: Vec<usize> = start.first[81 - 23..].iter().flat_map(|cells| cells.iter()).collect();
            let box_of = |cell: usize| cell / 27 * 3 + cell % 9 / 3;
            let mut boxes: Vec<usize> = last.iter().map(|&cell| box_of(cell)).collect();
            boxes.sort_unstable();
            boxes.dedup();
            let digits = last.iter().fold(0_u16, |digits, &cell| digits | 1 << start.grid.values()[cell]);
            assert!(boxes.len() == 4 && digits.count_ones() == 6, "{boxes:?}");
            let before = start.first[81 - 24].iter().next().unwrap();
            assert!(!boxes.contains(&box_of(before)));
            let tried = start.first.iter().fold(Cells::default(), |tried, &cells| tried.or(cells));
            assert!(start.first.len() == CELLS && tried == Cells::ALL);
        }
    }
}
