//! `sudobench solve`, as typed.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueEnum};

use sudobench_batch::Budgets;
use sudobench_batch::sink::{Column, FormatName as OutputFormat, parse_columns};
use sudobench_batch::source::{ColumnChoice, InputFormat};
use sudobench_sudoku::solver;

/// `sudobench solve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    /// Files of puzzles, gzip, zstd or zip among them; `-` or nothing for standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    /// How to read.
    pub input: InputArgs,
    #[command(flatten)]
    /// How to solve.
    pub solving: SolvingArgs,
    #[command(flatten)]
    /// Where to and how to write.
    pub output: OutputArgs,
    #[command(flatten)]
    /// What to report.
    pub reporting: ReportingArgs,
}

const EXAMPLES: &str = "Examples:
  sudobench solve sudoku.csv.zip -o solved.csv
  zcat puzzles.gz | sudobench solve --columns all > answers.csv
  sudobench solve judge.txt --budgets boj2580 --output-format boj2580";

/// How the input is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// Read the input in this format instead of finding out
    #[arg(long, value_name = "FORMAT", value_parser = input_formats())]
    pub input_format: Option<InputFormat>,
    /// The byte between columns instead of the one found: a character, or `tab`
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter)]
    pub delimiter: Option<u8>,
    /// The puzzle's column, by its name or its number from 1
    #[arg(long, value_name = "NAME|NUMBER", value_parser = parse_column)]
    pub puzzle_column: Option<ColumnChoice>,
    /// The expected solution's column, by its name or its number from 1
    #[arg(long, value_name = "NAME|NUMBER", value_parser = parse_column)]
    pub solution_column: Option<ColumnChoice>,
    /// Whether the first row names the columns, instead of finding out
    #[arg(long, value_name = "yes|no", value_parser = parse_yes_no)]
    pub header: Option<bool>,
    /// Leave out the first rows
    #[arg(long, value_name = "ROWS", default_value_t = 0)]
    pub skip: u64,
    /// Stop after that many rows
    #[arg(long, value_name = "ROWS")]
    pub limit: Option<u64>,
}

/// How puzzles are solved.
#[derive(Debug, Args)]
#[command(next_help_heading = "Solving")]
pub struct SolvingArgs {
    /// The solver variant; `sudobench solvers` lists them
    #[arg(long, value_name = "NAME", value_parser = parse_solver, default_value = solver::default_variant().name)]
    pub solver: &'static solver::Variant,
    /// Stop a puzzle at that many solutions: 1 for the first found, 2 to prove uniqueness, more to count
    /// [default: 2; 1 with --budgets boj2580 or boj2239]
    #[arg(long, value_name = "N")]
    pub max_solutions: Option<NonZeroU64>,
    /// Give a puzzle up after that many digit placements
    #[arg(long, value_name = "N")]
    pub max_nodes: Option<u64>,
    /// Give a puzzle up after that time, such as 1172ms
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub max_time: Option<Duration>,
    /// Threads, each of which reads, solves and writes in its turn [default: the cores that this process may use]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

/// Where the output goes, and how it looks.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write to this file, through FILE.partial, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The output's format
    #[arg(long, value_name = "FORMAT", default_value = "csv", value_parser = output_formats())]
    pub output_format: OutputFormat,
    /// The columns to add, in order: solution, status, count, clues, nodes, guesses, time_ns, note, or `all`
    /// [default: solution,status]
    #[arg(long, value_name = "LIST", value_parser = parse_column_list)]
    pub columns: Option<ColumnList>,
    /// Replace the output file if it exists
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// Go on after the last whole row that an interrupted run of the same input and flags left
    #[arg(long, requires = "output")]
    pub resume: bool,
}

/// The columns of `--columns`; one value to clap, which would take a `Vec` for several.
#[derive(Clone, Debug)]
pub struct ColumnList(pub Vec<Column>);

/// What is reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportingArgs {
    /// Times that each puzzle is held against, and the presets boj2580 and boj2239
    #[arg(long, value_name = "LIST", default_value = "80ms,292ms,1172ms")]
    pub budgets: Budgets,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Put the SHA-256 of each input into the report
    #[arg(long, requires = "report")]
    pub hash: bool,
    /// Write the latencies as the text that HdrHistogram's plotter reads, in microseconds
    #[arg(long, value_name = "FILE")]
    pub hgrm: Option<PathBuf>,
    /// Write the latencies as a mergeable HdrHistogram log (V2, deflate), in nanoseconds
    #[arg(long, value_name = "FILE")]
    pub histogram_log: Option<PathBuf>,
    /// Show progress: auto draws a bar on a terminal and prints a line every 30 s elsewhere
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub progress: ProgressWhen,
    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// When progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressWhen {
    /// A bar on a terminal, a line now and then elsewhere, nothing with --quiet
    Auto,
    /// Even with --quiet
    Always,
    /// Never
    Never,
}

fn input_formats() -> impl clap::builder::TypedValueParser<Value = InputFormat> {
    PossibleValuesParser::new(InputFormat::ALL.iter().map(|format| format.name()))
        .try_map(|name| name.parse())
}

fn output_formats() -> impl clap::builder::TypedValueParser<Value = OutputFormat> {
    PossibleValuesParser::new(OutputFormat::ALL.map(OutputFormat::name)).try_map(|name| {
        OutputFormat::ALL.into_iter().find(|format| format.name() == name).ok_or("not one of the formats")
    })
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if text.eq_ignore_ascii_case("tab") || text == "\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"\"\r\n".contains(byte) => Ok(*byte),
        _ => {
            Err("a delimiter is one character that is no letter, digit, quote or line end, or `tab`"
                .to_owned())
        }
    }
}

fn parse_column(text: &str) -> Result<ColumnChoice, String> {
    match ColumnChoice::from(text) {
        ColumnChoice::Number(0) => Err("columns are numbered from 1".to_owned()),
        choice => Ok(choice),
    }
}

fn parse_yes_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("say yes or no".to_owned()),
    }
}

fn parse_solver(name: &str) -> Result<&'static solver::Variant, String> {
    let names = || solver::listed().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
    solver::find(name).ok_or_else(|| format!("there are {}", names()))
}

fn parse_column_list(text: &str) -> Result<ColumnList, sudobench_batch::sink::ColumnsError> {
    parse_columns(text).map(ColumnList)
}
