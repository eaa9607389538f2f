//! Table files as sources of rows: the rows of each group, divided into pieces.

use std::any::Any;
use std::cell::Cell;
use std::error::Error;
use std::fs::File;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Once};

use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_schema::{Field, FieldRef, Schema, SchemaRef};
use sudobench_rows::source::{
    Block, BlockSize, Input, InputFormat, Layout, Options, ParsedBlock, RowSource, SourceError, TypedLayout,
    TypedRows,
};

use crate::layout::{SAMPLE_ROWS, TableLayout};

/// An error of a decoder.
pub(super) type Failure = Box<dyn Error + Send + Sync>;

/// Assumed number of bytes of a row, to convert sizes of blocks from bytes to rows: the length of a puzzle and its solution in CSV.
const ROW_BYTES: usize = 164;

/// Approximate limit of the decoded bytes of a piece. A piece with few columns is usually far smaller.
const PIECE_BYTES: u64 = 16 << 20;

/// A file whose rows are in groups: row groups in Parquet files, record batches in Arrow files. Each table format that can be read
/// implements this trait. A panic in [`TableFile::sample`] or [`TableFile::read`] becomes an error.
pub(super) trait TableFile: Send + 'static {
    fn schema(&self) -> &SchemaRef;

    fn group_rows(&self) -> Vec<usize>;

    /// Returns an estimate of the number of bytes of a row of a group, at least 1. Depending on the format, this is the size of the decoded
    /// values or of the row's text.
    fn row_bytes(&mut self, group: usize) -> u64;

    /// Returns the first rows, at most this many.
    fn sample(&mut self, rows: usize) -> Result<RecordBatch, Failure>;

    /// Returns these rows of a group. The first call for a group can start at any row of the group. Each later call for the group starts
    /// where the rows of the previous call end. `at_once` is the largest number of rows in a call for this group.
    fn read(&mut self, group: usize, rows: Range<usize>, at_once: usize) -> Result<RecordBatch, Failure>;
}

/// How to open files of a format.
pub(super) struct Opening<F> {
    pub(super) format: InputFormat,
    /// The end of the message about a file that can't be read ([`SourceError::Damaged`]): how to write the file again with another program,
    /// including an example of a command.
    pub(super) remedy: &'static str,
    /// Opens a file and reads its metadata.
    pub(super) open: fn(File) -> Result<F, Failure>,
}

/// A file of a table, read in the order of its rows.
pub(super) struct TableSource<F: 'static> {
    file: F,
    opening: &'static Opening<F>,
    /// Number of bytes of the file.
    bytes: u64,
    /// Number of rows of each group.
    groups: Vec<usize>,
    rows: u64,
    /// The group of the most recent piece or, before the first piece, the group at which the source starts. If no rows of this group are
    /// left, the next piece starts in a later group.
    group: usize,
    /// Number of rows of the group `group` that were in earlier pieces.
    in_group: usize,
    /// Number of rows in the groups before the group `group`.
    before: u64,
    /// The piece that [`RowSource::next_piece`] returned last: its group, its rows, and the largest number of rows of a piece of this
    /// group.
    piece: (usize, Range<usize>, usize),
}

impl<F: TableFile> TableSource<F> {
    pub(super) fn open(
        input: &Input,
        file: File,
        opening: &'static Opening<F>,
    ) -> Result<Box<dyn RowSource>, SourceError> {
        let open = || {
            let bytes = file.metadata()?.len();
            let file = (opening.open)(file)?;
            let groups = file.group_rows();
            let rows = groups.iter().map(|&rows| rows as u64).sum();
            Ok(TableSource {
                file,
                opening,
                bytes,
                groups,
                rows,
                group: 0,
                in_group: 0,
                before: 0,
                piece: (0, 0..0, 1),
            })
        };
        Ok(Box::new(guarded(open).map_err(|source| opening.refusal(input, source))?))
    }

