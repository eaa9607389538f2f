//! Reports how many puzzles are done.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::prelude::*;

/// Calls a function of Python with the number of puzzles that are done and their share of all puzzles. The share is `None` if the number of
/// all puzzles is not known. The function is called regularly during the work, and once more when the work is completed.
#[derive(Default)]
pub(crate) struct Progress {
    callback: Option<Py<PyAny>>,
    /// Number of all puzzles.
    puzzles: Option<usize>,
    pub(crate) done: Arc<AtomicU64>,
}

impl Progress {
    pub(crate) fn new(callback: Option<Py<PyAny>>, puzzles: Option<usize>) -> Progress {
        Progress { callback, puzzles, done: Arc::default() }
    }

    /// Returns whether there is no function to call.
    pub(crate) fn is_silent(&self) -> bool {
        self.callback.is_none()
    }

    /// Calls the Python function, if there is one.
    ///
    /// # Errors
    /// The exception of the function.
    pub(crate) fn show(&self, py: Python<'_>) -> PyResult<()> {
        let Some(callback) = &self.callback else { return Ok(()) };
        let done = self.done.load(Ordering::Relaxed);
        let share = self.puzzles.map(|puzzles| done as f64 / puzzles.max(1) as f64);
        callback.call1(py, (done, share)).map(drop)
    }
}
