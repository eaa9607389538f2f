//! Generates puzzles in memory.

use std::iter;
use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int8Type, UInt8Type};
use arrow_array::{
    Array as _, ArrayRef, DictionaryArray, FixedSizeListArray, Float64Array, Int8Array, RecordBatch,
    StringArray, UInt64Array,
};
use arrow_schema::ArrowError;
use arrow_select::coalesce::BatchCoalescer;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sudobench_rows::columns::{Column, Holds, PUZZLE, Value, scale};
use sudobench_rows::{AnsweredRow, Sink};
use sudobench_sudoku::Status;
use sudobench_sudoku::puzzle::CELLS;

use crate::errors::{NotGenerated, table_error, unusable};
use crate::export::texts_of_boards;
use crate::file::{job, valid, watched};
use crate::rows::{raw, to_python};
use crate::tables::SolvedTable;

/// Number of rows of a record batch. Blocks are combined into batches of this size, because a block may have only one row.
const ROWS_OF_BATCH: usize = 1 << 16;

/// Makes puzzles. `keywords` is a JSON object with the options of `generate` and the columns to return besides `puzzle`. `progress` is
/// called regularly and at the end, with the number of finished puzzles and the share of the work that is done.
///
/// # Errors
///
/// `ValueError` if the request is impossible. `NotGenerated` if a puzzle is not found; the attribute `made` of this exception has the
/// puzzles that were made before.
#[pyfunction]
pub(crate) fn generate<'py>(
    py: Python<'py>,
    keywords: &str,
    threads: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let Made { columns, blocks, ended } = make(py, keywords, threads, progress)?;
    unless_stopped(py, to_python(py, raw(&columns, &blocks).map_err(table_error)?)?, ended)
}

