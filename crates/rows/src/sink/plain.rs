//! Formats whose output is an optional header and the bytes of the rows, one row after the other.

use std::io;
use std::path::PathBuf;

use super::destination::{Completion, Destination, DestinationError};
use super::format::{FormatSetup, MemberPlace, RowFormat};
use super::row_sink::{OutputPiece, RowFormatter, RowSink, WritePart};
use crate::answers::AnsweredRow;
use crate::output_rows::{OutputRows, PART_BYTES};
use crate::resume::Answered;

/// Writes single rows. A format whose output is a header and the bytes of its rows needs only this trait.
pub(super) trait RowWriter: Clone + Send + Sync + 'static {
    /// Returns the bytes before the first row.
    fn header(&self) -> &[u8] {
        &[]
    }

    /// See [`RowFormat::member_place`].
    fn member_place(&self, _name: &str) -> MemberPlace {
        MemberPlace::Missing
    }

    fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>);
}

/// A format that writes its rows with a [`RowWriter`].
struct PlainFormat<W> {
    writer: W,
    sized_header: Option<fn(u64) -> Vec<u8>>,
}

pub(super) fn plain_format(setup: &FormatSetup, writer: impl RowWriter) -> Box<dyn RowFormat> {
    Box::new(PlainFormat { writer, sized_header: setup.spec.sized_header })
}

impl<W: RowWriter> RowFormat for PlainFormat<W> {
    fn header(&self) -> &[u8] {
        self.writer.header()
    }

    fn member_place(&self, name: &str) -> MemberPlace {
        self.writer.member_place(name)
    }

    fn formatter(&self) -> io::Result<Box<dyn RowFormatter>> {
        Ok(Box::new(PlainFormatter(self.writer.clone())))
    }

    fn open<'w>(
        &self,
        destination: Destination<'w>,
        _footer: Option<&str>,
    ) -> Result<Box<dyn RowSink + 'w>, DestinationError> {
        Ok(Box::new(PlainSink { destination, sized_header: self.sized_header }))
    }
}

struct PlainFormatter<W>(W);

impl<W: RowWriter> RowFormatter for PlainFormatter<W> {
    fn format(&mut self, rows: OutputRows, piece: &mut OutputPiece, write_part: WritePart<'_>) {
        let PlainFormatter(writer) = self;
        piece.text.reserve_exact(rows.typical_bytes());
        rows.each(|row| {
            writer.write(row, &mut piece.text);
            if piece.text.len() >= PART_BYTES {
                write_part(piece);
            }
        });
    }

    fn format_each(&mut self, rows: OutputRows, put: &mut dyn FnMut(&AnsweredRow, &[u8])) {
        let PlainFormatter(writer) = self;
        let mut text = Vec::new();
        rows.each(|row| {
            text.clear();
            writer.write(row, &mut text);
            put(row, &text);
        });
    }
}

struct PlainSink<'w> {
    destination: Destination<'w>,
    sized_header: Option<fn(u64) -> Vec<u8>>,
}

impl RowSink for PlainSink<'_> {
    fn write_if_empty(&mut self, text: &[u8]) -> Result<(), DestinationError> {
        match self.destination.written().bytes {
            0 => self.destination.write(text, crate::Digest::from_bytes(text)),
            _ => Ok(()),
        }
    }

    fn write(&mut self, piece: &mut OutputPiece) -> Result<(), DestinationError> {
        self.destination.write(&piece.text, piece.digest)
    }

    fn write_part(&mut self, part: &mut OutputPiece) -> Result<(), DestinationError> {
        self.destination.write_part(&part.text, part.digest)
    }

    fn is_resumable(&self) -> bool {
        self.destination.is_resumable()
    }

    fn is_due(&self) -> bool {
        self.destination.is_due()
    }

    fn checkpoint(&mut self, answered: Answered) -> Result<(), DestinationError> {
        self.destination.checkpoint(answered, None)
    }

    fn finish(self: Box<Self>, completion: Completion) -> Result<(), DestinationError> {
        let header = self.sized_header.map(|header| header(self.destination.written().bytes));
        self.destination.finish(header.as_deref(), completion)
    }

    fn leave(self: Box<Self>, answered: Answered) -> Result<Option<PathBuf>, DestinationError> {
        self.destination.leave(answered, None)
    }

    fn discard(self: Box<Self>) {
        self.destination.discard();
    }
}
