//! Reads puzzles: bytes -> blocks -> rows.
//!
//! ```text
//! Source       all inputs as one sequence of blocks                                    (inputs)
//! Input        a file, standard input, a reader or rows in memory: counted, digested, watched  (raw, rows, waiting, state, replay)
//! Stream       one open input                                                      (stream)
//! text         the input's bytes, decompressed if they are compressed                  (compressed)
//!              for an array, its rows as lines of text                               (npy)
//! Layout       format, delimiter, columns: detected from the first 64 KiB of the text  (detect, columns)
//! Block        consecutive complete records of one input, cut by the reader's thread   (reader, overlong)
//! typed        rows of formats that are not text, such as Parquet                      (typed)
//! Recipe       generated puzzles: blocks have their numbers, and workers generate them (made)
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
mod detect;
mod error;
mod fault;
mod format;
mod grid;
mod input;
mod inputs;
mod jsonl;
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
mod spreadsheet;
mod state;
mod stream;
mod text;
mod typed;
mod waiting;

pub use block::{Block, TypedPiece};
pub(crate) use boards::{RowBoards, read_board};
pub use column_choice::ColumnChoice;
pub use columns::{Chosen, Record, choose, find_column};
pub use csv::{CsvHeader, CsvLayout, push_field};
pub use error::SourceError;
pub use fault::RowFault;
pub use format::{InputFormat, InputKind, InputSpec, Magic};
pub use grid::read_text;
pub use input::{Input, InputCompression};
pub use inputs::Source;
pub use jsonl::JsonlLayout;
pub(crate) use jsonl::{read_prediction, read_solution};
pub use layout::Layout;
pub use lines::LinesLayout;
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
