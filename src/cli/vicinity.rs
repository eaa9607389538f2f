//! `sudobench vicinity`, as typed.

use std::num::NonZeroU64;

use clap::Args;
use sudobench_batch::columns;
use sudobench_sudoku::vicinity::Distance;

use super::RowsArgs;
use super::rows::{SHARDS, columns_help};
use super::values::at_least_one;

/// `sudobench vicinity`.
#[derive(Debug, Args)]
#[command(after_help = format!(
    "{}\n\n{ABOUT}\n\n{SHARDS}\n\n{EXAMPLES}",
    columns_help(&columns::VICINITY, &columns::VICINITY_DEFAULT)
))]
pub struct VicinityArgs {
    /// How far away: the clues that go and those that come, each from 0 to 3, such as -1+1 or {-2+1}
    #[arg(value_name = "DISTANCE", allow_hyphen_values = true)]
    pub distance: Distance,
    #[command(flatten)]
    /// What every verb takes.
    pub rows: RowsArgs,
    #[command(flatten)]
    /// Which are found.
    pub finding: VicinityFindingArgs,
}

/// Which neighbours are found.
#[derive(Debug, Args)]
#[command(next_help_heading = "Neighbours")]
pub struct VicinityFindingArgs {
    /// Only those that are minimal: no clue can be left out
    #[arg(long)]
    pub minimal: bool,
    /// So many of each puzzle at most: the first, nearer ones before others
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, default_value = "10000")]
    pub limit_per_puzzle: NonZeroU64,
}

const ABOUT: &str = "Neighbours are all puzzles with exactly one solution that come about where so many clues go and then so many come, in \
any cell that is blank then: a clue may come back, so that -2+2 has all of -1+1. Of isomorphic ones the first comes out, and none that is \
isomorphic to the row's own puzzle. A row comes out once for each, otherwise as it is; one without any comes out once, with empty columns. \
The row's puzzle may have any number of solutions.
They come in the order of how many clues are gone, of the cells that lose them, then of the clues that come. The end of the run says how \
many rows have more, and so does the column `complete`. What is found for a row is in memory until it is written: ten thousand and their \
rows are about 2 MB. Across rows the same puzzle may come twice: pipe the column into `sudobench dedupe --isomorph`.
How long it takes grows with both numbers: of a puzzle with 17 clues -1+1 takes milliseconds, -2+2 seconds, -3+3 hours.";

const EXAMPLES: &str = "Examples:
  sudobench vicinity -1+1 clue17.txt
  sudobench vicinity -2+1 hardest.txt --minimal -o near.csv
  sudobench vicinity '{-1+1}' --minimal --output-format lines -q puzzles.txt | sudobench dedupe --isomorph -o new.csv";
