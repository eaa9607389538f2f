//! The command line of `sudobench bench`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use regex_lite::Regex;
use sudobench_rows::Budgets;

use sudobench_harness::bench::{AnswersOf, ProtocolOf};

use sudobench_rows::values::{BUDGETS_HELP, at_least_one, count, duration, positive_duration, threads};

use super::help::{examples, first_example};
use super::values::{ENGINE_ANSWERS_HELP, ENGINE_PROTOCOL_HELP, commit_id};

/// The arguments of `sudobench bench`.
#[derive(Debug, Args)]
#[command(after_help = first_example(EXAMPLES), after_long_help = examples(EXAMPLES))]
pub struct BenchArgs {
    /// Files with puzzles; every solver is measured on each file. `-` reads standard input
    #[arg(value_name = "DATASET", required_unless_present = "commands")]
    pub datasets: Vec<PathBuf>,

    #[command(flatten)]
    /// Programs of any kind, not only Sudoku solvers.
    pub commands: BenchCommandArgs,

    #[command(flatten)]
    /// The solvers and programs to measure.
    pub contestants: ContestantArgs,
    #[command(flatten)]
    /// The options of the measurement.
    pub measuring: MeasuringArgs,
    #[command(flatten)]
    /// The question for each puzzle.
    pub question: QuestionArgs,
    #[command(flatten)]
    /// The outputs.
    pub output: BenchOutputArgs,
    /// Write all wrong answers with their puzzles, one per row; the tables show only the first twenty of each solver on each dataset
    ///
    /// Other commands, such as `solve`, can read this file as a file of puzzles.
    #[arg(long, value_name = "FILE", help_heading = "Output", hide_short_help = true)]
    pub export_wrong: Option<PathBuf>,
    /// Write a CSV row for each puzzle and solver: the puzzle, its line, and time, nodes and guesses if known
    #[arg(long, value_name = "FILE", help_heading = "Output", hide_short_help = true)]
    pub export_puzzles: Option<PathBuf>,
    /// Append one line with the times and counters of this run to this file, for `sudobench history`
    #[arg(long, value_name = "FILE", help_heading = "Output", hide_short_help = true)]
    pub history: Option<PathBuf>,
    /// Commit of this run, for the history [default: GITHUB_SHA, CI_COMMIT_SHA, or the commit of the current folder, from git]
    #[arg(
        long,
        value_name = "ID",
        requires = "history",
        value_parser = commit_id,
        help_heading = "Output",
        hide_short_help = true,
    )]
    pub commit: Option<String>,
}

const EXAMPLES: &[&str] = &[
    "sudobench bench puzzles.txt --solvers mrv,dlx --export-json record.json",
    "sudobench bench hard.txt easy.csv --exclude 'scan|list' --max-time-per-puzzle 1172ms",
    "sudobench bench puzzles.txt --sample 100 --isomorphs 20 --max-nodes 1000000",
    "zcat puzzles.gz | sudobench bench - --solvers mrv,bitboard",
    "sudobench bench puzzles.txt --engine 'tdoku=./solve' --engine 'py=python3 solve.py' --blank .",
    "sudobench bench puzzles.txt --engine 'old=../old/solve' --engine 'new=./solve' --solvers none",
    "sudobench bench puzzles.txt --engine 'schoku=./schoku {input} {output}' --engine-protocol files",
    "sudobench bench puzzles.txt --engine 'mine=python3 2580.py' --engine-protocol boj2580 \\\n    --budgets boj2580",
    "sudobench bench --command 'grep=grep -c x big.txt' --command 'rg=rg -c x big.txt'",
];

/// Programs of any kind, not only Sudoku solvers.
#[derive(Debug, Args)]
#[command(next_help_heading = "Any program")]
pub struct BenchCommandArgs {
    /// Measure any command instead of solvers. Repeatable
    ///
    /// The command gets no input and must exit with code 0. Commands take turns, in a new random order in each round. The file of
    /// --export-json contains the results in the format of hyperfine, as the member `results`.
    #[arg(
        long = "command",
        value_name = "NAME=COMMAND",
        conflicts_with_all = [
            "datasets", "solvers", "include", "exclude", "engines", "blank", "check_time", "threads", "sample", "isomorphs", "same_puzzles",
            "max_solutions", "max_time_per_puzzle", "max_nodes", "budgets", "keep_puzzles", "export_wrong", "export_puzzles", "history", "runs",
        ],
    )]
    pub commands: Vec<String>,
    /// Run a command before each run of a measured command; the time of this preparation is not counted
    #[arg(long, value_name = "COMMAND", requires = "commands", hide_short_help = true)]
    pub prepare: Option<String>,
}

