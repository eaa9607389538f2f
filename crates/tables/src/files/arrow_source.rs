//! Arrow files, which are Feather files of version 2: the record batches of a file, divided into pieces.
//!
//! A record batch is read as a whole, and its pieces share its memory. The format is described in
//! <https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format>.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::MutableBuffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::{Block, CompressionType, Message, MetadataVersion, root_as_footer, root_as_message};
use arrow_schema::{Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use sudobench_rows::source::{InputFormat, InputSpec, Magic, TypedFormat};

use super::sizes::longest_row;
use super::table_source::{Failure, Opening, TableFile, TableSource};

/// The first bytes of every Arrow file.
pub(super) const MAGIC: &[u8; 8] = b"ARROW1\0\0";

/// Number of bytes after the footer: four bytes for the footer's length, and six magic bytes.
const END: u64 = 10;

static SPEC: InputSpec = InputSpec {
    name: "arrow",
    magic: Some(Magic { bytes: MAGIC, is: "an Arrow file" }),
    endings: &["arrow", "feather", "ipc"],
    reader: None,
};

static OPENING: Opening<ArrowFile> = Opening {
    format: InputFormat::new(&SPEC),
    remedy: "write it again with one of them, e.g. `python3 -c \"import pyarrow.feather as f; f.write_feather(f.read_table('OLD'), \
    'NEW.feather')\"`",
    open: ArrowFile::open,
};

pub(super) const ARROW: TypedFormat =
    TypedFormat { format: OPENING.format, open: |input, file| TableSource::open(input, file, &OPENING) };

/// The end of an Arrow file.
pub(super) struct ArrowFooter {
    /// The bytes of the footer, which are a flatbuffer.
    bytes: Vec<u8>,
    /// The start of the footer in the file.
    pub(super) start: u64,
    /// The positions of the record batches.
    pub(super) batches: Vec<Block>,
    /// The positions of the dictionaries.
    pub(super) dictionaries: Vec<Block>,
}

impl ArrowFooter {
    /// Reads the footer of a file. Checks that everything that the footer lists is in the file before the footer, and that nothing
    /// overlaps.
    pub(super) fn read(mut file: &File) -> Result<ArrowFooter, Failure> {
        let length = file.metadata()?.len();
        let at_end = length.checked_sub(END).ok_or("it has no footer")?;
        file.seek(SeekFrom::Start(at_end))?;
        let mut end = [0; END as usize];
        file.read_exact(&mut end)?;
        let start = at_end
            .checked_sub(read_footer_length(end)? as u64)
            .ok_or("its footer is longer than the file")?;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = vec![0; usize::try_from(at_end - start)?];
        file.read_exact(&mut bytes)?;
        let footer = root_as_footer(&bytes)?;
        let is_here = |block: &Block| {
            let bytes = u64::try_from(block.offset()).ok().zip(block_length(block));
            bytes.and_then(|(at, length)| at.checked_add(length)).is_some_and(|end| end <= start)
        };
        let batches: Vec<Block> = footer.recordBatches().iter().flatten().copied().collect();
        let dictionaries: Vec<Block> = footer.dictionaries().iter().flatten().copied().collect();
        if !batches.iter().chain(&dictionaries).all(is_here) {
            return Err(
                "a record batch or dictionary starts before the file, or ends after the start of the footer"
                    .into(),
            );
        }
        let mut spans: Vec<_> =
            batches.iter().chain(&dictionaries).map(|block| (block.offset(), block_length(block))).collect();
        spans.sort_unstable();
        let overlaps = |pair: &[(i64, Option<u64>)]| {
            pair[0].0.checked_add_unsigned(pair[0].1.unwrap_or(0)) > Some(pair[1].0)
        };
        if spans.windows(2).any(overlaps) {
            return Err("two record batches or dictionaries share a part of the file".into());
        }
        Ok(ArrowFooter { bytes, start, batches, dictionaries })
    }

    /// Returns the version of the messages, which may differ from the version in the footer.
    fn version(&self, file: &File) -> Result<MetadataVersion, Failure> {
        let Some(first) = self.dictionaries.iter().chain(&self.batches).next() else {
            return Ok(root_as_footer(&self.bytes)?.version());
        };
        Ok(message_of(&read_block(file, first, u64::try_from(first.metaDataLength()).ok())?)?.version())
    }

    pub(super) fn schema(&self) -> Result<Schema, Failure> {
        let footer = root_as_footer(&self.bytes)?;
        let schema = footer.schema().ok_or("its footer has no schema")?;
        match schema.endianness().equals_to_target_endianness() {
            true => Ok(fb_to_schema(schema)),
            false => Err("its byte order is not supported".into()),
        }
    }
}

/// Returns the number of bytes of a message with its body; `None` if one of the two lengths is invalid.
fn block_length(block: &Block) -> Option<u64> {
    let (metadata, body) =
        (u64::try_from(block.metaDataLength()).ok()?, u64::try_from(block.bodyLength()).ok()?);
    metadata.checked_add(body)
}

/// Returns the message at the start of a block. The block starts with the length of the message; in newer files, four bytes `ff` precede
/// the length.
fn message_of(block: &[u8]) -> Result<Message<'_>, Failure> {
    let message = block.strip_prefix(&[0xff; 4]).unwrap_or(block);
    Ok(root_as_message(message.get(4..).unwrap_or_default())?)
}

