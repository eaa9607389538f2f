//! Many puzzles in memory: arrays of numpy, Arrow's, and lists.

use std::num::NonZeroUsize;
use std::sync::Arc;

use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt8Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString};
use pyo3_arrow::input::AnyArray;
use sudobench_batch::columns::Column;
use sudobench_batch::table::{Puzzles, TableError};
use sudobench_sudoku::Question;
use sudobench_sudoku::puzzle::CELLS;

use crate::errors::{of_table, unusable};
use crate::interruptible::{Flags, interruptible};
use crate::kept::table_solver;
use crate::memory::Memory;
use crate::options::{self, SolvingOptions};

/// The columns that are asked for, in this order.
const COLUMNS: [&str; 6] = ["solution", "status", "count", "nodes", "guesses", "note"];

/// The answers to many puzzles, a value a row; 0 where there is none. The status is a number into `statuses`. Notes are few:
/// each stands beside the number of its row.
#[derive(IntoPyObject)]
pub(crate) struct RawAnswers {
    solution: Memory,
    status: Memory,
    count: Memory,
    nodes: Memory,
    guesses: Memory,
    notes: Vec<(usize, String)>,
    statuses: Vec<String>,
}

/// Solves rows of 81 values, 0 for a blank.
///
/// # Errors
/// `ValueError` for options, `TypeError` for another shape.
#[pyfunction]
pub(crate) fn solve_values<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, u8>,
    options: SolvingOptions,
) -> PyResult<RawAnswers> {
    let (rows, _) = rows.as_slice().map_err(unusable)?.as_chunks::<CELLS>();
    solve(py, options, || Ok(vec![Puzzles::of_values(rows)]))
}

/// Solves texts of the same width, shorter ones with NUL bytes behind them.
///
/// # Errors
/// As [`solve_values`].
#[pyfunction]
pub(crate) fn solve_texts<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, u8>,
    width: NonZeroUsize,
    options: SolvingOptions,
) -> PyResult<RawAnswers> {
    let bytes = rows.as_slice().map_err(unusable)?;
    let no_texts = || unusable(format!("{} bytes are no texts of {width}", bytes.len()));
    solve(py, options, || Ok(vec![Puzzles::of_texts(bytes, width.get()).ok_or_else(no_texts)?]))
}

/// Solves a list of `str` and `bytes`; `None` and NaN hold no puzzle.
///
/// # Errors
/// As [`solve_values`].
#[pyfunction]
pub(crate) fn solve_list<'py>(
    py: Python<'py>,
    list: Bound<'py, PyList>,
    options: SolvingOptions,
) -> PyResult<RawAnswers> {
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
                "item {row} is of type {kind}, where puzzles are str or bytes; numbers lose their leading zeros, so read \
                 puzzles as text"
            )));
        }
    }
    let texts = texts.finish();
    solve(py, options, || Ok(Puzzles::of_array(&texts).into_iter().collect()))
}

/// Solves an array of Arrow, or a stream of such.
///
/// # Errors
/// As [`solve_values`], and `TypeError` where its type holds no puzzles.
#[pyfunction]
pub(crate) fn solve_array<'py>(
    py: Python<'py>,
    array: AnyArray,
    options: SolvingOptions,
) -> PyResult<RawAnswers> {
    let data_type = array.field()?.data_type().clone();
    if matches!(data_type, DataType::Struct(_)) {
        return Err(PyTypeError::new_err("this is a table: name its column, or give it to solve_table"));
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
            "{data_type} holds no puzzles: strings, bytes and lists of 81 whole numbers do; numbers lose their leading zeros, so \
             read puzzles as text"
        ))
    };
    solve(py, options, || {
        chunks.iter().map(|chunk| Puzzles::of_array(chunk).ok_or_else(no_puzzles)).collect()
    })
}

/// Solves the chunks one after the other, each on all threads.
fn solve<'py, 'a>(
    py: Python<'py>,
    options: SolvingOptions,
    chunks: impl FnOnce() -> PyResult<Vec<Puzzles<'a>>>,
) -> PyResult<RawAnswers> {
    let solving = options.solving()?;
    let mut chunks = chunks()?;
    if chunks.is_empty() {
        // So that there are columns.
        chunks.push(Puzzles::of_values(&[]));
    }
    let as_asked = |chunk: Puzzles<'a>| chunk.solutions_as_values().restore_zeros(solving.restore_zeros);
    let chunks: Vec<Puzzles> = chunks.into_iter().map(as_asked).collect();
    let columns: Vec<Column> = options::columns(&COLUMNS.map(str::to_owned))?;
    let solver = table_solver(py, &solving)?;
    let flags = Flags::default();
    let question = Question { cancel: Some(Arc::clone(&flags.reading)), ..solving.question };
    let work = || {
        let solved =
            chunks.iter().map(|puzzles| Ok(solver.solve(puzzles, None, &question, &columns)?.arrays));
        raw(solved.collect::<Result<_, TableError>>()?)
    };
    let (solved, exception) = interruptible(py, &flags, |_| Ok(()), work)?;
    match exception {
        Some(exception) => Err(exception),
        None => solved.map_err(of_table),
    }
}

/// The answers to chunks, behind each other; those to one are not copied.
fn raw(chunks: Vec<Vec<ArrayRef>>) -> Result<RawAnswers, TableError> {
    let column = |number: usize| -> Result<ArrayRef, ArrowError> {
        let mut parts = chunks.iter().filter_map(|chunk| chunk.get(number));
        match (parts.next(), parts.next()) {
            (Some(only), None) => Ok(Arc::clone(only)),
            _ => concat(&chunks.iter().filter_map(|chunk| Some(&**chunk.get(number)?)).collect::<Vec<_>>()),
        }
    };
    let [solution, status, count, nodes, guesses, note] = [0, 1, 2, 3, 4, 5].map(column);
    let (status, note) = (status?, note?);
    let rows = status.len();
    let words = status.as_dictionary::<Int8Type>();
    let note = note.as_string::<i32>();
    let noted = (0..rows).filter(|&row| note.is_valid(row));
    let number = |array| Ok::<_, ArrowError>(Memory::of::<UInt64Type>(array?, "<u8", vec![rows]));
    Ok(RawAnswers {
        solution: Memory::of::<UInt8Type>(
            Arc::clone(solution?.as_fixed_size_list().values()),
            "|u1",
            vec![rows, CELLS],
        ),
        status: Memory::of::<Int8Type>(Arc::new(words.keys().clone()), "|i1", vec![rows]),
        count: number(count)?,
        nodes: number(nodes)?,
        guesses: number(guesses)?,
        notes: noted.map(|row| (row, note.value(row).to_owned())).collect(),
        statuses: words.values().as_string::<i32>().iter().flatten().map(str::to_owned).collect(),
    })
}
