//! `sudobench solve`, as typed.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use sudobench_batch::Budgets;
use sudobench_batch::columns;
use sudobench_sudoku::solver;

use super::RowsArgs;
use super::rows::{SHARDS, columns_help};
use super::values::{BUDGETS_HELP, at_least_one, positive_duration};

/// `sudobench solve`.
#[derive(Debug, Args)]
#[command(after_help = format!("{}\n\n{SHARDS}\n\n{EXAMPLES}", columns_help(&columns::SOLVE, &columns::SOLVE_DEFAULT)))]
pub struct SolveArgs {
    #[command(flatten)]
    /// What every verb takes.
    pub rows: RowsArgs,
    #[command(flatten)]
    /// How to solve.
    pub solving: SolvingArgs,
    #[command(flatten)]
    /// What to report.
    pub reporting: ReportingArgs,
}

const EXAMPLES: &str = "Examples:
  sudobench solve sudoku.csv.zip -o solved.csv
  zcat puzzles.gz | sudobench solve --columns all > answers.csv
  sudobench solve puzzles.csv --only multiple,unsolvable,mismatch --columns status,match,note
  sudobench solve judge.txt --budgets boj2580 --output-format boj2580
  sudobench solve big.parquet -o solved.parquet --shard 3/16";

/// How puzzles are solved.
#[derive(Debug, Args)]
#[command(next_help_heading = "Solving")]
pub struct SolvingArgs {
    /// The solver variant; `sudobench solvers` lists them
    #[arg(long, value_name = "NAME", value_parser = parse_solver, default_value = solver::default_variant().name)]
    pub solver: &'static solver::Variant,
    /// Stop a puzzle at that many solutions: 1 for the first found, 2 to prove uniqueness, more to count
    /// [default: 2; 1 with --budgets boj2580 or boj2239]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub max_solutions: Option<NonZeroU64>,
    /// Give a puzzle up after that many nodes: digit placements, or alternatives of the vector solvers
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub max_nodes: Option<NonZeroU64>,
    /// Give a puzzle up after that time, such as 1172ms
    #[arg(long, value_name = "TIME", value_parser = positive_duration)]
    pub max_time_per_puzzle: Option<Duration>,
}

/// What is reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportingArgs {
    /// Times that each puzzle is held against, such as 80ms,1s, and at most one of boj2580 and boj2239, which also ask
    /// the judge's question [default: 80ms,292ms,1172ms]
    #[arg(long, value_name = "LIST", long_help = BUDGETS_HELP)]
    pub budgets: Option<Budgets>,
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

pub(super) fn parse_solver(name: &str) -> Result<&'static solver::Variant, String> {
    let names = || solver::listed().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
    solver::find(name).ok_or_else(|| format!("there are {}", names()))
}
