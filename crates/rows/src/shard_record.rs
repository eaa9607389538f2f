//! The record next to the output of a shard. `merge` reads it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Digest;
use crate::as_text;
use crate::job_difference::difference;
use crate::place::{beside, without_end};
use crate::resume::{Answered, ResumeError, check_whole, refuse_other, store};
use crate::shard::{Cut, Shard, Span};

/// Suffix of a record's file name, after the name of its output.
const RECORD_END: &str = ".shard.json";

/// The record that is stored next to the output of a finished shard, for `merge`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardRecord {
    version: u32,
    /// CRC-32 of all other fields except the description, as they are stored. It detects later changes. In memory, it is 0.
    crc32: u32,
    /// The shard.
    #[serde(with = "as_text")]
    pub shard: Shard,
    /// The job of the whole run, which is equal in all shards: a [`ResolvedJob`](crate::ResolvedJob).
    pub job: Value,
    /// The labels of the budgets.
    pub budgets: Vec<String>,
    /// Start of the first row of the shard.
    pub start: Cut,
    /// Start of the first row after the shard; `None` if no row follows the shard.
    pub end: Option<Cut>,
    /// Number of the line at `start` (in a table, the number of the row), from 1. `None` if the number is unknown. Messages about this
    /// shard then count lines from 1 at the start of the shard.
    pub start_line: Option<u64>,
    /// Number of the line or table row at `end`, counted like `start_line`. Unused if `end` is `None`.
    pub end_line: u64,
    /// Number of bytes of the output's header. A merged file has only one header.
    pub header_bytes: u64,
    /// Number of bytes after the header if the output has no rows, such as the bytes of an empty compressed file. 0 if the output has rows.
    pub filler_bytes: u64,
    /// Counts and times of the rows.
    pub answered: Answered,
    /// Digest of the output. For a NumPy array, the digest covers the header as it was before the number of rows was known.
    pub output: Digest,
    /// Description of the program that processed the shard.
    pub description: Value,
}

/// Reasons why the record of a shard cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ShardRecordError {
    /// There is no record.
    #[error(
        "there is no {record}, which a shard writes beside its output: the shard is not complete, or the file is not the output of a \
         shard; if the file is a link, name its target"
    )]
    Missing {
        /// Expected path of the record.
        record: PathBuf,
    },
    /// The record can't be read or used.
    #[error("{record} cannot be used as the record of a shard: {reason}; run that shard again")]
    Unreadable {
        /// Path of the record.
        record: PathBuf,
        /// The fault.
        reason: String,
    },
}

impl ShardRecord {
    /// Version of the stored format. Increase it with every change of the format.
    pub const VERSION: u32 = 7;

    /// Makes the record of a shard before its rows are processed. `header_bytes` is the length of the output's header. `filler_bytes` is
    /// the number of bytes that follow the header if the output has no rows.
    pub(crate) fn new(
        shard: Shard,
        job: Value,
        budgets: Vec<String>,
        description: Value,
        header_bytes: u64,
        filler_bytes: u64,
    ) -> ShardRecord {
        ShardRecord {
            version: ShardRecord::VERSION,
            crc32: 0,
            shard,
            job,
            budgets,
            start: Cut::default(),
            end: None,
            start_line: Some(1),
            end_line: 1,
            header_bytes,
            filler_bytes,
            answered: Answered::default(),
            output: Digest::default(),
            description,
        }
    }

    /// Returns the fields that are equal in all shards of a run.
    pub(crate) fn comparable(&self) -> Value {
        json!({ "budgets": self.budgets, "job": self.job })
    }

    /// Returns the results in the record next to the finished output `output`, if that record has the same job and shard as `self`. For
    /// `head`, see [`ResumeState::checkpoint_of`](crate::resume::ResumeState::checkpoint_of).
    ///
    /// # Errors
    ///
    /// [`ResumeError`] if there is no record, if it can't be read or belongs to another job or shard, or if the output was changed.
    pub(crate) fn answered_of(&self, output: &Path, head: &[u8]) -> Result<Answered, ResumeError> {
        let then = ShardRecord::read(output).map_err(|error| {
            let reason = match error {
                ShardRecordError::Missing { record } => format!("there is no {}", record.display()),
                ShardRecordError::Unreadable { record, reason } => format!("{}: {reason}", record.display()),
            };
            ResumeError::Unknown { partial: output.to_owned(), reason }
        })?;
        // The jobs are compared first, because a difference between jobs gives a better message.
        let shard = |record: &ShardRecord| json!({ "shard": record.shard.to_string() });
        let differs = difference(&then.job, &self.job)
            .or_else(|| difference(&then.comparable(), &self.comparable()))
            .or_else(|| difference(&shard(&then), &shard(self)));
        refuse_other(differs, output)?;
        check_whole(output, head, then.output)?;
        Ok(then.answered)
    }

