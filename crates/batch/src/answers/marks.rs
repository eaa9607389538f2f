//! What somebody knows of rows: a number for each, and which are left out.

use super::row::AnsweredRow;
use crate::facts::Need;

/// What is known of rows before a run over them: how often a row stands there, say.
///
/// A run asks it once for each row, also for those without a puzzle, on whichever thread has computed all else of that row. The
/// number is in [`AnsweredRow::mark`], for columns.
pub trait Marks: Send + Sync {
    /// What is known of a row of the input of that number, from 0. `None`: the row is not written.
    fn mark(&self, input: usize, row: &AnsweredRow) -> Option<u64>;

    /// Whether the row that starts in that line of the input of that number is left out whatever it is: then it is not rated.
    fn leaves_out(&self, _input: usize, _line: u64) -> bool {
        false
    }

    /// Whether a row with this mark is written.
    fn keeps(&self, _mark: u64) -> bool {
        true
    }

    /// Which of [`Tally::marked`](crate::Tally::marked) counts a row with this mark, written or not.
    fn class(&self, _mark: u64) -> usize {
        0
    }

    /// Returns the facts that marks are made from.
    fn needs(&self) -> Vec<Need>;

    /// What decides all marks, in words: a run goes on with another only where these are the same.
    fn name(&self) -> String;
}

/// Chooses rows by what is known of them.
pub(crate) trait RowFilter: Send + Sync {
    /// Returns whether a row is written.
    fn keeps(&self, row: &AnsweredRow) -> bool;
}

/// Which rows of an input a run writes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Choice<'r> {
    pub(crate) filter: Option<&'r dyn RowFilter>,
    pub(crate) marks: Option<&'r dyn Marks>,
    /// The number of the input, from 0.
    pub(crate) input: usize,
}

impl Choice<'_> {
    /// Whether the row that starts in that line is not written whatever it is.
    pub(crate) fn leaves_out(&self, line: u64) -> bool {
        self.marks.is_some_and(|marks| marks.leaves_out(self.input, line))
    }

    /// Whether a row is written, which has its mark.
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
