//! The destination of the output, and how an output file becomes complete.
//!
//! ```text
//! FILE.partial        the rows so far; locked during the run, if the file system has locks
//! FILE.partial.json   the job, and a checkpoint: how many rows and bytes are complete, and the counts of their results
//! FILE                FILE.partial, synced (unless the caller turns this off) and renamed at the end
//! FILE.resume.json    the final state of a run with `--resume`; shows the next run with `--resume` that FILE is complete. A shard has a
//!                     record of its own instead
//! ```

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::option_error::OptionError;
use crate::place::{Place, beside, folder_of, is_file_of, take_permissions};
use crate::resume::{
    Answered, Checkpoint, PARTIAL_END, ResumeError, ResumeState, StoredJob, record_path, stored_files,
};
use crate::{Digest, ShardRecord};

/// The requested output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// The file at this path. The path may also lead to a pipe, a device or a descriptor such as `/dev/stdout`.
    File(PathBuf),
}

impl Target {
    /// Returns the paths of the output file and of the files beside it: see [`files_of`]. For standard output, returns `-`. Empty if the
    /// path can't be followed.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Target::Stdout => vec![PathBuf::from("-")],
            // A path that can't be followed is reported when the output is opened.
            Target::File(path) => files_of(path).unwrap_or_default(),
        }
    }
}

/// The action if the output file, or the partial file of an interrupted run, exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// Refuse to change the existing file.
    #[default]
    Refuse,
    /// Start from the beginning. The file is replaced when the new one is complete.
    Overwrite,
    /// Continue `FILE.partial` after its last checkpoint. If there is neither a partial file nor an output file, start from the beginning.
    Resume,
}

/// Reasons why the output can't be written.
#[derive(Debug, thiserror::Error)]
pub enum DestinationError {
    /// The file exists.
    #[error("{0} already exists; replace it with --force, or choose another name")]
    Exists(PathBuf),
    /// A run that did not finish left a partial file.
    #[error(
        "{partial} is from a run that did not finish; {}start again with --force",
        if *can_resume { "continue it with the same options and --resume, or " } else { "" }
    )]
    PartialExists {
        /// The partial file.
        partial: PathBuf,
        /// Whether the message mentions `--resume`.
        can_resume: bool,
    },
    /// Something that is not a regular file has the name of the partial file.
    #[error("{0} exists and is not a regular file; move it, or choose another name")]
    InTheWay(PathBuf),
    /// Another run is writing the partial file.
    #[error(
        "{partial} is being written by {}; wait until it ends, or choose another name",
        process.map_or("another run".to_owned(), |id| format!("process {id}"))
    )]
    Busy {
        /// The partial file.
        partial: PathBuf,
        /// The process that writes the partial file, if known.
        process: Option<u32>,
    },
    /// The run should be resumed, but the output exists without a partial file. [`Run::to`](crate::Run::to) then compares the output with
    /// the record of the earlier run.
    #[error("{0} is complete")]
    Whole(PathBuf),
    /// The format completes its header at the end, so it needs a file.
    #[error(
        "{0} is not a file, but the output format completes its header at the end of the run; name a file with -o"
    )]
    NeedsFile(String),
    /// Earlier output can't be continued, because it isn't in a file.
    #[error("{0} is not a file, so the run cannot be continued; leave out --resume")]
    NoResume(String),
    /// The path is a folder.
    #[error("{0} is a folder; name a file instead")]
    Folder(PathBuf),
    /// The file name can't be used, or the format doesn't support the columns.
    #[error(transparent)]
    Name(#[from] OptionError),
    /// `--resume` can't use the partial or complete output of the earlier run.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// Another error, usually one of the system.
    #[error("cannot write {name}")]
    Io {
        /// The output that can't be written, for example the path of the file, or `standard output`.
        name: String,
        /// The error.
        source: io::Error,
    },
}

/// Shortest time between two checkpoints, except for the checkpoint of a run that stops early. If the process is killed, the work since the
/// last checkpoint is lost.
const CHECKPOINT_INTERVAL: Duration = Duration::from_millis(200);

/// Largest number of attempts to open a partial file that other runs finish or remove at the same moment.
const MOST_TRIES: u32 = 100;

/// An open output. A file is written as `FILE.partial` and renamed by [`Destination::finish`].
pub struct Destination<'w> {
    name: String,
    writer: Writer<'w>,
    /// Digest of the written bytes, without those in `parts`. The bytes of a stream are only counted.
    written: Digest,
    /// Digest of the written parts of the block that is not complete.
    parts: Digest,
}

