//! What was typed: the command line, one file a command. Nothing here is validated beyond its own form.

mod bench;
mod bisect;
mod canonical;
mod check;
mod dedupe;
mod extras;
mod gate;
mod generate;
mod history;
mod judge;
mod merge;
mod minimals;
mod overlap;
mod rate;
mod report;
mod rows;
mod solve;
mod transform;
mod values;
mod vicinity;

pub use bench::{BenchArgs, BenchOutputArgs, ContestantArgs, MeasuringArgs, QuestionArgs, SelectionArgs};
pub use bisect::BisectArgs;
pub use canonical::CanonicalArgs;
pub use check::{CheckArgs, CheckingArgs, FailOn};
pub use dedupe::{DedupeArgs, DuplicatesArgs};
pub use extras::{AnswerArgs, CompletionsArgs, DoctorArgs, ManArgs, WatchdogArgs};
pub use gate::{
    BudgetArgs, ExactArgs, GateArgs, GateEngineArgs, GateFormat, GateOutputArgs, PairedArgs, PuzzleArgs,
};
pub use generate::{ClimbingArgs, GenerateArgs, MadeBoard, NumbersArgs, PuzzlesArgs};
pub use history::HistoryArgs;
pub use judge::{JudgeArgs, ProgramArgs};
pub use merge::MergeArgs;
pub use minimals::{MinimalsArgs, MinimalsFindingArgs};
pub use overlap::{ComparingArgs, OverlapArgs};
pub use rate::{RateArgs, RatingArgs};
pub use report::{CompareArgs, ReportArgs};
pub use rows::{InputArgs, OutputArgs, ProgressWhen, RowsArgs, RunningArgs, ShardChoice};
pub use solve::{ReportingArgs, SolveArgs, SolvingArgs};
pub use transform::{BoardChoice, FormChoice, FormsArgs, TransformArgs};
pub use vicinity::{VicinityArgs, VicinityFindingArgs};

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
    /// Solve puzzles from files or standard input: a row out for every row in, and a report of the times
    Solve(Box<SolveArgs>),
    /// Check puzzles: whether each has exactly one solution and is minimal, which clues are redundant, what a backtracker takes
    Check(Box<CheckArgs>),
    /// Find the minimal puzzles inside each puzzle: a row for each of them
    Minimals(Box<MinimalsArgs>),
    /// Find the puzzles with one solution around each puzzle: so many clues fewer, so many others instead
    Vicinity(Box<VicinityArgs>),
    /// Add the canonical form of each puzzle: equal for puzzles that are equivalent, and for those alone
    Canonical(Box<CanonicalArgs>),
    /// Take puzzles, and all other boards of their rows, to equivalent forms: random ones, a given one, or the canonical one
    Transform(Box<TransformArgs>),
    /// Keep the first of all equal puzzles, or with --isomorph of all isomorphic ones, and count how often each stands there
    Dedupe(Box<DedupeArgs>),
    /// Tell how hard each puzzle is: what solves it, the depth of trial and error, backdoors, guesses; or draw rows of each difficulty
    Rate(Box<RateArgs>),
    /// Make puzzles: with so many clues, minimal, symmetric, so difficult, with several solutions or none, hard for a solver
    Generate(Box<GenerateArgs>),
    /// Put the outputs of all shards of a run together: the file, and the record, of the run without shards
    ///
    /// The records that `solve --shard` leaves beside the parts (PART.shard.json) are held against each other first, and everything
    /// that is wrong is named: missing, doubled and foreign shards, changed files. Then the parts are copied in the order of
    /// the input, and what is copied is held against its CRC-32, before the output gets its name: byte for byte it is what the
    /// run writes without shards. The parts stay as they are. An interrupted merge leaves nothing and is started anew.
    Merge(Box<MergeArgs>),
    /// Tell which rows of a test set a training set has: the same puzzles, forms of them, the same solution grids
    Overlap(Box<OverlapArgs>),
    /// Measure solver variants and external engines against each other
    Bench(Box<BenchArgs>),
    /// Run anybody's program under the judge's rules (BOJ 2580, BOJ 2239): a process for each puzzle, verdicts and times
    Judge(Box<JudgeArgs>),
    /// Hold records of `bench` or of `judge` against each other: speed, counters, verdicts, and which puzzles changed
    Compare(CompareArgs),
    /// Make reports from records of `bench` or `judge`: a page with plots, Markdown, CSV, JUnit, or tables here
    Report(ReportArgs),
    /// Fail where solvers became slower or search more: against a baseline, another binary, or budgets
    Gate(Box<GateArgs>),
    /// Show a history of `gate` and `bench`: which commits changed the counters, where times shifted, the trend of each solver
    History(HistoryArgs),
    /// Find the commit that made a search larger or slower: by exact counters, else by paired trials, over `git bisect`
    Bisect(Box<BisectArgs>),
    /// Measure passes on request, for the `gate` of another binary
    #[command(hide = true)]
    Serve(Box<BenchArgs>),
    /// End what engines leave behind where the program that started them is killed
    #[command(hide = true)]
    Watchdog(WatchdogArgs),
    /// Run a program under limits, once for each line of input, for `judge` and `bench`
    #[command(hide = true)]
    Runner,
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
