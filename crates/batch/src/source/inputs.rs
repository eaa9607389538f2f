//! All inputs, one after the other, as one sequence of blocks.

use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::block::Block;
#[cfg(feature = "parquet")]
use super::block::TableRows;
use super::compressed::{self, Bytes, Decoded};
use super::detect::{self, SAMPLE};
use super::error::SourceError;
use super::input::{Compression, Input, InputFormat};
use super::layout::Layout;
use super::npy::{self, ArrayError, ArrayText};
use super::options::{BlockSize, Options};
#[cfg(feature = "parquet")]
use super::parquet::ParquetFile;
use super::raw::{self, Opened, Raw};
use super::reader::BlockReader;
use super::rows::RowsText;
use super::text::{Walked, count_line_ends};
#[cfg(feature = "parquet")]
use super::waiting;
use crate::Digest;

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
    /// Stored bytes that were read while there was nothing to do in them: see [`Source::progress`].
    passed_over: u64,
    /// Bytes of text delivered so far.
    delivered: u64,
    skip: u64,
    /// Rows behind those to skip that an earlier run has answered.
    done: u64,
    /// What that run has read, until it has been read again.
    read_before: Option<ReadBefore>,
    left: Option<u64>,
    /// Whether the rows of tables are wanted as text.
    texts: bool,
}

/// The text of the blocks that an earlier run has read, while it is read again.
struct ReadBefore {
    /// Bytes that are still to come.
    left: u64,
    /// The CRC-32 of those that came.
    hasher: crc32fast::Hasher,
    /// What it was then, of all of them.
    crc32: u32,
}

/// Where, in a block, the rows end that an earlier run has answered, and the others start.
struct Border {
    done_end: usize,
    to_do_start: Option<usize>,
}

/// One input that is open.
struct Stream {
    body: Body,
    raw: Raw,
    compression: Compression,
    /// The format whose mark it has; `None` where it is text.
    marked: Option<InputFormat>,
    has_garbage: Arc<AtomicBool>,
}

/// Where the rows of an input come from.
enum Body {
    /// From its text.
    Text(BlockReader),
    /// From its row groups.
    #[cfg(feature = "parquet")]
    Table(Box<ParquetFile>),
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
    /// Whether something else than gzip data, and not zeros, was found behind it and left out.
    pub has_garbage: bool,
}