enum Writer<'w> {
    /// A stream, such as standard output or a pipe. It is written directly, because there is nothing to rename.
    Stream(Box<dyn Write + Send + 'w>),
    Partial(Box<Partial>),
}

/// An incomplete file, locked against other runs if the file system has locks.
struct Partial {
    file: File,
    /// The path of the complete file, with links resolved.
    path: PathBuf,
    state: ResumeState,
    /// The time from which the next checkpoint is due.
    due: Instant,
    /// Whether there was a file at `path` when the output was opened. If so, it is replaced at the end.
    replaces: bool,
    /// Whether to store a record of the finished file, which shows a later run with `--resume` that the file is complete. Shards have
    /// their own record instead.
    keeps_record: bool,
}

/// The options for completing an output.
#[derive(Debug)]
pub struct Completion {
    /// The counts and times of all rows.
    pub answered: Answered,
    /// The record of a shard, which is stored beside the output.
    pub shard: Option<ShardRecord>,
    /// Whether to wait until the file is on the disk.
    pub sync: bool,
}

impl<'w> Destination<'w> {
    /// Opens the output. With [`Existing::Resume`], also returns the checkpoint of the earlier run, if there is one.
    ///
    /// `asked` returns the job of the run. It is called only if the output is a file. `head` is the provisional header that
    /// [`Destination::finish`] overwrites at the end of the run. It is empty if the format has no such header.
    ///
    /// # Errors
    /// [`DestinationError`] if the output can't be opened, for example because an existing file may not be changed. Also the error of
    /// `asked`.
    pub fn open<E: From<DestinationError>>(
        target: &Target,
        existing: Existing,
        head: &[u8],
        asked: impl FnOnce() -> Result<StoredJob, E>,
    ) -> Result<(Destination<'static>, Option<Checkpoint>), E> {
        let (path, name) = match target {
            Target::Stdout => (None, "standard output".to_owned()),
            Target::File(path) => (Some(path), path.display().to_string()),
        };
        let fault = |source| DestinationError::Io { name: name.clone(), source };
        let place = path.map_or(Ok(Place::Stdout), |path| Place::resolve(path)).map_err(fault)?;
        let stream: Box<dyn Write + Send> = match (place, path) {
            (Place::File(path), _) => {
                let asked = asked()?;
                let (partial, checkpoint) = Partial::open(path, existing, head, asked, &name)?;
                let written = checkpoint.as_ref().map_or(Digest::default(), |checkpoint| checkpoint.output);
                return Ok((
                    Destination {
                        name,
                        writer: Writer::Partial(Box::new(partial)),
                        written,
                        parts: Digest::default(),
                    },
                    checkpoint,
                ));
            }
            _ if !head.is_empty() => return Err(DestinationError::NeedsFile(name).into()),
            _ if existing == Existing::Resume => return Err(DestinationError::NoResume(name).into()),
            (Place::Stream, Some(path)) => Box::new(Place::open_stream(path).map_err(fault)?),
            _ => Place::open_stdout().map_err(fault)?,
        };
        Ok((Destination::stream(&name, stream), None))
    }

