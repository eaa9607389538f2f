//! Clues taken out, as long as the solution stays the only one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::descent::{Descent, Descents};
use crate::puzzle::{Cells, Puzzle};
use crate::simd::{Level, LevelError};
use crate::solver::{Answer, Outcome, Question, Solver, Status};

/// A puzzle from which clues are to be taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The puzzle, which has exactly one solution; at the end what is left of it.
    pub puzzle: Puzzle,
    /// The clues that are taken out together, in the order in which that is tried. A group that cannot be taken out stays whole.
    pub groups: Vec<Cells>,
    /// The clues that have to stay, at least.
    pub least_clues: usize,
}

/// Takes clues out of many puzzles at once. One for each thread.
///
/// What is left does not depend on what else is reduced with it: it is what taking out group after group leaves, each if the solution
/// stays the only one and enough clues are left.
///
/// ```
/// use sudobench_sudoku::generate::{Reducer, Reduction};
/// use sudobench_sudoku::{Puzzle, Status, solve};
///
/// let puzzle: Puzzle =
///     "534678912672195348198342567859761423426853791713924856961537284287419635345286179".parse()?;
/// let groups = (0..81).map(|cell| [cell].into_iter().collect()).collect();
/// let mut reductions = [Reduction { puzzle, groups, least_clues: 0 }];
/// assert!(Reducer::default().reduce(&mut reductions));
/// assert_eq!(solve(&reductions[0].puzzle).status, Status::Unique);
/// assert!(reductions[0].puzzle.clues() < 40);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Debug, Default)]
pub struct Reducer {
    descents: Descents,
}

impl Reducer {
    /// The same with vectors of that width. What is left does not depend on it.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<Reducer, LevelError> {
        Ok(Reducer { descents: Descents::new(level)? })
    }

    /// The same, given up as soon as this becomes true.
    #[must_use]
    pub fn cancel(mut self, cancel: Arc<AtomicBool>) -> Reducer {
        self.descents.cancel = Some(cancel);
        self
    }

    /// Reduces all of them. Returns whether that is done: not where it was cancelled. A puzzle that has not exactly one solution stays
    /// what it is.
    pub fn reduce(&mut self, reductions: &mut [Reduction]) -> bool {
        let question =
            Question { answer: Answer::First, cancel: self.descents.cancel.clone(), ..Question::unique() };
        let puzzles: Vec<Puzzle> = reductions.iter().map(|reduction| reduction.puzzle).collect();
        let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
        self.descents.solver.solve_batch(&puzzles, &question, &mut outcomes);
        let mut unique = outcomes.iter().enumerate().filter(|(_, outcome)| outcome.status == Status::Unique);
        let mut left = Vec::with_capacity(reductions.len());
        let start = |descent: &mut Descent| {
            let Some((number, solution)) =
                unique.find_map(|(number, outcome)| Some((number, outcome.solution?)))
            else {
                return false;
            };
            let Reduction { puzzle, groups, least_clues } = &reductions[number];
            descent.start(number as u64, (*puzzle, &solution), groups.iter().copied(), *least_clues);
            true
        };
        let whole = self.descents.run(start, |descent| left.push((descent.number as usize, descent.puzzle)));
        left.into_iter().for_each(|(number, puzzle)| reductions[number].puzzle = puzzle);
        whole
    }
}
