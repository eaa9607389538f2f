//! All inputs, as one sequence of blocks.

use std::io::Read;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::InputFormat;
use super::block::{Block, TypedPiece};
use super::error::SourceError;
use super::input::{Input, InputCompression};
use super::layout::Layout;
use super::made::{MadeRows, Recipe};
use super::options::{BlockSize, Options};
use super::raw::{self, Opened};
use super::rows::RowsText;
use super::state::{InputState, WatchedFile};
use super::stream::{self, Body, InputRead, Stream};
use super::text::count_line_ends;
use super::waiting;
use crate::Digest;
use crate::shard::{Cut, Shard, Span};

/// The inputs of a run. Any thread may read the next block, and any thread may parse it.
pub struct Source {
    inputs: Vec<Input>,
    /// The state of each input when this source was opened.
    states: Vec<InputState>,
    options: Options,
    layout: Arc<Layout>,
    /// The current input; `None` after the last.
    current: Option<Stream>,
    /// The generated puzzles, if nothing is read.
    made: Option<MadeRows>,
    finished: Vec<InputRead>,
    /// Number of bytes of the inputs, or of their part in `span`, counted before decompression. `None` if the size of an input is unknown.
    total: Option<u64>,
    /// Number of bytes that don't count as work, counted before decompression: see [`Source::progress`].
    passed_over: u64,
    /// The part of the inputs that the shard reads; `None` without a shard.
    span: Option<Span>,
    /// The start of the part to read (see `span`), until reading reaches it.
    to_be_reached: Option<Cut>,
    skip: u64,
    /// Number of rows that an earlier run has done and that were not read again yet. The skipped rows at the start are not counted.
    done: u64,
    /// The data that an earlier run has read; `None` once all of this data has been read again.
    read_before: Option<ReadBefore>,
    /// Digest of the piped inputs with typed rows that were opened since the previous block was returned.
    piped: Digest,
    left: Option<u64>,
    /// Whether typed rows are also needed as text.
    texts: bool,
}

/// The data that an earlier run has read, and how much of it this run has read again. The data is the text of blocks, or whole tables that
/// came through pipes.
struct ReadBefore {
    /// Digest of everything that the earlier run read.
    then: Digest,
    /// Digest of what has been read again so far.
    again: Digest,
}

impl ReadBefore {
    fn left(&self) -> u64 {
        self.then.bytes.saturating_sub(self.again.bytes)
    }

    /// Adds the digest of further data that was read again. Returns whether the inputs may still be unchanged: false if more data was read
    /// again than the earlier run read, or if the same amount was read again and its digest differs.
    fn add(&mut self, next: Digest) -> bool {
        self.again = self.again.then(next);
        self.left() > 0 || self.again == self.then
    }
}

/// The border in a block between the rows of an earlier run and the new rows. Both positions are counted in bytes.
struct Border {
    /// The end of the last row that the earlier run has done; 0 if that run has done no row of the block.
    done_end: usize,
    /// The start of the first new row; `None` if the block has no new row.
    to_do_start: Option<usize>,
}

impl Source {
    /// Opens the first input and finds its layout. Later inputs are opened when they are reached, but regular files are checked now, so
    /// that a wrong file is found before hours of work. If text around puzzles, or JSON members that the first input doesn't have, are
    /// found at the start of one of these files, the layout gets columns for them.
    ///
    /// # Errors
    /// For example if there is no input, an input can't be read, its format or columns aren't found, or a later input has another layout.
    pub fn open(inputs: &[Input], options: Options) -> Result<Source, SourceError> {
        let first = inputs.first().ok_or(SourceError::NoInput)?;
        let mut source = Source::start(inputs, stream::open(0, first, &options)?, options)?;
        for input in &inputs[1..] {
            let size = raw::size(input)?;
            source.total = source.total.zip(size).map(|(total, size)| total + size);
            let mut state = InputState::default();
            if size.is_some() {
                let opened = raw::open(input, &source.options.cancel)?;
                let mut stream = source.open_later(input, opened, false)?;
                stream.widen(Arc::make_mut(&mut source.layout), input, &source.options)?;
                state = stream.state();
            }
            source.states.push(state);
        }
        Ok(source)
    }

