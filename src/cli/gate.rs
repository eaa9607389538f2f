//! `sudobench gate`, as typed.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use sudobench_rows::values::{at_least_one, positive_duration};

use super::values::commit_id;
use super::{EngineUseArgs, SelectionArgs};
use sudobench_harness::bench::CounterPattern;
use sudobench_harness::gate::{GateLimits, limits_help};

/// Fail where solvers became slower or search more: against a baseline, another binary, or budgets
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GateArgs {
    /// Files of puzzles; `-` for standard input
    #[arg(value_name = "DATASET")]
    pub datasets: Vec<PathBuf>,

    #[command(flatten)]
    /// Any programs.
    pub commands: GateCommandArgs,

    #[command(flatten)]
    /// Which variants.
    pub selection: SelectionArgs,
    #[command(flatten)]
    /// Which other programs.
    pub engines: GateEngineArgs,

    /// The limits.
    #[arg(
        long,
        help = limits_help(),
        value_name = "LIMITS",
        default_value = "",
        hide_default_value = true,
        help_heading = "Limits"
    )]
    pub limits: GateLimits,
    /// Let missing comparisons through with a warning: `base` those whose base does not start or is broken, `all` also pairs and datasets
    /// without a baseline and limits that no figure answers. Fails nevertheless if no check was made at all
    #[arg(
        long,
        value_name = "WHICH",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        help_heading = "Limits"
    )]
    pub allow_missing: Option<Missing>,

    #[command(flatten)]
    /// Exact checks.
    pub exact: ExactArgs,
    #[command(flatten)]
    /// Paired checks.
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
  sudobench gate puzzles.txt --engine 'mine=./solve' --base-engine 'mine=../main/solve'
  sudobench gate --record record.json --limits p99=80ms,within:292ms=100%
  sudobench gate --command 'parse=./parse big.txt' --base-command 'parse=../main/parse big.txt'
Exit codes: 0 pass; 3 a limit is exceeded; 4 a program or an answer is wrong, or what was to be
compared is missing; 5 inconclusive, with --fail-inconclusive. Reports are written before.";

/// Any programs that are gated: they need not solve Sudoku.
#[derive(Debug, Args)]
#[command(next_help_heading = "Any program")]
pub struct GateCommandArgs {
    /// The new build of any program, as a command that ends with exit code 0. It gets no puzzles and no input. Its processor time is compared
    /// with that of its --base-command; --limits wall=P%,memory=P% compare more
    #[arg(
        long = "command",
        value_name = "NAME=COMMAND",
        requires = "base_commands",
        conflicts_with_all = [
            "datasets", "solvers", "include", "exclude", "engines", "baseline", "base", "record", "sample", "max_nodes", "max_solutions",
        ],
    )]
    pub commands: Vec<String>,
    /// The old build of the command of that name
    #[arg(long = "base-command", value_name = "NAME=COMMAND", requires = "commands")]
    pub base_commands: Vec<String>,
    /// A number that commands print on standard output or standard error: the first group of the pattern. It is compared exactly, and may not
    /// rise by more than --limits counter:NAME=P% [default: 0%]
    #[arg(long = "counter", value_name = "NAME=REGEX", requires = "commands")]
    pub counters: Vec<CounterPattern>,
    /// Require that both builds of a command print the same on standard output
    #[arg(long, requires = "commands")]
    pub same_output: bool,
    /// Run this command before each run of a command, outside of the clock
    #[arg(long, value_name = "COMMAND", requires = "commands", hide_short_help = true)]
    pub prepare: Option<String>,
}

/// Other programs that are gated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engines")]
pub struct GateEngineArgs {
    /// A program that reads a puzzle a line and prints a line for each that holds the 81-digit solution, and if it likes nodes=N and
    /// guesses=N behind it, which are then guarded exactly. Without --solvers, engines alone are gated
    #[arg(long = "engine", value_name = "NAME=COMMAND")]
    pub engines: Vec<String>,
    /// The old build of the engine of that name: its answers and counts are held against the new ones, and both run in turn
    #[arg(long = "base-engine", value_name = "NAME=COMMAND", requires = "engines")]
    pub base_engines: Vec<String>,
    #[command(flatten)]
    /// How they are used.
    pub engine_use: EngineUseArgs,
}

