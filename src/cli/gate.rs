//! `sudobench gate`, as typed.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::SelectionArgs;
use super::values::{at_least_one, positive_duration};
use crate::gate::GateLimits;

/// Fail where solvers became slower or search more: against a baseline, another binary, or budgets
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GateArgs {
    /// Files of puzzles
    #[arg(value_name = "DATASET")]
    pub datasets: Vec<PathBuf>,

    #[command(flatten)]
    /// Which variants.
    pub selection: SelectionArgs,

    /// What is let through: nodes=P%, guesses=P%, time=P%, mean|p50|p90|p99|p99.9|max=TIME, within:TIME=P%
    #[arg(long, value_name = "LIMITS", default_value = "nodes=0%,guesses=0%,time=5%")]
    pub limits: GateLimits,

    /// Gate A: hold statuses, counts, solutions, nodes and guesses of every puzzle against this file; those of
    /// bitslice and auto are the same on every machine with --simd baseline
    #[arg(long, value_name = "FILE", help_heading = "Gate A, exact")]
    pub baseline: Option<PathBuf>,
    /// Write the baseline instead of holding anything against it
    #[arg(long, requires = "baseline", help_heading = "Gate A, exact")]
    pub update_baseline: bool,

    /// Gate B: run this binary and the head in turn and compare their times
    #[arg(long, value_name = "BINARY", help_heading = "Gate B, paired")]
    pub base: Option<PathBuf>,
    /// The binary that is judged [default: this one]
    #[arg(long, value_name = "BINARY", requires = "base", help_heading = "Gate B, paired")]
    pub head: Option<PathBuf>,
    /// Blocks before the first verdict
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_least_one::<NonZeroUsize>,
          help_heading = "Gate B, paired")]
    pub min_blocks: NonZeroUsize,
    /// Blocks after which an undecided pair is inconclusive
    #[arg(long, value_name = "N", default_value = "40", value_parser = at_least_one::<NonZeroUsize>,
          help_heading = "Gate B, paired")]
    pub max_blocks: NonZeroUsize,
    /// Time of each of the four legs of a block
    #[arg(long, value_name = "TIME", default_value = "30ms", value_parser = positive_duration,
          help_heading = "Gate B, paired")]
    pub leg: Duration,
    /// Time of each pair's warm-up, times four; slower solvers are compared on fewer puzzles
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = positive_duration,
          help_heading = "Gate B, paired")]
    pub max_time: Duration,

    /// Budgets: hold the limits against this record of `bench` instead of measuring
    #[arg(long, value_name = "FILE", help_heading = "Budgets")]
    pub record: Option<PathBuf>,

    /// Take this many puzzles of each dataset, chosen by the seed
    #[arg(long, value_name = "N", default_value = "500", value_parser = at_least_one::<NonZeroU64>,
          help_heading = "Puzzles")]
    pub sample: NonZeroU64,
    /// Decides the permutation of the puzzles and the order of blocks
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Puzzles")]
    pub seed: u64,
    /// Give a puzzle up after that many nodes; a baseline that exists keeps its own question
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = at_least_one::<NonZeroU64>,
          help_heading = "Puzzles")]
    pub max_nodes: NonZeroU64,
    /// Stop a puzzle at that many solutions
    #[arg(long, value_name = "N", default_value = "2", value_parser = at_least_one::<NonZeroU64>,
          help_heading = "Puzzles")]
    pub max_solutions: NonZeroU64,

    #[command(flatten)]
    /// Where the verdicts go.
    pub output: GateOutputArgs,
}

const EXAMPLES: &str = "Examples:
  sudobench gate puzzles.txt --simd baseline --baseline baseline.txt --update-baseline
  sudobench gate puzzles.txt --simd baseline --baseline baseline.txt
  sudobench gate puzzles.txt --base ./sudobench-main --limits time=5%
  sudobench gate --record record.json --limits p99=80ms,within:292ms=100%
Exit codes: 0 pass; 3 a limit is exceeded; 4 a program or an answer is wrong; 5 inconclusive, with
--fail-inconclusive. Reports are written before.";

/// Where the verdicts go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct GateOutputArgs {
    /// How standard output is written: `github` prints annotations and appends to the step's summary
    #[arg(long, value_enum, default_value_t = GateFormat::Text)]
    pub format: GateFormat,
    /// Write the verdicts and their figures
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// Write the verdicts as Markdown
    #[arg(long, value_name = "FILE")]
    pub export_markdown: Option<PathBuf>,
    /// Write the verdicts as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub export_junit: Option<PathBuf>,
    /// End with code 5 where something is inconclusive
    #[arg(long)]
    pub fail_inconclusive: bool,
    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// How the gate's standard output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GateFormat {
    /// A table.
    Text,
    /// Annotations of a GitHub workflow, and its step summary.
    Github,
}
