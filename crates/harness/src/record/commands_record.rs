//! The stored record of a run of `bench --command`. Its `results` have the fields of hyperfine, so scripts made for hyperfine can read
//! them.

use serde::{Deserialize, Serialize};

use super::{Build, Finding, Machine};
use crate::statistics::Interval;

/// Value of `kind` in a record of `bench --command`.
pub const COMMANDS: &str = "commands";

/// One run of `bench --command`. The times in `results` are in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandsRecord {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION) of the program that wrote the record.
    pub schema_version: u32,
    /// The kind of record: always [`COMMANDS`].
    pub kind: String,
    /// Start of the run, in RFC 3339, UTC.
    pub started: String,
    /// The arguments as typed, without the program's name.
    pub arguments: Vec<String>,
    /// The seed for the order of the commands in each round, and for the bootstrap.
    pub seed: u64,
    /// Settings of the measurement.
    pub settings: CommandsSettings,
    /// Whether the run was interrupted.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub interrupted: bool,
    /// The commands that were measured, in the order of the command line.
    pub results: Vec<CommandResult>,
    /// The commands that failed.
    pub failures: Vec<CommandFailure>,
    /// The machine.
    pub machine: Machine,
    /// Properties of the machine, and which of them may disturb measurements.
    pub noise: Vec<Finding>,
    /// The build of sudobench: toolchain, commit, flags.
    pub build: Build,
}

/// Settings of a measurement of commands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandsSettings {
    /// Minimum number of runs of each command, unless `max_time_ns` is over earlier.
    pub rounds: usize,
    /// Minimum total time of all runs of a command, unless `max_time_ns` is over earlier.
    pub min_time_ns: u64,
    /// Maximum time of measurement of a command, warm-up included.
    pub max_time_ns: u64,
    /// The command that ran before each run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub prepare: Option<String>,
}

/// One command. Times are in seconds. The fields have the same names as in hyperfine, if hyperfine has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandResult {
    /// The command as typed.
    pub command: String,
    /// Name of the command.
    pub name: String,
    /// Mean of the wall times.
    pub mean: f64,
    /// Standard deviation of the wall times. Null for a single run.
    pub stddev: Option<f64>,
    /// Median of the wall times.
    pub median: f64,
    /// Mean processor time in user mode.
    pub user: f64,
    /// Mean processor time in system mode.
    pub system: f64,
    /// The shortest wall time.
    pub min: f64,
    /// The longest wall time.
    pub max: f64,
    /// The wall time of each run.
    pub times: Vec<f64>,
    /// The exit code of each run.
    pub exit_codes: Vec<i32>,
    /// The largest resident set of each run in bytes. Absent if it is unknown for at least one run: either the system does not report it,
    /// or it is not above the resident set of the process that starts the commands.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub memory_usage_byte: Option<Vec<u64>>,
    /// The median with its 95% interval.
    pub median_interval: Interval,
    /// Ratio of this median to the median of the fastest command, with the 95% interval of the ratio. Absent for the fastest command.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ratio: Option<Interval>,
}

/// A command that was not measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandFailure {
    /// The command as typed.
    pub command: String,
    /// Name of the command.
    pub name: String,
    /// Reason why the command was not measured.
    pub error: String,
}
