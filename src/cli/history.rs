//! `sudobench history`, as typed.

use std::path::PathBuf;

use clap::Args;

/// Show what became of each solver over the runs of a history
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct HistoryArgs {
    /// The file that `gate --history` and `bench --history` append to, `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only these solvers, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub solvers: Vec<String>,
    /// Write one self-contained page with tables and plots; `-` is standard output, instead of the tables
    #[arg(long, value_name = "FILE")]
    pub export_html: Option<PathBuf>,
    /// Replace a file of that name whatever it is, not only an earlier export
    #[arg(long)]
    pub force: bool,
}

const EXAMPLES: &str = "Examples:
  sudobench gate puzzles.txt --baseline baseline.txt --history history.jsonl
  sudobench bench puzzles.txt --engine 'mine=./solve' --history history.jsonl
  sudobench history history.jsonl --export-html history.html";
