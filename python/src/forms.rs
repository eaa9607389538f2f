//! Makes equivalent forms of boards in arrays, in texts and in Arrow tables.

use std::error::Error;
use std::num::NonZeroUsize;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader as _};
use arrow_schema::ArrowError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3_arrow::input::AnyRecordBatch;
use sudobench_rows::columns::{self, Column};
use sudobench_rows::source::{ColumnChoice, Input, Options};
use sudobench_rows::verbs::{FormChoice, TransformOptions};
use sudobench_rows::{BoardForms, Boards, BoardsError, Draws, RunError, Transform, Watch};
use sudobench_sudoku::isomorph::Transformation;
use sudobench_tables::{RowForms, TableForms, TableLayout};

use crate::errors::{refused, unusable};
use crate::input::Rows;
use crate::interruptible;
use crate::memory::Memory;
use crate::options::{Keywords, at_least_one, column_choice, kinds, threads_or_cores, wrong_type};
use crate::progress::Progress;
use crate::tables::SolvedTable;

const DEFAULT_SEED: u64 = 1;

/// The requested transformations of boards.
enum RowTransform {
    /// One request for all boards: random forms, one given transformation, or the canonical form.
    Drawn(Transform, Draws),
    /// A transformation for each board.
    Given(Vec<Transformation>),
}

impl RowTransform {
    fn from_keywords(options: &Keywords<'_>) -> PyResult<RowTransform> {
        let (seed, draws) = draws(options)?;
        let inverse = options.flag("inverse")?;
        let (apply, given) = match options.value("apply")? {
            None => (None, None),
            Some(apply) => match apply.extract::<String>() {
                Ok(notation) => (Some(turned(&notation, inverse)?), None),
                // `apply` is a list. The options are checked with the identity, because the checks are the same for all transformations.
                Err(_) => (Some(Transformation::identity()), Some(each_turned(&apply, inverse)?)),
            },
        };
        if inverse && apply.is_none() {
            return Err(unusable(
                "inverse=True needs apply or, for tables, apply_column: the transformations that lead to the forms",
            ));
        }
        let random = options.number("random")?.map(|forms| at_least_one("random", forms)).transpose()?;
        let asked = TransformOptions {
            random,
            seed,
            kinds: options.text("kinds")?.map(|names| kinds(Some(&names))).transpose()?,
            include_original: options.flag("include_original")?,
            apply,
            to: match options.text("to")?.as_deref() {
                None => None,
                Some("canonical") => Some(FormChoice::Canonical),
                Some(other) => {
                    return Err(unusable(format!("to={other:?}: the only choice is 'canonical'")));
                }
            },
            ..TransformOptions::default()
        };
        let transform = asked.transform().map_err(|error| refused(&error))?;
        Ok(match given {
            Some(given) => RowTransform::Given(given),
            None => RowTransform::Drawn(transform, draws),
        })
    }

    /// Returns the number of forms that each board gets.
    fn forms(&self) -> u64 {
        match self {
            RowTransform::Drawn(transform, _) => transform.forms(),
            RowTransform::Given(_) => 1,
        }
    }

    /// Returns the forms of puzzles and of their solutions.
    fn boards(
        &self,
        puzzles: Boards<'_>,
        solutions: Option<Boards<'_>>,
        threads: NonZeroUsize,
        watch: &Watch,
    ) -> Result<BoardForms, BoardsError> {
        let given = match self {
            RowTransform::Drawn(transform, draws) => {
                return transform.boards(puzzles, solutions, draws, threads, watch);
            }
            RowTransform::Given(given) => given,
        };
        let lengths = solutions.map(|solutions| (puzzles.len(), solutions.len()));
        if let Some((puzzles, solutions)) = lengths.filter(|(puzzles, solutions)| puzzles != solutions) {
            return Err(BoardsError::Lengths { puzzles, solutions });
        }
        let forms = puzzles.transformed(given, threads, watch)?.into_flattened();
        let Some(solutions) = solutions else {
            return Ok(BoardForms { puzzles: forms, solutions: Vec::new() });
        };
        // The rows were counted when the puzzles were transformed. They must not be counted again for the solutions.
        let uncounted = Watch { done: Arc::default(), ..watch.clone() };
        let solved = solutions.transformed(given, threads, &uncounted).map_err(|error| match error {
            BoardsError::Board { row, fault, .. } => BoardsError::Board { what: "solution", row, fault },
            error => error,
        })?;
        Ok(BoardForms { puzzles: forms, solutions: solved.into_flattened() })
    }

    /// Returns the transformations that lead to the forms of puzzles.
    fn transformations(&self, puzzles: Boards<'_>) -> Result<Vec<Transformation>, BoardsError> {
        match self {
            RowTransform::Drawn(transform, draws) => transform.transformations_for(puzzles, draws),
            RowTransform::Given(given) => Ok(given.clone()),
        }
    }
}

