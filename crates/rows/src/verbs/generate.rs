//! `generate`: writes new puzzles that meet a request.

use std::num::NonZeroU64;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

#[cfg(feature = "clap")]
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer};
use sudobench_sudoku::generate::{FewestGuesses, Hardest, Method, Pattern, Request, StepRequest, Symmetry};
use sudobench_sudoku::rate::Difficulty;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, SolverFactory, Variant};
use sudobench_sudoku::techniques::Technique;
use sudobench_sudoku::{Puzzle, Question, Status};

#[cfg(feature = "clap")]
use super::solve::parse_solver;
use super::{Board, RowVerb, Verb, number};
use crate::as_text;
use crate::columns::{self, Column};
use crate::facts::Isomorphs;
use crate::option_error::OptionError;
use crate::run::Run;
use crate::source::Recipe;
use crate::transform::random_transformations;

/// Makes puzzles.
pub const GENERATE: Verb = Verb {
    name: "generate",
    summary: "Generate puzzles with given clues, symmetry, difficulty or solutions",
    columns: &columns::GENERATE,
    default: &[columns::SOLUTION],
    makes_rows: true,
    notes: &[
        "Seeds:
  Each puzzle depends only on the seed, on its number (from 0) and on the options that describe it. The number of threads, shards, the output \
format and --count make no difference. For other puzzles of the same kind, choose another --seed, or --skip some.",
        "Clues:
  Without --clues, clues of a puzzle with one solution are removed until no further clue can be removed: the puzzle is minimal. With --symmetry, clues that belong together \
by symmetry are removed together, so the puzzle may not be minimal. With --clues, unless all puzzles are minimal, a number is drawn from the range for each attempt, and clues are removed until that number is \
left; if this is not possible, the puzzle has another number of clues within the range. With --pattern, all its cells have clues, \
unless you add --clues or --minimal.",
        "Impossible requests:
  Requests that are known to be impossible are refused at once, with the reason: for example one solution with 16 clues, or a pattern with \
two empty rows in a band. All other requests are tried, with at most --attempts attempts for each puzzle. If a puzzle is not found, the run stops, keeps the rows of the puzzles before it and reports how often each part of the request failed. --resume continues, also with more --attempts; another --method needs a new run.",
        "Hard puzzles (--hardest, --hardest-engine):
  The search starts at a minimal puzzle and takes --steps steps. Each step tries a similar puzzle: it makes an equivalent form, mostly by swapping two rows, columns, bands, stacks \
or digits, or replaces some clues by others so that the puzzle is minimal again. The search continues from the similar puzzle unless the solver needs fewer nodes \
for that puzzle, or more than --max-nodes. With these options, --columns also accepts `nodes`, which is the same as for `solve` with that solver. A program of --hardest-engine prints nodes=N or \
guesses=N after each solution; the column `nodes` then has this number. The program is started for each step. If it fails, the run stops and keeps the finished rows.",
    ],
    examples: &[
        "sudobench generate --count 1000000 --seed 1 -o minimal.csv",
        "sudobench generate --count 20000 --clues 30..36 --difficulty singles -o singles.csv",
        "sudobench generate --count 100 --guesses 5 -o guessed.csv",
        "sudobench generate --count 100 --technique swordfish --max-se 4.2 --columns se -o fish.csv",
        "sudobench generate --count 1000 --symmetry rotational --columns clues,difficulty -o sym.parquet",
        "sudobench generate --count 1000 --solutions 2..1000 --columns count -o several.csv",
        "sudobench generate --count 1000 --unsolvable --columns status -o unsolvable.csv",
        "sudobench generate --count 200 --hardest bool-table --columns clues,nodes -o killers.csv",
        "sudobench generate --count 5 --hardest-engine 'mine=./solve' --columns nodes -o slow.csv",
    ],
    ..Verb::BASE
};

