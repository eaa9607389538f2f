//! The parts of a record that concern equivalent forms of puzzles.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Identifies a puzzle of a dataset and, if the puzzle was replaced by an equivalent form, the form.
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

/// Shows how much an amount, the time or the number of nodes, differs between the equivalent forms of a puzzle. The ratio of a puzzle is
/// the largest amount of its forms, divided by the smallest amount of its forms with a verdict. The fields summarize the ratios of all
/// puzzles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpreadRecord {
    /// The amount that is compared: times or nodes.
    pub of: Amount,
    /// Number of puzzles that were measured in all their forms and have a verdict in at least one form.
    pub puzzles: u64,
    /// Number of puzzles among `puzzles` that have an aborted form. Their ratios are only lower bounds.
    pub given_up: u64,
    /// Median of the ratios.
    pub median: f64,
    /// 90th percentile of the ratios.
    pub p90: f64,
    /// The largest ratio.
    pub max: f64,
    /// The puzzle with the largest ratio, by its number in the file.
    pub widest: u64,
    /// The smallest amount of the puzzle `widest`, over its forms with a verdict.
    pub least: u64,
    /// The largest amount of the puzzle `widest`, over all its forms.
    pub most: u64,
}

/// The amount that is compared between the forms of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Amount {
    /// Times of single puzzles, in nanoseconds.
    Time,
    /// Nodes. Used for batch solvers, because a batch solver takes many puzzles at once, so a puzzle has no time of its own. If a form took
    /// 0 nodes, the ratio uses 1 node, to avoid a division by 0.
    Nodes,
}

impl Amount {
    /// Returns the name of the amount in records and tables.
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
