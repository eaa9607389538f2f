//! Rows that become several: one for each puzzle that is found for theirs.
//!
//! ```text
//! row -> its puzzle -> what is found for it -> for each: the row as it is, with that puzzle in a column -> sink
//! ```
//! A row for which nothing is found comes out once. What is found for a row is found as a whole before it is written: an interrupt gives
//! the row up, and memory is that of the rows that come out of a block. So the more may be found for a row, the fewer rows a block has.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use sudobench_sudoku::minimals::Found;
use sudobench_sudoku::simd::{Level, LevelError};

use crate::facts::{Need, PuzzlesOfBlock};

/// What is looked for in each puzzle. The verbs that find puzzles implement it.
pub trait Find: fmt::Debug + Send + Sync {
    /// Returns everything that decides what is found: the name of the verb with its options. Checkpoints store it.
    fn stored(&self) -> Value;

    /// Returns what the found ones are called together, such as `minimals`.
    fn name(&self) -> &'static str;

    /// Returns the largest number that is found for a puzzle.
    fn most(&self) -> NonZeroU64;

    /// Returns whether a puzzle may have more than are found for it. Who asks for random ones knows that there are more.
    fn is_limited(&self) -> bool {
        true
    }

    /// Returns the facts that have to be known before.
    fn needs(&self) -> &'static [Need] {
        &[]
    }

    /// Makes what finds, for one thread. Once `cancel` is true, it gives up.
    ///
    /// # Errors
    /// [`LevelError`] if the CPU lacks the SIMD level.
    fn finder(&self, level: Level, cancel: &Arc<AtomicBool>) -> Result<Box<dyn Finder>, LevelError>;
}

/// Finds puzzles for the puzzles of one block after the other.
pub trait Finder: Send {
    /// Adds what is found for each puzzle to `found`. Ends before the first puzzle for which the search is cancelled.
    fn find(&mut self, block: &PuzzlesOfBlock, found: &mut Vec<Found>);
}

/// What is found for a puzzle for which there is nothing to look.
pub(crate) const NOTHING: Found = Found { puzzles: Vec::new(), is_complete: true };

/// Returns a limit as a number of puzzles in memory.
pub(crate) fn in_memory(limit: NonZeroU64) -> usize {
    usize::try_from(limit.get()).unwrap_or(usize::MAX)
}
