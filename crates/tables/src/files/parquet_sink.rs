//! Parquet: the input's columns with their types, then the chosen columns.
//!
//! ```text
//! workers   the rows of a block become a record batch, and the batch becomes pages       (ParquetFormatter, BlockEncoder)
//! writer    collects the pages in order, and writes them once a row group is full       (ParquetSink)
//! end       the footer: the schema, and the positions of the row groups
//! merge     the row groups of all parts are copied, and one footer lists them           (TableJoin)
//! ```
//! No column has a dictionary, because zstd finds repetitions anyway. So pages don't depend on each other, and all threads can encode
//! pages, although row groups are large. This matters because encoding takes longer than solving.
//!
//! `FILE.partial` grows by whole row groups, and its checkpoint contains a footer that lists these row groups. A run that resumes the file
//! starts after these row groups. After an interrupt, the rows of the unfinished row group are written as a smaller row group.
//!
//! If rows are slow, a row group can take hours, and a killed process must not lose this work. So a checkpoint also keeps the pages of the
//! unfinished row group, as a small Parquet file in the text of the checkpoint. The run that resumes the file starts with these pages in
//! memory. So the bytes of the complete file don't depend on the time that a run takes, nor on whether it was killed. It would be simpler
//! to end the row group at a checkpoint, but then equal runs would write different files, with thousands of small row groups.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, FieldRef, IntervalUnit, Schema, SchemaRef};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use parquet::arrow::arrow_writer::{ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression, Encoding, EncodingMask, LogicalType, Type as PhysicalType, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataReader,
    ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescriptor, ColumnPath, TypePtr};
use sudobench_rows::sink::{
    Answered, Completion, Destination, DestinationError, Ending, FormatSpec, JoinParts, OutputPiece,
    OutputRows, PartJoiner, PartReader, RowFormat, RowFormatter, RowSink, WritePart,
};
use sudobench_rows::{Digest, OptionError};

use super::output::{OutputTable, check_alike, has_type};
use super::parquet_source::MAGIC;
use super::seconds::{in_milliseconds, without_seconds};

/// A row group with this number of rows is full; pyarrow uses the same number. The limit is lower if the input has smaller row groups. A
/// row group can become larger than the limit, because whole blocks of rows are added. The encoded rows are in memory until the row group
/// is full.
const GROUP_ROWS: usize = 1 << 20;
/// If a table has this number of columns or more, numbers are not packed, because the encoder takes one MiB for each packed column.
const MANY_COLUMNS: usize = 100;
/// Number of columns that are encoded together.
const SLICE_COLUMNS: usize = 256;
/// A row group whose pages have this number of bytes is full, even if it has few rows. The pages are in memory until the row group is full.
const GROUP_BYTES: usize = 128 << 20;
/// The limit of rows in a row group is at least this number, even if the input has smaller row groups: small row groups are slow to read.
const FEWEST_GROUP_ROWS: usize = 8 << 10;
/// After this number of row groups, the following row groups are as large as possible, because a file can have at most 32,767 row groups.
const MANY_GROUPS: usize = 16 << 10;

/// Shortest time between two checkpoints that keep the pages of the unfinished row group.
const KEPT_INTERVAL: Duration = Duration::from_secs(1);
/// After a checkpoint that keeps pages, this multiple of its duration must pass before another checkpoint keeps pages.
const KEPT_PAUSE: u32 = 50;
/// Maximum rate at which checkpoints keep pages: a checkpoint with more pages must wait longer after the last checkpoint that kept pages. A
/// run that makes pages faster than this fills a row group in half a minute, so no checkpoint needs to keep its pages.
const KEPT_BYTES_PER_SECOND: usize = 5_000_000;

/// Largest size of a block in bytes. It is larger than for text formats, because in smaller blocks, zstd would find fewer repetitions and
/// would have to start more often.
const LARGEST_BLOCK: usize = 1024 * 1024;

pub(super) static PARQUET: FormatSpec = FormatSpec {
    endings: &[Ending::new(&["parquet", "pq"])],
    has_columns: true,
    is_text: false,
    is_row_by_row: false,
    largest_block: LARGEST_BLOCK,
    join: Some(JoinParts {
        check: check_parts,
        start: |out| Box::new(TableJoin { out: Some(out), file: None }),
    }),
    ..FormatSpec::text("parquet", "the same columns as csv, with the types of the input", |setup| {
        Box::new(ParquetFormat(OutputTable::new(setup)))
    })
};

