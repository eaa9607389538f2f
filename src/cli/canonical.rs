//! `sudobench canonical`, as typed.

use clap::Args;
use sudobench_batch::columns;

use super::RowsArgs;
use super::rows::{SHARDS, columns_help};

/// `sudobench canonical`.
#[derive(Debug, Args)]
#[command(after_help = format!(
    "{}\n\n{ABOUT}\n\n{SHARDS}\n\n{EXAMPLES}",
    columns_help(&columns::CANONICAL, &columns::CANONICAL_DEFAULT)
))]
pub struct CanonicalArgs {
    #[command(flatten)]
    /// What every verb takes.
    pub rows: RowsArgs,
}

const ABOUT: &str = "Puzzles are equivalent if rows, columns, bands, stacks, a transposition and new names for the digits make one of the \
other: exactly where their canonical forms are equal. A puzzle may have any number of solutions, and clues that contradict each other. The \
canonical forms of solutions tell the 5,472,730,538 classes of filled grids apart (Russell and Jarvis, Mathematical Spectrum 39, 2006). A \
solver is asked only for canonical_solution, and for a status in --only. The output formats lines (.txt) and npy hold the canonical forms.";

const EXAMPLES: &str = "Examples:
  sudobench canonical puzzles.csv -o forms.csv
  sudobench canonical train.csv.zip --columns canonical,canonical_solution -o forms.parquet
  sudobench canonical top1465.txt -o forms.txt && sort forms.txt | uniq -d
  sudobench canonical boards.npy -o forms.npy";
