//! Parquet: the row groups of a file, divided into pieces.
//!
//! A piece is a range of rows of one row group. Pieces are decoded on demand, one after the other, so that a row group need not fit into
//! memory. All columns are read.

use std::fs::File;
use std::ops::Range;

use arrow_array::{RecordBatch, RecordBatchReader as _};
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::CompressionCodec;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use sudobench_rows::source::{InputFormat, InputSpec, Magic, TypedFormat};

use super::table_source::{Failure, Opening, TableFile, TableSource};

/// The first four bytes of every Parquet file whose footer is not encrypted. They are also its last four bytes.
pub(super) const MAGIC: &[u8; 4] = b"PAR1";

static SPEC: InputSpec = InputSpec {
    name: "parquet",
    magic: Some(Magic { bytes: MAGIC, is: "a Parquet file" }),
    endings: &["parquet", "pq"],
    reader: None,
};

static OPENING: Opening<ParquetFile> = Opening {
    format: InputFormat::new(&SPEC),
    remedy: "write it again with one of them, e.g. `duckdb -c \"COPY (FROM 'OLD.parquet') TO 'NEW.parquet'\"`",
    open: ParquetFile::open,
};

pub(super) const PARQUET: TypedFormat =
    TypedFormat { format: OPENING.format, open: |input, file| TableSource::open(input, file, &OPENING) };

/// An open Parquet file.
struct ParquetFile {
    file: File,
    metadata: ArrowReaderMetadata,
    /// The decoder of the rest of a row group, and the index (in the row group) of the row that it returns next.
    reader: Option<(ParquetRecordBatchReader, usize)>,
}

impl ParquetFile {
    /// Reads the footer of the file: the schema, and the positions of the row groups.
    fn open(file: File) -> std::result::Result<ParquetFile, Failure> {
        let load = |options| ArrowReaderMetadata::load(&file, options);
        // If Arrow's additions to the schema can't be read, for example because a later version of Arrow has made them, they are ignored:
        // Parquet's own schema suffices.
        let metadata = load(ArrowReaderOptions::new())
            .or_else(|_| load(ArrowReaderOptions::new().with_skip_arrow_metadata(true)))?;
        check(&metadata)?;
        Ok(ParquetFile { file, metadata, reader: None })
    }

    fn decode(&mut self, group: usize, rows: Range<usize>, at_once: usize) -> Result<RecordBatch> {
        let Range { start, end } = rows;
        let mut reader = match self.reader.take() {
            Some((reader, at)) if at == start && start > 0 => reader,
            _ => {
                let builder = self.builder()?.with_row_groups(vec![group]).with_offset(start);
                builder.with_batch_size(at_once).build()?
            }
        };
        let (schema, mut batches, mut read) = (reader.schema(), Vec::new(), 0);
        while read < end - start {
            let Some(batch) = reader.next() else { break };
            let batch = batch?;
            read += batch.num_rows();
            batches.push(batch);
        }
        if read != end - start {
            let message = format!("row group {} does not have the stated number of rows", group + 1);
            return Err(ParquetError::General(message));
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

    fn builder(&self) -> Result<ParquetRecordBatchReaderBuilder<File>> {
        let file = self.file.try_clone()?;
        Ok(ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone()))
    }
}

impl TableFile for ParquetFile {
    fn schema(&self) -> &SchemaRef {
        self.metadata.schema()
    }

    fn group_rows(&self) -> Vec<usize> {
        let groups = self.metadata.metadata().row_groups().iter();
        groups.map(|group| usize::try_from(group.num_rows()).unwrap_or(0)).collect()
    }

    fn row_bytes(&mut self, group: usize) -> u64 {
        row_bytes(self.metadata.metadata().row_group(group))
    }

    fn sample(&mut self, rows: usize) -> std::result::Result<RecordBatch, Failure> {
        let reader = self.builder()?.with_batch_size(rows).with_limit(rows).build()?;
        let schema = reader.schema();
        let batches = reader.collect::<std::result::Result<Vec<_>, _>>()?;
        Ok(concat_batches(&schema, &batches)?)
    }

    fn read(
        &mut self,
        group: usize,
        rows: Range<usize>,
        at_once: usize,
    ) -> std::result::Result<RecordBatch, Failure> {
        Ok(self.decode(group, rows, at_once)?)
    }
}

/// Estimates the average number of bytes of a decoded row; at least 1.
fn row_bytes(group: &RowGroupMetaData) -> u64 {
    let bytes = |column: &ColumnChunkMetaData| {
        // A repeated text is stored only once, so the decoded texts can be larger than the column.
        let texts = column.unencoded_byte_array_data_bytes().unwrap_or(0);
        u64::try_from(column.uncompressed_size().max(texts)).unwrap_or(0)
    };
    let bytes = group.columns().iter().map(bytes).fold(0, u64::saturating_add);
    (bytes / u64::try_from(group.num_rows()).unwrap_or(0).max(1)).max(1)
}

/// Refuses some files that would make the decoder panic, and files whose compression is not supported, before any rows are read.
fn check(metadata: &ArrowReaderMetadata) -> Result<()> {
    let wrong = |message: &str| Err(ParquetError::General(message.to_owned()));
    let metadata = metadata.metadata();
    let mut rows: i64 = 0;
    for group in metadata.row_groups() {
        match rows.checked_add(group.num_rows()) {
            Some(sum) if group.num_rows() >= 0 => rows = sum,
            _ => return wrong("a row group has a negative number of rows"),
        }
        for column in group.columns() {
            if let codec @ (CompressionCodec::BROTLI | CompressionCodec::LZO) = column.compression_codec() {
                return wrong(&format!(
                    "the column {} is compressed with {codec}, which is not supported",
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
        false => wrong("the row groups together do not have as many rows as the file states"),
    }
}