/// Key of Arrow's schema in the metadata of a footer.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// Separates the two parts of a checkpoint's text: the footer, and a Parquet file with the rows of the unfinished row group.
const KEPT: char = ',';

/// The format, set up for a run.
struct ParquetFormat(OutputTable);

impl RowFormat for ParquetFormat {
    fn check(&self) -> std::result::Result<(), OptionError> {
        let unknown = |data_type: &DataType| {
            matches!(data_type, DataType::Union(..) | DataType::Interval(IntervalUnit::MonthDayNano))
        };
        let mut fields = self.0.schema.fields().iter();
        match fields.find(|field| has_type(field, unknown)) {
            None => Ok(()),
            Some(field) => Err(OptionError::new(format!(
                "the column {} has the type {}, which Parquet does not have; choose --output-format arrow, or csv",
                field.name(),
                field.data_type()
            ))),
        }
    }

    fn formatter(&self) -> io::Result<Box<dyn RowFormatter>> {
        let encoder = BlockEncoder::new(&self.0).map_err(io_error)?;
        Ok(Box::new(ParquetFormatter { table: self.0.clone(), encoder }))
    }

    fn open<'w>(
        &self,
        destination: Destination<'w>,
        footer: Option<&str>,
    ) -> std::result::Result<Box<dyn RowSink + 'w>, DestinationError> {
        Ok(Box::new(ParquetSink::new(destination, &self.0, footer)?))
    }
}

/// Encodes rows as Parquet pages. The content of each output piece is an `io::Result<EncodedBlock>`.
struct ParquetFormatter {
    table: OutputTable,
    encoder: BlockEncoder,
}

impl ParquetFormatter {
    fn encode(&self, rows: OutputRows) -> io::Result<EncodedBlock> {
        let batch = self.table.batch(rows).map_err(io::Error::other)?;
        self.encoder.encode(&batch).map_err(io_error)
    }
}

impl RowFormatter for ParquetFormatter {
    fn format(&mut self, rows: OutputRows, piece: &mut OutputPiece, _: WritePart<'_>) {
        piece.content = Some(Box::new(self.encode(rows)));
    }
}

/// Writes a Parquet file to its destination, row group by row group.
struct ParquetSink<'w> {
    destination: Destination<'w>,
    encoder: BlockEncoder,
    file: SerializedFileWriter<Vec<u8>>,
    /// Time of the last checkpoint that kept the pages of the unfinished row group. If no checkpoint has kept these pages yet, the time at
    /// which this row group was started.
    kept_at: Instant,
    /// Time that must pass after `kept_at` before a checkpoint keeps pages.
    pause: Duration,
    /// The pages of the unfinished row group, block by block.
    blocks: Vec<BlockPages>,
    /// Metadata of the columns of the unfinished row group. It is joined block by block, because separate metadata would take 3 KiB for
    /// each column of each block.
    columns: Vec<ColumnChunkMetaData>,
    /// Number of rows of the unfinished row group.
    pending: usize,
    /// Number of bytes of the pages of the unfinished row group.
    pending_bytes: usize,
    /// Number of rows at which a row group is full.
    group_rows: usize,
    /// Whether writing a row group failed, so that only a part of the row group may be in the file.
    is_torn: bool,
}

