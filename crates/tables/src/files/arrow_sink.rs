//! Arrow files, which are Feather files of version 2: the input's columns with their types, then the chosen columns.
//!
//! ```text
//! header    magic bytes, schema, dictionaries with the names of statuses and other words   (ArrowHeader)
//! workers   the rows of a block become a record batch, and the batch becomes a message    (ArrowFormatter)
//! writer    appends the messages in order, and notes their positions                      (ArrowSink)
//! end       the footer: the columns again, and the positions of the messages
//! merge     the messages of all parts are copied, and one footer lists them               (ArrowJoin)
//! ```
//! Nothing is compressed, so that programs can map a file into memory. A file can contain only one version of each dictionary, but the
//! dictionary of an input column may change from batch to batch. So dictionary columns and run-end encoded columns of the input become
//! plain columns.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::convert::IpcSchemaEncoder;
use arrow_ipc::writer::{
    DictionaryTracker, FileWriter, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, write_message,
};
use arrow_ipc::{Block, FooterBuilder, MessageHeader, MetadataVersion, root_as_message};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use flatbuffers::FlatBufferBuilder;
use sudobench_rows::sink::{
    Answered, Completion, Destination, DestinationError, Ending, FormatSetup, FormatSpec, JoinParts,
    OutputPiece, OutputRows, PartJoiner, PartReader, RowFormat, RowFormatter, RowSink, WritePart,
};
use sudobench_rows::{Digest, OptionError};

use super::arrow_source::{ArrowFooter, MAGIC};
use super::output::{OutputTable, check_alike, has_type};
use super::sizes::compact;
use super::table_source::Failure;
use crate::forms::direct;
use crate::puzzles::type_of_grids;

/// Largest size of a block in bytes. A block with rows becomes a record batch.
const LARGEST_BLOCK: usize = 1024 * 1024;

/// Marks the end of the messages of a file: the four bytes `ff` that start every message, then the length 0.
const END_OF_MESSAGES: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

pub(super) static ARROW: FormatSpec = FormatSpec {
    endings: &[Ending::new(&["arrow"]), Ending::new(&["feather", "ipc"])],
    has_columns: true,
    is_text: false,
    is_row_by_row: false,
    largest_block: LARGEST_BLOCK,
    join: Some(JoinParts { check: check_parts, start: |out| Box::new(ArrowJoin::new(out)) }),
    ..FormatSpec::text(
        "arrow",
        "Arrow file (Feather): the same columns as parquet, not compressed",
        |setup| Box::new(ArrowFormat::new(setup)),
    )
};

/// The format, set up for a run.
struct ArrowFormat {
    encoder: BatchEncoder,
    /// The data before the first record batch, or the reason why the format can't be written.
    header: Result<ArrowHeader, String>,
}

impl ArrowFormat {
    fn new(setup: &FormatSetup) -> ArrowFormat {
        let encoder = BatchEncoder::new(OutputTable::new(setup));
        let header = encoder.header().map_err(|error| match error {
            ArrowError::SchemaError(message) => message,
            error => error.to_string(),
        });
        ArrowFormat { encoder, header }
    }

    fn known_header(&self) -> io::Result<&ArrowHeader> {
        self.header.as_ref().map_err(|words| io::Error::other(words.clone()))
    }
}

impl RowFormat for ArrowFormat {
    fn check(&self) -> Result<(), OptionError> {
        self.header.as_ref().map(drop).map_err(|words| OptionError::new(words.clone()))
    }

    fn header(&self) -> &[u8] {
        self.header.as_ref().map_or(&[], |header| &header.bytes)
    }

    fn formatter(&self) -> io::Result<Box<dyn RowFormatter>> {
        self.known_header()?;
        let mut tracker = DictionaryTracker::new(true);
        // The dictionaries are already in the header; encoding them here only registers them in the tracker.
        self.encoder.encode_empty(&mut tracker).map_err(io::Error::other)?;
        Ok(Box::new(ArrowFormatter {
            encoder: self.encoder.clone(),
            tracker,
            context: IpcWriteContext::default(),
        }))
    }

