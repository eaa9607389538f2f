//! Going on with the output of an interrupted run: which run it was, and how far it came.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the stored form. It rises with every change, for a state is gone on with by the program that left it.
const VERSION: u32 = 2;

/// What decides the bytes of an output, by the names of the flags. The same values and inputs give the same rows, but
/// for times and what a limit of time aborts.
pub type Asked = BTreeMap<String, Value>;

/// What stands beside `FILE.partial`: which run it is, and how far it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResumeState {
    version: u32,
    /// What the run was asked.
    pub asked: Asked,
    /// How far it came.
    pub checkpoint: Checkpoint,
}

/// A point up to which an output is whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Rows of the input that are answered, those that the run leaves out among them.
    pub rows: u64,
    /// Bytes of the output.
    pub bytes: u64,
    /// The CRC-32 of these bytes (that of gzip and zip): it tells whether somebody has changed them since.
    pub crc32: u32,
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
    pub(super) fn new(asked: Asked) -> ResumeState {
        ResumeState { version: VERSION, asked, checkpoint: Checkpoint::default() }
    }

    /// How far the run came that left `partial`, if it was asked the same.
    ///
    /// # Errors
    /// [`ResumeError`] where it was asked something else, what it left has been changed, or nothing can be read.
    pub(super) fn checkpoint_of(partial: &Path, asked: &Asked) -> Result<Checkpoint, ResumeError> {
        let unknown = |reason: String| ResumeError::Unknown { partial: partial.to_owned(), reason };
        let kept = state_path(partial);
        let named = |error: String| unknown(format!("{}: {error}", kept.display()));
        let text = fs::read(&kept).map_err(|error| named(error.to_string()))?;
        let then: ResumeState = serde_json::from_slice(&text).map_err(|error| named(error.to_string()))?;
        if then.version != VERSION {
            return Err(named(format!("version {} of the state, this program has {VERSION}", then.version)));
        }
        compare(&then.asked, asked, partial)?;
        let Checkpoint { bytes, crc32, .. } = then.checkpoint;
        let changed = |fault| Err(ResumeError::Changed { partial: partial.to_owned(), fault });
        match digest_of(partial, bytes).map_err(|error| unknown(error.to_string()))? {
            (read, _) if read < bytes => changed(format!(
                "has {read} bytes, but the run that left it had written {bytes}: it has been cut"
            )),
            (_, found) if found != crc32 => changed("has been changed since the run that left it".to_owned()),
            _ => Ok(then.checkpoint),
        }
    }

    /// Stores this state beside `partial`, whole or not at all.
    pub(super) fn store(&self, partial: &Path) -> io::Result<()> {
        let path = state_path(partial);
        let mut beside = path.clone().into_os_string();
        beside.push(".new");
        let stored =
            fs::write(&beside, serde_json::to_vec_pretty(self)?).and_then(|()| fs::rename(&beside, path));
        stored.inspect_err(|_| drop(fs::remove_file(&beside)))
    }

    /// Removes the state beside `partial`, if there is one.
    pub(super) fn discard(partial: &Path) -> io::Result<()> {
        match fs::remove_file(state_path(partial)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// Whether a run was asked what this one is.
fn compare(then: &Asked, now: &Asked, partial: &Path) -> Result<(), ResumeError> {
    let shown = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "none".to_owned(),
        Some(Value::String(text)) => format!("`{text}`"),
        Some(value) => value.to_string(),
    };
    for what in now.keys().chain(then.keys()) {
        let (then, now) = (then.get(what), now.get(what));
        if then != now {
            let (then, now) = (shown(then), shown(now));
            return Err(ResumeError::Differs { partial: partial.to_owned(), what: what.clone(), then, now });
        }
    }
    Ok(())
}

/// How many of the first `bytes` of a file there are, and their CRC-32.
fn digest_of(path: &Path, bytes: u64) -> io::Result<(u64, u32)> {
    let mut file = File::open(path)?.take(bytes);
    let (mut read, mut hasher) = (0, crc32fast::Hasher::new());
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((read, hasher.finalize())),
            length => {
                read += length as u64;
                hasher.update(&buffer[..length]);
            }
        }
    }
}

/// `FILE.partial.json`.
fn state_path(partial: &Path) -> PathBuf {
    let mut name = partial.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
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
        let crc32 = crc32fast::hash(written);
        state.checkpoint = Checkpoint { rows: 1, bytes: written.len() as u64, crc32 };
        state.store(&partial).unwrap();
        let resumed = |text: &[u8], solver: &str| {
            fs::write(&partial, text).unwrap();
            ResumeState::checkpoint_of(&partial, &asked(solver))
                .map_err(|error| error.to_string().replace(&partial.display().to_string(), "PARTIAL"))
        };
        // What was written behind the checkpoint is written again.
        assert_eq!(resumed(b"puzzle,status\n1,unique\n2,un", "mrv"), Ok(state.checkpoint));
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
        fs::write(state_path(&partial), "{}").unwrap();
        assert!(resumed(written, "mrv").unwrap_err().starts_with("cannot tell which run left PARTIAL"));
    }
}
