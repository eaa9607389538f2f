//! Answers that numpy holds, as a table of Arrow. They are copied: numpy's arrays are numpy's.

use std::sync::Arc;

use arrow_array::types::{Int8Type, UInt64Type};
use arrow_array::{
    ArrayRef, DictionaryArray, FixedSizeListArray, PrimitiveArray, RecordBatch, StringArray, UInt8Array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Field};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use sudobench_sudoku::Status;
use sudobench_sudoku::puzzle::CELLS;

use crate::errors::unusable;
use crate::tables::SolvedTable;

/// A table of the columns solution, status, count, nodes, guesses and note, of which the three in `numbers` are the middle.
///
/// # Errors
/// `ValueError` where the columns are not of one length.
#[pyfunction]
pub(crate) fn answers_to_arrow(
    solution: PyReadonlyArray2<'_, u8>,
    status: PyReadonlyArray1<'_, i8>,
    numbers: [PyReadonlyArray1<'_, u64>; 3],
    notes: Vec<(usize, String)>,
    statuses: Vec<String>,
) -> PyResult<SolvedTable> {
    let (solution, status) = (solution.as_slice().map_err(unusable)?, status.as_slice().map_err(unusable)?);
    let mut numbered = Vec::new();
    for numbers in &numbers {
        numbered.push(numbers.as_slice().map_err(unusable)?);
    }
    let batch = batch(solution, status, &numbered, &notes, statuses).map_err(unusable)?;
    Ok(SolvedTable::of(batch.schema(), vec![batch]))
}

fn batch(
    solution: &[u8],
    status: &[i8],
    numbers: &[&[u64]],
    notes: &[(usize, String)],
    statuses: Vec<String>,
) -> Result<RecordBatch, ArrowError> {
    let digits = Arc::new(UInt8Array::from(solution.to_vec()));
    let is_solved = NullBuffer::from_iter(solution.chunks(CELLS).map(|digits| digits[0] > 0));
    let item = Arc::new(Field::new_list_field(DataType::UInt8, false));
    let solution = FixedSizeListArray::try_new(item, CELLS as i32, digits, Some(is_solved))?;
    let malformed = statuses.iter().position(|name| name == Status::Malformed.name());
    let is_puzzle =
        NullBuffer::from_iter(status.iter().map(|&status| usize::try_from(status).ok() != malformed));
    let mut texts: Vec<Option<&str>> = vec![None; status.len()];
    for (row, note) in notes {
        if let Some(text) = texts.get_mut(*row) {
            *text = Some(note);
        }
    }
    let keys = PrimitiveArray::<Int8Type>::from(status.to_vec());
    let status = DictionaryArray::try_new(keys, Arc::new(StringArray::from(statuses)))?;
    let mut columns: Vec<(&str, ArrayRef)> =
        vec![("solution", Arc::new(solution)), ("status", Arc::new(status))];
    for (name, numbers) in ["count", "nodes", "guesses"].into_iter().zip(numbers) {
        let numbers =
            PrimitiveArray::<UInt64Type>::try_new(numbers.to_vec().into(), Some(is_puzzle.clone()))?;
        columns.push((name, Arc::new(numbers)));
    }
    columns.push(("note", Arc::new(StringArray::from(texts))));
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
}
