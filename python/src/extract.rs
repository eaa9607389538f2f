//! Grids in texts, such as the answers of a language model.

use arrow_array::types::Int8Type;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use sudobench_rows::source::RowFault;
use sudobench_sudoku::extract::{TextForm, extract};

use crate::input::{Rows, is_missing, with_text};
use crate::memory::Memory;

/// Number of texts between two checks for signals.
const TEXTS_OF_LOOK: usize = 1 << 10;

/// Finds the grid in each text. `index`: the labels of the rows, if the texts are a series of pandas. Returns the grids, the number of the form of each (-1 if there is no grid), and the names of the forms.
///
/// # Errors
/// `TypeError` for an item that isn't a text.
#[pyfunction]
pub(crate) fn extracted(
    texts: &Bound<'_, PyList>,
    index: Option<Py<PyAny>>,
) -> PyResult<(Rows, Memory, &'static [&'static str])> {
    let (mut rows, mut forms) = (Vec::with_capacity(texts.len()), Vec::with_capacity(texts.len()));
    for (number, item) in texts.iter().enumerate() {
        if number % TEXTS_OF_LOOK == TEXTS_OF_LOOK - 1 {
            texts.py().check_signals()?;
        }
        let found = match with_text(&item, |text| extract(&String::from_utf8_lossy(text)))? {
            Some(found) => found.ok_or(RowFault::NoGrid),
            None if is_missing(&item)? => Err(RowFault::Null),
            None => {
                let kind = item.get_type().name()?;
                return Err(PyTypeError::new_err(format!("item {number} is of type {kind}, and no text")));
            }
        };
        forms.push(found.map_or(-1, |found| found.form as i8));
        rows.push(found.map(|found| found.grid.into()));
    }
    let rows = Rows::from_read(rows, texts.clone().into_any().unbind(), index);
    Ok((rows, Memory::of_numbers::<Int8Type>(forms), TextForm::NAMES))
}
