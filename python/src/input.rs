//! Reads puzzles from Python values.
//!
//! ```text
//! str, bytes, bytearray, memoryview            one puzzle: 81 characters, or a grid of nine lines
//! array (81,) (9, 9), list of 81, 9 lists of 9 one puzzle
//! array (N, 81) (N, 9, 9) of integers          borrowed, or copied if not contiguous; any type of integers
//! array (N,) of texts of a fixed width         borrowed, or copied with a byte for each character
//! array, chunks or series of Arrow             borrowed
//! any other iterable                           read item by item: a text, a board, or None
//! ```
//! A row without a puzzle counts as a malformed row, and reading continues. Reading fails for example if no item has a type that can be a
//! puzzle.

use std::ops::Range;

use arrow_array::{Array as _, ArrayRef};
use arrow_schema::{ArrowError, DataType};
use numpy::{
    Element, PyArray1, PyArrayDescrMethods as _, PyArrayDyn, PyArrayMethods as _, PyReadonlyArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods as _,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyByteArray, PyBytes, PyFloat, PyInt, PyList, PyMemoryView, PySequence, PyString, PyTuple,
};
use pyo3_arrow::input::AnyArray;
use sudobench_rows::Boards;
use sudobench_rows::source::{ReadPuzzle, RowFault, read_text};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_tables::Puzzles;

use crate::errors::unusable;
use crate::options::{flag, shown};

/// Number of items between two checks for signals.
const ITEMS_PER_CHECK: usize = 1 << 16;

/// The puzzle that was read from one item of a list, or the reason why the item is malformed.
pub(crate) type ReadRow = Result<ReadPuzzle, RowFault>;

/// Puzzles that were read from a Python object of any supported type.
#[pyclass(frozen, module = "sudobench._sudobench")]
pub(crate) struct Rows {
    held: Held,
    /// Whether this is one puzzle instead of several.
    #[pyo3(get)]
    is_one: bool,
    restores_zeros: bool,
    /// The labels of the rows, if the puzzles are a series of pandas.
    #[pyo3(get)]
    index: Option<Py<PyAny>>,
}

enum Held {
    /// Integers of any type, 81 for each row, contiguous.
    Numbers(Py<PyUntypedArray>),
    /// Texts of `width` bytes, padded with NUL bytes.
    Bytes {
        bytes: Py<PyArray1<u8>>,
        width: usize,
    },
    /// Texts of `width` bytes that were converted from texts with four bytes for each character.
    Converted {
        bytes: Vec<u8>,
        width: usize,
    },
    /// Rows that are already read, from a list or a single puzzle.
    Read {
        rows: Vec<ReadRow>,
        source: Py<PyAny>,
    },
    Arrow(Vec<ArrayRef>),
}

#[pymethods]
impl Rows {
    /// Reads puzzles. `function` is the name of the function that needs them, for messages.
    #[new]
    fn new(
        puzzles: &Bound<'_, PyAny>,
        function: &str,
        restore_zeros: &Bound<'_, PyAny>,
        index: Option<Py<PyAny>>,
    ) -> PyResult<Rows> {
        let restores_zeros = flag("restore_zeros", restore_zeros)?;
        let (held, is_one) = read(puzzles, function, restores_zeros)?;
        Ok(Rows { held, is_one, restores_zeros, index })
    }

    /// Returns whether the puzzles are texts instead of numbers. In a list, the first item that is not missing decides.
    #[getter]
    fn are_texts(&self, py: Python<'_>) -> PyResult<bool> {
        fn are_lists(data_type: &DataType) -> bool {
            match data_type {
                DataType::Dictionary(_, values) => are_lists(values),
                DataType::RunEndEncoded(_, values) => are_lists(values.data_type()),
                data_type => data_type.is_nested(),
            }
        }
        Ok(match &self.held {
            Held::Numbers(_) => false,
            Held::Bytes { .. } | Held::Converted { .. } => true,
            Held::Read { rows, source } => {
                let first = rows.iter().position(|row| !matches!(row, Err(RowFault::Null)));
                let item = first.map(|row| self.item(source.bind(py), row)).transpose()?;
                item.map_or(Ok(None), |item| with_text(&item, |_| ()))?.is_some()
            }
            Held::Arrow(chunks) => !chunks.iter().any(|chunk| are_lists(chunk.data_type())),
        })
    }