    fn open<'w>(
        &self,
        destination: Destination<'w>,
        _footer: Option<&str>,
    ) -> Result<Box<dyn RowSink + 'w>, DestinationError> {
        let open = || {
            let header = self.known_header()?.clone();
            let batches = match destination.partial() {
                Some(partial) if destination.written().bytes > 0 => batches_between(
                    &File::open(partial)?,
                    header.bytes.len() as u64,
                    destination.written().bytes,
                )?,
                _ => Vec::new(),
            };
            Ok((header, batches))
        };
        let (header, batches) =
            open().map_err(|error: Failure| destination.fault(io::Error::other(error)))?;
        let schema = Arc::clone(&self.encoder.schema);
        Ok(Box::new(ArrowSink { destination, schema, dictionaries: header.dictionaries, batches }))
    }
}

/// The data before the first record batch of a file.
#[derive(Clone)]
struct ArrowHeader {
    bytes: Vec<u8>,
    /// The positions of the dictionaries.
    dictionaries: Vec<Block>,
}

/// Encodes rows as messages of an Arrow file. A clone makes the same messages.
#[derive(Clone)]
struct BatchEncoder {
    table: OutputTable,
    schema: SchemaRef,
}

impl BatchEncoder {
    fn new(table: OutputTable) -> BatchEncoder {
        let fields = table.schema.fields().iter().enumerate().map(|(number, field)| {
            let data_type = type_of_grids(field.data_type());
            match number < table.input_columns && data_type != field.data_type() {
                true => Arc::new(Field::clone(field).with_data_type(data_type.clone())),
                false => Arc::clone(field),
            }
        });
        let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), table.schema.metadata().clone());
        BatchEncoder { schema: Arc::new(schema), table }
    }

    fn header(&self) -> Result<ArrowHeader, ArrowError> {
        let inputs = &self.schema.fields()[..self.table.input_columns];
        let shared = |data_type: &DataType| {
            matches!(data_type, DataType::Dictionary(..) | DataType::RunEndEncoded(..))
        };
        if let Some(field) = inputs.iter().find(|field| has_type(field, shared)) {
            return Err(ArrowError::SchemaError(format!(
                "the column {} has dictionary or run-end encodings inside its values, which cannot be written to Arrow files; choose \
                 --output-format parquet",
                field.name()
            )));
        }
        let mut bytes = FileWriter::try_new(Vec::new(), &self.schema)?.get_ref().clone();
        let mut blocks = Vec::new();
        for dictionary in self.encode_empty(&mut DictionaryTracker::new(true))? {
            let at = bytes.len() as i64;
            let (metadata, body) = write_message(&mut bytes, dictionary, &IpcWriteOptions::default())?;
            blocks.push(Block::new(at, metadata as i32, body as i64));
        }
        Ok(ArrowHeader { bytes, dictionaries: blocks })
    }

    /// Encodes a batch without rows. Returns the dictionaries, which are the same for all rows.
    fn encode_empty(
        &self,
        tracker: &mut DictionaryTracker,
    ) -> Result<Vec<arrow_ipc::writer::EncodedData>, ArrowError> {
        let empty = self.plain(self.table.empty()?)?;
        let (options, mut context) = (IpcWriteOptions::default(), IpcWriteContext::default());
        // This call gives the dictionaries their numbers.
        IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(&self.schema, tracker, &options);
        let (dictionaries, _) =
            IpcDataGenerator::default().encode(&empty, tracker, &options, &mut context)?;
        Ok(dictionaries)
    }

    /// Returns the rows. Dictionary and run-end encoded columns of the input are replaced by columns with a separate value for each row.
    fn plain(&self, batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
        let columns = batch.columns().iter().enumerate();
        let columns = columns.map(|(number, column)| match number < self.table.input_columns {
            true => compact(&direct(column)?),
            false => Ok(Arc::clone(column)),
        });
        RecordBatch::try_new(Arc::clone(&self.schema), columns.collect::<Result<_, _>>()?)
    }
}

/// Makes the message of a block's rows.
struct ArrowFormatter {
    encoder: BatchEncoder,
    tracker: DictionaryTracker,
    context: IpcWriteContext,
}

