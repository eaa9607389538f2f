//! `sudobench rate`, as typed.

use std::num::{NonZeroU64, NonZeroUsize};

use clap::Args;
use sudobench_batch::columns;

use super::RowsArgs;
use super::rows::{SHARDS, columns_help};
use super::values::at_least_one;

/// `sudobench rate`.
#[derive(Debug, Args)]
#[command(after_help = format!(
    "{}\n\n{MEASURES}\n\n{STRATA}\n\n{SHARDS}\n\n{EXAMPLES}",
    columns_help(&columns::RATE, &columns::RATE_DEFAULT)
))]
pub struct RateArgs {
    #[command(flatten)]
    /// What every verb takes.
    pub rows: RowsArgs,
    #[command(flatten)]
    /// What is measured, and which rows are written.
    pub rating: RatingArgs,
}

/// What is measured, and which rows are written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rating")]
pub struct RatingArgs {
    /// Write that many rows of each difficulty, drawn evenly, instead of all rows; all of a difficulty that has fewer (see below)
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroUsize>, conflicts_with_all = ["shard", "only"])]
    pub stratify: Option<NonZeroUsize>,
    /// The random forms of each puzzle over which the column guesses is the mean
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_least_one::<NonZeroU64>)]
    pub isomorphs: NonZeroU64,
    /// Decides which forms, and which rows --stratify draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

const MEASURES: &str = "Measures:
  Puzzles are rated that have exactly one solution; the others have no values but status and note. All measures but guesses are the same \
for all equivalent forms of a puzzle, and none depends on threads or CPU. Each difficulty solves what those before it solve. depth is T&E of \
Berthier: a candidate is struck out where supposing it leads to a contradiction, at depth 1 by singles alone, at depth 2 by depth 1. \
guesses is what the solver mrv guesses until it knows that there is no second solution, over the forms that `transform --random N --seed \
N` writes. Definitions, sources and speeds: docs/RATE.md. Only what the chosen columns need is computed.";

const STRATA: &str = "Strata (--stratify):
  The inputs are read twice: once to rate and draw, once to write what was drawn, in its order; standard input and other pipes are kept in \
a temporary file meanwhile (in TMPDIR). The seed and a row's place decide; every choice of N rows is as likely as any other. Rows of no \
difficulty are left out: malformed ones, and those that have not exactly one solution. The memory is that of the rows that are drawn.";

const EXAMPLES: &str = "Examples:
  sudobench rate puzzles.csv -o rated.csv
  sudobench rate puzzles.csv --columns difficulty,depth,backdoor,guesses -o rated.parquet
  sudobench rate puzzles.txt --columns singles -o rated.csv
  sudobench rate big.csv.zst --stratify 1000 --seed 7 -o benchmark.csv
  sudobench rate puzzles.txt --stratify 100 -o benchmark.txt";
