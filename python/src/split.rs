//! The sides of a split.

use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use sudobench_rows::facts::{Split, SplitBy};
use sudobench_sudoku::puzzle::CELLS;

use crate::errors::unusable;
use crate::memory::Memory;

/// Returns whether each class belongs to the test data. A class is an array of 81 numbers; `share` is written as in `split --test`.
///
/// # Errors
/// `ValueError` for a share that is not between 0 and 1.
#[pyfunction]
pub(crate) fn test_sides(
    py: Python<'_>,
    classes: PyReadonlyArray2<'_, u8>,
    share: &str,
    seed: u64,
) -> PyResult<Memory> {
    let test = share.parse().map_err(|error| unusable(format!("test={share}: {error}")))?;
    let split = Split { by: SplitBy::default(), test, seed };
    let (classes, _) = classes.as_slice().map_err(unusable)?.as_chunks::<CELLS>();
    Ok(py.detach(|| Memory::of_flags(classes.iter().map(|class| split.is_test(class)))))
}
