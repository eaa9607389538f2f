//! Verbs that write several rows for an input row: one for each form (transformed version) of its puzzle, or one for each puzzle or step
//! that is found for its puzzle.
//!
//! ```text
//! forms   row -> for each form: the row with all its boards in that form                          (forms.rs)
//! found   row -> its puzzle -> the puzzles or steps found for it -> for each: the row with that puzzle or step in columns
//! ```
//!
//! The number of forms is known in advance, and each form can be made without the others. So the forms of a row may be written in several
//! pieces, and a run may be interrupted between two pieces. If puzzles or steps are searched for, all results of a row are found before the
//! first result is written. So an interrupt during the search drops the row, and memory must hold the results of a whole block. Therefore
//! blocks have fewer rows if a row may have more results. But the text of the results is written [in parts](crate::sink::PART_BYTES), so
//! that memory does not hold it as a whole. A row without a puzzle or without a result is written once.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::techniques::PlayedStep;
use sudobench_sudoku::{Puzzle, minimals};

use crate::facts::{Need, PuzzlesOfBlock};
use crate::transform::Transform;

/// The expansion of rows, for verbs that write several output rows for each input row.
pub trait Expand: fmt::Debug + Send + Sync {
    /// Returns the name and the options of the verb for the [`ResolvedJob`](crate::ResolvedJob). A run can be resumed only with equal
    /// values.
    fn stored(&self) -> Value;

    /// Returns the word for the output rows, such as `minimals`.
    fn name(&self) -> &'static str;

    /// Returns the number of output rows for a puzzle: the exact number of forms, an estimate of the number of steps, or the maximum number
    /// of puzzles.
    fn most(&self) -> NonZeroU64;

    /// Returns whether a limit may cut off the puzzles that are found for a puzzle. If so, the report counts the input rows whose results
    /// were cut off. Returns false for random results, because any number of them can be drawn, and for steps, because no limit cuts them
    /// off.
    fn is_limited(&self) -> bool {
        true
    }

    /// Returns the forms that are written for each puzzle; `None` if the output rows have puzzles or steps that a finder finds.
    fn transform(&self) -> Option<Transform> {
        None
    }

    /// Returns what the expansion needs for each puzzle: facts, or the solver's outcome.
    fn needs(&self) -> &'static [Need] {
        &[]
    }

    /// Makes a finder that stops if `cancel` becomes true; `None` if the output rows are forms of the puzzle.
    ///
    /// # Errors
    ///
    /// [`LevelError`] if the CPU lacks the SIMD level.
    fn finder(
        &self,
        _level: Level,
        _cancel: &Arc<AtomicBool>,
    ) -> Result<Option<Box<dyn Finder>>, LevelError> {
        Ok(None)
    }
}

/// The results for a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Puzzles.
    Puzzles(minimals::PuzzleList),
    /// The solving steps of the puzzle. They need not reach the solution.
    Steps {
        /// The steps.
        steps: Vec<PlayedStep>,
        /// Whether the last step solves the puzzle.
        is_complete: bool,
    },
}

impl Found {
    /// No puzzles: the result if nothing is searched, for example because the puzzle does not have exactly one solution.
    pub(crate) const NOTHING: Found =
        Found::Puzzles(minimals::PuzzleList { puzzles: Vec::new(), is_complete: true });

    /// Returns the number of puzzles or steps.
    pub fn len(&self) -> usize {
        match self {
            Found::Puzzles(found) => found.puzzles.len(),
            Found::Steps { steps, .. } => steps.len(),
        }
    }

    /// Returns whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether the result is complete. For puzzles: no limit cut off further puzzles. For steps: the last step solves the puzzle.
    pub fn is_complete(&self) -> bool {
        match self {
            Found::Puzzles(found) => found.is_complete,
            Found::Steps { is_complete, .. } => *is_complete,
        }
    }

    /// Returns the puzzle with this number, counted from 0. For steps, returns the board before the step with this number.
    pub fn puzzle(&self, number: usize) -> Option<&Puzzle> {
        match self {
            Found::Puzzles(found) => found.puzzles.get(number),
            Found::Steps { steps, .. } => steps.get(number).map(|played| &played.board),
        }
    }

    /// Returns a step by its number from 0.
    pub fn step(&self, number: usize) -> Option<&PlayedStep> {
        match self {
            Found::Puzzles(_) => None,
            Found::Steps { steps, .. } => steps.get(number),
        }
    }
}

/// Finds puzzles or steps for the puzzles of blocks, one block after the other.
pub trait Finder: Send {
    /// Adds the result for each puzzle to `found`. Ends before the first puzzle whose search is cancelled.
    fn find(&mut self, block: &PuzzlesOfBlock, found: &mut Vec<Found>);
}

/// Converts a limit to `usize`. A larger limit becomes `usize::MAX`, because memory can't hold more results.
pub(crate) fn in_memory(limit: NonZeroU64) -> usize {
    usize::try_from(limit.get()).unwrap_or(usize::MAX)
}
