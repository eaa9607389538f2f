//! Boards in other forms: arrays and texts of numpy, and tables of Arrow.

use std::error::Error;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader as _};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use sudobench_rows::columns::{self, Column};
use sudobench_rows::source::{ColumnChoice, Input, Options};
use sudobench_rows::{Boards, BoardsError, Transform};
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_tables::{TableForms, TableLayout};

use crate::errors::unusable;
use crate::interruptible;
use crate::memory::Memory;
use crate::options::{ColumnKey, threads_or_cores};
use crate::tables::SolvedTable;

/// Which forms, as it was typed.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct FormsOptions {
    random: Option<u64>,
    seed: u64,
    apply: Option<String>,
    to: Option<String>,
    threads: Option<usize>,
}

impl FormsOptions {
    fn transform(&self) -> PyResult<Transform> {
        match (self.random, &self.apply, self.to.as_deref()) {
            (Some(forms), None, None) => {
                let forms = NonZeroU64::new(forms).ok_or_else(|| unusable("random=0: give 1 or more"))?;
                Ok(Transform::Random { forms, seed: self.seed })
            }
            (None, Some(notation), None) => {
                let transformation: Transformation =
                    notation.parse().map_err(|error| unusable(format!("apply={notation:?}: {error}")))?;
                Ok(Transform::Apply(transformation))
            }
            (None, None, Some("canonical")) => Ok(Transform::Canonical),
            (None, None, Some(other)) => {
                Err(unusable(format!("to={other:?}: the only choice is 'canonical'")))
            }
            _ => Err(unusable("pass one of random=N, apply=NOTATION and to='canonical'")),
        }
    }
}

/// Boards, 81 bytes a row: values, or characters.
#[derive(FromPyObject)]
pub(crate) struct RawBoards<'py>(PyReadonlyArray2<'py, u8>, bool);

impl RawBoards<'_> {
    fn boards(&self) -> PyResult<Boards<'_>> {
        let RawBoards(rows, are_texts) = self;
        let (rows, _) = rows.as_slice().map_err(unusable)?.as_chunks::<CELLS>();
        Ok(if *are_texts { Boards::Texts(rows) } else { Boards::Values(rows) })
    }
}

/// The forms of boards, and those of their solutions, if there are any.
///
/// # Errors
/// `ValueError` for options and for what is no board, `MemoryError`.
#[pyfunction]
pub(crate) fn transform_boards<'py>(
    py: Python<'py>,
    puzzles: RawBoards<'py>,
    solutions: Option<RawBoards<'py>>,
    options: FormsOptions,
) -> PyResult<(Memory, Memory)> {
    let (transform, threads) = (options.transform()?, threads_or_cores(options.threads)?);
    let puzzles = puzzles.boards()?;
    let solutions = solutions.as_ref().map(RawBoards::boards).transpose()?;
    let formed = interruptible::run(py, |cancel| transform.boards(puzzles, solutions, threads, cancel))?;
    let forms = formed.map_err(|error| match error {
        BoardsError::TooMany { .. } => PyMemoryError::new_err(error.to_string()),
        BoardsError::Interrupted => PyKeyboardInterrupt::new_err(()),
        error => unusable(error),
    })?;
    Ok((Memory::of_boards(forms.puzzles), Memory::of_boards(forms.solutions)))
}

/// The rows of a table in their forms: all of them now where it is taken as a `whole`, else those of each batch when it is asked for.
///
/// # Errors
/// `ValueError` for options and columns, and what the table's own stream raises.
#[pyfunction]
pub(crate) fn transform_table(
    py: Python<'_>,
    table: AnyRecordBatch,
    column: Option<ColumnKey>,
    solution_column: Option<ColumnKey>,
    columns: Vec<String>,
    options: FormsOptions,
    whole: bool,
) -> PyResult<SolvedTable> {
    let (transform, threads) = (options.transform()?, threads_or_cores(options.threads)?);
    let columns: Vec<Column> = match columns.is_empty() {
        true => Vec::new(),
        false => columns::parse(&columns.join(","), &columns::TRANSFORM).map_err(unusable)?,
    };
    let options = Options {
        puzzle_column: column.map(ColumnChoice::from),
        solution_column: solution_column.map(ColumnChoice::from),
        ..Options::default()
    };
    let mut batches = table.into_reader()?;
    let work = move |cancel: &Arc<AtomicBool>| -> Result<SolvedTable, Box<dyn Error + Send + Sync>> {
        let mut read = Vec::new();
        let mut sample = RecordBatch::new_empty(batches.schema());
        while sample.num_rows() == 0
            && let Some(batch) = batches.next().transpose()?
        {
            sample = batch.clone();
            read.push(batch);
        }
        let layout = TableLayout::of(&Input::Reader("the table".to_owned()), &sample, &options)?;
        let forms = TableForms::new(layout, transform, &columns, threads)?;
        let (schema, cancel) = (Arc::clone(forms.schema()), Arc::clone(cancel));
        let all = read.into_iter().map(Ok).chain(batches).flat_map(move |batch| {
            match batch.and_then(|batch| forms.of(&batch, &cancel)) {
                Ok(batches) => batches.into_iter().map(Ok).collect::<Vec<_>>(),
                Err(error) => vec![Err(error)],
            }
        });
        Ok(SolvedTable::of_stream(RecordBatchIterator::new(all, schema), whole)?)
    };
    interruptible::run(py, work)?.map_err(|error| unusable(error.as_ref()))
}
