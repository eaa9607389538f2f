//! `convert`: rows in, the same rows out in another format.

use serde::Deserialize;

use super::{RowVerb, Verb};
use crate::columns;

/// Changes the format of rows.
pub const CONVERT: Verb = Verb {
    name: "convert",
    summary: "Convert puzzles to another format: every row and every column stays, and nothing is solved",
    columns: &[],
    default: &[],
    grid: columns::PUZZLE,
    solves: false,
    makes_rows: false,
    unshardable: None,
    notes: &[
        "The name of the output says its format and compression. Malformed rows stay as they are. Formats without columns (lines, npy and \
those of the judge) hold the puzzles alone, so they are for inputs that have no other column.",
    ],
    examples: "\
  sudobench convert puzzles.csv.gz -o puzzles.parquet
  sudobench convert train-*.parquet -o train.csv.zst
  sudobench convert boards.npy --output-format jsonl
  sudobench convert puzzles.csv --only clues=17..20 -o few-clues.csv",
};

/// `convert` has no options of its own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ConvertOptions {}

impl RowVerb for ConvertOptions {
    const VERB: Verb = CONVERT;
}
