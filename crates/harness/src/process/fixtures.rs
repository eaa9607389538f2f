//! A supervisor for tests, whose helper processes are this test program again.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{LimitedProgram, Limits, Supervisor};

/// A supervisor; with `stop`, Ctrl-C was pressed already.
pub(crate) fn supervisor(stop: bool) -> Arc<Supervisor> {
    super::helper::help_oneself();
    Arc::new(Supervisor::new(Arc::new(AtomicBool::new(stop))))
}

/// A script of the shell under limits. On a busy machine a program of little processor time can take long: only a test of the wall
/// limit should make it short.
pub(super) fn limited(script: &str, wall: Duration) -> LimitedProgram {
    let limits = Limits {
        cpu: Some(Duration::from_millis(500)),
        wall,
        memory_bytes: None,
        address_space_bytes: None,
        output_bytes: 1 << 20,
        processes: 64,
    };
    let words = ["sh", "-c", script].map(str::to_owned).to_vec();
    LimitedProgram { words, environment: Vec::new(), limits }
}
