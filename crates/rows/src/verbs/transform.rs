//! `transform`: replaces the boards of each row by equivalent forms. Can write several forms of a row, and the row itself.

use std::num::NonZeroU64;
use std::sync::Arc;

use serde::Deserialize;
use sudobench_sudoku::isomorph::{ChangeKinds, Transformation};

use super::{Board, RowVerb, Verb};
use crate::as_text;
use crate::columns;
use crate::expand::Expand;
use crate::option_error::OptionError;
use crate::transform::Transform;

/// Transforms the boards of rows.
pub const TRANSFORM: Verb = Verb {
    name: "transform",
    summary: "Turn puzzles and their solutions into equivalent ones (augmentation)",
    columns: &columns::TRANSFORM,
    default: &columns::TRANSFORM,
    notes: &[
        "Boards:
  All boards of a row are transformed in the same way, so that solutions stay solutions: the puzzle, the expected solution, and everything \
else with 81 digits or blanks (a CSV field, a word of a line, a JSON member, a list). Blanks keep their character, such as `.` or `0`. The rest of \
the row stays as it is. A row without a puzzle is written once, unchanged.",
        "Random forms (--random):
  There are 1,218,998,108,160 forms (3,359,232 orders of the cells times 9! orders of the digits), and fewer with --kinds. All are equally likely. Two forms of a puzzle can \
be the same. With --random 1000, this happens for about one puzzle in two million, and more often if a puzzle is symmetric or lacks two \
digits or more. The forms depend only on the seed, --kinds, the puzzle and the number of the form. Equal puzzles get equal forms, in any order of \
rows and with any number of threads and shards. With --board solution, each solution is transformed in the same way as its puzzle.",
        "Notation (--apply, and the column transform):
  t  the board is transposed first (optional)
  r  then nine digits: for each new row, the number of the old row
  c  then nine digits: for each new column, the number of the old column
  d  then nine digits: what the digits 1 to 9 become",
    ],
    examples: &[
        "sudobench transform train.csv --random 1000 -o inputs.npy",
        "sudobench transform train.csv --random 1000 --board solution -o labels.npy",
        "sudobench transform train.parquet --random 10 --seed 7 -o augmented.parquet",
        "sudobench transform puzzles.txt --to canonical -o forms.txt",
        "sudobench transform puzzles.csv --apply tr123456789c123456789d123456789 --columns none",
    ],
    ..Verb::BASE
};

/// The options of `transform`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(
    next_help_heading = "Forms",
    // Shows the three options in the usage line.
    group(clap::ArgGroup::new("transform").required(true).multiple(true).args(["random", "apply", "to"])),
))]
pub struct TransformOptions {
    /// Replace each row by N random forms of it
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub random: Option<NonZeroU64>,
    /// Seed of the random forms, and of --sample
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::count::<u64>, default_value_t = 1))]
    pub seed: u64,
    /// Kinds of changes in the random forms: digits,rows,columns,transpose [default: all]
    ///
    /// `rows` reorders the bands and the rows within each band, `columns` the stacks and the columns within each stack.
    #[serde(deserialize_with = "as_text::joined")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST"))]
    pub kinds: Option<ChangeKinds>,
    /// Also write each row unchanged, before its random forms
    #[cfg_attr(feature = "clap", arg(long))]
    pub include_original: bool,
    /// Apply this transformation to each row, such as tr123456789c123456789d912345678
    ///
    /// The end of the long help of `sudobench transform` describes the notation.
    #[serde(deserialize_with = "as_text::option")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NOTATION"))]
    pub apply: Option<Transformation>,
    /// Transform each row to a special form of its puzzle
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORM"))]
    pub to: Option<FormChoice>,
    /// The board to write in formats without columns.
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOARD", help = super::board_help(), default_value = "puzzle"))]
    pub board: Board,
}

/// The forms for `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum FormChoice {
    /// The smallest of all equivalent forms, each read as a number of 81 digits with 0 for a blank
    Canonical,
}

impl Default for TransformOptions {
    fn default() -> TransformOptions {
        TransformOptions {
            random: None,
            seed: 1,
            kinds: None,
            include_original: false,
            apply: None,
            to: None,
            board: Board::Puzzle,
        }
    }
}

impl TransformOptions {
    /// Returns which forms are written.
    ///
    /// # Errors
    /// [`OptionError`] if none or several of `random`, `apply` and `to` are set, or if `kinds` or `include_original` is set without
    /// `random`.
    pub fn transform(&self) -> Result<Transform, OptionError> {
        if self.random.is_none() && (self.kinds.is_some() || self.include_original) {
            return Err(OptionError::new("--kinds and --include-original need --random"));
        }
        match (self.random, self.apply, self.to) {
            (Some(forms), None, None) => Ok(Transform::Random {
                forms,
                seed: self.seed,
                kinds: self.kinds.unwrap_or_default(),
                include_original: self.include_original,
            }),
            (None, Some(transformation), None) => Ok(Transform::Apply(transformation)),
            (None, None, Some(FormChoice::Canonical)) => Ok(Transform::Canonical),
            _ => Err(OptionError::new("choose the forms with one of --random, --apply and --to")),
        }
    }
}

impl RowVerb for TransformOptions {
    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn draws(&self) -> bool {
        self.random.is_some()
    }

    fn adapt(&self, verb: Verb) -> Verb {
        Verb { grid: columns::BOARDS[self.board as usize], ..verb }
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
