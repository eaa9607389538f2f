//! What was typed: the command line, one file a command. Nothing here is validated beyond its own form.

mod bench;
mod extras;
mod gate;
mod history;
mod judge;
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
    InstructionsFrom, Missing, PairedArgs, PuzzleArgs,
};
pub use history::HistoryArgs;
pub use judge::{JudgeArgs, JudgeRunningArgs, ProgramArgs};
pub use merge::MergeArgs;
pub use report::{CompareArgs, CompareFailure, ReportArgs};
pub use rows::{ProgressWhen, RowsArgs, RunningArgs, ShardChoice};
pub use verbs::{ComparingArgs, DuplicatesArgs, Extras, RecordArgs, ReportingArgs, VerbArgs};

use clap::{Parser, Subcommand};
use sudobench_sudoku::simd::Level;

/// Solves very large 9x9 Sudoku datasets in parallel, and benchmarks the solvers.
#[derive(Debug, Parser)]
#[command(name = "sudobench", version, about, max_term_width = 100, after_help = EXIT_CODES_AND_COUNTS)]
pub struct Cli {
    /// Vector instructions for bitslice and bitboard: avx512, avx2, baseline, or auto for the widest that this
    /// CPU has; the environment variable SUDOBENCH_SIMD does the same
    #[arg(long, global = true, value_name = "LEVEL", value_parser = Level::from_name, help_heading = "Global")]
    pub simd: Option<Level>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES_AND_COUNTS: &str = "Exit codes: 0 fine; 1 failed (I/O and the like); 2 usage; 3 regression; \
    4 some puzzle or verdict failed; 5 inconclusive, where asked for; 130 interrupted.\n\
    Counts may be written as 20000, 20_000, 20,000, 20k (also M and G) or 2e4.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Do something with rows
    #[command(flatten)]
    Rows(Box<VerbArgs>),
    /// Put the outputs of all shards of a run together: the file, and the record, of the run without shards
    ///
    /// The records that `solve --shard` leaves beside the parts (PART.shard.json) are held against each other first, and everything
    /// that is wrong is named: missing, doubled and foreign shards, changed files. Then the parts are copied in the order of
    /// the input, and what is copied is held against its CRC-32, before the output gets its name: byte for byte it is what the
    /// run writes without shards. The parts stay as they are. An interrupted merge leaves nothing and is started anew.
    Merge(Box<MergeArgs>),
    /// Measure solver variants and external engines against each other
    Bench(Box<BenchArgs>),
    /// Run anybody's program under the judge's rules (BOJ 2580, BOJ 2239): a process for each puzzle, verdicts and times
    Judge(Box<JudgeArgs>),
    /// Compare records of `bench` or of `judge`: speed, counters, verdicts, and which puzzles changed
    Compare(CompareArgs),
    /// Make reports from records of `bench` or `judge`: a page with plots, Markdown, CSV, JUnit, or tables here
    Report(ReportArgs),
    /// Fail where solvers became slower or search more: against a baseline, another binary, or budgets
    Gate(Box<GateArgs>),
    /// Show a history of `gate` and `bench`: which commits changed the counters, where times shifted, the trend of each solver
    History(HistoryArgs),
    /// Measure passes on request, for the `gate` of another binary
    #[command(hide = true)]
    Serve(Box<BenchArgs>),
    /// Measure once as a message on standard input says, for `bench --runs`
    #[command(hide = true)]
    Measure,
    /// Read one puzzle as the judge gives it and print its solution, for `judge --solver`
    #[command(hide = true)]
    Answer(AnswerArgs),
    /// Tell what makes measurements on this machine noisy, and what helps
    Doctor(DoctorArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Print a man page, or write those of all commands
    Man(ManArgs),
    /// List the solver variants
    Solvers,
}