/// The options of `generate`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Puzzles"))]
pub struct GenerateOptions {
    /// Number of puzzles, such as 20000 or 20k
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, help_heading = None::<&'static str>))]
    pub count: NonZeroU64,
    /// Seed; the same seed and options give the same puzzles
    #[serde(default = "seed")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::count::<u64>, default_value_t = seed(), help_heading = None::<&'static str>))]
    pub seed: u64,
    /// Skip the first N puzzles of the seed
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true, value_name = "N", default_value_t = 0, value_parser = crate::values::count::<u64>, help_heading = None::<&'static str>))]
    pub skip: u64,
    /// Number of clues: a number, or a range such as 22..30
    #[serde(default, deserialize_with = "as_text::range")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|A..B", value_parser = crate::values::range::<usize>))]
    pub clues: Option<RangeInclusive<usize>>,
    /// Make minimal puzzles: no clue can be removed
    ///
    /// If none of --clues, --symmetry and --pattern is given, puzzles with one solution are minimal even without this option.
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub minimal: bool,
    /// Symmetry of the cells that have clues
    #[serde(default, with = "as_text")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", value_parser = symmetries(), default_value_t))]
    pub symmetry: Symmetry,
    /// Cells that have clues: 81 characters, with . 0 _ or - for a blank
    ///
    /// x, # or a digit from 1 to 9 stands for a clue. With --clues or --minimal, some of these cells may be blank.
    #[serde(default, deserialize_with = "as_text::option")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CELLS"))]
    pub pattern: Option<Pattern>,
    /// Allowed difficulties: singles, locked, pairs, depth1, depth2, depth3
    #[serde(default, deserialize_with = "as_text::list")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", value_delimiter = ',', value_parser = <Difficulty as std::str::FromStr>::from_str))]
    pub difficulty: Vec<Difficulty>,
    /// Lowest allowed number of guesses for each puzzle: the mean over random equivalent forms, as in the column `guesses` of `rate`
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub guesses: Option<NonZeroU64>,
    /// Techniques that must all occur, such as swordfish,naked-pair
    ///
    /// Each of them must occur in the steps to the solution, which `sudobench explain` shows. docs/techniques lists the techniques. Case
    /// and all characters except letters and digits are ignored: `X-Wing`, `x-wing` and `xwing` are the same.
    #[serde(default, deserialize_with = "as_text::list")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", value_delimiter = ',', value_parser = <Technique as std::str::FromStr>::from_str))]
    pub technique: Vec<Technique>,
    /// Allowed techniques of the hardest step
    #[serde(default, deserialize_with = "as_text::list")]
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true, value_name = "LIST", value_delimiter = ',', value_parser = <Technique as std::str::FromStr>::from_str))]
    pub hardest_technique: Vec<Technique>,
    /// Lowest allowed rating by Sudoku Explainer (ER), such as 3.0
    #[serde(default, deserialize_with = "as_text::rating")]
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true, value_name = "RATING", value_parser = crate::values::rating))]
    pub min_se: Option<u8>,
    /// Highest allowed rating by Sudoku Explainer (ER), such as 4.2
    #[serde(default, deserialize_with = "as_text::rating")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATING", value_parser = crate::values::rating))]
    pub max_se: Option<u8>,
    /// Number of solutions: a number, or a range such as 2..1000 [default: 1]
    #[serde(default, deserialize_with = "as_text::range")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|A..B", value_parser = crate::values::range::<u64>))]
    pub solutions: Option<RangeInclusive<u64>>,
    /// Make puzzles without a solution and without an obvious contradiction
    ///
    /// No row, column or box has two equal clues; each blank has a candidate, and each digit has a place in each row, column and box.
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true))]
    pub unsolvable: bool,
    /// Method of generation
    ///
    /// Speeds on one core: in a second, `climb` finds about 80 puzzles with 20 clues, or 10 with 19 clues. With --attempts 10M, it finds
    /// one with 18 clues in some seconds. In a second, `tridagon` finds about 100 puzzles of difficulty depth2, or 20 puzzles rated 9 or
    /// more.
    #[serde(default, with = "as_text")]
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true, value_name = "NAME", value_parser = methods(), default_value_t))]
    pub method: Method,
    /// Number of attempts for each puzzle before the run gives up [default: 100000, or 100 with --pattern]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub attempts: Option<NonZeroU64>,
    /// The board to write in formats without columns.
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, hide_short_help = true, value_name = "BOARD", help = super::board_help(), default_value = "puzzle")
    )]
    pub board: Board,
    /// Search for puzzles that are hard for this solver (see `sudobench solvers`)
    ///
    /// `auto` and `bitslice` are refused, because they solve many puzzles together and cannot count the nodes of each.
    #[serde(default, deserialize_with = "solver_called")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SOLVER", value_parser = parse_solver, help_heading = "Hard puzzles"))]
    pub hardest: Option<&'static Variant>,
    /// An external program, instead of a built-in solver, for which the puzzles should be hard.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub engine: Option<Arc<dyn SolverFactory>>,
    /// Number of steps in the search for each hard puzzle
    #[serde(default = "steps")]
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true, value_name = "N", default_value_t = steps(), value_parser = crate::values::count::<u64>, help_heading = "Hard puzzles"))]
    pub steps: u64,
    /// Reject puzzles for which the solver needs more search nodes than this
    ///
    /// A solver of --hardest stops at this limit, so each step is short. A program of --hardest-engine does not stop: the number that it
    /// prints is compared with the limit.
    #[serde(default = "max_nodes")]
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, default_value_t = max_nodes(), help_heading = "Hard puzzles"))]
    pub max_nodes: NonZeroU64,
    /// Count the nodes until the first solution (1), or until the solution is proved to be unique (2)
    #[serde(default = "max_solutions")]
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true, value_name = "1|2", value_parser = |text: &str| text.parse::<u64>().map_err(|_| ONE_OR_TWO), default_value_t = max_solutions(), help_heading = "Hard puzzles"))]
    pub max_solutions: u64,
}

