//! Minimal puzzles: which clues can go, each alone, so that the solution stays the only one.
//!
//! A clue is *redundant* where the puzzle without it still has one solution. A puzzle is *minimal* where no clue is.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::probe::{Probe, Prober};
use crate::puzzle::{Cells, Puzzle};
use crate::simd::{Level, LevelError};

/// Says which clues of puzzles are redundant, many puzzles at once. One for each thread.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::minimal::Minimality;
/// use sudobench_sudoku::puzzle::Cells;
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut redundant = [Cells::EMPTY];
/// assert!(Minimality::default().redundant(&[puzzle], &mut redundant));
/// let mut are_minimal = [true];
/// assert!(Minimality::default().are_minimal(&[puzzle], &mut are_minimal));
/// assert_eq!(are_minimal[0], redundant[0].is_empty());
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Debug, Default)]
pub struct Minimality {
    prober: Prober,
}

impl Minimality {
    /// The same with vectors of that width. What comes out does not depend on it.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<Minimality, LevelError> {
        Ok(Minimality { prober: Prober::new(level)? })
    }

    /// The same, given up as soon as this becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Minimality {
        Minimality { prober: self.prober.cancel(cancel) }
    }

    /// Writes to `are_minimal[i]` whether `puzzles[i]`, which has exactly one solution, is minimal. Returns whether all are
    /// answered: not where it was cancelled.
    ///
    /// # Panics
    /// Where the two slices differ in length.
    pub fn are_minimal(&mut self, puzzles: &[Puzzle], are_minimal: &mut [bool]) -> bool {
        let mut redundant = vec![Cells::EMPTY; puzzles.len()];
        let whole = self.redundant(puzzles, &mut redundant);
        assert_eq!(puzzles.len(), are_minimal.len(), "one answer for every puzzle");
        for (is_minimal, redundant) in are_minimal.iter_mut().zip(&redundant) {
            *is_minimal = redundant.is_empty();
        }
        whole
    }

    /// Writes to `redundant[i]` the redundant clues of `puzzles[i]`, which has exactly one solution. Returns whether all are
    /// answered: not where it was cancelled.
    ///
    /// # Panics
    /// Where the two slices differ in length.
    pub fn redundant(&mut self, puzzles: &[Puzzle], redundant: &mut [Cells]) -> bool {
        assert_eq!(puzzles.len(), redundant.len(), "one answer for every puzzle");
        let mut probes = Vec::new();
        for puzzle in puzzles {
            let cells = puzzle.clue_cells();
            probes.extend(cells.iter().map(|cell| Probe { puzzle: *puzzle, cell: cell as u8 }));
        }
        let mut have_other = vec![false; probes.len()];
        let whole = self.prober.probe(&probes, &mut have_other);
        let mut answers = have_other.iter();
        for (puzzle, redundant) in puzzles.iter().zip(redundant) {
            let answered = puzzle.clue_cells().iter().zip(answers.by_ref());
            *redundant = answered.filter(|(_, has_other)| !**has_other).map(|(cell, _)| cell).collect();
        }
        whole
    }
}