    /// Returns the number of rows of a piece of a group. A small file is divided into several pieces for the threads; the pieces of a large
    /// file are as large as a block may be. Pieces of rows with large values, such as images, are smaller.
    fn piece_rows(&mut self, group: usize, BlockSize { min, max }: BlockSize) -> usize {
        let share = usize::try_from(self.rows).unwrap_or(usize::MAX) / 32;
        let rows = share.clamp((min / ROW_BYTES).max(1), (max / ROW_BYTES).max(1));
        let row_bytes = guarded(|| Ok(self.file.row_bytes(group))).unwrap_or(1);
        let in_memory = PIECE_BYTES / row_bytes.max(1);
        rows.min(usize::try_from(in_memory).unwrap_or(usize::MAX).max(1))
    }
}

impl<F> Opening<F> {
    fn refusal(&self, input: &Input, source: Failure) -> SourceError {
        let is = self.format.magic.map_or(self.format.name(), |magic| magic.is);
        SourceError::Damaged { input: input.clone(), is, remedy: self.remedy, source }
    }
}

impl<F: TableFile> RowSource for TableSource<F> {
    fn layout(&mut self, input: &Input, options: &Options) -> Result<TypedLayout, SourceError> {
        let sample = guarded(|| self.file.sample(SAMPLE_ROWS));
        let sample = sample.map_err(|source| self.opening.refusal(input, source))?;
        // The schema of the file is used, because the schema of a sample from a Parquet file lacks the metadata of the file.
        let schema = Arc::clone(self.file.schema());
        let table = TableLayout { schema, ..TableLayout::new(input, &sample, options)? };
        Ok(FileLayout { group_rows: self.groups.first().copied().unwrap_or(0), table }
            .typed(self.opening.format))
    }

    fn difference(&self, first: &TypedLayout) -> Option<(String, String)> {
        let (found, file) = (self.file.schema(), first.details.downcast_ref::<FileLayout>());
        let Some(wanted) = file.map(|file| &file.table.schema) else {
            return Some((columns_of(found), first.format.name().to_owned()));
        };
        // Names and types are compared, and whether nulls are allowed. Metadata of files and columns often differs, so it is not compared.
        let fits = |(found, wanted): (&FieldRef, &FieldRef)| {
            found.name() == wanted.name()
                && found.data_type() == wanted.data_type()
                && (wanted.is_nullable() || !found.is_nullable())
        };
        let is_same = found.fields().len() == wanted.fields().len()
            && found.fields().iter().zip(wanted.fields()).all(fits);
        (!is_same).then(|| (columns_of(found), columns_of(wanted)))
    }

    fn rows(&self) -> u64 {
        self.rows
    }

    fn cut_at_or_after(&self, row: u64) -> u64 {
        let mut start = 0;
        for &rows in &self.groups {
            if start >= row {
                break;
            }
            start += rows as u64;
        }
        start
    }

    fn start_at(&mut self, row: u64) {
        while self.before < row && self.group < self.groups.len() {
            self.before += self.groups[self.group] as u64;
            self.group += 1;
        }
    }

    fn position(&self) -> u64 {
        self.before + self.in_group as u64
    }

    fn next_piece(&mut self, size: BlockSize) -> Option<u64> {
        while self.group < self.groups.len() && self.in_group == self.groups[self.group] {
            self.before += self.in_group as u64;
            (self.group, self.in_group) = (self.group + 1, 0);
        }
        let rows = *self.groups.get(self.group)?;
        let at_once = self.piece_rows(self.group, size);
        let end = rows.min(self.in_group + at_once);
        self.piece = (self.group, self.in_group..end, at_once);
        let count = end - self.in_group;
        self.in_group = end;
        Some(count as u64)
    }

