//! `canonical`: adds the canonical form of each puzzle.

use serde::Deserialize;

use super::{RowVerb, Verb};
use crate::columns;

/// Adds canonical forms.
pub const CANONICAL: Verb = Verb {
    name: "canonical",
    summary: "Add the canonical form, which is the same for all equivalent puzzles",
    columns: &columns::CANONICAL,
    default: &[columns::CANONICAL_FORM],
    grid: columns::CANONICAL_FORM,
    notes: &["\
Canonical forms:
  Two puzzles are equivalent if you can turn one into the other by reordering rows in a band, columns in a stack, bands and stacks, by transposing the \
grid, and by renaming the digits. Equivalent puzzles have the same canonical form, and other puzzles have a different one. A puzzle may have any \
number of solutions, even none. The canonical forms of solutions distinguish the 5,472,730,538 classes of filled grids (Russell and Jarvis, \
Mathematical Spectrum 39, 2006). Puzzles are solved only for the column canonical_solution, and for options such as --only that use the status. Output formats without \
columns, such as lines (.txt) and npy, contain the canonical forms."],
    examples: &[
        "sudobench canonical puzzles.csv -o forms.csv",
        "sudobench canonical train.csv.zip --columns canonical,canonical_solution -o forms.parquet",
        "sudobench canonical top1465.txt -o forms.txt && sort forms.txt | uniq -d",
        "sudobench canonical boards.npy -o forms.npy",
    ],
    ..Verb::BASE
};

/// `canonical` has no options of its own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CanonicalOptions {}

impl RowVerb for CanonicalOptions {}
