//! Reads files, pipes and terminals until an interrupt. On Unix, the interrupt also ends the wait for data.

use std::error::Error;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::state::WatchedFile;

#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
struct Interrupted;

pub(super) fn interrupt() -> io::Error {
    io::Error::other(Interrupted)
}

/// Returns whether an interrupt is among the causes of an error.
pub(super) fn is_interrupt(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&error| error.source());
    causes.any(|cause| {
        let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        inner.is_some_and(|inner| inner.is::<Interrupted>())
    })
}

/// A file whose reads fail once `cancel` is true (on Unix, even reads that are waiting for data). A regular file is read up to the size that
/// it had when it was opened. If the file has changed since then, the read at its end fails.
pub(super) struct Waiting {
    file: Arc<File>,
    watched: Option<WatchedFile>,
    /// Number of unread bytes of a regular file. For any other file, a number so large that it never falls to 0.
    left: u64,
    cancel: Arc<AtomicBool>,
}

impl Waiting {
    pub(super) fn new(file: Arc<File>, watched: Option<WatchedFile>, cancel: Arc<AtomicBool>) -> Waiting {
        let left = watched.as_ref().map_or(u64::MAX, WatchedFile::bytes_to_read);
        Waiting { file, watched, left, cancel }
    }
}

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return Err(interrupt());
            }
            if is_ready(&self.file)? {
                let wanted = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
                match (&*self.file).read(&mut buffer[..wanted]) {
                    // Reads of this file don't wait, and there is no data: another reader may have taken it.
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Ok(0)
                        if !buffer.is_empty()
                            && let Some(watched) = &self.watched =>
                    {
                        return watched.check().map(|()| 0);
                    }
                    Ok(read) => {
                        self.left -= read as u64;
                        return Ok(read);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }
}

/// Waits briefly for data or for the end of the input. Returns whether a read is possible.
#[cfg(unix)]
fn is_ready(file: &File) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    // Short enough that users don't notice a delay after Ctrl-C.
    const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    match poll(&mut [PollFd::new(file, PollFlags::IN)], Some(&PATIENCE)) {
        // The next read reports any error of the file.
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns true: on systems other than Unix, the read itself waits until there is data.
#[cfg(not(unix))]
fn is_ready(_: &File) -> io::Result<bool> {
    Ok(true)
}
