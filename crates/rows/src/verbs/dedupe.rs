//! `dedupe`: keeps the first puzzle of each class of equal or isomorphic puzzles, with the number of occurrences.

use std::sync::Arc;

use serde::Deserialize;

use super::{RowVerb, Verb, VerbGroup};
use crate::dedupe::{ClassPart, Dedupe};
#[cfg(feature = "clap")]
use crate::option_error::OptionError;
use crate::passes::Passes;
use crate::{as_text, columns};

/// Keeps the first of equal puzzles.
pub const DEDUPE: Verb = Verb {
    name: "dedupe",
    summary: "Remove duplicate puzzles; --isomorph also removes equivalent puzzles",
    group: VerbGroup::PuzzleSets,
    columns: &columns::DEDUPE,
    default: &[columns::COUNT],
    unshardable: Some(
        "a shard does not see the duplicates in other shards; use --part 3/16 instead, which reads all rows and keeps one part of the \
         distinct puzzles",
    ),
    notes: &[
        "What is kept:
  dedupe writes the first row of each group of duplicates, and the number of rows in the group. Malformed rows are all kept. Puzzles are \
compared by a 128-bit hash. The probability that two of n different puzzles have the same hash is about n^2 / 2^129, which is 1.5e-25 for \
10 million puzzles.",
        "Passes:
  The inputs are read twice: once to count, once to write; with --report-duplicates three times. Data from standard input and other pipes is \
kept in a temporary file in TMPDIR.",
        "Memory (--part):
  dedupe needs 30 to 36 bytes for each distinct puzzle, and one or two bits for each line. If that is too much, run it with --part 1/16 to \
--part 16/16, one after the other or on different machines. Each part keeps about a sixteenth of the distinct puzzles, and needs the 30 to \
36 bytes only for these; together, the parts keep the same rows as one run. Part 1 keeps the malformed rows. On a Spark cluster, you can run `sudobench \
canonical` and then dropDuplicates([\"canonical\"]).",
    ],
    examples: &[
        "sudobench dedupe puzzles.csv.zip -o distinct.csv",
        "sudobench dedupe train.csv test.csv --isomorph --report-duplicates groups.csv -o all.parquet",
        "sudobench dedupe puzzles.txt --isomorph --columns count,canonical | sort -t, -k2 -rn | head",
        "for n in $(seq 16); do sudobench dedupe big.parquet --part $n/16 -o distinct-$n.parquet; done",
    ],
    ..Verb::BASE
};

/// The options of `dedupe`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Duplicates"))]
pub struct DedupeOptions {
    /// Also treat equivalent puzzles as duplicates, not only equal ones
    ///
    /// Puzzles are equivalent if one becomes the other by reordering bands, stacks, rows in a band and columns in a stack, by transposing
    /// the grid and by renaming the digits. Puzzles are equal if all 81 cells are equal; it does not matter how blanks are written.
    #[cfg_attr(feature = "clap", arg(long))]
    pub isomorph: bool,
    /// Process only one part of the distinct puzzles to save memory, such as 3/16 for the third of 16 parts
    #[serde(deserialize_with = "as_text::option")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER/COUNT", value_parser = parse_part))]
    pub part: Option<ClassPart>,
    /// Whether the rows of each class of duplicates are listed: see [`RunOptions::list_groups`](crate::RunOptions).
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub lists_groups: bool,
}

impl RowVerb for DedupeOptions {
    fn passes(&self) -> Option<Arc<dyn Passes>> {
        let dedupe = Dedupe::default().isomorph(self.isomorph).part(self.part);
        Some(Arc::new(dedupe.lists_groups(self.lists_groups)))
    }
}

#[cfg(feature = "clap")]
fn parse_part(text: &str) -> Result<ClassPart, String> {
    crate::values::plain_fraction(text).parse().map_err(|error: OptionError| error.to_string())
}
