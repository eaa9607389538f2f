//! One output row for every input row: formats that turn answered rows into bytes, and the places these go to.
//!
//! Formatting happens in the workers, into a buffer for each block; a [`Destination`] takes the buffers in order.

mod boj;
mod compress;
mod csv;
mod destination;
mod jsonl;
mod name;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;

pub use compress::Compression;
pub(crate) use compress::Compressor;
pub use csv::CsvFormat;
pub use destination::{Destination, DestinationError, Existing, Target, files_of, look};
pub use jsonl::JsonlFormat;
pub use name::{NameError, Promise};
pub use npy::NpyFormat;
#[cfg(feature = "parquet")]
pub use parquet::ParquetFormat;
#[cfg(feature = "parquet")]
pub(crate) use parquet::{BlockEncoder, EncodedBlock, ParquetOutput, TableFooter, TableJoin};

pub use crate::place::{FileIdentity, Place, folder_of};
pub use crate::resume::{Answered, Checkpoint, ResumeError, ResumeState, StoredJob};

use crate::answers::AnsweredRow;
use crate::columns::Column;
use crate::facts::Need;
use crate::source::Layout;

/// How rows are written.
#[derive(Clone, Debug)]
pub enum Format {
    /// Input columns untouched, then the chosen ones.
    Csv(CsvFormat),
    /// An object a line.
    Jsonl(JsonlFormat),
    /// The value of a column of grids a line.
    Lines(Column),
    /// Nine lines of nine digits, separated by one space, as BOJ 2580 wants them: the value of a column of grids.
    Boj2580(Column),
    /// Nine lines of nine digits, as BOJ 2239 wants them.
    Boj2239(Column),
    /// Input columns with their types, then the chosen ones.
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetFormat>),
    /// The values of a column of grids as an array.
    Npy(NpyFormat),
}

/// The output formats by name. Reads from its [name](OutputFormat::name).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub enum OutputFormat {
    /// The input's columns untouched, then the chosen columns.
    #[default]
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// 81 characters a line, of a solution unless a verb says otherwise; a row without one becomes a comment.
    Lines,
    /// Nine lines of nine digits separated by a space.
    Boj2580,
    /// Nine lines of nine digits.
    Boj2239,
    /// The input's columns with their types, then the chosen columns, in row groups.
    #[cfg(feature = "parquet")]
    Parquet,
    /// A NumPy array of the solutions, unless a verb says otherwise: 81 numbers a row, zeros where a row has none. Their status is not
    /// in it.
    Npy,
}

impl OutputFormat {
    /// All formats, in the order of every listing.
    pub const ALL: &'static [OutputFormat] = <OutputFormat as strum::VariantArray>::VARIANTS;

    /// The word that stands for it on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            OutputFormat::Csv => "the input's columns untouched, then the chosen columns",
            OutputFormat::Jsonl => "a JSON object a line",
            OutputFormat::Lines => "81 digits a line; a row without a solution becomes a comment",
            OutputFormat::Boj2580 => "nine lines of nine digits separated by a space",
            OutputFormat::Boj2239 => "nine lines of nine digits",
            #[cfg(feature = "parquet")]
            OutputFormat::Parquet => "the input's columns with their types, then the chosen columns",
            OutputFormat::Npy => {
                "a NumPy array (rows, 81) of uint8: the solutions alone, zeros for a row without one"
            }
        }
    }

    /// Whether it has columns to choose. The others are grids alone.
    pub fn has_columns(self) -> bool {
        match self {
            OutputFormat::Csv | OutputFormat::Jsonl => true,
            OutputFormat::Lines | OutputFormat::Boj2580 | OutputFormat::Boj2239 | OutputFormat::Npy => false,
            #[cfg(feature = "parquet")]
            OutputFormat::Parquet => true,
        }
    }

    /// Whether it is text, which can be compressed as it is written.
    pub fn is_text(self) -> bool {
        match self {
            OutputFormat::Npy => false,
            #[cfg(feature = "parquet")]
            OutputFormat::Parquet => false,
            _ => true,
        }
    }

    /// Whether it goes into a file alone: its head is known last.
    pub fn needs_file(self) -> bool {
        self == OutputFormat::Npy
    }

    /// Whether it is the judge's form of solutions.
    pub fn is_of_judge(self) -> bool {
        matches!(self, OutputFormat::Boj2580 | OutputFormat::Boj2239)
    }

    /// Returns the facts that the format needs besides those of the chosen columns. A format without columns holds the values of `grid`.
    pub fn needs(self, grid: &Column) -> &'static [Need] {
        if self.has_columns() { &[] } else { grid.needs }
    }
}

impl Format {
    /// A format for rows of `layout`, with the chosen columns where the format has columns, else with the values of `grid`. Rows
    /// that `have_forms` become others before they are written.
    pub fn new(
        format: OutputFormat,
        layout: &Layout,
        columns: &[Column],
        grid: Column,
        have_forms: bool,
    ) -> Format {
        #[cfg(not(feature = "parquet"))]
        let _ = have_forms;
        match format {
            OutputFormat::Csv => Format::Csv(CsvFormat::new(layout, columns)),
            OutputFormat::Jsonl => Format::Jsonl(JsonlFormat::new(layout, columns)),
            OutputFormat::Lines => Format::Lines(grid),
            OutputFormat::Boj2580 => Format::Boj2580(grid),
            OutputFormat::Boj2239 => Format::Boj2239(grid),
            #[cfg(feature = "parquet")]
            OutputFormat::Parquet => {
                Format::Parquet(Box::new(ParquetFormat::new(layout, columns, have_forms)))
            }
            OutputFormat::Npy => Format::Npy(NpyFormat::new(grid)),
        }
    }

    /// Whether it has columns, those of the input among them. The others are grids alone.
    pub fn has_columns(&self) -> bool {
        match self {
            Format::Csv(_) | Format::Jsonl(_) => true,
            Format::Lines(_) | Format::Boj2580(_) | Format::Boj2239(_) | Format::Npy(_) => false,
            #[cfg(feature = "parquet")]
            Format::Parquet(_) => true,
        }
    }

    /// Whether it has no place for a member of JSON lines that was not known when it was made.
    pub(crate) fn loses_member(&self, name: &str) -> bool {
        match self {
            Format::Jsonl(jsonl) => jsonl.adds(name),
            format => format.has_columns(),
        }
    }

    /// What stands before the first row.
    pub fn header(&self) -> &[u8] {
        match self {
            Format::Csv(csv) => csv.header(),
            Format::Npy(npy) => npy.head(),
            _ => &[],
        }
    }

    /// What takes the place of the [header](Format::header) in a whole file of so many bytes; nothing where it stays.
    pub(crate) fn whole_header(&self, bytes: u64) -> Option<Vec<u8>> {
        matches!(self, Format::Npy(_)).then(|| NpyFormat::whole_head(bytes))
    }

    /// Appends a row.
    #[inline]
    pub fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        match self {
            Format::Csv(csv) => csv.write(row, out),
            Format::Jsonl(jsonl) => jsonl.write(row, out),
            Format::Lines(grid) => boj::write_line(grid, row, out),
            Format::Boj2580(grid) => boj::write_grid(grid, row, b" ", out),
            Format::Boj2239(grid) => boj::write_grid(grid, row, b"", out),
            // Its rows become batches.
            #[cfg(feature = "parquet")]
            Format::Parquet(_) => {}
            Format::Npy(npy) => npy.write(row, out),
        }
    }
}
