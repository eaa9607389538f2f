//! The result of a run of an external program.

use serde::{Deserialize, Serialize};

use crate::record::registry::Readings;

/// Maximum number of bytes of standard error that messages show.
const STDERR_START_BYTES: usize = 4096;

/// A run of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// How the program ended.
    pub end: End,
    /// Processor time, user and system, of the program with its child processes.
    pub cpu_ns: u64,
    /// The part of the processor time that was spent in system mode.
    pub system_ns: u64,
    /// Wall time from just before the start of the program until sudobench notices that the program has ended or must be ended.
    pub wall_ns: u64,
    /// Peak memory in bytes: the largest resident set of one process, or the largest observed sum over all processes if that sum is larger.
    /// The kernel also counts the memory before `exec`: until then, the new process has the memory of the process that started it. So this
    /// value is at least about `memory_floor_bytes`.
    pub peak_memory_bytes: u64,
    /// Peak memory of the process that started the program, in bytes (a few MiB). If the peak memory of the program is smaller, it can't be
    /// measured.
    pub memory_floor_bytes: u64,
    /// Counts that the operating system reports for the run and, if the kernel provides them and the program is not under limits, counts of
    /// the processor. The map's keys are the keys of figures, such as `page_faults`.
    pub readings: Readings,
    /// Standard output of the program. `Supervisor::run` and `Supervisor::finish` store the whole output here, up to their size limits.
    /// `Running::end` stores only the part that was not read before.
    #[serde(skip)]
    pub output: Vec<u8>,
    /// The beginning of the text that the program wrote to standard error, for messages.
    #[serde(skip)]
    pub stderr_start: String,
    /// Standard error, up to a MiB.
    #[serde(skip)]
    pub errors: Vec<u8>,
    /// How the limits were enforced, in words.
    #[serde(skip)]
    pub enforced_by: String,
}

impl Run {
    /// Makes a run with this end and without measurements.
    pub(crate) fn from_end(end: End) -> Run {
        Run {
            end,
            cpu_ns: 0,
            system_ns: 0,
            wall_ns: 0,
            peak_memory_bytes: 0,
            memory_floor_bytes: 0,
            readings: Readings::new(),
            output: Vec::new(),
            stderr_start: String::new(),
            errors: Vec::new(),
            enforced_by: String::new(),
        }
    }

    pub(super) fn with_errors(self, errors: Vec<u8>) -> Run {
        let beginning = &errors[..errors.len().min(STDERR_START_BYTES)];
        let stderr_start = String::from_utf8_lossy(beginning).trim().to_owned();
        Run { stderr_start, errors, ..self }
    }

    /// Describes how the program ended, with the beginning of its standard error: `exit status: 3: no table`.
    pub(crate) fn in_words(&self) -> String {
        let end = match &self.end {
            End::Exited(code) => format!("exit status: {code}"),
            End::Signalled(signal) => format!("signal: {}", signal_name(*signal)),
            End::NotStarted(reason) => format!("no start: {reason}"),
            End::Stopped | End::CpuTime | End::WallTime | End::Memory | End::Output | End::Processes => {
                "a signal from sudobench".to_owned()
            }
        };
        if self.stderr_start.is_empty() { end } else { format!("{end}: {}", self.stderr_start) }
    }
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The program ended by itself, with this exit code.
    Exited(i32),
    /// The program was ended by a signal that sudobench did not send.
    Signalled(i32),
    /// The program was ended because the caller requested it.
    Stopped,
    /// The program was ended because it reached its limit of processor time.
    CpuTime,
    /// The program was ended because it reached its limit of wall time.
    WallTime,
    /// The program was ended because it used too much memory.
    Memory,
    /// The program printed too much. It was ended if it still ran.
    Output,
    /// The program was ended because it had too many processes.
    Processes,
    /// The program could not be started, for this reason.
    NotStarted(String),
}

/// Describes a signal by its number and, for some common signals on Linux, by its name.
pub(crate) fn signal_name(number: i32) -> String {
    let names = [
        (4, "SIGILL"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
        (24, "SIGXCPU"),
        (25, "SIGXFSZ"),
        (31, "SIGSYS"),
    ];
    let name = names.iter().find(|(known, _)| *known == number && cfg!(target_os = "linux"));
    name.map_or(number.to_string(), |(_, name)| format!("{number} ({name})"))
}
