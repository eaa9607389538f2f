//! All inputs, one after the other, as one sequence of blocks.

use std::io::{self, Read};
use std::sync::Arc;

use super::block::Block;
use super::compressed::{self, Decoded};
use super::detect::{self, SAMPLE};
use super::error::SourceError;
use super::input::{Compression, Input, InputFormat};
use super::layout::Layout;
use super::options::{BlockSize, Options};
use super::raw::{self, Opened, Raw};
use super::reader::BlockReader;
use super::rows::RowsText;
use super::text::{Walked, count_line_ends};

/// The inputs of a run. Blocks are read one after the other, by any thread, and may be parsed in any other.
pub struct Source {
    inputs: Vec<Input>,
    options: Options,
    layout: Arc<Layout>,
    /// The input that blocks come from; `None` behind the last.
    current: Option<Stream>,
    finished: Vec<InputRead>,
    /// The sizes of all inputs, where every one is a regular file.
    total: Option<u64>,
    /// Bytes of text delivered so far.
    delivered: u64,
    skip: u64,
    /// Rows behind those to skip that an earlier run has answered.
    done: u64,
    left: Option<u64>,
}

/// One input that is open.
struct Stream {
    reader: BlockReader,
    raw: Raw,
    compression: Compression,
}

/// What was read of one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRead {
    /// The input.
    pub input: Input,
    /// How its bytes are stored.
    pub compression: Compression,
    /// The number of stored (compressed) bytes read so far.
    pub bytes: u64,
    /// Their SHA-256 in hexadecimal, as `sha256sum` prints it, where it was asked for and the input was read to
    /// its end.
    pub sha256: Option<String>,
}

impl Source {
    /// Opens the first input and finds out its layout. Later inputs are opened when they are reached; those
    /// that are regular files are looked at now, so that a wrong one is found before hours of work.
    ///
    /// # Errors
    /// Where there is no input, one cannot be read, its format or columns cannot be made out, or a later one is
    /// laid out differently.
    pub fn open(inputs: &[Input], options: Options) -> Result<Source, SourceError> {
        let first = inputs.first().ok_or(SourceError::NoInput)?;
        let mut source = Source::start(inputs, raw::open(first, &options.cancel)?, options)?;
        for input in &inputs[1..] {
            let size = raw::size(input)?;
            source.total = source.total.zip(size).map(|(total, size)| total + size);
            if size.is_some() {
                source.open_later(input, raw::open(input, &source.options.cancel)?, false)?;
            }
        }
        Ok(source)
    }

