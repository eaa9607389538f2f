//! The size and the modification time of an input. Checks that a file doesn't change while it is read.

use std::fs::{File, Metadata};
use std::io::{self, Seek as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::input::Input;

/// The size of a file and the time of its last change. Both are empty for an input that is not a regular file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct InputState {
    bytes: Option<u64>,
    modified: Option<String>,
}

impl InputState {
    /// Returns the state of the file at the path of an input; the empty state for an input without a path. Fails if the metadata of the
    /// file can't be read.
    pub(crate) fn from_input(input: &Input) -> io::Result<InputState> {
        let Input::File(path) = input else { return Ok(InputState::default()) };
        Ok(InputState::from_metadata(&path.metadata()?))
    }

    fn from_metadata(metadata: &Metadata) -> InputState {
        if !metadata.is_file() {
            return InputState::default();
        }
        let modified = metadata.modified().ok().map(time_in_words);
        InputState { bytes: Some(metadata.len()), modified }
    }
}

/// An open regular file, and its state when it was opened.
#[derive(Clone, Debug)]
pub(super) struct WatchedFile {
    file: Arc<File>,
    state: InputState,
    /// Number of bytes from the read position to the end of the file, at the time when this `WatchedFile` was made.
    left: u64,
}

/// The error of a read from a file that changed since it was opened.
#[derive(Debug, thiserror::Error)]
#[error("the size or modification time of the file changed during the run")]
pub(super) struct FileChanged;

impl WatchedFile {
    /// Watches an open file; `None` if it is not a regular file.
    pub(super) fn new(file: &Arc<File>) -> io::Result<Option<WatchedFile>> {
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(None);
        }
        // Standard input may be a file whose start another program has already read.
        let left = metadata.len().saturating_sub((&**file).stream_position()?);
        Ok(Some(WatchedFile { file: Arc::clone(file), state: InputState::from_metadata(&metadata), left }))
    }

    pub(super) fn state(&self) -> &InputState {
        &self.state
    }

    pub(super) fn bytes_to_read(&self) -> u64 {
        self.left
    }

    /// Fails with [`FileChanged`] if the file has changed since it was opened.
    pub(super) fn check(&self) -> io::Result<()> {
        self.check_metadata(&self.file.metadata()?)
    }

    /// Opens the file a second time. Fails with [`FileChanged`] if the file at `path` has another size or modification time now.
    pub(super) fn reopen(&self, path: &Path) -> io::Result<File> {
        let file = File::open(path)?;
        self.check_metadata(&file.metadata()?)?;
        Ok(file)
    }

    fn check_metadata(&self, metadata: &Metadata) -> io::Result<()> {
        match InputState::from_metadata(metadata) == self.state {
            true => Ok(()),
            false => Err(io::Error::other(FileChanged)),
        }
    }
}

pub(super) fn is_change(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<FileChanged>())
}

/// Formats the time of a file. The format is RFC 3339, except for years before 1970 and after 9999, which `humantime` does not support.
fn time_in_words(time: SystemTime) -> String {
    const YEAR_10000: u64 = 253_402_300_800;
    let seconds = |time: Duration| format!("{}.{:09} s", time.as_secs(), time.subsec_nanos());
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) if after.as_secs() < YEAR_10000 => humantime::format_rfc3339(time).to_string(),
        Ok(after) => format!("1970 and {}", seconds(after)),
        Err(before) => format!("1970 less {}", seconds(before.duration())),
    }
}
