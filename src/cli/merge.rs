//! `sudobench merge`, as typed.

use std::path::PathBuf;

use clap::Args;

use super::ProgressWhen;

/// `sudobench merge`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MergeArgs {
    /// The outputs of all shards, in any order; the records beside them may be named too, or instead, as a shell's pattern does
    #[arg(value_name = "PART", required = true)]
    pub parts: Vec<PathBuf>,

    /// Write to this file, through FILE.partial, instead of standard output; its name ends as those of the parts
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists, what a killed merge left of it, and exports whatever they are
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Do not wait for the output file to reach the disk
    #[arg(long, help_heading = "Output")]
    pub no_sync: bool,

    /// Show progress: auto draws a bar on a terminal and prints a line every 30 s elsewhere
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Running")]
    pub progress: ProgressWhen,
    /// Say nothing on standard error but errors
    #[arg(short, long, help_heading = "Running")]
    pub quiet: bool,

    /// Write the record of the whole run as JSON; its wall time is that of the longest shard
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub export_json: Option<PathBuf>,
    /// Write the latencies as the text that HdrHistogram's plotter reads, in microseconds
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub export_hgrm: Option<PathBuf>,
    /// Write the latencies as a mergeable HdrHistogram log (V2, deflate), in nanoseconds
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub export_histogram_log: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  sudobench merge solved.shard-*-of-16.csv -o solved.csv
  sudobench merge parts/* -o solved.parquet --export-json run.json
  sudobench merge solved.shard-*.csv.zst | zstd -dc | wc -l

A part that was changed since is found out while it is copied: then no file gets its name, but standard output has had some.
Row groups of Parquet and record batches of Arrow stay as they are in the parts: the rows are those of a run without shards, but they may be \
grouped in another way.";
