//! Removes clues so that each puzzle keeps its only solution.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::descent::{Descent, Descents};
use crate::puzzle::{Cells, Puzzle};
use crate::simd::{Level, LevelError};
use crate::solver::{Outcome, Question, Solver, Status};

/// A puzzle from which clues will be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The puzzle, which must have exactly one solution. The reduction replaces it by the reduced puzzle.
    pub puzzle: Puzzle,
    /// Groups of clues, in the order in which they are tried. The clues of a group are removed together or not at all.
    pub groups: Vec<Cells>,
    /// Minimum number of clues of the reduced puzzle.
    pub least_clues: usize,
}

/// Removes clues from many puzzles at the same time. Each thread needs its own reducer.
///
/// The result of a puzzle doesn't depend on the other puzzles. It is the same as if the groups were tried one after the other, and each
/// group were removed if the solution stays the only one and enough clues are left.
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
/// assert!(reductions[0].puzzle.clue_count() < 40);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Debug, Default)]
pub struct Reducer {
    descents: Descents,
}

impl Reducer {
    /// Makes a reducer that uses this SIMD level. The results don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<Reducer, LevelError> {
        Ok(Reducer { descents: Descents::new(level)? })
    }

    /// Sets a cancel flag. The work stops soon after the flag becomes true.
    #[must_use]
    pub fn cancel(mut self, cancel: Arc<AtomicBool>) -> Reducer {
        self.descents.cancel = Some(cancel);
        self
    }

    /// Reduces all puzzles. A puzzle that doesn't have exactly one solution stays unchanged. Returns false if the work was cancelled; then
    /// some puzzles may be reduced and the others unchanged.
    pub fn reduce(&mut self, reductions: &mut [Reduction]) -> bool {
        let question = Question { cancel: self.descents.cancel.clone(), ..Question::unique_or_first() };
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
