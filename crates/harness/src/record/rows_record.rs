//! The stored record of a run of a verb over rows that has no special record.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Build, InputRecord, Machine, StatusRecord};

/// One run of a verb over rows: what was read, and the counts that its summary shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowsRecord {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION) of the writer.
    pub schema_version: u32,
    /// Always `rows`: which kind of record this is.
    pub kind: String,
    /// The verb.
    pub command: String,
    /// When the run started, in RFC 3339, UTC.
    pub started: String,
    /// The arguments as typed, without the program's name.
    pub arguments: Vec<String>,
    /// Worker threads.
    pub threads: usize,
    /// The inputs in their order.
    pub inputs: Vec<InputRecord>,
    /// All rows.
    pub rows: u64,
    /// Number of rows for each status that occurs. Puzzles that were not solved have no status.
    pub statuses: Vec<StatusRecord>,
    /// For each chosen column of words, the number of rows with each word.
    pub words: Vec<WordsRecord>,
    /// Rows that are not written, by `--only`, `--sample`, `--top` or the verb itself.
    pub left_out: u64,
    /// For verbs that expand rows: number of expanded rows that are not written.
    pub left_out_expanded: u64,
    /// Number of found puzzles, for verbs that expand rows.
    pub found: u64,
    /// Rows with an expected solution that was compared.
    pub compared: u64,
    /// Number of these rows with another answer.
    pub mismatches: u64,
    /// Puzzles that got the zeros at their start back.
    pub restored: u64,
    /// For `dedupe`: the counts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub duplicates: Option<DuplicatesRecord>,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// Wall time in nanoseconds, including the resumed run.
    pub wall_ns: u64,
    /// The machine.
    pub machine: Machine,
    /// The program.
    pub build: Build,
}

/// The words of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordsRecord {
    /// The name of the column.
    pub column: String,
    /// The number of rows with each word. Rows without a value are not counted.
    pub rows: BTreeMap<String, u64>,
}

/// Counts of `dedupe`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicatesRecord {
    /// Puzzles that are different, or not isomorphic.
    pub distinct: u64,
    /// Rows whose puzzle is in an earlier row.
    pub duplicates: u64,
    /// Puzzles that are in several rows.
    pub groups: u64,
    /// The largest number of rows with one puzzle.
    pub largest: u64,
}