impl<'w> ParquetSink<'w> {
    /// Starts a file, or continues after the row groups that the footer of a checkpoint lists.
    fn new(
        destination: Destination<'w>,
        table: &OutputTable,
        footer: Option<&str>,
    ) -> std::result::Result<ParquetSink<'w>, DestinationError> {
        let started = BlockEncoder::new(table).and_then(|encoder| Ok((encoder.file()?, encoder)));
        let (file, encoder) = started.map_err(|error| destination.fault(io_error(error)))?;
        let group_rows = match table.input_group_rows {
            0 => GROUP_ROWS,
            rows => rows.clamp(FEWEST_GROUP_ROWS, GROUP_ROWS),
        };
        let mut output = ParquetSink {
            destination,
            encoder,
            file,
            kept_at: Instant::now(),
            pause: KEPT_INTERVAL,
            blocks: Vec::new(),
            columns: Vec::new(),
            pending: 0,
            pending_bytes: 0,
            group_rows,
            is_torn: false,
        };
        let begun = match footer {
            Some(footer) => output.take_over(footer),
            None => Ok(()),
        };
        begun.map_err(|error| output.destination.fault(io_error(error)))?;
        Ok(output)
    }

    /// Registers the row groups that the partial file already contains, so that the new footer lists them too. Takes the pages of the
    /// unfinished row group into memory if the checkpoint has them. Writes nothing.
    fn take_over(&mut self, checkpoint: &str) -> Result<()> {
        let Some(partial) = self.destination.partial() else { return Ok(()) };
        let before = File::open(partial)?;
        let decoded = |text: &str| -> Result<Bytes> {
            let bytes = BASE64.decode(text).map_err(|error| ParquetError::External(Box::new(error)))?;
            Ok(Bytes::from(bytes))
        };
        let (footer, kept) = checkpoint.split_once(KEPT).unwrap_or((checkpoint, ""));
        let footer = ParquetMetaDataReader::new().parse_and_finish(&decoded(footer)?)?;
        for group in footer.row_groups() {
            let rows_written = u64::try_from(group.num_rows()).unwrap_or(0);
            let mut again = self.file.next_row_group()?;
            for column in group.columns() {
                again.append_column(&before, close_of(column.clone(), rows_written))?;
            }
            again.close()?;
        }
        let written = self.destination.written().bytes;
        if written > 0 {
            // The bytes that the encoder has made so far are in the partial file already, so they are dropped.
            self.file.flush()?;
            self.file.inner_mut().clear();
            if self.file.bytes_written() as u64 != written {
                return Err(ParquetError::General("its row groups do not match its checkpoint".to_owned()));
            }
        }
        if kept.is_empty() { Ok(()) } else { self.add_block(EncodedBlock::from_file(decoded(kept)?)?) }
    }

    /// Adds the pages of a block to the row group. If the row group is then full, writes it.
    fn write_block(&mut self, block: EncodedBlock) -> std::result::Result<(), DestinationError> {
        if block.rows > 0 {
            self.add_block(block).map_err(|error| self.destination.fault(io_error(error)))?;
        }
        let many = self.file.flushed_row_groups().len() >= MANY_GROUPS;
        let is_full = self.pending >= if many { GROUP_ROWS } else { self.group_rows };
        if is_full || self.pending_bytes >= GROUP_BYTES {
            self.end_group()?;
        }
        Ok(())
    }

    fn add_block(&mut self, block: EncodedBlock) -> Result<()> {
        let EncodedBlock { rows, bytes, places, columns } = block;
        self.pending += rows;
        self.pending_bytes += bytes.len();
        if self.blocks.is_empty() {
            self.kept_at = Instant::now();
        }
        self.blocks.push(BlockPages { bytes, places });
        let before = std::mem::take(&mut self.columns);
        let parts = |number: usize| {
            before.get(number).into_iter().chain(&columns[number..=number]).collect::<Vec<_>>()
        };
        self.columns = (0..columns.len()).map(|number| joined(&parts(number))).collect::<Result<_>>()?;
        Ok(())
    }

    /// Writes the unfinished row group, if it has rows.
    fn end_group(&mut self) -> std::result::Result<(), DestinationError> {
        if self.pending > 0 {
            self.close_group().map_err(|error| self.destination.fault(io_error(error)))?;
        }
        self.write_out()
    }

    fn close_group(&mut self) -> Result<()> {
        let blocks = std::mem::take(&mut self.blocks);
        let rows = std::mem::take(&mut self.pending);
        self.pending_bytes = 0;
        append_group(&mut self.file, &blocks, std::mem::take(&mut self.columns), rows)
    }

    /// Returns the rows of the unfinished row group as a Parquet file.
    fn kept(&self) -> Result<Vec<u8>> {
        let mut file = self.encoder.file()?;
        append_group(&mut file, &self.blocks, self.columns.clone(), self.pending)?;
        file.finish()?;
        Ok(std::mem::take(file.inner_mut()))
    }

    /// Writes the bytes that the encoder has made.
    fn write_out(&mut self) -> std::result::Result<(), DestinationError> {
        self.file.flush().map_err(|error| self.destination.fault(error))?;
        let bytes = std::mem::take(self.file.inner_mut());
        // The encoder now counts these bytes as written, so they cannot be written again if the write fails.
        let written = self.destination.write(&bytes, Digest::from_bytes(&bytes));
        self.is_torn |= written.is_err();
        written
    }

    /// Returns the footer for the row groups written so far. A checkpoint stores this footer.
    fn footer(&self) -> std::result::Result<String, DestinationError> {
        let fault = |error: ParquetError| self.destination.fault(io_error(error));
        Ok(BASE64.encode(self.footer_bytes().map_err(fault)?))
    }

    fn footer_bytes(&self) -> Result<Vec<u8>> {
        let groups: Vec<RowGroupMetaData> = self.file.flushed_row_groups().to_vec();
        let rows = groups.iter().map(RowGroupMetaData::num_rows).sum();
        let schema = Arc::new(self.file.schema_descr().clone());
        let file = FileMetaData::new(1, rows, None, None, schema, None);
        let mut bytes = Vec::new();
        ParquetMetaDataWriter::new(&mut bytes, &ParquetMetaData::new(file, groups)).finish()?;
        Ok(bytes)
    }

    fn end_file(&mut self) -> std::result::Result<(), DestinationError> {
        self.end_group()?;
        self.file.finish().map_err(|error| self.destination.fault(io_error(error)))?;
        self.write_out()
    }
}

