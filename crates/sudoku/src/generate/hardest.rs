//! Hill climbing for puzzles that need many nodes of a solver.
//!
//! ```text
//! minimal puzzle -> neighbouring puzzle -> count the solver's nodes -> replace the puzzle, unless the neighbour takes fewer or too many
//! ```
//! The neighbouring puzzle is one of two kinds. It can be an equivalent form: two lines of a band or stack, two bands or stacks, or two
//! digits are swapped, the grid is transposed, or a random transformation is applied. Such a form allows the same logical deductions, but
//! a search takes another path. The other kind shares most clues with the puzzle: a few clues are removed, a solution of the rest is drawn,
//! and clues of this solution are removed until no clue is redundant. The clues that were not removed at first are tried last, so most of
//! them stay.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::neighbour::{MOST_TAKEN, neighbour};
use super::{Reducer, Reduction};
use crate::isomorph::Transformation;
use crate::puzzle::{CELLS, Puzzle};
use crate::random::Random;
use crate::simd::{Level, LevelError};
use crate::solver::{Auto, Question, Solver, SolverFactory, Status};

/// The solver whose nodes are maximised, and the limits of the search.
#[derive(Clone, Debug)]
pub struct Hardest {
    /// Builds the solver. The solver must count the nodes of each puzzle separately, not those of a batch.
    pub solver: Arc<dyn SolverFactory>,
    /// The question to the solver. Nodes are counted until the solver answers.
    pub question: Question,
    /// Number of puzzles tried, one after the other.
    pub steps: u64,
    /// Largest number of nodes that a puzzle may take. Puzzles with more are rejected.
    pub max_nodes: u64,
}

/// Does the hill climbing. Each thread needs its own climber.
pub(super) struct Climber {
    solver: Box<dyn Solver>,
    question: Question,
    steps: u64,
    reducer: Reducer,
    /// Finds solutions of puzzles that lack some clues.
    any: Auto,
}

impl Climber {
    pub(super) fn new(
        hardest: &Hardest,
        level: Level,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Climber, LevelError> {
        let Hardest { solver, question, steps, max_nodes } = hardest;
        let question =
            Question { max_nodes: Some(*max_nodes), cancel: Some(Arc::clone(cancel)), ..question.clone() };
        Ok(Climber {
            solver: solver.build(level)?,
            question,
            steps: *steps,
            reducer: Reducer::new(level)?.cancel(Arc::clone(cancel)),
            any: Auto::new(level)?,
        })
    }

    /// Returns the number of nodes for a puzzle; `None` if the solver did not finish, for example because of the limit.
    pub(super) fn nodes(&mut self, puzzle: &Puzzle) -> Option<u64> {
        let outcome = self.solver.solve(puzzle, &self.question);
        (outcome.status != Status::Aborted).then_some(outcome.nodes)
    }

    /// Climbs from a minimal puzzle that takes this number of nodes. The returned puzzle takes at least as many nodes.
    pub(super) fn climb(&mut self, mut puzzle: Puzzle, mut nodes: u64, random: &mut Random) -> Puzzle {
        let is_cancelled = |cancel: &Arc<AtomicBool>| cancel.load(Ordering::Relaxed);
        for _ in 0..self.steps {
            if self.question.cancel.as_ref().is_some_and(is_cancelled) {
                break;
            }
            let next = match random.below(2) {
                0 => other_form(&puzzle, random),
                _ => self.neighbour(&puzzle, random),
            };
            if let Some(taken) = self.nodes(&next).filter(|&taken| taken >= nodes) {
                (puzzle, nodes) = (next, taken);
            }
        }
        puzzle
    }

    /// Returns a minimal puzzle that usually shares most clues with this one; this puzzle itself if the work was cancelled.
    fn neighbour(&mut self, puzzle: &Puzzle, random: &mut Random) -> Puzzle {
        let Some(start) = neighbour(puzzle, MOST_TAKEN, &mut self.any, random) else { return *puzzle };
        let mut reductions = [Reduction { puzzle: start.grid.into(), groups: start.order(), least_clues: 0 }];
        match self.reducer.reduce(&mut reductions) {
            true => reductions[0].puzzle,
            false => *puzzle,
        }
    }
}

/// Returns an equivalent form of the puzzle. Mostly, only two lines, bands, stacks or digits are swapped.
fn other_form(puzzle: &Puzzle, random: &mut Random) -> Puzzle {
    let two = |random: &mut Random, of: usize| {
        let first = random.below(of);
        (first, (first + 1 + random.below(of - 1)) % of)
    };
    let swap = |at: usize, (a, b): (usize, usize)| {
        if at == a {
            b
        } else if at == b {
            a
        } else {
            at
        }
    };
    let line =
        |part: usize, lines, at: usize| if at / 3 == part { part * 3 + swap(at % 3, lines) } else { at };
    let of_cells = |from: &dyn Fn(usize, usize) -> usize| {
        let mut form = *puzzle;
        (0..CELLS).for_each(|cell| form.values_mut()[cell] = puzzle[from(cell / 9, cell % 9)]);
        form
    };
    match random.below(8) {
        0 | 1 => {
            let (part, lines) = (random.below(3), two(random, 3));
            of_cells(&|row, column| line(part, lines, row) * 9 + column)
        }
        2 => {
            let (part, lines) = (random.below(3), two(random, 3));
            of_cells(&|row, column| row * 9 + line(part, lines, column))
        }
        3 => {
            let bands = two(random, 3);
            of_cells(&|row, column| (swap(row / 3, bands) * 3 + row % 3) * 9 + column)
        }
        4 => {
            let stacks = two(random, 3);
            of_cells(&|row, column| row * 9 + swap(column / 3, stacks) * 3 + column % 3)
        }
        5 => {
            let digits = two(random, 9);
            let mut form = *puzzle;
            for value in form.values_mut().iter_mut().filter(|value| **value > 0) {
                // The result is below 10.
                *value = swap(usize::from(*value) - 1, digits) as u8 + 1;
            }
            form
        }
        6 => of_cells(&|row, column| column * 9 + row),
        _ => Transformation::random(random).apply(puzzle),
    }
}

impl std::fmt::Debug for Climber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Climber").field("steps", &self.steps).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::Canonicalizer;

    #[test]
    fn other_forms_are_equivalent() {
        let puzzle: Puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let (mut canonicalizer, mut random) = (Canonicalizer::default(), Random::new(1));
        let form = canonicalizer.canonical(&puzzle).form;
        let mut changed = 0;
        for _ in 0..200 {
            let other = other_form(&puzzle, &mut random);
            assert_eq!(canonicalizer.canonical(&other).form, form);
            changed += usize::from(other != puzzle);
        }
        assert!(changed > 190);
    }
}
