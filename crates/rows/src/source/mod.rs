//! Where puzzles come from: bytes -> blocks -> rows.
//!
//! ```text
//! Source       all inputs, one after the other, as one sequence of blocks              (inputs)
//! Input        a file, standard input, a reader or rows at hand: counted, digested, watched  (raw, rows, waiting, state, replay)
//! Stream       one input that is open                                              (stream)
//! text         the input's bytes, decompressed if the first ones say so                (compressed)
//!              and the lines of an array, if it is one                               (npy)
//! Layout       format, delimiter, columns: found on the first 64 KiB of the text       (detect, columns)
//! Block        consecutive whole records of one input, cut by the reader's thread      (reader, overlong)
//! typed        the rows of a file of another format than text, such as Parquet                   (typed)
//! Recipe       puzzles that are made: blocks hold their numbers, and workers make them            (made)
//! ParsedBlock  what a worker makes of a block: one row a record, and the puzzles       (layout: csv, jsonl, lines, grid)
//! ```
//! The words that all of them use are in `input`, `options`, `block` and `error`; physical lines are in `text`, and what is
//! recognised but not read is in `refused`.
//!
//! The same inputs and options always give the same rows, whatever the block size and however the operating
//! system hands out the bytes.

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
pub(crate) use boards::{Boards, read_board};
pub use column_choice::ColumnChoice;
pub use columns::{Chosen, Record, choose, find_column};
pub use csv::{CsvHeader, CsvLayout, push_field};
pub use error::SourceError;
pub use fault::RowFault;
pub use format::{InputFormat, InputKind, InputSpec, Mark};
pub use grid::{GridsLayout, read_text};
pub use input::{Compression, Input};
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
