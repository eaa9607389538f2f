//! Which puzzles are the same.

use std::sync::Arc;

use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Int64Array, UInt64Array};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use sudobench_batch::classes_of;
use sudobench_sudoku::puzzle::CELLS;

use crate::errors::unusable;
use crate::memory::Memory;

/// Of rows of 81 values, of which those in `malformed` are none: of each class its first row and its count, and of each row its
/// class.
///
/// # Errors
/// `ValueError` for another shape, and where there is no memory.
#[pyfunction]
pub(crate) fn classes(
    py: Python<'_>,
    rows: PyReadonlyArray2<'_, u8>,
    malformed: Vec<usize>,
) -> PyResult<(Memory, Memory, Memory)> {
    let (rows, _) = rows.as_slice().map_err(unusable)?.as_chunks::<CELLS>();
    let found = py.detach(|| {
        let mut malformed = malformed.into_iter().peekable();
        classes_of(
            rows.iter()
                .enumerate()
                .map(|(row, grid)| malformed.next_if_eq(&row).map_or(Some(grid), |_| None)),
        )
    });
    let found = found.map_err(unusable)?;
    let numbers = |numbers: Vec<u64>| {
        let length = numbers.len();
        // Rows are fewer than 2⁶³.
        let numbers: Int64Array = numbers.into_iter().map(|number| number as i64).collect();
        Memory::of::<Int64Type>(Arc::new(numbers), "<i8", vec![length])
    };
    let length = found.counts.len();
    let counts = Memory::of::<UInt64Type>(Arc::new(UInt64Array::from(found.counts)), "<u8", vec![length]);
    Ok((numbers(found.firsts), counts, numbers(found.classes)))
}
