//! Opens inputs. Their stored bytes are counted, and digested if requested, while they are read.

use std::fs::{self, File, Metadata};
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use super::error::SourceError;
use super::input::Input;
use super::state::WatchedFile;
use super::waiting::Waiting;
use crate::digest::hexadecimal;

/// A handle on the bytes of an input as they are stored, before decompression. Clones share the position, so the count and the digest are
/// available while a decoder owns another handle.
#[derive(Clone)]
pub(super) struct Raw(Arc<Mutex<Counted>>);

struct Counted {
    inner: Box<dyn Read + Send>,
    bytes: u64,
    digest: Option<Sha256>,
}

impl Raw {
    pub(super) fn new(inner: Box<dyn Read + Send>, hash: bool) -> Raw {
        Raw(Arc::new(Mutex::new(Counted { inner, bytes: 0, digest: hash.then(Sha256::new) })))
    }

    pub(super) fn bytes_read(&self) -> u64 {
        self.counted().bytes
    }

    /// Returns the digest of the bytes read so far, in hexadecimal, or `None` if none was requested.
    pub(super) fn sha256(&self) -> Option<String> {
        self.counted().digest.clone().map(|digest| hexadecimal(&digest.finalize()))
    }

    /// Reads the bytes that the decoder has not read, so that the digest covers the whole input.
    pub(super) fn drain(&mut self) -> io::Result<()> {
        io::copy(self, &mut io::sink()).map(|_| ())
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut counted = self.counted();
        let length = counted.inner.read(buffer)?;
        counted.bytes += length as u64;
        if let Some(digest) = &mut counted.digest {
            digest.update(&buffer[..length]);
        }
        Ok(length)
    }
}

/// An open input whose compression and format are not known yet.
pub(super) struct Opened {
    pub(super) reader: Box<dyn Read + Send>,
    /// The size in bytes, if the input is a regular file with a name, or puzzles from the command line. `None` for standard input, even if
    /// it is a regular file.
    pub(super) size: Option<u64>,
    /// The open file, if the input is a regular file. Standard input may also be a regular file.
    pub(super) watched: Option<WatchedFile>,
}

/// Opens an input. Reading of a file or of standard input stops when `cancel` becomes true.
pub(super) fn open(input: &Input, cancel: &Arc<AtomicBool>) -> Result<Opened, SourceError> {
    let failed = |source| SourceError::Open { input: input.clone(), source };
    match input {
        Input::Stdin => {
            let (reader, watched) = watch(standard_input().map_err(failed)?, cancel).map_err(failed)?;
            Ok(Opened { reader, size: None, watched })
        }
        Input::File(path) => {
            let file = open_file(path).map_err(failed)?;
            let size = regular_size(input, &file.metadata().map_err(failed)?)?;
            let (reader, watched) = watch(file, cancel).map_err(failed)?;
            Ok(Opened { reader, size, watched })
        }
        Input::Puzzles(lines) => {
            let size = Some(lines.len() as u64);
            Ok(Opened { reader: Box::new(Cursor::new(lines.clone())), size, watched: None })
        }
        Input::Reader(_) => {
            Err(failed(io::Error::other("an input that was passed as a reader cannot be opened by its name")))
        }
    }
}

/// Makes the reader of an open file. If it is a regular file, remembers its state, so that a later change of the file is noticed.
pub(super) fn watch(
    file: File,
    cancel: &Arc<AtomicBool>,
) -> io::Result<(Box<dyn Read + Send>, Option<WatchedFile>)> {
    let file = Arc::new(file);
    let watched = WatchedFile::new(&file)?;
    Ok((Box::new(Waiting::new(file, watched.clone(), Arc::clone(cancel))), watched))
}

/// Opens a file. A named pipe is opened without waiting for a writer. Instead, the first read waits for a writer, because an interrupt can
/// end that wait. Systems other than Linux don't show whether a pipe has no writer yet or its writer has closed it, so there the opening
/// waits.
#[cfg(target_os = "linux")]
fn open_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
    let mut options = File::options();
    if fs::metadata(path)?.file_type().is_fifo() {
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.read(true).open(path)
}

#[cfg(not(target_os = "linux"))]
fn open_file(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Returns standard input without the buffer of the standard library, because code that waits for input doesn't see data in that buffer.
fn standard_input() -> io::Result<File> {
    #[cfg(unix)]
    let owned = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned()?;
    #[cfg(windows)]
    let owned = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned()?;
    Ok(File::from(owned))
}

/// Returns the size of an input in bytes, if the input is a regular file or consists of puzzles from the command line. Does not open the
/// input, because a named pipe can be opened only once.
pub(super) fn size(input: &Input) -> Result<Option<u64>, SourceError> {
    let path = match input {
        Input::File(path) => path,
        Input::Puzzles(lines) => return Ok(Some(lines.len() as u64)),
        Input::Stdin | Input::Reader(_) => return Ok(None),
    };
    let metadata = fs::metadata(path).map_err(|source| SourceError::Open { input: input.clone(), source })?;
    regular_size(input, &metadata)
}

fn regular_size(input: &Input, metadata: &Metadata) -> Result<Option<u64>, SourceError> {
    if metadata.is_dir() {
        return Err(SourceError::Directory { input: input.clone() });
    }
    Ok(metadata.is_file().then_some(metadata.len()))
}
