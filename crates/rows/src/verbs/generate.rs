//! `generate`: puzzles out, as they were asked for.

use std::num::NonZeroU64;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

#[cfg(feature = "clap")]
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer};
use sudobench_sudoku::Question;
use sudobench_sudoku::generate::{Hardest, Method, Pattern, Request, Symmetry};
use sudobench_sudoku::rate::Difficulty;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Variant};

#[cfg(feature = "clap")]
use super::solve::parse_solver;
use super::{Board, RowVerb, Verb, number};
use crate::as_text;
use crate::columns::{self, Column};
use crate::option_error::OptionError;
use crate::run::Run;
use crate::source::Recipe;

/// Makes puzzles.
pub const GENERATE: Verb = Verb {
    name: "generate",
    summary: "Make puzzles: with so many clues, minimal, symmetric, so difficult, with several solutions or none, hard for a solver",
    columns: &columns::GENERATE,
    default: &columns::GENERATE_DEFAULT,
    grid: columns::PUZZLE,
    solves: false,
    makes_rows: true,
    unshardable: None,
    notes: &[
        "Seeds:
  Puzzle number N of a seed, from 0, depends on the seed, on N and on what is asked for, and on nothing else: threads, shards, formats and \
--count change no byte of it. Other puzzles of the same kind: another --seed, or --skip.",
        "Clues:
  Without --clues as many are left as when none can be taken out any more, so that puzzles are minimal; with --symmetry none can be taken \
out together with those that lie with it. With --clues a number of the range is drawn for each puzzle, and clues are taken out until so \
few are left; where that is too few, but within the range, as many stay. A --pattern is filled, unless --clues or --minimal is given.",
        "What cannot be:
  What is known to be impossible is refused before any work, with the reason: one solution with 16 clues, a pattern with two empty rows in \
a band. What nobody knows is tried: each puzzle --attempts times. Then the run ends, with the rows before that in place, and says how \
often which part of the request failed; --resume goes on, perhaps with more --attempts.",
        "Climbs (--hardest):
  From a minimal puzzle to another one near it, which is taken unless it takes the solver fewer nodes: two rows, columns, bands, stacks or \
digits change places, or some clues are taken out and others of a solution that this allows put in, until there is one solution again and \
no redundant clue. The column nodes is what `solve` says of that solver.",
    ],
    examples: "\
  sudobench generate --count 1000000 --seed 1 -o minimal.csv
  sudobench generate --count 20000 --clues 30..36 --difficulty singles -o easy.csv
  sudobench generate --count 1000 --symmetry rotational --columns solution,clues,difficulty -o symmetric.parquet
  sudobench generate --count 1000 --solutions 2..1000 --columns count -o multiple.csv
  sudobench generate --count 1000 --unsolvable --columns status -o unsolvable.csv
  sudobench generate --count 200 --hardest bool-table --columns clues,nodes -o killers.csv",
};

