//! `sudobench minimals`, as typed.

use std::num::NonZeroU64;

use clap::Args;
use sudobench_batch::columns;

use super::RowsArgs;
use super::rows::{SHARDS, columns_help};
use super::values::at_least_one;

/// `sudobench minimals`.
#[derive(Debug, Args)]
#[command(after_help = format!(
    "{}\n\n{ABOUT}\n\n{SHARDS}\n\n{EXAMPLES}",
    columns_help(&columns::MINIMALS, &columns::MINIMALS_DEFAULT)
))]
pub struct MinimalsArgs {
    #[command(flatten)]
    /// What every verb takes.
    pub rows: RowsArgs,
    #[command(flatten)]
    /// Which are found.
    pub finding: MinimalsFindingArgs,
}

/// Which minimal puzzles are found.
#[derive(Debug, Args)]
#[command(next_help_heading = "Minimal puzzles")]
pub struct MinimalsFindingArgs {
    /// So many of each puzzle at most: the first in ascending order, a blank before all digits
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, default_value = "1000")]
    pub limit_per_puzzle: NonZeroU64,
    /// Take clues out in that many random orders instead; what several orders leave comes out once
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, conflicts_with = "limit_per_puzzle")]
    pub random: Option<NonZeroU64>,
    /// Decides, with the puzzle and the number of the order, which orders are drawn
    #[arg(long, value_name = "N", default_value_t = 1, requires = "random")]
    pub seed: u64,
}

const ABOUT: &str = "Every minimal puzzle inside a puzzle with exactly one solution has some of its clues, the same solution, and no clue that \
could be left out. A row comes out once for each, otherwise as it is; one without (malformed, not exactly one solution) comes out once, \
with empty columns. A full grid holds far more than can be listed: the end of the run says how many rows have more, and so does the column \
`complete`. Random ones are no fair sample: see docs/CHECK.md.
What is found for a row is in memory until it is written: a thousand puzzles and their rows are about 200 KB. Across rows the same puzzle \
may come twice: pipe the column into `sudobench dedupe`, with --isomorph for isomorphic ones.";

const EXAMPLES: &str = "Examples:
  sudobench minimals puzzles.csv
  sudobench minimals easy.csv --random 1 -o minimal.txt
  sudobench minimals puzzles.txt --limit-per-puzzle 100000 --columns minimal,clues,complete -o minimals.parquet
  sudobench minimals puzzles.txt --output-format lines -q | sudobench dedupe --isomorph -o different.csv";
