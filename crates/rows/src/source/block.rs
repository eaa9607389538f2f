//! A block: consecutive records of one input.

use std::ops::Range;
use std::sync::Arc;

use super::fault::RowFault;
use super::typed::TypedRows;
use crate::Digest;

/// Consecutive whole records of one input.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The input's number, from 0.
    pub input: usize,
    /// Number of the line with which `bytes` starts, counted from 1 in the decoded text. For rows of a Parquet or Arrow file, the number of
    /// the first row, from 1. For generated puzzles, the number of the first puzzle plus 1.
    pub first_line: u64,
    /// The records, with their line ends and everything between them.
    pub bytes: Vec<u8>,
    /// The fault of a record that is too long to be read: the block then holds only the start of this record. `None` if the block holds
    /// complete records.
    pub overlong: Option<RowFault>,
    /// Number of rows at the start that an earlier run has answered. These rows stay in the block, so that the solver gets the same batch
    /// as in the earlier run.
    pub done: usize,
    /// Number of bytes at the start that an earlier run has read. These bytes were compared with the digest of that run.
    pub read_before: usize,
    /// Whether there is a `"` in the bytes. False if `overlong` is set, and for typed rows.
    pub(super) has_quote: bool,
    /// The numbers of the block's puzzles, if they are generated. Until the puzzles are generated, the block has no bytes.
    pub made: Option<Range<u64>>,
    /// The typed rows, if the input has such rows: the rows of a Parquet or Arrow file. The block has no bytes until these rows are parsed.
    pub typed: Option<TypedPiece>,
}

impl Block {
    /// If the rows are typed, returns the digest of the piped files that were opened since the previous block.
    pub(crate) fn piped(&self) -> Option<Digest> {
        self.typed.as_ref().map(|typed| typed.piped)
    }
}

/// Consecutive typed rows of one input.
#[derive(Clone, Debug)]
pub struct TypedPiece {
    /// The rows.
    pub rows: Arc<dyn TypedRows>,
    /// Whether the rows are needed as text too: see [`Source::set_texts`](super::Source::set_texts).
    pub texts: bool,
    /// Digest of the piped files that were opened since the previous block. A file from a pipe has neither a size nor a modification time
    /// that `--resume` could compare.
    pub(crate) piped: Digest,
}