    /// Returns the cells of the puzzles in the first `each` and the last `each` rows, with the numbers of the rows. Malformed rows are left
    /// out.
    fn ends<'py>(&self, py: Python<'py>, each: usize) -> PyResult<Vec<(usize, Bound<'py, PyBytes>)>> {
        self.with_puzzles(py, |chunks| {
            let chunks = Chunks::new(chunks);
            let mut found = Vec::new();
            for row in
                (0..each.min(chunks.rows)).chain(chunks.rows.saturating_sub(each).max(each)..chunks.rows)
            {
                if let Ok(puzzle) = chunks.puzzle(row) {
                    found.push((row, PyBytes::new(py, puzzle.values())));
                }
            }
            Ok(found)
        })
    }
}

impl Rows {
    /// Makes rows that were read from the items of the list `source`. `index` has the labels of the rows, if there are any.
    pub(crate) fn from_read(rows: Vec<ReadRow>, source: Py<PyAny>, index: Option<Py<PyAny>>) -> Rows {
        Rows { held: Held::Read { rows, source }, is_one: false, restores_zeros: false, index }
    }

    /// Calls `work` with the puzzles, which may be in several chunks.
    pub(crate) fn with_puzzles<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Vec<Puzzles<'_>>) -> PyResult<T>,
    ) -> PyResult<T> {
        let work = |puzzles: Vec<Puzzles>| {
            work(puzzles.into_iter().map(|chunk| chunk.restore_zeros(self.restores_zeros)).collect())
        };
        let texts = |bytes, width| Vec::from_iter(Puzzles::from_texts(bytes, width));
        match &self.held {
            Held::Numbers(array) => with_numbers(array.bind(py), |puzzles| work(vec![puzzles])),
            Held::Bytes { bytes, width } => {
                let bytes = bytes.bind(py).readonly();
                work(texts(bytes.as_slice().map_err(unusable)?, *width))
            }
            Held::Converted { bytes, width } => work(texts(bytes, *width)),
            Held::Read { rows, .. } => work(vec![Puzzles::from_rows(rows)]),
            Held::Arrow(chunks) => {
                work(chunks.iter().filter_map(|chunk| Puzzles::from_array(chunk)).collect())
            }
        }
    }

    /// Calls `work` with the boards. If a board is a text of 81 characters, its blanks stay as they are written.
    ///
    /// # Errors
    ///
    /// `ValueError` if a board is malformed. The message names the first malformed board, and calls the boards `what`.
    pub(crate) fn with_boards<T>(
        &self,
        py: Python<'_>,
        what: &str,
        work: impl FnOnce(Boards<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let values = match &self.held {
            Held::Numbers(array) if !self.is_one => borrowed::<u8>(array.bind(py)),
            _ => None,
        };
        if let Some(values) = values {
            return work(Boards::Values(values.as_slice().map_err(unusable)?.as_chunks().0));
        }
        let are_texts = self.are_texts(py)?;
        let fault = |row, fault: RowFault| match self.is_one {
            true => unusable(fault),
            false => unusable(format!("{what} {row} (counted from 0): {fault}")),
        };
        let mut boards = Vec::new();
        if let Held::Read { rows, source } = &self.held {
            for (number, row) in rows.iter().enumerate() {
                let puzzle = row.map_err(|error| fault(number, error))?.puzzle;
                let whole = |text: &[u8]| text.trim_ascii().try_into().ok();
                let text = match are_texts {
                    true => with_text(&self.item(source.bind(py), number)?, whole)?.flatten(),
                    false => Some(*puzzle.values()),
                };
                boards.push(text.unwrap_or_else(|| puzzle.text()));
            }
        } else {
            boards = self.with_puzzles(py, |chunks| {
                let mut boards = Vec::new();
                for puzzles in &chunks {
                    for row in 0..puzzles.len() {
                        let read = puzzles.puzzle(row).map_err(|error| fault(boards.len(), error))?;
                        let text = puzzles.board(row).filter(|_| are_texts);
                        boards.push(text.unwrap_or(*read.puzzle.values()));
                    }
                }
                Ok(boards)
            })?;
        }
        work(if are_texts { Boards::Texts(&boards) } else { Boards::Values(&boards) })
    }

    /// Returns the item that a row was read from.
    fn item<'py>(&self, source: &Bound<'py, PyAny>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        if self.is_one { Ok(source.clone()) } else { source.get_item(row) }
    }

    /// Returns the puzzle of the only row.
    ///
    /// # Errors
    /// `ValueError` if there isn't exactly one row, or if the row is malformed.
    pub(crate) fn one(&self, py: Python<'_>) -> PyResult<Puzzle> {
        if let Held::Read { rows, .. } = &self.held
            && let [row] = &rows[..]
        {
            return row.map(|read| read.puzzle).map_err(unusable);
        }
        self.with_puzzles(py, |puzzles| {
            let row = puzzles.first().filter(|puzzles| puzzles.len() == 1).map(|puzzles| puzzles.puzzle(0));
            let row = row.ok_or_else(|| {
                unusable("this is not one puzzle: pass a text of 81 characters or an array of 81 numbers")
            })?;
            row.map(|read| read.puzzle).map_err(unusable)
        })
    }
}

