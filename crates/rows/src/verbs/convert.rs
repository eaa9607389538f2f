//! `convert`: writes the same rows in another format.

use serde::Deserialize;

use super::{RowVerb, Verb, VerbGroup};

/// Changes the format of rows.
pub const CONVERT: Verb = Verb {
    name: "convert",
    summary: "Convert puzzles to another file format; keep all rows and columns",
    group: VerbGroup::PuzzleSets,
    notes: &["Formats:
  The extension of the output sets its compression and, without --output-format, its format. The formats lines, npy, grid, boj2580 and \
boj2239 have no columns and contain only the puzzles, so the input must not have other columns. Malformed rows are kept; in npy they are \
zeros, and in the other formats without columns they are comments."],
    examples: &[
        "sudobench convert puzzles.csv.gz -o puzzles.parquet",
        "sudobench convert train-*.parquet -o train.csv.zst",
        "sudobench convert boards.npy --output-format jsonl",
        "sudobench convert puzzles.csv --only clues=17..20 -o few-clues.csv",
    ],
    ..Verb::BASE
};

/// `convert` has no options of its own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ConvertOptions {}

impl RowVerb for ConvertOptions {}
