//! Going on with the output of an interrupted run: which run it was, and how far it came.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::place::beside;
use crate::{Digest, LatencyCounts, Notice, Tally};

/// The version of the stored form. It rises with every change, for a state is gone on with by the program that left it.
const VERSION: u32 = 7;

/// What decides the bytes of an output, by the names of the flags. The same values and inputs give the same rows, but
/// for times and what a limit of time aborts.
pub type Asked = BTreeMap<String, Value>;

/// What stands beside `FILE.partial`: which run it is, and how far it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResumeState {
    version: u32,
    /// Of all else in it, as it is stored: a count that was changed since cannot be told from a right one otherwise.
    crc32: u32,
    /// The process that writes, or wrote.
    process: u32,
    /// What the run was asked.
    pub asked: Asked,
    /// How far it came.
    pub checkpoint: Checkpoint,
}

/// A point up to which an output is whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// What was done until then.
    pub answered: Answered,
    /// What was written of it.
    pub output: Digest,
    /// Of a Parquet file the footer that tells of its row groups so far, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<String>,
}

/// What a run has done until some row: all that has to be known to go on, and in the end to tell of the whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The text that was read for it: that of all blocks, behind the rows to skip. For tables: all bytes of the files that came through pipes.
    pub read: Digest,
    /// Of the row behind those that are counted, the forms that are written already, where rows become others.
    #[serde(default, skip_serializing_if = "is_none")]
    pub forms: u64,
    /// Counts of the rows, those that the run leaves out among them.
    pub tally: Tally,
    /// Their latencies.
    pub latency: LatencyCounts,
    /// The first rows of each kind that deserve a word.
    pub notices: Vec<Notice>,
    /// When it started.
    pub started: SystemTime,
    /// The time it took, without those between interruptions.
    pub elapsed: Duration,
}

fn is_none(forms: &u64) -> bool {
    *forms == 0
}

impl Default for Answered {
    /// Nothing yet.
    fn default() -> Answered {
        Answered {
            read: Digest::default(),
            forms: 0,
            tally: Tally::default(),
            latency: LatencyCounts::default(),
            notices: Vec::new(),
            started: SystemTime::now(),
            elapsed: Duration::ZERO,
        }
    }
}

/// Why an interrupted run cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// Another question, or another input.
    #[error(
        "{partial} is from a run with other {what}: it had {then}, this one has {now}; \
         run it as it was, or give --force to start anew"
    )]
    Differs {
        /// The partial file.
        partial: PathBuf,
        /// The flag that differs.
        what: String,
        /// Its value then, as JSON.
        then: String,
        /// Its value now.
        now: String,
    },
    /// The output is not what the run left.
    #[error("{partial} {fault}; give --force to start anew")]
    Changed {
        /// The partial file.
        partial: PathBuf,
        /// What is wrong with it.
        fault: String,
    },
    /// What the run was asked is not known.
    #[error("cannot tell which run left {partial}: {reason}; give --force to start anew")]
    Unknown {
        /// The partial file.
        partial: PathBuf,
        /// What is wrong with the file beside it.
        reason: String,
    },
}

impl ResumeState {
    /// A run that was asked this and has written nothing yet.
    pub(crate) fn new(asked: Asked) -> ResumeState {
        let checkpoint =
            Checkpoint { answered: Answered::default(), output: Digest::default(), footer: None };
        ResumeState { version: VERSION, crc32: 0, process: std::process::id(), asked, checkpoint }
    }

    /// The process that writes `partial`, if that can be told.
    pub(crate) fn process_of(partial: &Path) -> Option<u32> {
        let text = fs::read(state_path(partial)).ok()?;
        Some(serde_json::from_slice::<ResumeState>(&text).ok()?.process)
    }

    /// Whether a run left nothing but an empty file: it was killed before it could say what it was.
    pub(crate) fn is_unsaid(partial: &Path) -> bool {
        partial.metadata().is_ok_and(|found| found.len() == 0) && !state_path(partial).exists()
    }

