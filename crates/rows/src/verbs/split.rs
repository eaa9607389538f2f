//! `split`: divides rows into training and test data, without leaks between them.

use serde::Deserialize;
use sudobench_sudoku::simd::Level;

use super::{RowVerb, Verb};
use crate::columns::{self, Column};
use crate::facts::{Split, SplitBy, TestShare, share_of_value};
use crate::option_error::OptionError;
use crate::run::Run;

/// Splits rows into training and test data.
pub const SPLIT: Verb = Verb {
    name: "split",
    summary: "Split a set into training and test data, without leaks",
    columns: &columns::SPLIT[SplitBy::SolutionIsomorph as usize],
    default: &columns::SPLIT_DEFAULT[SplitBy::SolutionIsomorph as usize],
    notes: &[
        "Classes (--by):
  Puzzles of one class are always on the same side. By default, a class has all puzzles whose solutions are equivalent. A model that was trained on one side \
has then never seen a solution of the other side, in any augmented form. If a puzzle has no solution or several, its own canonical form decides; \
with --by solution, the puzzle itself.",
        "Sides:
  Only --test, the seed and the class decide the side of a row. So a row keeps its side when other rows are added or removed, and all shards and machines \
agree. The share of test rows is therefore close to --test, but not exact; the number of test rows is printed. Malformed rows go to the training data or, without --test-output, have an \
empty side.",
        "Files:
  With --test-output, the rows with side test go to that file and all others to --output, without new columns unless --columns names some. The input is read twice, so it can't be a \
pipe. Without --test-output, all rows go to one output, with the column `side`.",
    ],
    examples: &[
        "sudobench split sudoku.csv.zip --test 10% -o train-90.parquet --test-output test-10.parquet",
        "sudobench split puzzles.csv --by isomorph --seed 7 -o main.csv --test-output held-out.csv",
        "sudobench split puzzles.csv --test 0.2 -o sides.csv",
        "sudobench split puzzles.txt --only side=test -o test.txt",
    ],
    ..Verb::BASE
};

/// The options of `split`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Split"))]
pub struct SplitOptions {
    /// Share of the test data, such as 10% or 0.1
    #[serde(deserialize_with = "share_of_value")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value = "10%"))]
    pub test: TestShare,
    /// Which puzzles have to be on the same side
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLASS", default_value = "solution_isomorph"))]
    pub by: SplitBy,
    /// Seed of the random choice of the sides, and of --sample
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 1))]
    pub seed: u64,
}

impl Default for SplitOptions {
    fn default() -> SplitOptions {
        SplitOptions { test: TestShare::DEFAULT, by: SplitBy::default(), seed: 1 }
    }
}

impl RowVerb for SplitOptions {
    fn adapt(&self, verb: Verb) -> Verb {
        let by = self.by as usize;
        Verb { columns: &columns::SPLIT[by], default: &columns::SPLIT_DEFAULT[by], ..verb }
    }

    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn set_up<'r>(&self, run: Run<'r>, _: Level, _: &[Column]) -> Result<Run<'r>, OptionError> {
        Ok(run.setting("split", Split { by: self.by, test: self.test, seed: self.seed }))
    }
}
