//! `rate`: puzzles in, a row with how hard it is for every row out, or so many rows of each difficulty.

use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;

use serde::Deserialize;
use sudobench_sudoku::simd::Level;

use super::{Passes, RowVerb, Verb};
use crate::columns::{self, Column};
use crate::facts::Isomorphs;
use crate::option_error::OptionError;
use crate::run::Run;
use crate::stratify::Stratify;

/// Rates the difficulty of puzzles.
pub const RATE: Verb = Verb {
    name: "rate",
    summary: "Tell how hard each puzzle is: what solves it, the depth of trial and error, backdoors, guesses; or draw rows of each difficulty",
    columns: &columns::RATE,
    default: &columns::RATE_DEFAULT,
    grid: columns::PUZZLE,
    solves: false,
    makes_rows: false,
    unshardable: None,
    notes: &[
        "Measures:
  Puzzles are rated that have exactly one solution; the others have no values but status and note. All measures but guesses are the same \
for all equivalent forms of a puzzle, and none depends on threads or CPU. Each difficulty solves what those before it solve. depth is T&E of \
Berthier: a candidate is struck out where supposing it leads to a contradiction, at depth 1 by singles alone, at depth 2 by depth 1. \
guesses is what the solver mrv guesses until it knows that there is no second solution, over the forms that `transform --random N --seed \
N` writes. Definitions and sources: docs/REFERENCE.md. Only what the chosen columns need is computed.",
        "Strata (--stratify):
  The inputs are read twice: once to rate and draw, once to write what was drawn, in its order; standard input and other pipes are kept in \
a temporary file meanwhile (in TMPDIR). The seed and a row's place decide; every choice of N rows is as likely as any other. Rows of no \
difficulty are left out: malformed ones, and those that have not exactly one solution. The memory is that of the rows that are drawn.",
    ],
    examples: "\
  sudobench rate puzzles.csv -o rated.csv
  sudobench rate puzzles.csv --columns difficulty,depth,backdoor,guesses -o rated.parquet
  sudobench rate puzzles.txt --columns singles -o rated.csv
  sudobench rate big.csv --columns guesses --order-by -guesses --top 1000 -o hardest.csv
  sudobench rate big.csv.zst --stratify 1000 --seed 7 -o benchmark.csv
  sudobench rate puzzles.txt --stratify 100 -o benchmark.txt",
};

/// What is measured, and which rows are written.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Rating"))]
pub struct RateOptions {
    /// Write that many rows of each difficulty, drawn evenly, instead of all rows; all of a difficulty that has fewer (see below)
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroUsize>, conflicts_with_all = ["shard", "only"]))]
    pub stratify: Option<NonZeroUsize>,
    /// The random forms of each puzzle over which the column guesses is the mean
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "10", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub isomorphs: NonZeroU64,
    /// Decides which forms, and which rows --stratify draws
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 1))]
    pub seed: u64,
}

impl Default for RateOptions {
    fn default() -> RateOptions {
        let Isomorphs { forms, seed } = Isomorphs::DEFAULT;
        RateOptions { stratify: None, isomorphs: forms, seed }
    }
}

impl RowVerb for RateOptions {
    const VERB: Verb = RATE;

    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn set_up<'r>(&self, run: Run<'r>, _: Level, _: &[Column]) -> Result<Run<'r>, OptionError> {
        Ok(run.isomorphs(Isomorphs { forms: self.isomorphs, seed: self.seed }))
    }

    fn passes(&self, _: bool) -> Passes {
        match self.stratify {
            Some(rows) => Passes::Stratify(Arc::new(Stratify::new(rows, self.seed))),
            None => Passes::One,
        }
    }

    fn chooses_rows(&self) -> Option<&'static str> {
        self.stratify.map(|_| "stratify chooses the rows already")
    }
}
