//! Where the output goes, and how a file comes to be whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::resume::{self, ResumeState};

/// Where the output is asked to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A file of that path.
    File(PathBuf),
}

/// What to do where the file, or what an interrupted run left of it, exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse to touch it.
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
    Resume(#[from] resume::ResumeError),
    /// The system refused.
    #[error("cannot write {name}")]
    Io {
        /// The file, or `standard output`.
        name: String,
        /// What the system said.
        source: io::Error,
    },
}

/// An open output. A file is written as `FILE.partial` and renamed by [`Destination::finish`].
#[derive(Debug)]
pub struct Destination {
    name: String,
    writer: Writer,
}

#[derive(Debug)]
enum Writer {
    Stdout(io::Stdout),
    /// A device, pipe or the like: written as it is, for there is nothing to rename.
    Special(File),
    Partial {
        file: File,
        path: PathBuf,
    },
}

impl Destination {
    /// Opens the output for a run described by `state`. Returns the number of rows that are there already:
    /// more than 0 only with [`Existing::Resume`].
    ///
    /// # Errors
    /// [`DestinationError`]: what exists and may not be touched, does not fit, or cannot be written.
    pub fn open(
        target: &Target,
        existing: Existing,
        state: &ResumeState,
    ) -> Result<(Destination, u64), DestinationError> {
        let path = match target {
            Target::Stdout => return Ok((Destination::stdout(), 0)),
            Target::File(path) => path,
        };
        let name = path.display().to_string();
        let fault = |source| DestinationError::Io { name: name.clone(), source };
        let found = fs::metadata(path).ok();
        if found.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(DestinationError::Folder(path.clone()));
        }
        if found.as_ref().is_some_and(|found| !found.is_file()) {
            let file = OpenOptions::new().write(true).open(path).map_err(fault)?;
            return Ok((Destination { name, writer: Writer::Special(file) }, 0));
        }
        let partial = partial_path(path);
        let left = partial.exists();
        match existing {
            Existing::Refuse if found.is_some() => return Err(DestinationError::Exists(path.clone())),
            Existing::Refuse if left => return Err(DestinationError::PartialExists(partial)),
            Existing::Resume if found.is_some() && !left => {
                return Err(DestinationError::Whole(path.clone()));
            }
            _ => {}
        }
        let resumed = existing == Existing::Resume && left;
        let rows = if resumed { state.rows_left(&partial)? } else { resume::WholeRows::default() };
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(!resumed)
            .open(&partial)
            .and_then(|file| file.set_len(rows.bytes).map(|()| file))
            .map_err(fault)?;
        file.seek(SeekFrom::End(0)).map_err(fault)?;
        state.store(&partial).map_err(fault)?;
        Ok((Destination { name, writer: Writer::Partial { file, path: path.clone() } }, rows.rows))
    }

    fn stdout() -> Destination {
        Destination { name: "standard output".to_owned(), writer: Writer::Stdout(io::stdout()) }
    }

    /// Whether nothing is written yet, so that a header belongs first.
    ///
    /// # Errors
    /// Where the system does not tell the file's length.
    pub fn is_empty(&self) -> Result<bool, DestinationError> {
        match &self.writer {
            Writer::Partial { file, .. } => {
                file.metadata().map(|found| found.len() == 0).map_err(|source| self.fault(source))
            }
            _ => Ok(true),
        }
    }

    /// Writes whole rows.
    ///
    /// # Errors
    /// Whatever the system answers, with the output's name: a full disk, a closed pipe.
    pub fn write(&mut self, rows: &[u8]) -> Result<(), DestinationError> {
        let written = match &mut self.writer {
            Writer::Stdout(out) => out.write_all(rows),
            Writer::Special(file) | Writer::Partial { file, .. } => file.write_all(rows),
        };
        written.map_err(|source| self.fault(source))
    }

    /// Ends the output: what is buffered is written, and `FILE.partial` becomes `FILE`.
    ///
    /// # Errors
    /// Whatever the system answers.
    pub fn finish(mut self) -> Result<(), DestinationError> {
        let finished = match &mut self.writer {
            Writer::Stdout(out) => out.flush(),
            Writer::Special(file) => file.flush(),
            Writer::Partial { path, .. } => {
                let partial = partial_path(path);
                fs::rename(&partial, path).and_then(|()| ResumeState::discard(&partial))
            }
        };
        finished.map_err(|source| self.fault(source))
    }

    /// Leaves the output as it is, whole rows flushed: `FILE.partial`, whose path is returned, can be resumed.
    ///
    /// # Errors
    /// Whatever the system answers.
    pub fn leave(mut self) -> Result<Option<PathBuf>, DestinationError> {
        match &mut self.writer {
            Writer::Stdout(out) => out.flush().map(|()| None),
            Writer::Special(file) => file.flush().map(|()| None),
            Writer::Partial { path, .. } => Ok(Some(partial_path(path))),
        }
        .map_err(|source| self.fault(source))
    }

    fn fault(&self, source: io::Error) -> DestinationError {
        DestinationError::Io { name: self.name.clone(), source }
    }
}

/// `FILE.partial`.
fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}
