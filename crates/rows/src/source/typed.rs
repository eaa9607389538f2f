//! Typed rows: the traits for packages with formats that are not text, such as Parquet.
//!
//! ```text
//! RowSource    one open input: divides its rows into pieces, and reads the wanted rows     (the reader's thread)
//! TypedRows    the rows of one piece: converts them to puzzles, and to text if requested    (a worker)
//! TypedLayout  the columns of all inputs
//! ```

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::sync::{Arc, OnceLock};

use super::InputFormat;
use super::csv::CsvLayout;
use super::error::SourceError;
use super::input::Input;
use super::options::{BlockSize, Options};
use super::parsed::ParsedBlock;

/// A format whose rows have typed columns.
#[derive(Clone, Copy, Debug)]
pub struct TypedFormat {
    /// The format. It must have magic bytes, because its files are recognised by them.
    pub format: InputFormat,
    /// Opens a file of the format.
    pub open: OpenRows,
}

/// Opens a file of typed rows. The name of the input is for messages.
pub type OpenRows = fn(&Input, File) -> Result<Box<dyn RowSource>, SourceError>;

static FORMATS: OnceLock<&'static [TypedFormat]> = OnceLock::new();

/// Adds the formats of another package. Later calls have no effect.
pub(crate) fn add(formats: &'static [TypedFormat]) {
    super::add(formats.iter().map(|typed| typed.format).collect());
    let _ = FORMATS.set(formats);
}

/// Finds the format of typed rows by its magic bytes at the start of a file.
pub(super) fn find(start: &[u8]) -> Option<TypedFormat> {
    let has_magic =
        |typed: &&TypedFormat| typed.format.magic.is_some_and(|magic| start.starts_with(magic.bytes));
    FORMATS.get()?.iter().find(has_magic).copied()
}

/// An open input whose rows have types. Rows are numbered from 0.
pub trait RowSource: Send {
    /// Finds the columns. Called only for the first input.
    ///
    /// # Errors
    ///
    /// [`SourceError`], for example if the rows can't be read, if no column with puzzles is found, or if a requested column does not exist.
    fn layout(&mut self, input: &Input, options: &Options) -> Result<TypedLayout, SourceError>;

    /// Compares the columns of a later input with the columns of the first one. If they differ, describes the columns of this input and of
    /// the first one.
    fn difference(&self, first: &TypedLayout) -> Option<(String, String)>;

    /// Returns the number of rows.
    fn rows(&self) -> u64;

    /// Returns the first row, at or after `row`, at which a shard may start.
    fn cut_at_or_after(&self, row: u64) -> u64;

    /// Goes to a row at which a shard may start. Call it before the first piece.
    fn start_at(&mut self, row: u64);

    /// Returns the first row that is in no piece yet.
    fn position(&self) -> u64;

    /// Cuts the next piece with about the size of a block, and returns its number of rows. `None` at the end.
    fn next_piece(&mut self, size: BlockSize) -> Option<u64>;

    /// Reads `rows` rows of the piece that [`next_piece`](RowSource::next_piece) cut last, after the first `skip` rows of the piece.
    ///
    /// # Errors
    ///
    /// The error of the decoder.
    fn read(&mut self, skip: u64, rows: u64) -> Result<Arc<dyn TypedRows>, Box<dyn Error + Send + Sync>>;

    /// Returns an estimate of the number of bytes of the input that the rows of all pieces so far occupy.
    fn bytes_read(&self) -> u64;
}

/// Consecutive typed rows.
pub trait TypedRows: Any + fmt::Debug + Send + Sync {
    /// Returns the number of rows.
    fn len(&self) -> usize;

    /// Returns whether there is no row.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the approximate number of bytes that the rows occupy in memory.
    fn bytes(&self) -> u64;

    /// Reads the puzzles and the expected solutions. The first row has the number `line`. `bytes` is empty before the call, and the ranges
    /// of the rows point into it. If `texts` is true, each row is stored in `bytes` as a line of CSV: see [`TypedLayout::columns`].
    /// Otherwise, only the expected solutions are stored in `bytes`.
    ///
    /// # Errors
    /// If the rows can't be read with the layout: the number of columns of the rows.
    fn parse(
        &self,
        layout: &TypedLayout,
        line: u64,
        texts: bool,
        bytes: &mut Vec<u8>,
        parsed: &mut ParsedBlock,
    ) -> Result<(), usize>;
}

/// The columns of typed rows.
#[derive(Clone, Debug)]
pub struct TypedLayout {
    /// The format of the first input.
    pub format: InputFormat,
    /// The columns of the rows after their conversion to CSV text.
    pub columns: CsvLayout,
    /// The type of each column, for messages and records.
    pub types: Vec<String>,
    /// For each column, whether its type is a number or a truth value. In JSON, such values are written without quotes, unless
    /// JSON lacks them, as it lacks infinity.
    pub are_literals: Vec<bool>,
    /// Additional data of the format's package.
    pub details: Arc<dyn Any + Send + Sync>,
}

impl TypedLayout {
    /// Returns the names of the columns.
    pub fn names(&self) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
        self.columns.header.iter().flat_map(|header| &header.names).map(|name| String::from_utf8_lossy(name))
    }
}

impl PartialEq for TypedLayout {
    fn eq(&self, other: &TypedLayout) -> bool {
        (self.format, &self.columns, &self.types) == (other.format, &other.columns, &other.types)
    }
}

impl Eq for TypedLayout {}
