//! How other threads watch work on puzzles in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Cancels work, and counts the puzzles that are done. Clones share both.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Set this to true to cancel the work.
    pub cancel: Arc<AtomicBool>,
    /// Number of puzzles that are done.
    pub done: Arc<AtomicU64>,
}

impl Watch {
    /// Returns whether the work is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Adds puzzles that are done.
    pub fn add(&self, puzzles: usize) {
        self.done.fetch_add(puzzles as u64, Ordering::Relaxed);
    }
}
