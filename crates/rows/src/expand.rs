//! Rows that become several: forms of their puzzle, or a row for each puzzle that is found for theirs.
//!
//! ```text
//! forms   row -> for each form: the row with all its boards in that form                          (forms.rs)
//! found   row -> its puzzle -> what is found for it -> for each: the row with that puzzle in a column
//! ```
//! The number of forms is known before, and each form can be made without the others. So the forms of a row may be written in several
//! pieces, and an interrupt may lie between two of them. What is found for a row is found as a whole before it is written: an interrupt gives
//! the row up, and memory is that of the rows that come out of a block. So the more may be found for a row, the fewer rows a block has.
//! A row without a puzzle, and one for which nothing is found, comes out once.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use sudobench_sudoku::minimals::Found;
use sudobench_sudoku::simd::{Level, LevelError};

use crate::facts::{Need, PuzzlesOfBlock};
use crate::transform::Transform;

/// What each row becomes. The verbs whose rows become several implement it.
pub trait Expand: fmt::Debug + Send + Sync {
    /// Returns everything that decides what comes out: the name of the verb with its options. Checkpoints store it.
    fn stored(&self) -> Value;

    /// Returns what the rows that come out are called together, such as `minimals`.
    fn name(&self) -> &'static str;

    /// Returns the largest number of rows that come out for a puzzle; if they are forms, exactly that many come out.
    fn most(&self) -> NonZeroU64;

    /// Returns whether a puzzle may have more than come out for it. Who asks for random ones knows that there are more.
    fn is_limited(&self) -> bool {
        true
    }

    /// Returns whether the rows are forms of the puzzle.
    fn makes_forms(&self) -> bool {
        false
    }

    /// Returns the facts that have to be known before.
    fn needs(&self) -> &'static [Need] {
        &[]
    }

    /// Makes what expands rows, for one thread. Once `cancel` is true, it gives up.
    ///
    /// # Errors
    /// [`LevelError`] if the CPU lacks the SIMD level.
    fn expander(&self, level: Level, cancel: &Arc<AtomicBool>) -> Result<Expander, LevelError>;
}

/// What expands the rows of one thread.
pub enum Expander {
    /// The rows have puzzles that are found.
    Finder(Box<dyn Finder>),
    /// The rows are these forms.
    Forms(Transform),
}

impl Expander {
    /// Returns what finds puzzles, if that is what expands the rows.
    pub fn finder(self) -> Option<Box<dyn Finder>> {
        if let Expander::Finder(finder) = self { Some(finder) } else { None }
    }
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
