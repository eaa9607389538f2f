//! Reads and validates keyword arguments of Python functions.

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use sudobench_rows::Isomorphs;
use sudobench_rows::columns::{self, Column};
use sudobench_rows::overlap;
use sudobench_rows::pipeline::MOST_THREADS;
use sudobench_rows::source::ColumnChoice;
use sudobench_rows::verbs::{
    CANONICAL, CHECK, CheckOptions, DEDUPE, OVERLAP, RATE, RowVerb as _, SOLVE, SolveOptions, Verb,
    parse_solver,
};
use sudobench_sudoku::isomorph::ChangeKinds;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::Variant;
use sudobench_sudoku::{Answer, Question};
use sudobench_tables::Options;

use crate::errors::{refused, unusable};

/// Options of a Python function by their names. A function passes only the options that it has; the other options have their defaults.
pub(crate) struct Keywords<'py>(Bound<'py, PyDict>);

impl<'py> FromPyObject<'_, 'py> for Keywords<'py> {
    type Error = PyErr;

    fn extract(options: Borrowed<'_, 'py, PyAny>) -> PyResult<Keywords<'py>> {
        Ok(Keywords(options.to_owned().cast_into()?))
    }
}

impl<'py> Keywords<'py> {
    /// Returns the value of an option; `None` if it is missing or is `None`.
    pub(crate) fn value(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.0.get_item(name)?.filter(|value| !value.is_none()))
    }

    /// Returns the value of an option that is a whole number.
    ///
    /// # Errors
    /// `TypeError` for a value of another type, `ValueError` for a number out of range. Both name the option and the value.
    pub(crate) fn number(&self, name: &str) -> PyResult<Option<u64>> {
        self.value(name)?.map(|value| whole_number(name, &value)).transpose()
    }

    /// Returns the value of an option that is a number, with or without decimals. A value of another type is a `TypeError`.
    pub(crate) fn real(&self, name: &str) -> PyResult<Option<f64>> {
        let real =
            |value: Bound<'_, PyAny>| value.extract().map_err(|_| wrong_type(name, &value, "a number"));
        self.value(name)?.map(real).transpose()
    }

    /// Returns the value of an option that is a text. A value of another type is a `TypeError`.
    pub(crate) fn text(&self, name: &str) -> PyResult<Option<String>> {
        let text = |value: Bound<'_, PyAny>| value.extract().map_err(|_| wrong_type(name, &value, "a text"));
        self.value(name)?.map(text).transpose()
    }

    /// Returns whether an option is true; false if it is missing. A value of another type is a `TypeError`.
    pub(crate) fn flag(&self, name: &str) -> PyResult<bool> {
        Ok(self.value(name)?.map(|value| flag(name, &value)).transpose()?.unwrap_or_default())
    }

    /// Returns the number of threads; `None` for all cores.
    pub(crate) fn threads(&self) -> PyResult<Option<NonZeroUsize>> {
        self.value("threads")?.map(|value| threads(&value)).transpose()
    }
}

/// Returns the number of threads that was passed. For `None`, returns the number of cores.
///
/// # Errors
/// As [`Keywords::number`].
pub(crate) fn threads_or_cores(threads: Option<&Bound<'_, PyAny>>) -> PyResult<NonZeroUsize> {
    Ok(threads.map(self::threads).transpose()?.unwrap_or_else(cores))
}

fn threads(value: &Bound<'_, PyAny>) -> PyResult<NonZeroUsize> {
    let threads = usize::try_from(whole_number("threads", value)?).ok().and_then(NonZeroUsize::new);
    threads.filter(|threads| threads.get() <= MOST_THREADS).ok_or_else(|| {
        let value = shown(value);
        unusable(format!("threads={value}: give 1 to {MOST_THREADS}, or leave it out for all cores"))
    })
}