    fn read(&mut self, skip: u64, rows: u64) -> Result<Arc<dyn TypedRows>, Failure> {
        let TableSource { file, piece: (group, in_group, at_once), .. } = self;
        let batch = guarded(|| file.read(*group, in_group.clone(), *at_once))?;
        // These casts are safe, because neither number exceeds the number of rows of the piece.
        Ok(Arc::new(TableRows(batch.slice(skip as usize, rows as usize))))
    }

    fn bytes_read(&self) -> u64 {
        if self.rows == 0 {
            // If there are no rows, nothing is left to read.
            return self.bytes;
        }
        let share = self.position() as f64 / self.rows as f64;
        (self.bytes as f64 * share.min(1.0)) as u64
    }
}

/// The layout of a file of a table, kept in the details of a [`TypedLayout`].
pub(super) struct FileLayout {
    pub(super) table: TableLayout,
    /// Number of rows of the first group, which shows how large the writer of the file makes groups; 0 if there is no group.
    pub(super) group_rows: usize,
}

impl FileLayout {
    /// Returns the layout of a run's inputs, if they are table files.
    pub(super) fn from_layout(layout: &Layout) -> Option<&FileLayout> {
        layout.typed()?.details.downcast_ref()
    }

    fn typed(self, format: InputFormat) -> TypedLayout {
        let types = self.table.schema.fields().iter().map(|field| field.data_type().to_string());
        TypedLayout {
            format,
            columns: self.table.as_csv(),
            types: types.collect(),
            are_literals: self.table.are_literals(),
            details: Arc::new(self),
        }
    }
}

/// Consecutive rows of a table.
#[derive(Debug)]
pub(super) struct TableRows(RecordBatch);

impl TableRows {
    /// Returns the rows of a block, if they are rows of a table.
    pub(super) fn from_block(block: &Block) -> Option<&RecordBatch> {
        let rows: &dyn Any = block.typed.as_ref()?.rows.as_ref();
        rows.downcast_ref().map(|TableRows(batch)| batch)
    }
}

impl TypedRows for TableRows {
    fn len(&self) -> usize {
        self.0.num_rows()
    }

    fn bytes(&self) -> u64 {
        let columns = self.0.columns().iter();
        // If the size of the slice is unknown, the size of the whole array is used, which is at least as large.
        let bytes = |column: &ArrayRef| {
            column.to_data().get_slice_memory_size().unwrap_or_else(|_| column.get_array_memory_size())
        };
        columns.map(bytes).sum::<usize>() as u64
    }

    fn parse(
        &self,
        layout: &TypedLayout,
        line: u64,
        texts: bool,
        bytes: &mut Vec<u8>,
        parsed: &mut ParsedBlock,
    ) -> Result<(), usize> {
        let file: Option<&FileLayout> = layout.details.downcast_ref();
        let read = file.and_then(|file| file.table.parse(&self.0, line, texts, bytes, parsed).ok());
        read.ok_or(self.0.num_columns())
    }
}

/// Turns a panic into an error. The decoder trusts that files are well-formed, so a damaged file can make it panic.
fn guarded<T>(read: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    thread_local! {
        static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    }
    static SILENCE: Once = Once::new();
    // A panic that becomes an error must not be printed.
    SILENCE.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                report(panic);
            }
        }));
    });
    IS_GUARDED.set(true);
    // `AssertUnwindSafe` is correct here, because the panic drops all unfinished work.
    let ended = std::panic::catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    ended.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<&str>().map(|message| (*message).to_owned());
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(message.unwrap_or_else(|| "the decoder failed".to_owned()).into())
    })
}

/// Lists the columns with their types for messages.
fn columns_of(schema: &Schema) -> String {
    let describe = |field: &Field| {
        let never_null = if field.is_nullable() { "" } else { " not null" };
        format!("{} {}{never_null}", field.name(), field.data_type())
    };
    let columns: Vec<String> = schema.fields().iter().map(|field| describe(field)).collect();
    format!("columns `{}`", columns.join(", "))
}
