//! Checks whether grids are filled correctly.

use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::{Puzzle, Solution};

use crate::errors::unusable;
use crate::memory::Memory;

/// Returns whether each grid is a solution of the puzzle in the same row. A single puzzle is used for all grids, and a single grid is
/// compared with all puzzles.
///
/// # Errors
/// `ValueError` if an array is not contiguous, or if there are several grids and several puzzles, but not the same number of both.
#[pyfunction]
pub(crate) fn are_solutions(
    py: Python<'_>,
    puzzles: PyReadonlyArray2<'_, u8>,
    grids: PyReadonlyArray2<'_, u8>,
) -> PyResult<Memory> {
    let (puzzles, _) = puzzles.as_slice().map_err(unusable)?.as_chunks::<CELLS>();
    let (grids, _) = grids.as_slice().map_err(unusable)?.as_chunks::<CELLS>();
    let rows = if puzzles.len() == 1 { grids.len() } else { puzzles.len() };
    if ![1, rows].contains(&grids.len()) {
        return Err(unusable(format!(
            "{} grids for {} puzzles: give one grid for each puzzle",
            grids.len(),
            puzzles.len()
        )));
    }
    let of_row = |boards: &[[u8; CELLS]], row| boards.get(if boards.len() == 1 { 0 } else { row }).copied();
    let is_solution = |row| {
        let puzzle = of_row(puzzles, row).and_then(|puzzle| Puzzle::try_from(puzzle).ok());
        let grid = of_row(grids, row).and_then(|grid| Solution::try_from(grid).ok());
        puzzle.zip(grid).is_some_and(|(puzzle, grid)| grid.check(&puzzle).is_ok())
    };
    Ok(py.detach(|| Memory::from_flags((0..rows).map(is_solution))))
}
