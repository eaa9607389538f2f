//! `sudobench transform`, as typed.

use std::num::NonZeroU64;

use clap::{ArgGroup, Args, ValueEnum};
use sudobench_batch::columns;
use sudobench_sudoku::isomorph::Transformation;

use super::RowsArgs;
use super::rows::{SHARDS, columns_help};
use super::values::at_least_one;

/// `sudobench transform`.
#[derive(Debug, Args)]
#[command(after_help = format!(
    "{}, `none` for no column\n\n{BOARDS}\n\n{RANDOM}\n\n{NOTATION}\n\n{SHARDS}\n\n{EXAMPLES}",
    columns_help(&columns::TRANSFORM, &columns::TRANSFORM)
))]
pub struct TransformArgs {
    #[command(flatten)]
    /// What every verb takes.
    pub rows: RowsArgs,
    #[command(flatten)]
    /// What becomes of the rows.
    pub forms: FormsArgs,
}

/// What becomes of the rows.
#[derive(Debug, Args)]
#[command(next_help_heading = "Forms", group(ArgGroup::new("transform").required(true).args(["random", "apply", "to"])))]
pub struct FormsArgs {
    /// Write that many random forms of each row in its place, one behind the other, instead of the row itself
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub random: Option<NonZeroU64>,
    /// Decides, with the puzzle and the number of the form, which forms are drawn
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["apply", "to"])]
    pub seed: u64,
    /// Take each row to the form that this leads to, such as tr123456789c123456789d912345678 (see below)
    #[arg(long, value_name = "NOTATION")]
    pub apply: Option<Transformation>,
    /// Take each row to a form of its own: canonical, the smallest of all forms of its puzzle
    #[arg(long, value_name = "FORM")]
    pub to: Option<FormChoice>,
    /// The board that an output without columns (lines, npy, boj2580, boj2239) holds: the puzzle, or the expected solution in the same
    /// form
    #[arg(long, value_name = "BOARD", default_value = "puzzle")]
    pub board: BoardChoice,
}

/// Which form of its own each puzzle is taken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormChoice {
    /// The smallest of all, a blank before all digits
    Canonical,
}

/// Which board of a row is written alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BoardChoice {
    /// The puzzle
    Puzzle,
    /// The expected solution; a row of zeros, or a comment, where there is none
    Solution,
}

const BOARDS: &str = "Boards:
  Every board of a row goes along, so that solutions stay solutions: the puzzle, the expected solution, and whatever else reads as a \
board, that is 81 digits or blanks (a field, a word of a line, a member of an object, a list). Each stays written as it was, a `.` as `.` \
and a `0` as `0`. All else of a row stays as it is, and so does a row without a puzzle: it comes out once.";

const RANDOM: &str = "Random forms (--random):
  Every form is as likely as any other of the 1,218,998,108,160 (3,359,232 orders of the cells, and 9! of the digits), and is drawn anew: \
two of one puzzle may be the same, which with --random 1000 happens to about one puzzle in two million, more often where a puzzle is \
symmetric or lacks two digits or more. The seed, the puzzle and the number of the form decide what is drawn, and nothing else does: equal puzzles get \
equal forms, and the order of the rows, shards and threads are all one. --board solution writes the solutions to the same forms.";

const NOTATION: &str = "Notation (--apply, and the column):
  `t` where the board is transposed first; `r` and for each row of the form the row that comes there; `c` and the same of the columns; `d` \
and what the digits 1 to 9 become.";

const EXAMPLES: &str = "Examples:
  sudobench transform train.csv --random 1000 -o inputs.npy
  sudobench transform train.csv --random 1000 --board solution -o labels.npy
  sudobench transform train.parquet --random 10 --seed 7 -o augmented.parquet
  sudobench transform puzzles.txt --to canonical -o forms.txt
  sudobench transform puzzles.csv --apply tr123456789c123456789d123456789 --columns none";
