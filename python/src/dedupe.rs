//! Groups rows with equal grids. The grids are puzzles or, to find isomorphic puzzles, their canonical forms.

use arrow_array::types::{Int64Type, UInt64Type};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use sudobench_rows::classes_of;
use sudobench_sudoku::puzzle::CELLS;

use crate::errors::unusable;
use crate::interruptible;
use crate::memory::Memory;
use crate::progress::Progress;

/// Returns the rows, but `None` for each row whose number is in `malformed`. These numbers must be in ascending order.
pub(crate) fn puzzles(
    rows: &[[u8; CELLS]],
    malformed: Vec<usize>,
) -> impl Iterator<Item = Option<&[u8; CELLS]>> {
    let mut malformed = malformed.into_iter().peekable();
    let puzzle = move |(row, grid)| malformed.next_if_eq(&row).map_or(Some(grid), |_| None);
    rows.iter().enumerate().map(puzzle)
}

/// Groups rows of 81 values into classes. Returns three arrays: for each class, the number of its first row; for each class, how many rows
/// it has; for each row, the number of its class. All numbers start at 0. Each row in `malformed` has a class of its own, for which no row
/// is counted.
///
/// # Errors
///
/// `ValueError` for an array that is not contiguous, or if there is not enough memory.
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
    // The cast is exact, because there are fewer than 2⁶³ rows.
    let rows =
        |rows: Vec<u64>| Memory::from_numbers::<Int64Type>(rows.into_iter().map(|row| row as i64).collect());
    Ok((rows(found.firsts), Memory::from_numbers::<UInt64Type>(found.counts), rows(found.classes)))
}
