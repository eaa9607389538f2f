//! The stored record of one run of `solve`. Its structs are separate from the structs with which a run is made, so that a change of the
//! code does not change the format of the record. The exception is [`LatencySummary`]: its fields are part of the format.

use std::io::Write;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sudobench_rows::source::{Input, InputRead};
use sudobench_rows::{LatencySummary, RunMeasures};
use sudobench_sudoku::{Status, nanoseconds};

use super::{Build, HistogramTextError, Machine, histogram_to_text};

/// Version of the format of records. It rises with every change that matters to programs that read records.
pub const SCHEMA_VERSION: u32 = 1;

/// One run of `solve`: settings, inputs, machine and results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// [`SCHEMA_VERSION`] of the program that wrote the record.
    pub schema_version: u32,
    /// The kind of record: always `solve`.
    pub kind: String,
    /// Start of the run, in RFC 3339, UTC.
    pub started: String,
    /// The arguments as typed, without the program's name.
    pub arguments: Vec<String>,
    /// Name of the built-in solver.
    pub solver: String,
    /// Number of solutions of a puzzle after which its search stopped.
    pub max_solutions: u64,
    /// Number of worker threads; for merged shards, the sum.
    pub threads: usize,
    /// The inputs in the order of the command line.
    pub inputs: Vec<InputRecord>,
    /// Number of rows.
    pub rows: u64,
    /// Number of rows for each status.
    pub statuses: Vec<StatusRecord>,
    /// Number of rows that were counted, but not written.
    #[serde(default)]
    pub left_out: u64,
    /// Number of rows whose leading zeros were restored (`--restore-zeros`).
    #[serde(default)]
    pub restored: u64,
    /// Number of answers that were compared with an expected solution of the input.
    pub compared: u64,
    /// Number of answers that differ from the expected solution. If any solution is allowed, a correct answer is not counted, even if it
    /// differs.
    pub mismatches: u64,
    /// Number of solutions that the referee refused. The referee is separate code that checks each solution.
    pub refused: u64,
    /// Whether the run was interrupted before the end of its input.
    pub interrupted: bool,
    /// Number of search nodes, as the solver counts them.
    pub nodes: u64,
    /// Number of guesses (decisions between alternatives), as the solver counts them.
    pub guesses: u64,
    /// Number of puzzles that got a verdict without a guess.
    pub without_guess: u64,
    /// Wall time from the first byte read to the last byte written, in nanoseconds. If this run resumed an earlier run, the time of the
    /// earlier run is included. For merged shards, the longest time of a shard: the duration of the run if all shards ran at the same time.
    pub wall_ns: u64,
    /// Time spent in the solver, in nanoseconds, summed over the threads.
    pub solving_ns: u64,
    /// Puzzles per second of wall time.
    pub puzzles_per_second: f64,
    /// Latencies of the puzzles, in nanoseconds, without parsing and writing.
    pub latency_ns: LatencySummary,
    /// Histogram of the times in `latency_ns`, as in records of `bench`: HdrHistogram V2, deflated, base64.
    #[serde(default)]
    pub histogram: String,
    /// Number of puzzles within each budget.
    pub budgets: Vec<BudgetRecord>,
    /// The machine.
    pub machine: Machine,
    /// Name of the SIMD level for which the solver was built, as in the option `--simd`. Absent in records of older versions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub simd_level: Option<String>,
    /// The build of sudobench.
    pub build: Build,
    /// For a run that was merged from shards: the shards in order. The record has the arguments, machine, SIMD level and build of the first
    /// shard.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub shards: Vec<ShardTimeRecord>,
}

/// One shard of a merged run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardTimeRecord {
    /// The shard, such as `3/16`.
    pub shard: String,
    /// Number of rows of the shard.
    pub rows: u64,
    /// Wall time of the shard, in nanoseconds.
    pub wall_ns: u64,
    /// Number of worker threads of the shard.
    pub threads: usize,
    /// Name of the processor on which the shard ran.
    pub cpu: String,
}

