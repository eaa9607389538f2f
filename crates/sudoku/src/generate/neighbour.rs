//! Makes minimal puzzles that share most clues with a given puzzle.

use crate::isomorph::Transformation;
use crate::puzzle::{Cells, Puzzle, Solution};
use crate::random::Random;
use crate::solver::{Answer, Auto, Question, Solver};

/// Largest number of clues that are removed from a puzzle to make a neighbour.
const MOST_TAKEN: usize = 4;

/// Removes one to four clues of a puzzle, and uses `solver` to draw a solution of the remaining clues. Returns this solution, and the order
/// in which to try to remove its cells to get a minimal puzzle. Returns `None` if the remaining clues have no solution.
pub(super) fn neighbour(
    puzzle: &Puzzle,
    solver: &mut Auto,
    random: &mut Random,
) -> Option<(Solution, Vec<Cells>)> {
    let mut clues: Vec<usize> = puzzle.clue_cells().iter().collect();
    random.shuffle(&mut clues);
    let taken = (1 + random.below(MOST_TAKEN)).min(clues.len());
    let kept = puzzle.without(clues[..taken].iter().copied().collect());
    // The smallest solution of a random form is random, though not uniform. The first solution that a solver finds could change with the
    // solver; the smallest solution never changes.
    let question = Question { answer: Answer::Smallest, ..Question::first() };
    let form = Transformation::random(random);
    let found = solver.solve(&form.apply(&kept), &question).solution?;
    let grid = form.inverse().apply_to_solution(&found);
    // The cells without a kept clue come first in the order, so the kept clues stay if possible.
    let mut others: Vec<usize> = Cells::ALL.without(kept.clue_cells()).iter().collect();
    random.shuffle(&mut others);
    let order = others.into_iter().chain(clues[taken..].iter().copied());
    Some((grid, order.map(Cells::one).collect()))
}
