//! Parquet: the row groups of a file, in pieces of so many rows.
//!
//! The rows of a piece are those of one row group. They are decoded where they are asked for, one piece after the other, so
//! that memory is bounded by the pieces and one page of each column; what nobody asks for is not even read.

use std::cell::Cell;
use std::fs::File;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Once};

use arrow_array::{RecordBatch, RecordBatchReader as _};
use arrow_schema::{Field, FieldRef, Schema};
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::CompressionCodec;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};

use super::error::SourceError;
use super::input::{Input, InputFormat};
use super::layout::Layout;
use super::options::{BlockSize, Options};
use super::table::{SAMPLE_ROWS, TableLayout};
use crate::Digest;

/// The first bytes of every Parquet file, and the last.
pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// Bytes that a row is taken to have, where sizes of blocks are in bytes: those of a puzzle and its solution in CSV.
const ROW_BYTES: usize = 164;

/// Bytes that the rows of a piece may have when they are decoded, roughly. One of a few columns has far less.
const PIECE_BYTES: u64 = 16 << 20;

/// A Parquet file, read from its first row to its last.
pub(super) struct ParquetFile {
    file: File,
    metadata: ArrowReaderMetadata,
    /// The size of the file in bytes.
    bytes: u64,
    /// Digest of a file that came through a pipe, until it is [taken](ParquetFile::take_piped).
    piped: Option<Digest>,
    /// The row group that the next piece is of.
    group: usize,
    /// The rows of it that came in pieces.
    in_group: usize,
    /// The rows of the row groups before it.
    before: u64,
    /// Decodes what is left of a row group, and the row of it that comes next.
    reader: Option<(ParquetRecordBatchReader, usize)>,
}

/// Consecutive rows of one row group, not decoded yet.
pub(super) struct Piece {
    group: usize,
    in_group: Range<usize>,
    /// The number of its first row in the file, from 0.
    pub(super) first_row: u64,
}

impl Piece {
    /// Its rows.
    pub(super) fn rows(&self) -> usize {
        self.in_group.len()
    }
}

impl ParquetFile {
    /// Reads what stands at the end of the file: its schema, and where its row groups are. `piped` is the digest of a file that came
    /// through a pipe.
    pub(super) fn open(
        input: &Input,
        file: File,
        piped: Option<Digest>,
    ) -> std::result::Result<ParquetFile, SourceError> {
        let refused =
            |source: ParquetError| SourceError::NotParquet { input: input.clone(), source: source.into() };
        let bytes = file.metadata().map_err(|error| refused(error.into()))?.len();
        let load = |options| guarded(|| ArrowReaderMetadata::load(&file, options));
        // What Arrow adds to the schema may be of a later version of it; what Parquet itself says of the columns is enough.
        let metadata = load(ArrowReaderOptions::new())
            .or_else(|_| load(ArrowReaderOptions::new().with_skip_arrow_metadata(true)))
            .map_err(refused)?;
        check(&metadata).map_err(refused)?;
        Ok(ParquetFile { file, metadata, bytes, piped, group: 0, in_group: 0, before: 0, reader: None })
    }

    /// Takes the digest of a file that came through a pipe. `None` for other files, and the second time.
    pub(super) fn take_piped(&mut self) -> Option<Digest> {
        self.piped.take()
    }

    /// The columns of the rows.
    pub(super) fn layout(
        &self,
        input: &Input,
        options: &Options,
    ) -> std::result::Result<TableLayout, SourceError> {
        let sample = guarded(|| self.sample());
        let sample = sample
            .map_err(|source| SourceError::NotParquet { input: input.clone(), source: source.into() })?;
        let layout = TableLayout::of(input, &sample, options)?;
        // The batches' schema lacks what the file says of itself.
        Ok(TableLayout {
            schema: Arc::clone(self.metadata.schema()),
            group_rows: self.group_rows(),
            ..layout
        })
    }

