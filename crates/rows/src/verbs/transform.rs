//! `transform`: puzzles in, for every row one or more out in which all boards have another form.

use std::num::NonZeroU64;
use std::sync::Arc;

use serde::Deserialize;
use sudobench_sudoku::isomorph::Transformation;

use super::{Board, RowVerb, Verb};
use crate::as_text;
use crate::columns;
use crate::expand::Expand;
use crate::option_error::OptionError;
use crate::transform::Transform;

/// Takes the boards of rows to other forms.
pub const TRANSFORM: Verb = Verb {
    name: "transform",
    summary: "Take puzzles, and all other boards of their rows, to equivalent forms: random ones, a given one, or the canonical one",
    columns: &columns::TRANSFORM,
    default: &columns::TRANSFORM,
    grid: columns::PUZZLE,
    solves: false,
    makes_rows: false,
    unshardable: None,
    notes: &[
        "Boards:
  Every board of a row goes along, so that solutions stay solutions: the puzzle, the expected solution, and whatever else reads as a \
board, that is 81 digits or blanks (a field, a word of a line, a member of an object, a list). Each stays written as it was, a `.` as `.` \
and a `0` as `0`. All else of a row stays as it is, and so does a row without a puzzle: it comes out once.",
        "Random forms (--random):
  Every form is as likely as any other of the 1,218,998,108,160 (3,359,232 orders of the cells, and 9! of the digits), and is drawn anew: \
two of one puzzle may be the same, which with --random 1000 happens to about one puzzle in two million, more often where a puzzle is \
symmetric or lacks two digits or more. The seed, the puzzle and the number of the form decide what is drawn, and nothing else does: equal puzzles get \
equal forms, and the order of the rows, shards and threads are all one. --board solution writes the solutions to the same forms.",
        "Notation (--apply, and the column):
  `t` where the board is transposed first; `r` and for each row of the form the row that comes there; `c` and the same of the columns; `d` \
and what the digits 1 to 9 become.",
    ],
    examples: "\
  sudobench transform train.csv --random 1000 -o inputs.npy
  sudobench transform train.csv --random 1000 --board solution -o labels.npy
  sudobench transform train.parquet --random 10 --seed 7 -o augmented.parquet
  sudobench transform puzzles.txt --to canonical -o forms.txt
  sudobench transform puzzles.csv --apply tr123456789c123456789d123456789 --columns none",
};

/// What becomes of the rows.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(
    next_help_heading = "Forms",
    group(clap::ArgGroup::new("transform").required(true).args(["random", "apply", "to"])),
))]
pub struct TransformOptions {
    /// Write that many random forms of each row in its place, one behind the other, instead of the row itself
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub random: Option<NonZeroU64>,
    /// Decides, with the puzzle and the number of the form, which forms are drawn
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["apply", "to"]))]
    pub seed: u64,
    /// Take each row to the form that this leads to, such as tr123456789c123456789d912345678 (see below)
    #[serde(deserialize_with = "as_text::option")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NOTATION"))]
    pub apply: Option<Transformation>,
    /// Take each row to a form of its own: canonical, the smallest of all forms of its puzzle
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORM"))]
    pub to: Option<FormChoice>,
    /// The board that an output without columns (lines, npy, boj2580, boj2239) holds: the puzzle, or the expected solution in the same
    /// form
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOARD", default_value = "puzzle"))]
    pub board: Board,
}

/// Which form of its own each puzzle is taken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum FormChoice {
    /// The smallest of all, a blank before all digits
    Canonical,
}

impl Default for TransformOptions {
    fn default() -> TransformOptions {
        TransformOptions { random: None, seed: 1, apply: None, to: None, board: Board::Puzzle }
    }
}

impl TransformOptions {
    /// Returns which forms are written.
    ///
    /// # Errors
    /// [`OptionError`] unless exactly one choice is made.
    pub fn transform(&self) -> Result<Transform, OptionError> {
        match (self.random, self.apply, self.to) {
            (Some(forms), None, None) => Ok(Transform::Random { forms, seed: self.seed }),
            (None, Some(transformation), None) => Ok(Transform::Apply(transformation)),
            (None, None, Some(FormChoice::Canonical)) => Ok(Transform::Canonical),
            _ => Err(OptionError::new("say which forms by one of random, apply and to")),
        }
    }
}

impl RowVerb for TransformOptions {
    const VERB: Verb = TRANSFORM;

    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn verb(&self) -> Verb {
        Verb { grid: columns::BOARDS[self.board as usize], ..TRANSFORM }
    }

    fn check(&self) -> Result<(), OptionError> {
        self.transform().map(drop)
    }

    fn board(&self) -> Board {
        self.board
    }

    fn expansion(&self) -> Option<Arc<dyn Expand>> {
        Some(Arc::new(self.transform().ok()?))
    }
}
