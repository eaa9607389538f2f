//! What every function takes: how to solve.

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use pyo3::prelude::*;
use sudobench_rows::Isomorphs;
use sudobench_rows::columns::{self, Column};
use sudobench_rows::overlap;
use sudobench_rows::pipeline::MOST_THREADS;
use sudobench_rows::source::ColumnChoice;
use sudobench_rows::verbs::{CANONICAL, CHECK, DEDUPE, OVERLAP, RATE, SOLVE, Verb};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Variant};
use sudobench_sudoku::{Answer, Question};
use sudobench_tables::Options;

use crate::errors::unusable;

/// How to solve, as it was typed. A verb passes the options that it has; the others have their defaults.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SolvingOptions {
    #[pyo3(default = 2)]
    max_solutions: u64,
    #[pyo3(default)]
    answer: Option<String>,
    #[pyo3(default)]
    max_nodes: Option<u64>,
    #[pyo3(default)]
    max_time_per_puzzle: Option<f64>,
    #[pyo3(default)]
    solver: Option<String>,
    threads: Option<usize>,
    restore_zeros: bool,
    #[pyo3(default = Isomorphs::DEFAULT.forms.get())]
    isomorphs: u64,
    #[pyo3(default = Isomorphs::DEFAULT.seed)]
    seed: u64,
}

/// The same, validated.
pub(crate) struct Solving {
    pub(crate) question: Question,
    pub(crate) variant: &'static Variant,
    pub(crate) level: Level,
    threads: Option<NonZeroUsize>,
    /// Whether texts that lost the zeros at their start get them back.
    pub(crate) restore_zeros: bool,
    /// The forms over which guesses are averaged; its seed decides as well which rows are drawn, and which puzzles are made.
    pub(crate) isomorphs: Isomorphs,
}

impl SolvingOptions {
    /// Validates what was typed.
    ///
    /// # Errors
    /// `ValueError` names the option and the remedy.
    pub(crate) fn solving(self) -> PyResult<Solving> {
        let max_solutions = at_least_one("max_solutions", self.max_solutions)?;
        let question = Question {
            max_nodes: self
                .max_nodes
                .map(|nodes| at_least_one("max_nodes", nodes))
                .transpose()?
                .map(NonZeroU64::get),
            max_time: self.max_time_per_puzzle.map(max_time).transpose()?,
            ..Question::up_to(max_solutions)
        };
        Ok(Solving {
            question: match self.answer.as_deref() {
                None => question,
                Some("smallest") => Question { answer: Answer::Smallest, ..question },
                Some("first") => Question { answer: Answer::First, ..question },
                Some(other) => {
                    return Err(unusable(format!("answer={other:?}: choose 'smallest' or 'first'")));
                }
            },
            variant: self.solver.as_deref().map_or_else(|| Ok(solver::default_variant()), variant)?,
            level: Level::from_environment().map_err(unusable)?,
            threads: self.threads.map(threads).transpose()?,
            restore_zeros: self.restore_zeros,
            isomorphs: Isomorphs { forms: at_least_one("isomorphs", self.isomorphs)?, seed: self.seed },
        })
    }
}

impl Solving {
    /// How many threads: all cores where nothing was said. The system takes longer to tell those than most puzzles take.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        self.threads.unwrap_or_else(cores)
    }
}

/// The number of threads that was asked for; without it, that of the cores.
pub(crate) fn threads_or_cores(asked: Option<usize>) -> PyResult<NonZeroUsize> {
    Ok(asked.map(threads).transpose()?.unwrap_or_else(cores))
}

fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn at_least_one(option: &str, number: u64) -> PyResult<NonZeroU64> {
    NonZeroU64::new(number).ok_or_else(|| unusable(format!("{option}=0: give 1 or more, or leave it out")))
}

fn max_time(seconds: f64) -> PyResult<Duration> {
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| unusable(format!("max_time_per_puzzle={seconds}: give seconds above 0, such as 0.5")))
}

fn variant(name: &str) -> PyResult<&'static Variant> {
    let names = || solver::listed().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
    solver::find(name).ok_or_else(|| unusable(format!("solver={name:?}: choose from {}", names())))
}

fn threads(threads: usize) -> PyResult<NonZeroUsize> {
    NonZeroUsize::new(threads).filter(|threads| threads.get() <= MOST_THREADS).ok_or_else(|| {
        unusable(format!("threads={threads}: give 1 to {MOST_THREADS}, or leave it out for all cores"))
    })
}

/// `dedupe`, where it is asked of puzzles in memory: by which grid they are known.
const DEDUPE_ROWS: Verb =
    Verb { columns: &[columns::PUZZLE, columns::CANONICAL_FORM, columns::DEDUPE[2]], ..DEDUPE };

/// By what rows are known for `overlap`, which are compared when those of both sides are.
const OVERLAP_ROWS: Verb = Verb { columns: &overlap::PRINTS, default: &overlap::PRINTS, ..OVERLAP };

/// What is done with puzzles: a verb of the command, by its name.
#[derive(Clone, Copy)]
pub(crate) struct Asked(pub(crate) Verb);

impl Asked {
    /// The columns to add, by their names.
    ///
    /// # Errors
    /// `ValueError` where one is unknown or named twice.
    pub(crate) fn columns(self, names: &[String]) -> PyResult<Vec<Column>> {
        columns::parse(&names.join(","), self.0.columns).map_err(unusable)
    }

    /// The same of tables.
    pub(crate) fn options(self) -> Options {
        match self.0.name {
            name if name == CANONICAL.name => Options::canonical(),
            name if name == CHECK.name => Options::check(),
            name if name == RATE.name => Options::rate(),
            _ => Options::default(),
        }
    }
}

impl FromPyObject<'_, '_> for Asked {
    type Error = PyErr;

    fn extract(name: Borrowed<'_, '_, PyAny>) -> PyResult<Asked> {
        let name: String = name.extract()?;
        let verb = [SOLVE, CANONICAL, CHECK, RATE, DEDUPE_ROWS, OVERLAP_ROWS]
            .into_iter()
            .find(|verb| verb.name == name);
        verb.map(Asked).ok_or_else(|| unusable(format!("there is no verb {name:?}")))
    }
}

/// A column by its number from 1, or by its name.
#[derive(FromPyObject)]
pub(crate) enum ColumnKey {
    Number(usize),
    Name(String),
}

impl From<ColumnKey> for ColumnChoice {
    fn from(key: ColumnKey) -> ColumnChoice {
        match key {
            ColumnKey::Number(number) => ColumnChoice::Number(number),
            ColumnKey::Name(name) => ColumnChoice::Name(name),
        }
    }
}
