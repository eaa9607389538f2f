//! `split`: divides rows into training and test data, without leaks between them.

use std::sync::Arc;

use serde::Deserialize;
use sudobench_sudoku::simd::Level;

use super::{RowVerb, Verb, VerbGroup};
use crate::columns::{self, Column};
use crate::facts::{Split, SplitBy, TestShare, share_of_value};
use crate::option_error::OptionError;
use crate::passes::Passes;
use crate::run::Run;
use crate::stratified_split::StratifiedSplit;

/// Splits rows into training and test data.
pub const SPLIT: Verb = Verb {
    name: "split",
    summary: "Split a set into training and test data, without leaks",
    group: VerbGroup::PuzzleSets,
    columns: &columns::SPLIT[SplitBy::SolutionIsomorph as usize],
    default: &columns::SPLIT_DEFAULT[SplitBy::SolutionIsomorph as usize],
    notes: &[
        "Classes (--by):
  Puzzles of one class are always on the same side. By default, a class has all puzzles whose solutions are equivalent. A model that was trained on one side \
has then never seen a solution of the other side, in any augmented form. By default, a puzzle without exactly one solution is in one class with the \
puzzles that are equivalent to it; with --by solution, only with equal puzzles.",
        "Sides:
  Only --test, the seed and the class decide the side of a row. So a row keeps its side when other rows are added or removed, and all shards and machines \
agree. The share of test rows is therefore close to --test, but not exact; the number of test rows is printed. Malformed rows go to the training data or, without --test-output, have an \
empty side.",
        "The same share of each difficulty, or of each value of another column (--stratify):
  Without --stratify, chance decides how many test rows are difficult. With --stratify difficulty, the share --test of each difficulty becomes test rows, as close as whole \
classes allow, and the report lists the shares and the classes. COLUMN is clues, a column of `rate`, or a column of the input (input.NAME if a computed column has \
the same name). Rows without a value count as one more value. A column may have at most 1,000 different values, and at most one for each expected test row. The side of a row then \
also depends on the other rows. An additional pass reads the input and needs up to 32 bytes of memory for each class and value. Python's `split` chooses the same rows.",
        "Files:
  With --test-output, the rows with side test go to that file and all others to --output, without new columns unless --columns names some. The input is read twice, so it can't be a \
pipe. Without --test-output, all rows go to one output, with the column `side`.",
    ],
    examples: &[
        "sudobench split sudoku.csv.zip --test 10% -o train-90.parquet --test-output test-10.parquet",
        "sudobench split puzzles.csv --by isomorph --seed 7 -o main.csv --test-output held-out.csv",
        "sudobench split puzzles.csv --stratify difficulty -o even.csv --test-output even-test.csv",
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
    /// Share of the rows that become test data, such as 10% or 0.1
    #[serde(deserialize_with = "share_of_value")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value = "10%"))]
    pub test: TestShare,
    /// Which puzzles must be on the same side (training or test data)
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLASS", default_value = "solution_isomorph"))]
    pub by: SplitBy,
    /// Seed of the random choice of the test rows, and of --sample
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::count::<u64>, default_value_t = 1))]
    pub seed: u64,
    /// Choose the test rows separately for each value of this column, such as difficulty or clues: each gets the share --test
    #[cfg_attr(feature = "clap", arg(long, value_name = "COLUMN"))]
    pub stratify: Option<String>,
    /// The choice of the test rows that the jobs for both sides share.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    shared: Option<Arc<StratifiedSplit>>,
}

impl Default for SplitOptions {
    fn default() -> SplitOptions {
        SplitOptions {
            test: TestShare::DEFAULT,
            by: SplitBy::default(),
            seed: 1,
            stratify: None,
            shared: None,
        }
    }
}

impl SplitOptions {
    /// Makes all later copies of these options share the choice of the test rows. The copies must be used for the same inputs.
    pub(crate) fn share_strata(&mut self) {
        self.shared = self.strata();
    }

    fn strata(&self) -> Option<Arc<StratifiedSplit>> {
        let new = |by: &String| Arc::new(StratifiedSplit::new(self.split(), by));
        self.shared.clone().or_else(|| self.stratify.as_ref().map(new))
    }

    fn split(&self) -> Split {
        Split { by: self.by, test: self.test, seed: self.seed }
    }
}

impl RowVerb for SplitOptions {
    fn adapt(&self, verb: Verb) -> Verb {
        let by = self.by as usize;
        let unshardable = "with --stratify, the side of a row depends on all rows, but a shard has only some of them: merge the shards \
             before you split, or leave out --stratify";
        Verb {
            columns: &columns::SPLIT[by],
            default: &columns::SPLIT_DEFAULT[by],
            unshardable: self.stratify.as_ref().map(|_| unshardable),
            ..verb
        }
    }

    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn set_up<'r>(&self, run: Run<'r>, _: Level, _: &[Column]) -> Result<Run<'r>, OptionError> {
        Ok(run.setting("split", self.split()))
    }

    fn passes(&self) -> Option<Arc<dyn Passes>> {
        self.strata().map(|split| split as Arc<dyn Passes>)
    }
}