/// Which puzzles are made.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(
    next_help_heading = "Puzzles",
    group(clap::ArgGroup::new("how_many_solutions").args(["solutions", "unsolvable"])),
))]
pub struct GenerateOptions {
    /// How many puzzles to make, such as 20000 or 20k
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, help_heading = None::<&'static str>))]
    pub count: NonZeroU64,
    /// Decides, with the number of the puzzle and what is asked for, which puzzle that is
    #[serde(default = "seed")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 1, help_heading = None::<&'static str>))]
    pub seed: u64,
    /// Leave out the first puzzles of the seed
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 0, value_parser = crate::values::count::<u64>, help_heading = None::<&'static str>))]
    pub skip: u64,
    /// How many clues: a number, or a range with both ends such as 22..30
    #[serde(default, deserialize_with = "as_text::range")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|A..B", value_parser = crate::values::range::<usize>))]
    pub clues: Option<RangeInclusive<usize>>,
    /// Puzzles without a redundant clue; that they are without --clues and --symmetry in any case
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub minimal: bool,
    /// How the cells with clues lie
    #[serde(default = "no_symmetry", with = "as_text")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", value_parser = symmetries(), default_value = Symmetry::None.name()))]
    pub symmetry: Symmetry,
    /// Where clues stand: 81 characters, x, # or a digit for a clue, . 0 _ or - for none; with --clues or --minimal in some of these cells
    #[serde(default, deserialize_with = "as_text::option")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CELLS"))]
    pub pattern: Option<Pattern>,
    /// What it takes to solve them, separated by commas: singles, locked, pairs, depth1, depth2, depth3
    #[serde(default, deserialize_with = "as_text::list")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", value_delimiter = ',', value_parser = <Difficulty as std::str::FromStr>::from_str))]
    pub difficulty: Vec<Difficulty>,
    /// How many solutions, instead of one: a number, or a range with both ends such as 2..1000
    #[serde(default, deserialize_with = "as_text::range")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|A..B", value_parser = crate::values::range::<u64>))]
    pub solutions: Option<RangeInclusive<u64>>,
    /// Puzzles without a solution which do not give that away: no two equal clues see each other, each blank has a candidate, and each
    /// digit a place in each row, column and box
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub unsolvable: bool,
    /// How they are made
    #[serde(default = "top_down", with = "as_text")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", value_parser = methods(), default_value = Method::TopDown.name()))]
    pub method: Method,
    /// How often each puzzle is tried before the run ends because it was not found
    #[serde(default = "attempts")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, default_value = "100000"))]
    pub attempts: NonZeroU64,
    /// The board that an output without columns (lines, npy, boj2580, boj2239) holds
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOARD", default_value = "puzzle"))]
    pub board: Board,
    /// Climb, from each puzzle, to ones that take this solver more and more nodes; `sudobench solvers` lists them
    #[serde(default, deserialize_with = "solver_called")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SOLVER", value_parser = parse_solver, help_heading = "Climbing"))]
    pub hardest: Option<&'static Variant>,
    /// Puzzles that a climb tries, one after the other
    #[serde(default = "steps")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 200, value_parser = crate::values::count::<u64>, requires = "hardest", help_heading = "Climbing"))]
    pub steps: u64,
    /// The most nodes that a puzzle may take: a climb stays below, and so does its time
    #[serde(default = "max_nodes")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, default_value = "1000000", requires = "hardest", help_heading = "Climbing"))]
    pub max_nodes: NonZeroU64,
    /// Count the solver's nodes up to the first solution (1), or until it is proved to be the only one (2)
    #[serde(default = "max_solutions")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "1|2", value_parser = clap::value_parser!(u64).range(1..=2), default_value_t = 2, requires = "hardest", help_heading = "Climbing"))]
    pub max_solutions: u64,
}

impl GenerateOptions {
    /// Returns the numbers of the puzzles, from 0.
    ///
    /// # Errors
    /// [`OptionError`] if a seed has no such numbers.
    pub fn numbers(&self) -> Result<Range<u64>, OptionError> {
        let end = self.skip.checked_add(self.count.get());
        let end =
            end.ok_or_else(|| OptionError::new(format!("a seed has {} puzzles: skip fewer", u64::MAX)))?;
        Ok(self.skip..end)
    }

    /// Returns what is made.
    ///
    /// # Errors
    /// [`OptionError`] for what contradicts itself, and what is known to be impossible.
    pub fn recipe(&self, level: Level) -> Result<Recipe, OptionError> {
        let is_none = self.is_unsolvable();
        if !is_none && self.solutions.as_ref().is_some_and(|solutions| *solutions.start() == 0) {
            let message = "0 solutions are asked for alone, or with --unsolvable; a range starts at 1";
            return Err(OptionError::new(message).about("solutions"));
        }
        let request = Request {
            clues: self.clues.clone(),
            minimal: self.minimal,
            symmetry: self.symmetry,
            pattern: self.pattern,
            solutions: match is_none {
                true => 0..=0,
                false => self.solutions.clone().unwrap_or(1..=1),
            },
            difficulties: self.difficulty.clone(),
            method: self.method,
            hardest: self.climb(level)?,
            attempts: self.attempts.get(),
        };
        let plan = request.plan().map_err(|error| OptionError::new(error.to_string()))?;
        Ok(Recipe { plan: Arc::new(plan), seed: self.seed })
    }