impl Source {
    /// Opens the first input and finds out its layout. Later inputs are opened when they are reached; those
    /// that are regular files are looked at now, so that a wrong one is found before hours of work, and the columns of
    /// words around puzzles in lines are those of all of them.
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
                let opened = raw::open(input, &source.options.cancel)?;
                let mut stream = source.open_later(input, opened, false)?;
                stream.widen(Arc::make_mut(&mut source.layout), input, &source.options)?;
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
    /// while let Some(mut block) = source.next_block(Vec::new())? {
    ///     source.layout().parse(&mut block, &mut parsed);
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
        if let Some(asked) = options.format {
            stream.check_is(first, asked)?;
        }
        let layout = stream.first_layout(first, &mut options)?;
        Ok(Source {
            inputs: inputs.to_vec(),
            layout: Arc::new(layout),
            current: Some(stream),
            finished: Vec::new(),
            total,
            passed_over: 0,
            delivered: 0,
            skip: options.skip,
            done: 0,
            read_before: None,
            left: options.limit,
            texts: true,
            options,
        })
    }

    /// Opens an input after the first, which must have the layout of the first.
    fn open_later(&self, input: &Input, opened: Opened, hash: bool) -> Result<Stream, SourceError> {
        let mut stream = decode(input, opened, hash)?;
        stream.check_later(input, &self.options, &self.layout, &self.inputs[0])?;
        Ok(stream)
    }

    /// Starts behind so many rows, counted from those that the options skip: an earlier run has answered them, and for
    /// that has `read` the text of blocks up to there. Blocks are cut where they were cut then; see [`Block::done`]. To be called before
    /// the first block.
    pub fn resume_after(&mut self, rows: u64, read: Digest) {
        self.done = rows;
        self.read_before = (read.bytes > 0).then(|| ReadBefore {
            left: read.bytes,
            hasher: crc32fast::Hasher::new(),
            crc32: read.crc32,
        });
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

    /// Whether rows of tables are to be there as text too, a line of CSV each: see [`Row::text`](super::Row::text). They are
    /// unless this is said; who takes the tables themselves saves the time.
    pub fn set_texts(&mut self, texts: bool) {
        self.texts = texts;
    }

    /// How the rows of all inputs are laid out.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The next block, in the memory of `buffer`; `None` behind the last row.
    ///
    /// # Errors
    /// Where an input cannot be read any further (the whole rows before were delivered), a later input cannot
    /// be opened or is laid out differently, or what an earlier run has read is not there any more. After an error there
    /// are no further blocks.
    pub fn next_block(&mut self, mut buffer: Vec<u8>) -> Result<Option<Block>, SourceError> {
        let block = loop {
            if self.left == Some(0) {
                break self.finish_all().map(|()| None);
            }
            let Some(stream) = &mut self.current else { break Ok(None) };
            #[cfg_attr(
                not(feature = "parquet"),
                allow(clippy::infallible_destructuring_match, reason = "with tables there are two")
            )]
            let reader = match &mut stream.body {
                Body::Text(reader) => reader,
                #[cfg(feature = "parquet")]
                Body::Table(_) => match self.next_table_block() {
                    Ok(Some(block)) => break Ok(Some(Block { bytes: buffer, ..block })),
                    Ok(None) => match self.next_input() {
                        Ok(()) => continue,
                        Err(error) => break Err(error),
                    },
                    Err(error) => break Err(error),
                },
            };
            let BlockSize { min, max } = self.options.block;
            let size = usize::try_from(self.delivered / 32).unwrap_or(max).clamp(min, max);
            match reader.next_block(&self.layout, size, buffer) {
                Ok(Some(mut block)) => {
                    self.delivered += block.bytes.len() as u64;
                    block.input = self.finished.len();
                    let border = self.cut_to_wanted(&mut block);
                    match self.is_delivered(&mut block, border) {
                        Ok(true) => break Ok(Some(block)),
                        Ok(false) => buffer = block.bytes,
                        Err(error) => break Err(error),
                    }
                    self.passed_over = self.bytes_read();
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
        let block = match block {
            Ok(None) if self.read_before.is_some() => Err(self.changed()),
            block => block,
        };
        if block.is_err() {
            (self.current, self.read_before) = (None, None);
        }
        block
    }

    /// The next block of the table under way that has rows to be answered; `None` behind its last.
    #[cfg(feature = "parquet")]
    fn next_table_block(&mut self) -> Result<Option<Block>, SourceError> {
        let (size, input) = (self.options.block, self.finished.len());
        while self.left != Some(0)
            && let Some(Stream { body: Body::Table(table), .. }) = &mut self.current
            && let Some(piece) = table.next_piece(size)
        {
            let rows = piece.rows() as u64;
            let skipped = self.skip.min(rows);
            let wanted = self.left.map_or(rows - skipped, |left| left.min(rows - skipped));
            let done = self.done.min(wanted);
            self.skip -= skipped;
            self.done -= done;
            self.left = self.left.map(|left| left - wanted);
            if done == wanted {
                self.passed_over = self.bytes_read();
                continue;
            }
            // What an interrupt leaves unread is no fault of the file.
            if self.options.cancel.load(Ordering::SeqCst) {
                let (input, line) = (self.inputs[input].clone(), piece.first_row + 1);
                return Err(SourceError::Read { input, line, source: waiting::interrupt() });
            }
            let first_line = piece.first_row + skipped + 1;
            let rows = table.read(&piece, size).map_err(|source| SourceError::Rows {
                input: self.inputs[input].clone(),
                row: piece.first_row + 1,
                source: source.into(),
            })?;
            // Both are below the rows of the piece.
            let rows = rows.slice(skipped as usize, wanted as usize);
            let table = Some(TableRows { rows, texts: self.texts });
            return Ok(Some(Block { input, first_line, done: done as usize, table, ..Block::default() }));
        }
        Ok(None)
    }

    /// Cuts rows off the block that `skip` and `limit` exclude, and marks those that were done before. The texts of all
    /// blocks together are the same, wherever they are cut.
    fn cut_to_wanted(&mut self, block: &mut Block) -> Border {
        let mut border = Border { done_end: 0, to_do_start: None };
        if self.skip == 0 && self.done == 0 && self.read_before.is_none() && self.left.is_none() {
            return border;
        }
        if block.overlong.is_some() {
            // A comment of that length is no row.
            if self.layout.is_row(&block.bytes) {
                if !self.counts_as_wanted() {
                    block.bytes.clear();
                } else if self.counts_as_done() {
                    border.done_end = block.bytes.len();
                } else {
                    border.to_do_start = Some(0);
                }
            }
            return border;
        }
        let (mut at, mut start) = (0, 0);
        while self.left != Some(0)
            && let Walked::Record(record) = self.layout.next_record(&block.bytes, at, true)
        {
            if !self.counts_as_wanted() {
                // What stands between two rows goes with the first.
                start = record.next;
            } else if self.counts_as_done() {
                block.done += 1;
                border.done_end = record.text.end - start;
            } else {
                border.to_do_start.get_or_insert(record.text.start - start);
            }
            at = record.next;
        }
        if self.left == Some(0) {
            block.bytes.truncate(at);
        }
        if self.skip > 0 {
            block.bytes.clear();
        } else if start > 0 {
            block.first_line += count_line_ends(&block.bytes[..start]);
            block.bytes.drain(..start);
        }
        border
    }

    /// Holds the part of a block that an earlier run has read against what it read: the bytes, and that its rows are those
    /// that were done. Tells whether anything is left.
    fn is_delivered(&mut self, block: &mut Block, border: Border) -> Result<bool, SourceError> {
        let Some(before) = &mut self.read_before else { return Ok(!block.bytes.is_empty()) };
        let again = usize::try_from(before.left).unwrap_or(usize::MAX).min(block.bytes.len());
        before.hasher.update(&block.bytes[..again]);
        before.left -= again as u64;
        block.read_before = again;
        let is_read_again = before.left == 0;
        let is_same = !is_read_again || before.hasher.clone().finalize() == before.crc32 && self.done == 0;
        let Border { done_end, to_do_start } = border;
        if !is_same || done_end > again || to_do_start.is_some_and(|start| !is_read_again || start < again) {
            return Err(self.changed());
        }
        if is_read_again {
            self.read_before = None;
        }
        if to_do_start.is_none() {
            // What stands behind the last row that is done. Its batch is not solved again for that.
            block.first_line += count_line_ends(&block.bytes[..again]);
            block.bytes.drain(..again);
            (block.read_before, block.done) = (0, 0);
        }
        Ok(!block.bytes.is_empty())
    }

    fn changed(&self) -> SourceError {
        let at = self.finished.len().min(self.inputs.len() - 1);
        SourceError::Changed { input: self.inputs[at].clone() }
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
            let line = stream.line();
            let drained = stream.raw.drain();
            drained.map_err(|source| SourceError::Read { input: input.clone(), line, source })?;
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

    /// The stored (compressed) bytes read so far, and those of all inputs where they are known: without those at the
    /// start that hold only rows to be skipped, or answered by an earlier run, which are no measure of the work.
    pub fn progress(&self) -> (u64, Option<u64>) {
        let rest = |bytes: u64| bytes.saturating_sub(self.passed_over);
        (rest(self.bytes_read()), self.total.map(rest))
    }

    fn bytes_read(&self) -> u64 {
        let finished: u64 = self.finished.iter().map(|read| read.bytes).sum();
        finished + self.current.as_ref().map_or(0, Stream::bytes_read)
    }
}

fn decode(input: &Input, opened: Opened, hash: bool) -> Result<Stream, SourceError> {
    let Decoded { bytes, raw, compression, has_garbage } = compressed::decode(input, opened, hash)?;
    #[cfg_attr(
        not(feature = "parquet"),
        allow(clippy::infallible_destructuring_match, reason = "with tables there are two")
    )]
    let mut text = match bytes {
        Bytes::Text(text) => text,
        #[cfg(feature = "parquet")]
        Bytes::Parquet(file) => {
            let body = Body::Table(Box::new(ParquetFile::open(input, file)?));
            return Ok(Stream { body, raw, compression, marked: Some(InputFormat::Parquet), has_garbage });
        }
    };
    let failed = |failure| read_error(input, compression, 1, failure);
    let mut head = Vec::new();
    text.by_ref().take(npy::MARK.len() as u64).read_to_end(&mut head).map_err(failed)?;
    let marked = (head == npy::MARK).then_some(InputFormat::Npy);
    let text: Box<dyn Read + Send> = if marked.is_some() {
        let array = ArrayText::open(text, Arc::clone(&has_garbage)).map_err(|error| match error {
            ArrayError::Read(failure) => failed(failure),
            error => SourceError::Array {
                input: input.clone(),
                what: error.to_string(),
                remedy: error.remedy(input),
            },
        });
        Box::new(array?)
    } else {
        Box::new(Cursor::new(head).chain(text))
    };
    Ok(Stream { body: Body::Text(BlockReader::new(text)), raw, compression, marked, has_garbage })
}

