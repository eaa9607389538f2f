//! The rows of an iterator as a text to read.

use std::io::{self, Cursor, Read};
use std::iter::Fuse;

/// A text whose lines are the items of an iterator. Takes an item from the iterator only when the first byte of its line is read.
pub(super) struct RowsText<I> {
    rows: Fuse<I>,
    /// The current line, with its line end.
    line: Cursor<Vec<u8>>,
}

impl<I: Iterator> RowsText<I> {
    pub(super) fn new(rows: I) -> RowsText<I> {
        RowsText { rows: rows.fuse(), line: Cursor::default() }
    }
}

impl<I: Iterator<Item: AsRef<[u8]>>> Read for RowsText<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            if self.line.position() == self.line.get_ref().len() as u64 {
                let Some(row) = self.rows.next() else { break };
                let line = self.line.get_mut();
                line.clear();
                line.extend_from_slice(row.as_ref());
                line.push(b'\n');
                self.line.set_position(0);
            }
            filled += self.line.read(&mut buffer[filled..])?;
        }
        Ok(filled)
    }
}