/// Rows in chunks, accessed by number.
pub(crate) struct Chunks<'a> {
    chunks: Vec<Puzzles<'a>>,
    /// The number of the first row of each chunk.
    starts: Vec<usize>,
    pub(crate) rows: usize,
}

impl<'a> Chunks<'a> {
    pub(crate) fn new(chunks: Vec<Puzzles<'a>>) -> Chunks<'a> {
        let mut rows = 0;
        let mut starts = Vec::with_capacity(chunks.len());
        for chunk in &chunks {
            starts.push(rows);
            rows += chunk.len();
        }
        Chunks { chunks, starts, rows }
    }

    /// Returns the board of a row. If there is only one row, returns its board for every row number.
    pub(crate) fn puzzle(&self, row: usize) -> Result<Puzzle, RowFault> {
        let (chunk, row) = self.place(if self.rows == 1 { 0 } else { row });
        Ok(self.chunks[chunk].puzzle(row)?.puzzle)
    }

    /// Appends the boards of rows. If there is only a single row, its board is appended once for each of `rows`. Returns whether all boards
    /// were appended; if not, some of them may have been appended.
    pub(crate) fn push_boards(&self, rows: Range<usize>, boards: &mut Vec<Puzzle>) -> bool {
        if self.rows == 1 {
            let board = self.puzzle(0);
            boards.extend(board.iter().cycle().take(rows.len()));
            return board.is_ok();
        }
        let mut row = rows.start;
        while row < rows.end {
            let (chunk, first) = self.place(row);
            let end = self.chunks[chunk].len().min(first + rows.end - row);
            if !self.chunks[chunk].push_plain(first..end, boards) {
                return false;
            }
            row += end - first;
        }
        true
    }

    /// Returns the number of the chunk that a row is in, and the number of the row in this chunk.
    fn place(&self, row: usize) -> (usize, usize) {
        let chunk = self.starts.partition_point(|&start| start <= row) - 1;
        (chunk, row - self.starts[chunk])
    }
}

/// Reads a value, and returns whether it is one puzzle.
fn read(value: &Bound<'_, PyAny>, function: &str, restores_zeros: bool) -> PyResult<(Held, bool)> {
    if let Some(row) = read_as_text(value, restores_zeros)? {
        return Ok((Held::Read { rows: vec![row], source: value.clone().unbind() }, true));
    }
    if let Ok(list) = value.cast::<PyList>() {
        return read_list(list, restores_zeros);
    }
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return read_array(array, restores_zeros);
    }
    if value.hasattr("__arrow_c_stream__")? || value.hasattr("__arrow_c_array__")? {
        return Ok((read_arrow(value, function)?, false));
    }
    if value.hasattr("__array__")? {
        let array = value.py().import("numpy")?.call_method1("asarray", (value,))?;
        return read_array(array.cast::<PyUntypedArray>()?, restores_zeros);
    }
    let kind = value.get_type().name()?;
    if value.hasattr("collect")? && value.hasattr("lazy")? {
        return Err(PyTypeError::new_err(format!("{kind} is not computed yet: collect() it first")));
    }
    let Ok(items) = value.try_iter() else {
        return Err(PyTypeError::new_err(format!("a value of type {kind} cannot contain puzzles: {REMEDY}")));
    };
    read_list(&PyList::new(value.py(), items.collect::<PyResult<Vec<_>>>()?)?, restores_zeros)
}

