//! A flag that is set after a given time, or earlier if another flag is set.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::Fault;
use crate::process::TICK;

/// A running alarm. Dropping this value turns the alarm off.
pub(super) struct Alarm {
    flag: Arc<AtomicBool>,
    _off: Sender<()>,
}

impl Alarm {
    /// Starts an alarm that rings after this time, or when `stop` becomes true.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the thread of the alarm can't be started.
    pub(super) fn set(after: Duration, stop: Option<Arc<AtomicBool>>) -> Result<Alarm, Fault> {
        let start = Instant::now();
        let flag = Arc::new(AtomicBool::new(after.is_zero()));
        let (off, turned_off) = channel();
        let alarm = Alarm { flag: Arc::clone(&flag), _off: off };
        let wait = move || {
            let is_due =
                || start.elapsed() >= after || stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
            while !is_due() {
                let left = after.saturating_sub(start.elapsed());
                if turned_off.recv_timeout(left.min(TICK)) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
            flag.store(true, Ordering::Relaxed);
        };
        let spawned = std::thread::Builder::new().name("alarm".to_owned()).spawn(wait);
        spawned.map_err(|error| Fault(format!("cannot start a thread: {error}")))?;
        Ok(alarm)
    }

    pub(super) fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    pub(super) fn has_rung(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}
