//! Grids in texts, such as the answers of a language model.

use std::mem;
use std::num::NonZeroUsize;

use arrow_array::types::Int8Type;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use sudobench_rows::extract_each;
use sudobench_rows::source::RowFault;
use sudobench_sudoku::extract::TextForm;

use crate::errors::run_error;
use crate::input::{ReadRow, Rows, is_missing, with_text};
use crate::interruptible::{are_few, run_on};
use crate::memory::Memory;
use crate::options::threads_or_cores;
use crate::progress::Progress;

/// Number of bytes of text that are copied at a time. The copied texts are searched for grids before the next texts are copied.
const BYTES_AT_ONCE: usize = 32 << 20;

/// Finds the grid in each text. `index`: the labels of the rows, if the texts are a series of pandas. Returns the grids; for each text, the
/// form in which its grid was written, as a position in a list of names (-1 if there is no grid); and this list.
///
/// # Errors
/// `TypeError` for an item that is neither a text nor a missing value.
#[pyfunction]
pub(crate) fn extracted(
    texts: &Bound<'_, PyList>,
    index: Option<Py<PyAny>>,
    threads: Option<Bound<'_, PyAny>>,
) -> PyResult<(Rows, Memory, &'static [&'static str])> {
    let threads = threads_or_cores(threads.as_ref())?;
    let mut found = ExtractedGrids::default();
    let (mut copies, mut bytes) = (Vec::new(), 0);
    for (number, item) in texts.iter().enumerate() {
        let copy = match with_text(&item, <[u8]>::to_vec)? {
            Some(text) => Some(text),
            None if is_missing(&item)? => None,
            None => {
                let kind = item.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "item {number} (counted from 0) is of type {kind}, not a text"
                )));
            }
        };
        bytes += copy.as_ref().map_or(0, Vec::len);
        copies.push(copy);
        if bytes >= BYTES_AT_ONCE {
            bytes = 0;
            found.search(texts.py(), mem::take(&mut copies), threads)?;
        }
    }
    found.search(texts.py(), copies, threads)?;
    let rows = Rows::from_read(found.rows, texts.clone().into_any().unbind(), index);
    Ok((rows, Memory::from_numbers::<Int8Type>(found.forms), TextForm::NAMES))
}

/// The grids found so far.
#[derive(Default)]
struct ExtractedGrids {
    rows: Vec<ReadRow>,
    /// For each text, the form in which its grid was written, as a position in [`TextForm::NAMES`]; -1 if there is no grid.
    forms: Vec<i8>,
}

impl ExtractedGrids {
    /// Finds the grids in further texts, and appends them. The interpreter lock is released during the search. `None` is a missing text.
    fn search(&mut self, py: Python<'_>, texts: Vec<Option<Vec<u8>>>, threads: NonZeroUsize) -> PyResult<()> {
        let present: Vec<&Vec<u8>> = texts.iter().flatten().collect();
        // If there are few texts, the first attempt uses only the calling thread. If the attempt takes too long, `run_on` starts again,
        // with all threads.
        let mut threads_now = if are_few(present.len()) { NonZeroUsize::MIN } else { threads };
        let found = run_on(py, present.len(), &Progress::default(), |watch| {
            extract_each(&present, mem::replace(&mut threads_now, threads), watch)
        })?;
        let mut found = found.map_err(|error| run_error(error, None))?.into_iter();
        for text in &texts {
            let row = match text {
                Some(_) => found.next().flatten().ok_or(RowFault::NoGrid),
                None => Err(RowFault::Null),
            };
            self.forms.push(row.map_or(-1, |found| found.form as i8));
            self.rows.push(row.map(|found| found.grid.into()));
        }
        Ok(())
    }
}
