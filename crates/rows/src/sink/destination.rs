//! Where the output goes, and how a file comes to be whole.
//!
//! ```text
//! FILE.partial        whole rows, as far as the run came; locked while it runs
//! FILE.partial.json   what was asked, and a checkpoint: how many rows and bytes are whole, and what is known of them
//! FILE                the first, synced and renamed at the end
//! FILE.resume.json    the second, kept at the end of a run with `--resume`: the next one knows FILE by it
//! ```

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::option_error::OptionError;
use crate::place::{Place, beside, folder_of, is_file_of, take_permissions};
use crate::resume::{Answered, Checkpoint, PARTIAL_END, ResumeError, ResumeState, StoredJob, record_path};
use crate::{Digest, ShardRecord};

/// Where the output is asked to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A file of that path, or what is written into by that path: a pipe, a device, a descriptor such as `/dev/stdout`.
    File(PathBuf),
}

impl Target {
    /// Returns all files that rows are written to; `-` for standard output.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Target::Stdout => vec![PathBuf::from("-")],
            // What cannot be followed is told when it is opened.
            Target::File(path) => files_of(path).unwrap_or_default(),
        }
    }
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
    #[error("{0} already exists; replace it with --force, or choose another name with -o")]
    Exists(PathBuf),
    /// An interrupted run left its part.
    #[error("{0} is from an interrupted run; continue it with --resume, or start again with --force")]
    PartialExists(PathBuf),
    /// No run left that.
    #[error("{0} exists and is not a regular file; move it, or choose another name with -o")]
    InTheWay(PathBuf),
    /// Another run is writing.
    #[error("{partial} is being written by {}", process.map_or("another run".to_owned(), |id| format!("process {id}")))]
    Busy {
        /// The partial file.
        partial: PathBuf,
        /// The process that writes it, where that can be told.
        process: Option<u32>,
    },
    /// The output is complete, so that there is nothing to resume. [`Run::to`](crate::Run::to) compares it with its record.
    #[error("{0} is complete")]
    Whole(PathBuf),
    /// What is written last stands first.
    #[error("{0} is not a file, but the number of rows in the header is written last; name a file with -o")]
    NeedsFile(String),
    /// What was written before is gone.
    #[error("{0} is not a file, so the run cannot be continued; leave out --resume")]
    NoResume(String),
    /// The path is a folder.
    #[error("{0} is a folder; name a file with -o")]
    Folder(PathBuf),
    /// The name promises something else.
    #[error(transparent)]
    Name(#[from] OptionError),
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

/// How often a partial file is opened that other runs keep finishing or removing at the same moment.
const MOST_TRIES: u32 = 100;

/// An open output. A file is written as `FILE.partial` and renamed by [`Destination::finish`].
pub struct Destination<'w> {
    name: String,
    writer: Writer<'w>,
    /// What was written, from the first byte on; of a stream only how much.
    written: Digest,
}

enum Writer<'w> {
    /// Standard output, a device, a pipe or whatever else: written as it is, for there is nothing to rename.
    Stream(Box<dyn Write + Send + 'w>),
    Partial(Box<Partial>),
}

/// A file that is not whole yet. It is locked: nobody else writes it.
struct Partial {
    file: File,
    /// The path of the whole file, behind all links.
    path: PathBuf,
    /// What stands beside it.
    state: ResumeState,
    /// When the next checkpoint is.
    due: Instant,
    /// Whether there was a file at `path` to be replaced.
    replaces: bool,
    /// Whether a later run with `--resume` has to know the finished file.
    keeps_record: bool,
}

/// How an output is completed.
#[derive(Debug)]
pub struct Completion {
    /// What was done for all rows.
    pub answered: Answered,
    /// The record of a shard, which is stored beside the output.
    pub shard: Option<ShardRecord>,
    /// Whether the file has to reach the disk.
    pub sync: bool,
}

