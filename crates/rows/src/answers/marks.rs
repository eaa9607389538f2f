//! Marks: a number for each row, for example the result of an earlier pass over the rows. Marks also decide which rows are left out.

use super::row::AnsweredRow;
use crate::facts::Need;

/// Gives a number to each row, for example how often an earlier pass found the puzzle.
///
/// A run requests the mark of each row, also of malformed rows. Columns read the number from [`AnsweredRow::mark`].
pub trait Marks: Send + Sync {
    /// Returns the mark of a row, or `None` if the row is left out. `input` is the number of the row's input, from 0.
    fn mark(&self, input: usize, row: &AnsweredRow) -> Option<u64>;

    /// Returns whether the row in this line of this input is left out regardless of its facts. If so, slow facts need not be computed for
    /// it.
    fn leaves_out(&self, _input: usize, _line: u64) -> bool {
        false
    }

    /// Returns whether [`leaves_out`](Marks::leaves_out) may return true. If so, the run doesn't count the values of columns (see
    /// [`word_counts`](crate::columns::word_counts)), because facts are missing for the rows that are left out.
    fn leaves_out_early(&self) -> bool {
        false
    }

    /// Returns whether a row with this mark is written.
    fn keeps(&self, _mark: u64) -> bool {
        true
    }

    /// Returns the index in [`Tally::marked`](crate::Tally::marked) at which a row with this mark is counted, whether the row is written or
    /// not.
    fn class(&self, _mark: u64) -> usize {
        0
    }

    /// Returns what the marks depend on: facts, or the solver's outcome.
    fn needs(&self) -> Vec<Need>;

    /// Returns a text that identifies the marks, as a command with options: `dedupe --part 1/2`. `--resume` continues a run only if the
    /// text is the same.
    fn name(&self) -> String;
}

/// A condition that a row must meet to be written.
pub(crate) trait RowFilter: Send + Sync {
    /// Returns whether a row meets the condition.
    fn keeps(&self, row: &AnsweredRow) -> bool;
}

/// The filter and the marks that decide which rows of an input are written.
#[derive(Clone, Copy, Default)]
pub struct Choice<'r> {
    pub(crate) filter: Option<&'r dyn RowFilter>,
    pub(crate) marks: Option<&'r dyn Marks>,
    /// The number of the input, from 0.
    pub(crate) input: usize,
}

impl Choice<'_> {
    pub(crate) fn leaves_out(&self, line: u64) -> bool {
        self.marks.is_some_and(|marks| marks.leaves_out(self.input, line))
    }

    /// Returns whether a row is written. The row must already have its mark.
    #[inline]
    pub(crate) fn keeps(&self, row: &AnsweredRow) -> bool {
        let is_kept_by = |marks: &dyn Marks| row.mark.is_some_and(|mark| marks.keeps(mark));
        self.marks.is_none_or(is_kept_by) && self.filter.is_none_or(|filter| filter.keeps(row))
    }
}

impl std::fmt::Debug for Choice<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let marks = self.marks.map(Marks::name);
        f.debug_struct("Choice").field("marks", &marks).finish_non_exhaustive()
    }
}
