//! Puzzles that naked and hidden singles solve, compared with the oracle.

use sudobench_sudoku::random::Random;
use sudobench_sudoku::{Puzzle, solve_by_singles};

use super::regressions;
use crate::common::grids::{random_clues, random_grid, with_value};
use crate::common::oracle;

#[track_caller]
fn is_solved(puzzle: &Puzzle) -> bool {
    let expected = oracle::by_singles(puzzle);
    assert_eq!(solve_by_singles(puzzle), expected, "{puzzle}");
    expected.is_some()
}

#[test]
fn singles_solve_puzzles_without_a_choice() {
    let mut random = Random::new(5);
    let (mut solved, mut stuck) = (0, 0);
    for round in 0..600 {
        let grid = random_grid(&mut random);
        let puzzle = random_clues(&mut random, &grid, 24 + round % 30);
        let counter = if is_solved(&puzzle) { &mut solved } else { &mut stuck };
        *counter += 1;
        // The puzzle with one changed digit is checked too. Such a puzzle may have no solution, even if no two clues contradict each other.
        is_solved(&with_value(&puzzle, random.below(81), 1 + random.below(9) as u8));
    }
    assert!(solved > 100 && stuck > 100, "{solved} solved, {stuck} not");
}

#[test]
fn singles_agree_on_known_puzzles() {
    let solved = regressions::rows().into_iter().filter(|row| is_solved(&row.puzzle)).count();
    assert!(solved > 0);
}
