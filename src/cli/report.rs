//! `sudobench compare` and `sudobench report`, as typed.

use std::path::PathBuf;

use clap::Args;

/// Hold records of `bench` against each other: speed, counters, and which puzzles changed
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Records; the later ones are held against the first
    #[arg(value_name = "RECORD", num_args = 2.., required = true)]
    pub records: Vec<PathBuf>,
    /// Write the tables as Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

/// Make reports from records of `bench`: tables on standard output where no file is named
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Records
    #[arg(value_name = "RECORD", required = true)]
    pub records: Vec<PathBuf>,
    /// Write one self-contained page with tables and plots
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the tables as Markdown, cut to what GitHub takes for a step's summary
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write a row for each pair
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write a JUnit case for each pair: an error where it was not measured
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}