const REMEDY: &str =
    "use strings, bytes or boards of 81 integers; numbers lose their leading zeros, so read puzzles as text";

fn read_arrow(value: &Bound<'_, PyAny>, function: &str) -> PyResult<Held> {
    let array: AnyArray = value.extract()?;
    let data_type = array.field()?.data_type().clone();
    if matches!(data_type, DataType::Struct(_)) {
        let refused = value.py().import("sudobench._puzzles")?.call_method1("table_refused", (function,))?;
        return Err(PyErr::from_value(refused));
    }
    let chunks: Vec<ArrayRef> = match array {
        AnyArray::Array(array) => vec![array.into_inner().0],
        AnyArray::Stream(stream) => {
            stream.into_reader()?.collect::<Result<_, ArrowError>>().map_err(unusable)?
        }
    };
    if data_type == DataType::Null {
        let rows = chunks.iter().map(|chunk| chunk.len()).sum();
        return Ok(Held::Read { rows: vec![Err(RowFault::Null); rows], source: value.clone().unbind() });
    }
    if chunks.iter().any(|chunk| Puzzles::from_array(chunk).is_none()) {
        return Err(PyTypeError::new_err(format!("{data_type} cannot contain puzzles: {REMEDY}")));
    }
    Ok(Held::Arrow(chunks))
}

fn read_array(array: &Bound<'_, PyUntypedArray>, restores_zeros: bool) -> PyResult<(Held, bool)> {
    let shape = array.shape();
    let data_type = array.dtype();
    let refused = |what: &str| {
        let shape = array.getattr("shape").map_or_else(|_| "?".to_owned(), |shape| shown(&shape));
        format!("an array of {data_type} and shape {shape}: {what}")
    };
    match data_type.kind() {
        b'i' | b'u' => {
            let is_one = matches!(shape, [CELLS] | [9, 9]);
            if !is_one && !matches!(shape, [_, CELLS] | [_, 9, 9]) {
                let what =
                    "boards are of shape (81,) or (9, 9), or of shape (N, 81) or (N, 9, 9) for several";
                return Err(PyValueError::new_err(refused(what)));
            }
            Ok((Held::Numbers(plain(array)?.unbind()), is_one))
        }
        b'S' | b'U' | b'T' | b'O' if shape.len() != 1 && data_type.kind() != b'O' => {
            Err(PyValueError::new_err(refused("texts are of shape (N,)")))
        }
        kind @ (b'S' | b'U') if data_type.itemsize() > 0 => {
            let array = plain(array)?;
            let bytes: Bound<'_, PyArray1<u8>> = array.call_method1("view", ("u1",))?.cast_into()?;
            let width = data_type.itemsize();
            if kind == b'S' {
                return Ok((Held::Bytes { bytes: bytes.unbind(), width }, false));
            }
            // Each character takes four bytes, but the characters of puzzles need only one.
            let points = array.call_method1("view", ("u4",))?.cast_into::<PyArray1<u32>>()?.readonly();
            let points = points.as_slice().map_err(unusable)?;
            let bytes = points.iter().map(|&point| u8::try_from(point).unwrap_or(u8::MAX)).collect();
            Ok((Held::Converted { bytes, width: width / 4 }, false))
        }
        b'S' | b'U' | b'T' | b'O' => {
            read_list(array.call_method0("tolist")?.cast::<PyList>()?, restores_zeros)
        }
        _ => Err(PyTypeError::new_err(format!("an array of {data_type} cannot contain puzzles: {REMEDY}"))),
    }
}

/// Returns the array in C order and with the byte order of this machine; copies it if necessary.
fn plain<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let data_type = array.dtype();
    if array.is_c_contiguous() && data_type.is_native_byteorder() != Some(false) {
        return Ok(array.clone());
    }
    let native = data_type.call_method1("newbyteorder", ("=",))?;
    let copy = array.py().import("numpy")?.call_method1("ascontiguousarray", (array, native))?;
    Ok(copy.cast_into()?)
}

/// Borrows an array, if its items are of this type.
fn borrowed<'py, N: Element>(array: &Bound<'py, PyUntypedArray>) -> Option<PyReadonlyArrayDyn<'py, N>> {
    array.cast::<PyArrayDyn<N>>().ok().map(|array| array.readonly())
}

