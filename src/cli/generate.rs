//! `sudobench generate`, as typed.

use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, ValueEnum};
use sudobench_batch::columns;
use sudobench_sudoku::generate::{Method, Pattern, Symmetry};
use sudobench_sudoku::rate::Difficulty;
use sudobench_sudoku::solver::Variant;

use super::rows::{SHARDS, columns_help};
use super::solve::parse_solver;
use super::values::{at_least_one, count};
use super::{OutputArgs, RunningArgs};

/// `sudobench generate`.
#[derive(Debug, Args)]
#[command(after_help = format!(
    "{}\n\n{SEEDS}\n\n{CLUES}\n\n{ATTEMPTS}\n\n{HARDEST}\n\n{SHARDS}\n\n{EXAMPLES}",
    columns_help(&columns::GENERATE_HARDEST, &columns::GENERATE_DEFAULT)
))]
pub struct GenerateArgs {
    #[command(flatten)]
    /// Which and how many.
    pub numbers: NumbersArgs,
    #[command(flatten)]
    /// What they have to be like.
    pub puzzles: PuzzlesArgs,
    #[command(flatten)]
    /// Whose nodes are to be many.
    pub climbing: ClimbingArgs,
    #[command(flatten)]
    /// Where to and how to write.
    pub output: OutputArgs,
    #[command(flatten)]
    /// How to run.
    pub running: RunningArgs,
}

/// Which puzzles of a seed, and how many.
#[derive(Debug, Args)]
pub struct NumbersArgs {
    /// How many puzzles to make, such as 20000 or 20k
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub count: NonZeroU64,
    /// Decides, with the number of the puzzle and what is asked for, which puzzle that is
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Leave out the first puzzles of the seed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::<u64>)]
    pub skip: u64,
}

/// What the puzzles have to be like.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles", group(ArgGroup::new("how_many_solutions").args(["solutions", "unsolvable"])))]
pub struct PuzzlesArgs {
    /// How many clues: a number, or a range with both ends such as 22..30
    #[arg(long, value_name = "N|A..B", value_parser = parse_range::<usize>)]
    pub clues: Option<RangeInclusive<usize>>,
    /// Puzzles without a redundant clue; that they are without --clues and --symmetry in any case
    #[arg(long)]
    pub minimal: bool,
    /// How the cells with clues lie
    #[arg(long, value_name = "NAME", value_parser = symmetries(), default_value = Symmetry::None.name())]
    pub symmetry: Symmetry,
    /// Where clues stand: 81 characters, x, # or a digit for a clue, . 0 _ or - for none; with --clues or --minimal in some of these cells
    #[arg(long, value_name = "CELLS")]
    pub pattern: Option<Pattern>,
    /// What it takes to solve them, separated by commas: singles, locked, pairs, depth1, depth2, depth3
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = Difficulty::from_str)]
    pub difficulty: Vec<Difficulty>,
    /// How many solutions, instead of one: a number, or a range with both ends such as 2..1000
    #[arg(long, value_name = "N|A..B", value_parser = parse_range::<u64>)]
    pub solutions: Option<RangeInclusive<u64>>,
    /// Puzzles without a solution which do not give that away: no two equal clues see each other, each blank has a candidate, and each
    /// digit a place in each row, column and box
    #[arg(long)]
    pub unsolvable: bool,
    /// How they are made
    #[arg(long, value_name = "NAME", value_parser = methods(), default_value = Method::TopDown.name())]
    pub method: Method,
    /// How often each puzzle is tried before the run ends because it was not found
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, default_value = "100000")]
    pub attempts: NonZeroU64,
    /// The board that an output without columns (lines, npy, boj2580, boj2239) holds
    #[arg(long, value_name = "BOARD", default_value = "puzzle")]
    pub board: MadeBoard,
}

/// Which board is written alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MadeBoard {
    /// The puzzle
    Puzzle,
    /// The solution; of several the smallest
    Solution,
}

