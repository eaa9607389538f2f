//! Puzzles that are made: in memory, and into files.

use std::num::NonZeroU64;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use arrow_array::types::{Float64Type, UInt8Type, UInt64Type};
use arrow_array::{Float64Array, UInt8Array, UInt64Array};
use pyo3::prelude::*;
use sudobench_batch::source::{Options, Recipe, Source};
use sudobench_batch::verb::GENERATE;
use sudobench_batch::{Run, Sink, columns};
use sudobench_sudoku::Question;
use sudobench_sudoku::generate::Request;
use sudobench_sudoku::puzzle::CELLS;

use crate::errors::unusable;
use crate::file::{FileAnswers, FileOptions, Job, Watched, answers, telling};
use crate::interruptible::Flags;
use crate::memory::Memory;
use crate::options::{Asked, SolvingOptions, at_least_one};

/// What puzzles are asked for, as it was typed. Of ranges both ends are meant.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RequestOptions {
    count: u64,
    skip: u64,
    clues: Option<(usize, usize)>,
    minimal: bool,
    symmetry: String,
    pattern: Option<String>,
    difficulty: Vec<String>,
    solutions: (u64, u64),
    method: String,
    attempts: u64,
}

/// The same, validated.
pub(crate) struct Making {
    recipe: Recipe,
    numbers: Range<u64>,
    /// What is asked of each puzzle: one solution more than there may be, and of several the smallest.
    question: Question,
}

impl RequestOptions {
    fn making(self, seed: u64) -> PyResult<Making> {
        let count = at_least_one("count", self.count)?;
        let end = self.skip.checked_add(count.get());
        let end = end.ok_or_else(|| unusable(format!("a seed has {} puzzles: skip fewer", u64::MAX)))?;
        let request = Request {
            clues: self.clues.map(|(least, most)| least..=most),
            minimal: self.minimal,
            symmetry: word("symmetry", &self.symmetry)?,
            pattern: self.pattern.map(|pattern| word("pattern", &pattern)).transpose()?,
            solutions: self.solutions.0..=self.solutions.1,
            difficulties: self
                .difficulty
                .iter()
                .map(|difficulty| word("difficulty", difficulty))
                .collect::<PyResult<_>>()?,
            method: word("method", &self.method)?,
            hardest: None,
            attempts: at_least_one("attempts", self.attempts)?.get(),
        };
        let plan = request.plan().map_err(unusable)?;
        let most = plan.request().solutions.end().saturating_add(1).max(2);
        let question = Question::up_to(NonZeroU64::MIN.saturating_add(most - 1));
        Ok(Making { recipe: Recipe { plan: Arc::new(plan), seed }, numbers: self.skip..end, question })
    }
}

fn word<T: FromStr<Err: std::error::Error>>(option: &str, text: &str) -> PyResult<T> {
    text.trim().parse().map_err(|error| unusable(format!("{option}: {error}")))
}

impl Making {
    /// Where the puzzles come from.
    pub(crate) fn source(&self, options: Options) -> Source {
        Source::made(self.recipe.clone(), self.numbers.clone(), options)
    }
}

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
