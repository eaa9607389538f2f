//! Counts how many rows of `check` have a minimal puzzle, and how many have a puzzle that is not minimal.

use crate::answers::{AnsweredRow, Marks};
use crate::columns::{self, Column};
use crate::facts::{Minimality, Need};

/// Counts the rows whose puzzle is minimal, and the rows whose puzzle is not, for the report at the end of `check`.
#[derive(Clone, Copy, Debug)]
pub struct CheckedRows {
    need: Option<Need>,
}

impl CheckedRows {
    /// Index in [`Tally::marked`](crate::Tally::marked) of the number of minimal puzzles.
    pub const MINIMAL: usize = 1;
    /// Index of the number of puzzles with exactly one solution that are not minimal.
    pub const NOT_MINIMAL: usize = 2;

    /// Makes the marks for a run with these columns. `asked` is what `--fail-on` needs; `None` without this option. If a column needs the
    /// fact [`Minimality`], the marks use this fact, because it is computed anyway. Otherwise, the marks use only `asked`.
    pub fn new(columns: &[Column], asked: Option<Need>) -> CheckedRows {
        let is_known = columns::facts(columns).demand_of::<Minimality>().is_some();
        CheckedRows { need: if is_known { Some(Need::new::<Minimality>()) } else { asked } }
    }
}

impl Marks for CheckedRows {
    fn mark(&self, _: usize, row: &AnsweredRow) -> Option<u64> {
        Some(match row.fact::<Minimality>().map(|minimality| minimality.is_minimal) {
            None => 0,
            Some(true) => CheckedRows::MINIMAL as u64,
            Some(false) => CheckedRows::NOT_MINIMAL as u64,
        })
    }

    fn class(&self, mark: u64) -> usize {
        mark as usize
    }

    fn needs(&self) -> Vec<Need> {
        self.need.into_iter().collect()
    }

    fn name(&self) -> String {
        let name = match self.need {
            Some(Need::Fact(..)) => "check --fail-on not-minimal",
            Some(_) => "check --fail-on not-unique",
            None => "check",
        };
        name.to_owned()
    }
}
