//! The next steps for a grid that someone has partly filled in.

use std::array;

use super::board::{Board, Digits};
use super::step::PlayedStep;
use super::{next_step, step};
use crate::puzzle::{CELLS, Cells, Puzzle, Solution, free_digits};
use crate::solver::{Status, solve};

/// A grid that someone fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<'a> {
    /// The clues and the cells filled so far.
    pub board: &'a Puzzle,
    /// For each cell, the candidates that are left. Candidates of filled cells, and candidates that a filled cell excludes, are ignored.
    /// `None`: all candidates that the filled cells do not exclude.
    pub candidates: Option<&'a [Digits; CELLS]>,
    /// The clues only. If they are given, cells that differ from the solution can be reported.
    pub puzzle: Option<&'a Puzzle>,
}

/// Reasons why [`hint`] fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HintError {
    /// The puzzle has no solution, or several.
    #[error("the puzzle has {0}; hints need a puzzle with exactly one solution")]
    Puzzle(&'static str),
    /// These cells differ from the solution. A cell in which a clue of the puzzle is missing also counts.
    #[error("these cells are wrong: {}", step::cells_text(*.0))]
    Wrong(Cells),
    /// The grid has no solution. The wrong cells are not known, because the puzzle was not given.
    #[error("the grid has no solution; if you also give the puzzle, the wrong cells are listed")]
    Unsolvable,
    /// The grid has several solutions.
    #[error("the grid has several solutions; hints need a grid with exactly one solution")]
    Several,
    /// The candidates of these cells lack the digit of the solution.
    #[error("these cells lack the right digit as a candidate: {}", step::cells_text(*.0))]
    Candidates(Cells),
}

/// Returns the steps up to the next step that fills a cell. Steps that only eliminate candidates are returned too: if only the first step
/// was returned, a caller that does not record eliminations would get the same step again and again. If no step fills a cell, the result
/// ends with the last step that any technique finds. For a filled grid, the result is empty.
///
/// # Errors
/// [`HintError`], for example if cells of the grid are wrong, or if the puzzle has several solutions.
///
/// ```
/// use sudobench_sudoku::techniques::{Position, hint};
///
/// let board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let steps = hint(Position { board: &board, candidates: None, puzzle: None })?;
/// assert_eq!(steps[0].step.to_string(), "Hidden Single: 8 in b2 => r1c6=8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hint(position: Position) -> Result<Vec<PlayedStep>, HintError> {
    let solution = solution_of(&position)?;
    let mut board = match position.candidates {
        Some(candidates) => {
            let lacks = |&cell: &usize| candidates[cell] >> (solution.values()[cell] - 1) & 1 == 0;
            let blanks = Cells::ALL.without(position.board.clue_cells());
            let lacking: Cells = blanks.iter().filter(lacks).collect();
            if !lacking.is_empty() {
                return Err(HintError::Candidates(lacking));
            }
            let free = free_digits(position.board);
            Board::with_candidates(position.board, &array::from_fn(|cell| candidates[cell] & free[cell]))
        }
        None => Board::new(position.board),
    };
    let mut steps = Vec::new();
    while let Some(step) = next_step(&board) {
        let fills_a_cell = step.placement.is_some();
        steps.push(PlayedStep::play(step, &mut board));
        if fills_a_cell {
            break;
        }
    }
    Ok(steps)
}

/// Returns the solution of the puzzle, or of the board if no puzzle is given. Returns an error if there is not exactly one solution, if a
/// filled cell differs from the solution, or if the board lacks a clue of the puzzle.
fn solution_of(position: &Position) -> Result<Solution, HintError> {
    let (solved, several, unsolvable) = match position.puzzle {
        Some(puzzle) => (puzzle, HintError::Puzzle("several solutions"), HintError::Puzzle("no solution")),
        None => (position.board, HintError::Several, HintError::Unsolvable),
    };
    let outcome = solve(solved);
    let solution = match (outcome.status, outcome.solution) {
        (Status::Unique, Some(solution)) => solution,
        (Status::Multiple, _) => return Err(several),
        _ => return Err(unsolvable),
    };
    // A missing clue also counts as wrong: without the clue, the board may have several solutions, but some steps assume a single solution.
    let filled = position.board.clue_cells().or(solved.clue_cells());
    let wrong: Cells =
        filled.iter().filter(|&cell| position.board[cell] != solution.values()[cell]).collect();
    if wrong.is_empty() { Ok(solution) } else { Err(HintError::Wrong(wrong)) }
}
