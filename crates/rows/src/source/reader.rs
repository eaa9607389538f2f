//! The text of one input, divided into blocks of complete records.
//!
//! ```text
//! next block:
//!     start with the carry: the text that was read after the end of the last block
//!     read up to the next mark (BlockSize), and cut after the last complete record; the rest becomes the carry
//!     if there is no complete record, read up to a later mark
//!     if more than MAX_RECORD bytes have no complete record, keep only the record's start, and skip to its end (overlong)
//! ```
//! Marks are fixed positions in the text: see [`BlockSize`]. The block boundaries depend only on the text and the marks, not on how much
//! each read returned or where reading began.

use std::io::{self, Read};
use std::num::NonZeroU64;

use memchr::{memchr, memchr_iter};
use sudobench_sudoku::puzzle::Punctuation;

use super::block::Block;
use super::fault::RowFault;
use super::layout::Layout;
use super::options::BlockSize;
use super::overlong::{OverlongWalk, PIECE, Step};
use super::parsed::MAX_RECORD;
use super::text::{count_line_ends, count_lone_returns, has_line_end, last_line_end};
use super::waiting;

/// A text of at least this length without a complete record starts with an overlong record. A record of at most [`MAX_RECORD`] bytes is
/// complete after at most two more bytes: `\n`, or `\r` and the byte after it.
const OVERLONG: usize = MAX_RECORD + 2;

/// Number of bytes before a mark that are searched for a line end. If no line ends in these bytes, an overlong record continues at the
/// mark.
pub(super) const BEFORE_MARK: usize = OVERLONG;

/// Memory that is filled from the front. The rest contains old data, because clearing it before each read would take time.
#[derive(Default)]
struct Filling {
    memory: Vec<u8>,
    filled: usize,
}

impl Filling {
    fn text(&self) -> &[u8] {
        &self.memory[..self.filled]
    }

    /// Makes room for `size` bytes in total.
    fn reserve(&mut self, size: usize) {
        if self.memory.is_empty() {
            self.memory = vec![0; size]; // unlike `resize`, writes nothing: new memory from the system is zero
        } else if self.memory.len() < size {
            self.memory.resize(size, 0);
        }
    }

    fn push(&mut self, text: &[u8]) {
        let end = self.filled + text.len();
        self.reserve(end);
        self.memory[self.filled..end].copy_from_slice(text);
        self.filled = end;
    }

    fn into_text(mut self) -> Vec<u8> {
        self.memory.truncate(self.filled);
        self.memory
    }
}

pub(super) struct BlockReader {
    text: Box<dyn Read + Send>,
    /// Text that was read. Its first `taken` bytes are done; the next block starts with the rest.
    carry: Vec<u8>,
    taken: usize,
    /// The physical line at which the next block starts.
    line: u64,
    /// The position in the text at which the next block starts.
    position: u64,
    /// The most recent mark that was reached. The next block is cut at a later mark.
    mark: u64,
    ended: bool,
    failure: Option<io::Error>,
}

impl BlockReader {
    pub(super) fn new(text: Box<dyn Read + Send>) -> BlockReader {
        BlockReader {
            text,
            carry: Vec::new(),
            taken: 0,
            line: 1,
            position: 0,
            mark: 0,
            ended: false,
            failure: None,
        }
    }

    /// Makes a reader that starts after the last line end before `mark`. `text` starts [`BEFORE_MARK`] bytes before the mark. Returns
    /// `None` if the text ends before the mark, if no line ends in these bytes, or if a line in these bytes may be only a part of a record,
    /// for example because of a quote. The first line of the reader has the number 1.
    ///
    /// # Errors
    /// The system's error.
    pub(super) fn at_mark(
        text: Box<dyn Read + Send>,
        layout: &Layout,
        mark: u64,
    ) -> io::Result<Option<BlockReader>> {
        let mut reader = BlockReader::new(text);
        reader.extend_carry(BEFORE_MARK);
        reader.failure.take().map_or(Ok(()), Err)?;
        let before = &reader.carry[..reader.carry.len().min(BEFORE_MARK)];
        let start = last_line_end(before);
        let is_uncertain = !layout.rows().has_line_records(before);
        if start == 0 || before.len() < BEFORE_MARK || is_uncertain {
            return Ok(None);
        }
        reader.taken = start;
        reader.position = mark - (BEFORE_MARK - start) as u64;
        reader.mark = mark;
        Ok(Some(reader))
    }

