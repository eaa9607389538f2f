//! Whether a clue is needed: has the puzzle, without the clue, a solution with another digit in its cell?
//!
//! Of a puzzle with one solution a clue is redundant exactly where there is none. That is one search, which ends at its first solution,
//! where counting the solutions without the clue would always find the known one as well.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::puzzle::Puzzle;
use crate::simd::{Level, LevelError};
use crate::solver::{Auto, Outcome, Question, Solver, Status};

/// A question about a clue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Probe {
    /// The puzzle, with the clue.
    pub puzzle: Puzzle,
    /// The clue's cell, from 0.
    pub cell: u8,
}

/// Answers probes, many at once. One for each thread.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::probe::{Probe, Prober};
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let probes = [Probe { puzzle, cell: 0 }, Probe { puzzle, cell: 1 }];
/// let mut have_other = [false; 2];
/// assert!(Prober::default().probe(&probes, &mut have_other));
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Debug, Default)]
pub struct Prober {
    solver: Auto,
    cancel: Option<Arc<AtomicBool>>,
}

impl Prober {
    /// The same with vectors of that width. What comes out does not depend on it.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<Prober, LevelError> {
        Ok(Prober { solver: Auto::new(level)?, cancel: None })
    }

    /// The same, given up as soon as this becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Prober {
        Prober { cancel: Some(cancel), ..self }
    }

    /// Writes to `have_other[i]` whether `probes[i]` has a solution with another digit in the cell. A probe of a blank has none. Returns
    /// whether all are answered: not where it was cancelled.
    ///
    /// # Panics
    /// Where the two slices differ in length.
    pub fn probe(&mut self, probes: &[Probe], have_other: &mut [bool]) -> bool {
        assert_eq!(probes.len(), have_other.len(), "one answer for every probe");
        let mut puzzles = Vec::with_capacity(8 * probes.len());
        for Probe { puzzle, cell } in probes {
            let cell = usize::from(*cell);
            for digit in (1..=9).filter(|&digit| puzzle[cell] != 0 && digit != puzzle[cell]) {
                let mut other = *puzzle;
                other.values_mut()[cell] = digit;
                puzzles.push(other);
            }
        }
        let question = Question { cancel: self.cancel.clone(), ..Question::first() };
        let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
        self.solver.solve_batch(&puzzles, &question, &mut outcomes);
        let mut outcomes = outcomes.iter();
        for (Probe { puzzle, cell }, has_other) in probes.iter().zip(have_other) {
            let others = if puzzle[usize::from(*cell)] == 0 { 0 } else { 8 };
            let mut found = outcomes.by_ref().take(others).map(|outcome| outcome.status);
            *has_other = found.by_ref().fold(false, |any, status| any | (status == Status::Solved));
        }
        !self.cancel.as_ref().is_some_and(|cancel| cancel.load(std::sync::atomic::Ordering::Relaxed))
    }
}
