//! Where puzzles come from: bytes -> blocks -> rows.
//!
//! ```text
//! Input    a file or standard input; decompressed if its first bytes say so         (raw, compressed)
//! Layout   format, delimiter, columns: found on the first 64 KiB of decoded text    (detect, columns)
//! Block    consecutive whole records of one input, cut by the reader's thread       (reader, inputs)
//! Parsed   what a worker makes of a block: one row a record, and the puzzles        (csv, lines, grid)
//! ```
//! The same inputs and options always give the same rows, whatever the block size and however the operating
//! system hands out the bytes.

mod columns;
mod compressed;
mod csv;
mod detect;
mod drawing;
mod error;
mod field;
mod grid;
mod inputs;
mod layout;
mod lines;
mod raw;
mod reader;
mod row;
mod table;
mod zip;

pub use compressed::Compression;
pub use error::SourceError;
pub use inputs::{InputRead, Source};
pub use layout::Layout;
pub use raw::hexadecimal;
pub use reader::Block;
pub use row::{ParsedBlock, Row, RowFault};

use std::fmt;
use std::path::PathBuf;

/// The longest record that is read as one, in bytes without its line end. A longer one is a single malformed
/// row, of which this many bytes are kept.
pub const MAX_RECORD: usize = 64 * 1024;

/// A place that puzzles are read from. Displays as `standard input` or as its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The process's standard input.
    Stdin,
    /// A file, or whatever else opens under this path.
    File(PathBuf),
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("standard input"),
            Input::File(path) => path.display().fmt(f),
        }
    }
}

/// How the rows of an input are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// Delimited columns, one of which holds 81 characters.
    Csv,
    /// 81 characters a line, perhaps a label before and a comment after.
    Lines,
    /// The same, as `.sdm` files have it.
    Sdm,
    /// Nine lines a puzzle, with `#` tags and `[Puzzle]` sections.
    Sdk,
    /// Nine lines a puzzle, perhaps drawn with `|` and `---+---` and under titles.
    Grid,
    /// Nine lines of nine digits with a space between them, 0 for a blank.
    Boj2580,
    /// Nine lines of nine digits, 0 for a blank.
    Boj2239,
}

impl InputFormat {
    /// All formats, in the order of every listing.
    pub const ALL: [InputFormat; 7] = [
        InputFormat::Csv,
        InputFormat::Lines,
        InputFormat::Sdm,
        InputFormat::Sdk,
        InputFormat::Grid,
        InputFormat::Boj2580,
        InputFormat::Boj2239,
    ];

    /// The word that stands for it on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            InputFormat::Csv => "csv",
            InputFormat::Lines => "lines",
            InputFormat::Sdm => "sdm",
            InputFormat::Sdk => "sdk",
            InputFormat::Grid => "grid",
            InputFormat::Boj2580 => "boj2580",
            InputFormat::Boj2239 => "boj2239",
        }
    }

    /// The grammar that reads it.
    pub(crate) fn grammar(self) -> Grammar {
        match self {
            InputFormat::Csv => Grammar::Csv,
            InputFormat::Lines | InputFormat::Sdm => Grammar::Lines,
            InputFormat::Sdk | InputFormat::Grid | InputFormat::Boj2580 | InputFormat::Boj2239 => {
                Grammar::Grids
            }
        }
    }
}

/// Several formats are spellings of one grammar; inputs of one grammar can be read one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    Csv,
    Lines,
    Grids,
}

/// A column of a CSV input, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnChoice {
    /// By the header's name for it, in any case.
    Name(String),
    /// By its number, from 1.
    Number(usize),
}

impl From<&str> for ColumnChoice {
    /// Digits alone are a number, everything else is a name.
    fn from(text: &str) -> ColumnChoice {
        let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if all_digits => ColumnChoice::Number(number),
            _ => ColumnChoice::Name(text.to_owned()),
        }
    }
}

impl fmt::Display for ColumnChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnChoice::Name(name) => write!(f, "named '{name}'"),
            ColumnChoice::Number(number) => write!(f, "number {number}"),
        }
    }
}

/// The size of blocks, in bytes of decoded text.
///
/// A block has a 32nd of what was read before it, between the two bounds: a small input is spread over the
/// threads, a large one has few blocks. A record longer than the bound still comes in one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// The size of the first block.
    pub min: usize,
    /// No block is cut larger; at most 1 GiB, a larger value means that.
    pub max: usize,
}

impl Default for BlockSize {
    fn default() -> BlockSize {
        BlockSize { min: 32 * 1024, max: 1024 * 1024 }
    }
}

/// What the user says about the inputs. The default finds everything out and reads everything.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format. `None`: from the content.
    pub format: Option<InputFormat>,
    /// The byte between columns. `None`: the one of `,` TAB `;` that fits the content.
    pub delimiter: Option<u8>,
    /// The column of the puzzle. `None`: from the header, else from the content.
    pub puzzle_column: Option<ColumnChoice>,
    /// The column of the expected solution. `None`: from the header, else from the content, else none.
    pub solution_column: Option<ColumnChoice>,
    /// Whether the first record of a CSV input names the columns. `None`: from the content.
    pub header: Option<bool>,
    /// Leave out this many rows at the start, malformed ones included, counted over all inputs.
    pub skip: u64,
    /// Stop after this many rows. `None`: no limit.
    pub limit: Option<u64>,
    /// Digest each input as it is read, to its end even where `limit` stops before it.
    pub hash: bool,
    /// How large blocks are.
    pub block: BlockSize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_digits_is_a_number() {
        assert_eq!(ColumnChoice::from("12"), ColumnChoice::Number(12));
        for name in ["", "puzzle", "1a", "+1", "99999999999999999999999"] {
            assert_eq!(ColumnChoice::from(name), ColumnChoice::Name(name.to_owned()));
        }
    }
}
