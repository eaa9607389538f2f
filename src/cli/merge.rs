//! The command line of `sudobench merge`.

use std::path::PathBuf;

use clap::Args;

use super::help::{examples, first_example};
use super::{ProgressWhen, ScoreReportArgs};

/// The arguments of `sudobench merge`.
#[derive(Debug, Args)]
#[command(after_help = first_example(EXAMPLES), after_long_help = format!("{}\n\n{NOTES}", examples(EXAMPLES)))]
pub struct MergeArgs {
    /// Outputs of all shards, in any order; their records (PART.shard.json) may be named as well, or instead
    #[arg(value_name = "PART", required = true)]
    pub parts: Vec<PathBuf>,

    /// Write to this file instead of standard output; it must have the same extension as the parts
    ///
    /// The file is written as FILE.partial and gets its name once it is complete.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Replace existing files: the output, the remains of a killed merge, and the files of the --export-* options
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Do not wait until the output file is stored on the disk
    #[arg(long, help_heading = "Output")]
    pub no_sync: bool,

    /// When to show progress
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Running")]
    pub progress: ProgressWhen,
    /// On standard error, print only errors
    #[arg(short, long, help_heading = "Running")]
    pub quiet: bool,

    /// Write the record of the whole run as JSON; its wall time is the time of the slowest shard
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub export_json: Option<PathBuf>,
    /// For parts of `solve`: write the time per puzzle as a percentile table (.hgrm) in microseconds, for HdrHistogram's plotter
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub export_hgrm: Option<PathBuf>,
    /// For parts of `solve`: write the time per puzzle as a mergeable HdrHistogram log (V2, deflate) in nanoseconds
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub export_histogram_log: Option<PathBuf>,
    /// The options of the score reports.
    #[command(flatten)]
    pub scores: ScoreReportArgs,
}

const EXAMPLES: &[&str] = &[
    "sudobench merge solved.shard-*-of-16.csv -o solved.csv",
    "sudobench merge parts/* -o solved.parquet --export-json run.json",
    "sudobench merge solved.shard-*.csv.zst | zstd -dc | wc -l",
    "sudobench merge scored.shard-*.csv -o scored.csv --export-html scores.html",
];

const NOTES: &str = "\
If a part was changed after its shard wrote it, merge notices this while it copies the part. It then creates no output file, but part of the \
data may have gone to standard output already.";