    /// Makes a source from one reader, with a name for messages.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn from_reader(
        name: impl Into<String>,
        reader: impl Read + Send + 'static,
        options: Options,
    ) -> Result<Source, SourceError> {
        let opened = Opened { reader: Box::new(reader), size: None, watched: None };
        Source::start(&[Input::Reader(name.into())], opened, options)
    }

    /// Makes a source from the rows of an iterator: texts of 81 characters, or any lines of the format. The format is
    /// [`InputFormat::LINES`] unless the options name another one.
    ///
    /// An item is treated like a line of a file. In the default format, these items are not rows: blank items, items that start with `#`,
    /// and a first item that is only a count of the puzzles. An item must not contain a line end, because [`Row::line`](super::Row::line)
    /// is the number of the row's item, from 1. This call consumes about the first 64 KiB of the items. The other items are consumed as
    /// blocks are read.
    ///
    /// ```
    /// use sudobench_rows::source::{Options, ParsedBlock, Source};
    ///
    /// let clues = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let mut source = Source::from_rows(vec![clues; 1000], Options { limit: Some(3), ..Options::default() })?;
    /// let (mut parsed, mut puzzles) = (ParsedBlock::default(), Vec::new());
    /// while let Some(mut block) = source.next_block(Vec::new())? {
    ///     source.layout().parse(&mut block, &mut parsed);
    ///     puzzles.append(&mut parsed.puzzles);
    /// }
    /// assert_eq!(puzzles.len(), 3);
    /// # Ok::<(), sudobench_rows::source::SourceError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Source::open`]; an iterator without items is an empty input.
    pub fn from_rows<R>(rows: R, mut options: Options) -> Result<Source, SourceError>
    where
        R: IntoIterator<Item: AsRef<[u8]>, IntoIter: Send + 'static>,
    {
        options.format.get_or_insert(InputFormat::LINES);
        Source::from_reader("the iterator of rows", RowsText::new(rows.into_iter()), options)
    }

    /// Makes a source of the puzzles of `recipe` with these numbers. The puzzles are generated during the run. Their rows have one column,
    /// `puzzle`. `options` has the delimiter for an output with delimited columns, and the cancel flag; options for reading have no effect.
    pub fn made(recipe: Recipe, numbers: Range<u64>, options: Options) -> Source {
        let limit = Some(numbers.end.saturating_sub(numbers.start));
        let options = Options { skip: numbers.start, limit, ..options };
        let inputs = vec![Input::Reader("generated puzzles".to_owned())];
        let layout = Layout::new(Recipe::layout(options.delimiter.unwrap_or(b',')));
        let made = Some(MadeRows::new(recipe, numbers));
        Source { made, ..Source::new(inputs, InputState::default(), layout, options) }
    }

    /// Makes a source that reads nothing yet. `state` is the state of the first input.
    fn new(inputs: Vec<Input>, state: InputState, layout: Layout, options: Options) -> Source {
        Source {
            inputs,
            states: vec![state],
            layout: Arc::new(layout),
            current: None,
            made: None,
            finished: Vec::new(),
            total: None,
            passed_over: 0,
            span: None,
            to_be_reached: None,
            skip: options.skip,
            done: 0,
            read_before: None,
            piped: Digest::default(),
            left: options.limit,
            texts: true,
            options,
        }
    }

    /// Returns the recipe of the puzzles, if they are generated.
    pub fn recipe(&self) -> Option<&Recipe> {
        self.made.as_ref().map(MadeRows::recipe)
    }

    /// Returns an upper bound for the number of rows that are still to come; `None` if the rows come from inputs and no limit is set. Call
    /// this method before the first block is read.
    pub fn rows_to_come(&self) -> Option<u64> {
        match &self.made {
            Some(made) => Some(made.left()),
            None => self.options.limit.map(|limit| limit.saturating_sub(self.done)),
        }
    }

    fn start(inputs: &[Input], opened: Opened, mut options: Options) -> Result<Source, SourceError> {
        let first = &inputs[0];
        options.block = options.block.bounded();
        let total = opened.size;
        let mut stream = stream::decode(first, opened, options.hash)?;
        if let Some(asked) = options.format {
            stream.check_is(first, asked)?;
        }
        let layout = stream.first_layout(first, &mut options)?;
        // If standard input is a file, its state is not recorded, because the file isn't named in the job.
        let state = if total.is_some() { stream.state() } else { InputState::default() };
        Ok(Source { current: Some(stream), total, ..Source::new(inputs.to_vec(), state, layout, options) })
    }

    fn open_later(&self, input: &Input, opened: Opened, hash: bool) -> Result<Stream, SourceError> {
        let mut stream = stream::decode(input, opened, hash)?;
        stream.check_later(input, &self.options, &self.layout, &self.inputs[0])?;
        Ok(stream)
    }

    /// Starts after the rows that an earlier run has done. `rows` is the number of these rows, without the rows that the options skip, and
    /// `read` is the digest of everything that the earlier run read: the text of blocks, or whole tables that came through pipes. The
    /// blocks have the same boundaries as in the earlier run: see [`Block::done`]. Call this method before the first block.
    pub fn resume_after(&mut self, rows: u64, read: Digest) {
        if let Some(made) = &mut self.made {
            return made.skip(rows);
        }
        self.done = rows;
        self.read_before = (read.bytes > 0).then(|| ReadBefore { then: read, again: Digest::default() });
    }

    /// Checks that an earlier run has read these inputs to their ends, and that the inputs have not changed since. `rows` and `read` are
    /// the same as for [`Source::resume_after`].
    ///
    /// # Errors
    /// [`SourceError::Changed`], or an error of reading.
    pub(crate) fn check_read_before(&mut self, rows: u64, read: Digest) -> Result<(), SourceError> {
        self.resume_after(rows, read);
        match self.next_block(Vec::new())? {
            None => Ok(()),
            Some(_) => Err(self.changed()),
        }
    }

    /// Returns the inputs in order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Returns the state of each input when this source was opened. The state is empty unless the input is a regular file with a path.
    pub(crate) fn states(&self) -> &[InputState] {
        &self.states
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets the size of blocks from now on.
    pub fn set_block_size(&mut self, size: BlockSize) {
        self.options.block = size.bounded();
    }

    /// Sets whether typed rows are also available as text, a line of CSV each: see [`Row::text`](super::Row::text). The text is available
    /// by default. Without it, a run that uses only typed rows takes less time.
    pub fn set_texts(&mut self, texts: bool) {
        self.texts = texts;
    }

    /// Returns the layout of the rows of all inputs.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Returns the next block, in the memory of `buffer`; `None` after the last row. For generated puzzles, also `None` once the cancel
    /// flag of the options is true.
    ///
    /// # Errors
    /// If an input can't be read further (the complete rows before this point were returned), if a later input can't be opened or has
    /// another layout, if a file changed while it was read, if data that an earlier run has read has changed, or if the cancel flag has
    /// stopped the reading. After an error there are no more blocks.
    pub fn next_block(&mut self, buffer: Vec<u8>) -> Result<Option<Block>, SourceError> {
        if let Some(made) = &mut self.made {
            let is_cancelled = self.options.cancel.load(Ordering::SeqCst);
            return Ok(if is_cancelled { None } else { made.next_block(buffer) });
        }
        let block = match self.read_block(buffer) {
            Ok(None) if self.read_before.is_some() => Err(self.changed()),
            block => block,
        };
        if block.is_err() {
            (self.current, self.read_before) = (None, None);
        }
        block
    }

    fn read_block(&mut self, mut buffer: Vec<u8>) -> Result<Option<Block>, SourceError> {
        if let Some(start) = self.to_be_reached.take() {
            self.go_to(start)?;
        }
        loop {
            if self.left == Some(0) {
                return self.finish_all().map(|()| None);
            }
            let Some(stream) = &mut self.current else { return Ok(None) };
            let Body::Text(reader) = &mut stream.body else {
                if let Some(block) = self.next_typed_block()? {
                    return Ok(Some(Block { bytes: buffer, ..block }));
                }
                self.next_input()?;
                continue;
            };
            let stop = self.span.as_ref().and_then(|span| span.stop_in(self.finished.len()));
            match reader.next_block(&self.layout, self.options.block, stop, buffer) {
                Ok(Some(mut block)) => {
                    block.input = self.finished.len();
                    let border = self.cut_to_wanted(&mut block);
                    if self.is_delivered(&mut block, border)? {
                        return Ok(Some(block));
                    }
                    buffer = block.bytes;
                    self.passed_over = self.bytes_read();
                }
                Ok(None) => {
                    self.next_input()?;
                    buffer = Vec::new();
                }
                Err(failure) => return Err(stream.failed(&self.inputs[self.finished.len()], failure)),
            }
        }
    }

    /// Returns the next block of typed rows of the current input; `None` after the last block. Skipped rows and rows after the limit are
    /// left out. If an earlier run has done all rows of a block, the block is left out.
    fn next_typed_block(&mut self) -> Result<Option<Block>, SourceError> {
        let (size, input) = (self.options.block, self.finished.len());
        let stop = self.span.as_ref().and_then(|span| span.stop_in(input));
        self.compare_piped()?;
        while self.left != Some(0)
            && let Some(Stream { body: Body::Typed(source, _), .. }) = &mut self.current
            && let first_row = source.position()
            && stop.is_none_or(|stop| first_row < stop)
            && let Some(rows) = source.next_piece(size)
        {
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
            // These rows are new. Before them, all data of the earlier run should have been read again. If not, an input has changed.
            if self.read_before.is_some() {
                return Err(self.changed());
            }
            // After an interrupt, the rows are not read. The returned error says that there was an interrupt.
            if self.options.cancel.load(Ordering::SeqCst) {
                let (input, line) = (self.inputs[input].clone(), first_row + 1);
                return Err(SourceError::Read { input, line, source: waiting::interrupt() });
            }
            let rows = match source.read(skipped, wanted) {
                Ok(rows) => rows,
                Err(source) => {
                    let (input, row) = (&self.inputs[input], first_row + 1);
                    // If the file has changed, the change is reported as the cause of the failure.
                    self.current.as_ref().map_or(Ok(()), |stream| stream.check_unchanged(input))?;
                    return Err(SourceError::Rows { input: input.clone(), row, source });
                }
            };
            let first_line = first_row + skipped + 1;
            let piece = TypedPiece { rows, texts: self.texts, piped: std::mem::take(&mut self.piped) };
            // The number fits into `usize`, because it is at most the number of rows of the piece, which is in memory.
            let done = done as usize;
            return Ok(Some(Block { input, first_line, done, typed: Some(piece), ..Block::default() }));
        }
        Ok(None)
    }

    /// If the current input is a table file that came through a pipe, checks by the digest of this file that an earlier run has read the
    /// same file. If there was no earlier run, or everything that it read was compared already, keeps the digest, which is passed on with
    /// the next block.
    fn compare_piped(&mut self) -> Result<(), SourceError> {
        let Some(Stream { body: Body::Typed(_, digest), .. }) = &mut self.current else { return Ok(()) };
        let Some(digest) = digest.take() else { return Ok(()) };
        let Some(before) = &mut self.read_before else {
            self.piped = self.piped.then(digest);
            return Ok(());
        };
        if !before.add(digest) {
            return Err(self.changed());
        }
        if before.left() == 0 {
            self.read_before = None;
        }
        Ok(())
    }

    /// Removes the rows excluded by `skip` and `limit` from the block, and counts the block's rows that an earlier run has done. The
    /// remaining text of all blocks together is the same for any block boundaries.
    fn cut_to_wanted(&mut self, block: &mut Block) -> Border {
        let mut border = Border { done_end: 0, to_do_start: None };
        if self.skip == 0 && self.done == 0 && self.read_before.is_none() && self.left.is_none() {
            return border;
        }
        if block.overlong.is_some() {
            // An overlong comment isn't a row.
            if self.layout.rows().is_row(&block.bytes) {
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
            && let Some(row) = self.layout.rows().next_row(block, at)
        {
            if !self.counts_as_wanted() {
                // Text between two rows belongs to the row before it.
                start = row.next;
            } else if self.counts_as_done() {
                block.done += 1;
                border.done_end = row.text.end - start;
            } else {
                border.to_do_start.get_or_insert(row.text.start - start);
            }
            at = row.next;
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

    /// Checks that the part of a block that an earlier run has read is unchanged: its bytes, and the number of its rows. Returns whether
    /// the block has text that must be returned.
    fn is_delivered(&mut self, block: &mut Block, border: Border) -> Result<bool, SourceError> {
        let Some(before) = &mut self.read_before else { return Ok(!block.bytes.is_empty()) };
        let again = usize::try_from(before.left()).unwrap_or(usize::MAX).min(block.bytes.len());
        block.read_before = again;
        let is_same = before.add(Digest::from_bytes(&block.bytes[..again]));
        let is_read_again = before.left() == 0;
        let Border { done_end, to_do_start } = border;
        let is_too_short = is_read_again && self.done > 0;
        if !is_same
            || is_too_short
            || done_end > again
            || to_do_start.is_some_and(|start| !is_read_again || start < again)
        {
            return Err(self.changed());
        }
        if is_read_again {
            self.read_before = None;
        }
        if to_do_start.is_none() {
            // If the block has no new rows, the text that the earlier run has read is removed, so that its rows aren't solved again.
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

    /// Counts one wanted row. Returns whether an earlier run has done it.
    fn counts_as_done(&mut self) -> bool {
        let is_done = self.done > 0;
        self.done = self.done.saturating_sub(1);
        is_done
    }

    /// Counts one row. Returns false if the row must be skipped.
    fn counts_as_wanted(&mut self) -> bool {
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        self.left = self.left.map(|left| left.saturating_sub(1));
        true
    }

    /// Closes the current input, and opens the next one. Opens nothing after the last input, or if the shard ends before the next input.
    fn next_input(&mut self) -> Result<(), SourceError> {
        let end = self.current.as_ref().map(|stream| (stream.position(), stream.line(), stream.is_at_end()));
        self.finish_current()?;
        let input = self.finished.len();
        if let (Some(Span { end: Some(cut), end_line, .. }), Some((position, line, is_at_end))) =
            (&mut self.span, end)
            && input > cut.input
        {
            // The end of the shard was only estimated. The real end is the end of the closed input if this input was read completely,
            // otherwise the position at which reading stopped.
            (*cut, *end_line) = match is_at_end {
                true => (Cut { input, at: 0 }, 1),
                false => (Cut { input: input - 1, at: position }, line),
            };
            return Ok(());
        }
        let is_wanted = self.span.as_ref().is_none_or(|span| span.reaches(input));
        if let Some(next) = self.inputs.get(input).filter(|_| is_wanted) {
            let opened = stream::open(input, next, &self.options)?;
            let state = opened.size.and(opened.watched.as_ref()).map(WatchedFile::state);
            if state.is_some_and(|state| *state != self.states[input]) {
                return Err(SourceError::ChangedWhileRead { input: next.clone(), line: 1 });
            }
            self.current = Some(self.open_later(next, opened, self.options.hash)?);
        }
        Ok(())
    }

    /// Restricts reading to a shard. Call this method before the first block, and after the size of blocks is set.
    ///
    /// Generated puzzles are divided by their numbers.
    ///
    /// Texts are cut at [marks](BlockSize), Parquet files between row groups, and Arrow files between record batches. The length of a
    /// compressed text or a NumPy array is estimated from its start. All shards estimate the same length, and the last shard reads to the
    /// real end. A file of typed rows, and an uncompressed text in which each line is a record, are read from the start of the shard. Other
    /// inputs are read from their start, and the data before the shard is dropped.
    ///
    /// # Errors
    /// If the length of an input is unknown (of a pipe, for example), if an input can't be read, or if rows are also skipped or limited.
    pub fn restrict_to(&mut self, shard: Shard) -> Result<(), SourceError> {
        if let Some(made) = &mut self.made {
            self.span = Some(made.restrict_to(shard));
            return Ok(());
        }
        if self.options.skip > 0 || self.options.limit.is_some() {
            return Err(SourceError::PartOfPart);
        }
        let lengths =
            (0..self.inputs.len()).map(|input| self.length_of(input)).collect::<Result<Vec<_>, _>>()?;
        let total = lengths.iter().fold(0, |total: u64, &length| total.saturating_add(length));
        let start = self.cut_at_or_after(shard.start_in(total), &lengths)?;
        let end = shard.end_in(total).map(|at| self.cut_at_or_after(at, &lengths)).transpose()?;
        self.span = Some(Span { start, start_line: Some(1), end, end_line: 1 });
        // Number of bytes up to the end of the shard. The bytes before the start of the shard are subtracted later.
        self.total = self.total.map(|total| shard.end_in(total).unwrap_or(total));
        for input in &self.inputs[..start.input] {
            // The shard starts after this input, so the input is not read any further. The compression is known only for the first input,
            // which is already open.
            let compression = self.current.take().map_or(InputCompression::None, |stream| stream.compression);
            let (input, sha256) = (input.clone(), None);
            let passed = raw::size(&input)?.unwrap_or(0);
            self.total = self.total.map(|total| total.saturating_sub(passed));
            self.finished.push(InputRead { input, compression, bytes: 0, sha256 });
        }
        let is_wanted = self.span.as_ref().is_some_and(|span| span.reaches(start.input));
        match self.inputs.get(start.input).filter(|_| is_wanted) {
            Some(input) if self.current.is_none() => {
                let opened = raw::open(input, &self.options.cancel)?;
                self.current = Some(self.open_later(input, opened, self.options.hash)?);
            }
            None => self.current = None,
            Some(_) => {}
        }
        self.to_be_reached = Some(start).filter(|start| start.at > 0 && self.current.is_some());
        Ok(())
    }

    /// Returns the part of the inputs that the shard reads; `None` if reading is not [restricted](Source::restrict_to) to a shard. The
    /// start and the end of the part may be estimates until the part was read.
    pub fn span(&self) -> Option<&Span> {
        self.span.as_ref()
    }

    /// Returns the length of an input, in bytes of text or in rows of a table. For a compressed text or a NumPy array, the length may be an
    /// estimate.
    fn length_of(&mut self, number: usize) -> Result<u64, SourceError> {
        let input = self.inputs[number].clone();
        let size = raw::size(&input)?.ok_or_else(|| SourceError::ShardOfStream { input: input.clone() })?;
        self.look_into(number, |stream| stream.length(&input, size))?
    }

    /// Inspects an input before any rows are read. The first input is already open.
    fn look_into<T>(&mut self, number: usize, look: impl FnOnce(&mut Stream) -> T) -> Result<T, SourceError> {
        if let Some(stream) = self.current.as_mut().filter(|_| number == 0) {
            return Ok(look(stream));
        }
        let input = &self.inputs[number];
        Ok(look(&mut stream::decode(input, raw::open(input, &self.options.cancel)?, false)?))
    }

    /// Returns the first possible cut at or after `at`, a position in the sequence of all inputs. Positions and `lengths` are counted in
    /// bytes of text, or in rows of tables.
    fn cut_at_or_after(&mut self, at: u64, lengths: &[u64]) -> Result<Cut, SourceError> {
        let mut before = 0;
        for (input, &length) in lengths.iter().enumerate() {
            let within = at.saturating_sub(before);
            if within == 0 {
                return Ok(Cut { input, at: 0 });
            }
            if within < length {
                let cut = self.mark_at_or_after(input, within)?;
                return Ok(if cut < length {
                    Cut { input, at: cut }
                } else {
                    Cut { input: input + 1, at: 0 }
                });
            }
            before = before.saturating_add(length);
        }
        Ok(Cut { input: lengths.len(), at: 0 })
    }

    /// Returns the first position at or after `at` where an input can be cut. Texts can be cut at [marks](BlockSize), which are counted in
    /// bytes; for typed rows, positions are row numbers.
    fn mark_at_or_after(&mut self, number: usize, at: u64) -> Result<u64, SourceError> {
        if self.layout.typed().is_some() {
            return self.look_into(number, |stream| match &stream.body {
                Body::Typed(source, _) => source.cut_at_or_after(at),
                Body::Text(_) => at,
            });
        }
        Ok(self.options.block.mark_at_or_after(at))
    }

    /// Moves to the position in the current input at which the part to read starts.
    fn go_to(&mut self, start: Cut) -> Result<(), SourceError> {
        let input = self.inputs[start.input].clone();
        let failed = |source| SourceError::Read { input: input.clone(), line: 1, source };
        let Some(stream) = &mut self.current else { return Ok(()) };
        if let Some(reader) =
            stream.at_mark(&input, &self.layout, start.at, &self.options.cancel).map_err(failed)?
        {
            let Some(span) = &mut self.span else { return Ok(()) };
            span.start = Cut { at: reader.position(), ..start };
            span.start_line = None;
            stream.body = Body::Text(reader);
            // The bytes of this input before the start of the shard are not read, so they are not counted.
            self.total = self.total.map(|total| total.saturating_sub(start.at));
            return Ok(());
        }
        let (position, line, is_at_end) = match &mut stream.body {
            Body::Text(reader) => {
                let mut buffer = Vec::new();
                loop {
                    match reader.next_block(&self.layout, self.options.block, Some(start.at), buffer) {
                        Ok(Some(block)) => buffer = block.bytes,
                        Ok(None) => break (reader.position(), reader.line(), reader.is_at_end()),
                        Err(failure) => return Err(stream.failed(&input, failure)),
                    }
                }
            }
            Body::Typed(source, _) => {
                source.start_at(start.at);
                (start.at, source.position() + 1, false)
            }
        };
        self.passed_over = self.bytes_read();
        let Some(span) = &mut self.span else { return Ok(()) };
        (span.start.at, span.start_line) = (position, Some(line));
        if is_at_end {
            // The input ends earlier than expected.
            (span.start, span.start_line) = (Cut { input: start.input + 1, at: 0 }, Some(1));
            self.next_input()?;
        }
        Ok(())
    }

    /// Ends reading. If inputs are hashed, reads all remaining inputs to their ends. Otherwise only checks that the current input has not
    /// changed.
    fn finish_all(&mut self) -> Result<(), SourceError> {
        if !self.options.hash {
            let input = &self.inputs[self.finished.len().min(self.inputs.len() - 1)];
            return self.current.as_ref().map_or(Ok(()), |stream| stream.check_unchanged(input));
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
            let drained = stream.raw.drain();
            drained.map_err(|failure| stream.failed(input, failure))?;
        }
        stream.check_unchanged(input)?;
        self.finished.push(stream.read_so_far(input, true));
        Ok(())
    }

    /// Returns what was read of each input up to the current one, in order. If reading is [restricted](Source::restrict_to) to a shard, the
    /// inputs before the shard have 0 bytes. The digests, if requested, are available once [`Source::next_block`] has returned `None`.
    pub fn inputs_read(&self) -> Vec<InputRead> {
        let current = self.current.iter().map(|s| s.read_so_far(&self.inputs[self.finished.len()], false));
        self.finished.iter().cloned().chain(current).collect()
    }

    /// Returns the number of bytes read so far, and the total of all inputs (or of the shard) if known, both counted before decompression.
    /// Bytes at the start that hold only skipped rows, rows before the shard, or rows of an earlier run are not counted, because these rows
    /// cause no work.
    pub fn progress(&self) -> (u64, Option<u64>) {
        let rest = |bytes: u64| bytes.saturating_sub(self.passed_over);
        (rest(self.bytes_read()), self.total.map(rest))
    }

    fn bytes_read(&self) -> u64 {
        let finished: u64 = self.finished.iter().map(|read| read.bytes).sum();
        finished + self.current.as_ref().map_or(0, Stream::bytes_read)
    }
}
