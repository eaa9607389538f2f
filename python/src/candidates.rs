//! Candidates of boards in memory.

use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use sudobench_rows::find_candidates;
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::candidates::CandidateLevel;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::simd::Level;

use crate::errors::{run_error, unusable};
use crate::interruptible;
use crate::memory::Memory;
use crate::options::threads_or_cores;
use crate::progress::Progress;

/// Returns the possible digits of each cell of each puzzle, as nine truth values for each cell. Each of `rows` is a puzzle of 81 values.
/// `malformed` has the numbers of the rows that are no puzzles; their cells get no candidates.
///
/// # Errors
/// `ValueError` for an array that is not contiguous; `ValueError` and `TypeError` for wrong options.
#[pyfunction]
pub(crate) fn candidates(
    py: Python<'_>,
    rows: PyReadonlyArray2<'_, u8>,
    malformed: Vec<usize>,
    level: &str,
    threads: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Memory> {
    let candidates: CandidateLevel = level.parse().map_err(|error| unusable(format!("level: {error}")))?;
    let (rows, _) = rows.as_slice().map_err(unusable)?.as_chunks::<CELLS>();
    let puzzles =
        rows.iter().map(|row| Puzzle::try_from(*row)).collect::<Result<Vec<_>, _>>().map_err(unusable)?;
    let level = Level::from_environment().map_err(unusable)?;
    let threads = threads_or_cores(threads.as_ref())?;
    let progress = Progress::new(progress, Some(puzzles.len()));
    let found = interruptible::run(py, &progress, |watch| {
        find_candidates(&puzzles, candidates, level, threads, watch)
    })?;
    let mut found = found.map_err(|error| run_error(error, None))?;
    for row in malformed {
        if let Some(digits) = found.get_mut(row) {
            *digits = [0; CELLS];
        }
    }
    let digits = found.into_flattened().into_iter();
    Ok(Memory::from_flags(digits.flat_map(|digits| (0..9).map(move |digit| digits >> digit & 1 == 1))))
}
