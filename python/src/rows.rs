//! Answers to many puzzles in memory, as columns.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int8Type, UInt8Type, UInt64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int8Array, StringArray};
use arrow_schema::{ArrowError, Field};
use arrow_select::concat::concat;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use pyo3_arrow::ffi::to_array_pycapsules;
use sudobench_rows::columns::{Column, Holds};
use sudobench_sudoku::Question;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_tables::{Puzzles, TableError};

use crate::errors::{conversion_error, table_error, unusable};
use crate::input::Rows;
use crate::interruptible;
use crate::kept::table_solver;
use crate::memory::Memory;
use crate::options::{Keywords, RequestedVerb, Solving};
use crate::progress::Progress;

/// A column of the answers to many puzzles, with a value for each row.
pub(crate) enum RawColumn {
    /// One number for each row, or 81 numbers for a grid. A missing value is 0.
    Numbers(Memory),
    /// Texts of a fixed list, such as the names of statuses: for each row, the position of its text in the list; then the list.
    Words(Memory, Vec<String>),
    /// The texts that exist, with the numbers of their rows.
    Texts(Vec<(usize, String)>),
}

pub(crate) type RawColumns = BTreeMap<&'static str, RawColumn>;

/// Returns the columns of a verb for puzzles. A column is an array of numbers, a pair (an array and a list of texts), or a dictionary that
/// maps row numbers to texts. In a pair, the array has for each row the position of its text in the list.
///
/// # Errors
/// `ValueError` and `TypeError` for wrong options.
#[pyfunction]
pub(crate) fn columns_of<'py>(
    py: Python<'py>,
    rows: &Rows,
    verb: RequestedVerb,
    columns: Vec<String>,
    options: Keywords<'py>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (columns, solving) = (verb.columns(&columns)?, verb.solving(&options)?);
    let raw = rows.with_puzzles(py, |mut chunks| {
        if chunks.is_empty() {
            // Adds an empty chunk, so that the result has columns.
            chunks.push(Puzzles::from_values(&[]));
        }
        answer(py, &columns, &solving, chunks, progress)
    })?;
    to_python(py, raw)
}

/// Returns a dictionary array of Arrow as two capsules: one of its schema, one of its data. `codes` has for each row the position of its
/// word in `words`, or -1 for no word.
///
/// # Errors
/// `ValueError` if a code other than -1 is not the position of a word in `words`, or if the requested type isn't supported.
#[pyfunction]
#[pyo3(signature = (codes, words, requested_schema))]
pub(crate) fn words_to_arrow<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray1<'py, i8>,
    words: Vec<String>,
    requested_schema: Option<Bound<'py, PyCapsule>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let codes: Int8Array = codes.as_array().iter().map(|&code| (code != -1).then_some(code)).collect();
    let array = DictionaryArray::<Int8Type>::try_new(codes, Arc::new(StringArray::from(words)));
    let array = array.map_err(unusable)?;
    let field = Field::new("", array.data_type().clone(), true);
    to_array_pycapsules(py, Arc::new(field), &array, requested_schema).map_err(conversion_error)
}

/// Answers the chunks one after the other.
fn answer(
    py: Python<'_>,
    columns: &[Column],
    solving: &Solving,
    chunks: Vec<Puzzles<'_>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<RawColumns> {
    let chunks: Vec<Puzzles> = chunks.into_iter().map(Puzzles::solutions_as_values).collect();
    let puzzles = chunks.iter().map(Puzzles::len).sum();
    let solver = table_solver(py, solving, puzzles)?;
    let progress = Progress::new(progress, Some(puzzles));
    let solved = interruptible::run_on(py, puzzles, &progress, |watch| {
        let question = Question { cancel: Some(Arc::clone(&watch.cancel)), ..solving.question.clone() };
        let solved = chunks.iter().map(|puzzles| {
            let (isomorphs, done) = (solving.isomorphs, &watch.done);
            Ok(solver.solve_over(puzzles, None, &question, isomorphs, columns, done)?.arrays)
        });
        raw(columns, &solved.collect::<Result<Vec<_>, TableError>>()?)
    })?;
    solved.map_err(table_error)
}

/// Returns columns as Python objects.
pub(crate) fn to_python(py: Python<'_>, columns: RawColumns) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, column) in columns {
        match column {
            RawColumn::Numbers(numbers) => dict.set_item(name, numbers.into_numpy(py)?)?,
            RawColumn::Words(numbers, words) => dict.set_item(name, (numbers.into_numpy(py)?, words))?,
            RawColumn::Texts(texts) => {
                let of_rows = PyDict::new(py);
                for (row, text) in texts {
                    of_rows.set_item(row, text)?;
                }
                dict.set_item(name, of_rows)?;
            }
        }
    }
    Ok(dict)
}

/// Joins the answer columns of all chunks of the input. If there is a single chunk, its columns are not copied.
pub(crate) fn raw(columns: &[Column], chunks: &[Vec<ArrayRef>]) -> Result<RawColumns, TableError> {
    let joined = |number: usize| -> Result<ArrayRef, ArrowError> {
        let mut parts = chunks.iter().filter_map(|chunk| chunk.get(number));
        match (parts.next(), parts.next()) {
            (Some(only), None) => Ok(Arc::clone(only)),
            _ => concat(&chunks.iter().filter_map(|chunk| Some(&**chunk.get(number)?)).collect::<Vec<_>>()),
        }
    };
    let named = columns
        .iter()
        .enumerate()
        .map(|(number, column)| Ok((column.name, raw_column(column, joined(number)?))));
    named.collect()
}

fn raw_column(column: &Column, array: ArrayRef) -> RawColumn {
    let rows = array.len();
    match column.holds {
        Holds::Solution | Holds::Puzzle(_) => {
            let cells = Arc::clone(array.as_fixed_size_list().values());
            RawColumn::Numbers(Memory::from_array::<UInt8Type>(cells, vec![rows, CELLS]))
        }
        Holds::Status | Holds::Words(..) => {
            let words = array.as_dictionary::<Int8Type>();
            let keys = match words.keys().null_count() {
                0 => words.keys().clone(),
                _ => words.keys().iter().map(|key| Some(key.unwrap_or(-1))).collect(),
            };
            let numbers = Memory::from_array::<Int8Type>(Arc::new(keys), vec![rows]);
            RawColumn::Words(
                numbers,
                words.values().as_string::<i32>().iter().flatten().map(str::to_owned).collect(),
            )
        }
        Holds::Note | Holds::Text(_) => {
            let texts = array.as_string::<i32>();
            let text = |row| (row, texts.value(row).to_owned());
            // Usually all rows are null. Iterating over the valid indices checks 64 rows in one step.
            RawColumn::Texts(match texts.nulls() {
                Some(nulls) => nulls.valid_indices().map(text).collect(),
                None => (0..rows).map(text).collect(),
            })
        }
        Holds::OutcomeNumber(_) | Holds::Number(_) => {
            RawColumn::Numbers(Memory::from_array::<UInt64Type>(array, vec![rows]))
        }
        Holds::Decimal(..) | Holds::Real(_) => {
            RawColumn::Numbers(Memory::from_array::<Float64Type>(array, vec![rows]))
        }
    }
}
