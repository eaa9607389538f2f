//! Fields of a record about equivalent forms of puzzles.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Identifies a puzzle of a dataset, and its equivalent form if it was measured in several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PuzzleName {
    /// Number of the puzzle in the file, from 1.
    pub number: u64,
    /// The form's number, from 1.
    pub form: Option<u64>,
}

impl fmt::Display for PuzzleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        self.form.map_or(Ok(()), |form| write!(f, ", form {form}"))
    }
}

/// The spread over the forms of a puzzle: the largest time or number of nodes over the smallest, summarized over the puzzles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpreadRecord {
    /// The amount.
    pub of: Amount,
    /// Puzzles that were measured in all their forms and have a verdict in one of them.
    pub puzzles: u64,
    /// Number of these puzzles with an aborted form, for which the ratio is a lower bound.
    pub given_up: u64,
    /// Median over the puzzles.
    pub median: f64,
    /// 90th percentile over the puzzles.
    pub p90: f64,
    /// The largest.
    pub max: f64,
    /// Number of the puzzle with the largest ratio, in the file.
    pub widest: u64,
    /// Its smallest amount.
    pub least: u64,
    /// Its largest amount.
    pub most: u64,
}

/// The amount that is compared between the forms of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Amount {
    /// Own times, in nanoseconds.
    Time,
    /// Nodes, for solvers that take all puzzles at once and so have no times of single puzzles. 0 counts as 1.
    Nodes,
}

impl Amount {
    /// Returns its word in records and tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_named_if_there_are_several() {
        let name = |form| PuzzleName { number: 3, form }.to_string();
        assert_eq!([name(None), name(Some(2))], ["3", "3, form 2"]);
    }
}
