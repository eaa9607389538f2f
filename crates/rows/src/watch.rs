//! Lets other threads watch work and stop it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Tells a run over rows to stop early. Clones share the flags.
#[derive(Clone, Debug, Default)]
pub struct StopFlags {
    /// Set this to true to stop reading. Rows that were read before are still processed.
    pub reading: Arc<AtomicBool>,
    /// Set this to true to stop solving. Rows that are not solved yet are dropped.
    pub solving: Arc<AtomicBool>,
}

/// Cancels work, and counts finished puzzles. Clones share the flag and the counter.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Set this to true to cancel the work.
    pub cancel: Arc<AtomicBool>,
    /// Number of finished puzzles.
    pub done: Arc<AtomicU64>,
}

impl Watch {
    /// Returns whether the work is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Adds finished puzzles.
    pub fn add(&self, puzzles: usize) {
        self.done.fetch_add(puzzles as u64, Ordering::Relaxed);
    }
}
