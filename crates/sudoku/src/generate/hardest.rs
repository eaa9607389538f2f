//! Hill climbing for puzzles that cost a solver many nodes.
//!
//! ```text
//! a minimal puzzle -> another one near it -> the solver's nodes -> taken, unless they are fewer than before
//! ```
//! The next puzzle is either another form of it (two lines of a band or stack change places, two bands or stacks, two digits, or it is
//! transposed: as hard for who reasons, and another search for who tries), or some clues are taken out, one of the solutions that this
//! leaves is drawn, and clues of that are added until it is the only one; of which none that is redundant stays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Reducer, Reduction};
use crate::isomorph::Transformation;
use crate::puzzle::{CELLS, Cells, Puzzle};
use crate::random::Random;
use crate::simd::{Level, LevelError};
use crate::solver::{Auto, Question, Solver, Status, Variant};

/// Whose nodes are to be many, and how long that is tried.
#[derive(Clone, Debug)]
pub struct Hardest {
    /// The solver. Its nodes have to be those of a puzzle alone, not of a batch.
    pub variant: Variant,
    /// What it is asked: its nodes up to the answer are counted.
    pub question: Question,
    /// Puzzles that are tried, one after the other.
    pub steps: u64,
    /// The most nodes that a puzzle may take: one that takes more is not taken, however many they be.
    pub max_nodes: u64,
}

/// Climbs. One for each thread.
pub(super) struct Climber {
    solver: Box<dyn Solver>,
    question: Question,
    steps: u64,
    reducer: Reducer,
    /// Finds the solutions that clues leave.
    any: Auto,
}

/// Clues that are taken out at once, at most.
const MOST_TAKEN: usize = 4;

impl Climber {
    pub(super) fn new(
        hardest: &Hardest,
        level: Level,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Climber, LevelError> {
        let Hardest { variant, question, steps, max_nodes } = hardest;
        let question =
            Question { max_nodes: Some(*max_nodes), cancel: Some(Arc::clone(cancel)), ..question.clone() };
        Ok(Climber {
            solver: variant.build(level)?,
            question,
            steps: *steps,
            reducer: Reducer::new(level)?.cancel(Arc::clone(cancel)),
            any: Auto::new(level)?,
        })
    }

    /// The nodes that a puzzle takes; `None` where they are more than allowed, or that was cancelled.
    pub(super) fn nodes(&mut self, puzzle: &Puzzle) -> Option<u64> {
        let outcome = self.solver.solve(puzzle, &self.question);
        (outcome.status != Status::Aborted).then_some(outcome.nodes)
    }

    /// Climbs from a minimal puzzle that takes so many nodes. What is found takes as many at least.
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

    /// A minimal puzzle that has most of the clues of this one.
    fn neighbour(&mut self, puzzle: &Puzzle, random: &mut Random) -> Puzzle {
        let mut clues: Vec<usize> = puzzle.clue_cells().iter().collect();
        random.shuffle(&mut clues);
        let taken = (1 + random.below(MOST_TAKEN)).min(clues.len());
        let kept = puzzle.without(clues[..taken].iter().copied().collect());
        // The first solution of a random form is a random one, though not any is as likely as any other.
        let form = Transformation::random(random);
        let Some(found) = self.any.solve(&form.apply(&kept), &Question::first()).solution else {
            return *puzzle;
        };
        let grid = Puzzle::from(form.inverse().apply_to_solution(&found));
        // What was a clue stays one if it can: all else is tried first.
        let mut others: Vec<usize> = Cells::ALL.without(kept.clue_cells()).iter().collect();
        random.shuffle(&mut others);
        let order = others.into_iter().chain(clues[taken..].iter().copied());
        let groups = order.map(|cell| Cells::from_iter([cell])).collect();
        let mut reductions = [Reduction { puzzle: grid, groups, least_clues: 0 }];
        match self.reducer.reduce(&mut reductions) {
            true => reductions[0].puzzle,
            false => *puzzle,
        }
    }
}

/// The puzzle in another form, near to what it was: mostly two of its parts have changed places.
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
                // Below 10 again.
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
