//! Clues taken out, as long as the solution stays the only one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::puzzle::{Cells, Puzzle};
use crate::simd::{Level, LevelError};
use crate::solver::{Answer, Auto, Outcome, Question, Solver, Status};

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
    solver: Auto,
    cancel: Option<Arc<AtomicBool>>,
}

impl Reducer {
    /// The same with vectors of that width. What is left does not depend on it.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<Reducer, LevelError> {
        Ok(Reducer { solver: Auto::new(level)?, cancel: None })
    }

    /// The same, given up as soon as this becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Reducer {
        Reducer { cancel: Some(cancel), ..self }
    }

    /// Reduces all of them. Returns whether that is done: not where it was cancelled.
    pub fn reduce(&mut self, reductions: &mut [Reduction]) -> bool {
        let most = reductions.iter().map(|reduction| reduction.groups.len()).max().unwrap_or_default();
        let question = Question { answer: Answer::First, cancel: self.cancel.clone(), ..Question::unique() };
        let (mut tried, mut puzzles, mut outcomes) = (Vec::new(), Vec::new(), Vec::new());
        for group in 0..most {
            tried.clear();
            puzzles.clear();
            for (number, Reduction { puzzle, groups, least_clues }) in reductions.iter().enumerate() {
                let Some(&cells) = groups.get(group) else { continue };
                let without = puzzle.without(cells);
                if without != *puzzle && without.clues() >= *least_clues {
                    tried.push(number);
                    puzzles.push(without);
                }
            }
            outcomes.clear();
            outcomes.resize(puzzles.len(), Outcome::ABORTED);
            self.solver.solve_batch(&puzzles, &question, &mut outcomes);
            for ((&number, puzzle), outcome) in tried.iter().zip(&puzzles).zip(&outcomes) {
                if outcome.status == Status::Unique {
                    reductions[number].puzzle = *puzzle;
                }
            }
            if self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return false;
            }
        }
        true
    }
}