/// The solvers and programs to measure.
#[derive(Debug, Args)]
#[command(next_help_heading = "Solvers")]
pub struct ContestantArgs {
    #[command(flatten)]
    /// The built-in solvers.
    pub selection: SelectionArgs,
    /// Measure an external solver: one puzzle per line in, one solution out. Repeatable
    ///
    /// An output line that reports a solution must contain its 81 digits. --engine-answers sets other kinds of answers, and
    /// --engine-protocol other ways of input and output. Without --solvers, --include and --exclude, one built-in solver is measured too:
    /// `auto`.
    #[arg(long = "engine", value_name = "NAME=COMMAND")]
    pub engines: Vec<String>,
    #[command(flatten)]
    /// The protocols of external solvers.
    pub engine_use: EngineUseArgs,
}

/// The options of engines.
#[derive(Debug, Args)]
pub struct EngineUseArgs {
    /// How engines read puzzles and write answers: lines, files, library, boj2580 or boj2239
    #[arg(
        long = "engine-protocol",
        value_name = "[NAME=]PROTOCOL",
        requires = "engines",
        long_help = ENGINE_PROTOCOL_HELP,
        hide_short_help = true,
    )]
    pub engine_protocols: Vec<ProtocolOf>,
    /// What engines answer: any solution (any), the only solution (unique), or the number of solutions (count)
    #[arg(
        long = "engine-answers",
        value_name = "[NAME=]KIND",
        requires = "engines",
        long_help = ENGINE_ANSWERS_HELP,
        hide_short_help = true,
    )]
    pub engine_answers: Vec<AnswersOf>,
    /// Character for blank cells in the lines that engines read (protocols `lines` and `files`)
    #[arg(long, value_name = "CHAR", default_value_t = '.', hide_short_help = true)]
    pub blank: char,
}

/// The choice of built-in solvers.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Solvers")]
pub struct SelectionArgs {
    /// Built-in solvers to use, separated by commas; or `all` or `none`
    ///
    /// `sudobench solvers` lists their names. The default is `all`, with three exceptions. `bench` leaves out the naive solvers if one of
    /// the first puzzles of a dataset takes them more than a million nodes, unless there is --include, --max-nodes or --max-time-per-puzzle.
    /// With --engine, but without --include and --exclude, the default is `auto` in `bench` and `none` in `gate`. If `gate` compares with a
    /// --baseline, and --engine, --include and --exclude are not used, the default is the solvers of the baseline.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub solvers: Vec<String>,
    /// Use only built-in solvers whose name matches this pattern
    #[arg(long, value_name = "REGEX", value_parser = Regex::new, hide_short_help = true)]
    pub include: Option<Regex>,
    /// Leave out built-in solvers whose name matches this pattern
    #[arg(long, value_name = "REGEX", value_parser = Regex::new, hide_short_help = true)]
    pub exclude: Option<Regex>,
}

impl SelectionArgs {
    /// Returns whether `--solvers` leaves out no solver: it is not given, or it contains `all`.
    pub fn takes_all(&self) -> bool {
        self.solvers.is_empty() || self.solvers.iter().any(|name| name == "all")
    }

    /// Returns whether the name matches the pattern of `--include`, or `--include` is not given.
    pub fn includes(&self, name: &str) -> bool {
        self.include.as_ref().is_none_or(|pattern| pattern.is_match(name))
    }
}

