//! Output formats: the entries of the table of formats (`FormatSpec`), and a format that is set up for one run (`RowFormat`).

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use super::destination::{Destination, DestinationError};
use super::name::Ending;
use super::row_sink::{RowFormatter, RowSink};
use crate::columns::Column;
use crate::option_error::OptionError;
use crate::source::Layout;

/// [`FormatSpec::largest_block`] of the formats in this package.
const LARGEST_TEXT_BLOCK: usize = 256 * 1024;

/// Properties of an output format.
#[derive(Clone, Copy, Debug)]
pub struct FormatSpec {
    /// The name on the command line and in records.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// The file name extensions of the format.
    pub endings: &'static [Ending],
    /// Whether the format has columns to choose. A format without columns contains one board for each row: see [`FormatSetup::grid`].
    pub has_columns: bool,
    /// Whether the delimiter of a CSV input separates the columns of the output too.
    pub keeps_delimiter: bool,
    /// Whether the output is text, which can be compressed while it is written.
    pub is_text: bool,
    /// Whether the output consists only of the bytes of the rows, possibly after a header. If so, the rows can be sorted.
    pub is_row_by_row: bool,
    /// Whether an online judge expects solutions in this format: problem 2580 or 2239 of Baekjoon Online Judge (BOJ).
    pub is_of_judge: bool,
    /// Largest number of bytes of an input block, unless a batch of the solver needs a larger block.
    pub largest_block: usize,
    /// For a format whose header depends on the size of the file: returns the header of a complete file with this number of bytes. For 0
    /// bytes, returns the header that a file has until it is complete. A format with this function can only be written to a file.
    pub sized_header: Option<fn(u64) -> Vec<u8>>,
    /// Joins the outputs of shards. `None`: the rows of all outputs are concatenated after a single header.
    pub join: Option<JoinParts>,
    /// Sets up the format for a run.
    pub set_up: fn(&FormatSetup) -> Box<dyn RowFormat>,
}

impl FormatSpec {
    /// Returns the entry of a text format without columns.
    pub const fn text(
        name: &'static str,
        about: &'static str,
        set_up: fn(&FormatSetup) -> Box<dyn RowFormat>,
    ) -> FormatSpec {
        FormatSpec {
            name,
            about,
            endings: &[],
            has_columns: false,
            keeps_delimiter: false,
            is_text: true,
            is_row_by_row: true,
            is_of_judge: false,
            largest_block: LARGEST_TEXT_BLOCK,
            sized_header: None,
            join: None,
            set_up,
        }
    }
}

/// The settings that decide the format of a run's output.
#[derive(Clone, Copy, Debug)]
pub struct FormatSetup<'a> {
    /// The format.
    pub spec: &'static FormatSpec,
    /// Layout of the input rows.
    pub layout: &'a Layout,
    /// The columns to add, if the format has columns.
    pub columns: &'a [Column],
    /// The column whose boards are written if the format has no columns.
    pub grid: Column,
    /// Whether rows are transformed before they are written.
    pub has_forms: bool,
}

/// An output format, set up for the rows of one run.
pub trait RowFormat: Send + Sync {
    /// Checks that the format supports the columns of the rows. Called before the output is opened.
    ///
    /// # Errors
    ///
    /// [`OptionError`] if the format does not support them.
    fn check(&self) -> Result<(), OptionError> {
        Ok(())
    }

    /// Returns the bytes before the first row. Empty if the format has no header, or if its sink writes the header.
    fn header(&self) -> &[u8] {
        &[]
    }

    /// Returns whether the output has a place for a JSON member that was not known when the format was set up. Not called for formats
    /// without columns.
    fn member_place(&self, _name: &str) -> MemberPlace {
        MemberPlace::Missing
    }

    /// Makes the formatter of one worker.
    ///
    /// # Errors
    /// [`io::Error`] if the formatter cannot be made.
    fn formatter(&self) -> io::Result<Box<dyn RowFormatter>>;

    /// Opens the sink that writes to `destination`. If the sink continues a partial file, `footer` is the data that the sink of the earlier
    /// run stored with its checkpoint.
    ///
    /// # Errors
    /// [`DestinationError`] if the partial file cannot be continued.
    fn open<'w>(
        &self,
        destination: Destination<'w>,
        footer: Option<&str>,
    ) -> Result<Box<dyn RowSink + 'w>, DestinationError>;
}

/// The place in the output for a member of a JSON object, if this member was not known when the format was set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberPlace {
    /// The row keeps the member.
    Kept,
    /// An added column has the name of the member.
    Taken,
    /// The output has no column for the member.
    Missing,
}

/// Functions that join the outputs of shards, for formats whose files can't be concatenated.
#[derive(Clone, Copy, Debug)]
pub struct JoinParts {
    /// Checks that the parts can become one file. Returns a sentence for each fault.
    pub check: fn(&[&Path]) -> Vec<String>,
    /// Starts the merged output, which is written to the given writer.
    pub start: for<'w> fn(Box<dyn Write + Send + 'w>) -> Box<dyn PartJoiner + 'w>,
}

/// Joins the outputs of shards, part by part.
pub trait PartJoiner {
    /// Adds the next part, and reads it from its first byte to its last.
    ///
    /// # Errors
    ///
    /// The error of the reader or of the writer, or the fault of the part.
    fn add(&mut self, part: &mut dyn PartReader) -> io::Result<()>;

    /// Completes the file.
    ///
    /// # Errors
    /// The error of the writer.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The output of a shard. Its bytes are read once, from start to end, and the reader checks them.
pub trait PartReader: Read + Send {
    /// Returns the file of the part. Bytes that you read directly from the file are not checked. Set the file back to its start before you
    /// read the part.
    fn file(&mut self) -> &mut File;
}