/// Reads the options `seed` and `by`, which decide how random forms are drawn. Returns the seed and the draws.
///
/// # Errors
/// `ValueError` and `TypeError` for wrong values. `ValueError` if one of the options is not at its default, but there are no random forms.
fn draws(options: &Keywords<'_>) -> PyResult<(u64, Draws)> {
    let (seed, seeds) = seeds(options)?;
    let by_row = match options.text("by")?.as_deref() {
        None | Some("puzzle") => false,
        Some("row") => true,
        Some(other) => return Err(unusable(format!("by={other:?}: choose 'puzzle' or 'row'"))),
    };
    if (by_row || seeds.is_some() || seed != DEFAULT_SEED) && options.value("random")?.is_none() {
        return Err(unusable("only random=N uses seed and by: add it, or leave them out"));
    }
    Ok((seed, Draws { seeds, by_row }))
}

/// Returns the seed and `None`. If the option has a seed for each row, returns 0 and these seeds instead.
fn seeds(options: &Keywords<'_>) -> PyResult<(u64, Option<Vec<u64>>)> {
    let Some(value) = options.value("seed")? else { return Ok((DEFAULT_SEED, None)) };
    if value.hasattr("__len__")? && !value.is_instance_of::<PyString>() {
        let fault = |_| wrong_type("seed", &value, "whole numbers from 0, one for each row");
        let list = if value.hasattr("tolist")? { value.call_method0("tolist")? } else { value.clone() };
        return Ok((0, Some(list.extract().map_err(fault)?)));
    }
    Ok((options.number("seed")?.unwrap_or(DEFAULT_SEED), None))
}

/// Returns the forms of boards, and the forms of their solutions if they are given.
///
/// # Errors
///
/// `ValueError` and `TypeError` for wrong options, `ValueError` for wrong boards; `MemoryError` if there are too many forms.
#[pyfunction]
pub(crate) fn transform_boards<'py>(
    py: Python<'py>,
    puzzles: &Rows,
    solutions: Option<&Bound<'py, Rows>>,
    options: Keywords<'py>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let transform = RowTransform::from_keywords(&options)?;
    let threads = threads_or_cores(options.value("threads")?.as_ref())?;
    let formed = puzzles.with_boards(py, "puzzle", |puzzles| {
        let progress = Progress::new(progress, Some(puzzles.len()));
        let forms = usize::try_from(transform.forms()).unwrap_or(usize::MAX).saturating_mul(puzzles.len());
        let run = |solutions: Option<Boards>| {
            interruptible::run_on(py, forms, &progress, |watch| {
                transform.boards(puzzles, solutions, threads, watch)
            })
        };
        match solutions {
            Some(rows) => rows.get().with_boards(py, "solution", |solutions| run(Some(solutions))),
            None => run(None),
        }
    })?;
    let forms = formed.map_err(boards_error)?;
    Ok((
        Memory::from_boards(forms.puzzles).into_numpy(py)?,
        Memory::from_boards(forms.solutions).into_numpy(py)?,
    ))
}

fn boards_error(error: BoardsError) -> PyErr {
    match error {
        BoardsError::TooMany { .. } => PyMemoryError::new_err(error.to_string()),
        BoardsError::Run(RunError::Interrupted) => PyKeyboardInterrupt::new_err(()),
        error => unusable(error),
    }
}

/// Returns the transformations that lead to the forms of boards, as texts in the notation of `apply`.
///
/// # Errors
/// `ValueError` and `TypeError` for wrong options, `ValueError` for wrong boards.
#[pyfunction]
pub(crate) fn transformations(
    py: Python<'_>,
    puzzles: &Rows,
    options: Keywords<'_>,
) -> PyResult<Vec<String>> {
    let transform = RowTransform::from_keywords(&options)?;
    let drawn =
        puzzles.with_boards(py, "puzzle", |puzzles| transform.transformations(puzzles).map_err(unusable))?;
    Ok(drawn.iter().map(ToString::to_string).collect())
}

/// Reads a transformation for each board. Returns the inverse transformations if `inverse` is true.
fn each_turned(apply: &Bound<'_, PyAny>, inverse: bool) -> PyResult<Vec<Transformation>> {
    let fault = |_| wrong_type("apply", apply, "a transformation, or one for each board");
    let notations: Vec<String> = apply.extract().map_err(fault)?;
    notations.iter().map(|notation| turned(notation, inverse)).collect()
}

/// Reads a transformation. Returns the inverse transformation if `inverse` is true.
fn turned(notation: &str, inverse: bool) -> PyResult<Transformation> {
    parse(notation).map(|found| if inverse { found.inverse() } else { found })
}

fn parse(notation: &str) -> PyResult<Transformation> {
    notation.parse().map_err(|error| unusable(format!("apply={notation:?}: {error}")))
}