    /// A source of a single reader, under the name that messages call it by.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn from_reader(
        name: impl Into<String>,
        reader: impl Read + Send + 'static,
        options: Options,
    ) -> Result<Source, SourceError> {
        let opened = Opened { reader: Box::new(reader), size: None };
        Source::start(&[Input::Reader(name.into())], opened, options)
    }

    /// A source of rows that a program has at hand: texts of 81 characters, or what else a line of the format may be.
    /// The format is [`InputFormat::Lines`] unless the options name another.
    ///
    /// An item is in every way what a line of a file is: one that is blank or starts with `#` is no row, nor is a
    /// short number that comes first. It must not have a line end inside; then [`Row::line`](super::Row::line) is the
    /// number of a row's item, from 1. Items are taken as blocks are read, the first 64 KiB of them here.
    ///
    /// ```
    /// use sudobench_batch::source::{Options, ParsedBlock, Source};
    ///
    /// let clues = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let mut source = Source::from_rows(vec![clues; 1000], Options { limit: Some(3), ..Options::default() })?;
    /// let (mut parsed, mut puzzles) = (ParsedBlock::default(), Vec::new());
    /// while let Some(block) = source.next_block(Vec::new())? {
    ///     source.layout().parse(&block, &mut parsed);
    ///     puzzles.append(&mut parsed.puzzles);
    /// }
    /// assert_eq!(puzzles.len(), 3);
    /// # Ok::<(), sudobench_batch::source::SourceError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Source::open`]; an iterator without items is an empty input.
    pub fn from_rows<R>(rows: R, mut options: Options) -> Result<Source, SourceError>
    where
        R: IntoIterator<Item: AsRef<[u8]>, IntoIter: Send + 'static>,
    {
        options.format.get_or_insert(InputFormat::Lines);
        Source::from_reader("the iterator of rows", RowsText::new(rows.into_iter()), options)
    }

    fn start(inputs: &[Input], opened: Opened, mut options: Options) -> Result<Source, SourceError> {
        let first = &inputs[0];
        options.block = options.block.bounded();
        let total = opened.size;
        let mut stream = decode(first, opened, options.hash)?;
        let (sample, is_all) = stream.sample(first)?;
        let detected = detect::detect(first, sample, is_all, &options)?;
        stream.reader.skip(detected.body_start);
        Ok(Source {
            inputs: inputs.to_vec(),
            layout: Arc::new(detected.layout),
            current: Some(stream),
            finished: Vec::new(),
            total,
            delivered: 0,
            skip: options.skip,
            done: 0,
            left: options.limit,
            options,
        })
    }

    /// Opens an input after the first, which must have the layout of the first.
    fn open_later(&self, input: &Input, opened: Opened, hash: bool) -> Result<Stream, SourceError> {
        let mut stream = decode(input, opened, hash)?;
        let (sample, is_all) = stream.sample(input)?;
        let body_start =
            detect::check_later(input, sample, is_all, &self.options, &self.layout, &self.inputs[0])?;
        stream.reader.skip(body_start);
        Ok(stream)
    }

    /// Starts behind so many rows, counted from those that the options skip: an earlier run has answered them. Blocks
    /// are cut where they were cut then; see [`Block::done`]. To be called before the first block.
    pub fn resume_after(&mut self, rows: u64) {
        self.done = rows;
    }

    /// Of the rows to [resume after](Source::resume_after), those that were not reached: behind the last block, those
    /// that the inputs do not have.
    pub fn rows_not_reached(&self) -> u64 {
        self.done
    }

    /// The inputs, in their order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What was said about them.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Cuts blocks of these sizes from now on.
    pub fn set_block_size(&mut self, size: BlockSize) {
        self.options.block = size.bounded();
    }

    /// How the rows of all inputs are laid out.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The next block, in the memory of `buffer`; `None` behind the last row.
    ///
    /// # Errors
    /// Where an input cannot be read any further (the whole rows before were delivered) or a later input cannot
    /// be opened or is laid out differently. After an error there are no further blocks.
    pub fn next_block(&mut self, mut buffer: Vec<u8>) -> Result<Option<Block>, SourceError> {
        let block = loop {
            if self.left == Some(0) {
                break self.finish_all().map(|()| None);
            }
            let Some(stream) = &mut self.current else { return Ok(None) };
            let BlockSize { min, max } = self.options.block;
            let size = usize::try_from(self.delivered / 32).unwrap_or(max).clamp(min, max);
            match stream.reader.next_block(&self.layout, size, buffer) {
                Ok(Some(mut block)) => {
                    self.delivered += block.bytes.len() as u64;
                    block.input = self.finished.len();
                    if self.cut_to_wanted(&mut block) {
                        break Ok(Some(block));
                    }
                    buffer = block.bytes;
                }
                Ok(None) => {
                    if let Err(error) = self.next_input() {
                        break Err(error);
                    }
                    buffer = Vec::new();
                }
                Err(failure) => break Err(stream.failed(&self.inputs[self.finished.len()], failure)),
            }
        };
        if block.is_err() {
            self.current = None;
        }
        block
    }

    /// Cuts rows off the block that `skip` and `limit` exclude, and marks those that were done before. False where
    /// nothing is left to do in it.
    fn cut_to_wanted(&mut self, block: &mut Block) -> bool {
        if self.skip == 0 && self.done == 0 && self.left.is_none() {
            return true;
        }
        if block.overlong.is_some() {
            return !self.layout.is_row(&block.bytes) || self.counts_as_wanted() && !self.counts_as_done();
        }
        let (mut at, mut start, mut to_do) = (0, 0, 0);
        while self.left != Some(0)
            && let Walked::Record(record) = self.layout.next_record(&block.bytes, at, true)
        {
            at = record.next;
            if !self.counts_as_wanted() {
                start = at;
            } else if self.counts_as_done() {
                block.done += 1;
            } else {
                to_do += 1;
            }
        }
        if self.left == Some(0) {
            block.bytes.truncate(at);
        }
        if start > 0 {
            block.first_line += count_line_ends(&block.bytes[..start]);
            block.bytes.drain(..start);
        }
        to_do > 0
    }

    /// Counts one wanted row. True where an earlier run has answered it.
    fn counts_as_done(&mut self) -> bool {
        let is_done = self.done > 0;
        self.done = self.done.saturating_sub(1);
        is_done
    }

    /// Counts one row. False where it is one to skip.
    fn counts_as_wanted(&mut self) -> bool {
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        self.left = self.left.map(|left| left.saturating_sub(1));
        true
    }

    /// Closes the current input and opens the next, if there is one.
    fn next_input(&mut self) -> Result<(), SourceError> {
        self.finish_current()?;
        if let Some(input) = self.inputs.get(self.finished.len()) {
            self.current =
                Some(self.open_later(input, raw::open(input, &self.options.cancel)?, self.options.hash)?);
        }
        Ok(())
    }

    /// Closes all inputs that are left; where they are digested, reads them to their ends.
    fn finish_all(&mut self) -> Result<(), SourceError> {
        if !self.options.hash {
            return Ok(());
        }
        while self.current.is_some() {
            self.next_input()?;
        }
        Ok(())
    }

    fn finish_current(&mut self) -> Result<(), SourceError> {
        let Some(mut stream) = self.current.take() else { return Ok(()) };
        let input = &self.inputs[self.finished.len()];
        if self.options.hash {
            stream.raw.drain().map_err(|source| SourceError::Read {
                input: input.clone(),
                line: stream.reader.line(),
                source,
            })?;
        }
        self.finished.push(stream.read_so_far(input, true));
        Ok(())
    }

    /// What was read of every input that was opened, in their order. The digests are there once
    /// [`Source::next_block`] has returned `None`.
    pub fn inputs_read(&self) -> Vec<InputRead> {
        let current = self.current.iter().map(|s| s.read_so_far(&self.inputs[self.finished.len()], false));
        self.finished.iter().cloned().chain(current).collect()
    }

    /// The stored (compressed) bytes read so far, and those of all inputs where they are known.
    pub fn progress(&self) -> (u64, Option<u64>) {
        let finished: u64 = self.finished.iter().map(|read| read.bytes).sum();
        (finished + self.current.as_ref().map_or(0, |stream| stream.raw.bytes_read()), self.total)
    }
}

