//! The verbs over rows, as typed: their options are those of the batch package.

use std::path::PathBuf;

use clap::Args;
use sudobench_batch::OutputOptions;
use sudobench_batch::overlap::Overlaps;
use sudobench_batch::verbs::{GenerateOptions, RowVerb};

use super::rows::{RowsArgs, RunningArgs, help_of};

/// What a verb that reads rows takes. `E`: what only the command line has.
#[derive(Debug, Args)]
#[command(after_help = help_of::<O>(), mut_arg("shard", |shard| shard.hide(O::VERB.unshardable.is_some())))]
pub struct VerbArgs<O: RowVerb + Args, E: Args = NoExtras> {
    #[command(flatten)]
    /// The verb's options.
    pub options: O,
    #[command(flatten)]
    /// What only the command line has.
    pub extras: E,
    #[command(flatten)]
    /// What every verb takes.
    pub rows: RowsArgs,
}

/// What a verb that makes its rows takes.
#[derive(Debug, Args)]
#[command(after_help = help_of::<GenerateOptions>())]
pub struct GenerateArgs {
    #[command(flatten)]
    /// The verb's options.
    pub options: GenerateOptions,
    #[command(flatten)]
    /// Where to and how to write.
    pub output: OutputOptions,
    #[command(flatten)]
    /// How to run.
    pub running: RunningArgs,
}

/// Nothing that only the command line has.
#[derive(Debug, Args)]
pub struct NoExtras {}

/// What `solve` reports.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportingArgs {
    /// Write the record of the run as JSON
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// Put the SHA-256 of each input into the record
    #[arg(long, requires = "export_json", conflicts_with = "shard")]
    pub hash: bool,
    /// Write the latencies as the text that HdrHistogram's plotter reads, in microseconds
    #[arg(long, value_name = "FILE")]
    pub export_hgrm: Option<PathBuf>,
    /// Write the latencies as a mergeable HdrHistogram log (V2, deflate), in nanoseconds
    #[arg(long, value_name = "FILE")]
    pub export_histogram_log: Option<PathBuf>,
}

/// Where `dedupe` writes the duplicates.
#[derive(Debug, Args)]
#[command(next_help_heading = "Duplicates")]
pub struct DuplicatesArgs {
    /// Write the rows of all puzzles that stand there more than once, group by group, as CSV: group, count, input, line, puzzle, and
    /// with --isomorph canonical
    #[arg(long, value_name = "FILE")]
    pub report_duplicates: Option<PathBuf>,
}

/// What becomes of the answer of `overlap`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Overlap")]
pub struct ComparingArgs {
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