/// The transformations for the rows of a table.
enum TableTransform {
    Rows(RowTransform),
    /// The column that has a transformation for each row, and whether to apply the inverse transformations.
    Column(ColumnChoice, bool),
}

impl TableTransform {
    fn from_keywords(options: &Keywords<'_>) -> PyResult<TableTransform> {
        let column = column_choice("apply_column", options.value("apply_column")?.as_ref())?;
        let Some(column) = column else {
            return RowTransform::from_keywords(options).map(TableTransform::Rows);
        };
        draws(options)?;
        let mut has_other = options.flag("include_original")?;
        for other in ["random", "apply", "to", "kinds"] {
            has_other |= options.value(other)?.is_some();
        }
        if has_other {
            return Err(unusable("pass one of random=N, apply=, apply_column=COLUMN and to='canonical'"));
        }
        Ok(TableTransform::Column(column, options.flag("inverse")?))
    }
}

/// Returns a table with the equivalent forms of each row. If `whole` is true, all forms are made now. Otherwise the forms of each batch are
/// made when the batch is requested. `rows` is the number of rows of the table, if known. Each row has its own transformation if `apply` is
/// a list of transformations, or if `apply_column` names a column of transformations. With `inverse`, the inverse transformations are
/// applied. `only_boards`: see [`TableForms::new`].
///
/// # Errors
///
/// `ValueError` and `TypeError` for wrong options, `ValueError` for wrong columns and for an error of the table's stream, and any exception
/// of the table when its stream is opened.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "only Python code calls it, with all its arguments")]
pub(crate) fn transform_table<'py>(
    py: Python<'py>,
    table: AnyRecordBatch,
    column: Option<Bound<'py, PyAny>>,
    solution_column: Option<Bound<'py, PyAny>>,
    columns: Vec<String>,
    options: Keywords<'py>,
    only_boards: bool,
    whole: bool,
    rows: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<SolvedTable> {
    let forms = TableTransform::from_keywords(&options)?;
    let threads = threads_or_cores(options.value("threads")?.as_ref())?;
    let columns: Vec<Column> = match columns.is_empty() {
        true => Vec::new(),
        false => columns::parse(&columns.join(","), &columns::TRANSFORM).map_err(unusable)?,
    };
    let options = Options {
        puzzle_column: column_choice("column", column.as_ref())?,
        solution_column: column_choice("solution_column", solution_column.as_ref())?,
        ..Options::default()
    };
    let mut batches = table.into_reader()?;
    let progress = Progress::new(progress, rows);
    let work = move |watch: &Watch| -> Result<SolvedTable, Box<dyn Error + Send + Sync>> {
        let mut read = Vec::new();
        let mut sample = RecordBatch::new_empty(batches.schema());
        while sample.num_rows() == 0
            && let Some(batch) = batches.next().transpose()?
        {
            sample = batch.clone();
            read.push(batch);
        }
        let input = Input::Reader("the table".to_owned());
        let layout = TableLayout::new(&input, &sample, &options)?;
        let (forms, expected) = match forms {
            TableTransform::Rows(RowTransform::Drawn(transform, draws)) => {
                let seeds = draws.seeds.as_ref().map(Vec::len);
                (RowForms::Drawn(transform, draws), seeds)
            }
            TableTransform::Rows(RowTransform::Given(given)) => {
                let rows = given.len();
                (RowForms::Given(given), Some(rows))
            }
            TableTransform::Column(choice, inverse) => {
                (RowForms::Column { number: layout.column(&input, &choice)?, inverse }, None)
            }
        };
        let are_seeds = matches!(forms, RowForms::Drawn(..));
        let forms = TableForms::new(layout, forms, &columns, only_boards, threads)?;
        let (schema, watch) = (Arc::clone(forms.schema()), watch.clone());
        let mut rows = 0;
        // `None` marks the end of the table.
        let all = read.into_iter().map(Ok).chain(batches).map(Some).chain([None]).flat_map(move |batch| {
            let Some(batch) = batch else {
                let error = |given| match are_seeds {
                    true => BoardsError::Seeds { puzzles: rows, seeds: given },
                    false => BoardsError::Transformations { boards: rows, transformations: given },
                };
                let error = expected.filter(|&expected| expected != rows).map(error);
                return error
                    .map(|error| Err(ArrowError::ExternalError(Box::new(error))))
                    .into_iter()
                    .collect();
            };
            let formed = batch.and_then(|batch| {
                rows += batch.num_rows();
                forms.transform(&batch, rows - batch.num_rows(), &watch)
            });
            match formed {
                Ok(batches) => batches.into_iter().map(Ok).collect::<Vec<_>>(),
                Err(error) => vec![Err(error)],
            }
        });
        Ok(SolvedTable::from_stream(RecordBatchIterator::new(all, schema), whole)?)
    };
    interruptible::run(py, &progress, work)?.map_err(|error| unusable(error.as_ref()))
}