fn decode(input: &Input, opened: Opened, hash: bool) -> Result<Stream, SourceError> {
    let Decoded { text, raw, compression } = compressed::decode(input, opened, hash)?;
    Ok(Stream { reader: BlockReader::new(text), raw, compression })
}

impl Stream {
    fn sample(&mut self, input: &Input) -> Result<(&[u8], bool), SourceError> {
        let compression = self.compression;
        self.reader.sample(SAMPLE).map_err(|failure| read_error(input, compression, 1, failure))
    }

    fn failed(&self, input: &Input, failure: io::Error) -> SourceError {
        read_error(input, self.compression, self.reader.line(), failure)
    }

    fn read_so_far(&self, input: &Input, is_all: bool) -> InputRead {
        let sha256 = self.raw.sha256().filter(|_| is_all);
        InputRead {
            input: input.clone(),
            compression: self.compression,
            bytes: self.raw.bytes_read(),
            sha256,
        }
    }
}

/// Tells a file that cannot be read from one that cannot be decoded.
fn read_error(input: &Input, compression: Compression, line: u64, source: io::Error) -> SourceError {
    let input = input.clone();
    // Errors that the operating system numbers are not the decoder's.
    if compression == Compression::None || source.raw_os_error().is_some() {
        return SourceError::Read { input, line, source };
    }
    SourceError::Corrupt { input, compression, line, source }
}
