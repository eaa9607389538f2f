//! Options that verbs share: for reading, for writing and for the run.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use sudobench_harness::report::wrapped;
use sudobench_rows::columns::{self, Column};
use sudobench_rows::source::InputFormat;
use sudobench_rows::values::{at_least_one, plain_fraction, threads};
use sudobench_rows::verbs::Verb;
use sudobench_rows::{InputOptions, OptionError, OutputOptions, Shard};

use super::help::{MOST_WIDTH, examples};

/// The inputs and the common options of the verbs that read rows.
#[derive(Clone, Debug, Args)]
pub struct RowsArgs {
    /// Files with puzzles, or puzzles of 81 characters.
    #[arg(value_name = "INPUT", help = INPUTS, long_help = inputs_help(), help_heading = None::<&'static str>)]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    /// The options of reading.
    pub input: InputOptions,
    #[command(flatten)]
    /// The options of the output.
    pub output: OutputOptions,
    #[command(flatten)]
    /// The options of the run.
    pub running: RunningArgs,
}

const INPUTS: &str = "Files with puzzles, or puzzles of 81 characters; `-` or nothing reads standard input";

fn inputs_help() -> String {
    let formats: Vec<&str> = InputFormat::all().map(InputFormat::name).collect();
    format!(
        "{INPUTS}\n\nThe formats are {}. Text and npy can be compressed with gzip, zstd or zip. A puzzle can also be a quoted grid of nine lines.",
        formats.join(", ")
    )
}

/// The options of the run and its progress display.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Running")]
pub struct RunningArgs {
    /// Process only one part of the input: 3/16 is part 3 of 16, and `auto` takes both numbers from a job array
    ///
    /// Parts are numbered from 1. Each part has its own output file and a record beside it; `sudobench merge` joins the output files.
    /// `auto` takes the numbers from the environment of the job array (see below).
    #[arg(long, value_name = "NUMBER/COUNT|auto")]
    pub shard: Option<ShardChoice>,
    /// Number of threads [default: the number of cores that this process may use]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// When to show progress
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub progress: ProgressWhen,
    /// On standard error, print only errors
    #[arg(short, long)]
    pub quiet: bool,
    /// After N written blocks, stop as if Ctrl-C had been pressed; for tests
    ///
    /// The exit code is 130, and `--resume` continues the run. Tests use this because the moment of a signal depends on timing. With
    /// `--threads 1` the run always stops at the same place; more threads may write a few more blocks. Only the pass that writes rows
    /// counts: earlier passes (`dedupe`, `rate --stratify`, TRAIN of `overlap`) always run to their end, because there is nothing to resume
    /// before the first row. Rows that are only counted (`overlap` without `-o`) count as written, but such a run can't be resumed.
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, hide = true)]
    pub stop_after_blocks: Option<NonZeroU64>,
}

/// The part of the input to process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardChoice {
    /// The part that the user typed.
    This(Shard),
    /// The part whose number is in the environment variables of a job array. The value is the number of parts, if the user typed it.
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
                    .ok_or_else(|| "write auto, or auto/16 if there are 16 parts".to_owned())
            }
            None => plain_fraction(text)
                .parse()
                .map(ShardChoice::This)
                .map_err(|error: OptionError| error.to_string()),
        }
    }
}

/// The cases in which progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressWhen {
    /// A bar on a terminal, otherwise a line every 30 s; nothing with --quiet, or if the rows go to the terminal
    Auto,
    /// A bar on a terminal, otherwise a line every 30 s, even with --quiet
    Always,
    /// Never
    Never,
}

const SHARDS: &str = "Shards (--shard):
  auto     in a Slurm job array whose tasks are numbered from 1 without gaps (--array=1-16)
  auto/16  in other job arrays with 16 parts: an indexed job of Kubernetes, or a Slurm array that
           repeats only some of the 16 tasks (--array=3,7)";

/// Returns the end of the long help of a verb: columns, notes, shards, examples.
pub(super) fn notes(verb: &Verb) -> String {
    let Verb { columns, default, unshardable, notes, .. } = *verb;
    let mut parts = Vec::new();
    parts.extend((!columns.is_empty()).then(|| columns_help(columns, default)));
    parts.extend(notes.iter().map(|&note| note.to_owned()));
    parts.extend(unshardable.is_none().then(|| SHARDS.to_owned()));
    parts.push(examples(verb.examples));
    parts.join("\n\n")
}

fn columns_help(all: &[Column], default: &[Column]) -> String {
    let width = all.iter().map(|column| column.name.len()).max().unwrap_or_default();
    let mut help = "Columns (--columns):\n".to_owned();
    for column in all {
        let first = format!("  {:width$}  ", column.name);
        help += &wrapped(column.about, MOST_WIDTH, &first, &" ".repeat(first.len()));
    }
    help + &format!("  [default: {}]", columns::names(default).replace(' ', ""))
}
