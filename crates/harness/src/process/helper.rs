//! Starts this program again: as a runner, as the watchdog, or as a loader.
//!
//! A helper process is the same program with a special first argument. So `main` must call [`child_main`](crate::child_main) first. A
//! program that does not call `child_main` would start itself again and again. So if this call is missing, starting a helper process is
//! an error.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::started;

/// The first argument of a runner.
#[cfg(unix)]
pub(super) const RUNNER: &str = "sudobench-runner";

/// The first argument of the watchdog. The second argument is a prefix: the watchdog ends the processes whose mark starts with it. A mark
/// is the value of the environment variable `SUDOBENCH_CHILD`.
#[cfg(unix)]
pub(super) const WATCHDOG: &str = "sudobench-watchdog";

/// The first argument of a loader, a process that calls a solver in a library. The second argument is the request.
pub(super) const LOADER: &str = "sudobench-loader";

/// The program file of helper processes, and the arguments that come before all others.
static HELPER: OnceLock<(PathBuf, Vec<String>)> = OnceLock::new();

/// Stores how to start this program again.
pub(super) fn remember() {
    if let Ok(again) = started::again_as_it_is() {
        HELPER.get_or_init(|| again);
    }
}

/// Returns the command that starts a helper process with these arguments.
///
/// # Errors
/// If this program has not called [`child_main`](crate::child_main), or if the path of its file was not known at that time.
pub(super) fn command(arguments: &[&str]) -> io::Result<Command> {
    let (file, first_words) = HELPER.get().ok_or_else(|| {
        io::Error::other(
            "a program that uses this library must call sudobench_harness::child_main() at the start of `main`",
        )
    })?;
    let mut command = Command::new(file);
    command.args(first_words).args(arguments);
    Ok(command)
}

/// Makes this test program its own helper: when it is started again, it runs the test that does the work of helper processes.
#[cfg(unix)]
#[cfg(test)]
pub(super) fn help_oneself() {
    let arguments = ["--exact", "process::child_main::tests::serves_if_this_is_a_helper", "--nocapture"];
    let file = std::env::current_exe().expect("a test knows its file");
    HELPER.get_or_init(|| (file, arguments.map(str::to_owned).to_vec()));
}