impl<'w> Destination<'w> {
    /// Opens the output for a run that is asked `asked`, which only a file has to know. Of one that starts with `head` these
    /// bytes are written over at its end; nothing where all bytes stay. The checkpoint tells what an earlier run has done: there is
    /// one only with [`Existing::Resume`].
    ///
    /// # Errors
    /// [`DestinationError`]: what exists and may not be touched, does not fit, is being written, or cannot be written. That of
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
        let place = path.map_or(Ok(Place::Stdout), |path| Place::of(path)).map_err(fault)?;
        let stream: Box<dyn Write + Send> = match (place, path) {
            (Place::File(path), _) => {
                let asked = asked()?;
                let (partial, checkpoint) = Partial::open(path, existing, head, asked, &name)?;
                let written = checkpoint.as_ref().map_or(Digest::default(), |checkpoint| checkpoint.output);
                return Ok((
                    Destination { name, writer: Writer::Partial(Box::new(partial)), written },
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

    /// An output that is written as it is, called `name` in errors.
    pub fn stream(name: &str, writer: Box<dyn Write + Send + 'w>) -> Destination<'w> {
        Destination { name: name.to_owned(), writer: Writer::Stream(writer), written: Digest::default() }
    }

    /// What was written, by this run and the one that it goes on with; of a stream only how much.
    pub fn written(&self) -> Digest {
        self.written
    }

    /// Writes whole rows, whose digest is known to whoever has made them.
    ///
    /// # Errors
    /// Whatever the system answers, with the output's name: a full disk, a closed pipe.
    pub fn write(&mut self, rows: &[u8], digest: Digest) -> Result<(), DestinationError> {
        let (result, written) = match &mut self.writer {
            // Nobody will hold it against anything.
            Writer::Stream(stream) => {
                let bytes = self.written.bytes + rows.len() as u64;
                (stream.write_all(rows), Digest { bytes, ..self.written })
            }
            Writer::Partial(partial) => (partial.file.write_all(rows), self.written.then(digest)),
        };
        result.map_err(|source| self.fault(source))?;
        self.written = written;
        Ok(())
    }

    /// `FILE.partial`, where there is one.
    pub fn partial(&self) -> Option<PathBuf> {
        let Writer::Partial(partial) = &self.writer else { return None };
        Some(partial_path(&partial.path))
    }

    /// Whether it can be gone on with, if it does not come to its end.
    pub fn is_resumable(&self) -> bool {
        matches!(self.writer, Writer::Partial(_))
    }

    /// Whether it is time for a [checkpoint](Destination::checkpoint).
    pub fn is_due(&self) -> bool {
        matches!(&self.writer, Writer::Partial(partial) if Instant::now() >= partial.due)
    }

    /// Stores a checkpoint: what was written so far holds what was `answered`. `footer`: what the sink needs besides the bytes to continue,
    /// such as the footer of a Parquet file.
    ///
    /// # Errors
    /// Whatever the system answers.
    pub fn checkpoint(&mut self, answered: Answered, footer: Option<String>) -> Result<(), DestinationError> {
        let Writer::Partial(partial) = &mut self.writer else { return Ok(()) };
        let clock = Instant::now();
        partial.state.checkpoint = Checkpoint { answered, output: self.written, footer };
        let stored = partial.state.store(&partial_path(&partial.path));
        // A long footer takes its time, which is not to become most of the run's.
        partial.due = Instant::now() + CHECKPOINT_INTERVAL.max(20 * clock.elapsed());
        stored.map_err(|source| self.fault(source))
    }

    /// Ends the output: what is buffered is written, `head` over the first bytes of a file where there is one, and
    /// `FILE.partial` becomes `FILE`, with the record of a shard, or that of a run with `--resume`, beside it. With `sync` the file and its
    /// name have reached the disk when this returns, so that no power failure takes them away.
    ///
    /// # Errors
    /// Whatever the system answers.
    pub fn finish(mut self, head: Option<&[u8]>, completion: Completion) -> Result<(), DestinationError> {
        let written = self.written;
        let finished = match &mut self.writer {
            Writer::Stream(stream) => stream.flush(),
            Writer::Partial(partial) => partial.finish(head, written, completion),
        };
        finished.map_err(|source| self.fault(source))
    }

    /// Leaves the output as it is, whole rows flushed: `FILE.partial`, whose path is returned, can be resumed behind what
    /// was answered. Where the last checkpoint cannot be stored (the disk may be full) the one before stands.
    ///
    /// # Errors
    /// Whatever the system answers where a stream cannot be flushed.
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
                // A torn row goes, so that a full disk has room for the checkpoint.
                let _ = file.set_len(self.written.bytes).and_then(|()| state.store(&partial));
                Ok(Some(partial))
            }
        }
        .map_err(|source| self.fault(source))
    }

    /// Gives the output up: nothing stays of `FILE.partial`. What went to a stream cannot be taken back.
    pub fn discard(self) {
        if let Writer::Partial(open) = &self.writer {
            let partial = partial_path(&open.path);
            // Who cannot remove it finds it in the way of the next run, which says so.
            let _ = fs::remove_file(&partial).and_then(|()| ResumeState::discard(&partial));
        }
    }

    /// The system's refusal, with the output's name.
    pub fn fault(&self, source: io::Error) -> DestinationError {
        DestinationError::Io { name: self.name.clone(), source }
    }
}

/// Refuses an output for what is there, as [`Destination::open`] does: for a run that has much to do before it opens it.
///
/// # Errors
/// [`DestinationError`].
pub fn look(target: &Target, existing: Existing) -> Result<(), DestinationError> {
    let Target::File(name) = target else { return Ok(()) };
    let Ok(Place::File(path)) = Place::of(name) else { return Ok(()) };
    let partial = partial_path(&path);
    match Partial::look(&path, &partial, existing) {
        Ok((_, true)) if existing == Existing::Refuse => Err(DestinationError::PartialExists(partial)),
        Err(DestinationError::Whole(path)) => Ok(ResumeState::find_record(&path).map(drop)?),
        looked => looked.map(drop),
    }
}

impl Partial {
    /// What is there of a file, and whether a partial one is. Both have to be what they may be.
    fn look(
        path: &Path,
        partial: &Path,
        existing: Existing,
    ) -> Result<(Option<fs::Metadata>, bool), DestinationError> {
        let found = fs::metadata(path).ok();
        if found.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(DestinationError::Folder(path.to_owned()));
        }
        // A link leads to a file of somebody else, and a pipe would be waited for.
        let left = fs::symlink_metadata(partial).ok();
        if left.as_ref().is_some_and(|left| !left.is_file()) {
            return Err(DestinationError::InTheWay(partial.to_owned()));
        }
        match existing {
            Existing::Resume if found.is_some() && left.is_none() => {
                // A run that was killed after the renaming leaves its state. Nothing reads that any more.
                let _ = ResumeState::discard(partial);
                Err(DestinationError::Whole(path.to_owned()))
            }
            Existing::Refuse if found.is_some() => Err(DestinationError::Exists(path.to_owned())),
            _ => Ok((found, left.is_some())),
        }
    }

    /// Opens what is to become the file at `path`, that the user calls `name`.
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
            let (found, is_left) = Partial::look(&path, &partial, existing)?;
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&partial);
            let file = file.map_err(fault)?;
            lock(&file, &partial)?;
            // Who had it locked may have ended meanwhile: then it has been renamed, and is not what we want to write.
            if !is_file_of(&file, &partial).map_err(fault)? {
                continue;
            }
            // It may have ended before we made a new one, too.
            if fs::metadata(&path).is_ok() != found.is_some() {
                if !is_left {
                    fs::remove_file(&partial).map_err(fault)?;
                }
                continue;
            }
            if existing == Existing::Refuse && is_left {
                return Err(DestinationError::PartialExists(partial));
            }
            break (file, found);
        };
        let mut state = ResumeState::new(asked);
        let resumed = existing == Existing::Resume && !ResumeState::is_unsaid(&partial);
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
        // A shard has a record of its own.
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

