//! Other programs: how they are started, fed, read, bounded and ended.
//!
//! ```text
//! child          one that talks with us as long as it likes: an engine, the other binary of a gate, a runner
//! finished       one that is run to its end: git, somebody's build
//! command        what people type to name one
//! limited        one that is run under limits, once for each input: what is asked of its runner
//! runner         the other process that does it; cgroup: what holds a run as a whole, where it may
//! process_tree   the end of a program with all that it started
//! watchdog       sees to it that none outlives us
//! ```

#[cfg(unix)]
mod cgroup;
mod child;
mod command;
mod finished;
mod limited;
mod process_tree;
#[cfg(unix)]
mod runner;
#[cfg(unix)]
mod watchdog;

pub use child::Children;
pub(crate) use child::{Output, Running, TICK};
pub use command::{NamedCommand, absolute_words};
pub use limited::{End, LimitedProgram, Limits, Run, Runner};
#[cfg(unix)]
pub use runner::serve_runs;
#[cfg(unix)]
pub use watchdog::watch;

/// Why a program is not measured or judged. Its text goes into the record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);