    /// Checks that the columns are those of the first input.
    pub(super) fn check_later(
        &self,
        input: &Input,
        layout: &Layout,
        first: &Input,
    ) -> std::result::Result<(), SourceError> {
        let differs = |found: String, wanted: String| {
            Err(SourceError::OtherLayout { input: input.clone(), first: first.clone(), found, wanted })
        };
        let Layout::Table(layout) = layout else {
            return differs(InputFormat::Parquet.name().into(), layout.format().name().into());
        };
        let (found, wanted) = (self.metadata.schema(), &layout.schema);
        // What else a file says of itself, and of its columns, differs from file to file.
        let fits = |(found, wanted): (&FieldRef, &FieldRef)| {
            found.name() == wanted.name()
                && found.data_type() == wanted.data_type()
                && (wanted.is_nullable() || !found.is_nullable())
        };
        match found.fields().len() == wanted.fields().len()
            && found.fields().iter().zip(wanted.fields()).all(fits)
        {
            true => Ok(()),
            false => differs(columns_of(found), columns_of(wanted)),
        }
    }

    /// The first rows.
    fn sample(&self) -> Result<RecordBatch> {
        let builder = self.builder()?.with_batch_size(SAMPLE_ROWS).with_limit(SAMPLE_ROWS);
        let reader = builder.build()?;
        let schema = reader.schema();
        let batches = reader.collect::<std::result::Result<Vec<_>, _>>()?;
        Ok(concat_batches(&schema, &batches)?)
    }

    /// The rows of the first row group, which tells how large the one who wrote the file likes them; 0 where there is none.
    fn group_rows(&self) -> usize {
        self.metadata.metadata().row_groups().first().map_or(0, |_| self.rows_of(0))
    }

    /// The next piece, as large as blocks of that size are.
    pub(super) fn next_piece(&mut self, size: BlockSize) -> Option<Piece> {
        let groups = self.metadata.metadata().row_groups().len();
        while self.group < groups && self.in_group == self.rows_of(self.group) {
            self.before += self.in_group as u64;
            (self.group, self.in_group) = (self.group + 1, 0);
        }
        if self.group == groups {
            return None;
        }
        let end = self.rows_of(self.group).min(self.in_group + self.piece_rows(self.group, size));
        let piece = Piece {
            group: self.group,
            in_group: self.in_group..end,
            first_row: self.before + self.in_group as u64,
        };
        self.in_group = end;
        Some(piece)
    }

    /// Decodes a piece. They are asked for in their order, though not each.
    pub(super) fn read(&mut self, piece: &Piece, size: BlockSize) -> Result<RecordBatch> {
        guarded(|| self.decode(piece, size))
    }

    fn decode(&mut self, piece: &Piece, size: BlockSize) -> Result<RecordBatch> {
        let Range { start, end } = piece.in_group;
        let mut reader = match self.reader.take() {
            Some((reader, at)) if at == start && start > 0 => reader,
            _ => {
                let builder = self.builder()?.with_row_groups(vec![piece.group]).with_offset(start);
                builder.with_batch_size(self.piece_rows(piece.group, size)).build()?
            }
        };
        let (schema, mut batches, mut rows) = (reader.schema(), Vec::new(), 0);
        while rows < end - start {
            let Some(batch) = reader.next() else { break };
            let batch = batch?;
            rows += batch.num_rows();
            batches.push(batch);
        }
        if rows != end - start {
            let words = format!("row group {} has not the {end} rows that it should have", piece.group + 1);
            return Err(ParquetError::General(words));
        }
        self.reader = Some((reader, end));
        match batches.pop() {
            Some(only) if batches.is_empty() => Ok(only),
            last => {
                batches.extend(last);
                Ok(concat_batches(&schema, &batches)?)
            }
        }
    }

    /// The share of the file's bytes that stands for the rows that came in pieces.
    pub(super) fn bytes_read(&self) -> u64 {
        if self.rows() == 0 {
            // All that there is to read has been read.
            return self.bytes;
        }
        let rows = self.metadata.metadata().file_metadata().num_rows().max(1) as f64;
        let share = (self.before + self.in_group as u64) as f64 / rows;
        (self.bytes as f64 * share.min(1.0)) as u64
    }

    /// All rows of the file.
    pub(super) fn rows(&self) -> u64 {
        (0..self.metadata.metadata().row_groups().len()).map(|group| self.rows_of(group) as u64).sum()
    }

    /// The first row of a row group, from 0, that is not before `row`.
    pub(super) fn group_behind(&self, row: u64) -> u64 {
        let (mut start, mut group) = (0, 0);
        while start < row && group < self.metadata.metadata().row_groups().len() {
            start += self.rows_of(group) as u64;
            group += 1;
        }
        start
    }

