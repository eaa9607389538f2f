//! Exports results in arrays of NumPy as a table of Arrow. The values are copied, because the arrays belong to NumPy.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, Int8Type, Int64Type, UInt8Type, UInt16Type, UInt64Type,
};
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, FixedSizeListArray, PrimitiveArray, RecordBatch, StringArray,
    UInt8Array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use sudobench_sudoku::puzzle::{CELLS, Cells};

use crate::errors::unusable;
use crate::tables::SolvedTable;

/// A column of a result: its name, its values, and perhaps a mask of the rows that have a value.
type ResultColumn<'py> = (String, Values<'py>, Option<PyReadonlyArray1<'py, bool>>);

#[derive(FromPyObject)]
pub(crate) enum Values<'py> {
    /// Boards, in which 0 is a blank.
    Boards(PyReadonlyArray2<'py, u8>),
    /// Sets of cells: 81 flags for each row.
    Cells(PyReadonlyArray2<'py, bool>),
    Flags(PyReadonlyArray1<'py, bool>),
    SmallNumbers(PyReadonlyArray1<'py, i8>),
    Numbers(PyReadonlyArray1<'py, i64>),
    Counts(PyReadonlyArray1<'py, u64>),
    SmallCounts(PyReadonlyArray1<'py, u8>),
    ShortCounts(PyReadonlyArray1<'py, u16>),
    Reals(PyReadonlyArray1<'py, f64>),
    /// Texts of a fixed list, such as the names of statuses. For each row, the position of its text in the list, or -1 if the row has no
    /// text; then the list.
    Words(PyReadonlyArray1<'py, i8>, Vec<String>),
    /// Texts by row number. Rows that are missing here have no text.
    Notes(HashMap<usize, String>),
    Texts(Vec<String>),
}

/// Returns a table with the columns of a result that has this number of rows. Boards are texts if `as_texts` is true, otherwise lists of 81
/// numbers.
///
/// # Errors
/// `ValueError` if a column does not have this number of rows.
#[pyfunction]
pub(crate) fn results_to_arrow(
    rows: usize,
    columns: Vec<ResultColumn<'_>>,
    as_texts: bool,
) -> PyResult<SolvedTable> {
    let mut arrays = Vec::with_capacity(columns.len());
    for (name, values, present) in columns {
        let nulls = present.map(|present| present.as_slice().map(NullBuffer::from).map_err(unusable));
        let array = values.array(rows, nulls.transpose()?, as_texts).map_err(unusable)?;
        arrays.push((name, array, true));
    }
    let batch = RecordBatch::try_from_iter_with_nullable(arrays).map_err(unusable)?;
    Ok(SolvedTable::new(batch.schema(), vec![batch]))
}

impl Values<'_> {
    fn array(&self, rows: usize, nulls: Option<NullBuffer>, as_texts: bool) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Values::Boards(cells) if as_texts => Arc::new(texts_of_boards(slice(cells.as_slice())?, nulls)?),
            Values::Boards(cells) => {
                let cells = Arc::new(UInt8Array::from(slice(cells.as_slice())?.to_vec()));
                let item = Arc::new(Field::new_list_field(DataType::UInt8, false));
                Arc::new(FixedSizeListArray::try_new(item, CELLS as i32, cells, nulls)?)
            }
            Values::Cells(cells) => {
                let (boards, _) = slice(cells.as_slice())?.as_chunks::<CELLS>();
                let cells =
                    boards.iter().map(|flags| (0..CELLS).filter(|&cell| flags[cell]).collect::<Cells>());
                texts(cells.map(|cells| cells.to_string()), nulls)
            }
            Values::Flags(flags) => {
                let is_present = is_present(nulls);
                let flags = slice(flags.as_slice())?.iter().enumerate();
                Arc::new(flags.map(|(row, &flag)| is_present(row).then_some(flag)).collect::<BooleanArray>())
            }
            Values::SmallNumbers(numbers) => self::numbers::<Int8Type>(numbers, nulls)?,
            Values::Numbers(numbers) => self::numbers::<Int64Type>(numbers, nulls)?,
            Values::Counts(numbers) => self::numbers::<UInt64Type>(numbers, nulls)?,
            Values::SmallCounts(numbers) => self::numbers::<UInt8Type>(numbers, nulls)?,
            Values::ShortCounts(numbers) => self::numbers::<UInt16Type>(numbers, nulls)?,
            Values::Reals(numbers) => self::numbers::<Float64Type>(numbers, nulls)?,
            Values::Words(numbers, words) => {
                let numbers = slice(numbers.as_slice())?;
                let have_words = NullBuffer::from_iter(numbers.iter().map(|&number| number >= 0));
                let nulls = NullBuffer::union(Some(&have_words), nulls.as_ref());
                let keys = PrimitiveArray::<Int8Type>::try_new(numbers.to_vec().into(), nulls)?;
                Arc::new(DictionaryArray::try_new(keys, Arc::new(StringArray::from(words.clone())))?)
            }
            Values::Notes(notes) => {
                let note = |row| notes.get(&row).map(String::as_str);
                Arc::new((0..rows).map(note).collect::<StringArray>())
            }
            Values::Texts(words) => texts(words.iter(), nulls),
        })
    }
}

fn slice<T>(slice: Result<&[T], numpy::AsSliceError>) -> Result<&[T], ArrowError> {
    slice.map_err(|error| ArrowError::InvalidArgumentError(error.to_string()))
}

fn numbers<T: ArrowPrimitiveType<Native: Element>>(
    numbers: &PyReadonlyArray1<'_, T::Native>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let numbers = slice(numbers.as_slice())?.to_vec();
    Ok(Arc::new(PrimitiveArray::<T>::try_new(numbers.into(), nulls)?))
}

fn texts(texts: impl Iterator<Item = impl AsRef<str>>, nulls: Option<NullBuffer>) -> ArrayRef {
    let is_present = is_present(nulls);
    Arc::new(texts.enumerate().map(|(row, text)| is_present(row).then_some(text)).collect::<StringArray>())
}

/// Returns a function that returns whether a row has a value.
fn is_present(nulls: Option<NullBuffer>) -> impl Fn(usize) -> bool {
    move |row| nulls.as_ref().is_none_or(|nulls| row < nulls.len() && nulls.is_valid(row))
}

/// Returns boards as texts of 81 characters, in which `.` is a blank.
///
/// # Errors
///
/// [`ArrowError`] if the length of `nulls` differs from the number of boards.
pub(crate) fn texts_of_boards(cells: &[u8], nulls: Option<NullBuffer>) -> Result<StringArray, ArrowError> {
    let letters: Vec<u8> = cells.iter().map(|&cell| if cell == 0 { b'.' } else { b'0' + cell }).collect();
    let offsets = OffsetBuffer::from_repeated_length(CELLS, cells.len() / CELLS);
    StringArray::try_new(offsets, Buffer::from_vec(letters), nulls)
}