/// Makes puzzles as a table, in which boards are texts.
///
/// # Errors
/// As [`generate`].
#[pyfunction]
pub(crate) fn generate_table(
    py: Python<'_>,
    keywords: &str,
    threads: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<SolvedTable> {
    let Made { columns, blocks, ended } = make(py, keywords, threads, progress)?;
    unless_stopped(py, py.detach(|| table(&columns, blocks)).map_err(unusable)?, ended)
}

/// Returns the result, or the exception that ended the work. The attribute `made` of the exception has the puzzles found so far.
fn unless_stopped<'py, T: IntoPyObjectExt<'py>>(
    py: Python<'py>,
    made: T,
    ended: PyResult<()>,
) -> PyResult<T> {
    let Err(exception) = ended else { return Ok(made) };
    exception.value(py).setattr("made", made.into_py_any(py)?)?;
    Err(exception)
}

/// The generated puzzles.
struct Made {
    columns: Vec<Column>,
    /// For each block of puzzles, an array for each column.
    blocks: Vec<Vec<ArrayRef>>,
    /// [`NotGenerated`] if a puzzle was not found.
    ended: PyResult<()>,
}

fn make(
    py: Python<'_>,
    keywords: &str,
    threads: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made> {
    let job = valid(job("generate", keywords)?)?;
    let columns = [&[PUZZLE][..], &job.output.columns].concat();
    let words: Vec<ArrayRef> = columns.iter().map(words_of).collect();
    let arrays = |rows: &[AnsweredRow]| -> Vec<ArrayRef> {
        columns.iter().zip(&words).map(|(column, words)| array(column, words, rows)).collect()
    };
    let mut blocks = Vec::new();
    let sink = Sink::puzzles(|block| {
        let rows: Vec<AnsweredRow> = block.rows().collect();
        blocks.push(arrays(&rows));
        ControlFlow::Continue(())
    });
    let ended = watched(py, &job, threads, progress, |how| job.look(&how, &job.output.columns, sink));
    let ended = match ended {
        Err(exception) if !exception.is_instance_of::<NotGenerated>(py) => return Err(exception),
        ended => ended.map(drop),
    };
    if blocks.is_empty() {
        // Adds an empty block, so that the result has its columns even if no puzzle was made.
        blocks.push(arrays(&[]));
    }
    Ok(Made { columns, blocks, ended })
}

/// Returns the fixed list of texts that are the possible values of a column, such as the names of statuses. Returns an empty array for a
/// column without such a list.
fn words_of(column: &Column) -> ArrayRef {
    let words = match column.holds {
        Holds::Status => Status::ALL.iter().map(|status| status.name()).collect(),
        Holds::Words(words, _) => words.to_vec(),
        _ => Vec::new(),
    };
    Arc::new(StringArray::from(words))
}

/// Returns the values of a column for the rows of a block. Boards are lists of 81 numbers. `words` is the result of [`words_of`] for the
/// column.
fn array(column: &Column, words: &ArrayRef, rows: &[AnsweredRow]) -> ArrayRef {
    let values = rows.iter().map(|row| column.value(row));
    match column.holds {
        Holds::Solution | Holds::Puzzle(_) => {
            let cells = values.map(|value| {
                let cells = match value? {
                    Value::Solution(solution) => *solution.values(),
                    Value::Puzzle(puzzle) => *puzzle.values(),
                    _ => return None,
                };
                Some(cells.map(Some))
            });
            Arc::new(FixedSizeListArray::from_iter_primitive::<UInt8Type, _, _>(cells, CELLS as i32))
        }
        Holds::Status | Holds::Words(..) => {
            let number = |value| match value {
                Some(Value::Word(word)) => {
                    words.as_string::<i32>().iter().position(|other| other == Some(word))
                }
                _ => None,
            };
            let numbers: Int8Array = values.map(|value| number(value).map(|number| number as i8)).collect();
            Arc::new(DictionaryArray::<Int8Type>::new(numbers, Arc::clone(words)))
        }
        Holds::OutcomeNumber(_) | Holds::Number(_) => {
            let number = |value| if let Some(Value::Number(number)) = value { Some(number) } else { None };
            Arc::new(values.map(number).collect::<UInt64Array>())
        }
        Holds::Decimal(..) | Holds::Real(_) => {
            let number = |value| match value {
                Some(Value::Decimal { places, units }) => Some(units as f64 / scale(places) as f64),
                Some(Value::Real(number)) => Some(number),
                _ => None,
            };
            Arc::new(values.map(number).collect::<Float64Array>())
        }
        Holds::Note | Holds::Text(_) => {
            let text = |value| if let Some(Value::Text(text)) = value { Some(text) } else { None };
            Arc::new(values.map(text).collect::<StringArray>())
        }
    }
}

/// Returns a table of the blocks, in which boards are texts.
fn table(columns: &[Column], blocks: Vec<Vec<ArrayRef>>) -> Result<SolvedTable, ArrowError> {
    let block = |arrays: Vec<ArrayRef>| {
        let arrays = columns.iter().zip(arrays).map(|(column, array)| {
            let array = if column.holds_cells() { texts_of(&array)? } else { array };
            Ok((column.name, array, true))
        });
        RecordBatch::try_from_iter_with_nullable(arrays.collect::<Result<Vec<_>, ArrowError>>()?)
    };
    let blocks = blocks.into_iter().map(block).collect::<Result<Vec<_>, _>>()?;
    let schema = blocks[0].schema();
    let mut batches = BatchCoalescer::new(Arc::clone(&schema), ROWS_OF_BATCH);
    for block in blocks {
        batches.push_batch(block)?;
    }
    batches.finish_buffered_batch()?;
    Ok(SolvedTable::new(schema, iter::from_fn(|| batches.next_completed_batch()).collect()))
}

fn texts_of(boards: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let cells = boards.as_fixed_size_list().values().as_primitive::<UInt8Type>().values();
    Ok(Arc::new(texts_of_boards(cells, boards.nulls().cloned())?))
}
