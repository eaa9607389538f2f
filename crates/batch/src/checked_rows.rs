//! Counts of the rows of `check` whose puzzles are minimal.

use crate::answers::{AnsweredRow, Marks};
use crate::columns::{Column, Needs, needs};

/// Counts the rows of `check` whose puzzles are minimal, for who asks at the end.
#[derive(Clone, Copy, Debug)]
pub struct CheckedRows {
    needs: Needs,
}

impl CheckedRows {
    /// Which of [`Tally::marked`](crate::Tally::marked) counts the minimal puzzles.
    pub const MINIMAL: usize = 1;
    /// Which counts the other ones that have exactly one solution.
    pub const NOT_MINIMAL: usize = 2;

    /// Counts them in a run with these columns if that is found out for some of them, or `asked` says so; at least that is found out.
    pub fn new(columns: &[Column], asked: Needs) -> CheckedRows {
        let of_columns = needs(columns);
        let tells = of_columns.minimal || of_columns.redundant;
        CheckedRows { needs: if tells { Needs::MINIMAL } else { asked } }
    }

    /// Whether it is found out which puzzles are minimal.
    pub fn has_minimal(&self) -> bool {
        self.needs.minimal
    }
}

impl Marks for CheckedRows {
    fn mark(&self, _: usize, row: &AnsweredRow) -> Option<u64> {
        Some(match row.checked.and_then(|checked| checked.is_minimal) {
            None => 0,
            Some(true) => CheckedRows::MINIMAL as u64,
            Some(false) => CheckedRows::NOT_MINIMAL as u64,
        })
    }

    fn class(&self, mark: u64) -> usize {
        mark as usize
    }

    fn needs(&self) -> Needs {
        self.needs
    }

    fn name(&self) -> String {
        let name = match (self.needs.minimal, self.needs.outcome) {
            (true, _) => "minimal",
            (false, true) => "unique",
            (false, false) => "none",
        };
        name.to_owned()
    }
}
