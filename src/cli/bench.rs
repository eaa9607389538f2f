//! `sudobench bench`, as typed.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use regex_lite::Regex;
use sudobench_rows::Budgets;

use sudobench_harness::bench::{AnswersOf, ProtocolOf};

use sudobench_rows::values::{BUDGETS_HELP, at_least_one, duration, positive_duration, threads};

use super::values::{ENGINE_ANSWERS_HELP, ENGINE_PROTOCOL_HELP, commit_id};

/// Measure solver variants and external engines against each other
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// Files of puzzles, `-` for standard input; every solver is measured on each
    #[arg(value_name = "DATASET", required_unless_present = "commands")]
    pub datasets: Vec<PathBuf>,

    #[command(flatten)]
    /// Any programs.
    pub commands: BenchCommandArgs,

    #[command(flatten)]
    /// Who is measured.
    pub contestants: ContestantArgs,
    #[command(flatten)]
    /// How it is measured.
    pub measuring: MeasuringArgs,
    #[command(flatten)]
    /// What is asked.
    pub question: QuestionArgs,
    #[command(flatten)]
    /// Where the outcome goes.
    pub output: BenchOutputArgs,
    /// Write all wrong answers, a row for each with the puzzle, so that commands which read puzzles take the file; tables show the
    /// first twenty
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub export_wrong: Option<PathBuf>,
    /// Write what each puzzle took, a row for each puzzle and contestant: line, puzzle, time, nodes and guesses as far as they are known
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub export_puzzles: Option<PathBuf>,
    /// Append this run's times and counters to this file, a line for each run; `sudobench history FILE` shows them
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub history: Option<PathBuf>,
    /// The commit that this run belongs to, for the history [default: what git says of the current folder]
    #[arg(long, value_name = "ID", requires = "history", value_parser = commit_id, help_heading = "Output")]
    pub commit: Option<String>,
}

const EXAMPLES: &str = "Examples:
  sudobench bench puzzles.txt --solvers mrv,dlx --export-json record.json
  sudobench bench hard.txt easy.csv --exclude 'scan|list' --max-time-per-puzzle 1172ms
  sudobench bench puzzles.txt --sample 100 --isomorphs 20 --max-nodes 1000000
  zcat puzzles.gz | sudobench bench - --solvers mrv,bitboard
  sudobench bench puzzles.txt --engine 'tdoku=./solve' --engine 'py=python3 solve.py' --blank .
  sudobench bench puzzles.txt --engine 'old=../old/solve' --engine 'new=./solve' --solvers none
  sudobench bench puzzles.txt --engine 'schoku=./schoku {input} {output}' --engine-protocol files
  sudobench bench puzzles.txt --engine 'mine=python3 2580.py' --engine-protocol mine=boj2580 --budgets boj2580
  sudobench bench --command 'grep=grep -c x big.txt' --command 'rg=rg -c x big.txt'";

/// Any programs that are measured: they need not solve Sudoku.
#[derive(Debug, Args)]
#[command(next_help_heading = "Any program")]
pub struct BenchCommandArgs {
    /// Measure any program, as a command that ends with exit code 0, instead of solvers. It gets no puzzles and no input. Commands run in
    /// turn, in a newly shuffled order in each round; --export-json has the `results` of hyperfine's JSON
    #[arg(
        long = "command",
        value_name = "NAME=COMMAND",
        conflicts_with_all = [
            "datasets", "solvers", "include", "exclude", "engines", "blank", "check_time", "threads", "sample", "isomorphs", "same_puzzles",
            "max_solutions", "max_time_per_puzzle", "max_nodes", "budgets", "keep_puzzles", "export_wrong", "export_puzzles", "history",
        ],
    )]
    pub commands: Vec<String>,
    /// Run this command before each run of a command, outside of the clock
    #[arg(long, value_name = "COMMAND", requires = "commands", hide_short_help = true)]
    pub prepare: Option<String>,
}

/// Who is measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Solvers")]
pub struct ContestantArgs {
    #[command(flatten)]
    /// The variants.
    pub selection: SelectionArgs,
    /// A program that reads a puzzle a line and prints a line for each that holds the 81-digit solution, if
    /// --engine-protocol does not say otherwise. Without --solvers, engines are measured beside `auto` alone
    #[arg(long = "engine", value_name = "NAME=COMMAND")]
    pub engines: Vec<String>,
    #[command(flatten)]
    /// How they are used.
    pub engine_use: EngineUseArgs,
}

