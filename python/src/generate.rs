//! Puzzles that are made: in memory, and into files.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::types::{Float64Type, UInt8Type, UInt64Type};
use arrow_array::{Float64Array, UInt8Array, UInt64Array};
use pyo3::prelude::*;
use sudobench_batch::source::Options;
use sudobench_batch::verb::GENERATE;
use sudobench_batch::{Run, Sink, columns};
use sudobench_sudoku::puzzle::CELLS;

use crate::file::{FileAnswers, FileOptions, Job, Watched, answers, telling};
use crate::interruptible::Flags;
use crate::making::RequestOptions;
use crate::memory::Memory;
use crate::options::{Asked, SolvingOptions};

/// Puzzles, their solutions (of several the smallest, zeros where there is none), how many they have, and what they count for in a mean,
/// where their method says that.
type Made = (Memory, Memory, Memory, Option<Memory>);

/// Makes puzzles. `progress` is called with those that are done and the share of the work, now and then and at the end.
///
/// # Errors
/// `ValueError` for what cannot be, and where a puzzle is not found.
#[pyfunction]
pub(crate) fn generate(
    py: Python<'_>,
    request: RequestOptions,
    options: SolvingOptions,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made> {
    let solving = options.solving()?;
    let making = request.making(solving.isomorphs.seed)?;
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
    let source = making.source(Options { cancel: Arc::clone(&flags.reading), ..Options::default() });
    watched.finish(py, &flags, |told| {
        Run::over(source)
            .solver(solving.variant, solving.level)
            .question(making.question.clone())
            .columns(columns::GENERATE_DEFAULT)
            .threads(solving.threads())
            .cancel(Arc::clone(&flags.solving))
            .progress(telling(told))
            .to(sink)
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

/// Makes puzzles into a file. `progress` is called as by [`generate`]. `None` where an earlier run has done it all.
///
/// # Errors
/// As [`generate`], and as `write_file`.
#[pyfunction]
pub(crate) fn generate_file(
    py: Python<'_>,
    output: PathBuf,
    request: RequestOptions,
    solving: SolvingOptions,
    options: FileOptions,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<FileAnswers>> {
    let mut solving = solving.solving()?;
    let making = request.making(solving.isomorphs.seed)?;
    solving.question = making.question.clone();
    let flags = Flags::default();
    let job = Job::made(Asked(GENERATE), making, output, options, &solving, &flags)?;
    let finished = job.finish(py, &solving, &flags, progress)?;
    Ok(finished.map(|finished| answers(&job.inputs, &finished)))
}
