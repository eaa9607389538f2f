//! The command line of `sudobench judge`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use sudobench_rows::{Budgets, Preset};

use sudobench_rows::values::{at_least_one, count, positive_duration, threads};

use super::BenchOutputArgs;
use super::help::{examples, first_example};
use super::values::size;

/// The arguments of `sudobench judge`.
#[derive(Debug, Args)]
#[command(after_help = first_example(EXAMPLES), after_long_help = format!("{}\n\n{NOTES}", examples(EXAMPLES)))]
pub struct JudgeArgs {
    /// Problem of the online judge whose rules apply
    #[arg(long, value_enum)]
    pub problem: Preset,
    /// Files with puzzles; `-` or no file reads standard input
    #[arg(value_name = "PUZZLES")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    /// The programs to judge.
    pub programs: ProgramArgs,
    #[command(flatten)]
    /// Limits for each run of a program.
    pub limits: LimitArgs,
    #[command(flatten)]
    /// The options of the runs.
    pub running: JudgeRunningArgs,
    #[command(flatten)]
    /// The outputs.
    pub output: JudgeOutputArgs,
    /// Run nothing; check existing outputs: `--check-output PUZZLES OUTPUTS`
    ///
    /// OUTPUTS is a file with all outputs one after the other, or a folder with a file NUMBER.out (or NUMBER.txt, or NUMBER) for each
    /// puzzle. Puzzles are numbered from 1; malformed rows of PUZZLES get no number. Puzzles without a solution are not checked, and a file
    /// with all outputs must have no output for them.
    #[arg(long, hide_short_help = true, help_heading = None::<&'static str>, conflicts_with_all = [
        "program", "solver", "command", "language", "env", "time_limit", "wall_limit", "memory_limit", "output_limit",
        "budgets", "jobs", "repeat", "stop_at_first", "sample", "all_puzzles", "seed", "export_json", "export_csv", "export_runs",
        "export_markdown", "export_html", "export_junit", "force", "keep_puzzles", "quiet",
    ])]
    pub check_output: bool,
}

const EXAMPLES: &[&str] = &[
    "sudobench judge --problem boj2580 datasets/judge.csv --language cpp -- ./solve",
    "sudobench judge --problem boj2239 hard.csv --sample 100 --language java -- java -cp classes Main",
    "sudobench judge --problem boj2580 easy.txt --program 'c=./solve' --program 'py=python3 solve.py' \\\n    --language py=python --solver \
     bool-table --export-html report.html",
    "sudobench judge --problem boj2580 --check-output puzzles.txt answers.txt",
];

const NOTES: &str = "\
How programs run:
  Each program is started again for each puzzle, in an empty folder, with few environment variables. If a word of the command is the name of \
a file in the current folder, the absolute path of the file replaces the word. The limits make results fair and catch mistakes; they are no sandbox for hostile programs.

Verdicts:
  AC   accepted
  PE   presentation error: right digits in the wrong layout
  WA   wrong answer
  OLE  output limit exceeded
  MLE  memory limit exceeded
  TLE  time limit exceeded
  RTE  runtime error
  JE   judge error: the program could not be judged";

/// The programs to judge.
#[derive(Debug, Args)]
#[command(next_help_heading = "Programs")]
pub struct ProgramArgs {
    /// Command of the program to judge, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
    /// Judge this program. Repeatable; several programs take turns
    #[arg(long, value_name = "NAME=COMMAND")]
    pub program: Vec<String>,
    /// Judge built-in solvers, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub solver: Vec<String>,
    /// Language of the programs: cpp, java, pypy, python or none [default: guessed from the command]
    ///
    /// The language sets the extra time and memory that the judge allows, and the reference time. NAME= before the language sets it for one
    /// program only. The guess is `none` if the command names no language. A solver of --solver has the language cpp unless NAME= sets
    /// another.
    #[arg(long, value_name = "[NAME=]LANGUAGE")]
    pub language: Vec<String>,
    /// Set an environment variable of the programs; without a value, your own value is passed on. Repeatable
    ///
    /// Besides the variables that you set, the programs have only PATH, HOME, TMPDIR, LANG and SUDOBENCH_CHILD, by which sudobench finds
    /// its child processes.
    #[arg(long, value_name = "NAME[=VALUE]", hide_short_help = true)]
    pub env: Vec<String>,
}

/// The limits of the programs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// CPU time limit per run [default: from problem and language]
    ///
    /// The time of all processes that the program starts counts as well.
    #[arg(long, value_name = "TIME", value_parser = positive_duration)]
    pub time_limit: Option<Duration>,
    /// Limit of wall time per run, for programs that sleep [default: three times the CPU time limit, plus 1 s]
    #[arg(long, value_name = "TIME", value_parser = positive_duration, hide_short_help = true)]
    pub wall_limit: Option<Duration>,
    /// Memory limit per run [default: from problem and language]
    ///
    /// The limit applies to the total resident memory of the program and all processes that it starts.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,
    /// Limit of the output per run; an answer needs at most 162 bytes
    #[arg(long, value_name = "SIZE", default_value = "64KB", value_parser = size, hide_short_help = true)]
    pub output_limit: u64,
    /// Also count the puzzles that are solved within these times, such as 80ms,1s
    ///
    /// The puzzles that are solved within the reference times of the problem are always counted.
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true, hide_short_help = true)]
    pub budgets: Budgets,
}

/// The options of the runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub struct JudgeRunningArgs {
    /// Number of runs that take place at the same time
    ///
    /// Such runs distort each other's times. If the time of a run is near a limit or a budget, the run is therefore repeated alone.
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = threads)]
    pub jobs: NonZeroUsize,
    /// Number of runs of each puzzle
    ///
    /// The result of a puzzle is the median time and the worst verdict of its runs, except that TLE counts only if most runs exceeded the
    /// time limit. A puzzle may be run again, up to three times, if its time is near a limit or a budget.
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one::<NonZeroUsize>)]
    pub repeat: NonZeroUsize,
    /// After the first failure of a program on a dataset, skip the rest of this dataset for the program
    #[arg(long, hide_short_help = true)]
    pub stop_at_first: bool,
    /// Use only this many puzzles of each dataset, drawn at random
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub sample: Option<NonZeroU64>,
    /// Also judge puzzles that are harder than the online judge's own test data
    ///
    /// Without this option, --problem boj2580 leaves out the puzzles for which the backtracker of BOJ 12095 needs more than 100,000 calls,
    /// because the online judge has no such puzzles. --problem boj2239 never leaves out a puzzle for this reason.
    #[arg(long, hide_short_help = true)]
    pub all_puzzles: bool,
    /// Seed of the order of puzzles and programs, and of --sample
    #[arg(long, value_name = "N", value_parser = count::<u64>, default_value_t = 1, hide_short_help = true)]
    pub seed: u64,
}

/// The outputs besides the tables on standard output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct JudgeOutputArgs {
    #[command(flatten)]
    /// The outputs that `bench` and `judge` share.
    pub shared: BenchOutputArgs,
    /// Write a CSV row for each program on each puzzle
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub export_runs: Option<PathBuf>,
}
