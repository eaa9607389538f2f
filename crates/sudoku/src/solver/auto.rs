//! `auto`: uses `bitslice` for large batches, otherwise `bitboard`.

use super::{Bitboard, Bitslice, Known, OtherSearches, Outcome, Question, Solver};
use crate::puzzle::Puzzle;
use crate::simd::{Level, LevelError};

/// Smallest batch for which `bitslice` is used. `docs/notes/engines.md` has the measurements behind this number.
const CROSSOVER: usize = 96;

/// The default solver: chooses a solver by the size of the batch. `Auto::default` uses the widest vectors of the CPU.
///
/// ```
/// use sudobench_sudoku::{Puzzle, Question, Solver, simd::Level, solver::Auto};
/// let outcome = Auto::new(Level::Baseline)?.solve(&Puzzle::EMPTY, &Question::unique());
/// assert_eq!(outcome.count, 2);
/// # Ok::<(), sudobench_sudoku::simd::LevelError>(())
/// ```
#[derive(Debug, Default)]
pub struct Auto {
    one: Bitboard,
    many: Bitslice,
}

impl Auto {
    /// Makes a solver that uses this SIMD level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<Auto, LevelError> {
        Ok(Auto { one: Bitboard::new(level)?, many: Bitslice::new(level)? })
    }

    /// Searches each puzzle for a solution that its element of `known` does not exclude (see [`Known`]). If there is one, the status is
    /// [`Status::Solved`](super::Status::Solved). `question` must be [`Question::first`], with or without a cancel flag.
    pub(crate) fn find_others(
        &mut self,
        puzzles: &[Puzzle],
        known: &[Known],
        question: &Question,
        outcomes: &mut [Outcome],
    ) {
        assert!(
            puzzles.len() == known.len() && puzzles.len() == outcomes.len(),
            "one known solution and one outcome for every puzzle"
        );
        if puzzles.len() < CROSSOVER {
            for ((puzzle, known), outcome) in puzzles.iter().zip(known).zip(outcomes) {
                *outcome = self.one.find_other(puzzle, known, question);
            }
        } else {
            self.many.solve_ignoring((puzzles, known), question, outcomes);
        }
    }

    /// Continues `searches` until some of them have ended. `question` must be [`Question::first`], with or without a cancel flag. If the
    /// flag becomes true, the caller must give up all searches.
    pub(crate) fn go_on(&mut self, searches: &mut OtherSearches, question: &Question) {
        let are_few = searches.unended < CROSSOVER;
        if !are_few || searches.has_begun {
            return self.many.go_on(searches, question, are_few);
        }
        let OtherSearches { puzzles, known, outcomes, order, ended, unended, .. } = searches;
        *ended = std::mem::take(order);
        *unended = 0;
        for &slot in &*ended {
            let slot = slot as usize;
            outcomes[slot] = self.one.find_other(&puzzles[slot], &known[slot], question);
        }
    }
}

impl Solver for Auto {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        self.one.solve(puzzle, question)
    }

    fn solve_batch(&mut self, puzzles: &[Puzzle], question: &Question, outcomes: &mut [Outcome]) {
        if puzzles.len() < CROSSOVER {
            self.one.solve_batch(puzzles, question, outcomes);
        } else {
            self.many.solve_batch(puzzles, question, outcomes);
        }
    }

    fn batch_size(&self) -> usize {
        self.many.batch_size()
    }
}