/// The fields that the records of all verbs have, and that are known without a measurement. In the record of a shard, these fields describe
/// the run of the shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSetup {
    /// See [`RunRecord::arguments`]. The other fields also have the same names and meanings as in [`RunRecord`].
    pub arguments: Vec<String>,
    /// Worker threads.
    pub threads: usize,
    /// The inputs.
    pub inputs: Vec<InputRecord>,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// The machine.
    pub machine: Machine,
    /// The SIMD level. Only `solve` stores it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub simd_level: Option<String>,
    /// The build of sudobench.
    pub build: Build,
    /// The shards of a merged run.
    #[serde(default)]
    pub shards: Vec<ShardTimeRecord>,
}

/// The fields of a record of `solve` that are known without a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveSetup {
    /// The fields that all verbs have. In JSON, they are on the same level as the other fields.
    #[serde(flatten)]
    pub run: RunSetup,
    /// Name of the built-in solver.
    pub solver: String,
    /// Number of solutions of a puzzle after which its search stopped.
    pub max_solutions: u64,
}

impl RunRecord {
    /// Makes the record of a run from its start, wall time and measurements.
    ///
    /// # Errors
    /// If the histogram cannot be stored.
    pub fn new(
        setup: SolveSetup,
        measures: &RunMeasures,
        started: SystemTime,
        wall: Duration,
    ) -> Result<RunRecord, HistogramTextError> {
        let SolveSetup { run, solver, max_solutions } = setup;
        let (tally, summary) = (&measures.tally, measures.latency.summary());
        let statuses = Status::ALL
            .map(|status| StatusRecord { status: status.name().to_owned(), rows: tally.rows_with(status) });
        let budgets = measures.latency.within().iter().map(|within| BudgetRecord {
            label: within.budget.label(),
            limit_ns: within.budget.limit_ns(),
            within: within.puzzles,
            of: summary.puzzles,
        });
        Ok(RunRecord {
            schema_version: SCHEMA_VERSION,
            kind: "solve".to_owned(),
            started: humantime::format_rfc3339_seconds(started).to_string(),
            arguments: run.arguments,
            solver,
            max_solutions,
            threads: run.threads,
            inputs: run.inputs,
            rows: tally.rows(),
            statuses: statuses.to_vec(),
            left_out: tally.left_out,
            restored: tally.restored,
            compared: tally.compared,
            mismatches: tally.mismatches,
            refused: tally.refused,
            interrupted: run.interrupted,
            nodes: tally.nodes,
            guesses: tally.guesses,
            without_guess: tally.without_guess,
            wall_ns: nanoseconds(wall),
            solving_ns: tally.solving_ns,
            puzzles_per_second: tally.puzzles() as f64 / wall.as_secs_f64().max(1e-9),
            latency_ns: summary,
            histogram: histogram_to_text(measures.latency.histogram())?,
            budgets: budgets.collect(),
            machine: run.machine,
            simd_level: run.simd_level,
            build: run.build,
            shards: run.shards,
        })
    }
}

/// One input of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputRecord {
    /// The path as typed, or `-`.
    pub path: String,
    /// Number of bytes read. If the input is compressed, the compressed bytes are counted.
    pub bytes: u64,
    /// SHA-256 of the bytes that were read, in hexadecimal, if hashing was requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sha256: Option<String>,
}

impl InputRecord {
    /// Makes the record of an input of which `bytes` bytes were read.
    pub fn new(input: &Input, bytes: u64, sha256: Option<String>) -> InputRecord {
        let path = match input {
            Input::Stdin => "-".to_owned(),
            input => input.to_string(),
        };
        InputRecord { path, bytes, sha256 }
    }
}

impl From<&InputRead> for InputRecord {
    fn from(InputRead { input, bytes, sha256, .. }: &InputRead) -> InputRecord {
        InputRecord::new(input, *bytes, sha256.clone())
    }
}

/// The number of rows with one status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusRecord {
    /// Name of the status.
    pub status: String,
    /// Number of rows with this status.
    pub rows: u64,
}

/// The number of puzzles within one budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetRecord {
    /// The budget's label.
    pub label: String,
    /// The budget in nanoseconds.
    pub limit_ns: u64,
    /// Exact number of puzzles that got a verdict within the budget. In a record of `judge`, only accepted puzzles are counted.
    pub within: u64,
    /// Number of puzzles that were timed.
    pub of: u64,
}

/// Writes a record as indented JSON, with a newline at the end.
///
/// # Errors
/// If `out` can't be written.
pub fn write_json(out: &mut impl Write, record: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, record)?;
    writeln!(out)
}