/// Calls `work` with the boards of an array of integers.
fn with_numbers<T>(
    array: &Bound<'_, PyUntypedArray>,
    work: impl FnOnce(Puzzles<'_>) -> PyResult<T>,
) -> PyResult<T> {
    if let Some(numbers) = borrowed::<u8>(array) {
        return work(Puzzles::from_values(numbers.as_slice().map_err(unusable)?.as_chunks().0));
    }
    macro_rules! try_types {
        ($($number:ty)*) => {
            $(if let Some(numbers) = borrowed::<$number>(array) {
                return work(Puzzles::from_numbers(numbers.as_slice().map_err(unusable)?.as_chunks().0));
            })*
        };
    }
    try_types!(i64 i32 i16 i8 u64 u32 u16);
    Err(PyTypeError::new_err(format!("an array of {} cannot contain puzzles", array.dtype())))
}

fn read_list(list: &Bound<'_, PyList>, restores_zeros: bool) -> PyResult<(Held, bool)> {
    if is_board(list.as_sequence())? {
        let rows = vec![read_board(list.as_sequence(), restores_zeros)?];
        return Ok((Held::Read { rows, source: list.clone().into_any().unbind() }, true));
    }
    let mut rows = Vec::with_capacity(list.len());
    // `stranger` is the first item whose type can't be a puzzle. `has_others`: whether any item is missing, or has a type that can be a
    // puzzle.
    let (mut stranger, mut has_others) = (None, false);
    for (number, item) in list.iter().enumerate() {
        if number % ITEMS_PER_CHECK == ITEMS_PER_CHECK - 1 {
            list.py().check_signals()?;
        }
        let row = read_item(&item, restores_zeros)?;
        match row {
            Some(_) => has_others = true,
            None if stranger.is_none() => stranger = Some((number, item)),
            None => {}
        }
        rows.push(row.unwrap_or(Err(RowFault::NoBoard)));
    }
    match stranger {
        Some((number, item)) if !has_others => {
            let kind = item.get_type().name()?;
            Err(PyTypeError::new_err(format!(
                "item {number} (counted from 0) is of type {kind}, which cannot be a puzzle: {REMEDY}"
            )))
        }
        _ => Ok((Held::Read { rows, source: list.clone().into_any().unbind() }, false)),
    }
}

/// Reads an item of a list. Returns `None` if its type cannot be a puzzle.
fn read_item(item: &Bound<'_, PyAny>, restores_zeros: bool) -> PyResult<Option<ReadRow>> {
    if let Some(row) = read_as_text(item, restores_zeros)? {
        return Ok(Some(row));
    }
    if is_missing(item)? {
        return Ok(Some(Err(RowFault::Null)));
    }
    Ok(match as_sequence(item)? {
        Some(cells) => Some(read_board(&cells, restores_zeros)?),
        None => None,
    })
}

/// Reads a puzzle from a text. Returns `None` if the value isn't a text.
fn read_as_text(value: &Bound<'_, PyAny>, restores_zeros: bool) -> PyResult<Option<ReadRow>> {
    with_text(value, |text| read_text(text.trim_ascii(), restores_zeros))
}

/// Calls `work` with the bytes of a text: a `str`, `bytes`, `bytearray` or `memoryview`. Returns `None` for other values.
pub(crate) fn with_text<T>(value: &Bound<'_, PyAny>, work: impl FnOnce(&[u8]) -> T) -> PyResult<Option<T>> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Some(work(text.to_string_lossy().as_bytes())));
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Some(work(bytes.as_bytes())));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(Some(work(&bytes.to_vec())));
    }
    if let Ok(view) = value.cast::<PyMemoryView>() {
        return Ok(Some(work(view.call_method0("tobytes")?.cast::<PyBytes>()?.as_bytes())));
    }
    Ok(None)
}

/// Returns whether a value stands for a missing value: `None`, NaN, `pandas.NA` or `pandas.NaT`.
pub(crate) fn is_missing(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(number.value().is_nan());
    }
    Ok(value.is_none() || !value.is_exact_instance_of::<PyInt>() && is_missing_of_pandas(value)?)
}

fn is_missing_of_pandas(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let name = value.get_type().name()?;
    Ok(name == "NAType" || name == "NaTType")
}

