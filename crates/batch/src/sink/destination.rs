//! Where the output goes, and how a file comes to be whole.
//!
//! ```text
//! FILE.partial        whole rows, as far as the run came
//! FILE.partial.json   what was asked, and a checkpoint: how many rows and bytes are whole
//! FILE                the first, renamed at the end
//! ```

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::resume::{Asked, Checkpoint, ResumeError, ResumeState};

/// Where the output is asked to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A file of that path.
    File(PathBuf),
}

/// What to do where the file, or what an interrupted run left of it, exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// Refuse to touch it.
    #[default]
    Refuse,
    /// Start anew; the file is replaced when the new one is whole.
    Overwrite,
    /// Go on where `FILE.partial` ends.
    Resume,
}

/// Why output cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum DestinationError {
    /// The file is there.
    #[error("{0} exists; give --force to replace it, or another name with -o")]
    Exists(PathBuf),
    /// An interrupted run left its part.
    #[error("{0} is left from an interrupted run; give --resume to go on with it, or --force to start anew")]
    PartialExists(PathBuf),
    /// There is nothing to resume: the file is whole.
    #[error("{0} is whole: there is nothing to resume; give --force to solve again")]
    Whole(PathBuf),
    /// The path is a folder.
    #[error("{0} is a folder; name a file with -o")]
    Folder(PathBuf),
    /// What was left does not belong to this run.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The system refused.
    #[error("cannot write {name}")]
    Io {
        /// The file, or `standard output`.
        name: String,
        /// What the system said.
        source: io::Error,
    },
}

/// Time between two checkpoints: what a crash costs, at most.
const CHECKPOINT_INTERVAL: Duration = Duration::from_millis(200);

/// An open output. A file is written as `FILE.partial` and renamed by [`Destination::finish`].
pub struct Destination<'w> {
    name: String,
    writer: Writer<'w>,
}

enum Writer<'w> {
    /// Standard output, a device, a pipe or whatever else: written as it is, for there is nothing to rename.
    Stream(Box<dyn Write + Send + 'w>),
    Partial(Partial),
}

/// A file that is not whole yet.
struct Partial {
    file: File,
    /// The path of the whole file.
    path: PathBuf,
    /// What stands beside it; its checkpoint is that of the last whole write.
    state: ResumeState,
    crc32: crc32fast::Hasher,
    due: Instant,
}

