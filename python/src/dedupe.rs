//! Which puzzles are the same.

use arrow_array::types::{Int64Type, UInt64Type};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use sudobench_rows::classes_of;
use sudobench_sudoku::puzzle::CELLS;

use crate::errors::unusable;
use crate::interruptible;
use crate::memory::Memory;
use crate::progress::Progress;

/// Returns the rows, with `None` for those in `malformed`, whose numbers ascend.
pub(crate) fn puzzles(
    rows: &[[u8; CELLS]],
    malformed: Vec<usize>,
) -> impl Iterator<Item = Option<&[u8; CELLS]>> {
    let mut malformed = malformed.into_iter().peekable();
    let puzzle = move |(row, grid)| malformed.next_if_eq(&row).map_or(Some(grid), |_| None);
    rows.iter().enumerate().map(puzzle)
}

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
    let found = interruptible::run(py, &Progress::default(), |watch| {
        let puzzles = puzzles(rows, malformed);
        classes_of(puzzles.take_while(|_| !watch.is_cancelled()))
    })?;
    let found = found.map_err(unusable)?;
    // Rows are fewer than 2⁶³.
    let rows =
        |rows: Vec<u64>| Memory::of_numbers::<Int64Type>(rows.into_iter().map(|row| row as i64).collect());
    Ok((rows(found.firsts), Memory::of_numbers::<UInt64Type>(found.counts), rows(found.classes)))
}
