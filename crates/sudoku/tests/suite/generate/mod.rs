//! Tests of probes, minimality, reductions and generated puzzles, most of them at every SIMD level. The expected results
//! are computed from the definitions, by counting solutions.

mod methods;
mod minimality;
mod reductions;

use sudobench_sudoku::generate::Grids;
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::{Puzzle, Solution, count};

fn grid(random: &mut Random) -> Solution {
    Grids::default().grid(random)
}

/// Returns the set that contains only this cell.
fn one(cell: usize) -> Cells {
    [cell].into_iter().collect()
}

/// Returns the clues that could each be removed without allowing a second solution.
fn redundant(puzzle: &Puzzle) -> Cells {
    puzzle.clue_cells().iter().filter(|&cell| count(&puzzle.without(one(cell)), 2) == 1).collect()
}

/// Returns a puzzle with one solution. Goes through the clues of a random grid in random order and removes each clue whose removal leaves
/// one solution. Then restores at most `back` of the removed clues.
fn unique_puzzle(random: &mut Random, back: usize) -> Puzzle {
    let grid = Puzzle::from(grid(random));
    let mut cells: Vec<usize> = (0..81).collect();
    random.shuffle(&mut cells);
    let mut puzzle = grid;
    for &cell in &cells {
        let without = puzzle.without(one(cell));
        if count(&without, 2) == 1 {
            puzzle = without;
        }
    }
    let mut values = *puzzle.values();
    cells[..back].iter().for_each(|&cell| values[cell] = grid[cell]);
    Puzzle::try_from(values).unwrap()
}