    /// Makes an output that is written directly. Error messages contain `name`.
    pub fn stream(name: &str, writer: Box<dyn Write + Send + 'w>) -> Destination<'w> {
        let (written, parts) = (Digest::default(), Digest::default());
        Destination { name: name.to_owned(), writer: Writer::Stream(writer), written, parts }
    }

    /// Returns the digest of the bytes that this run, and the earlier run that it continues, have written, without the parts of an
    /// incomplete block. For a stream, only the number of bytes is set.
    pub fn written(&self) -> Digest {
        self.written
    }

    /// Writes the rows of a block, or its remaining rows if [parts](Destination::write_part) of the block are already written. `digest` is
    /// the digest of these rows. The block is then complete.
    ///
    /// # Errors
    /// The system's error with the output's name, such as a full disk or a closed pipe.
    pub fn write(&mut self, rows: &[u8], digest: Digest) -> Result<(), DestinationError> {
        self.write_part(rows, digest)?;
        self.written = self.written.then(std::mem::take(&mut self.parts));
        Ok(())
    }

    /// Writes the next rows of a block that has more rows after them. Until [`Destination::write`] completes the block, a checkpoint does
    /// not contain these rows.
    ///
    /// # Errors
    /// The errors of [`Destination::write`].
    pub fn write_part(&mut self, rows: &[u8], digest: Digest) -> Result<(), DestinationError> {
        let (result, digest) = match &mut self.writer {
            // The digest of a stream would never be compared, so only the bytes are counted.
            Writer::Stream(stream) => {
                (stream.write_all(rows), Digest { bytes: rows.len() as u64, ..Digest::default() })
            }
            Writer::Partial(partial) => (partial.file.write_all(rows), digest),
        };
        result.map_err(|source| self.fault(source))?;
        self.parts = self.parts.then(digest);
        Ok(())
    }

    /// Returns the path of `FILE.partial`; `None` if the output is a stream.
    pub fn partial(&self) -> Option<PathBuf> {
        let Writer::Partial(partial) = &self.writer else { return None };
        Some(partial_path(&partial.path))
    }

    /// Returns whether the output is a file, so that checkpoints can be stored.
    pub fn is_resumable(&self) -> bool {
        matches!(self.writer, Writer::Partial(_))
    }

    /// Returns whether a [checkpoint](Destination::checkpoint) should be stored now.
    pub fn is_due(&self) -> bool {
        matches!(&self.writer, Writer::Partial(partial) if Instant::now() >= partial.due)
    }

    /// Stores a checkpoint for the rows in `answered`. Does nothing for a stream. `footer` is additional data that the sink needs to
    /// continue, such as the footer of a Parquet file. The output of the rows must be written, or must be in `footer`.
    ///
    /// # Errors
    /// The system's error.
    pub fn checkpoint(&mut self, answered: Answered, footer: Option<String>) -> Result<(), DestinationError> {
        let Writer::Partial(partial) = &mut self.writer else { return Ok(()) };
        let clock = Instant::now();
        partial.state.checkpoint = Checkpoint { answered, output: self.written, footer };
        let stored = partial.state.store(&partial_path(&partial.path));
        // Writing a long footer takes time, which must not dominate the run.
        partial.due = Instant::now() + CHECKPOINT_INTERVAL.max(20 * clock.elapsed());
        stored.map_err(|source| self.fault(source))
    }

    /// Completes the output. Flushes a stream. In a file, overwrites the first bytes with `head` if `head` is given, and renames
    /// `FILE.partial` to `FILE`. Stores the record of a shard, or with [`Existing::Resume`] the record of the run, next to the file. With
    /// `sync`, the file and (on Unix) its name are on the disk when this function returns, so a power failure can't lose them.
    ///
    /// # Errors
    /// The system's error.
    pub fn finish(mut self, head: Option<&[u8]>, completion: Completion) -> Result<(), DestinationError> {
        let written = self.written;
        let finished = match &mut self.writer {
            Writer::Stream(stream) => stream.flush(),
            Writer::Partial(partial) => partial.finish(head, written, completion),
        };
        finished.map_err(|source| self.fault(source))
    }

    /// Ends an incomplete output. If the output is a file, removes what was written after the last complete block, stores a checkpoint for
    /// the rows in `answered`, and returns the path of `FILE.partial`. If the checkpoint can't be stored (the disk may be full), the
    /// previous checkpoint remains valid.
    ///
    /// # Errors
    /// The system's error if a stream can't be flushed.
    pub fn leave(
        mut self,
        answered: Answered,
        footer: Option<String>,
    ) -> Result<Option<PathBuf>, DestinationError> {
        match &mut self.writer {
            Writer::Stream(stream) => stream.flush().map(|()| None),
            Writer::Partial(open) => {
                let Partial { file, path, state, .. } = &mut **open;
                let partial = partial_path(path);
                state.checkpoint = Checkpoint { answered, output: self.written, footer };
                // Removes the data of an incomplete block first, so that a full disk has room for the checkpoint.
                let _ = file.set_len(self.written.bytes).and_then(|()| state.store(&partial));
                Ok(Some(partial))
            }
        }
        .map_err(|source| self.fault(source))
    }

    /// Drops the output, and removes `FILE.partial` and its checkpoint. Data written to a stream can't be taken back.
    pub fn discard(self) {
        if let Writer::Partial(open) = &self.writer {
            let partial = partial_path(&open.path);
            // If the file can't be removed, the next run reports that it exists.
            let _ = fs::remove_file(&partial).and_then(|()| ResumeState::discard(&partial));
        }
    }

    /// Adds the output's name to the system's error.
    pub fn fault(&self, source: io::Error) -> DestinationError {
        DestinationError::Io { name: self.name.clone(), source }
    }
}

/// Checks whether existing files prevent opening the output, as far as this is known without locking a file. Use this function if much work
/// precedes [`Destination::open`].
///
/// # Errors
/// [`DestinationError`] if the output can't be opened.
pub fn check_target(target: &Target, existing: Existing) -> Result<(), DestinationError> {
    let Target::File(name) = target else { return Ok(()) };
    let Ok(Place::File(path)) = Place::resolve(name) else { return Ok(()) };
    let partial = partial_path(&path);
    match Partial::check(&path, &partial, existing) {
        Ok((_, true)) if existing == Existing::Refuse => {
            Err(DestinationError::PartialExists { partial, can_resume: true })
        }
        Err(DestinationError::Whole(path)) => Ok(ResumeState::find_record(&path).map(drop)?),
        checked => checked.map(drop),
    }
}

/// Removes `FILE.resume.json`, which a run with `--resume` stores next to its complete output. Does nothing if there is no such file.
///
/// # Errors
/// If the record can't be removed.
pub fn discard_record(target: &Target) -> io::Result<()> {
    let Target::File(name) = target else { return Ok(()) };
    match Place::resolve(name)? {
        Place::File(path) => ResumeState::discard_record(&path),
        _ => Ok(()),
    }
}

impl Partial {
    /// Returns the metadata of the file at `path`, and whether the partial file exists.
    ///
    /// # Errors
    /// - The file exists and `existing` is [`Existing::Refuse`].
    /// - The file exists, the partial file does not, and `existing` is [`Existing::Resume`].
    /// - `path` is a folder, or its parent folder does not exist.
    /// - The partial file is not a regular file.
    fn check(
        path: &Path,
        partial: &Path,
        existing: Existing,
    ) -> Result<(Option<fs::Metadata>, bool), DestinationError> {
        let found = fs::metadata(path).ok();
        if found.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(DestinationError::Folder(path.to_owned()));
        }
        let folder = folder_of(path);
        if fs::metadata(folder).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            let missing = format!("there is no folder {}", folder.display());
            let source = io::Error::new(io::ErrorKind::NotFound, missing);
            return Err(DestinationError::Io { name: path.display().to_string(), source });
        }
        // The partial file must be a regular file: a link may lead to another person's file, and opening a pipe would block.
        let left = fs::symlink_metadata(partial).ok();
        if left.as_ref().is_some_and(|left| !left.is_file()) {
            return Err(DestinationError::InTheWay(partial.to_owned()));
        }
        match existing {
            Existing::Resume if found.is_some() && left.is_none() => {
                // If a run was killed just after it had renamed the partial file, the state file still exists. It is no longer needed.
                let _ = ResumeState::discard(partial);
                Err(DestinationError::Whole(path.to_owned()))
            }
            Existing::Refuse if found.is_some() => Err(DestinationError::Exists(path.to_owned())),
            _ => Ok((found, left.is_some())),
        }
    }

    /// Opens the partial file of the output at `path`. Error messages call the output `name`.
    fn open(
        path: PathBuf,
        existing: Existing,
        head: &[u8],
        asked: StoredJob,
        name: &str,
    ) -> Result<(Partial, Option<Checkpoint>), DestinationError> {
        let fault = |source| DestinationError::Io { name: name.to_owned(), source };
        let partial = partial_path(&path);
        let mut tries = 0..MOST_TRIES;
        let (mut file, found) = loop {
            if tries.next().is_none() {
                return Err(DestinationError::Busy { process: ResumeState::process_of(&partial), partial });
            }
            let (found, is_left) = Partial::check(&path, &partial, existing)?;
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&partial);
            let file = file.map_err(fault)?;
            lock(&file, &partial)?;
            // Another process may have had the lock until now, and may have renamed or removed the file before it released the lock. Then
            // the opened file is no longer the partial file.
            if !is_file_of(&file, &partial).map_err(fault)? {
                continue;
            }
            // The other process may also have completed the output before this process created a new partial file. Then the existing files
            // must be inspected again.
            if fs::metadata(&path).is_ok() != found.is_some() {
                if !is_left {
                    fs::remove_file(&partial).map_err(fault)?;
                }
                continue;
            }
            if existing == Existing::Refuse && is_left {
                return Err(DestinationError::PartialExists { partial, can_resume: true });
            }
            break (file, found);
        };
        let mut state = ResumeState::new(asked);
        let resumed = existing == Existing::Resume && !ResumeState::has_no_state(&partial);
        let checkpoint =
            resumed.then(|| ResumeState::checkpoint_of(&partial, head, &state.asked)).transpose()?;
        if let Some(checkpoint) = &checkpoint {
            state.checkpoint = checkpoint.clone();
        }
        let opened = file.set_len(state.checkpoint.output.bytes).and_then(|()| file.seek(SeekFrom::End(0)));
        opened.map_err(fault)?;
        let replaces = found.is_some();
        if let Some(found) = found {
            take_permissions(&file, &found).map_err(fault)?;
        }
        state.store(&partial).map_err(fault)?;
        let (due, keeps_record) = (Instant::now() + CHECKPOINT_INTERVAL, existing == Existing::Resume);
        Ok((Partial { file, path, state, due, replaces, keeps_record }, checkpoint))
    }

    fn finish(&mut self, head: Option<&[u8]>, written: Digest, completion: Completion) -> io::Result<()> {
        let Completion { answered, shard, sync } = completion;
        let partial = partial_path(&self.path);
        if let Some(head) = head {
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(head)?;
        }
        if let Ok(replaced) = fs::metadata(&self.path) {
            self.file.set_permissions(replaced.permissions())?;
        }
        if sync {
            self.file.sync_all()?;
        }
        // A shard has its own record.
        let keeps_record = self.keeps_record && shard.is_none();
        if let Some(record) = shard {
            record.answered(&answered).written(written).store(&self.path)?;
        }
        if keeps_record {
            self.state.checkpoint = Checkpoint { answered, output: written, footer: None };
            self.state.store_record(&self.path)?;
        }
        rename(&partial, &self.path, self.replaces)?;
        if !keeps_record {
            ResumeState::discard_record(&self.path)?;
        }
        ResumeState::discard(&partial)?;
        if sync { sync_folder_of(&self.path) } else { Ok(()) }
    }
}

