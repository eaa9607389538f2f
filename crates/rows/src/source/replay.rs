//! Lets a run read pipes and similar inputs more than once: the first read also stores their data in a temporary file.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::error::SourceError;
use super::input::Input;
use super::raw::{self, Opened};
use super::waiting::interrupt;

/// Stores the data of standard input and other pipes in unnamed temporary files. Every [`Source`](super::Source) that is opened with the
/// same `Replay` reads the inputs from the start: first the stored data, then the rest of the pipe. Clones share the data. Sources of other
/// inputs need another `Replay`.
///
/// ```no_run
/// use sudobench_rows::source::{Input, Options, Replay, Source};
///
/// let options = Options { replay: Some(Replay::default()), ..Options::default() };
/// let first = Source::open(&[Input::Stdin], options.clone())?;
/// // After `first` was read to its end:
/// let second = Source::open(&[Input::Stdin], options)?;
/// # Ok::<(), sudobench_rows::source::SourceError>(())
/// ```
#[derive(Clone, Default)]
pub struct Replay(Arc<Mutex<Vec<Option<Kept>>>>);

/// The stored copy of one input.
type Kept = Arc<Mutex<Copy>>;

struct Copy {
    pipe: Box<dyn Read + Send>,
    file: File,
    /// Number of bytes of the pipe that are in the file.
    length: u64,
    /// Whether the pipe has ended. A terminal must not be read again after its end.
    has_ended: bool,
}

struct Reader {
    kept: Kept,
    at: u64,
    cancel: Arc<AtomicBool>,
}

/// The error if the data of a pipe can't be stored.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot keep the data of a pipe in a temporary file in {folder}: {source}; choose another folder with the variable TMPDIR (on Windows: TMP)"
)]
pub(super) struct NotKept {
    folder: String,
    source: io::Error,
}

impl Replay {
    /// Opens an input, which must be standard input or a pipe. `number` is its index in the list of inputs.
    pub(super) fn open(
        &self,
        number: usize,
        input: &Input,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Opened, SourceError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() <= number {
            all.resize(number + 1, None);
        }
        let kept = match &all[number] {
            Some(kept) => Arc::clone(kept),
            None => {
                let failed = |source| SourceError::Open { input: input.clone(), source };
                let pipe = raw::open(input, cancel)?.reader;
                let file = tempfile::tempfile().map_err(|source| failed(not_kept(source)))?;
                Arc::clone(all[number].insert(Arc::new(Mutex::new(Copy {
                    pipe,
                    file,
                    length: 0,
                    has_ended: false,
                }))))
            }
        };
        let reader = Box::new(Reader { kept, at: 0, cancel: Arc::clone(cancel) });
        Ok(Opened { reader, size: None, watched: None })
    }
}

fn not_kept(source: io::Error) -> io::Error {
    io::Error::other(NotKept { folder: std::env::temp_dir().display().to_string(), source })
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(interrupt());
        }
        let mut copy = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Copy { pipe, file, length, has_ended } = &mut *copy;
        let read = if self.at < *length {
            // Reads only the first `length` bytes, because a failed write may have left further bytes in the file.
            let left = usize::try_from(*length - self.at).unwrap_or(usize::MAX).min(buffer.len());
            file.seek(SeekFrom::Start(self.at))
                .and_then(|_| file.read(&mut buffer[..left]))
                .map_err(not_kept)?
        } else if *has_ended {
            0
        } else {
            let read = pipe.read(buffer)?;
            *has_ended = read == 0 && !buffer.is_empty();
            file.seek(SeekFrom::Start(*length))
                .and_then(|_| file.write_all(&buffer[..read]))
                .map_err(not_kept)?;
            *length += read as u64;
            read
        };
        self.at += read as u64;
        Ok(read)
    }
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay").finish_non_exhaustive()
    }
}