impl RowSink for ParquetSink<'_> {
    /// Ignores the text, because the encoder itself writes the start of a file.
    fn write_if_empty(&mut self, _text: &[u8]) -> std::result::Result<(), DestinationError> {
        Ok(())
    }

    fn write(&mut self, piece: &mut OutputPiece) -> std::result::Result<(), DestinationError> {
        let content = piece.content.take().map(|content| content.downcast::<io::Result<EncodedBlock>>());
        let Some(Ok(encoded)) = content else { return Ok(()) };
        let block = encoded.map_err(|error| self.destination.fault(error))?;
        self.write_block(block)
    }

    fn is_resumable(&self) -> bool {
        self.destination.is_resumable()
    }

    fn is_due(&self) -> bool {
        let seconds = self.pending_bytes / KEPT_BYTES_PER_SECOND;
        let pause = self.pause.max(Duration::from_secs(seconds as u64));
        self.destination.is_due() && (self.pending == 0 || self.kept_at.elapsed() >= pause)
    }

    fn checkpoint(&mut self, answered: Answered) -> std::result::Result<(), DestinationError> {
        let clock = Instant::now();
        let mut footer = self.footer()?;
        if self.pending > 0 {
            let kept = self.kept().map_err(|error| self.destination.fault(io_error(error)))?;
            footer.push(KEPT);
            BASE64.encode_string(kept, &mut footer);
        }
        self.destination.checkpoint(answered, Some(footer))?;
        if self.pending > 0 {
            self.pause = KEPT_INTERVAL.max(KEPT_PAUSE * clock.elapsed());
            self.kept_at = Instant::now();
        }
        Ok(())
    }

    /// Writes the footer, which completes the file.
    fn finish(mut self: Box<Self>, completion: Completion) -> std::result::Result<(), DestinationError> {
        self.end_file()?;
        self.destination.finish(None, completion)
    }

    /// Writes the rows of the unfinished row group, so that they need not be solved again. If they cannot be written (the disk may be
    /// full), the last checkpoint stays valid.
    fn leave(
        mut self: Box<Self>,
        answered: Answered,
    ) -> std::result::Result<Option<PathBuf>, DestinationError> {
        if !self.is_resumable() {
            // A stream cannot be resumed, so its reader gets a complete file with the rows so far.
            self.end_file()?;
            return self.destination.leave(answered, None);
        }
        if self.is_torn {
            return Ok(self.destination.partial());
        }
        match self.end_group().and_then(|()| self.footer()) {
            Ok(footer) => self.destination.leave(answered, Some(footer)),
            Err(_) => Ok(self.destination.partial()),
        }
    }

    fn discard(self: Box<Self>) {
        self.destination.discard();
    }
}

/// The footer of a file that a shard wrote.
struct TableFooter {
    metadata: ParquetMetaData,
    /// Position of the footer.
    start: u64,
}

impl TableFooter {
    /// Maximum number of row groups in a file, because the position of each row group is stored in 16 bits.
    const MOST_GROUPS: usize = i16::MAX as usize;

