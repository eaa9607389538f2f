//! Raises flags after a short time. One thread serves all calls of a process, because starting a thread may take longer than a call.

use std::mem;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// The alarm, and the id of the process in which its thread runs. A thread must hold the interpreter lock when it locks this mutex.
/// `os.fork` is called with the interpreter lock held, so no other thread has the mutex locked at the time of the fork, and the mutex is
/// not locked when the child process starts.
static ALARM: Mutex<Option<(u32, Arc<Alarm>)>> = Mutex::new(None);

/// Flags that are raised when they are due.
#[derive(Default)]
pub(crate) struct Alarm {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    flags: Vec<(Instant, Arc<AtomicBool>)>,
    /// Whether the thread sleeps because there is no flag to raise.
    is_asleep: bool,
}

impl Alarm {
    /// Returns the alarm of this process. A child process made by `fork` has no threads of its parent, so it gets a new alarm.
    ///
    /// # Errors
    /// `OSError` if the thread cannot be started.
    pub(crate) fn for_process(_interpreter: Python<'_>) -> PyResult<Arc<Alarm>> {
        let mut kept = ALARM.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((process, alarm)) = &*kept
            && *process == process::id()
        {
            return Ok(Arc::clone(alarm));
        }
        let alarm = Arc::new(Alarm::default());
        let shared = Arc::clone(&alarm);
        std::thread::Builder::new()
            .name("sudobench-alarm".to_owned())
            .spawn(move || shared.ring())
            .map_err(|error| PyOSError::new_err(format!("cannot start a thread: {error}")))?;
        // The old alarm of the parent process is not dropped, because a thread of the parent may have held the alarm's lock during the
        // fork. Nothing uses the old alarm any more.
        mem::forget(kept.replace((process::id(), Arc::clone(&alarm))));
        Ok(alarm)
    }

    /// Raises the flag after this time, unless it is [removed](Alarm::remove) before.
    pub(crate) fn add(&self, flag: &Arc<AtomicBool>, after: Duration) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.flags.push((Instant::now() + after, Arc::clone(flag)));
        if mem::take(&mut state.is_asleep) {
            drop(state);
            self.changed.notify_one();
        }
    }

    pub(crate) fn remove(&self, flag: &Arc<AtomicBool>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.flags.retain(|(_, other)| !Arc::ptr_eq(flag, other));
    }

    /// Waits until flags are due, and raises them. Does not return: the thread runs until the process ends.
    fn ring(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let now = Instant::now();
            state.flags.retain(|(due, flag)| {
                let is_due = *due <= now;
                if is_due {
                    flag.store(true, Ordering::SeqCst);
                }
                !is_due
            });
            state = match state.flags.iter().map(|(due, _)| *due).min() {
                Some(due) => {
                    let waited = self.changed.wait_timeout(state, due - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    state.is_asleep = true;
                    self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }
}