impl Stream {
    /// Checks that its mark, or that it has none, is what the user says.
    fn check_is(&self, input: &Input, asked: InputFormat) -> Result<(), SourceError> {
        if self.marked == asked.marked().and(Some(asked)) {
            return Ok(());
        }
        let is = match self.marked.or(Some(asked)).and_then(InputFormat::marked) {
            Some(words) if self.marked.is_some() => words.to_owned(),
            words => format!("not {}", words.unwrap_or_default()),
        };
        Err(SourceError::OtherFormat { input: input.clone(), is, asked })
    }

    /// Finds the layout of the first input, and goes to where its rows start.
    fn first_layout(&mut self, input: &Input, options: &mut Options) -> Result<Layout, SourceError> {
        options.format = options.format.or(self.marked);
        match &mut self.body {
            Body::Text(reader) => {
                let (sample, is_all) = sample_of(reader, input, self.compression)?;
                let detected = detect::detect(input, sample, is_all, options)?;
                reader.skip(detected.body_start);
                Ok(detected.layout)
            }
            #[cfg(feature = "parquet")]
            Body::Table(table) => Ok(Layout::Table(table.layout(input, options)?)),
        }
    }

    /// Checks that a later input has the layout of the first, and goes to where its rows start.
    fn check_later(
        &mut self,
        input: &Input,
        options: &Options,
        layout: &Layout,
        first: &Input,
    ) -> Result<(), SourceError> {
        let format = layout.format();
        if self.marked != format.marked().and(Some(format)) {
            let words = |format: Option<InputFormat>| {
                format.and_then(InputFormat::marked).unwrap_or("text").to_owned()
            };
            let (input, first) = (input.clone(), first.clone());
            let (found, wanted) = (words(self.marked), words(Some(format)));
            return Err(SourceError::OtherLayout { input, first, found, wanted });
        }
        match &mut self.body {
            Body::Text(reader) => {
                let (sample, is_all) = sample_of(reader, input, self.compression)?;
                let start = detect::check_later(input, sample, is_all, options, layout, first)?;
                reader.skip(start);
                Ok(())
            }
            #[cfg(feature = "parquet")]
            Body::Table(table) => table.check_later(input, layout, first),
        }
    }

