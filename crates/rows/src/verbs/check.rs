//! `check`: adds whether each puzzle has exactly one solution, and whether it is minimal.

use std::sync::Arc;

use serde::Deserialize;
use sudobench_sudoku::Question;
use sudobench_sudoku::simd::Level;

use super::{RowVerb, Verb, number};
use crate::checked_rows::CheckedRows;
use crate::columns::{self, Column, named};
use crate::facts::{Minimality, Need};
use crate::option_error::OptionError;
use crate::run::Run;

/// Checks whether puzzles have one solution and are minimal.
pub const CHECK: Verb = Verb {
    name: "check",
    summary: "Check whether puzzles have one solution and no redundant clues",
    columns: &columns::CHECK,
    default: &[columns::PROVED_STATUS, named(&columns::CHECK, "minimal"), named(&columns::CHECK, "redundant")],
    solves: true,
    notes: &[
        "Redundant clues:
  A clue is redundant if the puzzle without it still has exactly one solution. A puzzle is minimal if it has no redundant clue. Each redundant \
clue can be removed, but rarely all of them together; `sudobench minimals` finds the minimal puzzles that you get by removing clues.",
        "The column cnt12095:
  The online judge BOJ used this number to choose its puzzles: the number of calls of a backtracker that goes through all 81 cells row by row, until \
it finds the first solution. Counting ends at 10,000,000. The number is 0 if clues contradict each other, because then there is no search.",
        "Exit code:
  The exit code is 4 if a row is malformed, has no solution, or has another solution than expected; and for the failures of --fail-on.",
    ],
    examples: &[
        "sudobench check puzzles.csv -o checked.csv",
        "sudobench check puzzles.csv --columns all -o checked.parquet",
        "sudobench check puzzles.txt --columns count --max-solutions 1000",
        "sudobench check test.csv --columns minimal -q --fail-on not-minimal > minimal.csv",
    ],
    ..Verb::BASE
};

/// The options of `check`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Check"))]
pub struct CheckOptions {
    /// Count up to N solutions for the column `count`; N must be at least 2
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::count::<u64>, default_value_t = CheckOptions::default().max_solutions))]
    pub max_solutions: u64,
    /// Exit with code 4 if a puzzle fails this check
    ///
    /// The check does not depend on --columns.
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT"))]
    pub fail_on: Option<FailOn>,
}

/// The checks for `--fail-on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum FailOn {
    /// The puzzle does not have exactly one solution
    NotUnique,
    /// The puzzle has a redundant clue, or does not have exactly one solution
    NotMinimal,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions { max_solutions: 2, fail_on: None }
    }
}

impl CheckOptions {
    /// Makes the counter of minimal puzzles, and of puzzles that are not minimal, for a run with these columns.
    pub fn counts(&self, columns: &[Column]) -> CheckedRows {
        let asked = self.fail_on.map(|fail_on| match fail_on {
            FailOn::NotUnique => Need::Outcome,
            FailOn::NotMinimal => Need::new::<Minimality>(),
        });
        CheckedRows::new(columns, asked)
    }
}

impl RowVerb for CheckOptions {
    fn check(&self) -> Result<(), OptionError> {
        match self.max_solutions {
            0 | 1 => {
                let message = "write 2 or more: 1 does not show whether a solution is unique";
                Err(OptionError::new(message).about("max_solutions"))
            }
            _ => Ok(()),
        }
    }

    fn set_up<'r>(&self, run: Run<'r>, _: Level, columns: &[Column]) -> Result<Run<'r>, OptionError> {
        Ok(run.question(Question::up_to(number(self.max_solutions))).marks(Arc::new(self.counts(columns))))
    }

    fn needs_rows(&self) -> bool {
        // A check without any puzzle must not pass.
        self.fail_on.is_some()
    }
}