    /// Returns whether puzzles without a solution are asked for.
    fn is_unsolvable(&self) -> bool {
        self.unsolvable || self.solutions == Some(0..=0)
    }

    /// Returns the question whose nodes are counted.
    fn climb_question(&self) -> Question {
        Question::up_to(number(self.max_solutions))
    }

    /// Returns the solver whose nodes are to be many, if any is.
    fn climb(&self, level: Level) -> Result<Option<Hardest>, OptionError> {
        let Some(variant) = self.hardest else { return Ok(None) };
        let built = variant.build(level).map_err(|error| OptionError::new(error.to_string()))?;
        if built.batch_size() > 1 {
            return Err(OptionError::new(format!(
                "{}: its nodes depend on which puzzles it solves together, so that none of them has nodes of its own; name another one",
                variant.name
            ))
            .about("hardest"));
        }
        Ok(Some(Hardest {
            variant: *variant,
            question: self.climb_question(),
            steps: self.steps,
            max_nodes: self.max_nodes.get(),
        }))
    }
}

impl RowVerb for GenerateOptions {
    const VERB: Verb = GENERATE;

    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn verb(&self) -> Verb {
        Verb {
            grid: [columns::PUZZLE, columns::SOLUTION][self.board as usize],
            columns: if self.hardest.is_some() { &columns::GENERATE_HARDEST } else { &columns::GENERATE },
            ..GENERATE
        }
    }

    fn check(&self) -> Result<(), OptionError> {
        self.numbers().map(drop)
    }

    fn board(&self) -> Board {
        self.board
    }

    fn made(&self, level: Level) -> Result<Option<(Recipe, Range<u64>)>, OptionError> {
        Ok(Some((self.recipe(level)?, self.numbers()?)))
    }

    fn set_up<'r>(&self, run: Run<'r>, level: Level, _: &[Column]) -> Result<Run<'r>, OptionError> {
        Ok(match self.hardest {
            Some(variant) => run.solver(variant, level).question(self.climb_question()),
            None => {
                // One more than there may be, and of several solutions the smallest.
                let most = match self.is_unsolvable() {
                    true => 0,
                    false => self.solutions.as_ref().map_or(1, |solutions| *solutions.end()),
                };
                run.question(Question::up_to(number(most.saturating_add(1).max(2))))
            }
        })
    }

    fn chooses_rows(&self) -> Option<&'static str> {
        Some("there is nothing to choose: all rows are as they were asked for")
    }
}

fn seed() -> u64 {
    1
}

fn no_symmetry() -> Symmetry {
    Symmetry::None
}

fn top_down() -> Method {
    Method::TopDown
}

fn attempts() -> NonZeroU64 {
    number(100_000)
}

fn steps() -> u64 {
    200
}

fn max_nodes() -> NonZeroU64 {
    number(1_000_000)
}

fn max_solutions() -> u64 {
    2
}

fn solver_called<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'static Variant>, D::Error> {
    as_text::named(deserializer, solver::listed(), |variant| variant.name)
}

#[cfg(feature = "clap")]
fn symmetries() -> impl TypedValueParser<Value = Symmetry> {
    let value = |symmetry: &Symmetry| {
        PossibleValue::new(symmetry.name()).aliases(symmetry.aliases()).help(symmetry.about())
    };
    PossibleValuesParser::new(Symmetry::ALL.iter().map(value)).try_map(|name| name.parse())
}

#[cfg(feature = "clap")]
fn methods() -> impl TypedValueParser<Value = Method> {
    let value = |method: &Method| PossibleValue::new(method.name()).help(method.about());
    PossibleValuesParser::new(Method::ALL.iter().map(value)).try_map(|name| name.parse())
}