    /// How far the run came that left `partial`, if it was asked the same. Its first bytes were `head`; whether they have been
    /// written over since is all one.
    ///
    /// # Errors
    /// [`ResumeError`] where it was asked something else, what it left has been changed, or nothing can be read.
    pub(crate) fn checkpoint_of(
        partial: &Path,
        head: &[u8],
        asked: &Asked,
    ) -> Result<Checkpoint, ResumeError> {
        let unknown = |reason: String| ResumeError::Unknown { partial: partial.to_owned(), reason };
        let kept = state_path(partial);
        let named = |error: String| unknown(format!("{}: {error}", kept.display()));
        let text = fs::read(&kept).map_err(|error| named(error.to_string()))?;
        // Only then what is in it: another version has another form.
        let version = |text: &[u8]| serde_json::from_slice::<Value>(text).ok()?.get("version")?.as_u64();
        match version(&text) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => {
                return Err(named(format!("version {version} of the state, this program has {VERSION}")));
            }
            None => return Err(named("it is not the state of a run".to_owned())),
        }
        let then: ResumeState = serde_json::from_slice(&text).map_err(|error| named(error.to_string()))?;
        if then.checked().map_err(|error| named(error.to_string()))?.crc32 != then.crc32 {
            return Err(named("it has been changed since the run that left it".to_owned()));
        }
        compare(&then.asked, asked, partial)?;
        let Digest { bytes, .. } = then.checkpoint.output;
        let changed = |fault| Err(ResumeError::Changed { partial: partial.to_owned(), fault });
        match digest_of(partial, bytes, head).map_err(|error| unknown(error.to_string()))? {
            found if found.bytes < bytes => changed(format!(
                "has {} bytes, but the run that left it had written {bytes}: it has been cut",
                found.bytes
            )),
            found if found != then.checkpoint.output => {
                changed("has been changed since the run that left it".to_owned())
            }
            _ => Ok(then.checkpoint),
        }
    }

    /// The same with the CRC-32 that belongs to it.
    fn checked(&self) -> serde_json::Result<ResumeState> {
        let state = ResumeState { crc32: 0, ..self.clone() };
        let crc32 = crc32fast::hash(&serde_json::to_vec(&state)?);
        Ok(ResumeState { crc32, ..state })
    }

    /// Stores this state beside `partial`, whole or not at all.
    pub(crate) fn store(&self, partial: &Path) -> io::Result<()> {
        let [path, new] = ResumeState::files_of(partial);
        let text = serde_json::to_vec(&self.checked()?)?;
        // What a kill left there, or a link to a file of somebody else.
        if fs::symlink_metadata(&new).is_ok() {
            fs::remove_file(&new)?;
        }
        let stored = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
        stored.inspect_err(|_| drop(fs::remove_file(&new)))
    }

    /// Removes the state beside `partial`, if there is one.
    pub(crate) fn discard(partial: &Path) -> io::Result<()> {
        for path in ResumeState::files_of(partial) {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// `FILE.partial.json`, and what it is written as.
    pub(crate) fn files_of(partial: &Path) -> [PathBuf; 2] {
        [".json", ".json.new"].map(|end| beside(partial, end))
    }
}

/// Whether a run was asked what this one is.
fn compare(then: &Asked, now: &Asked, partial: &Path) -> Result<(), ResumeError> {
    match difference(then, now) {
        Some((what, then, now)) => Err(ResumeError::Differs { partial: partial.to_owned(), what, then, now }),
        None => Ok(()),
    }
}

/// The first flag that differs, and its values in words.
pub(crate) fn difference(then: &Asked, now: &Asked) -> Option<(String, String, String)> {
    let shown = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "none".to_owned(),
        Some(Value::String(text)) => format!("`{text}`"),
        Some(value) => value.to_string(),
    };
    let what = now.keys().chain(then.keys()).find(|&what| then.get(what) != now.get(what))?;
    Some((what.clone(), shown(then.get(what)), shown(now.get(what))))
}

/// The digest of the first `bytes` of a file, or of as many as there are, with `head` in the place of the very first.
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

/// `FILE.partial.json`.
fn state_path(partial: &Path) -> PathBuf {
    let [path, _] = ResumeState::files_of(partial);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(solver: &str) -> Asked {
        BTreeMap::from([("solver".to_owned(), solver.into()), ("limit".to_owned(), Value::Null)])
    }

    #[test]
    fn what_was_changed_since_is_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let partial = folder.path().join("out.csv.partial");
        let written = b"puzzle,status\n1,unique\n";
        let mut state = ResumeState::new(asked("mrv"));
        state.checkpoint.output = Digest::of(written);
        state.checkpoint.answered.latency.total_ns = u128::from(u64::MAX) + 1;
        state.store(&partial).unwrap();
        let resumed = |text: &[u8], solver: &str| {
            fs::write(&partial, text).unwrap();
            ResumeState::checkpoint_of(&partial, b"", &asked(solver))
                .map_err(|error| error.to_string().replace(&partial.display().to_string(), "PARTIAL"))
        };
        // What was written behind the checkpoint is written again.
        assert_eq!(resumed(b"puzzle,status\n1,unique\n2,un", "mrv"), Ok(state.checkpoint.clone()));
        for (text, solver, words) in [
            (
                &written[..],
                "dlx",
                "PARTIAL is from a run with other solver: it had `mrv`, this one has `dlx`",
            ),
            (&written[..20], "mrv", "PARTIAL has 20 bytes, but the run that left it had written 23"),
            (b"puzzle,status\n2,unique\n", "mrv", "PARTIAL has been changed since"),
        ] {
            let refused = resumed(text, solver).unwrap_err();
            assert!(refused.starts_with(words) && refused.ends_with("--force to start anew"), "{refused}");
        }
        let stored = fs::read_to_string(state_path(&partial)).unwrap();
        let recounted = stored.replace("\"mismatches\":0", "\"mismatches\":1");
        assert_ne!(stored, recounted);
        for (state, words) in [
            ("", "it is not the state of a run"),
            ("{}", "it is not the state of a run"),
            ("{\"version\":4,\"asked\":{}}", "version 4 of the state, this program has 7"),
            ("{\"version\":7,\"asked\":{}}", "missing field `crc32`"),
            (&recounted, "it has been changed since the run that left it"),
        ] {
            fs::write(state_path(&partial), state).unwrap();
            let refused = resumed(written, "mrv").unwrap_err();
            assert!(refused.starts_with("cannot tell which run left PARTIAL"), "{refused}");
            assert!(refused.contains(words), "{refused}");
        }
    }
}
