//! A supervisor for tests. Its helper processes are further processes of this test program.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{LimitedProgram, Limits, Supervisor};

/// Makes a supervisor. With `stop`, the supervisor behaves as if Ctrl-C had been pressed already.
pub(crate) fn supervisor(stop: bool) -> Arc<Supervisor> {
    super::helper::help_oneself();
    Arc::new(Supervisor::new(Arc::new(AtomicBool::new(stop))))
}

/// A shell script under limits. On a busy machine even a short program can take long, so only a test of the wall limit should pass a short
/// `wall`.
pub(super) fn limited(script: &str, wall: Duration) -> LimitedProgram {
    let limits = Limits {
        cpu: Some(Duration::from_millis(500)),
        wall,
        memory_bytes: None,
        address_space_bytes: None,
        output_bytes: 1 << 20,
        processes: 64,
    };
    let argv = ["sh", "-c", script].map(str::to_owned).to_vec();
    LimitedProgram { argv, environment: Vec::new(), limits }
}