impl ArrowFormatter {
    fn encode(&mut self, rows: OutputRows, bytes: &mut Vec<u8>) -> Result<(), ArrowError> {
        let ArrowFormatter { encoder, tracker, context } = self;
        let batch = encoder.plain(encoder.table.batch(rows)?)?;
        if batch.num_rows() > 0 {
            let options = IpcWriteOptions::default();
            let (_, message) = IpcDataGenerator::default().encode(&batch, tracker, &options, context)?;
            write_message(bytes, message, &options)?;
        }
        Ok(())
    }
}

impl RowFormatter for ArrowFormatter {
    fn format(&mut self, rows: OutputRows, piece: &mut OutputPiece, _: WritePart<'_>) {
        if let Err(error) = self.encode(rows, &mut piece.text) {
            piece.text.clear();
            piece.content = Some(Box::new(io::Error::other(error)));
        }
    }
}

/// Appends blocks to the output, each as an Arrow message with a record batch.
struct ArrowSink<'w> {
    destination: Destination<'w>,
    schema: SchemaRef,
    /// The positions of the dictionaries.
    dictionaries: Vec<Block>,
    /// The positions of the record batches.
    batches: Vec<Block>,
}

impl ArrowSink<'_> {
    /// Writes the footer, which completes the file.
    fn end_file(&mut self) -> Result<(), DestinationError> {
        let end = end_of_file(&self.schema, &self.dictionaries, &self.batches);
        self.destination.write(&end, Digest::from_bytes(&end))
    }
}

impl RowSink for ArrowSink<'_> {
    fn write_if_empty(&mut self, text: &[u8]) -> Result<(), DestinationError> {
        match self.destination.written().bytes {
            0 => self.destination.write(text, Digest::from_bytes(text)),
            _ => Ok(()),
        }
    }

    fn write(&mut self, piece: &mut OutputPiece) -> Result<(), DestinationError> {
        if let Some(Ok(error)) = piece.content.take().map(|content| content.downcast::<io::Error>()) {
            return Err(self.destination.fault(*error));
        }
        let Some(metadata) = metadata_length(&piece.text) else { return Ok(()) };
        let at = self.destination.written().bytes;
        self.destination.write(&piece.text, piece.digest)?;
        self.batches.push(Block::new(at as i64, metadata as i32, (piece.text.len() - metadata) as i64));
        Ok(())
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

    fn finish(mut self: Box<Self>, completion: Completion) -> Result<(), DestinationError> {
        self.end_file()?;
        self.destination.finish(None, completion)
    }

    fn leave(mut self: Box<Self>, answered: Answered) -> Result<Option<PathBuf>, DestinationError> {
        if !self.is_resumable() {
            // A stream cannot be resumed, so its reader gets a complete file with the rows so far.
            self.end_file()?;
        }
        self.destination.leave(answered, None)
    }

    fn discard(self: Box<Self>) {
        self.destination.discard();
    }
}

/// Returns the number of bytes before the body of a message. Returns `None` if `message` has fewer bytes than that.
fn metadata_length(message: &[u8]) -> Option<usize> {
    let length = u32::from_le_bytes(message.get(4..8)?.try_into().ok()?);
    let length = usize::try_from(length).ok()?.checked_add(8)?;
    (length <= message.len()).then_some(length)
}

/// Finds the record batches between two positions in a file that this module wrote.
fn batches_between(mut file: &File, start: u64, end: u64) -> Result<Vec<Block>, Failure> {
    let (mut at, mut batches) = (start, Vec::new());
    while at < end {
        file.seek(SeekFrom::Start(at))?;
        let mut head = [0; 8];
        file.read_exact(&mut head)?;
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
        if head[..4] != END_OF_MESSAGES[..4] || u64::from(length) > end - at {
            return Err("its record batches do not match its checkpoint".into());
        }
        let mut metadata = vec![0; usize::try_from(length)?];
        file.read_exact(&mut metadata)?;
        let message = root_as_message(&metadata)?;
        if message.header_type() != MessageHeader::RecordBatch {
            return Err("its record batches do not match its checkpoint".into());
        }
        let block = Block::new(at as i64, i32::try_from(length)? + 8, message.bodyLength());
        at += u64::from(length) + 8 + u64::try_from(message.bodyLength())?;
        batches.push(block);
    }
    match at == end {
        true => Ok(batches),
        false => Err("its record batches do not match its checkpoint".into()),
    }
}

