//! Runs external programs: starts them, writes their input, reads their output, limits them, and ends them.
//!
//! ```text
//! supervisor     starts programs, and ends them with their child processes
//! system         a running program: through a runner on Unix, as a direct child elsewhere
//! runners        the child processes that start programs for this process
//! runner         the code of a runner: starts, limits, measures and ends programs;  cgroup: limits of a run as a whole
//! lines          the protocol between this program and child processes;  messages: what a runner reads and writes
//! limits         a program under limits;  run: the result of a run;  command: what users type to name a program
//! helper         starts this program again as a runner, watchdog or loader;  child_main: the work of such a process
//! loader         the code of a process that calls a solver in a shared library
//! process_tree   ends a program with its child processes; reports the resource use of processes
//! scratch        temporary folders; on Unix, a later process removes the folders of a killed process
//! watchdog       a process that ends the programs if this process is killed
//! ```

#[cfg(unix)]
mod cgroup;
mod child_main;
mod command;
mod helper;
mod limits;
mod lines;
mod loader;
#[cfg(unix)]
mod messages;
#[cfg(unix)]
mod process_tree;
mod run;
#[cfg(unix)]
mod runner;
#[cfg(unix)]
mod runners;
mod scratch;
mod supervisor;
#[cfg(not(unix))]
#[path = "direct.rs"]
mod system;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(unix)]
mod watchdog;

use std::time::Duration;

pub use child_main::child_main;
pub use command::{NamedCommand, absolute_argv, program_file};
pub use limits::{LimitedProgram, Limits};
pub(crate) use lines::{MAX_LINE_BYTES, OLDEST_PROTOCOL, PROTOCOL, line_of, take_line};
pub(crate) use loader::{FromLoader, LoadRequest, Timed};
pub(crate) use run::signal_name;
pub use run::{End, Run};
pub use scratch::ScratchFolder;
pub(crate) use supervisor::SHORT_OUTPUT;
pub use supervisor::Supervisor;
pub(crate) use system::Running;

/// Maximum time of one wait for a program. Between two waits, the flag that Ctrl-C sets is checked.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// Maximum number of bytes of a program's standard error that are kept.
const KEPT_ERROR_BYTES: usize = 1 << 20;

/// Reason why a program could not be run, measured or judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

/// The result of waiting for a program.
pub(crate) enum Event {
    /// The program printed these bytes.
    Output(Vec<u8>),
    /// The program's output has ended: no process has the pipe open any more.
    Closed,
    /// The program has ended, by itself or at a limit, and its own output was read. If it ended by itself, its child processes may still
    /// run. Also sent if a program under limits could not be started.
    Ended,
    /// Nothing happened before the wait ended.
    Nothing,
}

#[cfg(unix)]
#[cfg(test)]
pub(crate) mod fixtures;