/// Whose nodes are to be many.
#[derive(Debug, Args)]
#[command(next_help_heading = "Climbing")]
pub struct ClimbingArgs {
    /// Climb, from each puzzle, to ones that take this solver more and more nodes; `sudobench solvers` lists them
    #[arg(long, value_name = "SOLVER", value_parser = parse_solver)]
    pub hardest: Option<&'static Variant>,
    /// Puzzles that a climb tries, one after the other
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = count::<u64>, requires = "hardest")]
    pub steps: u64,
    /// The most nodes that a puzzle may take: a climb stays below, and so does its time
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>, default_value = "1000000", requires = "hardest")]
    pub max_nodes: NonZeroU64,
    /// Count the solver's nodes up to the first solution (1), or until it is proved to be the only one (2)
    #[arg(long, value_name = "1|2", value_parser = clap::value_parser!(u64).range(1..=2), default_value_t = 2, requires = "hardest")]
    pub max_solutions: u64,
}

const SEEDS: &str = "Seeds:
  Puzzle number N of a seed, from 0, depends on the seed, on N and on what is asked for, and on nothing else: threads, shards, formats and \
--count change no byte of it. Other puzzles of the same kind: another --seed, or --skip.";

const CLUES: &str = "Clues:
  Without --clues as many are left as when none can be taken out any more, so that puzzles are minimal; with --symmetry none can be taken \
out together with those that lie with it. With --clues a number of the range is drawn for each puzzle, and clues are taken out until so \
few are left; where that is too few, but within the range, as many stay. A --pattern is filled, unless --clues or --minimal is given.";

const ATTEMPTS: &str = "What cannot be:
  What is known to be impossible is refused before any work, with the reason: one solution with 16 clues, a pattern with two empty rows in \
a band. What nobody knows is tried: each puzzle --attempts times. Then the run ends, with the rows before that in place, and says how \
often which part of the request failed; --resume goes on, perhaps with more --attempts.";

const HARDEST: &str = "Climbs (--hardest):
  From a minimal puzzle to another one near it, which is taken unless it takes the solver fewer nodes: two rows, columns, bands, stacks or \
digits change places, or some clues are taken out and others of a solution that this allows put in, until there is one solution again and \
no redundant clue. The column nodes is what `solve` says of that solver.";

const EXAMPLES: &str = "Examples:
  sudobench generate --count 1000000 --seed 1 -o minimal.csv
  sudobench generate --count 20000 --clues 30..36 --difficulty singles -o easy.csv
  sudobench generate --count 1000 --symmetry rotational --columns solution,clues,difficulty -o symmetric.parquet
  sudobench generate --count 1000 --solutions 2..1000 --columns count -o multiple.csv
  sudobench generate --count 1000 --unsolvable --columns status -o unsolvable.csv
  sudobench generate --count 200 --hardest bool-table --columns clues,nodes -o killers.csv";

fn symmetries() -> impl TypedValueParser<Value = Symmetry> {
    let value = |symmetry: &Symmetry| {
        PossibleValue::new(symmetry.name()).aliases(symmetry.aliases()).help(symmetry.about())
    };
    PossibleValuesParser::new(Symmetry::ALL.iter().map(value)).try_map(|name| name.parse())
}

fn methods() -> impl TypedValueParser<Value = Method> {
    let value = |method: &Method| PossibleValue::new(method.name()).help(method.about());
    PossibleValuesParser::new(Method::ALL.iter().map(value)).try_map(|name| name.parse())
}

/// Parses a count, or two with `..` between them, which are both in the range.
fn parse_range<T: TryFrom<u64> + Clone>(text: &str) -> Result<RangeInclusive<T>, String> {
    let number =
        |text: &str| count::<T>(text.trim()).map_err(|error| format!("{error}; a range is written 22..30"));
    let (start, end) = text.split_once("..").unwrap_or((text, text));
    Ok(number(start)?..=number(end)?)
}