impl GenerateOptions {
    /// Returns the numbers of the puzzles to make. The first puzzle of a seed has the number 0.
    ///
    /// # Errors
    /// [`OptionError`] if `skip` and `count` together exceed the number of puzzles that a seed has.
    pub fn numbers(&self) -> Result<Range<u64>, OptionError> {
        let end = self.skip.checked_add(self.count.get());
        let most = u64::MAX;
        let message =
            || format!("--skip and --count together exceed the {most} puzzles of a seed: skip fewer");
        let end = end.ok_or_else(|| OptionError::new(message()))?;
        Ok(self.skip..end)
    }

    /// Returns the recipe of the puzzles.
    ///
    /// # Errors
    ///
    /// [`OptionError`], for example for contradicting options, for requests that are known to be impossible, and for a solver that can't
    /// count the nodes of each puzzle.
    pub fn recipe(&self, level: Level) -> Result<Recipe, OptionError> {
        let is_none = self.is_unsolvable();
        if !is_none && self.solutions.as_ref().is_some_and(|solutions| *solutions.start() == 0) {
            let message = "a range cannot include 0: write 0 alone, or use --unsolvable";
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
            guesses: self.guesses.map(fewest_guesses),
            steps: self.steps(),
            method: self.method,
            hardest: self.climb(level)?,
            attempts: self.attempts.map_or_else(|| self.default_attempts(), NonZeroU64::get),
        };
        let plan = request.plan().map_err(|error| OptionError::new(error.to_string()))?;
        Ok(Recipe { plan: Arc::new(plan), seed: self.seed })
    }

    fn is_unsolvable(&self) -> bool {
        self.unsolvable || self.solutions == Some(0..=0)
    }

    /// Returns the requirements on the steps to the solution, if there are any.
    fn steps(&self) -> Option<StepRequest> {
        let steps = StepRequest {
            techniques: self.technique.clone(),
            hardest: self.hardest_technique.clone(),
            ratings: self.min_se.unwrap_or(0)..=self.max_se.unwrap_or(u8::MAX),
        };
        (steps != StepRequest::default()).then_some(steps)
    }

    fn climb_question(&self) -> Question {
        Question::up_to(number(self.max_solutions))
    }

    /// Returns the number of attempts if the option `attempts` is not set. With a pattern, an attempt takes longer, because it may try
    /// thousands of changes of digits.
    fn default_attempts(&self) -> u64 {
        if self.pattern.is_some() { 100 } else { 100_000 }
    }

    /// Returns the factory of the solver that `--hardest` or `--hardest-engine` names; `None` without these options.
    fn hard_for(&self) -> Option<Arc<dyn SolverFactory>> {
        let built_in = || self.hardest.map(|variant| Arc::new(*variant) as Arc<dyn SolverFactory>);
        self.engine.clone().or_else(built_in)
    }

    /// Returns the search for hard puzzles, if they are requested.
    fn climb(&self, level: Level) -> Result<Option<Hardest>, OptionError> {
        let Some(solver) = self.hard_for() else { return Ok(None) };
        let built = solver.build(level).map_err(|error| OptionError::new(error.to_string()))?;
        if built.batch_size() > 1 {
            return Err(OptionError::new(format!(
                "{} solves many puzzles together and cannot count the nodes of each; choose another solver",
                solver.identity()
            ))
            .about("hardest"));
        }
        Ok(Some(Hardest {
            solver,
            question: self.climb_question(),
            steps: self.steps,
            max_nodes: self.max_nodes.get(),
        }))
    }
}