/// Reads the value of an option that is true or false.
///
/// # Errors
/// `TypeError` for anything else.
pub(crate) fn flag(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    // NumPy has its own type of truth values.
    let flag = value.extract().or_else(|_| value.call_method0("item")?.extract());
    flag.map_err(|_: PyErr| wrong_type(name, value, "True or False"))
}

/// Reads a whole number, with the errors of [`Keywords::number`].
pub(crate) fn whole_number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    // Python's `bool` is a kind of `int`.
    if value.is_instance_of::<PyBool>() {
        return Err(wrong_type(name, value, "a whole number"));
    }
    value.extract().map_err(|error: PyErr| match error.is_instance_of::<PyTypeError>(value.py()) {
        true => wrong_type(name, value, "a whole number"),
        false => unusable(format!("{name}={}: give a whole number from 0 to {}", shown(value), u64::MAX)),
    })
}

/// Returns the `TypeError` for the value of an option. The message says what type is wanted.
pub(crate) fn wrong_type(name: &str, value: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    PyTypeError::new_err(format!("{name}={}: give {wanted}", shown(value)))
}

/// Formats a value as Python code, on one line of limited length.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    let whole = value.repr().map_or_else(|_| "?".to_owned(), |words| words.to_string_lossy().into_owned());
    let line = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}...", &line[..at]),
        None => line,
    }
}

/// The validated options of a function that solves puzzles.
pub(crate) struct Solving {
    pub(crate) question: Question,
    pub(crate) variant: &'static Variant,
    pub(crate) level: Level,
    threads: Option<NonZeroUsize>,
    /// Whether to restore lost zeros at the start of texts.
    pub(crate) restore_zeros: bool,
    /// The number of random forms of each puzzle over which the guesses are averaged, and the seed of the forms.
    pub(crate) isomorphs: Isomorphs,
}

/// The name of a built-in solver and its SIMD level.
pub(crate) type SolverKey = (&'static str, Level);

impl Solving {
    /// Validates the options of a function that solves.
    ///
    /// # Errors
    /// `ValueError` and `TypeError` name the option and the remedy.
    pub(crate) fn from_keywords(options: &Keywords<'_>) -> PyResult<Solving> {
        let at_least_one = |name| options.number(name)?.map(|number| at_least_one(name, number)).transpose();
        let default = SolveOptions::default();
        let solve = SolveOptions {
            solver: options.text("solver")?.map_or(Ok(default.solver), |name| {
                parse_solver(&name).map_err(|known| unusable(format!("solver={name:?}: {known}")))
            })?,
            max_solutions: at_least_one("max_solutions")?,
            answer: match options.text("answer")?.as_deref() {
                None => default.answer,
                Some("smallest") => Some(Answer::Smallest),
                Some("first") => Some(Answer::First),
                Some(other) => {
                    return Err(unusable(format!("answer={other:?}: choose 'smallest' or 'first'")));
                }
            },
            max_nodes: at_least_one("max_nodes")?,
            max_time_per_puzzle: options.real("max_time_per_puzzle")?.map(max_time).transpose()?,
            ..default
        };
        Ok(Solving {
            question: solve.question(),
            variant: solve.solver,
            level: Level::from_environment().map_err(unusable)?,
            threads: options.threads()?,
            restore_zeros: options.flag("restore_zeros")?,
            isomorphs: Isomorphs {
                forms: at_least_one("isomorphs")?.unwrap_or(Isomorphs::DEFAULT.forms),
                seed: options.number("seed")?.unwrap_or(Isomorphs::DEFAULT.seed),
            },
        })
    }
}

impl Solving {
    /// Returns the key of a solver that suits these options. A kept solver with the same key can be used again.
    pub(crate) fn solver_key(&self) -> SolverKey {
        (self.variant.name, self.level)
    }

    /// Returns the number of threads, by default all cores. Asking the system for the number of cores takes longer than solving most
    /// puzzles, so this is not done before it is needed.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        self.threads.unwrap_or_else(cores)
    }
}

fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Returns a number that must not be 0.
///
/// # Errors
/// `ValueError` names the option.
pub(crate) fn at_least_one(option: &str, number: u64) -> PyResult<NonZeroU64> {
    NonZeroU64::new(number).ok_or_else(|| unusable(format!("{option}=0: give 1 or more, or leave it out")))
}

fn max_time(seconds: f64) -> PyResult<Duration> {
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| unusable(format!("max_time_per_puzzle={seconds}: give seconds above 0, such as 0.5")))
}

/// The part of `dedupe` for puzzles in memory. It only computes the grid by which duplicates are recognized, and the notes
/// on malformed rows.
const DEDUPE_ROWS: Verb =
    Verb { columns: &[columns::PUZZLE, columns::CANONICAL_FORM, columns::DEDUPE[2]], ..DEDUPE };

/// The part of `overlap` for rows in memory. It only computes the fingerprints of one dataset. They are compared later, when the
/// fingerprints of both the training data and the test data exist.
const OVERLAP_ROWS: Verb = Verb { columns: &overlap::PRINTS, default: &overlap::PRINTS, ..OVERLAP };

/// A verb of `sudobench` that Python code requests by its name.
#[derive(Clone, Copy)]
pub(crate) struct RequestedVerb(pub(crate) Verb);

impl RequestedVerb {
    /// Returns the columns with these names.
    ///
    /// # Errors
    ///
    /// `ValueError` if a name is unknown or occurs twice.
    pub(crate) fn columns(self, names: &[String]) -> PyResult<Vec<Column>> {
        columns::parse(&names.join(","), self.0.columns).map_err(unusable)
    }

    /// Reads the options for solving. For `check`, also validates `max_solutions`.
    ///
    /// # Errors
    /// As [`Solving::from_keywords`]. For `check`, also `ValueError` if `max_solutions` is 1.
    pub(crate) fn solving(self, options: &Keywords<'_>) -> PyResult<Solving> {
        let solving = Solving::from_keywords(options)?;
        if self.0.name == CHECK.name {
            let max_solutions = solving.question.max_solutions.get();
            let check = CheckOptions { max_solutions, ..Default::default() };
            check.check().map_err(|error| refused(&error))?;
        }
        Ok(solving)
    }

    /// Returns the default options for adding the columns of this verb to a table.
    pub(crate) fn options(self) -> Options {
        Options::new(&self.0)
    }
}

impl FromPyObject<'_, '_> for RequestedVerb {
    type Error = PyErr;

    fn extract(name: Borrowed<'_, '_, PyAny>) -> PyResult<RequestedVerb> {
        let name: String = name.extract()?;
        let verb = [SOLVE, CANONICAL, CHECK, RATE, DEDUPE_ROWS, OVERLAP_ROWS]
            .into_iter()
            .find(|verb| verb.name == name);
        verb.map(RequestedVerb).ok_or_else(|| unusable(format!("there is no verb {name:?}")))
    }
}

/// Returns the kinds of changes in a list such as `digits,transpose`; all kinds if there is no list.
///
/// # Errors
/// `ValueError` if the list contains an unknown name.
pub(crate) fn kinds(names: Option<&str>) -> PyResult<ChangeKinds> {
    let names = names.map(|names| names.parse().map_err(|error| unusable(format!("kinds: {error}"))));
    Ok(names.transpose()?.unwrap_or_default())
}

/// Reads the choice of a column: its name, or its number from 1. `option` is the name of the option, for messages.
///
/// # Errors
/// `TypeError` if `key` is neither a name nor a number.
pub(crate) fn column_choice(option: &str, key: Option<&Bound<'_, PyAny>>) -> PyResult<Option<ColumnChoice>> {
    let Some(key) = key else { return Ok(None) };
    if let Ok(name) = key.extract() {
        return Ok(Some(ColumnChoice::Name(name)));
    }
    let number = key.extract().map_err(|_| wrong_type(option, key, "a name, or a number from 1"))?;
    Ok(Some(ColumnChoice::Number(number)))
}