/// Releases the lock. Closing the file is not enough if this process is starting a child process on another thread: for a moment, the child
/// has a copy of the open file.
impl Drop for Partial {
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Locks `file`, if the file system has locks.
fn lock(file: &File, partial: &Path) -> Result<(), DestinationError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(DestinationError::Busy {
            partial: partial.to_owned(),
            process: ResumeState::process_of(partial),
        }),
        // Some network file systems have no locks. There is no alternative, so the file is used without a lock.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(source)) => {
            Err(DestinationError::Io { name: partial.display().to_string(), source })
        }
    }
}

/// Renames a file. If `replaces` is false, a file that another process has created at `to` in the meantime is not replaced. This protection
/// works only on Linux, and not with every file system.
fn rename(from: &Path, to: &Path, replaces: bool) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if !replaces {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(()),
            Err(rustix::io::Errno::EXIST) => {
                let words = format!(
                    "another program has created this file in the meantime; the output is in {}",
                    from.display()
                );
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
            }
            // Not every file system supports this flag.
            Err(_) => {}
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = replaces;
    fs::rename(from, to)
}

/// On Unix, syncs the folder of a file, so that a power failure can't undo the renaming of the file.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    File::open(folder_of(path))?.sync_all()
}

impl fmt::Debug for Destination<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Destination").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Returns the path of the output file, and the paths of `FILE.partial`, `FILE.partial.json` and some other files that may be written
/// beside the output. The record of a shard is not included. If `path` is a pipe, a device or a descriptor, no file is written beside it,
/// so only `path` is returned.
///
/// # Errors
/// If the path can't be followed.
pub fn files_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    let Place::File(path) = Place::resolve(path)? else { return Ok(vec![path.to_owned()]) };
    let partial = partial_path(&path);
    let (state, record) = (ResumeState::files_of(&partial), stored_files(record_path(&path)));
    Ok([path, partial].into_iter().chain(state).chain(record).collect())
}

