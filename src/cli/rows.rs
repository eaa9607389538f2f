//! What every verb over rows takes: how to read, where to and how to write, how to run.

use std::fmt::Write as _;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use sudobench_batch::columns::{self, Column};
use sudobench_batch::sink::OutputFormat;
use sudobench_batch::source::{ColumnChoice, InputFormat};
use sudobench_batch::{OptionError, Shard};

use super::values::{at_least_one, count, plain_fraction, threads};

/// What every verb over rows takes.
#[derive(Debug, Args)]
pub struct RowsArgs {
    /// Files of puzzles: CSV, JSONL, Parquet, lines, grids or NumPy arrays, perhaps in gzip, zstd or zip; `-` or nothing for standard
    /// input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    /// How to read.
    pub input: InputArgs,
    #[command(flatten)]
    /// Where to and how to write.
    pub output: OutputArgs,
    #[command(flatten)]
    /// How to run.
    pub running: RunningArgs,
}

/// How the input is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    #[arg(long, value_name = "FORMAT", value_parser = input_formats())]
    pub input_format: Option<InputFormat>,
    /// The byte between columns instead of the one found: a character, or `tab`
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter)]
    pub delimiter: Option<u8>,
    /// The puzzle's column, or member of JSON objects, by its name or its number from 1
    #[arg(long, value_name = "NAME|NUMBER", value_parser = parse_column)]
    pub puzzle_column: Option<ColumnChoice>,
    /// The expected solution's column or member, by its name or its number from 1
    #[arg(long, value_name = "NAME|NUMBER", value_parser = parse_column)]
    pub solution_column: Option<ColumnChoice>,
    /// Whether the first row names the columns, instead of finding out
    #[arg(long, value_name = "yes|no", value_parser = parse_yes_no)]
    pub header: Option<bool>,
    /// Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a puzzle
    #[arg(long)]
    pub restore_zeros: bool,
    /// Leave out the first rows
    #[arg(long, value_name = "ROWS", default_value_t = 0, value_parser = count::<u64>, conflicts_with = "shard")]
    pub skip: u64,
    /// Stop after that many rows, such as 20000 or 20k
    #[arg(long, value_name = "ROWS", value_parser = count::<u64>, conflicts_with = "shard")]
    pub limit: Option<u64>,
}

/// Where the output goes, and how it looks.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write to this file, through FILE.partial, instead of standard output; .jsonl is JSONL, .parquet Parquet, .txt lines, .npy an array,
    /// and .gz or .zst behind a name of text compresses
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The output's format, whatever the output's name says [default: as that says, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = output_formats())]
    pub output_format: Option<OutputFormat>,
    /// The columns to add, in order, separated by commas, or `all` or `none`; they are listed below
    #[arg(long, value_name = "LIST")]
    pub columns: Option<String>,
    /// Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution), or
    /// NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of the
    /// input. Of several, all must hold
    #[arg(long, value_name = "CONDITION")]
    pub only: Vec<String>,
    /// Replace the output file if it exists, and exports whatever they are
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// Continue an interrupted run of the same input and flags. If the output is complete, nothing is done, and only the output of a
    /// shard is compared with the command
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// Do not wait for the output file to reach the disk
    #[arg(long)]
    pub no_sync: bool,
}

/// How the work is done, and what is told of it meanwhile.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub struct RunningArgs {
    /// Answer one of several parts of the inputs: its number and how many there are, such as 3/16, or `auto` in an array of jobs (see
    /// below). The output and its record get names of their own; `merge` puts all together
    #[arg(long, value_name = "NUMBER/COUNT|auto", requires = "output")]
    pub shard: Option<ShardChoice>,
    /// Threads, each of which reads, works and writes in its turn [default: the cores that this process may use]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// Show progress: auto draws a bar on a terminal and prints a line every 30 s elsewhere
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub progress: ProgressWhen,
    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
    /// End the run after N written blocks, as Ctrl-C does: exit code 130, and `--resume` continues. For tests, because the moment of
    /// a signal is a matter of timing. With `--threads 1` the place is always the same; more threads may write a few more blocks.
    /// Only the pass that writes rows counts: earlier passes (`dedupe`, `rate --stratify`, TRAIN of `overlap`) always run to their
    /// end, because there is nothing to resume before the first row. Without rows to write (`overlap` without `-o`) the flag has no
    /// effect.
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, hide = true)]
    pub stop_after_blocks: Option<NonZeroU64>,
}

/// Which part of the inputs is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardChoice {
    /// This one.
    This(Shard),
    /// The one that the environment names; of so many, where it does not say.
    Auto(Option<NonZeroU32>),
}

impl FromStr for ShardChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<ShardChoice, String> {
        match text.strip_prefix("auto") {
            Some("") => Ok(ShardChoice::Auto(None)),
            Some(of) => {
                let of = of.strip_prefix('/').and_then(|of| at_least_one(of).ok());
                of.map(|of| ShardChoice::Auto(Some(of)))
                    .ok_or_else(|| "say auto, or auto/16 where there are 16".to_owned())
            }
            None => plain_fraction(text)
                .parse()
                .map(ShardChoice::This)
                .map_err(|error: OptionError| error.to_string()),
        }
    }
}

/// When progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressWhen {
    /// A bar on a terminal, a line now and then elsewhere, nothing with --quiet
    Auto,
    /// Even with --quiet
    Always,
    /// Never
    Never,
}

/// How a job of an array says which shard it is.
pub(super) const SHARDS: &str = "Shards (--shard):
  auto     of an array of Slurm, whose tasks are numbered from 1 without gaps (--array=1-16)
  auto/16  of 16: of an array of Slurm some of whose tasks run again (--array=3,7), or of an indexed job of Kubernetes";

/// The columns of a verb, a line each.
pub(super) fn columns_help(all: &[Column], default: &[Column]) -> String {
    let width = all.iter().map(|column| column.name.len()).max().unwrap_or_default() + 1;
    let mut help = "Columns (--columns):".to_owned();
    for column in all {
        // Writing to a string does not fail.
        let _ = write!(help, "\n  {:<width$} {}", column.name, column.about);
    }
    let _ = write!(help, "\n  [default: {}]", columns::names(default).replace(' ', ""));
    help
}

fn input_formats() -> impl TypedValueParser<Value = InputFormat> {
    PossibleValuesParser::new(InputFormat::ALL.iter().map(|format| format.name()))
        .try_map(|name| name.parse())
}

fn output_formats() -> impl TypedValueParser<Value = OutputFormat> {
    let value = |format: &OutputFormat| PossibleValue::new(format.name()).help(format.about());
    PossibleValuesParser::new(OutputFormat::ALL.iter().map(value)).try_map(|name| name.parse())
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if text.eq_ignore_ascii_case("tab") || text == "\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"\"\r\n".contains(byte) => Ok(*byte),
        _ => {
            Err("a delimiter is one character that is no letter, digit, quote or line end, or `tab`"
                .to_owned())
        }
    }
}

fn parse_column(text: &str) -> Result<ColumnChoice, String> {
    match ColumnChoice::from(text) {
        ColumnChoice::Number(0) => Err("columns are numbered from 1".to_owned()),
        choice => Ok(choice),
    }
}

fn parse_yes_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("say yes or no".to_owned()),
    }
}