/// Locks `file` for this process, until it is closed or the process ends in whatever way.
fn lock(file: &File, partial: &Path) -> Result<(), DestinationError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(DestinationError::Busy {
            partial: partial.to_owned(),
            process: ResumeState::process_of(partial),
        }),
        // Some network file systems have no locks; there is nothing better on them than to trust.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(source)) => {
            Err(DestinationError::Io { name: partial.display().to_string(), source })
        }
    }
}

/// Gives a file its name. Where none was to be replaced, one that somebody has made meanwhile is not, on systems that can tell.
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
            // Not every file system knows that.
            Err(_) => {}
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = replaces;
    fs::rename(from, to)
}

/// Makes a file's new name last. Only Unix lets folders be opened for that.
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

/// The files that an output at `path` has, at one time or another. What is no file has itself alone: a descriptor may hold one.
///
/// # Errors
/// Where the path cannot be followed.
pub fn files_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    let Place::File(path) = Place::of(path)? else { return Ok(vec![path.to_owned()]) };
    let partial = partial_path(&path);
    let (beside, record) = (ResumeState::files_of(&partial), record_path(&path));
    Ok([path, partial, record].into_iter().chain(beside).collect())
}

/// `FILE.partial`.
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
    fn where_no_checkpoint_can_be_stored_the_one_before_stands() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::File(folder.path().join("out.csv"));
        let (mut destination, _) = Destination::open(&target, Existing::Refuse, b"", nothing_asked).unwrap();
        destination.write(b"a,b\n", Digest::of(b"a,b\n")).unwrap();
        // A folder of that name is as much in the way as a full disk.
        fs::create_dir(folder.path().join("out.csv.partial.json.new")).unwrap();
        let partial = destination.leave(Answered::default(), None).unwrap().unwrap();
        assert_eq!(fs::read(&partial).unwrap(), b"a,b\n");
        fs::remove_dir(folder.path().join("out.csv.partial.json.new")).unwrap();
        let (_, checkpoint) = Destination::open(&target, Existing::Resume, b"", nothing_asked).unwrap();
        assert_eq!(checkpoint.map(|checkpoint| checkpoint.output), Some(Digest::default()));
    }

    /// A kill may come between the writing over and the renaming.
    #[test]
    fn a_head_that_was_written_over_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.npy");
        let target = Target::File(path.clone());
        let (mut destination, _) =
            Destination::open(&target, Existing::Refuse, b"0 rows", nothing_asked).unwrap();
        destination.write(b"0 rowsabc", Digest::of(b"0 rowsabc")).unwrap();
        let partial = destination.leave(Answered::default(), None).unwrap().unwrap();
        for head in ["3 rows", "3 ro"] {
            fs::write(&partial, format!("{head:<6}abc")).unwrap();
            let open = |head| Destination::open(&target, Existing::Resume, head, nothing_asked);
            assert!(
                matches!(open(b""), Err(DestinationError::Resume(_))),
                "of other formats every byte counts"
            );
            let (_, checkpoint) = open(b"0 rows").unwrap();
            assert_eq!(checkpoint.unwrap().output, Digest::of(b"0 rowsabc"));
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
    fn a_file_that_somebody_makes_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        let target = Target::File(path.clone());
        let (mut destination, _) = Destination::open(&target, Existing::Refuse, b"", nothing_asked).unwrap();
        destination.write(b"ours", Digest::of(b"ours")).unwrap();
        fs::write(&path, "theirs").unwrap();
        let refused = destination.finish(None, completion()).unwrap_err();
        assert!(matches!(refused, DestinationError::Io { .. }), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(fs::read(partial_path(&path)).unwrap(), b"ours");
        // Who asks for it replaces it.
        let (mut destination, _) =
            Destination::open(&target, Existing::Overwrite, b"", nothing_asked).unwrap();
        destination.write(b"ours", Digest::of(b"ours")).unwrap();
        destination.finish(None, completion()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"ours");
    }
}
