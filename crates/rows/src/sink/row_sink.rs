//! The interface between a run and its output: a formatter for each worker, and a sink that takes the blocks in order.

use std::any::Any;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::destination::{Completion, DestinationError};
use crate::Digest;
use crate::answers::AnsweredRow;
use crate::output_rows::OutputRows;
use crate::resume::Answered;

/// Formats the rows of blocks. Each worker has its own formatter.
pub trait RowFormatter: Send {
    /// Formats the rows of one block into an empty piece. A failure is kept in the piece, so that the sink returns it from
    /// [`RowSink::write`] in the order of the blocks. Once the piece has [`PART_BYTES`](super::PART_BYTES) or more, the formatter may call
    /// `write_part`, which writes the rows so far and empties the piece.
    fn format(&mut self, rows: OutputRows, piece: &mut OutputPiece, write_part: WritePart<'_>);

    /// Formats the rows of one block one by one, and passes each row to `put` with its bytes. Called only for formats that are [row by
    /// row](super::FormatSpec::is_row_by_row).
    fn format_each(&mut self, _rows: OutputRows, _put: &mut dyn FnMut(&AnsweredRow, &[u8])) {}
}

/// Writes the rows of a block that are formatted so far, and empties the piece.
pub type WritePart<'a> = &'a mut dyn FnMut(&mut OutputPiece);

/// The output of a formatter for one block. Its buffers are reused for later blocks.
#[derive(Debug, Default)]
pub struct OutputPiece {
    /// Bytes to append to the output. If the output is compressed, they are compressed before the sink gets the piece.
    pub text: Vec<u8>,
    /// Digest of `text`. It is set if the sink [stores checkpoints](RowSink::is_resumable).
    pub digest: Digest,
    /// Anything else that a formatter passes to its sink, such as encoded columns or an error.
    pub content: Option<Box<dyn Any + Send>>,
}

impl OutputPiece {
    /// Empties the piece and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.digest = Digest::default();
        // Usually the sink has already taken the content. If the run failed, the content may still be here.
        drop(self.content.take());
    }
}

/// An open output. Blocks are written in order, by one thread at a time.
pub trait RowSink: Send {
    /// Writes `text` if nothing is written yet. `text` is the header or an empty text. If the output is compressed, `text` is already
    /// compressed. A format that writes its own header ignores this text.
    ///
    /// # Errors
    /// [`DestinationError`] if the output cannot be written.
    fn write_if_empty(&mut self, text: &[u8]) -> Result<(), DestinationError>;

    /// Writes the rows of the next block, or keeps them until more rows are known.
    ///
    /// # Errors
    /// [`DestinationError`] if the block could not be formatted, or if the output cannot be written.
    fn write(&mut self, piece: &mut OutputPiece) -> Result<(), DestinationError>;

    /// Writes the next part of a block whose later rows are not formatted yet. Called only if the formatter divides blocks into parts. The
    /// final part of a block goes to [`RowSink::write`].
    ///
    /// # Errors
    /// The errors of [`RowSink::write`].
    fn write_part(&mut self, part: &mut OutputPiece) -> Result<(), DestinationError> {
        self.write(part)
    }

    /// Writes the rows that the sink still keeps, because no more rows follow. Stops if `cancel` becomes true. Called after the last
    /// block, but not after an interrupt or an error. There is one exception: if a puzzle can't be generated, or a generated puzzle is
    /// wrong, this method is called for the rows before that puzzle.
    ///
    /// # Errors
    /// [`DestinationError`] if the output cannot be written.
    fn settle(&mut self, _cancel: &AtomicBool) -> Result<(), DestinationError> {
        Ok(())
    }

    /// Returns whether the sink stores checkpoints.
    fn is_resumable(&self) -> bool;

    /// Returns whether a checkpoint should be stored now.
    fn is_due(&self) -> bool;

    /// Stores a checkpoint for the rows counted in `answered`. Called only if [`RowSink::is_due`] returned true. A resumed run continues
    /// after these rows, so their output must be in the file or in the checkpoint.
    ///
    /// # Errors
    /// [`DestinationError`] if the checkpoint cannot be stored.
    fn checkpoint(&mut self, answered: Answered) -> Result<(), DestinationError>;

    /// Completes the output. A file gets its final name. In some cases, a record of the run is stored next to the file: see
    /// [`Destination::finish`](super::Destination::finish).
    ///
    /// # Errors
    /// [`DestinationError`] if the output cannot be written.
    fn finish(self: Box<Self>, completion: Completion) -> Result<(), DestinationError>;

    /// Ends an output that is not complete. `answered` is the progress for a final checkpoint, if the sink stores checkpoints. Returns the
    /// path of the partial file, if the file still exists.
    ///
    /// # Errors
    /// [`DestinationError`] if a stream cannot be written.
    fn leave(self: Box<Self>, answered: Answered) -> Result<Option<PathBuf>, DestinationError>;

    /// Removes the partial file. Bytes that were written to a stream can't be taken back.
    fn discard(self: Box<Self>);
}
