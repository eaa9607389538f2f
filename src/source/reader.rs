//! The text of one input, cut into blocks of whole records.
//!
//! ```text
//! block: carry = what the last block left over
//!        fill up to the block's size; cut behind the last whole record; what is left becomes the carry
//!        no whole record: read more; none in MAX_RECORD bytes: the record is overlong, drop it up to a line end
//! ```
//! Where a block is cut depends on the text and the sizes asked for alone, not on how the reads came in.
#![forbid(unsafe_code)]

use std::io::{self, Read};

use memchr::{memchr, memchr2};

use super::MAX_RECORD;
use super::layout::Layout;
use super::lines::count_line_ends;

/// Consecutive whole records of one input.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The input's number, from 0.
    pub input: usize,
    /// The physical line of the decoded text that `bytes` starts in, from 1.
    pub first_line: u64,
    /// The records, with their line ends and whatever stands between them.
    pub bytes: Vec<u8>,
    /// The length of the one record that the block holds the start of, where it is too long to be read.
    pub overlong: Option<u64>,
    /// Whether there is a `"` in the bytes.
    pub(super) has_quote: bool,
}

/// The text of one input.
pub(super) struct Reader {
    text: Box<dyn Read + Send>,
    /// Text that was read; what stands from `taken` on was not delivered.
    carry: Vec<u8>,
    taken: usize,
    /// The physical line of the first byte that was not delivered.
    line: u64,
    ended: bool,
    failure: Option<io::Error>,
}

impl Reader {
    pub(super) fn new(text: Box<dyn Read + Send>) -> Reader {
        Reader { text, carry: Vec::new(), taken: 0, line: 1, ended: false, failure: None }
    }

    /// The first `size` bytes of the text, or all where it has fewer, and whether that is all. To be asked for
    /// before the first block.
    pub(super) fn sample(&mut self, size: usize) -> io::Result<(&[u8], bool)> {
        let mut carry = std::mem::take(&mut self.carry);
        self.fill(&mut carry, size);
        self.carry = carry;
        match self.failure.take() {
            Some(failure) if self.carry.is_empty() => Err(failure),
            failure => {
                self.failure = failure;
                Ok((&self.carry, self.ended))
            }
        }
    }

    /// Leaves out the first `length` bytes of the sample.
    pub(super) fn skip(&mut self, length: usize) {
        self.line += count_line_ends(&self.carry[..length]);
        self.taken = length;
    }

    /// The first line that was not delivered.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The next block, of about `size` bytes, in the memory of `buffer`. `None` at the end.
    ///
    /// # Errors
    /// What the decoder or the operating system says, after all whole records before it were delivered.
    pub(super) fn next_block(
        &mut self,
        layout: &Layout,
        size: usize,
        mut buffer: Vec<u8>,
    ) -> io::Result<Option<Block>> {
        buffer.clear();
        let mut wanted = size.max(1);
        loop {
            self.take(&mut buffer, wanted);
            let has_quote = memchr(b'"', &buffer).is_some();
            let is_all = self.ended && self.taken == self.carry.len();
            let whole = if is_all { buffer.len() } else { layout.whole_records(&buffer, has_quote) };
            if whole > 0 {
                self.put_back(&buffer[whole..]);
                buffer.truncate(whole);
                let first_line = self.line;
                self.line += count_line_ends(&buffer);
                return Ok(Some(Block { input: 0, first_line, bytes: buffer, overlong: None, has_quote }));
            }
            if is_all {
                return Ok(None);
            }
            if self.failure.is_some() && buffer.len() < wanted {
                return Err(self.failure.take().unwrap_or_else(|| io::ErrorKind::Other.into()));
            }
            // A record of MAX_RECORD bytes is whole with its line end and the byte behind it.
            if buffer.len() >= MAX_RECORD + 2 {
                return self.overlong_record(buffer).map(Some);
            }
            wanted = (buffer.len() * 2).clamp(wanted, (MAX_RECORD + 2).max(wanted));
        }
    }

    /// A block of the start of the overlong record that `buffer` starts with. The rest of the record is read
    /// and dropped.
    fn overlong_record(&mut self, mut buffer: Vec<u8>) -> io::Result<Block> {
        self.put_back(&buffer[MAX_RECORD + 1..]);
        let first_line = self.line;
        let lines = count_line_ends(&buffer[..=MAX_RECORD]);
        let ends_in_return = buffer[MAX_RECORD] == b'\r';
        buffer.truncate(MAX_RECORD);
        let mut length = MAX_RECORD as u64 + 1;
        let mut is_pair = false;
        while let Some(&first) = self.refilled(1)?.first() {
            is_pair |= ends_in_return && length == MAX_RECORD as u64 + 1 && first == b'\n';
            let rest = &self.carry[self.taken..];
            let found = memchr2(b'\n', b'\r', rest);
            let dropped = found.unwrap_or(rest.len());
            length += dropped as u64;
            self.taken += dropped;
            if found.is_some() {
                let is_return_feed = self.refilled(2)?.starts_with(b"\r\n");
                self.taken += 1 + usize::from(is_return_feed);
                self.line += 1;
                break;
            }
        }
        self.line += lines - u64::from(is_pair);
        Ok(Block { input: 0, first_line, bytes: buffer, overlong: Some(length), has_quote: false })
    }

    /// What was read and not delivered, at least `length` bytes unless the text ends before.
    fn refilled(&mut self, length: usize) -> io::Result<&[u8]> {
        if self.carry.len() - self.taken < length {
            let mut carry = std::mem::take(&mut self.carry);
            carry.drain(..self.taken);
            self.taken = 0;
            self.fill(&mut carry, MAX_RECORD);
            self.carry = carry;
            if let Some(failure) = self.failure.take() {
                return Err(failure);
            }
        }
        Ok(&self.carry[self.taken..])
    }

    /// Moves text to `buffer` until it has `size` bytes, the text ends or reading fails.
    fn take(&mut self, buffer: &mut Vec<u8>, size: usize) {
        let at_hand = self.carry.len() - self.taken;
        let taken = at_hand.min(size.saturating_sub(buffer.len()));
        buffer.extend_from_slice(&self.carry[self.taken..self.taken + taken]);
        self.taken += taken;
        if self.taken == self.carry.len() {
            self.fill(buffer, size);
        }
    }

    /// Takes the end of a buffer back, to be delivered next.
    fn put_back(&mut self, rest: &[u8]) {
        if self.taken < self.carry.len() {
            // All of the buffer came out of the carry, where it still stands.
            self.taken -= rest.len();
        } else {
            self.carry.clear();
            self.carry.extend_from_slice(rest);
            self.taken = 0;
        }
    }

    /// Reads until `buffer` has `size` bytes, the text ends or reading fails.
    fn fill(&mut self, buffer: &mut Vec<u8>, size: usize) {
        if self.ended || self.failure.is_some() || buffer.len() >= size {
            return;
        }
        // Straight into the block's memory: `read_to_end` would ask for small pieces first.
        let mut filled = buffer.len();
        buffer.resize(size, 0);
        while filled < size {
            match self.text.read(&mut buffer[filled..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(length) => filled += length,
                Err(failure) if failure.kind() == io::ErrorKind::Interrupted => {}
                Err(failure) => {
                    self.failure = Some(failure);
                    break;
                }
            }
        }
        buffer.truncate(filled);
    }
}
