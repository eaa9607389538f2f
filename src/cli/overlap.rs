//! `sudobench overlap`, as typed.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sudobench_batch::overlap::{self, Keep, Overlaps};

use super::RowsArgs;
use super::rows::columns_help;

/// `sudobench overlap`.
#[derive(Debug, Args)]
#[command(after_help = format!("{MEANING}\n\n{}\n\n{MEMORY}\n\n{EXAMPLES}", columns_help(&overlap::COLUMNS, &overlap::COLUMNS)))]
#[command(mut_arg("inputs", |arg| arg.value_name("TRAIN").required(true).help(TRAIN).long_help(TRAIN)))]
#[command(mut_arg("skip", |arg| arg.help("Leave out the first rows of TEST; those of TRAIN are all read")))]
#[command(mut_arg("limit", |arg| arg.help("Stop after that many rows of TEST")))]
#[command(mut_arg("output", |arg| arg.help(OUTPUT).long_help(OUTPUT)))]
#[command(mut_arg("output_format", |arg| arg.requires("output")))]
#[command(mut_arg("columns", |arg| arg.requires("output")))]
#[command(mut_arg("only", |arg| arg.requires("output")))]
#[command(mut_arg("shard", |arg| arg.hide(true)))]
pub struct OverlapArgs {
    #[command(flatten)]
    /// What every verb takes; its inputs are TRAIN.
    pub rows: RowsArgs,
    #[command(flatten)]
    /// What is compared.
    pub comparing: ComparingArgs,
}

/// What is compared, and what becomes of the answer.
#[derive(Debug, Args)]
#[command(next_help_heading = "Overlap")]
pub struct ComparingArgs {
    /// The files whose rows are looked for in TRAIN; `-` for standard input
    #[arg(long, value_name = "TEST", required = true, num_args = 1..)]
    pub with: Vec<PathBuf>,
    /// The kinds of overlap to look for, separated by commas: text, isomorph, solution, solution_isomorph. Puzzles are solved for
    /// the last two alone [default: text,isomorph,solution,solution_isomorph]
    #[arg(long, value_name = "KINDS")]
    pub by: Option<Overlaps>,
    /// The rows of TEST to write
    #[arg(long, value_name = "WHICH", value_parser = keeps(), default_value = "overlapping", requires = "output")]
    pub keep: Keep,
    /// End with exit code 4 where a row of TEST overlaps so; isomorph includes text, solution_isomorph includes all
    #[arg(long, value_name = "KINDS")]
    pub fail_on: Option<Overlaps>,
    /// Write the counts as JSON; `-` is standard output, which then has nothing else
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// Put the SHA-256 of each input into the record
    #[arg(long, requires = "export_json")]
    pub hash: bool,
}

const TRAIN: &str = "Files of puzzles that a model was trained on, say; of any format that `solve` reads, `-` for standard input";

const OUTPUT: &str = "Write the rows of TEST that TRAIN has to this file, through FILE.partial; its name says how, as for `solve`. `-` is standard \
    output; then the counts go to standard error. Without it there are counts alone, on standard output";

const MEANING: &str = "What the answer means, where a model was trained on TRAIN:
  text               it has seen this puzzle
  isomorph           it has seen this puzzle, perhaps in a form with digits renamed, rows or
                     columns moved, or transposed
  solution           it has seen the grid that is to be found, perhaps with other clues
  solution_isomorph  it has seen this grid, perhaps in such a form and with other clues
A row is counted in each line that is true of it; the column `overlap` names the first. By solution those are compared that \
have exactly one. There are 5,472,730,538 classes of grids: of two sets of independent random grids, about one row of TEST for \
each 5.5 billion pairs of rows is a solution_isomorph by chance.
Rows are known by fingerprints of 128 bits: any two of 10 million different grids share one with a probability of 1.5e-25.";

const MEMORY: &str = "Memory: 24 bytes for each different puzzle of TRAIN and each kind of overlap, so less than 1 GB for 10 million rows. Where \
that is too much, take TRAIN in parts: the next is compared with what --keep clean has left of the one before; what is left at the \
end, no part has.
How to read (--input-format, --puzzle-column and the like) is said of TRAIN and TEST alike. Files of TRAIN may be laid out \
in different ways.";

const EXAMPLES: &str = "Examples:
  sudobench overlap train.csv --with test.csv
  sudobench overlap train-*.parquet --with test.parquet -o seen.csv
  sudobench overlap train.csv --with test.csv --by text,isomorph --keep clean -o clean.csv
  sudobench overlap train.csv --with test.csv -q --fail-on isomorph > overlap.txt";

fn keeps() -> impl TypedValueParser<Value = Keep> {
    let value = |keep: &Keep| PossibleValue::new(keep.name()).help(keep.about());
    PossibleValuesParser::new(Keep::ALL.iter().map(value)).try_map(|name| name.parse())
}