    /// Goes on at the row group that starts with that row.
    pub(super) fn start_at(&mut self, row: u64) {
        while self.before < row && self.group < self.metadata.metadata().row_groups().len() {
            self.before += self.rows_of(self.group) as u64;
            self.group += 1;
        }
    }

    /// The number of the row behind all that came in pieces, from 1.
    pub(super) fn line(&self) -> u64 {
        self.before + self.in_group as u64 + 1
    }

    /// Rows of a piece of a row group: a small file is spread over the threads, a large one has few pieces. What else stands
    /// in the rows, such as images, may be large.
    fn piece_rows(&self, group: usize, BlockSize { min, max }: BlockSize) -> usize {
        let rows = self.metadata.metadata().file_metadata().num_rows();
        let share = usize::try_from(rows).unwrap_or(usize::MAX) / 32;
        let rows = share.clamp((min / ROW_BYTES).max(1), (max / ROW_BYTES).max(1));
        let in_memory = PIECE_BYTES / row_bytes(self.metadata.metadata().row_group(group));
        rows.min(usize::try_from(in_memory).unwrap_or(usize::MAX).max(1))
    }

    fn rows_of(&self, group: usize) -> usize {
        usize::try_from(self.metadata.metadata().row_group(group).num_rows()).unwrap_or(0)
    }

    fn builder(&self) -> Result<ParquetRecordBatchReaderBuilder<File>> {
        let file = self.file.try_clone()?;
        Ok(ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone()))
    }
}

/// Bytes of a row that is decoded, on average; at least 1.
fn row_bytes(group: &RowGroupMetaData) -> u64 {
    let bytes = |column: &ColumnChunkMetaData| {
        // A text that repeats is stored once.
        let texts = column.unencoded_byte_array_data_bytes().unwrap_or(0);
        u64::try_from(column.uncompressed_size().max(texts)).unwrap_or(0)
    };
    let bytes = group.columns().iter().map(bytes).fold(0, u64::saturating_add);
    (bytes / u64::try_from(group.num_rows()).unwrap_or(0).max(1)).max(1)
}

/// Refuses what the decoder would panic at, so that nothing of that is seen.
fn check(metadata: &ArrowReaderMetadata) -> Result<()> {
    let wrong = |words: &str| Err(ParquetError::General(words.to_owned()));
    let metadata = metadata.metadata();
    let mut rows: i64 = 0;
    for group in metadata.row_groups() {
        match rows.checked_add(group.num_rows()) {
            Some(sum) if group.num_rows() >= 0 => rows = sum,
            _ => return wrong("a row group has less than no rows"),
        }
        for column in group.columns() {
            if let codec @ (CompressionCodec::BROTLI | CompressionCodec::LZO) = column.compression_codec() {
                return wrong(&format!(
                    "the column {} is compressed with {codec}, which is not read here",
                    column.column_path()
                ));
            }
            let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
            if start < 0
                || column.compressed_size() < 0
                || start.checked_add(column.compressed_size()).is_none()
            {
                return wrong("a column starts before the file, or ends before it starts");
            }
        }
    }
    match rows == metadata.file_metadata().num_rows() {
        true => Ok(()),
        false => wrong("the row groups have other rows than the file"),
    }
}

/// Makes an error of a panic: the decoder trusts in more than a file may hold.
fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    thread_local! {
        static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    }
    static SILENCE: Once = Once::new();
    // Nobody is to read of a panic that becomes an error.
    SILENCE.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                report(panic);
            }
        }));
    });
    IS_GUARDED.set(true);
    // Whatever was under way is dropped with the error.
    let ended = std::panic::catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    ended.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(ParquetError::General(words.unwrap_or_else(|| "the decoder gave up".to_owned())))
    })
}

/// The columns with their types, as messages name them.
fn columns_of(schema: &Schema) -> String {
    let words = |field: &Field| {
        let never_null = if field.is_nullable() { "" } else { " not null" };
        format!("{} {}{never_null}", field.name(), field.data_type())
    };
    let columns: Vec<String> = schema.fields().iter().map(|field| words(field)).collect();
    format!("columns `{}`", columns.join(", "))
}
