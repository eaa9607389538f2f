//! Draws rows of each stratum in memory.

use std::num::NonZeroUsize;

use arrow_array::types::Int64Type;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use sudobench_rows::stratified;

use crate::errors::unusable;
use crate::memory::Memory;
use crate::options::whole_number;

/// Draws `rows` rows of each stratum, or all if there are fewer. `strata` has for each row the number of its stratum, or -1 for a row that
/// is never drawn. Returns the numbers of the drawn rows.
///
/// # Errors
/// `ValueError` and `TypeError` unless `rows` is a whole number from 1 and `seed` a whole number.
#[pyfunction]
pub(crate) fn stratify(
    strata: PyReadonlyArray1<'_, i64>,
    rows: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
) -> PyResult<Memory> {
    let rows = usize::try_from(whole_number("stratify", rows)?).unwrap_or(usize::MAX);
    let rows = NonZeroUsize::new(rows).ok_or_else(|| unusable("stratify=0: give 1 or more"))?;
    let seed = whole_number("seed", seed)?;
    let strata = strata.as_slice().map_err(unusable)?.iter();
    let drawn = stratified(strata.map(|&stratum| (stratum >= 0).then_some(stratum)), rows, seed);
    // The cast is exact, because there are fewer than 2⁶³ rows.
    Ok(Memory::from_numbers::<Int64Type>(drawn.into_iter().map(|row| row as i64).collect()))
}
