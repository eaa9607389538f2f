//! `sudobench dedupe`, as typed.

use std::path::PathBuf;

use clap::Args;
use sudobench_batch::{ClassPart, OptionError, columns};

use super::rows::columns_help;
use super::values::plain_fraction;
use super::{RowsArgs, ShardChoice};

/// `sudobench dedupe`.
#[derive(Debug, Args)]
#[command(
    mut_arg("shard", |shard| shard.hide(true).value_parser(refuse_shard)),
    after_help = format!("{}\n\n{ABOUT}\n\n{EXAMPLES}", columns_help(&columns::DEDUPE, &columns::DEDUPE_DEFAULT)),
)]
pub struct DedupeArgs {
    #[command(flatten)]
    /// What every verb takes.
    pub rows: RowsArgs,
    #[command(flatten)]
    /// What duplicates are.
    pub duplicates: DuplicatesArgs,
}

/// What duplicates are, and who is told of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Duplicates")]
pub struct DuplicatesArgs {
    /// Take puzzles for the same that rows, columns, bands, stacks, a transposition and new names for the digits make of each other;
    /// else those whose 81 cells are equal, however blanks are written
    #[arg(long)]
    pub isomorph: bool,
    /// Write the rows of all puzzles that stand there more than once, group by group, as CSV: group, count, input, line, puzzle, and
    /// with --isomorph canonical
    #[arg(long, value_name = "FILE")]
    pub report_duplicates: Option<PathBuf>,
    /// Look at one of several parts of all different puzzles, such as 3/16, in that part of the memory (see below)
    #[arg(long, value_name = "NUMBER/COUNT", value_parser = parse_part)]
    pub part: Option<ClassPart>,
}

fn parse_part(text: &str) -> Result<ClassPart, String> {
    plain_fraction(text).parse().map_err(|error: OptionError| error.to_string())
}

/// A puzzle's duplicates may be in other shards.
fn refuse_shard(_: &str) -> Result<ShardChoice, String> {
    Err("a shard does not know the duplicates in the others: --part 3/16 takes a part of all different puzzles instead, wherever \
         they stand"
        .to_owned())
}

const ABOUT: &str = "The inputs are read twice: once to count, once to write; with --report-duplicates a third time between. Standard \
input and other pipes are kept in a temporary file meanwhile (in TMPDIR, of the size of what comes through). Malformed rows are no \
duplicates of each other: all are kept. Puzzles are known by 128 bits of their cells, or of their canonical form: that any two of n \
different ones are taken for the same has a probability of about n^2 / 2^129, which is 1.5e-25 for 10 million.

Memory: 30 to 36 bytes for each different puzzle, and one or two bits for each line. Where that is too much, --part 1/16 to --part 16/16 \
take a sixteenth each, one after the other or on machines of their own; all rows of a puzzle are in one part, malformed rows are kept by \
the first, and what the parts keep is together what is kept without parts. Or `sudobench canonical`, then Spark's \
dropDuplicates([\"canonical\"]).";

const EXAMPLES: &str = "Examples:
  sudobench dedupe puzzles.csv.zip -o distinct.csv
  sudobench dedupe train.csv test.csv --isomorph --report-duplicates groups.csv -o distinct.parquet
  sudobench dedupe puzzles.txt --isomorph --columns count,canonical | sort -t, -k2 -rn | head
  for n in $(seq 16); do sudobench dedupe big.parquet --isomorph --part $n/16 -o distinct-$n.parquet; done";