    /// Reads the footer of a file. Afterwards, the position in the file is 0.
    fn read(file: &mut File) -> io::Result<TableFooter> {
        let none = || io::Error::other("it does not end like a Parquet file");
        let length = file.metadata()?.len();
        let mut end = [0; 8];
        file.seek(SeekFrom::Start(length.checked_sub(end.len() as u64).ok_or_else(none)?))?;
        file.read_exact(&mut end)?;
        let metadata_bytes = u32::from_le_bytes([end[0], end[1], end[2], end[3]]);
        let bytes = u64::from(metadata_bytes) + end.len() as u64;
        let start =
            length.checked_sub(bytes).filter(|&start| end[4..] == *MAGIC && start >= MAGIC.len() as u64);
        let start = start.ok_or_else(none)?;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = vec![0; usize::try_from(bytes).map_err(io::Error::other)?];
        file.read_exact(&mut bytes)?;
        let metadata =
            ParquetMetaDataReader::decode_metadata(&bytes[..metadata_bytes as usize]).map_err(io_error)?;
        file.rewind()?;
        Ok(TableFooter { metadata, start })
    }

    /// Returns whether both files have the same columns and metadata.
    fn is_alike(&self, other: &TableFooter) -> bool {
        let said = |footer: &TableFooter| footer.metadata.file_metadata().key_value_metadata().cloned();
        let root = |footer: &TableFooter| footer.metadata.file_metadata().schema_descr().root_schema_ptr();
        root(self) == root(other) && said(self) == said(other)
    }
}

/// Checks that files can be merged into one file. Returns the problems.
fn check_parts(parts: &[&Path]) -> Vec<String> {
    let mut groups = 0;
    let read = |mut file| {
        let footer = TableFooter::read(&mut file)?;
        groups += footer.metadata.num_row_groups();
        Ok::<_, io::Error>(footer)
    };
    let mut faults = check_alike(parts, read, TableFooter::is_alike);
    if groups > TableFooter::MOST_GROUPS {
        faults.push(format!(
            "the parts have {groups} row groups together, but a Parquet file can have only {most}: keep them as separate files in a \
             folder, or use shards of an input with larger row groups",
            most = TableFooter::MOST_GROUPS
        ));
    }
    faults
}

/// An output file that gets the row groups of other files.
struct TableJoin<'w> {
    /// The output. `None` after it has moved into `file`, when the first part is added.
    out: Option<Box<dyn Write + Send + 'w>>,
    /// The Parquet file in the output. `None` until the first part is added.
    file: Option<JoinedFile<'w>>,
}

type JoinedFile<'w> = SerializedFileWriter<Box<dyn Write + Send + 'w>>;

impl PartJoiner for TableJoin<'_> {
    fn add(&mut self, part: &mut dyn PartReader) -> io::Result<()> {
        let footer = TableFooter::read(part.file())?;
        if let Some(out) = self.out.take() {
            self.file = Some(start_like(&footer, out)?);
        }
        if let Some(file) = &mut self.file {
            copy_groups(&footer, part, file)?;
        }
        // The footer is not copied. But the part is read to its end, because the reader checks the part while it is read.
        io::copy(part, &mut io::sink()).map(drop)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let Some(mut file) = self.file else { return Ok(()) };
        file.finish().map(drop).map_err(io_error)
    }
}

/// Starts a file with the schema and the metadata of the file that has this footer.
fn start_like<'w>(first: &TableFooter, out: Box<dyn Write + Send + 'w>) -> io::Result<JoinedFile<'w>> {
    let said = first.metadata.file_metadata();
    let properties = WriterProperties::builder()
        .set_created_by(said.created_by().unwrap_or_default().to_owned())
        .set_offset_index_disabled(true)
        .set_key_value_metadata(said.key_value_metadata().cloned());
    let root = said.schema_descr().root_schema_ptr();
    SerializedFileWriter::new(out, root, Arc::new(properties.build())).map_err(io_error)
}

