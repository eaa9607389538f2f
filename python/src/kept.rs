//! Solvers and their threads, kept from call to call.

use std::mem;
use std::num::NonZeroUsize;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use sudobench_sudoku::simd::Level;
use sudobench_tables::TableSolver;

use crate::errors::of_table;
use crate::options::Solving;

/// Those of the last call. Locked only by threads that hold the interpreter, as the one does that forks: no child finds it
/// locked by a thread that it has not.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

struct Kept {
    /// A child of this process has none of its threads.
    process: u32,
    key: (&'static str, Level, NonZeroUsize),
    solver: Arc<TableSolver>,
}

/// The solvers that were asked for.
///
/// # Errors
/// `OSError` where the threads cannot be started.
pub(crate) fn table_solver(_interpreter: Python<'_>, solving: &Solving) -> PyResult<Arc<TableSolver>> {
    let threads = solving.threads();
    let key = (solving.variant.name, solving.level, threads);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = &*kept
        && kept.process == process::id()
        && kept.key == key
    {
        return Ok(Arc::clone(&kept.solver));
    }
    let solver = TableSolver::new(solving.variant, solving.level, threads).map_err(of_table)?;
    let solver = Arc::new(solver);
    let new = Kept { process: process::id(), key, solver: Arc::clone(&solver) };
    if let Some(old) = kept.replace(new).filter(|old| old.process != process::id()) {
        // Its threads stayed with the parent, perhaps with its locks: nobody may wait for them.
        mem::forget(old);
    }
    Ok(solver)
}
