//! Many puzzles in memory: arrays of numpy, Arrow's, and lists.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int8Type, UInt8Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString};
use pyo3_arrow::input::AnyArray;
use sudobench_rows::columns::{Column, Holds};
use sudobench_sudoku::Question;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_tables::{Puzzles, TableError};

use crate::errors::{of_table, unusable};
use crate::interruptible;
use crate::kept::table_solver;
use crate::memory::Memory;
use crate::options::{Asked, SolvingOptions};

/// A column of the answers to many puzzles, a value a row.
#[derive(IntoPyObject)]
pub(crate) enum RawColumn {
    /// Numbers, or 81 of them for grids. 0 where there is none.
    Numbers(Memory),
    /// Numbers of words, and the words.
    Words(Memory, Vec<String>),
    /// Those that there are, with the number of their row.
    Texts(Vec<(usize, String)>),
}

/// Columns by their names.
pub(crate) type RawColumns = BTreeMap<&'static str, RawColumn>;

/// Answers for rows of 81 values, 0 for a blank; or of texts, shorter ones with NUL bytes at the end.
///
/// # Errors
/// `ValueError` for options, `TypeError` for another shape.
#[pyfunction]
pub(crate) fn columns_of_rows<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, u8>,
    are_texts: bool,
    verb: Asked,
    columns: Vec<String>,
    options: SolvingOptions,
) -> PyResult<RawColumns> {
    let (bytes, width) = (rows.as_slice().map_err(unusable)?, rows.shape()[1]);
    let no_texts = || unusable(format!("{} bytes are no texts of {width}", bytes.len()));
    answer(py, verb.columns(&columns)?, options, || match are_texts {
        true => Ok(vec![Puzzles::of_texts(bytes, width).ok_or_else(no_texts)?]),
        false => Ok(vec![Puzzles::of_values(bytes.as_chunks::<CELLS>().0)]),
    })
}

/// Answers for a list of `str` and `bytes`; `None` and NaN hold no puzzle.
///
/// # Errors
/// As [`columns_of_rows`].
#[pyfunction]
pub(crate) fn columns_of_list<'py>(
    py: Python<'py>,
    list: Bound<'py, PyList>,
    verb: Asked,
    columns: Vec<String>,
    options: SolvingOptions,
) -> PyResult<RawColumns> {
    let mut texts = LargeBinaryBuilder::with_capacity(list.len(), list.len() * CELLS);
    for (row, item) in list.iter().enumerate() {
        if let Ok(text) = item.cast::<PyString>() {
            texts.append_value(text.to_string_lossy().as_bytes());
        } else if let Ok(bytes) = item.cast::<PyBytes>() {
            texts.append_value(bytes.as_bytes());
        } else if item.is_none() || item.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan()) {
            texts.append_null();
        } else {
            let kind = item.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "item {row} is of type {kind}, but puzzles are str or bytes; numbers lose their leading zeros, so read \
                 puzzles as text"
            )));
        }
    }
    let texts = texts.finish();
    answer(py, verb.columns(&columns)?, options, || Ok(Puzzles::of_array(&texts).into_iter().collect()))
}

/// Answers for an array of Arrow, or a stream of such; and whether the puzzles are texts.
///
/// # Errors
/// As [`columns_of_rows`], and `TypeError` where its type holds no puzzles.
#[pyfunction]
pub(crate) fn columns_of_array(
    py: Python<'_>,
    array: AnyArray,
    verb: Asked,
    columns: Vec<String>,
    options: SolvingOptions,
) -> PyResult<(RawColumns, bool)> {
    let data_type = array.field()?.data_type().clone();
    if matches!(data_type, DataType::Struct(_)) {
        return Err(PyTypeError::new_err(format!(
            "this is a table: pass one of its columns, or call {}_table",
            verb.0.name
        )));
    }
    let chunks: Vec<ArrayRef> = match array {
        AnyArray::Array(array) => vec![array.into_inner().0],
        AnyArray::Stream(stream) => {
            let chunks: Result<_, ArrowError> = stream.into_reader()?.collect();
            chunks.map_err(unusable)?
        }
    };
    let no_puzzles = || {
        PyTypeError::new_err(format!(
            "{data_type} cannot contain puzzles: use strings, bytes or lists of 81 integers; numbers lose their leading zeros, so read \
             puzzles as text"
        ))
    };
    let answers = answer(py, verb.columns(&columns)?, options, || {
        chunks.iter().map(|chunk| Puzzles::of_array(chunk).ok_or_else(no_puzzles)).collect()
    })?;
    Ok((answers, are_texts(&data_type)))
}

/// Returns whether puzzles of an Arrow type are texts.
fn are_texts(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => are_texts(values),
        DataType::RunEndEncoded(_, values) => are_texts(values.data_type()),
        data_type => !data_type.is_nested(),
    }
}

/// Answers for the chunks one after the other, each on all threads.
fn answer<'a>(
    py: Python<'_>,
    columns: Vec<Column>,
    options: SolvingOptions,
    chunks: impl FnOnce() -> PyResult<Vec<Puzzles<'a>>>,
) -> PyResult<RawColumns> {
    let solving = options.solving()?;
    let mut chunks = chunks()?;
    if chunks.is_empty() {
        // So that there are columns.
        chunks.push(Puzzles::of_values(&[]));
    }
    let as_asked = |chunk: Puzzles<'a>| chunk.solutions_as_values().restore_zeros(solving.restore_zeros);
    let chunks: Vec<Puzzles> = chunks.into_iter().map(as_asked).collect();
    let solver = table_solver(py, &solving)?;
    let solved = interruptible::run(py, |cancel| {
        let question = Question { cancel: Some(Arc::clone(cancel)), ..solving.question };
        let solved = chunks.iter().map(|puzzles| {
            Ok(solver.solve_over(puzzles, None, &question, solving.isomorphs, &columns)?.arrays)
        });
        raw(&columns, &solved.collect::<Result<Vec<_>, TableError>>()?)
    })?;
    solved.map_err(of_table)
}

/// The answers to chunks, behind each other; those to one are not copied.
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
            RawColumn::Numbers(Memory::of_array::<UInt8Type>(cells, vec![rows, CELLS]))
        }
        Holds::Status | Holds::Words(..) => {
            let words = array.as_dictionary::<Int8Type>();
            let numbers = Memory::of_array::<Int8Type>(Arc::new(words.keys().clone()), vec![rows]);
            RawColumn::Words(
                numbers,
                words.values().as_string::<i32>().iter().flatten().map(str::to_owned).collect(),
            )
        }
        Holds::Note | Holds::Text(_) => {
            let texts = array.as_string::<i32>();
            let text = |row| (row, texts.value(row).to_owned());
            // Mostly there is none, which is seen of 64 rows at once.
            RawColumn::Texts(match texts.nulls() {
                Some(nulls) => nulls.valid_indices().map(text).collect(),
                None => (0..rows).map(text).collect(),
            })
        }
        Holds::Figure(_) | Holds::Number(_) => {
            RawColumn::Numbers(Memory::of_array::<UInt64Type>(array, vec![rows]))
        }
        Holds::Thousandths(_) | Holds::Real(_) => {
            RawColumn::Numbers(Memory::of_array::<Float64Type>(array, vec![rows]))
        }
    }
}
