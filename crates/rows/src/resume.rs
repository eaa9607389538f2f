//! The state of an interrupted run: its job, and its progress. A run with `--resume` that finishes stores its final state beside its
//! output, in the same format. By this final state, the next run with `--resume` recognises that the output is complete. For a shard, the
//! record of the shard is stored there instead of the final state: see `shard_record.rs`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::job_difference::{Difference, difference};
use crate::place::beside;
use crate::scores::Scores;
use crate::{Digest, LatencyCounts, Notice, Tally};

/// Version of the stored format. Increase it with every change of the format, because a program refuses a state with another version.
const VERSION: u32 = 13;

/// Suffix of the name of a partial file, after the name of the output.
pub(crate) const PARTIAL_END: &str = ".partial";

/// While a state file or the record of a shard is being written, its name has this suffix.
const NEW_END: &str = ".new";

/// The job of a run, as JSON.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredJob {
    /// A [`ResolvedJob`](crate::ResolvedJob).
    pub job: Value,
    /// Other values that must be equal for `--resume`, for example the modification times of the inputs.
    pub local: Value,
}

/// The state that is stored beside `FILE.partial` or a finished output: the job of the run, and its progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResumeState {
    version: u32,
    /// CRC-32 of all other fields as they are stored. Without this checksum, a count that was changed later couldn't be distinguished from
    /// a correct one.
    crc32: u32,
    /// ID of the process that writes or wrote the partial file.
    process: u32,
    /// The job of the run.
    pub asked: StoredJob,
    /// The progress of the run.
    pub checkpoint: Checkpoint,
}

/// A point up to which an output is complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The counts and times up to this point.
    pub answered: Answered,
    /// The digest of the output up to this point.
    pub output: Digest,
    /// Additional data that the sink needs to continue: for a Parquet file, the footer that describes the row groups written so far, in
    /// base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<String>,
}

/// The progress of a run up to some row, from which a resumed run continues its counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// Digest of the input text up to this row, without the skipped rows at the start. If the inputs are tables: digest of all bytes of the
    /// files that came through pipes.
    pub read: Digest,
    /// If rows are transformed: the number of forms that were already written for the first incomplete row. Otherwise 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub forms: u64,
    /// Counts of the rows, including rows that are not written.
    pub tally: Tally,
    /// The scores of the rows' predictions.
    #[serde(default, skip_serializing_if = "Scores::is_empty")]
    pub scores: Scores,
    /// Latencies of the rows.
    pub latency: LatencyCounts,
    /// The first notices of each kind.
    pub notices: Vec<Notice>,
    /// Start of the run.
    pub started: SystemTime,
    /// Time that the run has taken so far. The time between an interruption and the resumed run is not counted.
    pub elapsed: Duration,
}

fn is_zero(forms: &u64) -> bool {
    *forms == 0
}

impl Default for Answered {
    fn default() -> Answered {
        Answered {
            read: Digest::default(),
            forms: 0,
            tally: Tally::default(),
            scores: Scores::default(),
            latency: LatencyCounts::default(),
            notices: Vec::new(),
            started: SystemTime::now(),
            elapsed: Duration::ZERO,
        }
    }
}

/// Reasons why `--resume` can't use the output of an earlier run.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The earlier run had another job or another input.
    #[error(
        "{partial} is from a run with different {what}: it had {then}, but this run has {now}; use the options and inputs of that run, or \
         start again with --force"
    )]
    Differs {
        /// The partial file, or the complete output.
        partial: PathBuf,
        /// What differs: an option, or an input with its number.
        what: String,
        /// The value in the earlier run, as it is written in the message.
        then: String,
        /// The value in this run, as it is written in the message.
        now: String,
    },
    /// The earlier run needed all rows: for `--order-by`, `--sample` or `--pass-at`.
    #[error(
        "{partial} is from a run with --order-by, --sample or --pass-at, which cannot be continued; start again with --force"
    )]
    NeededAllRows {
        /// The partial file.
        partial: PathBuf,
    },
    /// The output was changed after the run, or can't be read.
    #[error("{partial} {fault}; start again with --force")]
    Changed {
        /// The partial file, or the complete output.
        partial: PathBuf,
        /// The fault.
        fault: String,
    },
    /// The job of the run is unknown.
    #[error("cannot find out which run wrote {partial}: {reason}; start again with --force")]
    Unknown {
        /// The partial file, or the complete output.
        partial: PathBuf,
        /// Why the job is unknown: for example, the state file is missing or invalid.
        reason: String,
    },
}

