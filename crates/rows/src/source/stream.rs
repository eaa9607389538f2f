//! One open input, with text or typed rows: its layout, length, position, changes and errors.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::InputFormat;
use super::compressed::{self, Bytes, Decoded};
use super::detect;
use super::error::SourceError;
use super::input::{Input, InputCompression};
use super::layout::Layout;
use super::npy::{self, ArrayError, ArrayText};
use super::options::Options;
use super::raw::{self, Opened, Raw};
use super::reader::{BEFORE_MARK, BlockReader};
use super::replay::NotKept;
use super::sample::SAMPLE;
use super::state::{self, InputState, WatchedFile};
use super::typed::RowSource;
use super::waiting;
use crate::Digest;

/// Number of bytes of text that are decoded to estimate the length of a text from the size of its file. A decoder reads some bytes of the
/// file ahead. The sample is so large that these bytes hardly change the estimate.
const LENGTH_SAMPLE: usize = 8 << 20;

pub(super) struct Stream {
    pub(super) body: Body,
    pub(super) raw: Raw,
    pub(super) compression: InputCompression,
    /// The format whose magic bytes the input has. `None` for text.
    by_magic: Option<InputFormat>,
    /// The open file, if the input is a regular file.
    watched: Option<WatchedFile>,
}

/// The source of the rows of an input.
pub(super) enum Body {
    Text(BlockReader),
    /// A file of typed rows, and the digest of the file if it came through a pipe or standard input. A resumed run compares the digest with
    /// the data that the earlier run read; any other run stores it with the next block. Then the digest is replaced by `None`.
    Typed(Box<dyn RowSource>, Option<Digest>),
}

/// Number of bytes that were read from one input, and the checksum of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRead {
    /// The input.
    pub input: Input,
    /// Compression of the input.
    pub compression: InputCompression,
    /// The number of bytes read so far, counted before decompression. For a table, an estimate.
    pub bytes: u64,
    /// SHA-256 of the input's stored bytes in hexadecimal, as `sha256sum` prints it. `None` if it was not requested, or if the input was
    /// not read to its end.
    pub sha256: Option<String>,
}

/// Opens input `number`. If the input can be read only once and [`Options::replay`] is set, a copy of the data is kept.
pub(super) fn open(number: usize, input: &Input, options: &Options) -> Result<Opened, SourceError> {
    match &options.replay {
        Some(replay) if raw::size(input)?.is_none() => replay.open(number, input, &options.cancel),
        _ => raw::open(input, &options.cancel),
    }
}

