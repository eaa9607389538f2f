//! `rate`: adds the difficulty of each puzzle. Can also draw a limited number of rows of each difficulty at random.

use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;

use serde::Deserialize;
use sudobench_sudoku::simd::Level;

use super::{RowVerb, Verb};
use crate::columns::{self, Column, DIFFICULTY};
use crate::facts::Isomorphs;
use crate::option_error::OptionError;
use crate::passes::Passes;
use crate::run::Run;
use crate::stratify::Stratify;

/// Rates the difficulty of puzzles.
pub const RATE: Verb = Verb {
    name: "rate",
    summary: "Rate how difficult puzzles are: techniques, trial and error, guesses",
    columns: &columns::RATE,
    default: &[DIFFICULTY],
    notes: &[
        "Measures:
  Only puzzles with exactly one solution are rated; for other rows, only status and note have values. Equivalent puzzles have the same ratings, \
except for guesses, techniques, steps and, in puzzles that need chains (se of 6.5 or more), se, se_pearl, se_diamond and hardest_technique. Ratings do not depend on threads or the CPU. Only what the chosen columns need is computed.
  difficulty  the easiest class that solves the puzzle; each class includes the classes before it
  depth       trial and error (T&E, Berthier): a candidate is removed if assuming it leads to a
              contradiction. Depth 1 finds contradictions with singles, depth 2 with depth 1
  guesses     mean number of guesses of the solver mrv until it has proved that there is no second
              solution, over the random forms that `transform --random N` writes",
        "Samples of each difficulty, or of each value of another column (--stratify):
  Rows are drawn at random by the seed; every choice of N rows of a difficulty is equally likely. Without --order-by, they are written in the order of the input. \
Rows without a value are left out. Malformed rows have no value. Puzzles without exactly one solution have a value only with \
--stratify-by clues, and puzzles that need an unknown technique have none with se and similar columns. With --stratify-by se, N rows of each \
rating of Sudoku Explainer (1.0, 1.2, 1.5, ...) are drawn; a column may have at most 1,000 different values. The inputs are read twice: once to rate and \
draw, once to write. Data from standard input and other pipes is kept in a temporary file in TMPDIR.",
    ],
    examples: &[
        "sudobench rate puzzles.csv -o rated.csv",
        "sudobench rate puzzles.csv --columns difficulty,depth,backdoor,guesses -o rated.parquet",
        "sudobench rate puzzles.txt --columns singles -o singles.csv",
        "sudobench rate big.csv --columns guesses --order-by -guesses --top 1000 -o hardest.csv",
        "sudobench rate big.csv.zst --stratify 1000 --seed 7 -o benchmark.csv",
        "sudobench rate puzzles.txt --stratify 100 -o benchmark.txt",
        "sudobench rate puzzles.txt --stratify 20 --stratify-by se -o each-rating.csv",
    ],
    ..Verb::BASE
};

/// The options of `rate`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Rating"))]
pub struct RateOptions {
    /// Write only N rows of each difficulty, drawn at random
    ///
    /// If a difficulty has fewer than N rows, all of them are written. --stratify-by names another column.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroUsize>))]
    pub stratify: Option<NonZeroUsize>,
    /// Column whose values --stratify uses, such as se or clues, instead of the difficulty
    #[cfg_attr(feature = "clap", arg(long, value_name = "COLUMN", default_value_t = RateOptions::default().stratify_by))]
    pub stratify_by: String,
    /// Number of random equivalent forms of each puzzle over which the column `guesses` is averaged
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = RateOptions::default().isomorphs, value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub isomorphs: NonZeroU64,
    /// Seed of the random forms (--isomorphs), and of the rows that --stratify or --sample draws
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::count::<u64>, default_value_t = RateOptions::default().seed))]
    pub seed: u64,
}

impl Default for RateOptions {
    fn default() -> RateOptions {
        let Isomorphs { forms, seed } = Isomorphs::DEFAULT;
        RateOptions { stratify: None, stratify_by: DIFFICULTY.name.to_owned(), isomorphs: forms, seed }
    }
}

impl RowVerb for RateOptions {
    fn adapt(&self, verb: Verb) -> Verb {
        let reason = "--stratify draws from all rows, but a shard has only some of them: rate the shards without --stratify and merge \
             them, then draw from the merged file";
        Verb { unshardable: self.stratify.map(|_| reason), ..verb }
    }

    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn set_up<'r>(&self, run: Run<'r>, _: Level, _: &[Column]) -> Result<Run<'r>, OptionError> {
        Ok(run.isomorphs(Isomorphs { forms: self.isomorphs, seed: self.seed }))
    }

    fn check(&self) -> Result<(), OptionError> {
        if self.stratify.is_none() && self.stratify_by != DIFFICULTY.name {
            return Err(
                OptionError::new("add --stratify, the number of rows to draw per value").about("stratify_by")
            );
        }
        self.stratum_column().map(drop)
    }

    fn passes(&self) -> Option<Arc<dyn Passes>> {
        let column = self.stratum_column().ok()?;
        Some(Arc::new(Stratify::new(self.stratify?, self.seed).by(column)))
    }

    fn refuses_only(&self) -> Option<&'static str> {
        self.stratify.map(|_| "--stratify already chooses the rows: leave out --only")
    }
}

impl RateOptions {
    /// Returns the column whose values are the strata.
    fn stratum_column(&self) -> Result<Column, OptionError> {
        columns::strata().find(|column| column.name == self.stratify_by).ok_or_else(|| {
            let names = columns::names(&columns::strata().collect::<Vec<_>>());
            let message = format!("cannot group rows by `{}`; choose from {names}", self.stratify_by);
            OptionError::new(message).about("stratify_by")
        })
    }
}
