//! Puzzles that are made in memory.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::types::{Float64Type, UInt8Type, UInt64Type};
use arrow_array::{Float64Array, UInt8Array, UInt64Array};
use pyo3::prelude::*;
use sudobench_batch::{OnProgress, Pass, Sink, columns};
use sudobench_sudoku::puzzle::CELLS;

use crate::file::{Watched, how, job, telling, valid};
use crate::interruptible::Flags;
use crate::memory::Memory;
use crate::options::threads_or_cores;

/// Puzzles, their solutions (of several the smallest, zeros where there is none), how many they have, and what they count for in a mean,
/// where their method says that.
type Made = (Memory, Memory, Memory, Option<Memory>);

/// Makes puzzles. `keywords` is a JSON object with the options of `generate`. `progress` is called with those that are done and the share of the work, now and then and at the end.
///
/// # Errors
/// `ValueError` for what cannot be, and where a puzzle is not found.
#[pyfunction]
pub(crate) fn generate(
    py: Python<'_>,
    keywords: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made> {
    let job = valid(job("generate", keywords)?)?;
    let threads = threads_or_cores(threads)?;
    let flags = Flags::default();
    let watched = Watched::new(progress);
    let (mut puzzles, mut solutions, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    let mut weights = Vec::new();
    let sink = Sink::puzzles(|block| {
        for row in block.rows() {
            let (Some(puzzle), Some(outcome)) = (row.puzzle, row.outcome) else { continue };
            puzzles.push(*puzzle.values());
            solutions.push(outcome.solution.map_or([0; CELLS], |solution| *solution.values()));
            counts.push(outcome.count);
            weights.extend(row.weight);
        }
        ControlFlow::Continue(())
    });
    watched.finish(py, &flags, |told| {
        let on_pass = |_: Pass| -> OnProgress<'_> { Box::new(telling(told)) };
        let how = how(threads, &flags, &on_pass);
        let pass = Pass { name: String::new(), writes: false };
        job.set_up(job.open(&flags.reading)?, &how, pass)?.columns(columns::GENERATE_DEFAULT).to(sink)
    })?;
    let rows = puzzles.len();
    let grids = |grids: Vec<[u8; CELLS]>| {
        let cells = UInt8Array::from(grids.into_flattened());
        Memory::of::<UInt8Type>(Arc::new(cells), "|u1", vec![rows, CELLS])
    };
    let counts = Memory::of::<UInt64Type>(Arc::new(UInt64Array::from(counts)), "<u8", vec![rows]);
    let weights = (weights.len() == rows)
        .then(|| Memory::of::<Float64Type>(Arc::new(Float64Array::from(weights)), "<f8", vec![rows]));
    Ok((grids(puzzles), grids(solutions), counts, weights))
}
