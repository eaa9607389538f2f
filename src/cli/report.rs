//! The command lines of `sudobench compare` and `sudobench report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::help::{examples, first_example};

const COMPARE_EXAMPLES: &[&str] = &[
    "sudobench compare before.json after.json",
    "sudobench compare before.json after.json --fail-on worse,missing",
];

const REPORT_EXAMPLES: &[&str] = &["sudobench report record.json --export-html report.html"];

/// The arguments of `sudobench compare`.
#[derive(Debug, Args)]
#[command(after_help = first_example(COMPARE_EXAMPLES), after_long_help = examples(COMPARE_EXAMPLES))]
pub struct CompareArgs {
    /// Records to compare; each one is compared with the first. `-` reads standard input
    #[arg(value_name = "RECORD", num_args = 2.., required = true)]
    pub records: Vec<PathBuf>,
    /// Also compare records whose machines, core counts or build profiles differ; for these, show ratios of times without verdicts
    #[arg(long)]
    pub across_machines: bool,
    /// Treat times as the same if they differ by no more than this
    #[arg(long, value_name = "PERCENT", default_value = "1%", value_parser = share)]
    pub same_within: f64,
    /// Fail if a pair (a solver on a dataset) has one of these results; separate several with commas
    ///
    /// The exit code is 3 for `worse`. It is 4 for `missing` and for `not-compared`, and also if no pair was compared at all. It is 5 if
    /// `worse` cannot be decided, for example because a record has fewer than three runs (`bench --runs`). If several of these codes
    /// apply, the smallest one is used.
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub fail_on: Vec<CompareFailure>,
    /// Write the tables as Markdown; `-` writes them to standard output instead of the text tables
    #[arg(long, value_name = "FILE")]
    pub export_markdown: Option<PathBuf>,
    /// Replace existing files even if sudobench did not write them
    #[arg(long)]
    pub force: bool,
}

/// The findings on which `compare` fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompareFailure {
    /// Pair that only the first record has
    Missing,
    /// Pair that was not compared, for any reason
    NotCompared,
    /// Pair that is slower, or program that was accepted before and is not accepted now
    Worse,
}

/// Reads a percentage such as `1%` and returns it as a fraction, such as 0.01.
fn share(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    let share = number.filter(|percent| (0.0..=100.0).contains(percent)).map(|percent| percent / 100.0);
    share.ok_or_else(|| "write a percentage from 0% to 100%, such as 1%".to_owned())
}

/// The arguments of `sudobench report`.
#[derive(Debug, Args)]
#[command(after_help = first_example(REPORT_EXAMPLES), after_long_help = examples(REPORT_EXAMPLES))]
pub struct ReportArgs {
    /// Records to report; `-` reads standard input. Without an export option, tables go to standard output
    #[arg(value_name = "RECORD", required = true)]
    pub records: Vec<PathBuf>,
    /// Write one self-contained HTML page with tables and plots; in all --export-* options, `-` is standard output
    ///
    /// With several records, the page begins with the changes from the first record to each of the later ones.
    #[arg(long, value_name = "FILE")]
    pub export_html: Option<PathBuf>,
    /// Write the tables as Markdown, shortened to the size limit of a GitHub step summary
    #[arg(long, value_name = "FILE")]
    pub export_markdown: Option<PathBuf>,
    /// Draw the speed of each solver on each dataset as bars in an SVG file
    ///
    /// With several records, the first one that has speeds is drawn.
    #[arg(long, value_name = "FILE")]
    pub export_svg: Option<PathBuf>,
    /// Write a CSV row for each pair of solver and dataset
    #[arg(long, value_name = "FILE")]
    pub export_csv: Option<PathBuf>,
    /// Write a JUnit test case for each pair of solver and dataset
    ///
    /// A pair that could not be measured or judged is an error. A program that `judge` did not accept is a failure.
    #[arg(long, value_name = "FILE")]
    pub export_junit: Option<PathBuf>,
    /// Replace existing files even if sudobench did not write them
    #[arg(long)]
    pub force: bool,
}
