//! The command line of `sudobench gate`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use sudobench_rows::values::{at_least_one, count, positive_duration};

use super::help::{examples, first_example};
use super::values::commit_id;
use super::{EngineUseArgs, SelectionArgs};
use sudobench_harness::bench::CounterPattern;
use sudobench_harness::gate::{AllowMissing, GateLimits, limits_help};

/// The arguments of `sudobench gate`.
#[derive(Debug, Args)]
#[command(after_help = first_example(EXAMPLES), after_long_help = format!("{}\n\n{EXIT_CODES}", examples(EXAMPLES)))]
pub struct GateArgs {
    /// Files with puzzles; `-` reads standard input
    #[arg(value_name = "DATASET")]
    pub datasets: Vec<PathBuf>,

    #[command(flatten)]
    /// Programs of any kind, not only Sudoku solvers.
    pub commands: GateCommandArgs,

    #[command(flatten)]
    /// The built-in solvers.
    pub selection: SelectionArgs,
    #[command(flatten)]
    /// External solvers.
    pub engines: GateEngineArgs,

    /// The limits.
    #[arg(
        long,
        help = "Largest allowed rises and values, such as time=5%,nodes=0% or p99=80ms",
        long_help = limits_help(),
        value_name = "LIMITS",
        default_value = "",
        hide_default_value = true,
        help_heading = "Limits"
    )]
    pub limits: GateLimits,
    /// Pass with a warning if something could not be compared, instead of failing
    ///
    /// The old build is the program of --base, --base-engine or --base-command. `all` includes pairs and datasets without a baseline, and
    /// limits for which there is no measurement. --allow-missing without a value means `all`. The gate still fails if nothing at all was
    /// checked.
    #[arg(
        long,
        value_name = "WHICH",
        value_parser = which_missing(),
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        help_heading = "Limits",
        hide_short_help = true
    )]
    pub allow_missing: Option<AllowMissing>,

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
    /// The choice of puzzles, and the limits of the search for their solutions.
    pub puzzles: PuzzleArgs,
    #[command(flatten)]
    /// The outputs.
    pub output: GateOutputArgs,
}

const EXAMPLES: &[&str] = &[
    "sudobench gate puzzles.txt --simd baseline --baseline baseline.txt --update-baseline",
    "sudobench gate puzzles.txt --simd baseline --baseline baseline.txt",
    "sudobench gate puzzles.txt --engine 'mine=./solve' --base-engine 'mine=../main/solve'",
    "sudobench gate --record record.json --limits p99=80ms,within:292ms=100%",
    "sudobench gate --command 'parse=./parse big.txt' --base-command 'parse=../main/parse big.txt'",
];

const EXIT_CODES: &str = "\
Exit codes (all reports are written before the program exits):
  0  all checks passed, or are inconclusive
  3  a limit is exceeded
  4  a program failed, an answer is wrong, or something could not be compared
  5  inconclusive; only with --fail-inconclusive";

/// Programs of any kind, not only Sudoku solvers.
#[derive(Debug, Args)]
#[command(next_help_heading = "Any program")]
pub struct GateCommandArgs {
    /// New build of any program, as a command. Repeatable
    ///
    /// The command gets no input and must exit with code 0. Its CPU time is compared with the CPU time of the --base-command of the same
    /// name. --limits wall=P%,memory=P% also compares wall time and peak memory.
    #[arg(
        long = "command",
        value_name = "NAME=COMMAND",
        requires = "base_commands",
        conflicts_with_all = [
            "datasets", "solvers", "include", "exclude", "engines", "baseline", "base", "record", "sample", "max_nodes", "max_solutions",
        ],
    )]
    pub commands: Vec<String>,
    /// Old build of the --command of the same name
    #[arg(long = "base-command", value_name = "NAME=COMMAND", requires = "commands")]
    pub base_commands: Vec<String>,
    /// Compare a number that the commands print; the first group of REGEX captures the number. Repeatable
    ///
    /// REGEX is searched in standard output or, if it does not match there, in standard error. The value from the new build may
    /// exceed the value from the old build by at most P percent. Set P with --limits counter:NAME=P%; without it, P is 0.
    #[arg(long = "counter", value_name = "NAME=REGEX", requires = "commands", hide_short_help = true)]
    pub counters: Vec<CounterPattern>,
    /// Require that both builds of a command print the same text on standard output
    #[arg(long, requires = "commands", hide_short_help = true)]
    pub same_output: bool,
    /// Run a command before each run of a compared command; the time of this preparation is not counted
    #[arg(long, value_name = "COMMAND", requires = "commands", hide_short_help = true)]
    pub prepare: Option<String>,
}

