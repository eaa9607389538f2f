//! A solver that is simple enough to be believed. It shares no code with the library's solvers or its referee.
#![forbid(unsafe_code)]

use sudobench::{Puzzle, Solution};

/// The solutions of a puzzle, ascending, or any `most` of them if there are more.
pub(crate) fn solutions(puzzle: &Puzzle, most: usize) -> Vec<Solution> {
    let mut grid = *puzzle.values();
    let mut solutions = Vec::new();
    if clues_agree(&grid) {
        fill_tightest(&mut grid, most, &mut solutions);
    }
    solutions.sort();
    solutions
}

/// The smallest solution of a puzzle that has one; `None` if more than `most` digits would have to be tried.
pub(crate) fn smallest(puzzle: &Puzzle, most: usize) -> Option<Solution> {
    let mut grid = *puzzle.values();
    let mut tries_left = most;
    fill_in_order(&mut grid, 0, &mut tries_left).then(|| Solution::from_values(grid).unwrap())
}

/// Whether a digit may stand in a cell beside the others of its row, column and box.
fn fits(grid: &[u8; 81], cell: usize, digit: u8) -> bool {
    let shares_a_unit = |other: usize| {
        let same_box = other / 27 == cell / 27 && other % 9 / 3 == cell % 9 / 3;
        other / 9 == cell / 9 || other % 9 == cell % 9 || same_box
    };
    (0..81).all(|other| other == cell || grid[other] != digit || !shares_a_unit(other))
}

fn clues_agree(grid: &[u8; 81]) -> bool {
    (0..81).all(|cell| grid[cell] == 0 || fits(grid, cell, grid[cell]))
}

/// Collects the solutions; each time fills the blank in which the fewest digits fit.
fn fill_tightest(grid: &mut [u8; 81], most: usize, solutions: &mut Vec<Solution>) {
    let fitting = |cell| (1..=9).filter(|&digit| fits(grid, cell, digit)).collect::<Vec<u8>>();
    let blanks = (0..81).filter(|&cell| grid[cell] == 0).map(|cell| (cell, fitting(cell)));
    let Some((cell, digits)) = blanks.min_by_key(|(_, digits)| digits.len()) else {
        solutions.push(Solution::from_values(*grid).unwrap());
        return;
    };
    for digit in digits {
        if solutions.len() < most {
            grid[cell] = digit;
            fill_tightest(grid, most, solutions);
        }
    }
    grid[cell] = 0;
}

/// Fills the blanks from `cell` on in order, small digits first; leaves the first solution in `grid`.
fn fill_in_order(grid: &mut [u8; 81], cell: usize, tries_left: &mut usize) -> bool {
    if cell == 81 {
        return true;
    }
    if grid[cell] != 0 {
        return fill_in_order(grid, cell + 1, tries_left);
    }
    for digit in 1..=9 {
        if *tries_left == 0 {
            break;
        }
        if fits(grid, cell, digit) {
            *tries_left -= 1;
            grid[cell] = digit;
            if fill_in_order(grid, cell + 1, tries_left) {
                return true;
            }
        }
    }
    grid[cell] = 0;
    false
}
