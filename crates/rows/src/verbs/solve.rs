//! `solve`: adds the solution of each puzzle.

use std::num::NonZeroU64;
use std::time::Duration;

use serde::{Deserialize, Deserializer};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Answer, Variant};
use sudobench_sudoku::{Question, Status};

use super::{RowVerb, Verb};
use crate::columns::{self, Column};
use crate::option_error::OptionError;
use crate::run::Run;
use crate::{Budget, Budgets, as_text};

/// Solves puzzles.
pub const SOLVE: Verb = Verb {
    name: "solve",
    summary: "Solve puzzles, write a row for each, and report the times",
    columns: &columns::SOLVE,
    default: &columns::SOLVE_DEFAULT,
    grid: columns::SOLUTION,
    solves: true,
    statuses: &Status::ALL,
    examples: &[
        "sudobench solve sudoku.csv.zip -o solved.csv",
        "zcat puzzles.gz | sudobench solve --columns all > answers.csv",
        "sudobench solve puzzles.csv --only multiple,unsolvable,mismatch --columns status,match,note",
        "sudobench solve judge.txt --budgets boj2580 --output-format boj2580",
        "sudobench solve big.parquet -o solved.parquet --shard 3/16",
    ],
    ..Verb::BASE
};

/// The default budgets: reference times for BOJ 2580 in C++, Java and PyPy3, in milliseconds.
const DEFAULT_BUDGETS: [u64; 3] = [80, 292, 1172];

/// The options of `solve`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Solving"))]
pub struct SolveOptions {
    /// Solver to use; `sudobench solvers` lists them
    #[serde(deserialize_with = "solver_called")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", value_parser = parse_solver, default_value = solver::default_variant().name))]
    pub solver: &'static Variant,
    /// Stop at this many solutions of a puzzle: 1 finds one solution, 2 shows whether it is the only one, a larger number counts the
    /// solutions [default: 2; 1 with --budgets boj2580 or boj2239]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub max_solutions: Option<NonZeroU64>,
    /// Which of several solutions is reported: `smallest` or `first`. `None` means `first` if the search stops at the first solution of a
    /// puzzle and the budgets do not belong to boj2239; otherwise it means `smallest`.
    #[serde(deserialize_with = "answer")]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub answer: Option<Answer>,
    /// Give up a puzzle after this many search nodes
    ///
    /// A node is the placement of a digit. For the vector solvers (auto, bitslice, bitboard), a node is an alternative that the search
    /// tries.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub max_nodes: Option<NonZeroU64>,
    /// Give up a puzzle after this time, such as 1172ms
    #[serde(deserialize_with = "as_text::time")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME", value_parser = crate::values::positive_duration))]
    pub max_time_per_puzzle: Option<Duration>,
    /// Count the puzzles solved within these times, such as 80ms,1s; the list can contain the preset boj2580 or boj2239 [default:
    /// 80ms,292ms,1172ms]
    #[serde(deserialize_with = "as_text::option")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", long_help = format!("{}\n\n[default: 80ms,292ms,1172ms]", crate::values::BUDGETS_HELP), help_heading = "Report"))]
    pub budgets: Option<Budgets>,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        SolveOptions {
            solver: solver::default_variant(),
            max_solutions: None,
            answer: None,
            max_nodes: None,
            max_time_per_puzzle: None,
            budgets: None,
        }
    }
}

impl SolveOptions {
    /// Returns the budgets that were given, or the default budgets.
    pub fn budgets(&self) -> Budgets {
        let budget = |milliseconds| Budget { origin: "", limit: Duration::from_millis(milliseconds) };
        let default = || Budgets { list: DEFAULT_BUDGETS.map(budget).to_vec(), preset: None };
        self.budgets.clone().unwrap_or_else(default)
    }

    /// Returns the question for each puzzle.
    pub fn question(&self) -> Question {
        let question = self.budgets().question(self.max_solutions);
        Question {
            answer: self.answer.unwrap_or(question.answer),
            max_nodes: self.max_nodes.map(NonZeroU64::get),
            max_time: self.max_time_per_puzzle,
            ..question
        }
    }
}

impl RowVerb for SolveOptions {
    fn set_up<'r>(&self, run: Run<'r>, level: Level, _: &[Column]) -> Result<Run<'r>, OptionError> {
        Ok(run.solver(self.solver, level).question(self.question()).budgets(self.budgets().list))
    }
}

/// Finds a listed or hidden solver variant by its name.
///
/// # Errors
/// The error lists the names of the listed variants.
pub fn parse_solver(name: &str) -> Result<&'static Variant, String> {
    let names = || solver::listed().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
    solver::find(name).ok_or_else(|| format!("choose from {}", names()))
}

fn solver_called<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Variant, D::Error> {
    match Option::<String>::deserialize(deserializer)? {
        None => Ok(solver::default_variant()),
        Some(name) => parse_solver(&name)
            .map_err(|known| serde::de::Error::custom(format!("`{name}` is unknown; {known}"))),
    }
}

fn answer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Answer>, D::Error> {
    as_text::named(deserializer, [Answer::Smallest, Answer::First], |answer| match answer {
        Answer::Smallest => "smallest",
        Answer::First => "first",
    })
}
