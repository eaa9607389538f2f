//! `dedupe`: puzzles in, the first of each class of equal or isomorphic ones out, with how often it stands there.

use std::sync::Arc;

use serde::Deserialize;

use super::{Passes, RowVerb, Verb};
use crate::dedupe::{ClassPart, Dedupe};
#[cfg(feature = "clap")]
use crate::option_error::OptionError;
use crate::{as_text, columns};

/// Keeps the first of equal puzzles.
pub const DEDUPE: Verb = Verb {
    name: "dedupe",
    summary: "Keep the first of all equal puzzles, or with --isomorph of all isomorphic ones, and count how often each stands there",
    columns: &columns::DEDUPE,
    default: &columns::DEDUPE_DEFAULT,
    grid: columns::PUZZLE,
    solves: false,
    makes_rows: false,
    unshardable: Some(
        "a shard does not know the duplicates in the others: --part 3/16 takes a part of all different puzzles instead, wherever they stand",
    ),
    notes: &[
        "The inputs are read twice: once to count, once to write; with --report-duplicates a third time between. Standard \
input and other pipes are kept in a temporary file meanwhile (in TMPDIR, of the size of what comes through). Malformed rows are no \
duplicates of each other: all are kept. Puzzles are known by 128 bits of their cells, or of their canonical form: that any two of n \
different ones are taken for the same has a probability of about n^2 / 2^129, which is 1.5e-25 for 10 million.",
        "Memory: 30 to 36 bytes for each different puzzle, and one or two bits for each line. Where that is too much, --part 1/16 to --part 16/16 \
take a sixteenth each, one after the other or on machines of their own; all rows of a puzzle are in one part, malformed rows are kept by \
the first, and what the parts keep is together what is kept without parts. Or `sudobench canonical`, then Spark's \
dropDuplicates([\"canonical\"]).",
    ],
    examples: "\
  sudobench dedupe puzzles.csv.zip -o distinct.csv
  sudobench dedupe train.csv test.csv --isomorph --report-duplicates groups.csv -o distinct.parquet
  sudobench dedupe puzzles.txt --isomorph --columns count,canonical | sort -t, -k2 -rn | head
  for n in $(seq 16); do sudobench dedupe big.parquet --isomorph --part $n/16 -o distinct-$n.parquet; done",
};

/// What duplicates are.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Duplicates"))]
pub struct DedupeOptions {
    /// Take puzzles for the same that rows, columns, bands, stacks, a transposition and new names for the digits make of each other;
    /// else those whose 81 cells are equal, however blanks are written
    #[cfg_attr(feature = "clap", arg(long))]
    pub isomorph: bool,
    /// Look at one of several parts of all different puzzles, such as 3/16, in that part of the memory (see below)
    #[serde(deserialize_with = "as_text::option")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER/COUNT", value_parser = parse_part))]
    pub part: Option<ClassPart>,
}

impl RowVerb for DedupeOptions {
    const VERB: Verb = DEDUPE;

    fn passes(&self, lists_groups: bool) -> Passes {
        let dedupe = Dedupe::default().isomorph(self.isomorph).part(self.part).lists_groups(lists_groups);
        Passes::Dedupe(Arc::new(dedupe))
    }
}

#[cfg(feature = "clap")]
fn parse_part(text: &str) -> Result<ClassPart, String> {
    crate::values::plain_fraction(text).parse().map_err(|error: OptionError| error.to_string())
}