/// Exact: counts against a file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Exact")]
pub struct ExactArgs {
    /// Hold statuses, counts, solutions, nodes and guesses of every puzzle against this file; those of bitslice
    /// and auto are the same on every machine with --simd baseline
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write what is counted now into the baseline, instead of holding anything against it: pairs are added and changed, others kept
    #[arg(long, requires = "baseline", conflicts_with_all = ["base", "base_engines", "record"])]
    pub update_baseline: bool,
    /// Drop the pairs that are not counted now
    #[arg(long, requires = "update_baseline")]
    pub prune: bool,
}

/// Paired: two builds in turn.
#[derive(Debug, Args)]
#[command(next_help_heading = "Paired")]
pub struct PairedArgs {
    /// Run this old build of sudobench and the head in turn and compare their times
    #[arg(long, value_name = "BINARY", hide_short_help = true)]
    pub base: Option<PathBuf>,
    /// The new build of sudobench [default: this one]
    #[arg(long, value_name = "BINARY", requires = "base", hide_short_help = true)]
    pub head: Option<PathBuf>,
    /// Trials before the first verdict; at least 6, because fewer give none
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_least_one::<NonZeroUsize>)]
    pub min_trials: NonZeroUsize,
    /// Trials of a series after which an undecided pair is inconclusive; a second series, which confirms a failure, may take as many
    /// again. Below 6, all pairs are inconclusive
    #[arg(long, value_name = "N", default_value = "40", value_parser = at_least_one::<NonZeroUsize>)]
    pub max_trials: NonZeroUsize,
    /// Count the instructions of both sides with `valgrind --tool=callgrind`, which has to be installed: each side runs once more, some
    /// fifty times slower. Solvers of --base are counted at avx2 at most, because valgrind lacks AVX-512. The limit is --limits instructions=P%
    /// [default: 1%]
    #[arg(long, value_name = "HOW", value_enum, hide_short_help = true)]
    pub instructions: Option<InstructionsFrom>,
    /// Time of each of the four legs of a trial
    #[arg(long, value_name = "TIME", default_value = "30ms", value_parser = positive_duration, hide_short_help = true)]
    pub leg: Duration,
    /// Let each pair of solver and dataset of --base warm up at most this long, in each binary and anew in every trial. A pair that does
    /// not reach the whole sample in that time does not pass
    #[arg(
        long,
        value_name = "TIME",
        default_value = "2s",
        value_parser = positive_duration,
        requires = "base",
        hide_short_help = true
    )]
    pub warm_up_time: Duration,
    /// Give up an engine that takes this long for the whole sample, a command that takes this long, and a binary of --base that is silent
    /// for this long beyond the time that its work takes
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
    /// Take this many puzzles of each dataset, chosen by the seed [default: the baseline's, else 500; paired checks
    /// of a batch solver take at least four full batches]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub sample: Option<NonZeroU64>,
    /// Decides the permutation of the puzzles and the order of trials [default: the baseline's, else 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Give a puzzle up after that many nodes [default: the baseline's, else 1000000]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub max_nodes: Option<NonZeroU64>,
    /// Stop a puzzle at that many solutions [default: the baseline's, else 2]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub max_solutions: Option<NonZeroU64>,
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
    /// The commit that this run belongs to, for the history [default: what git says of the current folder]
    #[arg(long, value_name = "ID", requires = "history", value_parser = commit_id)]
    pub commit: Option<String>,
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

/// The missing comparisons that are let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Missing {
    /// Those whose base does not start or is broken
    Base,
    /// All
    All,
}

/// What counts instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InstructionsFrom {
    /// `valgrind --tool=callgrind`.
    Callgrind,
}

/// How the gate's standard output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GateFormat {
    /// A table.
    Text,
    /// Annotations of a GitHub workflow, and its step summary.
    Github,
}