/// The options of the measurement.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub struct MeasuringArgs {
    /// Number of rounds
    ///
    /// Each round measures every pair of solver and dataset, or every --command, in a new random order. A pair or a --command gets fewer
    /// rounds if --max-time-per-pair leaves no time for more. A --command gets more rounds until --min-time is reached.
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_least_one::<NonZeroUsize>)]
    pub rounds: NonZeroUsize,
    /// Repeat the whole measurement this many times, each time in a new process
    ///
    /// `compare` needs records of three runs or more to decide whether a solver is faster or slower. The tables show the median run.
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one::<NonZeroUsize>, hide_short_help = true)]
    pub runs: NonZeroUsize,
    /// Minimum time to measure each built-in solver on each dataset; short passes are repeated within a round
    ///
    /// With --command, this is the minimum time to measure each command: short commands may run more often than --rounds.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration, hide_short_help = true)]
    pub min_time: Duration,
    /// Maximum time to measure each pair of solver and dataset
    ///
    /// Slow solvers get fewer puzzles. The time includes the warm-up and the runs that measure start-up. With --command, this is the
    /// maximum time to measure each command.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = positive_duration)]
    pub max_time_per_pair: Duration,
    /// Extra time to answer more puzzles, for an engine that is too slow for --max-time-per-pair
    ///
    /// The answers are checked, but not timed. The engine gives them before the measurement. 0s turns this off.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration, hide_short_help = true)]
    pub check_time: Duration,
    /// Number of threads of each built-in solver
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads, hide_short_help = true)]
    pub threads: NonZeroUsize,
    /// Use only this many puzzles of each dataset, drawn at random
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub sample: Option<NonZeroU64>,
    /// Measure this many random equivalent forms of each puzzle instead of the puzzle itself
    ///
    /// In a form, the digits are renamed; the rows, columns, bands and stacks are reordered; and the grid may be transposed. With more than
    /// one form, the tables show how much the forms of a puzzle differ in time or, for batch solvers, in nodes.
    #[arg(long, value_name = "K", value_parser = at_least_one::<NonZeroUsize>, hide_short_help = true)]
    pub isomorphs: Option<NonZeroUsize>,
    /// Give engines the same puzzles in each round
    ///
    /// If neither this option nor --isomorphs is given, engines get new equivalent forms of the puzzles in each round, so that cached
    /// answers do not help them.
    #[arg(long, hide_short_help = true)]
    pub same_puzzles: bool,
    /// Seed of the random choices, such as the puzzles of --sample, their forms, and the order in each round
    #[arg(long, value_name = "N", value_parser = count::<u64>, default_value_t = 1, hide_short_help = true)]
    pub seed: u64,
}

/// The question for each puzzle.
#[derive(Debug, Args)]
#[command(next_help_heading = "Solving")]
pub struct QuestionArgs {
    /// Stop at this many solutions of a puzzle: 1 finds one solution, 2 shows whether it is the only one
    /// [default: 2; 1 with --budgets boj2580 or boj2239]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, hide_short_help = true)]
    pub max_solutions: Option<NonZeroU64>,
    /// Give up a puzzle after this time; it then exceeds every budget
    ///
    /// The limit applies to built-in solvers, and to engines with the protocols boj2580 and boj2239.
    #[arg(long, value_name = "TIME", value_parser = positive_duration)]
    pub max_time_per_puzzle: Option<Duration>,
    /// Give up a puzzle after this many search nodes
    ///
    /// Unlike a time limit, this limit gives the same result on every machine with the same --simd level. The limit applies only to
    /// built-in solvers.
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub max_nodes: Option<NonZeroU64>,
    /// Count the puzzles solved within these times, such as 80ms,1s
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true, long_help = BUDGETS_HELP)]
    pub budgets: Budgets,
}

/// The outputs besides the tables on standard output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct BenchOutputArgs {
    /// Write the record as JSON
    ///
    /// `sudobench report` makes reports from it, unless it is a record of `bench --command`.
    ///
    /// In this option and all other --export-* options, `-` means standard output. The command then prints nothing else there.
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// Write a CSV row for each solver or program on each dataset, or for each command of `bench --command`
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub export_csv: Option<PathBuf>,
    /// Write the tables as Markdown
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub export_markdown: Option<PathBuf>,
    /// Write one self-contained HTML page with tables and plots
    #[arg(long, value_name = "FILE")]
    pub export_html: Option<PathBuf>,
    /// Write a JUnit test case for each solver or program on each dataset, or for each command of `bench --command`
    ///
    /// A solver or program that could not be measured or judged, or a command that failed, is an error. A program that `judge` did not
    /// accept is a failure.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub export_junit: Option<PathBuf>,
    /// Replace existing files even if sudobench did not write them
    #[arg(long, hide_short_help = true)]
    pub force: bool,
    /// Keep the status of every puzzle in the record, and its time, nodes and guesses if known
    #[arg(long, hide_short_help = true)]
    pub keep_puzzles: bool,
    /// On standard error, print only errors
    #[arg(short, long)]
    pub quiet: bool,
}