/// How engines are used.
#[derive(Debug, Args)]
pub struct EngineUseArgs {
    /// How engines are given puzzles, all or one of them: lines, files, boj2580 or boj2239
    #[arg(long = "engine-protocol", value_name = "[NAME=]PROTOCOL", requires = "engines", long_help = ENGINE_PROTOCOL_HELP)]
    pub engine_protocols: Vec<ProtocolOf>,
    /// What engines tell of a puzzle, all or one of them: any solution, a unique one, or how many there are (count)
    #[arg(long = "engine-answers", value_name = "[NAME=]KIND", requires = "engines", long_help = ENGINE_ANSWERS_HELP)]
    pub engine_answers: Vec<AnswersOf>,
    /// The character that stands for a blank in what engines are given
    #[arg(long, value_name = "CHAR", default_value_t = '.')]
    pub blank: char,
}

/// Which variants of this program.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Solvers")]
pub struct SelectionArgs {
    /// These variants, separated by commas; `all` for all that `sudobench solvers` lists, `none` for none [default: all, in
    /// `bench` without the naive ones where they would take minutes; with --engine none, in `bench` only `auto` as a
    /// reference]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub solvers: Vec<String>,
    /// Only variants whose name this pattern matches
    #[arg(long, value_name = "REGEX", value_parser = Regex::new)]
    pub include: Option<Regex>,
    /// No variant whose name this pattern matches
    #[arg(long, value_name = "REGEX", value_parser = Regex::new)]
    pub exclude: Option<Regex>,
}

/// How it is measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub struct MeasuringArgs {
    /// Rounds; in each every pair of solver and dataset has its turn, in a newly shuffled order
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_least_one::<NonZeroUsize>)]
    pub rounds: NonZeroUsize,
    /// Make the whole measurement this often, each time in a process of its own. `compare` tells `faster` from `slower` between records
    /// of three runs or more; the tables show the run in the middle
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one::<NonZeroUsize>)]
    pub runs: NonZeroUsize,
    /// Measure each pair at least this long, by repeating passes within the rounds
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    pub min_time: Duration,
    /// Measure each pair at most this long, warm-up and start-up runs included, and on fewer puzzles if need be
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = positive_duration)]
    pub max_time_per_pair: Duration,
    /// Check the answers of an engine that is too slow for --max-time-per-pair this long before it is timed, so that puzzles that
    /// are not timed are checked too; 0s for no such check
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub check_time: Duration,
    /// Threads of each solver
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    pub threads: NonZeroUsize,
    /// Take this many puzzles of each dataset, chosen by the seed
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub sample: Option<NonZeroU64>,
    /// Measure each puzzle in this many random equivalent forms instead of as it stands: digits renamed, rows, columns,
    /// bands and stacks reordered, perhaps transposed. Of more than one, the tables tell how far they are apart
    #[arg(long, value_name = "K", value_parser = at_least_one::<NonZeroUsize>)]
    pub isomorphs: Option<NonZeroUsize>,
    /// Give engines the same puzzles in each round. Without this they get other equivalent forms of the puzzles each time, so
    /// that answers from a cache don't count
    #[arg(long)]
    pub same_puzzles: bool,
    /// Decides the permutation of the puzzles, their forms and the order of the rounds
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// What is asked of the solvers.
#[derive(Debug, Args)]
#[command(next_help_heading = "Question")]
pub struct QuestionArgs {
    /// Stop a puzzle at that many solutions: 2 proves uniqueness, 1 is the judge's question
    /// [default: 2; 1 with --budgets boj2580 or boj2239]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub max_solutions: Option<NonZeroU64>,
    /// Give a puzzle up after this time; it then exceeds every budget
    #[arg(long, value_name = "TIME", value_parser = positive_duration)]
    pub max_time_per_puzzle: Option<Duration>,
    /// Give a puzzle up after that many nodes: no clock decides
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub max_nodes: Option<NonZeroU64>,
    /// Hold each puzzle against these times, such as 80ms,1s, and against those of at most one preset: boj2580 or
    /// boj2239, which also asks the judge's question
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true, long_help = BUDGETS_HELP)]
    pub budgets: Budgets,
}

/// Where the outcome goes besides the tables on standard output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct BenchOutputArgs {
    /// Write the record, from which every report can be made; `-` here and below is standard output, which then has
    /// nothing else
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// Write a row for each pair
    #[arg(long, value_name = "FILE")]
    pub export_csv: Option<PathBuf>,
    /// Write the tables as Markdown
    #[arg(long, value_name = "FILE")]
    pub export_markdown: Option<PathBuf>,
    /// Write one self-contained page with tables and plots
    #[arg(long, value_name = "FILE")]
    pub export_html: Option<PathBuf>,
    /// Write a JUnit case for each pair: an error where it was not measured
    #[arg(long, value_name = "FILE")]
    pub export_junit: Option<PathBuf>,
    /// Replace files of these names whatever they are, not only earlier exports
    #[arg(long)]
    pub force: bool,
    /// Keep every puzzle's time, nodes and guesses in the record
    #[arg(long)]
    pub keep_puzzles: bool,
    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}