impl ResumeState {
    /// Makes the state of a run that has written nothing yet. `asked` is the job of the run.
    pub(crate) fn new(asked: StoredJob) -> ResumeState {
        let checkpoint =
            Checkpoint { answered: Answered::default(), output: Digest::default(), footer: None };
        ResumeState { version: VERSION, crc32: 0, process: std::process::id(), asked, checkpoint }
    }

    /// Returns the ID of the process that writes or wrote `partial`, if known.
    pub(crate) fn process_of(partial: &Path) -> Option<u32> {
        Some(ResumeState::beside(partial)?.process)
    }

    /// Returns whether the run that left `partial` needed all rows, so that it can't be resumed. False if this is unknown.
    pub(crate) fn needed_all_rows(partial: &Path) -> bool {
        ResumeState::beside(partial).is_some_and(|state| state.needs_all_rows())
    }

    /// Returns the state beside `partial`, if it can be read.
    fn beside(partial: &Path) -> Option<ResumeState> {
        serde_json::from_slice(&fs::read(state_path(partial)).ok()?).ok()
    }

    /// Returns whether the run has `--order-by`, `--sample` or `--pass-at`. Such a run collects rows or groups until its end, and its
    /// checkpoint does not contain them.
    fn needs_all_rows(&self) -> bool {
        let job = &self.asked.job;
        !job["order"].is_null() || !job["settings"]["predictions"]["groups"].is_null()
    }

    /// Returns whether a run left only an empty file without a state, for example because the run was killed at its start.
    pub(crate) fn has_no_state(partial: &Path) -> bool {
        partial.metadata().is_ok_and(|found| found.len() == 0) && !state_path(partial).exists()
    }

    /// Returns the checkpoint of the run that left `partial`, if that run had the same job. If the format overwrites its header at the end
    /// of a run, `head` is the header that the run wrote at first. Otherwise `head` is empty.
    ///
    /// # Errors
    /// [`ResumeError`] if that run had another job, if its output has been changed, or if something can't be read.
    pub(crate) fn checkpoint_of(
        partial: &Path,
        head: &[u8],
        asked: &StoredJob,
    ) -> Result<Checkpoint, ResumeError> {
        let checkpoint = ResumeState::read(partial, &state_path(partial), asked)?.checkpoint;
        check_bytes(partial, head, checkpoint.output)?;
        Ok(checkpoint)
    }

    /// Returns the results of the run that finished `output`, if that run had the same job. For `head`, see [`ResumeState::checkpoint_of`].
    ///
    /// # Errors
    /// [`ResumeError`] for the same reasons as in [`ResumeState::checkpoint_of`], or if there is no record of the finished output.
    pub(crate) fn answered_of(
        output: &Path,
        head: &[u8],
        asked: &StoredJob,
    ) -> Result<Answered, ResumeError> {
        let record = ResumeState::find_record(output)?;
        let Checkpoint { answered, output: written, .. } =
            ResumeState::read(output, &record, asked)?.checkpoint;
        check_whole(output, head, written)?;
        Ok(answered)
    }

    /// Returns the path of the record of a finished output.
    ///
    /// # Errors
    /// [`ResumeError::Unknown`] if there is no record.
    pub(crate) fn find_record(output: &Path) -> Result<PathBuf, ResumeError> {
        let record = record_path(output);
        if record.exists() {
            return Ok(record);
        }
        let reason = format!(
            "{} is missing: a run with --resume writes this file beside its output",
            record.display()
        );
        Err(ResumeError::Unknown { partial: output.to_owned(), reason })
    }

