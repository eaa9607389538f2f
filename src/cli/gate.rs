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
    /// Files of puzzles; `-` for standard input
    #[arg(value_name = "DATASET")]
    pub datasets: Vec<PathBuf>,

    #[command(flatten)]
    /// Which variants.
    pub selection: SelectionArgs,

    /// What is let through: nodes=P%, guesses=P%, time=P%, mean|p50|p90|p99|p99.9|max=TIME, within:TIME=P%
    #[arg(
        long,
        value_name = "LIMITS",
        default_value = "nodes=0%,guesses=0%,time=5%",
        help_heading = "Limits"
    )]
    pub limits: GateLimits,

    #[command(flatten)]
    /// Gate A.
    pub exact: ExactArgs,
    #[command(flatten)]
    /// Gate B.
    pub paired: PairedArgs,
    #[command(flatten)]
    /// Budgets.
    pub budgets: BudgetArgs,
    #[command(flatten)]
    /// Which puzzles, and what is asked of them.
    pub puzzles: PuzzleArgs,
    #[command(flatten)]
    /// Where the verdicts go.
    pub output: GateOutputArgs,
}

const EXAMPLES: &str = "Examples:
  sudobench gate puzzles.txt --simd baseline --baseline baseline.txt --update-baseline
  sudobench gate puzzles.txt --simd baseline --baseline baseline.txt
  sudobench gate puzzles.txt --base ./sudobench-main --limits time=5%
  sudobench gate --record record.json --limits p99=80ms,within:292ms=100%
Exit codes: 0 pass; 3 a limit is exceeded; 4 a program or an answer is wrong, or nothing was
compared; 5 inconclusive, with --fail-inconclusive. Reports are written before.";

/// Gate A: counts against a file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Gate A, exact")]
pub struct ExactArgs {
    /// Hold statuses, counts, solutions, nodes and guesses of every puzzle against this file; those of bitslice
    /// and auto are the same on every machine with --simd baseline
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the baseline instead of holding anything against it
    #[arg(long, requires = "baseline")]
    pub update_baseline: bool,
}

/// Gate B: two binaries.
#[derive(Debug, Args)]
#[command(next_help_heading = "Gate B, paired")]
pub struct PairedArgs {
    /// Run this binary and the head in turn and compare their times
    #[arg(long, value_name = "BINARY")]
    pub base: Option<PathBuf>,
    /// The binary that is judged [default: this one]
    #[arg(long, value_name = "BINARY", requires = "base")]
    pub head: Option<PathBuf>,
    /// Trials before the first verdict
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_least_one::<NonZeroUsize>)]
    pub min_trials: NonZeroUsize,
    /// Trials after which an undecided pair is inconclusive
    #[arg(long, value_name = "N", default_value = "40", value_parser = at_least_one::<NonZeroUsize>)]
    pub max_trials: NonZeroUsize,
    /// Time of each of the four legs of a trial
    #[arg(long, value_name = "TIME", default_value = "30ms", value_parser = positive_duration)]
    pub leg: Duration,
    /// Let each pair of solver and dataset warm up at most this long, in each binary and anew in every trial; it is
    /// compared on what it reaches of the sample in that time
    #[arg(long, value_name = "TIME", default_value = "250ms", value_parser = positive_duration)]
    pub warm_up_time: Duration,
    /// Give a binary up that is silent for this long beyond the time that its work takes
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = positive_duration)]
    pub max_silence: Duration,
}

/// Budgets: limits that a measurement keeps by itself.
#[derive(Debug, Args)]
#[command(next_help_heading = "Budgets")]
pub struct BudgetArgs {
    /// Hold the limits against this record of `bench` or `judge` instead of measuring
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Measure each pair of solver and dataset at most this long, warm-up included
    #[arg(long, value_name = "TIME", default_value = "4s", value_parser = positive_duration)]
    pub max_time_per_pair: Duration,
}

/// Which puzzles, and what is asked of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles")]
pub struct PuzzleArgs {
    /// Take this many puzzles of each dataset, chosen by the seed
    #[arg(long, value_name = "N", default_value = "500", value_parser = at_least_one::<NonZeroU64>)]
    pub sample: NonZeroU64,
    /// Decides the permutation of the puzzles and the order of trials
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Give a puzzle up after that many nodes; a baseline that exists keeps its own question
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = at_least_one::<NonZeroU64>)]
    pub max_nodes: NonZeroU64,
    /// Stop a puzzle at that many solutions
    #[arg(long, value_name = "N", default_value = "2", value_parser = at_least_one::<NonZeroU64>)]
    pub max_solutions: NonZeroU64,
}

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
    /// Append this run's counters and ratios to this file, a line for each run; `sudobench history FILE` shows them
    #[arg(long, value_name = "FILE", conflicts_with = "update_baseline")]
    pub history: Option<PathBuf>,
    /// Replace files of these names whatever they are, not only earlier exports and baselines
    #[arg(long)]
    pub force: bool,
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
