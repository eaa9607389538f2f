//! `sudobench judge`, as typed.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sudobench_rows::{Budgets, Preset};

use sudobench_rows::values::{at_least_one, positive_duration, threads};

use super::BenchOutputArgs;
use super::values::size;

/// Run programs under the judge's rules: a process for each puzzle, its verdict and its time
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct JudgeArgs {
    /// The problem: 2580 gives digits with a space between and takes any solution, 2239 gives compact lines and demands
    /// the smallest
    #[arg(long, value_enum)]
    pub problem: ProblemChoice,
    /// Files of puzzles, `-` for standard input, in any format that `solve` reads [default: standard input]
    #[arg(value_name = "PUZZLES")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    /// Who is judged.
    pub programs: ProgramArgs,
    #[command(flatten)]
    /// What holds them.
    pub limits: LimitArgs,
    #[command(flatten)]
    /// How they are run.
    pub running: JudgeRunningArgs,
    #[command(flatten)]
    /// Where the outcome goes.
    pub output: JudgeOutputArgs,
    /// Run nothing: hold the second of two names, a file or folder of outputs, against the first, which has the puzzles. A file
    /// has the outputs one behind the other, a folder a file NUMBER.out (NUMBER.txt, NUMBER) for each puzzle; malformed rows do not count. Takes no other option
    #[arg(long, conflicts_with_all = [
        "program", "solver", "command", "language", "env", "time_limit", "wall_limit", "memory_limit", "output_limit",
        "budgets", "jobs", "repeat", "stop_at_first", "sample", "all_puzzles", "seed", "export_json", "export_csv", "export_runs",
        "export_markdown", "export_html", "export_junit", "force", "keep_puzzles", "quiet",
    ])]
    pub check_output: bool,
}

const EXAMPLES: &str = "Examples:
  sudobench judge --problem boj2580 datasets/judge.csv --language cpp -- ./solve
  sudobench judge --problem boj2239 hard.csv --sample 100 -- java -cp classes Main
  sudobench judge --problem boj2580 puzzles.txt --program 'c=./solve' --program 'py=python3 solve.py' \\
    --language c=cpp --solver bool-table --export-html report.html
  sudobench judge --problem boj2580 --check-output puzzles.txt answers.txt

A program is started once for each puzzle, in an empty folder, with few environment variables; words of a command that name \
something here become absolute paths. Verdicts: AC accepted, PE presentation error, WA wrong answer, OLE output limit, MLE memory limit, \
TLE time limit, RTE runtime error, JE judge error. Limits are fairness and hygiene, no sandbox for hostile programs.";

/// A problem of the judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProblemChoice {
    /// 1 s, 256 MB
    #[value(alias = "2580")]
    Boj2580,
    /// 2 s, 256 MB
    #[value(alias = "2239")]
    Boj2239,
}

impl ProblemChoice {
    /// Its reference times.
    pub fn preset(self) -> Preset {
        match self {
            ProblemChoice::Boj2580 => Preset::Boj2580,
            ProblemChoice::Boj2239 => Preset::Boj2239,
        }
    }
}

/// Who is judged.
#[derive(Debug, Args)]
#[command(next_help_heading = "Programs")]
pub struct ProgramArgs {
    /// One program: its command, behind `--`
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
    /// One of several programs, which take turns; the command is split as a shell does it
    #[arg(long, value_name = "NAME=COMMAND")]
    pub program: Vec<String>,
    /// Variants of this program, separated by commas, each in a process of its own for each puzzle
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub solver: Vec<String>,
    /// The language, which brings the judge's extra time and memory and a reference time: cpp, java, pypy, python or none. Of one
    /// program with NAME= before it [default: as the command says, such as python3; else none; cpp for --solver]
    #[arg(long, value_name = "[NAME=]LANGUAGE")]
    pub language: Vec<String>,
    /// Another variable of the programs' environment, which has PATH, HOME, TMPDIR and LANG; a name alone hands ours on
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub env: Vec<String>,
}

/// What holds the programs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Processor time of a run, of the program and all that it starts [default: the problem's, with the language's extra]
    #[arg(long, value_name = "TIME", value_parser = positive_duration)]
    pub time_limit: Option<Duration>,
    /// Wall time of a run, for programs that sleep [default: three times the time limit and 1 s]
    #[arg(long, value_name = "TIME", value_parser = positive_duration)]
    pub wall_limit: Option<Duration>,
    /// Resident memory of a run, of the program and all that it starts [default: the problem's, with the language's extra]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,
    /// What a run may print; an answer has 162 bytes
    #[arg(long, value_name = "SIZE", default_value = "64KB", value_parser = size)]
    pub output_limit: u64,
    /// Hold each puzzle's time against these as well, such as 80ms,1s
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    pub budgets: Budgets,
}

/// How the programs are run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub struct JudgeRunningArgs {
    /// Runs at a time. More than one distort times: what ends near a limit is timed again alone
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = threads)]
    pub jobs: NonZeroUsize,
    /// Runs of each puzzle; the median is its time, the worst its verdict
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one::<NonZeroUsize>)]
    pub repeat: NonZeroUsize,
    /// A program's first failure on a dataset is its last run there
    #[arg(long)]
    pub stop_at_first: bool,
    /// Take this many puzzles of each dataset, chosen by the seed among those that are judged
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub sample: Option<NonZeroU64>,
    /// Judge puzzles too that the problem never gives: the search of BOJ 12095 needs more than 100,000 calls for them
    #[arg(long)]
    pub all_puzzles: bool,
    /// Decides the permutation of the puzzles and the turns of the programs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Where the outcome goes besides the tables on standard output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct JudgeOutputArgs {
    #[command(flatten)]
    /// What `bench` writes as well.
    pub shared: BenchOutputArgs,
    /// Write a row for each program on each puzzle, as CSV
    #[arg(long, value_name = "FILE")]
    pub export_runs: Option<PathBuf>,
}
