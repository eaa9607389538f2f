//! `overlap`: finds the rows of a test set that a training set has, too, perhaps in an equivalent form.

use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "clap")]
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer};

use super::{RowVerb, Verb, VerbGroup};
use crate::as_text;
use crate::option_error::OptionError;
use crate::overlap::{self, Keep, Overlaps, RowPlace};
use crate::passes::Passes;
use crate::source::Input;
use crate::training::TrainPasses;

/// Compares a test set with a training set.
pub const OVERLAP: Verb = Verb {
    name: "overlap",
    summary: "Find puzzles of a test set that a training set also has",
    group: VerbGroup::PuzzleSets,
    columns: &overlap::COLUMNS,
    default: &overlap::COLUMNS,
    unshardable: Some(
        "overlap counts all rows; run it on the whole of TEST, or on parts with --skip and --limit and add the counts",
    ),
    notes: &[
        "Kinds of overlap:
  text               TRAIN has the same puzzle
  isomorph           TRAIN has the same puzzle or an equivalent one: digits renamed, rows or
                     columns reordered, or transposed
  solution           TRAIN has a puzzle with the same solution, perhaps with other clues
  solution_isomorph  TRAIN has a puzzle with the same or an equivalent solution
  A row is counted for each kind of overlap that it has; the column `overlap` names the first of them. Only puzzles with exactly one solution are compared \
by solution. Random grids overlap by chance: there are 5,472,730,538 classes of equivalent grids, so about one in 5.5 billion pairs of rows \
is a solution_isomorph. Puzzles are compared by a 128-bit hash; two of 10 million different puzzles have the same hash with a probability of \
1.5e-25.",
        "Memory:
  overlap needs 24 bytes for each different puzzle of TRAIN and each kind of overlap: less than 1 GB for 10 million rows. If that is too much, \
split TRAIN: compare TEST with the first part and --keep clean, compare the result with the second part, and so on.",
        "Input options:
  All options of the input, such as --input-format and --puzzle-column, apply to TRAIN and to TEST; only --skip and --limit apply to TEST alone. Each file of TRAIN may have its own columns; all files of TEST must have the same columns.",
    ],
    examples: &[
        "sudobench overlap train.csv --with test.csv",
        "sudobench overlap train-*.parquet --with test.parquet -o seen.csv",
        "sudobench overlap train.csv --with test.csv --by text,isomorph --keep clean -o clean.csv",
        "sudobench overlap train.csv --with test.csv -q --fail-on isomorph > overlap.txt",
    ],
    ..Verb::BASE
};

/// The options of `overlap`. TEST, the test set, is the input of the job; TRAIN, the training set, is in `train`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Overlap"))]
pub struct OverlapOptions {
    /// Files of the training set (TRAIN).
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub train: Vec<Input>,
    /// File with the test puzzles; `-` reads standard input. Repeatable
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEST", required = true))]
    pub with: Vec<PathBuf>,
    /// Kinds of overlap, separated by commas: text, isomorph, solution, solution_isomorph [default: all]
    ///
    /// Puzzles are solved for the last two kinds, and for options such as --only that use the status.
    #[serde(deserialize_with = "as_text::joined")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KINDS"))]
    pub by: Option<Overlaps>,
    /// Rows of TEST to write
    #[serde(deserialize_with = "keep")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH", value_parser = keeps(), default_value = "overlapping"))]
    pub keep: Keep,
}

impl OverlapOptions {
    /// Returns the requested kinds of overlap.
    pub fn kinds(&self) -> Overlaps {
        self.by.unwrap_or(Overlaps::ALL)
    }
}

impl RowVerb for OverlapOptions {
    fn check(&self) -> Result<(), OptionError> {
        match self.train.len() {
            0 => Err(OptionError::new("name at least one file of TRAIN")),
            1..=RowPlace::MOST_INPUTS => Ok(()),
            files => Err(OptionError::new(format!(
                "TRAIN has {files} files, and at most {} are possible: join some of them",
                RowPlace::MOST_INPUTS
            ))),
        }
    }

    fn needs_rows(&self) -> bool {
        // If TRAIN or TEST is empty, nothing overlaps, and `--fail-on` would report a clean test set.
        true
    }

    fn needs_output(&self) -> Option<&'static str> {
        (self.keep != Keep::default()).then_some("keep")
    }

    fn writes_rows_by_default(&self) -> bool {
        false
    }

    fn passes(&self) -> Option<Arc<dyn Passes>> {
        Some(Arc::new(TrainPasses::new(self.train.clone(), self.kinds(), self.keep)))
    }

    fn other_inputs(&self) -> &[Input] {
        &self.train
    }
}

fn keep<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Keep, D::Error> {
    Ok(as_text::named(deserializer, Keep::ALL.iter().copied(), Keep::name)?.unwrap_or_default())
}

#[cfg(feature = "clap")]
fn keeps() -> impl TypedValueParser<Value = Keep> {
    let value = |keep: &Keep| PossibleValue::new(keep.name()).help(keep.about());
    PossibleValuesParser::new(Keep::ALL.iter().map(value)).try_map(|name| name.parse())
}