fn partial_path(path: &Path) -> PathBuf {
    beside(path, PARTIAL_END)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completion() -> Completion {
        Completion { answered: Answered::default(), shard: None, sync: false }
    }

    fn nothing_asked() -> Result<StoredJob, DestinationError> {
        Ok(StoredJob::default())
    }

    #[test]
    fn parts_of_an_incomplete_block_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::File(folder.path().join("out.csv"));
        let (mut destination, _) = Destination::open(&target, Existing::Refuse, b"", nothing_asked).unwrap();
        for (part, rest) in [("a,b\n", "c,d\n"), ("e,f\n", "")] {
            destination.write_part(part.as_bytes(), Digest::from_bytes(part.as_bytes())).unwrap();
            destination.write(rest.as_bytes(), Digest::from_bytes(rest.as_bytes())).unwrap();
        }
        destination.write_part(b"g,h\n", Digest::from_bytes(b"g,h\n")).unwrap();
        let partial = destination.leave(Answered::default(), None).unwrap().unwrap();
        assert_eq!(fs::read(&partial).unwrap(), b"a,b\nc,d\ne,f\n");
        let (_, checkpoint) = Destination::open(&target, Existing::Resume, b"", nothing_asked).unwrap();
        assert_eq!(checkpoint.unwrap().output, Digest::from_bytes(b"a,b\nc,d\ne,f\n"));
    }

    #[test]
    fn a_copy_of_the_open_file_in_a_child_process_does_not_keep_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::File(folder.path().join("out.csv"));
        let (destination, _) = Destination::open(&target, Existing::Refuse, b"", nothing_asked).unwrap();
        let Writer::Partial(partial) = &destination.writer else { panic!("a file has a partial file") };
        let _copy = partial.file.try_clone().unwrap();
        destination.leave(Answered::default(), None).unwrap();
        Destination::open(&target, Existing::Resume, b"", nothing_asked).unwrap();
    }

    #[test]
    fn the_previous_checkpoint_remains_valid_if_none_can_be_stored() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::File(folder.path().join("out.csv"));
        let (mut destination, _) = Destination::open(&target, Existing::Refuse, b"", nothing_asked).unwrap();
        destination.write(b"a,b\n", Digest::from_bytes(b"a,b\n")).unwrap();
        // A folder with the name of the new state file prevents the checkpoint, as a full disk would.
        fs::create_dir(folder.path().join("out.csv.partial.json.new")).unwrap();
        let partial = destination.leave(Answered::default(), None).unwrap().unwrap();
        assert_eq!(fs::read(&partial).unwrap(), b"a,b\n");
        fs::remove_dir(folder.path().join("out.csv.partial.json.new")).unwrap();
        let (_, checkpoint) = Destination::open(&target, Existing::Resume, b"", nothing_asked).unwrap();
        assert_eq!(checkpoint.map(|checkpoint| checkpoint.output), Some(Digest::default()));
    }

    /// The process may be killed after the header was overwritten and before the file is renamed.
    #[test]
    fn a_run_with_an_overwritten_header_can_be_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.npy");
        let target = Target::File(path.clone());
        let (mut destination, _) =
            Destination::open(&target, Existing::Refuse, b"0 rows", nothing_asked).unwrap();
        destination.write(b"0 rowsabc", Digest::from_bytes(b"0 rowsabc")).unwrap();
        let partial = destination.leave(Answered::default(), None).unwrap().unwrap();
        for head in ["3 rows", "3 ro"] {
            fs::write(&partial, format!("{head:<6}abc")).unwrap();
            let open = |head| Destination::open(&target, Existing::Resume, head, nothing_asked);
            assert!(
                matches!(open(b""), Err(DestinationError::Resume(_))),
                "without `head`, every byte is compared"
            );
            let (_, checkpoint) = open(b"0 rows").unwrap();
            assert_eq!(checkpoint.unwrap().output, Digest::from_bytes(b"0 rowsabc"));
        }
        for changed in ["0 rowsabd", "0 rowsab", "0 r"] {
            fs::write(&partial, changed).unwrap();
            let refused = Destination::open(&target, Existing::Resume, b"0 rows", nothing_asked).unwrap_err();
            assert!(matches!(refused, DestinationError::Resume(_)), "{refused}");
        }
        fs::write(&partial, "0 rowsabc").unwrap();
        let (destination, _) =
            Destination::open(&target, Existing::Resume, b"0 rows", nothing_asked).unwrap();
        destination.finish(Some(b"3 rows"), completion()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"3 rowsabc");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_made_in_the_meantime_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        let target = Target::File(path.clone());
        let (mut destination, _) = Destination::open(&target, Existing::Refuse, b"", nothing_asked).unwrap();
        destination.write(b"ours", Digest::from_bytes(b"ours")).unwrap();
        fs::write(&path, "theirs").unwrap();
        let refused = destination.finish(None, completion()).unwrap_err();
        assert!(matches!(refused, DestinationError::Io { .. }), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(fs::read(partial_path(&path)).unwrap(), b"ours");
        // With `Overwrite`, the file is replaced.
        let (mut destination, _) =
            Destination::open(&target, Existing::Overwrite, b"", nothing_asked).unwrap();
        destination.write(b"ours", Digest::from_bytes(b"ours")).unwrap();
        destination.finish(None, completion()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"ours");
    }
}