/// Returns the data after the last record batch of a file: the end marker, then the footer, which contains the columns and the positions of
/// all record batches and dictionaries.
fn end_of_file(schema: &Schema, dictionaries: &[Block], batches: &[Block]) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let dictionaries = builder.create_vector(dictionaries);
    let batches = builder.create_vector(batches);
    let mut tracker = DictionaryTracker::new(true);
    let schema = IpcSchemaEncoder::new()
        .with_dictionary_tracker(&mut tracker)
        .schema_to_fb_offset(&mut builder, schema);
    let mut footer = FooterBuilder::new(&mut builder);
    footer.add_version(MetadataVersion::V5);
    footer.add_schema(schema);
    footer.add_dictionaries(dictionaries);
    footer.add_recordBatches(batches);
    let footer = footer.finish();
    builder.finish(footer, None);
    let footer = builder.finished_data();
    let length = (footer.len() as u32).to_le_bytes();
    [&END_OF_MESSAGES[..], footer, &length, &MAGIC[..6]].concat()
}

/// Checks that files can be merged into one file. Returns the problems.
fn check_parts(parts: &[&Path]) -> Vec<String> {
    check_alike(parts, |file| read_header(&file), Vec::eq)
}

/// Returns the position of the first record batch in a file, and the position after the last record batch.
fn span_of_batches(footer: &ArrowFooter) -> (u64, u64) {
    // The end marker is directly before the footer, and the record batches end where the marker starts.
    let end = footer.start.saturating_sub(END_OF_MESSAGES.len() as u64);
    (footer.batches.first().map_or(end, |batch| batch.offset() as u64), end)
}

/// Reads the data before the record batches of a file. Afterwards, the position in the file is 0.
fn read_header(mut file: &File) -> Result<Vec<u8>, Failure> {
    let (start, _) = span_of_batches(&ArrowFooter::read(file)?);
    file.rewind()?;
    let mut header = vec![0; usize::try_from(start)?];
    file.read_exact(&mut header)?;
    file.rewind()?;
    Ok(header)
}

/// An output file that gets the record batches of other files.
struct ArrowJoin<'w> {
    out: Box<dyn Write + Send + 'w>,
    written: u64,
    /// The schema of the first part.
    schema: Option<Schema>,
    dictionaries: Vec<Block>,
    batches: Vec<Block>,
}

impl<'w> ArrowJoin<'w> {
    fn new(out: Box<dyn Write + Send + 'w>) -> ArrowJoin<'w> {
        ArrowJoin { out, written: 0, schema: None, dictionaries: Vec::new(), batches: Vec::new() }
    }

    fn add(&mut self, part: &mut dyn PartReader) -> Result<(), Failure> {
        let footer = ArrowFooter::read(part.file())?;
        part.file().rewind()?;
        let (start, end) = span_of_batches(&footer);
        let mut header = vec![0; usize::try_from(start)?];
        part.read_exact(&mut header)?;
        if self.schema.is_none() {
            self.schema = Some(footer.schema()?);
            self.dictionaries.clone_from(&footer.dictionaries);
            self.out.write_all(&header)?;
            self.written = start;
        }
        for block in &footer.batches {
            let in_batches = u64::try_from(block.offset())?.checked_sub(start);
            let at = in_batches.ok_or("its record batches are not in order")? + self.written;
            self.batches.push(Block::new(i64::try_from(at)?, block.metaDataLength(), block.bodyLength()));
        }
        let copied = io::copy(&mut part.take(end.saturating_sub(start)), &mut self.out)?;
        self.written += copied;
        // The footer is not copied. But the part is read to its end, because the reader checks the part while it is read.
        io::copy(part, &mut io::sink())?;
        Ok(())
    }
}

impl PartJoiner for ArrowJoin<'_> {
    fn add(&mut self, part: &mut dyn PartReader) -> io::Result<()> {
        ArrowJoin::add(self, part).map_err(|error| match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        })
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let Some(schema) = &self.schema else { return Ok(()) };
        let end = end_of_file(schema, &self.dictionaries, &self.batches);
        self.out.write_all(&end)
    }
}