    /// Reads the file `kept`, the state of the run that left `partial`. Checks that this run had the job `asked`.
    fn read(partial: &Path, kept: &Path, asked: &StoredJob) -> Result<ResumeState, ResumeError> {
        let unknown = |reason: String| ResumeError::Unknown { partial: partial.to_owned(), reason };
        let named = |error: String| unknown(format!("{}: {error}", kept.display()));
        let text = fs::read(kept).map_err(|error| named(error.to_string()))?;
        // The version is checked first, because a state with another version may have other fields.
        let version = |text: &[u8]| serde_json::from_slice::<Value>(text).ok()?.get("version")?.as_u64();
        match version(&text) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => {
                return Err(named(format!(
                    "another version of this program wrote it (its format is {version}, and this program reads {VERSION})"
                )));
            }
            None => return Err(named("it is not the checkpoint of a run".to_owned())),
        }
        let then: ResumeState = serde_json::from_slice(&text).map_err(|error| named(error.to_string()))?;
        if then.checked().map_err(|error| named(error.to_string()))?.crc32 != then.crc32 {
            return Err(named("it was changed after the run".to_owned()));
        }
        if then.needs_all_rows() {
            return Err(ResumeError::NeededAllRows { partial: partial.to_owned() });
        }
        let differs =
            difference(&then.asked.job, &asked.job).or_else(|| difference(&then.asked.local, &asked.local));
        refuse_other(differs, partial)?;
        Ok(then)
    }

    /// Returns the state with its CRC-32.
    fn checked(&self) -> serde_json::Result<ResumeState> {
        let state = ResumeState { crc32: 0, ..self.clone() };
        let crc32 = crc32fast::hash(&serde_json::to_vec(&state)?);
        Ok(ResumeState { crc32, ..state })
    }

    pub(crate) fn store(&self, partial: &Path) -> io::Result<()> {
        self.store_as(&state_path(partial))
    }

    pub(crate) fn store_record(&self, output: &Path) -> io::Result<()> {
        self.store_as(&record_path(output))
    }

    fn store_as(&self, path: &Path) -> io::Result<()> {
        store(path, &serde_json::to_vec(&self.checked()?)?)
    }

    pub(crate) fn discard_record(output: &Path) -> io::Result<()> {
        remove_if_there(&record_path(output))
    }

    pub(crate) fn discard(partial: &Path) -> io::Result<()> {
        ResumeState::files_of(partial).iter().try_for_each(|path| remove_if_there(path))
    }

    /// Returns the path of `FILE.partial.json`, and the path of the temporary file that is renamed to it.
    pub(crate) fn files_of(partial: &Path) -> [PathBuf; 2] {
        stored_files(beside(partial, ".json"))
    }
}

/// Returns `path`, the path of a file that [`store`] writes, and the path of the temporary file that is renamed to it.
pub(crate) fn stored_files(path: PathBuf) -> [PathBuf; 2] {
    let new = beside(&path, NEW_END);
    [path, new]
}

/// Writes a file, completely or not at all.
pub(crate) fn store(path: &Path, text: &[u8]) -> io::Result<()> {
    let new = beside(path, NEW_END);
    // If there is already a file with the name `new`, it may be a leftover of a killed run, or a link to another person's file. So it is
    // removed, not overwritten.
    if fs::symlink_metadata(&new).is_ok() {
        fs::remove_file(&new)?;
    }
    let stored = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    stored.inspect_err(|_| drop(fs::remove_file(&new)))
}

