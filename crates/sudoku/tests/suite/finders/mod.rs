//! Tests of the finders: minimal puzzles inside puzzles, and neighbours of puzzles.

mod minimals;
mod vicinity;

use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::{Puzzle, Status, solve};

/// If one clue is removed, this puzzle has from one to eight solutions, depending on the clue.
const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn is_unique(puzzle: &Puzzle) -> bool {
    solve(puzzle).status == Status::Unique
}

/// Returns whether a puzzle has exactly one solution and no redundant clue.
fn is_minimal(puzzle: &Puzzle) -> bool {
    let without = |cell| puzzle.without(Cells::from_iter([cell]));
    is_unique(puzzle) && puzzle.clue_cells().iter().all(|cell| !is_unique(&without(cell)))
}
