//! Decides which side of a split each class belongs to.

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use sudobench_rows::facts::{Split, SplitBy, TestShare};
use sudobench_sudoku::puzzle::CELLS;

use crate::errors::unusable;
use crate::memory::Memory;
use crate::options::whole_number;

/// Returns for each row whether it belongs to the test data. `classes` has for each row a board of 81 numbers that identifies the class of
/// the row. `share` is the share of the test data, as a text like the value of `split --test`. `strata` has for each row the number of its
/// stratum, or -1 for no stratum. If `strata` is given, about this share of each stratum belongs to the test data.
///
/// # Errors
/// `ValueError` for example for a share that is not between 0 and 1, and if there are too many strata for the test rows. `MemoryError` if
/// the memory is full.
#[pyfunction]
pub(crate) fn test_sides(
    py: Python<'_>,
    classes: PyReadonlyArray2<'_, u8>,
    share: &str,
    seed: &Bound<'_, PyAny>,
    strata: Option<PyReadonlyArray1<'_, i64>>,
) -> PyResult<Memory> {
    let test: TestShare = share.parse().map_err(|error| unusable(format!("test={share}: {error}")))?;
    let split = Split { by: SplitBy::default(), test, seed: whole_number("seed", seed)? };
    let (classes, _) = classes.as_slice().map_err(unusable)?.as_chunks::<CELLS>();
    if let Some(strata) = strata {
        let strata = strata.as_slice().map_err(unusable)?;
        let strata: Vec<_> = strata.iter().map(|&stratum| u32::try_from(stratum).ok()).collect();
        let names = strata.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let rows = strata.iter().flatten().count() as u64;
        if !test.suffices_for(names, rows) {
            return Err(unusable(format!(
                "stratify has {names} different labels, but the test data has about {:.0} rows: merge labels, such as numbers into ranges",
                test.expected_rows(rows)
            )));
        }
        let are_test = py.detach(|| {
            let rows: Vec<_> = classes.iter().copied().zip(strata).collect();
            split.stratified(&rows)
        });
        return match are_test {
            Ok(are_test) => Ok(Memory::from_flags(are_test.into_iter())),
            Err(error) => Err(PyMemoryError::new_err(error.to_string())),
        };
    }
    Ok(py.detach(|| Memory::from_flags(classes.iter().map(|class| split.is_test(class)))))
}