    /// Returns the start of the text: `size` bytes or more, or all bytes before the place where the text ends or reading fails. Fails only
    /// if reading fails before the first byte. Also returns whether the end of the text was seen; if so, the returned bytes are the whole
    /// text. Call this method before the first block.
    pub(super) fn sample(&mut self, size: usize) -> io::Result<(&[u8], bool)> {
        self.extend_carry(size);
        match self.failure.take() {
            Some(failure) if self.carry.is_empty() => Err(failure),
            failure => {
                self.failure = failure;
                Ok((&self.carry, self.ended))
            }
        }
    }

    /// Returns a sample like [`BlockReader::sample`], but fails if an interrupt made it shorter.
    pub(super) fn whole_sample(&mut self, size: usize) -> io::Result<(&[u8], bool)> {
        self.extend_carry(size);
        match self.failure.take_if(|failure| waiting::is_interrupt(failure)) {
            Some(interrupt) => Err(interrupt),
            None => self.sample(size),
        }
    }

    /// Skips the first `length` bytes of the sample.
    pub(super) fn skip(&mut self, length: usize) {
        self.line += count_line_ends(&self.carry[..length]);
        self.taken = length;
        self.position = length as u64;
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Returns whether the end of the text was read and no text is left for another block.
    pub(super) fn is_at_end(&self) -> bool {
        self.ended && self.taken == self.carry.len()
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Returns the next block, in the memory of `buffer`. Returns `None` at the end of the text, and at the mark `stop`: the text after
    /// this mark belongs to the reader that starts there.
    ///
    /// # Errors
    /// The error of the decoder or the system, or an interrupt. All complete records before the error are returned first.
    pub(super) fn next_block(
        &mut self,
        layout: &Layout,
        size: BlockSize,
        stop: Option<u64>,
        buffer: Vec<u8>,
    ) -> io::Result<Option<Block>> {
        let mut buffer = Filling { memory: buffer, filled: 0 };
        let mut ended_by_us = None;
        // Length of the text that was searched without finding a complete record.
        let mut searched = 0;
        loop {
            let is_stopped = stop.is_some_and(|stop| self.mark >= stop);
            if is_stopped && buffer.filled < OVERLONG {
                self.put_back(buffer.text());
                return Ok(None);
            }
            let mark = if is_stopped { self.mark } else { size.next_mark(self.mark) };
            // The position can already be after the mark, because a header may be longer than the distance to the first mark.
            let wanted =
                usize::try_from(mark.saturating_sub(self.position)).unwrap_or(usize::MAX).max(buffer.filled);
            self.take(&mut buffer, wanted);
            let is_last = self.failure.is_some() || self.is_at_end() || buffer.filled >= OVERLONG;
            if !is_last && searched > 0 && !has_line_end(&buffer.text()[searched - 1..]) {
                // Only a line end, or the byte after a `\r`, can complete a record.
                (self.mark, searched) = (mark, buffer.filled);
                continue;
            }
            // Many texts have no quote and no `\r`. One pass counts the line feeds, and shows whether there is a quote or a `\r`.
            let Punctuation { line_feeds, has_other } = Punctuation::count(buffer.text());
            let has_quote = has_other && memchr(b'"', buffer.text()).is_some();
            // If the text ends exactly at the mark, it is read as if more text followed: a last record that may be incomplete goes to the
            // next block. Without this rule, the content of the block would depend on whether the end of the input was already noticed.
            let is_all = self.is_at_end() && buffer.filled < wanted;
            let whole = layout.rows().whole_records(buffer.text(), has_quote, is_all);
            if whole > 0 {
                let rest = &buffer.text()[whole..];
                let line_feeds = line_feeds - memchr_iter(b'\n', rest).count() as u64;
                self.put_back(rest);
                buffer.filled = whole;
                let first_line = self.line;
                self.line += line_feeds + if has_other { count_lone_returns(buffer.text()) } else { 0 };
                (self.position, self.mark) = (self.position + whole as u64, mark);
                if ended_by_us == Some(whole) {
                    // Only the `\r` of this line end was read; the code below added the `\n` earlier in this loop. The whole line end is
                    // removed, because a resumed run compares the bytes of the text, and may find either `\r` or `\r\n` there.
                    buffer.filled -= b"\r\n".len();
                }
                let bytes = buffer.into_text();
                return Ok(Some(Block { first_line, bytes, has_quote, ..Block::default() }));
            }
            if is_all && buffer.filled == 0 {
                return Ok(None);
            }
            if self.failure.is_some() && buffer.filled < wanted {
                // A line that ends in `\r` is complete, regardless of the next byte. A `\n` is added, so that the line end is recognised as
                // complete.
                if buffer.text().ends_with(b"\r") {
                    buffer.push(b"\n");
                    ended_by_us = Some(buffer.filled);
                    continue;
                }
                return Err(self.failure.take().unwrap_or_else(|| io::ErrorKind::Other.into()));
            }
            if is_all || buffer.filled >= OVERLONG {
                return self.overlong_record(layout, size, buffer.into_text()).map(Some);
            }
            (self.mark, searched) = (mark, buffer.filled);
        }
    }

    /// Returns a block with the first [`MAX_RECORD`] bytes of the overlong record at the start of `buffer`. Reads and drops the rest of the
    /// record.
    fn overlong_record(
        &mut self,
        layout: &Layout,
        size: BlockSize,
        mut buffer: Vec<u8>,
    ) -> io::Result<Block> {
        self.put_back(&buffer);
        buffer.truncate(MAX_RECORD);
        let mut walk = OverlongWalk::new(layout);
        let mut dropped = 0;
        let end = loop {
            self.refill(PIECE);
            match walk.push(&self.carry[self.taken..], self.ended) {
                Step::Ends(end) => break end,
                Step::More(length) => {
                    self.taken += length;
                    dropped += length as u64;
                    self.failure.take().map_or(Ok(()), Err)?;
                }
            }
        };
        // The cast is safe: the difference is at most the length of the text that `walk` got last.
        self.taken += (end.next - dropped) as usize;
        self.position += end.next;
        self.mark = size.mark_at_or_before(self.position);
        let first_line = self.line;
        self.line += end.next_line_ends;
        let lines = NonZeroU64::new(end.line_ends + 1).filter(|lines| lines.get() > 1);
        let overlong = Some(RowFault::Overlong { length: end.length, lines });
        Ok(Block { first_line, bytes: buffer, overlong, ..Block::default() })
    }

    /// Reads until the text ends, reading fails, or the carry has at least `length` bytes that are not taken yet.
    fn refill(&mut self, length: usize) {
        if self.carry.len() - self.taken < length {
            self.carry.drain(..self.taken);
            self.taken = 0;
            self.extend_carry(length);
        }
    }

    /// Reads until the carry has `size` bytes, the text ends or reading fails.
    fn extend_carry(&mut self, size: usize) {
        let carry = std::mem::take(&mut self.carry);
        let mut carry = Filling { filled: carry.len(), memory: carry };
        self.fill(&mut carry, size);
        self.carry = carry.into_text();
    }

    /// Moves text to `buffer` until it has `size` bytes, the text ends or reading fails.
    fn take(&mut self, buffer: &mut Filling, size: usize) {
        let at_hand = self.carry.len() - self.taken;
        let taken = at_hand.min(size.saturating_sub(buffer.filled));
        if taken == at_hand && !self.ended {
            buffer.reserve(size); // at once, because the buffer is filled below
        }
        buffer.push(&self.carry[self.taken..self.taken + taken]);
        self.taken += taken;
        if self.taken == self.carry.len() {
            self.fill(buffer, size);
        }
    }

    /// Takes back the end of a buffer, so that the next block starts with it.
    fn put_back(&mut self, rest: &[u8]) {
        if self.taken < self.carry.len() {
            // The whole buffer came from the carry, which still contains it.
            self.taken -= rest.len();
        } else {
            self.carry.clear();
            self.carry.extend_from_slice(rest);
            self.taken = 0;
        }
    }

    /// Reads until `buffer` has `size` bytes, the text ends or reading fails.
    fn fill(&mut self, buffer: &mut Filling, size: usize) {
        if self.ended || self.failure.is_some() || buffer.filled >= size {
            return;
        }
        // Reads directly into the memory of the block, because `read_to_end` would read small pieces first.
        buffer.reserve(size);
        while buffer.filled < size {
            match self.text.read(&mut buffer.memory[buffer.filled..size]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(length) => buffer.filled += length,
                Err(failure) if failure.kind() == io::ErrorKind::Interrupted => {}
                Err(failure) => {
                    self.failure = Some(failure);
                    break;
                }
            }
        }
    }
}
