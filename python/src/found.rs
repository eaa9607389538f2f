//! Boards that are found for puzzles: the minimal puzzles inside one, those around it, and solutions.

use std::sync::Arc;

use arrow_array::types::{Int64Type, UInt8Type};
use arrow_array::{Int64Array, UInt8Array};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use sudobench_batch::draw_key;
use sudobench_batch::verbs::{SolutionsOptions, find_each};
use sudobench_sudoku::minimals::{Found, Minimals};
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::vicinity::{Distance, Vicinity};
use sudobench_sudoku::{Puzzle, count};

use crate::errors::{of_run, unusable};
use crate::interruptible::{Flags, interruptible};
use crate::memory::Memory;
use crate::options::{at_least_one, threads_or_cores};

/// The minimal puzzles inside a puzzle, up to a number of them; or those that so many random orders leave, which the seed decides.
///
/// # Errors
/// `ValueError` where the text is no puzzle.
#[pyfunction]
pub(crate) fn minimals(
    py: Python<'_>,
    text: &[u8],
    limit: usize,
    random: Option<u64>,
    seed: u64,
) -> PyResult<Memory> {
    let puzzle = Puzzle::from_text(text).map_err(unusable)?;
    let (flags, level) = (Flags::default(), Level::from_environment().map_err(unusable)?);
    let mut minimals = Minimals::new(level).map_err(unusable)?.cancel(Arc::clone(&flags.reading));
    found(py, &flags, || match random {
        None => minimals.smallest(&puzzle, limit),
        // Of a puzzle with several solutions there are none, as in `smallest`.
        Some(_) if count(&puzzle, 2) != 1 => Some(Found { puzzles: Vec::new(), is_complete: true }),
        Some(orders) => minimals.random(&[(puzzle, draw_key(&puzzle).seeded(seed))], orders)?.pop(),
    })
}

/// The puzzles with one solution around a puzzle, up to a number of them.
///
/// # Errors
/// `ValueError` where the text is no puzzle, or the distance none.
#[pyfunction]
pub(crate) fn vicinity(
    py: Python<'_>,
    text: &[u8],
    distance: &str,
    minimal: bool,
    limit: usize,
) -> PyResult<Memory> {
    let puzzle = Puzzle::from_text(text).map_err(unusable)?;
    let distance: Distance = distance.parse().map_err(unusable)?;
    let (flags, level) = (Flags::default(), Level::from_environment().map_err(unusable)?);
    let mut vicinity = Vicinity::new(level).map_err(unusable)?.cancel(Arc::clone(&flags.reading));
    found(py, &flags, || vicinity.of(&puzzle, distance, minimal, limit))
}

/// Solutions of puzzles: their cells, for each the row of its puzzle, and for each row whether these are all that it has.
type SolutionsFound = (Memory, Memory, Memory);

/// The smallest solutions of each of some puzzles, which are rows of 81 values; those in `malformed` are none.
///
/// # Errors
/// `ValueError` for another shape.
#[pyfunction]
pub(crate) fn solutions(
    py: Python<'_>,
    rows: PyReadonlyArray2<'_, u8>,
    malformed: Vec<usize>,
    limit: u64,
    threads: Option<usize>,
) -> PyResult<SolutionsFound> {
    let (grids, _) = rows.as_slice().map_err(unusable)?.as_chunks::<CELLS>();
    let mut malformed = malformed.into_iter().peekable();
    let mut puzzles = Vec::with_capacity(grids.len());
    // The row of each puzzle.
    let mut places = Vec::with_capacity(grids.len());
    for (row, grid) in grids.iter().enumerate() {
        if malformed.next_if_eq(&row).is_none() {
            puzzles.push(Puzzle::try_from(*grid).map_err(unusable)?);
            places.push(row);
        }
    }
    let options = SolutionsOptions { limit_per_puzzle: at_least_one("limit", limit)? };
    let (flags, level) = (Flags::default(), Level::from_environment().map_err(unusable)?);
    let threads = threads_or_cores(threads)?;
    let work = || find_each(&options, &puzzles, level, threads, &flags.reading);
    let (found, exception) = interruptible(py, &flags, |_| Ok(()), work)?;
    if let Some(exception) = exception {
        return Err(exception);
    }
    let found = found.map_err(|error| of_run(error, None))?;
    let (mut cells, mut rows, mut complete) = (Vec::new(), Vec::new(), vec![1_u8; grids.len()]);
    for (row, Found { puzzles, is_complete }) in places.into_iter().zip(found) {
        complete[row] = u8::from(is_complete);
        rows.extend(std::iter::repeat_n(row as i64, puzzles.len()));
        cells.extend(puzzles.iter().flat_map(|puzzle| *puzzle.values()));
    }
    let (solutions, puzzles) = (rows.len(), complete.len());
    Ok((
        Memory::of::<UInt8Type>(Arc::new(UInt8Array::from(cells)), "|u1", vec![solutions, CELLS]),
        Memory::of::<Int64Type>(Arc::new(Int64Array::from(rows)), "<i8", vec![solutions]),
        Memory::of::<UInt8Type>(Arc::new(UInt8Array::from(complete)), "|b1", vec![puzzles]),
    ))
}

fn found(py: Python<'_>, flags: &Flags, find: impl FnOnce() -> Option<Found> + Send) -> PyResult<Memory> {
    let (found, exception) = interruptible(py, flags, |_| Ok(()), find)?;
    if let Some(exception) = exception {
        return Err(exception);
    }
    let Found { puzzles, .. } = found.ok_or_else(|| PyKeyboardInterrupt::new_err(()))?;
    let cells: Vec<u8> = puzzles.iter().flat_map(|puzzle| *puzzle.values()).collect();
    let shape = vec![puzzles.len(), CELLS];
    Ok(Memory::of::<UInt8Type>(Arc::new(UInt8Array::from(cells)), "|u1", shape))
}
