//! Boards that are found for puzzles: solutions, the minimal puzzles inside them, those around them.

use std::sync::Arc;

use arrow_array::types::{Int64Type, UInt8Type};
use arrow_array::{Int64Array, UInt8Array};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use sudobench_batch::verbs::find_each;
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::minimals::Found;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::simd::Level;

use crate::errors::{of_run, unusable};
use crate::file::job;
use crate::interruptible::{Flags, interruptible};
use crate::memory::Memory;
use crate::options::threads_or_cores;

/// Boards, for each the row of its puzzle, and for each row whether these are all that it has.
type BoardsFound = (Memory, Memory, Memory);

/// What a verb finds for each of some puzzles, which are rows of 81 values; those in `malformed` are none. `keywords` is a JSON object with
/// the options of the verb.
///
/// # Errors
/// `ValueError` for another shape, and for options.
#[pyfunction]
pub(crate) fn find(
    py: Python<'_>,
    verb: &str,
    keywords: &str,
    rows: PyReadonlyArray2<'_, u8>,
    malformed: Vec<usize>,
    threads: Option<usize>,
) -> PyResult<BoardsFound> {
    let find = job(verb, keywords)?.verb.find();
    let find = find.ok_or_else(|| unusable(format!("`{verb}` finds nothing")))?;
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
    let (flags, level) = (Flags::default(), Level::from_environment().map_err(unusable)?);
    let threads = threads_or_cores(threads)?;
    let work = || find_each(&*find, &puzzles, level, threads, &flags.reading);
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
    let (boards, puzzles) = (rows.len(), complete.len());
    Ok((
        Memory::of::<UInt8Type>(Arc::new(UInt8Array::from(cells)), "|u1", vec![boards, CELLS]),
        Memory::of::<Int64Type>(Arc::new(Int64Array::from(rows)), "<i8", vec![boards]),
        Memory::of::<UInt8Type>(Arc::new(UInt8Array::from(complete)), "|b1", vec![puzzles]),
    ))
}
