//! The stored record of one run of `overlap`. Its structs are separate from the structs with which the rows are compared, so that a change
//! of the code does not change the format of the record.

use serde::{Deserialize, Serialize};

use super::{Build, InputRecord, Machine};

/// One run of `overlap`: the compared inputs, and how many of their rows overlap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverlapRecord {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION) of the program that wrote the record.
    pub schema_version: u32,
    /// The kind of record: always `overlap`.
    pub kind: String,
    /// Start of the run, in RFC 3339, UTC.
    pub started: String,
    /// The arguments as typed, without the program's name.
    pub arguments: Vec<String>,
    /// Number of worker threads.
    pub threads: usize,
    /// The rows in which the rows of `test` are looked up.
    pub train: DatasetRowsRecord,
    /// The rows that are looked up in `train`.
    pub test: DatasetRowsRecord,
    /// Counts for each requested kind of overlap, the strongest first.
    pub overlaps: Vec<OverlapCountRecord>,
    /// Number of rows of `test` that have at least one of the requested kinds of overlap.
    pub overlapping: u64,
    /// Whether the run was interrupted before the end of `test`.
    pub interrupted: bool,
    /// Wall time of reading `train` and then `test`, in nanoseconds. If this run resumed an earlier run, the time includes the time that
    /// the earlier run spent on `test`.
    pub wall_ns: u64,
    /// The machine.
    pub machine: Machine,
    /// The build of sudobench.
    pub build: Build,
}

/// The rows of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetRowsRecord {
    /// The inputs in the order of the command line.
    pub inputs: Vec<InputRecord>,
    /// Number of rows.
    pub rows: u64,
    /// Number of rows without a puzzle.
    pub malformed: u64,
    /// Number of puzzles with exactly one solution; absent if no requested kind of overlap needs solutions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unique: Option<u64>,
}

/// One kind of overlap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverlapCountRecord {
    /// `text`, `isomorph`, `solution` or `solution_isomorph`.
    pub overlap: String,
    /// Number of rows of `test` with this kind of overlap.
    pub rows: u64,
    /// Number of rows of `test` that have this kind of overlap and no stronger kind.
    pub strongest: u64,
    /// Number of different items in `train`: puzzles (`text`), classes of isomorphic puzzles (`isomorph`), solution grids (`solution`) or
    /// classes of isomorphic solution grids (`solution_isomorph`).
    pub distinct_in_train: u64,
}
