//! `sudobench check`, as typed.

use std::num::NonZeroU64;

use clap::{Args, ValueEnum};
use sudobench_batch::columns;

use super::RowsArgs;
use super::rows::{SHARDS, columns_help};
use super::values::count;

/// `sudobench check`.
#[derive(Debug, Args)]
#[command(after_help = format!(
    "{}\n\n{ABOUT}\n\n{SHARDS}\n\n{EXAMPLES}",
    columns_help(&columns::CHECK, &columns::CHECK_DEFAULT)
))]
pub struct CheckArgs {
    #[command(flatten)]
    /// What every verb takes.
    pub rows: RowsArgs,
    #[command(flatten)]
    /// What is asked.
    pub checking: CheckingArgs,
}

/// What is asked of puzzles, and what fails.
#[derive(Debug, Args)]
#[command(next_help_heading = "Check")]
pub struct CheckingArgs {
    /// Count solutions up to this number, 2 at least, for the column `count`
    #[arg(long, value_name = "N", value_parser = at_least_two, default_value = "2")]
    pub max_solutions: NonZeroU64,
    /// End with exit code 4 where some puzzle is not so, whichever columns are chosen
    #[arg(long, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,
}

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// A puzzle without exactly one solution
    NotUnique,
    /// A puzzle that is not minimal, one without exactly one solution among them
    NotMinimal,
}

fn at_least_two(text: &str) -> Result<NonZeroU64, String> {
    let number = NonZeroU64::new(count(text)?).filter(|number| number.get() >= 2);
    number.ok_or_else(|| {
        "write 2 or more: with fewer nobody knows whether a solution is the only one".to_owned()
    })
}

const ABOUT: &str = "A clue is redundant where the puzzle without it still has exactly one solution. A puzzle is minimal where no clue is. \
All clues that are redundant can each go alone, seldom all together: `sudobench minimals` finds what can be left.
cnt12095 is the measure by which BOJ chose its puzzles: calls of a backtracker that goes through all 81 cells row by row, up to the first \
solution; its source stops at 100,000. It is 0 where clues contradict each other, for then nothing is searched.
Exit code 4 as for `solve`: where a row is malformed, has no solution or another than is expected; and by --fail-on. The output formats \
lines (.txt) and npy hold the puzzles; --only chooses among them.";

const EXAMPLES: &str = "Examples:
  sudobench check puzzles.csv
  sudobench check puzzles.csv --columns all -o checked.csv
  sudobench check puzzles.txt --columns count --max-solutions 1000
  sudobench check test.csv --columns minimal -q --fail-on not-minimal > minimal.csv";
