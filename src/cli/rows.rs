//! What every verb over rows takes: how to read, where to and how to write, how to run.

use std::fmt::Write as _;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use sudobench_rows::columns::{self, Column};
use sudobench_rows::values::{at_least_one, plain_fraction, threads};
use sudobench_rows::verbs::Verb;
use sudobench_rows::{InputOptions, OptionError, OutputOptions, Shard};

/// What every verb over rows takes.
#[derive(Debug, Args)]
pub struct RowsArgs {
    /// Files of puzzles: CSV, JSONL, Parquet, Arrow, lines, grids or NumPy arrays, perhaps in gzip, zstd or zip; `-` or nothing for standard
    /// input. Or puzzles themselves: 81 characters, or a quoted grid of nine lines
    #[arg(value_name = "INPUT", help_heading = None::<&'static str>)]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    /// How to read.
    pub input: InputOptions,
    #[command(flatten)]
    /// Where to and how to write.
    pub output: OutputOptions,
    #[command(flatten)]
    /// How to run.
    pub running: RunningArgs,
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
const SHARDS: &str = "Shards (--shard):
  auto     of an array of Slurm, whose tasks are numbered from 1 without gaps (--array=1-16)
  auto/16  of 16: of an array of Slurm some of whose tasks run again (--array=3,7), or of an indexed job of Kubernetes";

/// What the help of a verb says at its end: the columns, the notes, shards, examples.
pub(super) fn help_of(verb: &Verb) -> String {
    let Verb { columns, default, unshardable, notes, examples, .. } = *verb;
    let mut parts = Vec::new();
    parts.extend((!columns.is_empty()).then(|| columns_help(columns, default)));
    parts.extend(notes.iter().map(|&note| note.to_owned()));
    parts.extend(unshardable.is_none().then(|| SHARDS.to_owned()));
    parts.push(format!("Examples:\n{examples}"));
    parts.join("\n\n")
}

/// The columns of a verb, a line each.
fn columns_help(all: &[Column], default: &[Column]) -> String {
    let width = all.iter().map(|column| column.name.len()).max().unwrap_or_default() + 1;
    let mut help = "Columns (--columns):".to_owned();
    for column in all {
        // Writing to a string does not fail.
        let _ = write!(help, "\n  {:<width$} {}", column.name, column.about);
    }
    let _ = write!(help, "\n  [default: {}]", columns::names(default).replace(' ', ""));
    help
}