pub(crate) fn record_path(output: &Path) -> PathBuf {
    beside(output, ".resume.json")
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Checks that a file starts with the bytes that a run has written. The bytes of `head` are used in place of the first bytes of the file,
/// which may be a header that the run has overwritten.
fn check_bytes(partial: &Path, head: &[u8], written: Digest) -> Result<(), ResumeError> {
    let Digest { bytes, .. } = written;
    let changed = |fault| Err(ResumeError::Changed { partial: partial.to_owned(), fault });
    let found = match digest_of(partial, bytes, head) {
        Ok(found) => found,
        Err(error) => return changed(format!("cannot be read: {error}")),
    };
    if found.bytes < bytes {
        return changed(format!("has {} bytes, but the run wrote {bytes}: it was truncated", found.bytes));
    }
    match found == written {
        true => Ok(()),
        false => changed("was changed after the run".to_owned()),
    }
}

/// Checks that a file has exactly the bytes that a run has written. For `head`, see [`check_bytes`].
pub(crate) fn check_whole(output: &Path, head: &[u8], written: Digest) -> Result<(), ResumeError> {
    check_bytes(output, head, written)?;
    match output.metadata().map(|found| found.len()) {
        Ok(length) if length == written.bytes => Ok(()),
        _ => Err(ResumeError::Changed {
            partial: output.to_owned(),
            fault: "was changed after the run".to_owned(),
        }),
    }
}

pub(crate) fn refuse_other(differs: Option<Difference>, partial: &Path) -> Result<(), ResumeError> {
    match differs {
        Some(Difference { what, then, now }) => {
            Err(ResumeError::Differs { partial: partial.to_owned(), what, then, now })
        }
        None => Ok(()),
    }
}

/// Returns the digest of the first `bytes` bytes of a file, or of the whole file if it is shorter. The bytes of `head` are used in place of
/// the first bytes of the file.
fn digest_of(path: &Path, bytes: u64, head: &[u8]) -> io::Result<Digest> {
    let mut file = File::open(path)?.take(bytes);
    let mut over = Vec::new();
    file.by_ref().take(head.len() as u64).read_to_end(&mut over)?;
    let (mut read, mut hasher) = (over.len() as u64, crc32fast::Hasher::new());
    hasher.update(&head[..over.len()]);
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(Digest { bytes: read, crc32: hasher.finalize() }),
            length => {
                read += length as u64;
                hasher.update(&buffer[..length]);
            }
        }
    }
}

fn state_path(partial: &Path) -> PathBuf {
    let [path, _] = ResumeState::files_of(partial);
    path
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(solver: &str) -> StoredJob {
        StoredJob { job: json!({ "solving": { "solver": solver }, "limit": null }), local: Value::Null }
    }

    #[test]
    fn changed_files_are_not_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let partial = folder.path().join("out.csv.partial");
        let written = b"puzzle,status\n1,unique\n";
        let mut state = ResumeState::new(asked("mrv"));
        state.checkpoint.output = Digest::from_bytes(written);
        state.checkpoint.answered.latency.total_ns = u128::from(u64::MAX) + 1;
        state.store(&partial).unwrap();
        let resumed = |text: &[u8], solver: &str| {
            fs::write(&partial, text).unwrap();
            ResumeState::checkpoint_of(&partial, b"", &asked(solver))
                .map_err(|error| error.to_string().replace(&partial.display().to_string(), "PARTIAL"))
        };
        // Data after the checkpoint is not compared, because the resumed run writes it again.
        assert_eq!(resumed(b"puzzle,status\n1,unique\n2,un", "mrv"), Ok(state.checkpoint.clone()));
        for (text, solver, words) in [
            (
                &written[..],
                "dlx",
                "PARTIAL is from a run with different --solver: it had `mrv`, but this run has `dlx`",
            ),
            (&written[..20], "mrv", "PARTIAL has 20 bytes, but the run wrote 23"),
            (b"puzzle,status\n2,unique\n", "mrv", "PARTIAL was changed after the run"),
        ] {
            let refused = resumed(text, solver).unwrap_err();
            assert!(refused.starts_with(words) && refused.ends_with("start again with --force"), "{refused}");
        }
        let stored = fs::read_to_string(state_path(&partial)).unwrap();
        let recounted = stored.replace("\"mismatches\":0", "\"mismatches\":1");
        assert_ne!(stored, recounted);
        for (state, words) in [
            ("", "it is not the checkpoint of a run"),
            ("{}", "it is not the checkpoint of a run"),
            (
                "{\"version\":11,\"asked\":{}}",
                "another version of this program wrote it (its format is 11, and this program reads 13)",
            ),
            ("{\"version\":13,\"asked\":{\"job\":0,\"local\":0}}", "missing field `crc32`"),
            (&recounted, "it was changed after the run"),
        ] {
            fs::write(state_path(&partial), state).unwrap();
            let refused = resumed(written, "mrv").unwrap_err();
            assert!(refused.starts_with("cannot find out which run wrote PARTIAL"), "{refused}");
            assert!(refused.contains(words), "{refused}");
        }
    }
}
