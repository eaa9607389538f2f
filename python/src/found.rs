//! Puzzles that are found for one: the minimal ones inside it, and those around it.

use std::sync::Arc;

use arrow_array::UInt8Array;
use arrow_array::types::UInt8Type;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use sudobench_batch::draw_key;
use sudobench_sudoku::minimals::{Found, Minimals};
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::vicinity::{Distance, Vicinity};
use sudobench_sudoku::{Puzzle, count};

use crate::errors::unusable;
use crate::interruptible::{Flags, interruptible};
use crate::memory::Memory;

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
