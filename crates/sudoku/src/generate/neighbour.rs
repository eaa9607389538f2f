//! Prepares minimal puzzles that share most clues with a given puzzle: draws a full grid, and an order in which to try to remove
//! its cells.

use crate::isomorph::Transformation;
use crate::puzzle::{Cells, Puzzle, Solution};
use crate::random::Random;
use crate::solver::{Answer, Auto, Question, Solver};

/// Largest number of clues that are removed from a puzzle to make a neighbour. If a climb searches for puzzles with a wanted number of
/// clues, only one clue is removed.
pub(super) const MOST_TAKEN: usize = 4;

/// A full grid, and the order in which to try to remove its cells to get a minimal puzzle.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) grid: Solution,
    /// The cells to try first. In a start that [`neighbour`] makes, these are the cells without a kept clue.
    pub(super) first: Vec<Cells>,
    /// The cells to try last: those of the clues that a neighbour keeps from the given puzzle.
    pub(super) kept: Vec<Cells>,
}

impl Start {
    pub(super) fn order(self) -> Vec<Cells> {
        [self.first, self.kept].concat()
    }
}

/// Draws a solution of a puzzle: applies a random transformation to the puzzle, and finds the smallest solution of the transformed puzzle.
/// Returns this solution and the transformation; `None` if there is no solution.
///
/// The draw is not uniform. The smallest solution is used because the first solution that a solver finds could change with the solver; the
/// smallest solution never changes.
pub(super) fn draw_solution(
    puzzle: &Puzzle,
    solver: &mut dyn Solver,
    random: &mut Random,
) -> Option<(Solution, Transformation)> {
    let question = Question { answer: Answer::Smallest, ..Question::first() };
    let form = Transformation::random(random);
    Some((solver.solve(&form.apply(puzzle), &question).solution?, form))
}

/// Removes one to `most_taken` clues of a puzzle, and draws a solution of the remaining clues. Returns this solution and an order in which
/// to try to remove its cells. The remaining clues are tried last, so most of them will stay. Returns `None` if the remaining clues have no
/// solution.
pub(super) fn neighbour(
    puzzle: &Puzzle,
    most_taken: usize,
    solver: &mut Auto,
    random: &mut Random,
) -> Option<Start> {
    let mut clues: Vec<usize> = puzzle.clue_cells().iter().collect();
    random.shuffle(&mut clues);
    let taken = (1 + random.below(most_taken)).min(clues.len());
    let kept = puzzle.without(clues[..taken].iter().copied().collect());
    let (found, form) = draw_solution(&kept, solver, random)?;
    let grid = form.inverse().apply_to_solution(&found);
    let mut others: Vec<usize> = Cells::ALL.without(kept.clue_cells()).iter().collect();
    random.shuffle(&mut others);
    let each = |cells: &[usize]| cells.iter().copied().map(Cells::one).collect();
    Some(Start { grid, first: each(&others), kept: each(&clues[taken..]) })
}
