//! The command line of `sudobench history`.

use std::path::PathBuf;

use clap::Args;

use super::help::{examples, first_example};

/// The arguments of `sudobench history`.
#[derive(Debug, Args)]
#[command(after_help = first_example(EXAMPLES), after_long_help = examples(EXAMPLES))]
pub struct HistoryArgs {
    /// File that `gate --history` or `bench --history` wrote; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Show only these solvers; separate several with commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub solvers: Vec<String>,
    /// Write one self-contained HTML page with tables and plots; `-` writes it to standard output instead of the tables
    #[arg(long, value_name = "FILE")]
    pub export_html: Option<PathBuf>,
    /// Replace an existing file even if sudobench did not write it
    #[arg(long)]
    pub force: bool,
}

const EXAMPLES: &[&str] = &[
    "sudobench history history.jsonl --export-html history.html",
    "sudobench gate puzzles.txt --baseline baseline.txt --history history.jsonl",
    "sudobench bench puzzles.txt --engine 'mine=./solve' --history history.jsonl",
];
