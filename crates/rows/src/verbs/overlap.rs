//! `overlap`: which rows of a test set a training set has.

use std::path::PathBuf;

#[cfg(feature = "clap")]
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer};

use super::{Passes, RowVerb, Verb};
use crate::option_error::OptionError;
use crate::overlap::{self, Keep, Overlaps, Place};
use crate::source::Input;
use crate::{as_text, columns};

/// Compares a test set with a training set.
pub const OVERLAP: Verb = Verb {
    name: "overlap",
    summary: "Tell which rows of a test set a training set has: the same puzzles, forms of them, the same solution grids",
    columns: &overlap::COLUMNS,
    default: &overlap::COLUMNS,
    grid: columns::PUZZLE,
    solves: false,
    makes_rows: false,
    unshardable: Some(
        "the counts are of all rows; give overlap the whole of TEST, or parts of it with --skip and --limit, whose counts add up",
    ),
    notes: &[
        "What the answer means, where a model was trained on TRAIN:
  text               it has seen this puzzle
  isomorph           it has seen this puzzle, perhaps in a form with digits renamed, rows or
                     columns moved, or transposed
  solution           it has seen the grid that is to be found, perhaps with other clues
  solution_isomorph  it has seen this grid, perhaps in such a form and with other clues
A row is counted in each line that is true of it; the column `overlap` names the first. By solution those are compared that \
have exactly one. There are 5,472,730,538 classes of grids: of two sets of independent random grids, about one row of TEST for \
each 5.5 billion pairs of rows is a solution_isomorph by chance.
Rows are known by fingerprints of 128 bits: any two of 10 million different grids share one with a probability of 1.5e-25.",
        "Memory: 24 bytes for each different puzzle of TRAIN and each kind of overlap, so less than 1 GB for 10 million rows. Where \
that is too much, take TRAIN in parts: the next is compared with what --keep clean has left of the one before; what is left at the \
end, no part has.
How to read (--input-format, --puzzle-column and the like) is said of TRAIN and TEST alike. Files of TRAIN may be laid out \
in different ways.",
    ],
    examples: "\
  sudobench overlap train.csv --with test.csv
  sudobench overlap train-*.parquet --with test.parquet -o seen.csv
  sudobench overlap train.csv --with test.csv --by text,isomorph --keep clean -o clean.csv
  sudobench overlap train.csv --with test.csv -q --fail-on isomorph > overlap.txt",
};

/// What is compared. The inputs of the job are TEST.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Overlap"))]
pub struct OverlapOptions {
    /// The inputs of TRAIN.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub train: Vec<Input>,
    /// A file whose rows are looked for in TRAIN; `-` for standard input. Give --with again for more files
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEST", required = true))]
    pub with: Vec<PathBuf>,
    /// The kinds of overlap to look for, separated by commas: text, isomorph, solution, solution_isomorph. Puzzles are solved for
    /// the last two alone [default: text,isomorph,solution,solution_isomorph]
    #[serde(deserialize_with = "as_text::joined")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KINDS"))]
    pub by: Option<Overlaps>,
    /// The rows of TEST to write
    #[serde(deserialize_with = "keep")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH", value_parser = keeps(), default_value = "overlapping", requires = "output"))]
    pub keep: Keep,
}

impl Default for OverlapOptions {
    fn default() -> OverlapOptions {
        OverlapOptions { train: Vec::new(), with: Vec::new(), by: None, keep: Keep::Overlapping }
    }
}

impl OverlapOptions {
    /// Returns the kinds of overlap that are looked for.
    pub fn kinds(&self) -> Overlaps {
        self.by.unwrap_or(Overlaps::ALL)
    }
}

impl RowVerb for OverlapOptions {
    const VERB: Verb = OVERLAP;

    fn check(&self) -> Result<(), OptionError> {
        match self.train.len() {
            0 => Err(OptionError::new("name a file of TRAIN")),
            1..=Place::MOST_INPUTS => Ok(()),
            files => Err(OptionError::new(format!(
                "{files} are more files of TRAIN than can be told apart: put them together"
            ))),
        }
    }

    fn refuses_empty(&self) -> bool {
        // Nothing overlaps with nothing, which `--fail-on` would take for a clean test set.
        true
    }

    fn needs_output(&self) -> bool {
        false
    }

    fn passes(&self, _: bool) -> Passes {
        Passes::Overlap(self.clone())
    }
}

fn keep<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Keep, D::Error> {
    Ok(as_text::named(deserializer, Keep::ALL.iter().copied(), Keep::name)?.unwrap_or(Keep::Overlapping))
}

#[cfg(feature = "clap")]
fn keeps() -> impl TypedValueParser<Value = Keep> {
    let value = |keep: &Keep| PossibleValue::new(keep.name()).help(keep.about());
    PossibleValuesParser::new(Keep::ALL.iter().map(value)).try_map(|name| name.parse())
}