    pub(crate) fn with_span(self, span: &Span) -> ShardRecord {
        let Span { start, start_line, end, end_line } = *span;
        ShardRecord { start, start_line, end, end_line, ..self }
    }

    pub(crate) fn answered(self, answered: &Answered) -> ShardRecord {
        ShardRecord { answered: answered.clone(), ..self }
    }

    /// Sets the digest of the output, and `filler_bytes` to 0 if the output has rows.
    pub(crate) fn written(self, output: Digest) -> ShardRecord {
        // The counts of input rows don't show whether the output has rows, because all rows that were made from an input row may have been
        // left out.
        let has_rows = output.bytes > self.header_bytes + self.filler_bytes;
        ShardRecord { output, filler_bytes: if has_rows { 0 } else { self.filler_bytes }, ..self }
    }

    /// Returns the path of the record of an output.
    pub fn path_of(output: &Path) -> PathBuf {
        beside(output, RECORD_END)
    }

    /// Returns the path of the output that belongs to the record at this path; `None` if the path does not have the suffix of a record.
    pub fn output_of(record: &Path) -> Option<PathBuf> {
        without_end(record, RECORD_END)
    }

    /// Stores the record beside its output, completely or not at all.
    pub(crate) fn store(&self, output: &Path) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(&ShardRecord { crc32: self.checksum()?, ..self.clone() })?;
        text.push(b'\n');
        store(&ShardRecord::path_of(output), &text)
    }

    /// Returns the CRC-32 of the record. The description is left out, because its floating-point numbers may change slightly when they are
    /// stored and read back.
    fn checksum(&self) -> serde_json::Result<u32> {
        let counted = ShardRecord { crc32: 0, description: Value::Null, ..self.clone() };
        Ok(crc32fast::hash(&serde_json::to_vec(&counted)?))
    }

    /// Reads the record of an output.
    ///
    /// # Errors
    /// [`ShardRecordError`] if there is no record, or if the record can't be read or was changed.
    pub fn read(output: &Path) -> Result<ShardRecord, ShardRecordError> {
        let record = ShardRecord::path_of(output);
        let unreadable = |reason: String| ShardRecordError::Unreadable { record: record.clone(), reason };
        // Reading a pipe of that name would wait forever.
        if fs::metadata(&record).is_ok_and(|found| !found.is_file()) {
            return Err(unreadable("it is not a file".to_owned()));
        }
        let text = match fs::read(&record) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ShardRecordError::Missing { record });
            }
            Err(error) => return Err(unreadable(error.to_string())),
        };
        // Check the version before the content, because a record with another version may have other fields.
        let value: Value = serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
        match value.get("version").and_then(Value::as_u64) {
            Some(version) if version == u64::from(ShardRecord::VERSION) => {}
            Some(version) => {
                let known = ShardRecord::VERSION;
                return Err(unreadable(format!("its format is {version}, but this program reads {known}")));
            }
            None => return Err(unreadable("it has no version".to_owned())),
        }
        // The record is parsed from the text and not from `value`, because a sum of times may be too large for a number in a [`Value`].
        let read = serde_json::from_slice(&text)
            .and_then(|record: ShardRecord| Ok((record.checksum()?, record)))
            .map_err(|error| unreadable(error.to_string()));
        match read? {
            (crc32, record) if crc32 == record.crc32 => Ok(ShardRecord { crc32: 0, ..record }),
            _ => Err(unreadable("it was changed after it was written".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_back_and_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out.csv");
        let missing = ShardRecord::read(&output).unwrap_err().to_string();
        assert!(missing.contains("out.csv.shard.json, which a shard writes beside its output"), "{missing}");
        let shard = Shard::new(2, 3).unwrap();
        let mut record = ShardRecord {
            end: Some(Cut { input: 1, at: 77 }),
            start_line: None,
            ..ShardRecord::new(shard, Value::Null, Vec::new(), Value::Null, 7, 0)
        };
        record.answered.latency.total_ns = u128::from(u64::MAX) + 1;
        record.store(&output).unwrap();
        assert_eq!(ShardRecord::read(&output).unwrap(), record);
        let stored = fs::read_to_string(ShardRecord::path_of(&output)).unwrap();
        let moved = stored.replace("77", "78");
        assert_ne!(stored, moved);
        for (text, words) in [
            ("", "EOF"),
            ("{}", "it has no version"),
            ("{\"version\":6}", "its format is 6, but this program reads 7"),
            ("{\"version\":7}", "missing field"),
            (&moved, "it was changed after it was written"),
        ] {
            fs::write(ShardRecord::path_of(&output), text).unwrap();
            let refused = ShardRecord::read(&output).unwrap_err().to_string();
            assert!(refused.contains(words), "{refused}");
        }
    }
}