/// External solvers.
#[derive(Debug, Args)]
#[command(next_help_heading = "Solvers")]
pub struct GateEngineArgs {
    /// External solver to check: one puzzle per line in, one solution out. Repeatable
    ///
    /// An output line that reports a solution has to contain its 81 digits; --engine-answers sets other kinds of answers.
    /// nodes=N and guesses=N after the answer are optional; if the engine prints these counts, they are compared, too.
    /// Without --solvers, --include and --exclude, no built-in solver is checked.
    #[arg(long = "engine", value_name = "NAME=COMMAND")]
    pub engines: Vec<String>,
    /// Old build of the --engine of the same name, to compare with
    #[arg(long = "base-engine", value_name = "NAME=COMMAND", requires = "engines")]
    pub base_engines: Vec<String>,
    #[command(flatten)]
    /// How the engines are used.
    pub engine_use: EngineUseArgs,
}

/// Exact checks: answers and counts are compared with a file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Exact checks (counts)")]
pub struct ExactArgs {
    /// Compare the answer and the counters of each puzzle with this file
    ///
    /// The comparison covers the status, the number of solutions, the solution, nodes and guesses. The solution is not compared if any
    /// solution is accepted, as with --max-solutions 1. The counts of the solvers bitslice and auto depend on the SIMD level. Add --simd
    /// baseline to get the same counts on every machine.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the current counts into the baseline instead of comparing
    ///
    /// Pairs of solver and dataset in the file that are not part of this run are kept, unless --prune is given.
    #[arg(
        long,
        requires = "baseline",
        conflicts_with_all = ["base", "base_engines", "record", "export_json", "export_markdown", "export_junit", "fail_inconclusive"],
    )]
    pub update_baseline: bool,
    /// Remove from the baseline the pairs for which this run has no counts
    #[arg(long, requires = "update_baseline", hide_short_help = true)]
    pub prune: bool,
}

/// Paired checks: two builds run in turn.
#[derive(Debug, Args)]
#[command(next_help_heading = "Paired checks (times of two builds)")]
pub struct PairedArgs {
    /// Run this old build of sudobench and the new build in turn, and compare their times
    #[arg(long, value_name = "BINARY", hide_short_help = true)]
    pub base: Option<PathBuf>,
    /// New build of sudobench [default: this program]
    #[arg(long, value_name = "BINARY", requires = "base", hide_short_help = true)]
    pub head: Option<PathBuf>,
    /// Number of trials before the first verdict; a number below 6 counts as 6
    #[arg(
        long,
        value_name = "N",
        default_value = "10",
        value_parser = at_least_one::<NonZeroUsize>,
        hide_short_help = true,
    )]
    pub min_trials: NonZeroUsize,
    /// Maximum number of trials of a pair; still undecided pairs are `inconclusive`
    ///
    /// A pair fails only if a second series of at most N trials confirms the failure. If N is less than 6, all pairs are inconclusive.
    #[arg(long, value_name = "N", default_value = "40", value_parser = at_least_one::<NonZeroUsize>, hide_short_help = true)]
    pub max_trials: NonZeroUsize,
    /// Also compare the number of CPU instructions of both builds, counted by valgrind
    ///
    /// `valgrind` must be installed. The additional runs of both builds are about fifty times slower. With --base, the solvers of both
    /// builds use the SIMD level avx2 at most in these runs, because valgrind does not support AVX-512. The limit is --limits
    /// instructions=P% [default: 1%].
    #[arg(long, value_name = "HOW", value_enum, hide_short_help = true)]
    pub instructions: Option<InstructionsFrom>,
    /// Duration of each measurement in a trial
    ///
    /// A trial has four measurements. If the first verdict (see --min-trials) is undecided, each later trial has twelve.
    #[arg(long, value_name = "TIME", default_value = "30ms", value_parser = positive_duration, hide_short_help = true)]
    pub leg: Duration,
    /// With --base, maximum time to warm up each pair of solver and dataset, per binary and trial
    ///
    /// A pair that exists in both binaries passes only if each binary answers the whole sample within this time.
    #[arg(
        long,
        value_name = "TIME",
        default_value = "2s",
        value_parser = positive_duration,
        requires = "base",
        hide_short_help = true
    )]
    pub warm_up_time: Duration,
    /// Give up a program that takes longer than this
    ///
    /// An engine must answer all puzzles of the sample once within this time. Each run of a command must end within this time. With --base,
    /// this time is added to two limits of each sudobench binary: to the limit of its warm-up, and to 20 times the expected duration of its
    /// passes.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = positive_duration, hide_short_help = true)]
    pub max_silence: Duration,
}

