//! Solvers and their threads, kept from call to call.

use std::mem;
use std::num::NonZeroUsize;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use sudobench_sudoku::simd::Level;
use sudobench_tables::TableSolver;

use crate::errors::of_table;
use crate::interruptible::are_few;
use crate::options::Solving;

/// Those of the last call. Locked only by threads that hold the interpreter, as the one does that forks: no child finds it
/// locked by a thread that it has not.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

struct Kept {
    /// Process of the threads. A child process made by `fork` has none of them.
    process: u32,
    variant: &'static str,
    level: Level,
    threads: NonZeroUsize,
    solver: Arc<TableSolver>,
}

/// Returns solvers for this number of puzzles. Few puzzles take any that are kept, because one thread solves them.
///
/// # Errors
/// `OSError` where the threads cannot be started.
pub(crate) fn table_solver(
    _interpreter: Python<'_>,
    solving: &Solving,
    puzzles: usize,
) -> PyResult<Arc<TableSolver>> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut of_process = kept.iter().filter(|kept| kept.process == process::id());
    let fits = |kept: &&Kept| kept.variant == solving.variant.name && kept.level == solving.level;
    if let Some(kept) = of_process.find(fits)
        // Asking the system for the number of cores takes longer than solving a few puzzles.
        && (are_few(puzzles) || kept.threads == solving.threads())
    {
        return Ok(Arc::clone(&kept.solver));
    }
    let threads = solving.threads();
    let solver = TableSolver::new(solving.variant, solving.level, threads).map_err(of_table)?;
    let solver = Arc::new(solver);
    let new = Kept {
        process: process::id(),
        variant: solving.variant.name,
        level: solving.level,
        threads,
        solver: Arc::clone(&solver),
    };
    if let Some(old) = kept.replace(new).filter(|old| old.process != process::id()) {
        // Its threads are in the parent process, perhaps with its locks, so waiting for them would never end.
        mem::forget(old);
    }
    Ok(solver)
}
