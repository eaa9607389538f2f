//! Output formats and destinations.
//!
//! ```text
//! OutputFormat  a format of the table below, or of another package; refers to a FormatSpec
//! FormatSpec    the properties of a format; sets up a RowFormat for a run    (format.rs)
//! RowFormat     makes a RowFormatter for each worker, and opens a RowSink      (format.rs, row_sink.rs)
//! RowFormatter  turns the rows of a block into an OutputPiece, on any worker
//! RowSink       writes the pieces in order to a Destination                    (destination.rs)
//! ```
//! Most formats write one row after the other, and only implement `RowWriter` (`plain.rs`).

mod boards;
mod compress;
mod csv;
mod destination;
mod format;
mod jsonl;
mod name;
mod npy;
mod plain;
mod row_sink;

pub use boards::draw_board;
pub use compress::Compression;
pub(crate) use compress::Compressor;
pub use destination::{
    Completion, Destination, DestinationError, Existing, Target, check_target, discard_record, files_of,
};
pub use format::{FormatSetup, FormatSpec, JoinParts, MemberPlace, PartJoiner, PartReader, RowFormat};
pub(crate) use name::parts_hold_other;
#[cfg(feature = "clap")]
pub(crate) use name::usual_endings;
pub use name::{Ending, Promise};
pub use row_sink::{OutputPiece, RowFormatter, RowSink, WritePart};

pub use crate::output_rows::{OutputRows, PART_BYTES};
pub use crate::place::{Place, folder_of};
pub use crate::resume::{Answered, Checkpoint, ResumeError, ResumeState, StoredJob};

use crate::as_text;
use crate::columns::Column;
use crate::facts::Need;
use crate::source::Layout;

/// An output format: an entry of the table of formats. Its text form is its [name](OutputFormat::name).
#[derive(Clone, Copy)]
pub struct OutputFormat(&'static FormatSpec);

// Help texts and documentation list the formats in this order.
as_text::format_table! {
    OutputFormat, FormatSpec, "output format";
    /// The input's columns, then the chosen columns.
    CSV => csv::CSV,
    /// A JSON object on each line.
    JSONL => jsonl::JSONL,
    /// A line for each row: 81 characters of a solution, or of another board that the command writes, such as a puzzle. The word
    /// `multiple` follows the solution of a row with the status `multiple`. A row without a board becomes a comment.
    LINES => boards::LINES,
    /// Nine lines of nine digits separated by a space.
    BOJ2580 => boards::BOJ2580,
    /// Nine lines of nine digits.
    BOJ2239 => boards::BOJ2239,
    /// A drawn grid of each solution, or of another board that the command writes, such as a puzzle.
    GRID => boards::GRID,
    /// A NumPy array of the solutions, or of other boards that the command writes, such as puzzles: 81 numbers for each row, zeros for a
    /// row without a board. It has no statuses.
    NPY => npy::NPY,
}

impl Default for OutputFormat {
    /// Returns the first format of the table.
    fn default() -> OutputFormat {
        OutputFormat::OWN[0]
    }
}

impl OutputFormat {
    /// Returns the names of the formats for which `is_meant` is true, as a text for messages: `csv, jsonl and parquet`.
    pub(crate) fn names_of(is_meant: impl Fn(OutputFormat) -> bool) -> String {
        let meant = OutputFormat::all().filter(|format| is_meant(*format));
        name::list(meant.map(|format| format.name().to_owned()), "and")
    }

    /// Returns whether the format can only be written to a file, because its header is known only at the end.
    pub fn needs_file(self) -> bool {
        self.sized_header.is_some()
    }

    /// Returns what must be computed for the format in addition to the chosen columns. For a format without columns, this is what `grid`
    /// needs, because such a format writes the values of `grid`.
    pub fn needs(self, grid: &Column) -> &'static [Need] {
        if self.has_columns { &[] } else { grid.needs }
    }

    /// Sets up the format for rows of `layout`, with the chosen columns if the format has columns, otherwise with the values of `grid`.
    /// `has_forms`: whether rows are transformed before they are written.
    pub fn set_up(
        self,
        layout: &Layout,
        columns: &[Column],
        grid: Column,
        has_forms: bool,
    ) -> Box<dyn RowFormat> {
        let spec = self.0;
        (spec.set_up)(&FormatSetup { spec, layout, columns, grid, has_forms })
    }
}