pub(super) fn decode(input: &Input, opened: Opened, hash: bool) -> Result<Stream, SourceError> {
    let watched = opened.watched.clone();
    let Decoded { bytes, raw, compression } = compressed::decode(input, opened, hash)?;
    let mut text = match bytes {
        Bytes::Text(text) => text,
        Bytes::Typed(format, rows, piped) => {
            let body = Body::Typed(rows, piped);
            return Ok(Stream { body, raw, compression, by_magic: Some(format), watched });
        }
    };
    let failed = |failure| read_error(input, compression, 1, failure);
    let mut head = Vec::new();
    text.by_ref().take(npy::MAGIC.len() as u64).read_to_end(&mut head).map_err(failed)?;
    let by_magic = (head == npy::MAGIC).then_some(InputFormat::NPY);
    let text: Box<dyn Read + Send> = if by_magic.is_some() {
        let array = ArrayText::open(text).map_err(|error| match error {
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
    Ok(Stream { body: Body::Text(BlockReader::new(text)), raw, compression, by_magic, watched })
}

impl Stream {
    /// Checks that the format that the user names agrees with the first bytes of the input. If the format has magic bytes, the input must
    /// start with them. Otherwise, the input must not start with the magic bytes of another format.
    pub(super) fn check_is(&self, input: &Input, asked: InputFormat) -> Result<(), SourceError> {
        let (found, wanted) = (self.magic_name(), asked.magic_name());
        if found == wanted {
            return Ok(());
        }
        let is = found.map_or_else(|| format!("not {}", wanted.unwrap_or_default()), str::to_owned);
        Err(SourceError::OtherFormat { input: input.clone(), is, asked: asked.name() })
    }

    /// Returns the description of the input for messages, if it has the magic bytes of a format.
    fn magic_name(&self) -> Option<&'static str> {
        self.by_magic.and_then(InputFormat::magic_name)
    }

    /// Detects the layout of the first input, and goes to the start of its rows.
    pub(super) fn first_layout(
        &mut self,
        input: &Input,
        options: &mut Options,
    ) -> Result<Layout, SourceError> {
        options.format = options.format.or(self.by_magic);
        match &mut self.body {
            Body::Text(reader) => {
                let (sample, is_all) = sample_of(reader, input, self.compression)?;
                let detected = detect::detect(input, sample, is_all, options)?;
                reader.skip(detected.body_start);
                Ok(detected.layout)
            }
            Body::Typed(source, _) => Ok(Layout::new(source.layout(input, options)?)),
        }
    }

    /// Checks that a later input has the layout of the first, and goes to the start of its rows.
    pub(super) fn check_later(
        &mut self,
        input: &Input,
        options: &Options,
        layout: &Layout,
        first: &Input,
    ) -> Result<(), SourceError> {
        let (found, wanted) = (self.magic_name(), layout.format().magic_name());
        let difference = if found != wanted {
            let words = |name: Option<&str>| name.unwrap_or("text").to_owned();
            Some((words(found), words(wanted)))
        } else {
            match &mut self.body {
                Body::Text(reader) => {
                    let (sample, is_all) = sample_of(reader, input, self.compression)?;
                    let start = detect::check_later(input, sample, is_all, options, layout, first)?;
                    reader.skip(start);
                    None
                }
                // `found` and `wanted` are equal, so `layout` is a typed layout too.
                Body::Typed(source, _) => layout.typed().and_then(|typed| source.difference(typed)),
            }
        };
        difference.map_or(Ok(()), |(found, wanted)| {
            let (input, first) = (input.clone(), first.clone());
            Err(SourceError::OtherLayout { input, first, found, wanted })
        })
    }

    /// Adds columns to the layout if a later input needs them: for text around its puzzles, or for new members of its objects.
    pub(super) fn widen(
        &mut self,
        layout: &mut Layout,
        input: &Input,
        options: &Options,
    ) -> Result<(), SourceError> {
        let Body::Text(reader) = &mut self.body else { return Ok(()) };
        let (sample, is_all) = sample_of(reader, input, self.compression)?;
        detect::widen(layout, input, sample, is_all, options)
    }

    /// Returns the length of the text in bytes, or of the table in rows. For a compressed file or a NumPy array, the length is estimated
    /// from the start, unless the whole text fits into the sample.
    pub(super) fn length(&mut self, input: &Input, size: u64) -> Result<u64, SourceError> {
        let is_stored_so = self.compression == InputCompression::None && self.by_magic.is_none();
        match &mut self.body {
            Body::Text(_) if is_stored_so => Ok(size),
            Body::Text(reader) => {
                // All runs must estimate the same length, so a sample that an interrupt made shorter is an error.
                let (sample, is_all) = reader
                    .whole_sample(LENGTH_SAMPLE)
                    .map_err(|failure| read_error(input, self.compression, 1, failure))?;
                let text = sample.len() as u64;
                if is_all {
                    return Ok(text);
                }
                let read = u128::from(self.raw.bytes_read().max(1));
                Ok(u64::try_from(u128::from(text) * u128::from(size) / read).unwrap_or(u64::MAX))
            }
            Body::Typed(source, _) => Ok(source.rows()),
        }
    }

    /// Opens the text of an uncompressed file at a [mark](super::BlockSize), without reading all the text before the mark. Returns `None`
    /// if that is not possible.
    pub(super) fn at_mark(
        &mut self,
        input: &Input,
        layout: &Layout,
        mark: u64,
        cancel: &Arc<AtomicBool>,
    ) -> io::Result<Option<BlockReader>> {
        let (Input::File(path), Body::Text(reader), InputCompression::None, None) =
            (input, &mut self.body, self.compression, self.by_magic)
        else {
            return Ok(None);
        };
        // If records are lines, the text can be cut between lines without reading the text before the cut.
        let is_of_lines = layout.rows().has_line_records(reader.sample(SAMPLE)?.0);
        let Some(before) = mark.checked_sub(BEFORE_MARK as u64).filter(|_| is_of_lines) else {
            return Ok(None);
        };
        let mut file = match &self.watched {
            Some(watched) => watched.reopen(path)?,
            None => File::open(path)?,
        };
        file.seek(SeekFrom::Start(before))?;
        let (reader, watched) = raw::watch(file, cancel)?;
        let raw = Raw::new(reader, false);
        let reader = BlockReader::at_mark(Box::new(raw.clone()), layout, mark)?;
        if reader.is_some() {
            (self.raw, self.watched) = (raw, watched);
        }
        Ok(reader)
    }

    /// Returns the position of the byte, or of the row of a table, at which the next block starts.
    pub(super) fn position(&self) -> u64 {
        match &self.body {
            Body::Text(reader) => reader.position(),
            Body::Typed(source, _) => source.position(),
        }
    }

    /// Returns whether no text, or no row of a table, is left for another block.
    pub(super) fn is_at_end(&self) -> bool {
        match &self.body {
            Body::Text(reader) => reader.is_at_end(),
            Body::Typed(source, _) => source.position() >= source.rows(),
        }
    }

    /// Returns the number of the line, or of the row of a table, at which the next block starts.
    pub(super) fn line(&self) -> u64 {
        match &self.body {
            Body::Text(reader) => reader.line(),
            Body::Typed(source, _) => source.position() + 1,
        }
    }

    pub(super) fn bytes_read(&self) -> u64 {
        match &self.body {
            Body::Text(_) => self.raw.bytes_read(),
            Body::Typed(source, _) => source.bytes_read(),
        }
    }

    /// Returns the error for a failed read. If the file has changed meanwhile, returns this change as the error, because it is the likely
    /// cause of the failure. But an interrupt stays an interrupt.
    pub(super) fn failed(&self, input: &Input, failure: io::Error) -> SourceError {
        match self.check_unchanged(input) {
            Err(changed) if !waiting::is_interrupt(&failure) => changed,
            _ => read_error(input, self.compression, self.line(), failure),
        }
    }

    /// Checks that a regular file has not changed since it was opened.
    ///
    /// # Errors
    /// [`SourceError::ChangedWhileRead`], or [`SourceError::Read`] with an error of the operating system.
    pub(super) fn check_unchanged(&self, input: &Input) -> Result<(), SourceError> {
        let checked = self.watched.as_ref().map_or(Ok(()), WatchedFile::check);
        checked.map_err(|failure| read_error(input, self.compression, self.line(), failure))
    }

    /// Returns the state of a regular file when it was opened. The state of any other input is empty.
    pub(super) fn state(&self) -> InputState {
        self.watched.as_ref().map(|watched| watched.state().clone()).unwrap_or_default()
    }

    pub(super) fn read_so_far(&self, input: &Input, is_all: bool) -> InputRead {
        let sha256 = self.raw.sha256().filter(|_| is_all);
        InputRead { input: input.clone(), compression: self.compression, bytes: self.bytes_read(), sha256 }
    }
}

fn sample_of<'r>(
    reader: &'r mut BlockReader,
    input: &Input,
    compression: InputCompression,
) -> Result<(&'r [u8], bool), SourceError> {
    reader.sample(SAMPLE).map_err(|failure| read_error(input, compression, 1, failure))
}

/// Returns the error for a failed read: a change of the file, a failure of reading, or a failure of decoding.
fn read_error(input: &Input, compression: InputCompression, line: u64, source: io::Error) -> SourceError {
    let input = input.clone();
    if state::is_change(&source) {
        return SourceError::ChangedWhileRead { input, line };
    }
    let is_own_error =
        source.get_ref().is_some_and(|inner| inner.is::<npy::WrongLength>() || inner.is::<NotKept>());
    // An error with an error code of the operating system does not come from the decoder.
    if compression == InputCompression::None || source.raw_os_error().is_some() || is_own_error {
        return SourceError::Read { input, line, source };
    }
    // A zstd file can have several frames. If the window of a later frame is too large, only the error message of the decoder shows this.
    if source.to_string().contains("requires too much memory") {
        return SourceError::Window { input, window: None };
    }
    SourceError::Corrupt { input, compression, line, source }
}
