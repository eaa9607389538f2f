//! Files of tables as sources of rows: the rows of each group, in pieces.

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

/// What a decoder says.
pub(super) type Failure = Box<dyn Error + Send + Sync>;

/// Bytes that a row is taken to have, where sizes of blocks are in bytes: those of a puzzle and its solution in CSV.
const ROW_BYTES: usize = 164;

/// Bytes that the rows of a piece may have when they are decoded, roughly. One of a few columns has far less.
const PIECE_BYTES: u64 = 16 << 20;

/// A file whose rows are in groups: all that a format has to implement to be read. Where a method panics, that becomes an error.
pub(super) trait TableFile: Send + 'static {
    /// Returns the columns.
    fn schema(&self) -> &SchemaRef;

    /// Returns the number of rows of each group.
    fn group_rows(&self) -> Vec<usize>;

    /// Returns the bytes that a row of a group takes when it is decoded, and as text; at least 1.
    fn row_bytes(&mut self, group: usize) -> u64;

    /// Returns the first rows, this many at most.
    fn sample(&mut self, rows: usize) -> Result<RecordBatch, Failure>;

    /// Returns these rows of a group. They are asked for in order, though not each; `at_once` is how many are asked for at most.
    fn read(&mut self, group: usize, rows: Range<usize>, at_once: usize) -> Result<RecordBatch, Failure>;
}

/// How the files of a format are opened.
pub(super) struct Opening<F> {
    pub(super) format: InputFormat,
    /// How another program makes a file of one that cannot be read.
    pub(super) remedy: &'static str,
    /// Reads what the file says of itself.
    pub(super) open: fn(File) -> Result<F, Failure>,
}

/// A file of a table, read from its first row to its last.
pub(super) struct TableSource<F: 'static> {
    file: F,
    opening: &'static Opening<F>,
    /// The size of the file in bytes.
    bytes: u64,
    /// The rows of each group.
    groups: Vec<usize>,
    /// All rows.
    rows: u64,
    /// The group that the next piece is of.
    group: usize,
    /// The rows of it that came in pieces.
    in_group: usize,
    /// The rows of the groups before it.
    before: u64,
    /// The group of the last piece, its rows, and how many a piece of the group has at most.
    piece: (usize, Range<usize>, usize),
}

impl<F: TableFile> TableSource<F> {
    /// Opens a file.
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

    /// Rows of a piece of a group: a small file is spread over the threads, a large one has few pieces. What else stands in the rows,
    /// such as images, may be large.
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
        let is = self.format.spec().mark.map_or(self.format.name(), |mark| mark.is);
        SourceError::Damaged { input: input.clone(), is, remedy: self.remedy, source }
    }
}

impl<F: TableFile> RowSource for TableSource<F> {
    fn layout(&mut self, input: &Input, options: &Options) -> Result<TypedLayout, SourceError> {
        let sample = guarded(|| self.file.sample(SAMPLE_ROWS));
        let sample = sample.map_err(|source| self.opening.refusal(input, source))?;
        // The batches' schema lacks what the file says of itself.
        let schema = Arc::clone(self.file.schema());
        let table = TableLayout { schema, ..TableLayout::of(input, &sample, options)? };
        Ok(FileLayout { group_rows: self.groups.first().copied().unwrap_or(0), table }
            .typed(self.opening.format))
    }

    fn difference(&self, first: &TypedLayout) -> Option<(String, String)> {
        let (found, file) = (self.file.schema(), first.details.downcast_ref::<FileLayout>());
        let Some(wanted) = file.map(|file| &file.table.schema) else {
            return Some((columns_of(found), first.format.name().to_owned()));
        };
        // What else a file says of itself, and of its columns, differs from file to file.
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

    fn cut_behind(&self, row: u64) -> u64 {
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
        // Both are below the rows of the piece.
        Ok(Arc::new(TableRows(batch.slice(skip as usize, rows as usize))))
    }

    fn bytes_read(&self) -> u64 {
        if self.rows == 0 {
            // All that there is to read has been read.
            return self.bytes;
        }
        let share = self.position() as f64 / self.rows as f64;
        (self.bytes as f64 * share.min(1.0)) as u64
    }
}

/// The layout of a file of a table, kept in the details of a [`TypedLayout`].
pub(super) struct FileLayout {
    pub(super) table: TableLayout,
    /// The rows of the first group, which tells how large the one who wrote the file likes them; 0 where there is none.
    pub(super) group_rows: usize,
}

impl FileLayout {
    /// The layout of a run's inputs, if they are files of tables.
    pub(super) fn of(layout: &Layout) -> Option<&FileLayout> {
        if let Layout::Typed(typed) = layout { typed.details.downcast_ref() } else { None }
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
    /// The rows of a block, if they are of a table.
    pub(super) fn of(block: &Block) -> Option<&RecordBatch> {
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
        // What cannot be told is no more than it takes in memory.
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

/// Makes an error of a panic: the decoder trusts in more than a file may hold.
fn guarded<T>(read: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
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
        Err(words.unwrap_or_else(|| "the decoder gave up".to_owned()).into())
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