impl RowVerb for GenerateOptions {
    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn adapt(&self, verb: Verb) -> Verb {
        Verb {
            grid: [columns::PUZZLE, columns::SOLUTION][self.board as usize],
            columns: if self.hard_for().is_some() { &columns::GENERATE_HARDEST } else { &columns::GENERATE },
            statuses: match &self.solutions {
                _ if self.hard_for().is_some() => &[Status::Unique, Status::Solved],
                _ if self.is_unsolvable() => &[Status::Unsolvable],
                Some(_) => &[Status::Unique, Status::Multiple],
                None => &[Status::Unique],
            },
            empty_columns: match self.method {
                Method::ControlledBias => &[],
                _ => &[("weight", "only --method controlled-bias gives puzzles a weight")],
            },
            ..verb
        }
    }

    fn check(&self) -> Result<(), OptionError> {
        let error = |option, message: &str| Err(OptionError::new(message).about(option));
        if self.unsolvable && self.solutions.is_some() {
            return error(
                "solutions",
                "--unsolvable already sets the number of solutions: leave out one of the two options",
            );
        }
        if self.engine.is_some() && self.hardest.is_some() {
            return error(
                "hardest",
                "--hardest-engine also names a solver: leave out one of the two options",
            );
        }
        if !(1..=2).contains(&self.max_solutions) {
            return error("max_solutions", ONE_OR_TWO);
        }
        if self.engine.is_some() && self.max_solutions != max_solutions() {
            return error(
                "max_solutions",
                "a program of --hardest-engine decides itself what it counts: leave out this option",
            );
        }
        let of_search = [
            ("steps", self.steps != steps()),
            ("max_nodes", self.max_nodes != max_nodes()),
            ("max_solutions", self.max_solutions != max_solutions()),
        ];
        match of_search.into_iter().find(|&(_, is_set)| is_set && self.hard_for().is_none()) {
            Some((option, _)) => {
                error(option, "this option is for the search for hard puzzles: add --hardest")
            }
            None => self.numbers().map(drop),
        }
    }

    fn board(&self) -> Board {
        self.board
    }

    fn made(&self, level: Level) -> Result<Option<(Recipe, Range<u64>)>, OptionError> {
        Ok(Some((self.recipe(level)?, self.numbers()?)))
    }

    fn set_up<'r>(&self, run: Run<'r>, level: Level, _: &[Column]) -> Result<Run<'r>, OptionError> {
        Ok(match self.hard_for() {
            Some(solver) => run.solver_from(solver, level).question(self.climb_question()),
            None => {
                // The limit of solutions is one more than the largest allowed number. It is at least 2, because with a limit of 1, the
                // first solution would be reported instead of the smallest one.
                let most = match self.is_unsolvable() {
                    true => 0,
                    false => self.solutions.as_ref().map_or(1, |solutions| *solutions.end()),
                };
                run.question(Question::up_to(number(most.saturating_add(1).max(2))))
            }
        })
    }
}

/// Returns the request for puzzles that need at least this number of guesses, as [`RATE`](super::RATE) counts guesses with its default
/// options.
fn fewest_guesses(guesses: NonZeroU64) -> FewestGuesses {
    let forms = |puzzle: &Puzzle| {
        let Isomorphs { forms, seed } = Isomorphs::DEFAULT;
        random_transformations(puzzle, forms, seed).map(|form| form.apply(puzzle)).collect()
    };
    FewestGuesses { thousandths: guesses.get().saturating_mul(1000), forms }
}

fn seed() -> u64 {
    1
}

fn steps() -> u64 {
    200
}

fn max_nodes() -> NonZeroU64 {
    number(1_000_000)
}

const ONE_OR_TWO: &str = "write 1 or 2";

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_read_from_numbers_and_texts() {
        let read = |rating: &str| {
            let options = format!(r#"{{"count": 1, "min_se": {rating}}}"#);
            serde_json::from_str::<GenerateOptions>(&options).map(|options| options.min_se)
        };
        for (text, tenths) in [("4.2", Some(42)), ("4", Some(40)), ("\"4.2\"", Some(42)), ("null", None)] {
            assert_eq!(read(text).unwrap(), tenths, "{text}");
        }
        for text in ["4.25", "-1", "1e300", "\"hard\""] {
            let refused = read(text).unwrap_err().to_string();
            assert!(
                refused.contains("write a rating from 0 to 19.9 with at most one decimal, such as 4.2"),
                "{refused}"
            );
        }
    }
}
