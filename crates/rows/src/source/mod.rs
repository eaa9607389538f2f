//! Reads puzzles: bytes -> blocks -> rows.
//!
//! ```text
//! Source       all inputs as one sequence of blocks                                    (inputs)
//! Input        a file, standard input, a reader or rows in memory; its bytes are counted (and digested if requested),
//!              and a file that changes while it is read is noticed                     (raw, rows, waiting, state, replay)
//! Stream       one open input                                                      (stream)
//! text         the input's bytes, decompressed if they are compressed                  (compressed)
//!              for an array, its rows as lines of text                               (npy)
//! InputFormat  a format of the table below; its InputSpec has the reader that recognises it (format)
//! Layout       format, delimiter, columns: detected from the first 64 KiB of the text  (detect, sample, columns)
//! Block        consecutive complete records of one input, cut by the reader's thread   (reader, overlong)
//! typed        rows of formats that are not text, such as Parquet                      (typed)
//! Recipe       generated puzzles: blocks have the puzzles' numbers, workers make the puzzles (made)
//! ParsedBlock  a block parsed by a worker: a row for each record, and the puzzles      (layout: csv, jsonl, lines, grid)
//! ```
//! Common types are in `input`, `options`, `block` and `error`. Physical lines are in `text`, and formats that are recognised but not read
//! are in `refused`.
//!
//! The same inputs and options always give the same rows, for any block size and any sizes of reads.

mod alike;
mod block;
mod boards;
mod column_choice;
mod columns;
mod compressed;
mod csv;
mod csv_layout;
mod detect;
mod error;
mod fault;
mod format;
mod grid;
mod input;
mod inputs;
mod jsonl;
mod jsonl_layout;
mod layout;
mod lines;
mod made;
mod npy;
mod options;
mod overlong;
mod parsed;
mod raw;
mod reader;
mod refused;
mod replay;
mod rows;
mod sample;
mod spreadsheet;
mod state;
mod stream;
mod text;
mod typed;
mod typed_layout;
mod waiting;

pub use block::{Block, TypedPiece};
pub(crate) use boards::{RowBoards, read_board};
pub use column_choice::ColumnChoice;
pub use columns::{Chosen, Record, choose, find_column};
pub use csv::{CsvHeader, CsvLayout, push_field};
pub use error::SourceError;
pub use fault::RowFault;
pub use format::{InputSpec, Magic, TextReader};
pub use grid::read_text;
pub use input::{Input, InputCompression};
pub use inputs::Source;
pub(crate) use jsonl::{read_prediction, read_solution};
pub(crate) use layout::RowText;
pub use layout::{Layout, ResolvedLayout};
pub use made::Recipe;
pub(crate) use made::write_rows;
pub use options::{BlockSize, Options};
pub use parsed::{MAX_RECORD, ParsedBlock, Row, RowRanges};
pub use replay::Replay;
pub use spreadsheet::{ReadPuzzle, read_puzzle};
pub(crate) use state::InputState;
pub use stream::InputRead;
pub(crate) use typed::add as add_typed;
pub use typed::{OpenRows, RowSource, TypedFormat, TypedLayout, TypedRows};

use crate::as_text;

/// An input format: an entry of the table of formats. Its text form is its [name](InputFormat::name).
#[derive(Clone, Copy)]
pub struct InputFormat(&'static InputSpec);

// Help texts and documentation list the formats in this order.
as_text::format_table! {
    InputFormat, InputSpec, "input format";
    /// Delimited columns, one of them with 81 characters.
    CSV => InputSpec::text("csv", csv_layout::READER),
    /// A JSON object on each line.
    JSONL => InputSpec::text("jsonl", jsonl_layout::READER),
    /// 81 characters on each line, possibly with a label before the puzzle and a comment after the puzzle.
    LINES => InputSpec::text("lines", lines::READER),
    /// The same as the format `lines`, for `.sdm` files.
    SDM => InputSpec::text("sdm", lines::READER),
    /// Nine lines for each puzzle, with `#` tags and `[Puzzle]` sections.
    SDK => InputSpec::text("sdk", grid::READER),
    /// Nine lines for each puzzle, possibly drawn with `|` and `---+---`, and with titles.
    GRID => InputSpec::text("grid", grid::READER),
    /// Nine lines of nine digits with a space between them, 0 for a blank.
    BOJ2580 => InputSpec::text("boj2580", grid::READER),
    /// Nine lines of nine digits, 0 for a blank.
    BOJ2239 => InputSpec::text("boj2239", grid::READER),
    /// A NumPy array with 81 numbers or a text for each row.
    NPY => npy::NPY,
}

impl InputFormat {
    /// Returns the description of an input of this format for messages, if the format has magic bytes.
    fn magic_name(self) -> Option<&'static str> {
        self.0.magic.map(|magic| magic.is)
    }

    /// If the extension of `name` belongs to a format that isn't read from zip archives, returns what messages call a file of this format,
    /// such as `a Parquet file`. Otherwise returns `None`.
    fn named_like(name: &str) -> Option<&'static str> {
        let (_, end) = name.rsplit_once('.')?;
        let has_ending =
            |format: &InputFormat| format.0.endings.iter().any(|ending| ending.eq_ignore_ascii_case(end));
        InputFormat::all().find(has_ending)?.magic_name()
    }
}
