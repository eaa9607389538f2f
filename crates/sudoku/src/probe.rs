//! Probes: if one clue of a puzzle is removed, is there a solution with another digit in the cell of this clue?
//!
//! In a puzzle with one solution, a clue is redundant if there is no such solution. A probe is one search, which ends at its first
//! solution. If the solutions without the clue were counted instead, the search would have to find the known solution as well.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::puzzle::{Cells, Puzzle};
use crate::simd::{Level, LevelError};
use crate::solver::{Auto, Known, Outcome, Question, Status};

/// A question about one clue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Probe {
    /// The puzzle, with the clue.
    pub puzzle: Puzzle,
    /// The clue's cell, from 0.
    pub cell: u8,
}

/// Answers many probes together. Use one prober for each thread.
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
    /// The current batch, without probes of blank cells. `indices` are the indices of the probes, `puzzles` are their puzzles, each without
    /// the probed clue, and `known` are the probed clues.
    indices: Vec<usize>,
    puzzles: Vec<Puzzle>,
    known: Vec<Known>,
    outcomes: Vec<Outcome>,
}

/// Number of probes in a batch. At the end of a batch, the solver `bitslice` works on fewer and fewer puzzles at once; in batches of this
/// size, this costs little.
const AT_ONCE: usize = 16_384;

impl Prober {
    /// Makes a prober that uses this SIMD level. The results don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<Prober, LevelError> {
        Ok(Prober { solver: Auto::new(level)?, ..Prober::default() })
    }

    /// Sets a cancel flag. The work stops soon after the flag becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Prober {
        Prober { cancel: Some(cancel), ..self }
    }

    /// Writes to `have_other[i]` whether the puzzle of `probes[i]`, without the clue, has a solution with another digit in the cell of the
    /// clue; false for a blank cell. Returns false if the work was cancelled. Then some elements of `have_other` may be wrong.
    ///
    /// # Panics
    /// If the slices differ in length, or if a cell is above 80.
    pub fn probe(&mut self, probes: &[Probe], have_other: &mut [bool]) -> bool {
        assert_eq!(probes.len(), have_other.len(), "one answer for every probe");
        let question = Question { cancel: self.cancel.clone(), ..Question::first() };
        for (probes, have_other) in probes.chunks(AT_ONCE).zip(have_other.chunks_mut(AT_ONCE)) {
            self.indices.clear();
            self.puzzles.clear();
            self.known.clear();
            have_other.fill(false);
            for (number, &Probe { puzzle, cell }) in probes.iter().enumerate() {
                let digit = puzzle[usize::from(cell)];
                if digit != 0 {
                    self.indices.push(number);
                    self.puzzles.push(puzzle.without(Cells::one(cell.into())));
                    self.known.push(Known::Digit { cell, digit });
                }
            }
            self.outcomes.clear();
            self.outcomes.resize(self.indices.len(), Outcome::ABORTED);
            self.solver.find_others(&self.puzzles, &self.known, &question, &mut self.outcomes);
            for (&number, outcome) in self.indices.iter().zip(&self.outcomes) {
                have_other[number] = outcome.status == Status::Solved;
            }
            if self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return false;
            }
        }
        true
    }
}
