//! `canonical`: puzzles in, a row with the canonical form for every row out.

use serde::Deserialize;

use super::{RowVerb, Verb};
use crate::columns;

/// Adds canonical forms.
pub const CANONICAL: Verb = Verb {
    name: "canonical",
    summary: "Add the canonical form of each puzzle: equal for puzzles that are equivalent, and for those alone",
    columns: &columns::CANONICAL,
    default: &columns::CANONICAL_DEFAULT,
    grid: columns::CANONICAL_FORM,
    solves: false,
    makes_rows: false,
    unshardable: None,
    notes: &[
        "Puzzles are equivalent if rows, columns, bands, stacks, a transposition and new names for the digits make one of the \
other: exactly where their canonical forms are equal. A puzzle may have any number of solutions, and clues that contradict each other. The \
canonical forms of solutions tell the 5,472,730,538 classes of filled grids apart (Russell and Jarvis, Mathematical Spectrum 39, 2006). A \
solver is asked only for canonical_solution, and for a status in --only. The output formats lines (.txt) and npy hold the canonical forms.",
    ],
    examples: "\
  sudobench canonical puzzles.csv -o forms.csv
  sudobench canonical train.csv.zip --columns canonical,canonical_solution -o forms.parquet
  sudobench canonical top1465.txt -o forms.txt && sort forms.txt | uniq -d
  sudobench canonical boards.npy -o forms.npy",
};

/// `canonical` has no options of its own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CanonicalOptions {}

impl RowVerb for CanonicalOptions {
    const VERB: Verb = CANONICAL;
}