/// Copies the row groups of a part. Reads the part from its start up to its footer. Fails if the part contains anything before its footer
/// except the magic bytes and the row groups.
fn copy_groups(footer: &TableFooter, part: &mut dyn PartReader, to: &mut JoinedFile) -> io::Result<()> {
    let is_other =
        || io::Error::other("it was not written by sudobench: its pages are not one after the other");
    let mut mark = [0; MAGIC.len()];
    part.read_exact(&mut mark)?;
    let pages = Pages(&Mutex::new(part));
    let mut next = mark.len() as u64;
    for group in footer.metadata.row_groups() {
        let rows_written = u64::try_from(group.num_rows()).unwrap_or(0);
        let mut again = to.next_row_group().map_err(io_error)?;
        for column in group.columns() {
            let is_next = column.dictionary_page_offset().is_none()
                && u64::try_from(column.data_page_offset()) == Ok(next);
            let length = u64::try_from(column.compressed_size()).ok().filter(|_| is_next);
            next = length.and_then(|length| next.checked_add(length)).ok_or_else(is_other)?;
            again.append_column(&pages, close_of(column.clone(), rows_written)).map_err(io_error)?;
        }
        again.close().map_err(io_error)?;
    }
    if next == footer.start && mark == *MAGIC { Ok(()) } else { Err(is_other()) }
}

/// The pages of a file. They are read in order.
struct Pages<'p, R>(&'p Mutex<R>);

impl<R: Read + Send> Length for Pages<'_, R> {
    /// Returns 0: appending pages does not need the length.
    fn len(&self) -> u64 {
        0
    }
}

impl<'p, R: Read + Send> ChunkReader for Pages<'p, R> {
    type T = Pages<'p, R>;

    fn get_read(&self, _: u64) -> Result<Pages<'p, R>> {
        Ok(Pages(self.0))
    }

    fn get_bytes(&self, _: u64, length: usize) -> Result<Bytes> {
        let mut bytes = vec![0; length];
        Pages(self.0).read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

impl<R: Read> Read for Pages<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).read(bytes)
    }
}

/// The pages of a block in an unfinished row group.
struct BlockPages {
    bytes: Vec<u8>,
    /// Positions and lengths of the pages of each column in `bytes`.
    places: Vec<(u64, u64)>,
}

/// The pages of a block's rows, and the metadata of their columns.
#[derive(Debug)]
struct EncodedBlock {
    rows: usize,
    bytes: Vec<u8>,
    /// For each column, the position of its pages in `bytes`, and their length.
    places: Vec<(u64, u64)>,
    columns: Vec<ColumnChunkMetaData>,
}

impl EncodedBlock {
    /// Returns the rows of a file with one row group.
    fn from_file(file: Bytes) -> Result<EncodedBlock> {
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file)?;
        let [group] = metadata.row_groups() else {
            return Err(ParquetError::General("its checkpoint is damaged".to_owned()));
        };
        let is_inside = |column: &ColumnChunkMetaData| {
            let (start, length) = column.byte_range();
            start.checked_add(length).is_some_and(|end| end <= file.len() as u64)
        };
        if !group.columns().iter().all(is_inside) {
            return Err(ParquetError::General("its checkpoint is damaged".to_owned()));
        }
        Ok(EncodedBlock {
            rows: usize::try_from(group.num_rows()).unwrap_or(0),
            places: group.columns().iter().map(ColumnChunkMetaData::byte_range).collect(),
            columns: group.columns().iter().map(|column| joined(&[column])).collect::<Result<_>>()?,
            bytes: file.into(),
        })
    }
}

/// Appends a row group to a file. The row group consists of the pages of the blocks; `columns` is the metadata of all these pages.
fn append_group(
    file: &mut SerializedFileWriter<Vec<u8>>,
    blocks: &[BlockPages],
    columns: Vec<ColumnChunkMetaData>,
    rows: usize,
) -> Result<()> {
    let mut group = file.next_row_group()?;
    for (column, metadata) in columns.into_iter().enumerate() {
        let mut pages = Vec::with_capacity(usize::try_from(metadata.compressed_size()).unwrap_or(0));
        for block in blocks {
            let (start, length) = block.places[column];
            // These numbers fit into `usize`, because the pages are in memory.
            pages.extend_from_slice(&block.bytes[start as usize..(start + length) as usize]);
        }
        group.append_column(&Bytes::from(pages), close_of(metadata, rows as u64))?;
    }
    group.close()?;
    Ok(())
}

/// Encodes rows as Parquet pages.
struct BlockEncoder {
    root: TypePtr,
    properties: Arc<WriterProperties>,
    /// Groups of columns. The columns of a group are encoded together. Not all columns are encoded together, because an encoder takes 20
    /// KiB of memory for each column.
    slices: Vec<ColumnSlice>,
}

