//! Arrow tables that Python functions return, and columns with answers that are added to Arrow tables.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, Field, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use pyo3_arrow::input::AnyRecordBatch;
use sudobench_rows::Watch;
use sudobench_sudoku::Question;
use sudobench_tables::BatchSolver;

use crate::errors::{arrow_error, conversion_error, unusable};
use crate::interruptible;
use crate::kept::table_solver;
use crate::options::{Keywords, RequestedVerb, column_choice};
use crate::progress::Progress;

/// A table of Arrow that a function returns, for libraries that read Arrow streams. Batches that are made on request can be read only once.
#[pyclass(frozen, module = "sudobench")]
pub(crate) struct SolvedTable {
    schema: SchemaRef,
    batches: Batches,
}

enum Batches {
    Whole(Vec<RecordBatch>),
    Stream(Mutex<Option<Box<dyn RecordBatchReader + Send>>>),
}

impl SolvedTable {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> SolvedTable {
        SolvedTable { schema, batches: Batches::Whole(batches) }
    }

    /// Makes a table from the batches of a stream. If `whole` is true, all batches are read now. Otherwise each batch is read when it is
    /// requested.
    ///
    /// # Errors
    /// Errors of the stream.
    pub(crate) fn from_stream(
        stream: impl RecordBatchReader + Send + 'static,
        whole: bool,
    ) -> Result<SolvedTable, ArrowError> {
        let schema = stream.schema();
        Ok(match whole {
            true => SolvedTable::new(schema, stream.collect::<Result<_, _>>()?),
            false => SolvedTable { schema, batches: Batches::Stream(Mutex::new(Some(Box::new(stream)))) },
        })
    }

    fn reader(&self) -> PyResult<Box<dyn RecordBatchReader + Send>> {
        match &self.batches {
            Batches::Whole(batches) => {
                let batches = batches.clone().into_iter().map(Ok);
                Ok(Box::new(RecordBatchIterator::new(batches, Arc::clone(&self.schema))))
            }
            Batches::Stream(stream) => {
                let stream = stream.lock().unwrap_or_else(PoisonError::into_inner).take();
                stream.ok_or_else(|| {
                    unusable("this stream was already read: call the function again to get a new one")
                })
            }
        }
    }
}

#[pymethods]
impl SolvedTable {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.schema.as_ref())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let field = Field::new_struct("", self.schema.fields().clone(), false);
        let field = field.with_metadata(self.schema.metadata().clone());
        let arrays = self.reader()?.map(|batch| Ok(Arc::new(StructArray::from(batch?)) as ArrayRef));
        let arrays = Box::new(ArrayIterator::new(arrays, Arc::new(field)));
        to_stream_pycapsule(py, arrays, requested_schema).map_err(conversion_error)
    }

    fn __repr__(&self) -> String {
        let columns =
            self.schema.fields().iter().map(|field| format!("{}: {}", field.name(), field.data_type()));
        format!("<sudobench.SolvedTable of {}>", columns.collect::<Vec<_>>().join(", "))
    }
}

/// Adds columns to a table. If `whole` is true, the columns are added to the whole table now. Otherwise they are added to each batch when
/// the batch is requested. `rows` is the number of rows of the table, if known.
///
/// # Errors
///
/// `ValueError` and `TypeError` for wrong options, `ValueError` for wrong columns and for an error of the table's stream, and any exception
/// of the table when its stream is opened.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the Python code passes each argument")]
pub(crate) fn add_columns<'py>(
    py: Python<'py>,
    table: AnyRecordBatch,
    column: Option<Bound<'py, PyAny>>,
    solution_column: Option<Bound<'py, PyAny>>,
    verb: RequestedVerb,
    columns: Vec<String>,
    options: Keywords<'py>,
    whole: bool,
    rows: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<SolvedTable> {
    let solving = verb.solving(&options)?;
    let mut options = verb
        .options()
        .columns(&columns.join(","))
        .map_err(arrow_error)?
        .isomorphs(solving.isomorphs)
        .restore_zeros(solving.restore_zeros);
    if let Some(column) = column_choice("column", column.as_ref())? {
        options = options.puzzle_column(column);
    }
    if let Some(column) = column_choice("solution_column", solution_column.as_ref())? {
        options = options.solution_column(column);
    }
    let batches = table.into_reader()?;
    let solver = table_solver(py, &solving, usize::MAX)?;
    let progress = Progress::new(progress, rows);
    let solved = interruptible::run(py, &progress, |watch| {
        let Watch { cancel, done } = watch.clone();
        let question = Question { cancel: Some(cancel), ..solving.question };
        let solver = BatchSolver::with_solver(solver, &options.question(question).done(done));
        Ok(SolvedTable::from_stream(solver.stream(batches)?, whole)?)
    })?;
    solved.map_err(arrow_error)
}
