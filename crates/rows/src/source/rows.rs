//! Rows in memory as a text to read.

use std::io::{self, Read};
use std::iter::Fuse;

/// A text whose lines are the items of an iterator. Takes an item from the iterator only when the first byte of its line is read.
pub(super) struct RowsText<I> {
    rows: Fuse<I>,
    /// The current line, with its line end; the part before `taken` was read.
    line: Vec<u8>,
    taken: usize,
}

impl<I: Iterator> RowsText<I> {
    pub(super) fn new(rows: I) -> RowsText<I> {
        RowsText { rows: rows.fuse(), line: Vec::new(), taken: 0 }
    }
}

impl<I: Iterator<Item: AsRef<[u8]>>> Read for RowsText<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            if self.taken == self.line.len() {
                let Some(row) = self.rows.next() else { break };
                self.line.clear();
                self.line.extend_from_slice(row.as_ref());
                self.line.push(b'\n');
                self.taken = 0;
            }
            let length = (self.line.len() - self.taken).min(buffer.len() - filled);
            buffer[filled..filled + length].copy_from_slice(&self.line[self.taken..self.taken + length]);
            filled += length;
            self.taken += length;
        }
        Ok(filled)
    }
}
