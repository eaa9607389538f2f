//! Ctrl-C: the first asks the run to end with whole rows, the second ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;

use super::Exit;

/// Becomes true at the first interrupt or termination signal; a second one ends the process.
///
/// # Errors
/// Where the system does not let a handler be set.
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    raise(&flag)?;
    Ok(flag)
}

/// From here on the first interrupt or termination signal makes `flag` true; a second one ends the process.
///
/// # Errors
/// Where the system does not let a handler be set.
pub(super) fn raise(flag: &Arc<AtomicBool>) -> anyhow::Result<()> {
    let raised = Arc::clone(flag);
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Interrupted as i32);
        }
    })
    .context("cannot set a handler for Ctrl-C")
}
