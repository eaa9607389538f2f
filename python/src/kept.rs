//! Solvers and their threads, kept from call to call.

use std::mem;
use std::num::NonZeroUsize;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use sudobench_tables::TableSolver;

use crate::errors::table_error;
use crate::interruptible::are_few;
use crate::options::{SolverKey, Solving};

/// The solvers that [`table_solver`] returned last. A thread must hold the interpreter lock when it locks this mutex. `os.fork` is called
/// with the interpreter lock held, so the mutex is not locked when the child process starts.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

struct Kept {
    /// Id of the process in which the threads run. A child process made by `fork` does not have these threads.
    process: u32,
    key: SolverKey,
    threads: NonZeroUsize,
    solver: Arc<TableSolver>,
}

/// Returns the solvers in [`KEPT`] if they fit, and otherwise makes new ones. If there are only a few puzzles, kept solvers with any number
/// of threads fit, because only one of the threads is used.
///
/// # Errors
/// `OSError` if the threads cannot be started.
pub(crate) fn table_solver(
    _interpreter: Python<'_>,
    solving: &Solving,
    puzzles: usize,
) -> PyResult<Arc<TableSolver>> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut of_process = kept.iter().filter(|kept| kept.process == process::id());
    let fits = |kept: &&Kept| kept.key == solving.solver_key();
    if let Some(kept) = of_process.find(fits)
        // Asking the system for the number of cores takes longer than solving a few puzzles.
        && (are_few(puzzles) || kept.threads == solving.threads())
    {
        return Ok(Arc::clone(&kept.solver));
    }
    let threads = solving.threads();
    let solver = TableSolver::new(solving.variant, solving.level, threads).map_err(table_error)?;
    let solver = Arc::new(solver);
    let new =
        Kept { process: process::id(), key: solving.solver_key(), threads, solver: Arc::clone(&solver) };
    if let Some(old) = kept.replace(new).filter(|old| old.process != process::id()) {
        // The old solvers were made before a fork. They are not dropped: their threads exist only in the parent process and may have held
        // locks, so waiting for the threads could take forever.
        mem::forget(old);
    }
    Ok(solver)
}
