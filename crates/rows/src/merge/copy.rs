//! Joins the parts of a run, which are the outputs of its shards.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::shard_outputs::{ShardOutput, ShardOutputs};
use crate::option_error::OptionError;
use crate::sink::{
    Answered, Completion, Destination, DestinationError, Existing, JoinParts, PartReader, Promise, Target,
    parts_hold_other,
};
use crate::{Digest, Progress};

/// Number of bytes of the buffer for copying.
const PIECE: usize = 1 << 20;

/// The options of a merge.
#[derive(Clone, Debug)]
pub struct Merging {
    /// The destination.
    pub target: Target,
    /// The action if the output exists. A merge can't be resumed.
    pub existing: Existing,
    /// Whether to wait until a file is on the disk: see [`Sink::sync`](crate::Sink::sync).
    pub sync: bool,
    /// Once this flag is true, the merge ends.
    pub cancel: Arc<AtomicBool>,
}

/// The reason why a merge failed. The output file is neither created nor changed, except if the complete file was already renamed when the
/// error occurred.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The output cannot be written.
    #[error(transparent)]
    Destination(#[from] DestinationError),
    /// A part cannot be read.
    #[error("cannot read {part}")]
    Read {
        /// The part.
        part: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A part differs from what its shard wrote.
    #[error("{part} was changed after its shard wrote it: {fault}; run that shard again")]
    Changed {
        /// The part.
        part: PathBuf,
        /// The difference.
        fault: String,
    },
    /// The footer of the merged output can't be written.
    #[error("cannot write the footer of the merged output")]
    Footer(#[source] io::Error),
    /// The merge was cancelled.
    #[error("interrupted: the merge is not complete, and the parts are unchanged")]
    Interrupted,
}

impl ShardOutputs {
    /// Joins the parts into one output.
    ///
    /// # Errors
    ///
    /// [`MergeError`], for example if the output exists, if a part was changed, or if the merge was cancelled. Bytes that were written to a
    /// stream before the error can't be taken back.
    pub fn merge(&self, how: &Merging, mut progress: impl FnMut(&Progress) + Send) -> Result<(), MergeError> {
        if let Target::File(path) = &how.target {
            self.check_name(path).map_err(DestinationError::from)?;
        }
        let asked = || Ok::<_, DestinationError>(self.asked());
        let opened = Destination::open(&how.target, how.existing, &[], asked);
        let (mut destination, _) = opened.map_err(|error| match error {
            DestinationError::PartialExists { partial, .. } => {
                DestinationError::PartialExists { partial, can_resume: false }
            }
            error => error,
        })?;
        let mut walk = Walk {
            cancel: &how.cancel,
            progress: &mut progress,
            standing: Progress {
                rows: 0,
                limit: None,
                read: 0,
                total: Some(self.bytes()),
                elapsed: Default::default(),
            },
            clock: Instant::now(),
        };
        match self.copy(&mut destination, &mut walk) {
            Ok(()) => {
                let completion = Completion { answered: Answered::default(), shard: None, sync: how.sync };
                Ok(destination.finish(None, completion)?)
            }
            Err(error) => {
                destination.discard();
                Err(error)
            }
        }
    }

    /// Checks that the extension of an output fits the format, the compression and the delimiter of the parts. An extension that stands for
    /// the same format and delimiter as the extension of the first part is accepted, too: with `--output-format`, a part may have a format
    /// that does not fit its own extension.
    fn check_name(&self, path: &Path) -> Result<(), OptionError> {
        let (promise, format) = (Promise::from_path(path)?, self.format());
        let [first, ..] = self.parts() else { return Ok(()) };
        let of_first = Promise::from_path(&first.path).unwrap_or_default();
        let is_kept = promise.format.is_none_or(|promised| promised == format)
            || promise.format == of_first.format && promise.delimiter == of_first.delimiter;
        if !is_kept || promise.compression != self.compression() {
            return Err(parts_hold_other(path, promise, (format, self.compression())));
        }
        let delimiter = self.job.layout.delimiter.as_ref().and_then(|delimiter| delimiter.bytes().next());
        promise.check_delimiter(path, format, delimiter.unwrap_or(b','))
    }

    fn copy(&self, destination: &mut Destination, walk: &mut Walk) -> Result<(), MergeError> {
        match &self.format().join {
            Some(join) => self.join(join, destination, walk),
            None => self.concatenate(destination, walk),
        }
    }

    /// Writes one header and then the rows of the parts, part by part.
    fn concatenate(&self, destination: &mut Destination, walk: &mut Walk) -> Result<(), MergeError> {
        let sized_header = self.format().sized_header;
        let row_bytes: u64 = self.parts().iter().map(ShardOutput::row_bytes).sum();
        let mut piece = vec![0; PIECE];
        for (at, part) in self.parts().iter().enumerate() {
            let is_first = at == 0;
            let mut file = ShardFile::open(part, walk)?;
            let header_bytes = part.record.header_bytes;
            if let Some(header) = sized_header {
                file.pass_sized_header(header)?;
                if is_first {
                    let header = header(header_bytes + row_bytes);
                    destination.write(&header, Digest::from_bytes(&header))?;
                }
            } else {
                file.pass(header_bytes, &mut piece, is_first.then_some(&mut *destination))?;
            }
            file.pass(part.row_bytes(), &mut piece, Some(destination))?;
            // An output without rows may still need some bytes, such as those of an empty compressed file (`filler_bytes`). If no part has
            // rows, these bytes are copied from the first part. Otherwise the merged output needs no such bytes.
            let is_filled = is_first && row_bytes == 0;
            file.pass(part.record.filler_bytes, &mut piece, is_filled.then_some(&mut *destination))?;
            file.finish()?;
        }
        Ok(())
    }

    fn join(
        &self,
        join: &JoinParts,
        destination: &mut Destination,
        walk: &mut Walk,
    ) -> Result<(), MergeError> {
        let out = io::BufWriter::with_capacity(PIECE, Pieces(destination));
        let mut joiner = (join.start)(Box::new(out));
        for part in self.parts() {
            let mut file = ShardFile::open(part, walk)?;
            joiner.add(&mut file).map_err(|error| file.fault(error))?;
            file.finish()?;
        }
        joiner.finish().map_err(|error| match error.downcast() {
            Ok(error) => error,
            Err(source) => MergeError::Footer(source),
        })
    }
}

struct Walk<'m> {
    cancel: &'m AtomicBool,
    progress: &'m mut (dyn FnMut(&Progress) + Send),
    standing: Progress,
    clock: Instant,
}

/// A part that is read from start to end. The bytes that [`ShardFile::next`] reads are added to the digest.
struct ShardFile<'w, 'm> {
    part: &'w ShardOutput,
    file: File,
    digest: Digest,
    walk: &'w mut Walk<'m>,
}

impl<'w, 'm> ShardFile<'w, 'm> {
    fn open(part: &'w ShardOutput, walk: &'w mut Walk<'m>) -> Result<ShardFile<'w, 'm>, MergeError> {
        let file =
            File::open(&part.path).map_err(|source| MergeError::Read { part: part.path.clone(), source })?;
        Ok(ShardFile { part, file, digest: Digest::default(), walk })
    }

    /// Reads the next bytes into `piece`. Returns their number, which is 0 at the end of the part, and their digest.
    fn next(&mut self, piece: &mut [u8]) -> Result<(usize, Digest), MergeError> {
        let length = loop {
            if self.walk.cancel.load(Ordering::SeqCst) {
                return Err(MergeError::Interrupted);
            }
            match self.file.read(piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(MergeError::Read { part: self.part.path.clone(), source }),
                Ok(length) => break length,
            }
        };
        let digest = Digest::from_bytes(&piece[..length]);
        self.digest = self.digest.then(digest);
        let Walk { standing, clock, progress, .. } = &mut *self.walk;
        standing.read += length as u64;
        standing.elapsed = clock.elapsed();
        progress(standing);
        Ok((length, digest))
    }

    /// Reads the next `bytes` bytes of the part, and writes them to `to` if there is a destination.
    fn pass(
        &mut self,
        mut bytes: u64,
        piece: &mut [u8],
        mut to: Option<&mut Destination>,
    ) -> Result<(), MergeError> {
        while bytes > 0 {
            let wanted = usize::try_from(bytes).unwrap_or(usize::MAX).min(piece.len());
            let (length, digest) = self.next(&mut piece[..wanted])?;
            if length == 0 {
                return Err(self.changed("it is shorter".to_owned()));
            }
            if let Some(destination) = &mut to {
                destination.write(&piece[..length], digest)?;
            }
            bytes -= length as u64;
        }
        Ok(())
    }

    /// Reads a header that depends on the size of the file. The shard computed the digest of its part before the size was known: the
    /// digest includes the header of an incomplete file. To get the same digest, this function also uses the header of an incomplete file.
    fn pass_sized_header(&mut self, sized_header: fn(u64) -> Vec<u8>) -> Result<(), MergeError> {
        let mut header = sized_header(self.part.record.output.bytes);
        let expected = header.clone();
        self.pass(header.len() as u64, &mut header, None)?;
        if header != expected {
            return Err(self.changed("its header is different".to_owned()));
        }
        self.digest = Digest::from_bytes(&sized_header(0));
        Ok(())
    }

    /// Checks that the part equals what the shard wrote. Call it after the part was read completely.
    fn finish(self) -> Result<(), MergeError> {
        let then = self.part.record.output;
        let fault = |source| MergeError::Read { part: self.part.path.clone(), source };
        let bytes = self.file.metadata().map_err(fault)?.len();
        if bytes != then.bytes {
            return Err(self.changed(format!("it has {bytes} bytes instead of {}", then.bytes)));
        }
        if self.digest != then {
            return Err(self.changed("its CRC-32 is different".to_owned()));
        }
        let rows = self.part.record.answered.tally.rows();
        self.walk.standing.rows = self.walk.standing.rows.saturating_add(rows);
        Ok(())
    }

    fn changed(&self, fault: String) -> MergeError {
        MergeError::Changed { part: self.part.path.clone(), fault }
    }

    /// Converts an error that the format's joiner returned. If the error contains no [`MergeError`], the contents of the part are faulty.
    fn fault(&self, error: io::Error) -> MergeError {
        error.downcast().unwrap_or_else(|error| self.changed(error.to_string()))
    }
}

impl PartReader for ShardFile<'_, '_> {
    fn file(&mut self) -> &mut File {
        &mut self.file
    }
}

impl io::Read for ShardFile<'_, '_> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        self.next(piece).map(|(length, _)| length).map_err(io::Error::other)
    }
}

struct Pieces<'d, 'w>(&'d mut Destination<'w>);

impl io::Write for Pieces<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes, Digest::from_bytes(bytes));
        written.map(|()| bytes.len()).map_err(|error| io::Error::other(MergeError::from(error)))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