/// Budget checks: the values of one measurement are compared with fixed limits.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct BudgetArgs {
    /// Check this record of `bench` or `judge` against limits such as p99=80ms
    ///
    /// Without this option, `gate` measures the values for these limits.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Maximum time to measure each pair of solver and dataset for limits such as p99=80ms, including the warm-up
    #[arg(long, value_name = "TIME", default_value = "4s", value_parser = positive_duration, hide_short_help = true)]
    pub max_time_per_pair: Duration,
}

/// The choice of puzzles, and the limits of the search for the solutions of each puzzle.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles")]
pub struct PuzzleArgs {
    /// Use this many puzzles of each dataset, drawn at random [default: the number in the baseline, otherwise 500]
    ///
    /// Without this option, paired checks of a batch solver use a sample of at least four full batches.
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, hide_short_help = true)]
    pub sample: Option<NonZeroU64>,
    /// Seed of the sample, and of the order of puzzles and trials [default: from the baseline, otherwise 1]
    #[arg(long, value_name = "N", value_parser = count::<u64>, hide_short_help = true)]
    pub seed: Option<u64>,
    /// Give up a puzzle after this many search nodes [default: from the baseline, otherwise 1000000]
    ///
    /// This option applies only to built-in solvers. It does not apply when `gate` measures values for limits such as p99=80ms.
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, hide_short_help = true)]
    pub max_nodes: Option<NonZeroU64>,
    /// Stop at this many solutions of a puzzle [default: from the baseline, otherwise 2]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, hide_short_help = true)]
    pub max_solutions: Option<NonZeroU64>,
}

/// The outputs of the verdicts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct GateOutputArgs {
    /// Format of standard output
    #[arg(long, value_enum, default_value_t = GateFormat::Text, hide_short_help = true)]
    pub format: GateFormat,
    /// Write the verdicts and their measurements as JSON
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// Write the verdicts as Markdown
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub export_markdown: Option<PathBuf>,
    /// Write the verdicts as JUnit XML
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub export_junit: Option<PathBuf>,
    /// Append one line with the counters and ratios of this run to this file, for `sudobench history`
    #[arg(long, value_name = "FILE", conflicts_with = "update_baseline", hide_short_help = true)]
    pub history: Option<PathBuf>,
    /// Commit of this run, for the history [default: GITHUB_SHA, CI_COMMIT_SHA, or the commit of the current folder, from git]
    #[arg(long, value_name = "ID", requires = "history", value_parser = commit_id, hide_short_help = true)]
    pub commit: Option<String>,
    /// Replace existing files even if sudobench did not write them
    #[arg(long, hide_short_help = true)]
    pub force: bool,
    /// Exit with code 5 if a check is inconclusive and no check fails
    #[arg(long, hide_short_help = true)]
    pub fail_inconclusive: bool,
    /// On standard error, print only errors
    #[arg(short, long, hide_short_help = true)]
    pub quiet: bool,
}

fn which_missing() -> impl TypedValueParser<Value = AllowMissing> {
    let value = |name, help| PossibleValue::new(name).help(help);
    let base = value("base", "Pass only if the cause is an old build that does not start or is broken");
    PossibleValuesParser::new([base, value("all", "Pass whatever could not be compared")])
        .map(|name| if name == "base" { AllowMissing::Base } else { AllowMissing::All })
}

/// A program that counts instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InstructionsFrom {
    /// `valgrind --tool=callgrind`
    Callgrind,
}

/// The format of the gate's standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GateFormat {
    /// A table
    Text,
    /// Annotations of a GitHub workflow; the verdicts are also appended to the step summary
    Github,
}
