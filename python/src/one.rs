//! Solves one puzzle without making columns.

use std::cell::Cell;
use std::sync::Arc;

use pyo3::prelude::*;
use sudobench_sudoku::simd::LevelError;
use sudobench_sudoku::{Outcome, Question, Solver, Status};

use crate::errors::unusable;
use crate::input::Rows;
use crate::interruptible;
use crate::options::{Keywords, SolverKey, Solving};
use crate::progress::Progress;

/// Number of nodes that are searched in the calling thread. Only a longer search starts another thread, because starting a thread takes
/// longer than solving most puzzles. Ctrl-C has to wait until these nodes are searched, but this takes so little time that nobody notices.
const TRIED_AT_ONCE: u64 = 1000;

thread_local! {
    /// The solver that this thread used last, with its key.
    static KEPT: Cell<Option<(SolverKey, Box<dyn Solver>)>> = const { Cell::new(None) };
}

/// Status, solution as text, count, nodes and guesses of a puzzle.
type Answered = (&'static str, Option<String>, u64, u64, u64);

/// Solves one puzzle.
///
/// # Errors
/// `ValueError` if the row is malformed; `ValueError` and `TypeError` for wrong options; `RuntimeError` if the solver's answer is wrong.
#[pyfunction]
pub(crate) fn solve_one<'py>(py: Python<'py>, rows: &Rows, options: Keywords<'py>) -> PyResult<Answered> {
    let solving = Solving::from_keywords(&options)?;
    let puzzle = rows.one(py)?;
    let mut solver = kept(&solving).map_err(unusable)?;
    let (key, question) = (solving.solver_key(), solving.question);
    let tried = Question {
        max_nodes: Some(question.max_nodes.map_or(TRIED_AT_ONCE, |most| most.min(TRIED_AT_ONCE))),
        ..question.clone()
    };
    let mut outcome = solver.solve(&puzzle, &tried);
    if outcome.status == Status::Aborted && tried.max_nodes != question.max_nodes {
        outcome = interruptible::run(py, &Progress::default(), |watch| {
            solver.solve(&puzzle, &Question { cancel: Some(Arc::clone(&watch.cancel)), ..question })
        })?;
    }
    KEPT.set(Some((key, solver)));
    let Outcome { status, solution, count, nodes, guesses, .. } = outcome;
    if let Some(Err(refused)) = solution.as_ref().map(|solution| solution.check(&puzzle)) {
        return Err(pyo3::exceptions::PyRuntimeError::new_err(format!(
            "the solver's answer is wrong: {refused}"
        )));
    }
    Ok((status.name(), solution.map(|solution| solution.to_string()), count, nodes, guesses))
}

/// Returns the solver that this thread kept, or a new one.
fn kept(solving: &Solving) -> Result<Box<dyn Solver>, LevelError> {
    match KEPT.take() {
        Some((kept, solver)) if kept == solving.solver_key() => Ok(solver),
        _ => solving.variant.build(solving.level),
    }
}
