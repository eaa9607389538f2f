//! Draws rows of each difficulty in memory.

use std::num::NonZeroUsize;

use arrow_array::types::Int64Type;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use sudobench_rows::stratified;
use sudobench_sudoku::rate::Difficulty;

use crate::errors::unusable;
use crate::memory::Memory;

/// Draws `rows` rows of each difficulty. `difficulties` has for each row the position of the difficulty in `names`, or -1. Returns the
/// numbers of the drawn rows.
///
/// # Errors
/// `ValueError` if `rows` is 0, and for unknown difficulties.
#[pyfunction]
pub(crate) fn stratify(
    difficulties: PyReadonlyArray1<'_, i8>,
    names: Vec<String>,
    rows: usize,
    seed: u64,
) -> PyResult<Memory> {
    let rows = NonZeroUsize::new(rows).ok_or_else(|| unusable("stratify=0: give 1 or more"))?;
    let names =
        names.iter().map(|name| name.parse()).collect::<Result<Vec<Difficulty>, _>>().map_err(unusable)?;
    let difficulty = |number: &i8| names.get(usize::try_from(*number).ok()?).copied();
    let drawn = stratified(difficulties.as_slice().map_err(unusable)?.iter().map(difficulty), rows, seed);
    // The cast is exact, because there are fewer than 2⁶³ rows.
    Ok(Memory::of_numbers::<Int64Type>(drawn.into_iter().map(|row| row as i64).collect()))
}