    /// Adds the places for words that a later input has around its puzzles.
    fn widen(&mut self, layout: &mut Layout, input: &Input, options: &Options) -> Result<(), SourceError> {
        match &mut self.body {
            Body::Text(reader) => {
                let (sample, is_all) = sample_of(reader, input, self.compression)?;
                detect::widen(layout, input, sample, is_all, options)
            }
            #[cfg(feature = "parquet")]
            Body::Table(_) => Ok(()),
        }
    }

    /// The first line, or row of a table, that was not delivered.
    fn line(&self) -> u64 {
        match &self.body {
            Body::Text(reader) => reader.line(),
            #[cfg(feature = "parquet")]
            Body::Table(table) => table.line(),
        }
    }

    /// Stored bytes that were read.
    fn bytes_read(&self) -> u64 {
        match &self.body {
            Body::Text(_) => self.raw.bytes_read(),
            #[cfg(feature = "parquet")]
            Body::Table(table) => table.bytes_read(),
        }
    }

    fn failed(&self, input: &Input, failure: io::Error) -> SourceError {
        read_error(input, self.compression, self.line(), failure)
    }

    fn read_so_far(&self, input: &Input, is_all: bool) -> InputRead {
        let sha256 = self.raw.sha256().filter(|_| is_all);
        InputRead {
            input: input.clone(),
            compression: self.compression,
            bytes: self.bytes_read(),
            sha256,
            has_garbage: self.has_garbage.load(Ordering::Relaxed),
        }
    }
}

/// The start of a text, and whether that is all of it.
fn sample_of<'r>(
    reader: &'r mut BlockReader,
    input: &Input,
    compression: Compression,
) -> Result<(&'r [u8], bool), SourceError> {
    reader.sample(SAMPLE).map_err(|failure| read_error(input, compression, 1, failure))
}

/// Tells a file that cannot be read from one that cannot be decoded.
fn read_error(input: &Input, compression: Compression, line: u64, source: io::Error) -> SourceError {
    let input = input.clone();
    let is_cut_array = source.get_ref().is_some_and(|inner| inner.is::<npy::Cut>());
    // Errors that the operating system numbers are not the decoder's.
    if compression == Compression::None || source.raw_os_error().is_some() || is_cut_array {
        return SourceError::Read { input, line, source };
    }
    // The decoder has no other sign of a frame behind the first whose window is too large.
    if source.to_string().contains("requires too much memory") {
        return SourceError::Window { input, window: None };
    }
    SourceError::Corrupt { input, compression, line, source }
}