impl<'w> Destination<'w> {
    /// Opens the output for a run that is asked `asked`, which only a file has to know. The checkpoint tells what an
    /// earlier run has written: more than nothing only with [`Existing::Resume`].
    ///
    /// # Errors
    /// [`DestinationError`]: what exists and may not be touched, does not fit, or cannot be written. That of `asked`.
    pub fn open<E: From<DestinationError>>(
        target: &Target,
        existing: Existing,
        asked: impl FnOnce() -> Result<Asked, E>,
    ) -> Result<(Destination<'static>, Checkpoint), E> {
        let path = match target {
            Target::Stdout => {
                let stdout = Destination::stream("standard output", Box::new(io::stdout()));
                return Ok((stdout, Checkpoint::default()));
            }
            Target::File(path) => path,
        };
        let name = path.display().to_string();
        let fault = |source| DestinationError::Io { name: name.clone(), source };
        let found = fs::metadata(path).ok();
        if found.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(DestinationError::Folder(path.clone()).into());
        }
        if found.as_ref().is_some_and(|found| !found.is_file()) {
            let file = OpenOptions::new().write(true).open(path).map_err(fault)?;
            return Ok((Destination::stream(&name, Box::new(file)), Checkpoint::default()));
        }
        let partial = partial_path(path);
        let left = partial.exists();
        match existing {
            Existing::Refuse if found.is_some() => return Err(DestinationError::Exists(path.clone()).into()),
            Existing::Refuse if left => return Err(DestinationError::PartialExists(partial).into()),
            Existing::Resume if found.is_some() && !left => {
                return Err(DestinationError::Whole(path.clone()).into());
            }
            _ => {}
        }
        let mut state = ResumeState::new(asked()?);
        let resumed = existing == Existing::Resume && left;
        if resumed {
            state.checkpoint =
                ResumeState::checkpoint_of(&partial, &state.asked).map_err(DestinationError::from)?;
        }
        let Checkpoint { bytes, crc32, .. } = state.checkpoint;
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(!resumed)
            .open(&partial)
            .and_then(|file| file.set_len(bytes).map(|()| file))
            .map_err(fault)?;
        file.seek(SeekFrom::End(0)).map_err(fault)?;
        state.store(&partial).map_err(fault)?;
        let checkpoint = state.checkpoint;
        let crc32 = crc32fast::Hasher::new_with_initial_len(crc32, bytes);
        let due = Instant::now() + CHECKPOINT_INTERVAL;
        let writer = Writer::Partial(Partial { file, path: path.clone(), state, crc32, due });
        Ok((Destination { name, writer }, checkpoint))
    }

    /// An output that is written as it is, called `name` in errors.
    pub fn stream(name: &str, writer: Box<dyn Write + Send + 'w>) -> Destination<'w> {
        Destination { name: name.to_owned(), writer: Writer::Stream(writer) }
    }

    /// Writes whole rows, with which `answered` rows of the input are done.
    ///
    /// # Errors
    /// Whatever the system answers, with the output's name: a full disk, a closed pipe.
    pub fn write(&mut self, rows: &[u8], answered: u64) -> Result<(), DestinationError> {
        let written = match &mut self.writer {
            Writer::Stream(stream) => stream.write_all(rows),
            Writer::Partial(partial) => partial.write(rows, answered),
        };
        written.map_err(|source| self.fault(source))
    }

    /// Ends the output: what is buffered is written, and `FILE.partial` becomes `FILE`.
    ///
    /// # Errors
    /// Whatever the system answers.
    pub fn finish(mut self) -> Result<(), DestinationError> {
        let finished = match &mut self.writer {
            Writer::Stream(stream) => stream.flush(),
            Writer::Partial(Partial { path, .. }) => {
                let partial = partial_path(path);
                fs::rename(&partial, path).and_then(|()| ResumeState::discard(&partial))
            }
        };
        finished.map_err(|source| self.fault(source))
    }

    /// Leaves the output as it is, whole rows flushed: `FILE.partial`, whose path is returned, can be resumed. Where its
    /// last checkpoint cannot be stored (the disk may be full) the one before stands.
    ///
    /// # Errors
    /// Whatever the system answers where a stream cannot be flushed.
    pub fn leave(mut self) -> Result<Option<PathBuf>, DestinationError> {
        match &mut self.writer {
            Writer::Stream(stream) => stream.flush().map(|()| None),
            Writer::Partial(Partial { file, path, state, .. }) => {
                let partial = partial_path(path);
                // A torn row goes, so that a full disk has room for the checkpoint.
                let _ = file.set_len(state.checkpoint.bytes).and_then(|()| state.store(&partial));
                Ok(Some(partial))
            }
        }
        .map_err(|source| self.fault(source))
    }

    fn fault(&self, source: io::Error) -> DestinationError {
        DestinationError::Io { name: self.name.clone(), source }
    }
}

impl Partial {
    fn write(&mut self, rows: &[u8], answered: u64) -> io::Result<()> {
        self.file.write_all(rows)?;
        self.crc32.update(rows);
        let bytes = self.state.checkpoint.bytes + rows.len() as u64;
        self.state.checkpoint = Checkpoint { rows: answered, bytes, crc32: self.crc32.clone().finalize() };
        let now = Instant::now();
        if now >= self.due {
            self.due = now + CHECKPOINT_INTERVAL;
            self.state.store(&partial_path(&self.path))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Destination<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Destination").field("name", &self.name).finish_non_exhaustive()
    }
}

/// `FILE.partial`.
fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing_asked() -> Result<Asked, DestinationError> {
        Ok(Asked::new())
    }

    #[test]
    fn where_no_checkpoint_can_be_stored_the_one_before_stands() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::File(folder.path().join("out.csv"));
        let (mut destination, _) = Destination::open(&target, Existing::Refuse, nothing_asked).unwrap();
        destination.write(b"a,b\n", 0).unwrap();
        // A folder of that name is as much in the way as a full disk.
        fs::create_dir(folder.path().join("out.csv.partial.json.new")).unwrap();
        let partial = destination.leave().unwrap().unwrap();
        assert_eq!(fs::read(&partial).unwrap(), b"a,b\n");
        fs::remove_dir(folder.path().join("out.csv.partial.json.new")).unwrap();
        let (_, checkpoint) = Destination::open(&target, Existing::Resume, nothing_asked).unwrap();
        assert_eq!(checkpoint, Checkpoint::default());
    }
}
