//! Work that Ctrl-C can interrupt.
//!
//! Long work runs in another thread. Meanwhile, the calling thread releases the interpreter and regularly checks for signals, because
//! Python handles signals only on its main thread. Starting a thread takes longer than solving a few puzzles, so work on few puzzles begins
//! in the calling thread. If this work takes long, it starts again in another thread.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use sudobench_rows::{StopFlags, Watch};

use crate::alarm::Alarm;
use crate::progress::Progress;

/// Time between two checks for signals.
const TICK: Duration = Duration::from_millis(50);

/// Grace period after an interrupt. Reading stops at the interrupt. Solving is stopped after the grace period, so that a call usually ends
/// within a second.
const GRACE: Duration = Duration::from_millis(800);

/// Time limit for work on few puzzles in the calling thread. Longer work is given up and starts again in another thread.
const QUICK: Duration = Duration::from_millis(10);

/// Largest number of puzzles that counts as few. A table of at most this size is not divided among threads, so one thread would solve it
/// anyway.
const FEW: usize = 512;

/// Does `work` in another thread, and shows its progress. `work` gets a watch, which is cancelled if the work should stop early. Returns
/// the result, or the exception that interrupted the work.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: &Progress,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let flags = StopFlags::default();
    let watch = Watch { cancel: Arc::clone(&flags.reading), done: Arc::clone(&progress.done) };
    let (result, exception) = interruptible(py, &flags, |py| progress.show(py), || work(&watch))?;
    if let Some(exception) = exception {
        return Err(exception);
    }
    progress.show(py)?;
    Ok(result)
}

/// Like [`run`], for work on a number of puzzles. If there are few puzzles and no progress is shown, the work begins in this thread. If the
/// work takes longer than [`QUICK`], it is stopped and starts again in another thread.
pub(crate) fn run_on<T: Send>(
    py: Python<'_>,
    puzzles: usize,
    progress: &Progress,
    mut work: impl FnMut(&Watch) -> T + Send,
) -> PyResult<T> {
    if are_few(puzzles) && progress.is_silent() {
        let (alarm, watch) = (Alarm::for_process(py)?, Watch::default());
        alarm.add(&watch.cancel, QUICK);
        let result = py.detach(|| work(&watch));
        alarm.remove(&watch.cancel);
        if !watch.is_cancelled() {
            return Ok(result);
        }
        py.check_signals()?;
    }
    run(py, progress, work)
}

pub(crate) fn are_few(puzzles: usize) -> bool {
    puzzles <= FEW
}

/// Does `work` in another thread. Meanwhile, this thread regularly checks for signals and calls `watch`. An exception from `watch` or from
/// a signal handler, such as the one for Ctrl-C, sets `flags.reading`. If the work has not ended after [`GRACE`], or at a second exception,
/// `flags.solving` is set too.
///
/// Returns the result of the work, and the first exception if there was one.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    flags: &StopFlags,
    mut watch: impl FnMut(Python<'_>) -> PyResult<()> + Send,
    work: impl FnOnce() -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, end) = mpsc::sync_channel(1);
            let worker =
                std::thread::Builder::new().name("sudobench".to_owned()).spawn_scoped(scope, move || {
                    // Sending can't fail, because the receiver exists as long as this thread.
                    let _ = done.send(work());
                });
            let worker =
                worker.map_err(|error| PyOSError::new_err(format!("cannot start a thread: {error}")))?;
            let mut first: Option<(PyErr, Instant)> = None;
            loop {
                match end.recv_timeout(TICK) {
                    Ok(result) => return Ok((result, first.map(|(exception, _)| exception))),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => match worker.join() {
                        Err(panicked) => panic::resume_unwind(panicked),
                        Ok(()) => unreachable!("a thread that ends has sent its result"),
                    },
                }
                let looked = Python::attach(|py| match &first {
                    None => py.check_signals().and_then(|()| watch(py)),
                    Some(_) => py.check_signals(),
                });
                let is_late = first.as_ref().is_some_and(|(_, when)| when.elapsed() >= GRACE);
                if is_late || (first.is_some() && looked.is_err()) {
                    flags.solving.store(true, Ordering::SeqCst);
                }
                if let Err(exception) = looked {
                    flags.reading.store(true, Ordering::SeqCst);
                    first.get_or_insert((exception, Instant::now()));
                }
            }
        })
    })
}