/// Returns an error if a compressed buffer states an uncompressed length that is too large for its compressed bytes or for the available
/// memory. Without this check, the decoder would allocate memory of the stated length.
fn check_lengths(block: &Block, bytes: &[u8]) -> Result<(), Failure> {
    /// Largest number of bytes to which one compressed byte can expand, for LZ4 and for zstd. In zstd, four bytes can stand for a block of
    /// 128 KiB that repeats one byte.
    const MOST: [u64; 2] = [255, 32 << 10];
    let message = message_of(bytes)?;
    let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
    let Some(batch) = message.header_as_record_batch().or(dictionary) else { return Ok(()) };
    let Some(compression) = batch.compression() else { return Ok(()) };
    let most = MOST[usize::from(compression.codec() == CompressionType::ZSTD)];
    let body = usize::try_from(block.metaDataLength()).ok().and_then(|length| bytes.get(length..));
    for buffer in batch.buffers().iter().flatten() {
        let at = usize::try_from(buffer.offset())?;
        let stored = u64::try_from(buffer.length())?;
        let length = body.and_then(|body| body.get(at..)).and_then(|rest| rest.first_chunk());
        // A negative length means that the buffer isn't compressed.
        let length = length.map_or(0, |length| u64::try_from(i64::from_le_bytes(*length)).unwrap_or(0));
        if stored > 0 && (length > stored.saturating_mul(most) || !is_available(length)) {
            return Err("a compressed buffer states a length that is too large for its bytes".into());
        }
    }
    Ok(())
}

/// Returns whether the system would provide this number of bytes of memory.
fn is_available(length: u64) -> bool {
    usize::try_from(length).is_ok_and(|length| Vec::<u8>::new().try_reserve_exact(length).is_ok())
}

/// Returns the number of rows in a record batch. The message must be a record batch.
fn rows_of_message(bytes: &[u8]) -> Result<usize, Failure> {
    let message = message_of(bytes)?;
    let batch =
        message.header_as_record_batch().ok_or("its list of record batches contains another message")?;
    Ok(usize::try_from(batch.length())?)
}

/// An open Arrow file.
struct ArrowFile {
    file: File,
    schema: SchemaRef,
    decoder: FileDecoder,
    batches: Vec<Block>,
    /// Number of rows of each record batch.
    rows: Vec<usize>,
    /// The last record batch that was read, and its number.
    current: Option<(usize, RecordBatch)>,
}

impl ArrowFile {
    fn open(file: File) -> Result<ArrowFile, Failure> {
        let listed = ArrowFooter::read(&file)?;
        let schema = Arc::new(listed.schema()?);
        let mut decoder = FileDecoder::new(Arc::clone(&schema), listed.version(&file)?);
        for block in &listed.dictionaries {
            let bytes = read_block(&file, block, block_length(block))?;
            check_lengths(block, &bytes)?;
            decoder.read_dictionary(block, &bytes)?;
        }
        let rows = |block: &Block| {
            let message = read_block(&file, block, u64::try_from(block.metaDataLength()).ok())?;
            rows_of_message(&message)
        };
        let rows = listed.batches.iter().map(rows).collect::<Result<Vec<_>, Failure>>()?;
        Ok(ArrowFile { file, schema, decoder, batches: listed.batches, rows, current: None })
    }

    /// Returns a record batch. This record batch is kept in memory until another record batch is requested.
    fn batch(&mut self, number: usize) -> Result<&RecordBatch, Failure> {
        if self.current.as_ref().is_none_or(|(current, _)| *current != number) {
            self.current = None;
            let block = &self.batches[number];
            let bytes = read_block(&self.file, block, block_length(block))?;
            check_lengths(block, &bytes)?;
            let batch = self.decoder.read_record_batch(block, &bytes)?.ok_or("a record batch is empty")?;
            if batch.num_rows() != self.rows[number] {
                return Err("a record batch does not have the stated number of rows".into());
            }
            self.current = Some((number, batch));
        }
        self.current.as_ref().map(|(_, batch)| batch).ok_or_else(|| "no record batch".into())
    }
}

/// Reads the first `length` bytes of a block. The block must lie in the file.
fn read_block(mut file: &File, block: &Block, length: Option<u64>) -> Result<arrow_buffer::Buffer, Failure> {
    let length = usize::try_from(length.ok_or("a length is negative")?)?;
    file.seek(SeekFrom::Start(u64::try_from(block.offset())?))?;
    // This buffer is aligned for numbers of any type.
    let mut bytes = MutableBuffer::from_len_zeroed(length);
    file.read_exact(&mut bytes)?;
    Ok(bytes.into())
}

impl TableFile for ArrowFile {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn group_rows(&self) -> Vec<usize> {
        self.rows.clone()
    }

    /// Returns a rough upper bound of the size of the longest row as text. The size in memory would be too low: rows may be much longer as
    /// text, and rows that share a value in memory get separate copies of it. If the batch can't be read, returns 1, and
    /// [`TableFile::read`] reports the error later.
    fn row_bytes(&mut self, group: usize) -> u64 {
        self.batch(group).map_or(1, longest_row)
    }

    fn sample(&mut self, rows: usize) -> Result<RecordBatch, Failure> {
        let (mut batches, mut missing) = (Vec::new(), rows);
        for number in 0..self.batches.len() {
            if missing == 0 {
                break;
            }
            let batch = self.batch(number)?;
            let some = batch.slice(0, batch.num_rows().min(missing));
            missing -= some.num_rows();
            batches.push(some);
        }
        Ok(concat_batches(&self.schema, &batches)?)
    }

    fn read(&mut self, group: usize, rows: Range<usize>, _at_once: usize) -> Result<RecordBatch, Failure> {
        Ok(self.batch(group)?.slice(rows.start, rows.len()))
    }
}
