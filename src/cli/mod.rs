//! The command line as typed, one file for each command or group of commands. Each value is parsed here, and most pairs of options that
//! exclude each other are refused here; other modules check that the values fit together.

mod bench;
mod extras;
mod gate;
mod help;
mod history;
mod judge;
mod leaderboard;
mod merge;
mod report;
mod rows;
mod values;
mod verbs;

pub use bench::{
    BenchArgs, BenchCommandArgs, BenchOutputArgs, ContestantArgs, EngineUseArgs, MeasuringArgs, QuestionArgs,
    SelectionArgs,
};
pub use extras::{AnswerArgs, CompletionsArgs, DoctorArgs, ManArgs};
pub use gate::{
    BudgetArgs, ExactArgs, GateArgs, GateCommandArgs, GateEngineArgs, GateFormat, GateOutputArgs,
    InstructionsFrom, PairedArgs, PuzzleArgs,
};
pub use history::HistoryArgs;
pub use judge::{JudgeArgs, JudgeRunningArgs, ProgramArgs};
pub use leaderboard::LeaderboardArgs;
pub use merge::MergeArgs;
pub use report::{CompareArgs, CompareFailure, ReportArgs};
pub use rows::{ProgressWhen, RowsArgs, RunningArgs, ShardChoice};
pub use verbs::{
    ComparingArgs, DuplicatesArgs, Extras, HardestEngineArgs, PageArgs, RecordArgs, ReportingArgs,
    ScoreReportArgs, SplittingArgs, VerbArgs,
};

use clap::{Args, CommandFactory, Parser, Subcommand};
use sudobench_sudoku::simd::Level;

/// The command line.
#[derive(Debug, Args)]
pub struct Cli {
    /// SIMD instructions for the solvers `bitslice` and `bitboard`, and so for the default solver: avx512, avx2, baseline or auto
    ///
    /// `auto`, the default, uses the widest instructions of this CPU. The environment variable SUDOBENCH_SIMD has the same effect.
    /// If both are set, --simd is used.
    #[arg(
        long,
        global = true,
        value_name = "LEVEL",
        value_parser = Level::from_name,
        help_heading = "Global",
        hide_short_help = true,
    )]
    pub simd: Option<Level>,
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

impl CommandFactory for Cli {
    fn command() -> clap::Command {
        let program = clap::Command::new("sudobench")
            .version(env!("CARGO_PKG_VERSION"))
            .max_term_width(help::MOST_WIDTH)
            .after_help(NOTES);
        help::lay_out(Cli::augment_args(program).about(env!("CARGO_PKG_DESCRIPTION")))
    }

    fn command_for_update() -> clap::Command {
        Cli::command()
    }
}

impl Parser for Cli {}

const NOTES: &str = "\
`sudobench COMMAND -h` shows the most used options of a command, and --help all of them.

Exit codes:
  0    success
  1    failure, such as a file that cannot be read
  2    wrong usage
  3    performance regression
  4    a puzzle failed, a verdict is bad, or a comparison is missing
  5    inconclusive; only with --fail-inconclusive or --fail-on worse
  130  interrupted

Counts (such as --limit N) can be written as 20000, 20_000, 20,000, 20k (also M and G) or 2e4.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// A verb: a command that processes rows of puzzles.
    #[command(flatten)]
    Rows(Box<VerbArgs>),
    /// Join the outputs of all shards of a run into one file
    ///
    /// First, merge compares the records that --shard wrote beside the parts (PART.shard.json). It reports every problem: missing or
    /// repeated shards, shards of other runs or of changed inputs, and parts whose size has changed. If there is no problem, merge copies
    /// the parts in the order of the input and checks their CRC-32. The result has the same bytes as the output of a run without shards,
    /// except in Parquet and Arrow files: there, the rows are the same, but their grouping can differ. The parts are not changed. An
    /// interrupted merge leaves no output file: start it again.
    Merge(Box<MergeArgs>),
    /// Measure and compare the speed of solvers and of external programs
    Bench(Box<BenchArgs>),
    /// Run any program under the rules of an online judge (BOJ 2580, 2239)
    Judge(Box<JudgeArgs>),
    /// Measure the solvers of a contest and rank them on a page
    ///
    /// Every answer is checked. The contestants solve equivalent forms of the puzzles, drawn by a seed. In each round, external programs
    /// get new forms, the same for all of them. Built-in solvers get the same forms in all rounds. There is a separate ranking for each
    /// kind of answer: any solution, proof that the solution is the only one, and number of solutions.
    Leaderboard(LeaderboardArgs),
    /// Compare records of `bench` or `judge`: speed, counters, verdicts
    Compare(CompareArgs),
    /// Turn `bench` or `judge` records into HTML, SVG, Markdown, CSV or JUnit
    Report(ReportArgs),
    /// Fail if a solver became slower or searches more than before
    Gate(Box<GateArgs>),
    /// Show how speed and counters changed over many runs and commits
    History(HistoryArgs),
    /// Run and time passes over the puzzles, as another process requests; `gate --base` starts both builds with this command
    #[command(hide = true)]
    Serve(Box<BenchArgs>),
    /// Make one measurement that standard input describes, for `bench --runs`
    #[command(hide = true)]
    Measure,
    /// Read one puzzle in the judge's format and print its solution, for `judge --solver`
    #[command(hide = true)]
    Answer(AnswerArgs),
    /// Find what makes measurements on this machine noisy, and how to fix it
    Doctor(DoctorArgs),
    /// Print a completion script for your shell
    Completions(CompletionsArgs),
    /// Print a man page, or write the man pages of all commands
    Man(ManArgs),
    /// List the built-in solvers
    Solvers,
}
