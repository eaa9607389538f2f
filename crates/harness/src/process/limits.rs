//! Programs that run as on the online judge (BOJ): in an empty folder, with few environment variables, and under limits.

use std::time::Duration;

#[cfg(unix)]
use super::messages::Isolation;

/// A program, and the limits of each of its runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitedProgram {
    /// The command: the program, then its arguments. Paths in it are absolute, because the program runs in an empty folder.
    pub argv: Vec<String>,
    /// Environment variables in addition to `PATH`, `HOME`, `TMPDIR`, `LANG` and `SUDOBENCH_CHILD`.
    pub environment: Vec<(String, String)>,
    /// The limits of each run.
    pub limits: Limits,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Processor time, user and system, of the program with its child processes.
    pub cpu: Option<Duration>,
    /// Wall time.
    pub wall: Duration,
    /// Resident memory of the program with its child processes, in bytes.
    pub memory_bytes: Option<u64>,
    /// Address space of each process, in bytes. `None` for no limit: some programs, such as a JVM, reserve much more than they use.
    pub address_space_bytes: Option<u64>,
    /// Largest standard output, in bytes.
    pub output_bytes: u64,
    /// Largest number of processes at a time.
    pub processes: u64,
}

#[cfg(unix)]
impl Limits {
    /// Returns the isolation that a runner enforces for all of its runs.
    pub(super) fn isolation(&self) -> Isolation {
        let Limits { memory_bytes, address_space_bytes, processes, .. } = *self;
        Isolation::Judge { memory_bytes, address_space_bytes, processes }
    }
}
