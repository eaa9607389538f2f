//! `auto`: `bitslice` for batches that fill enough of its lanes, else `bitboard`.
#![forbid(unsafe_code)]

use super::{Bitboard, Bitslice, Limits, Outcome, Solver};
use crate::puzzle::Puzzle;
use crate::simd::{Level, LevelError};

/// Batches from this size on go to `bitslice`: measured, see `docs/ENGINES.md`.
const CROSSOVER: usize = 96;

/// The default solver: picks the engine by the size of the batch.
pub struct Auto {
    one: Bitboard,
    many: Bitslice,
}

impl Auto {
    /// A solver of that width.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn at(level: Level) -> Result<Auto, LevelError> {
        Ok(Auto { one: Bitboard::at(level)?, many: Bitslice::at(level)? })
    }

    /// A solver of the width that [`crate::simd::level`] names; where that is an error, of the narrowest.
    pub fn new() -> Auto {
        Auto { one: Bitboard::new(), many: Bitslice::new() }
    }
}

impl Default for Auto {
    fn default() -> Auto {
        Auto::new()
    }
}

impl Solver for Auto {
    fn solve(&mut self, puzzle: &Puzzle, limits: &Limits) -> Outcome {
        self.one.solve(puzzle, limits)
    }

    fn solve_batch(&mut self, puzzles: &[Puzzle], limits: &Limits, outcomes: &mut [Outcome]) {
        if puzzles.len() < CROSSOVER {
            self.one.solve_batch(puzzles, limits, outcomes);
        } else {
            self.many.solve_batch(puzzles, limits, outcomes);
        }
    }

    fn batch_size(&self) -> usize {
        self.many.batch_size()
    }
}