/// Returns a list, a tuple or an array as a sequence; `None` for anything else.
fn as_sequence<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PySequence>>> {
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return Ok(Some(value.cast::<PySequence>()?.clone()));
    }
    // The method of arrays that makes a list has different names in different libraries.
    for method in ["tolist", "to_list", "to_pylist"] {
        if value.hasattr(method)? {
            let list = value.call_method0(method)?;
            return Ok(list.cast_into::<PyList>().ok().map(|list| list.into_sequence()));
        }
    }
    Ok(None)
}

/// Returns whether a list is one board instead of several: 81 items with a number as the first item, or nine lists of nine cells.
fn is_board(list: &Bound<'_, PySequence>) -> PyResult<bool> {
    match list.len()? {
        CELLS => Ok(is_number(&list.get_item(0)?)),
        9 => {
            for row in list.try_iter()? {
                let Some(row) = as_sequence(&row?)? else { return Ok(false) };
                if row.len()? != 9 || as_sequence(&row.get_item(0)?)?.is_some() {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Returns whether a value is a Python integer, or an integer of another library such as NumPy.
fn is_number(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyInt>() || value.extract::<i64>().is_ok()
}

/// Reads a board: 81 cells, or nine rows of nine, as numbers or as texts.
fn read_board(board: &Bound<'_, PySequence>, restores_zeros: bool) -> PyResult<ReadRow> {
    let found = board.len()?;
    let first = if found == 0 { None } else { Some(board.get_item(0)?) };
    match first {
        Some(first) if first.is_instance_of::<PyString>() => read_lines(board, restores_zeros),
        Some(first) if as_sequence(&first)?.is_some() => read_grid(board),
        _ if found == CELLS => read_cells(std::iter::once(board.clone())),
        _ => Ok(Err(RowFault::Cells { found })),
    }
}

/// Reads a board whose rows or cells are texts.
fn read_lines(board: &Bound<'_, PySequence>, restores_zeros: bool) -> PyResult<ReadRow> {
    let mut texts = Vec::new();
    for part in board.try_iter()? {
        match part?.cast::<PyString>() {
            Ok(text) => texts.push(text.to_string_lossy().into_owned()),
            Err(_) => return Ok(Err(RowFault::NullCell)),
        }
    }
    let between = if texts.len() == CELLS { "" } else { "\n" };
    Ok(read_text(texts.join(between).trim_ascii().as_bytes(), restores_zeros))
}

/// Reads a board of nine lists.
fn read_grid(board: &Bound<'_, PySequence>) -> PyResult<ReadRow> {
    let mut rows = Vec::with_capacity(9);
    for row in board.try_iter()? {
        let Some(row) = as_sequence(&row?)? else { return Ok(Err(RowFault::NullCell)) };
        rows.push(row);
    }
    if rows.len() != 9 {
        return Ok(Err(RowFault::GridRows { rows: rows.len() }));
    }
    for (row, number) in rows.iter().zip(1..) {
        let cells = row.len()?;
        if cells != 9 {
            return Ok(Err(RowFault::GridCells { row: number, cells }));
        }
    }
    read_cells(rows.into_iter())
}

/// Reads the 81 cells of a board: one list of 81 numbers, or nine lists of nine.
fn read_cells<'py>(lists: impl Iterator<Item = Bound<'py, PySequence>>) -> PyResult<ReadRow> {
    let (mut values, mut cell) = ([0; CELLS], 0);
    for list in lists {
        for number in list.try_iter()? {
            let number = number?;
            let value = match read_cell(&number, cell)? {
                Ok(value) => value,
                Err(fault) => return Ok(Err(fault)),
            };
            if let Some(place) = values.get_mut(cell) {
                *place = value;
            }
            cell += 1;
        }
    }
    Ok(Puzzle::try_from(values).map(ReadPuzzle::from).map_err(RowFault::Puzzle))
}

fn read_cell(number: &Bound<'_, PyAny>, cell: usize) -> PyResult<Result<u8, RowFault>> {
    if let Ok(value) = number.extract::<i64>() {
        return Ok(match value {
            0..=9 => Ok(value as u8),
            // The number of a cell fits into a byte, because a board has 81 cells.
            _ => Err(RowFault::Cell {
                cell: cell as u8,
                is_negative: value < 0,
                magnitude: value.unsigned_abs(),
            }),
        });
    }
    Ok(Err(match is_missing(number)? {
        true => RowFault::NullCell,
        false => RowFault::NoBoard,
    }))
}