/// Consecutive columns of a table.
struct ColumnSlice {
    schema: SchemaRef,
    root: TypePtr,
}

impl BlockEncoder {
    fn new(table: &OutputTable) -> Result<BlockEncoder> {
        let schema = &without_seconds(&table.schema);
        let descriptor = converter(schema).convert(schema)?;
        // The metadata of the input's file is kept, except its schema.
        let said = schema.metadata().iter().filter(|(key, _)| *key != ARROW_SCHEMA);
        let mut said: Vec<KeyValue> =
            said.map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
        said.sort_by(|one, other| one.key.cmp(&other.key));
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("sudobench version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_dictionary_enabled(false)
            // The file gets no index of its pages, because an index would mainly help programs that look up single values.
            .set_offset_index_disabled(true)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_key_value_metadata((!said.is_empty()).then_some(said));
        let is_whole_number = |leaf: &ColumnDescriptor| {
            matches!(leaf.physical_type(), PhysicalType::INT32 | PhysicalType::INT64)
        };
        // An encoding is set for a name, and applies to all columns with this name; several columns may have the same name. So the encoding
        // below is set for a name only if all columns with this name hold whole numbers.
        let leaves = descriptor.columns().iter();
        let others: HashSet<&ColumnPath> =
            leaves.filter(|leaf| !is_whole_number(leaf)).map(|leaf| leaf.path()).collect();
        for leaf in descriptor.columns() {
            let path = leaf.path().clone();
            if !others.contains(&path) && descriptor.num_columns() < MANY_COLUMNS {
                // With this encoding, a digit takes four or five bits instead of thirty-two.
                properties = properties.set_column_encoding(path.clone(), Encoding::DELTA_BINARY_PACKED);
            }
            let is_distinct = |&column: &usize| leaf.path().parts()[0] == *schema.field(column).name();
            if table.distinct.iter().any(is_distinct) {
                properties = properties.set_column_statistics_enabled(path, EnabledStatistics::None);
            }
        }
        let mut properties = properties.build();
        add_encoded_arrow_schema_to_metadata(schema, &mut properties);
        let slice = |fields: &[FieldRef]| -> Result<ColumnSlice> {
            let slice = Arc::new(Schema::new(fields.to_vec()));
            let root = converter(schema).convert(&slice)?.root_schema_ptr();
            Ok(ColumnSlice { schema: slice, root })
        };
        Ok(BlockEncoder {
            root: descriptor.root_schema_ptr(),
            properties: Arc::new(properties),
            slices: schema.fields().chunks(SLICE_COLUMNS).map(slice).collect::<Result<_>>()?,
        })
    }

    fn file(&self) -> Result<SerializedFileWriter<Vec<u8>>> {
        SerializedFileWriter::new(Vec::new(), Arc::clone(&self.root), Arc::clone(&self.properties))
    }

    /// Encodes rows. Each slice of columns becomes a Parquet file in memory with one row group. Returns the pages of all these row groups.
    fn encode(&self, rows: &RecordBatch) -> Result<EncodedBlock> {
        let (mut bytes, mut places, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        let slices = if rows.num_rows() == 0 { &[] } else { &self.slices[..] };
        for (slice, arrays) in slices.iter().zip(rows.columns().chunks(SLICE_COLUMNS)) {
            let start = bytes.len() as u64;
            let properties = Arc::clone(&self.properties);
            let mut file = SerializedFileWriter::new(&mut bytes, Arc::clone(&slice.root), properties)?;
            let factory = ArrowRowGroupWriterFactory::new(&file, Arc::clone(&slice.schema));
            let mut writers = factory.create_column_writers(0)?.into_iter();
            let mut group = file.next_row_group()?;
            for (field, array) in slice.schema.fields().iter().zip(arrays) {
                let array = in_milliseconds(array)?;
                for (leaf, mut writer) in compute_leaves(field, &array)?.iter().zip(&mut writers) {
                    writer.write(leaf)?;
                    writer.close()?.append_to_row_group(&mut group)?;
                }
            }
            let group = group.close()?;
            file.flush()?;
            let place = |column: &ColumnChunkMetaData| {
                let (at, length) = column.byte_range();
                (start + at, length)
            };
            places.extend(group.columns().iter().map(place));
            // Metadata that only matters for the file in memory is left out.
            let bare = group.columns().iter().map(|column| joined(&[column]));
            columns.extend(bare.collect::<Result<Vec<_>>>()?);
        }
        Ok(EncodedBlock { rows: rows.num_rows(), bytes, places, columns })
    }
}

/// Returns the converter that turns this Arrow schema into a Parquet schema.
fn converter(schema: &Schema) -> ArrowSchemaConverter<'static> {
    // Parquet has no dates of 64 bits. They are written as dates of 32 bits, because plain numbers would not be recognised as dates.
    let has_long_dates = schema.flattened_fields().iter().any(|field| *field.data_type() == DataType::Date64);
    ArrowSchemaConverter::new().with_coerce_types(has_long_dates)
}

/// Returns the metadata of a column that consists of the pages of the parts, one part after the other.
fn joined(parts: &[&ColumnChunkMetaData]) -> Result<ColumnChunkMetaData> {
    let Some(first) = parts.first() else {
        return Err(ParquetError::General("no part of a column".to_owned()));
    };
    let sum = |of: fn(&ColumnChunkMetaData) -> i64| parts.iter().map(|part| of(part)).sum::<i64>();
    let encodings: Vec<Encoding> = parts.iter().flat_map(|part| part.encodings()).collect();
    let mut joined = ColumnChunkMetaData::builder(first.column_descr_ptr())
        .set_compression_codec(first.compression_codec())
        .set_encodings_mask(EncodingMask::new_from_encodings(encodings.iter()))
        .set_num_values(sum(ColumnChunkMetaData::num_values))
        .set_total_compressed_size(sum(ColumnChunkMetaData::compressed_size))
        .set_total_uncompressed_size(sum(ColumnChunkMetaData::uncompressed_size))
        .set_data_page_offset(0)
        .set_unencoded_byte_array_data_bytes(
            parts.iter().map(|part| part.unencoded_byte_array_data_bytes()).sum::<Option<i64>>(),
        );
    let statistics: Option<Vec<&Statistics>> = parts.iter().map(|part| part.statistics()).collect();
    if let Some(statistics) =
        statistics.and_then(|statistics| joined_statistics(first.column_descr(), &statistics))
    {
        joined = joined.set_statistics(statistics);
    }
    joined.build()
}

/// Returns the minimum, the maximum and the number of nulls over all parts; `None` for types whose order may differ from the order of their
/// stored values.
fn joined_statistics(column: &ColumnDescriptor, parts: &[&Statistics]) -> Option<Statistics> {
    let is_unsigned =
        matches!(column.logical_type_ref(), Some(LogicalType::Integer(kind)) if !kind.is_signed);
    let nulls = parts.iter().map(|part| part.null_count_opt()).sum::<Option<u64>>();
    macro_rules! join {
        ($kind:ident) => {{
            let values: Option<Vec<_>> = parts
                .iter()
                .map(|part| if let Statistics::$kind(values) = part { Some(values) } else { None })
                .collect();
            let values = values?;
            let smallest = values
                .iter()
                .filter_map(|part| part.min_opt())
                .reduce(|one, other| if other < one { other } else { one });
            let largest = values
                .iter()
                .filter_map(|part| part.max_opt())
                .reduce(|one, other| if other > one { other } else { one });
            let are_exact = values.iter().all(|part| part.min_is_exact() && part.max_is_exact());
            let joined = ValueStatistics::new(smallest.cloned(), largest.cloned(), None, nulls, false);
            Statistics::$kind(joined.with_min_is_exact(are_exact).with_max_is_exact(are_exact))
        }};
    }
    Some(match parts.first()? {
        Statistics::Int32(_) if !is_unsigned => join!(Int32),
        Statistics::Int64(_) if !is_unsigned => join!(Int64),
        Statistics::Float(_) => join!(Float),
        Statistics::Double(_) => join!(Double),
        Statistics::Boolean(_) => join!(Boolean),
        Statistics::ByteArray(_) => join!(ByteArray),
        _ => return None,
    })
}

/// Returns the description of a column whose pages exist already. With this description, a row group writer can append the column.
fn close_of(metadata: ColumnChunkMetaData, rows_written: u64) -> ColumnCloseResult {
    ColumnCloseResult {
        bytes_written: u64::try_from(metadata.compressed_size()).unwrap_or(0),
        rows_written,
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    }
}

/// Converts an error of the encoder into an `io::Error`, the error type of outputs.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
