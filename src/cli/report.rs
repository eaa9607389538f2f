//! `sudobench compare` and `sudobench report`, as typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Compare records of `bench` or of `judge`: speed, counters, verdicts, and which puzzles changed
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Records, `-` for standard input; the later ones are compared with the first
    #[arg(value_name = "RECORD", num_args = 2.., required = true)]
    pub records: Vec<PathBuf>,
    /// Show the ratios of times of different machines, numbers of cores or build profiles, without verdicts
    #[arg(long)]
    pub across_machines: bool,
    /// Call times the same that differ by no more than this
    #[arg(long, value_name = "PERCENT", default_value = "1%", value_parser = share)]
    pub same_within: f64,
    /// Exit with code 3 if some pair of solver and dataset is `worse`, with 4 if one is `missing` or `not-compared`, and with 5 if `worse`
    /// can't be told, for a record has fewer than three runs (`bench --runs`)
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub fail_on: Vec<CompareFailure>,
    /// Write the tables as Markdown; `-` is standard output, instead of the tables as text
    #[arg(long, value_name = "FILE")]
    pub export_markdown: Option<PathBuf>,
    /// Replace files of these names whatever they are, not only earlier exports
    #[arg(long)]
    pub force: bool,
}

/// What `compare` fails on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompareFailure {
    /// A pair that only the first record has
    Missing,
    /// A pair that was not compared, for whatever reason
    NotCompared,
    /// A pair that is slower, or a program that was accepted before and is not any more
    Worse,
}

/// Reads a percentage such as `1%` as a share.
fn share(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    let share = number.filter(|percent| (0.0..=100.0).contains(percent)).map(|percent| percent / 100.0);
    share.ok_or_else(|| "write a percentage from 0% to 100%, such as 1%".to_owned())
}

/// Make reports from records of `bench` or `judge`: tables on standard output where no file is named
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Records, `-` for standard input
    #[arg(value_name = "RECORD", required = true)]
    pub records: Vec<PathBuf>,
    /// Write one self-contained page with tables and plots, which begins with what changed from the first record to each
    /// other one; `-` is standard output, here and below
    #[arg(long, value_name = "FILE")]
    pub export_html: Option<PathBuf>,
    /// Write the tables as Markdown, cut to what GitHub takes for a step's summary
    #[arg(long, value_name = "FILE")]
    pub export_markdown: Option<PathBuf>,
    /// Draw the speed of each solver on each set as bars, in an SVG file; of several records, those of the first that has speeds
    #[arg(long, value_name = "FILE")]
    pub export_svg: Option<PathBuf>,
    /// Write a row for each pair
    #[arg(long, value_name = "FILE")]
    pub export_csv: Option<PathBuf>,
    /// Write a JUnit case for each pair: an error where it was not measured, a failure where a program was not accepted
    #[arg(long, value_name = "FILE")]
    pub export_junit: Option<PathBuf>,
    /// Replace files of these names whatever they are, not only earlier exports
    #[arg(long)]
    pub force: bool,
}
