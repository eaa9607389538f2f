//! The rows and puzzles of a block, which a worker parses.

use std::ops::Range;

use sudobench_sudoku::puzzle::Puzzle;

use super::fault::RowFault;
use super::spreadsheet::ReadPuzzle;

/// Maximum length of a record, in bytes without its line end. A longer record is one malformed row, of which this many bytes are kept. In
/// CSV, a quote that is never closed must not make the rest of the file one record. So the end of a longer CSV record is not always the end
/// according to the grammar: see `overlong.rs`.
pub const MAX_RECORD: usize = 64 * 1024;

/// The rows of a block and their puzzles. Reused for later blocks.
#[derive(Clone, Debug, Default)]
pub struct ParsedBlock {
    /// The rows, one for each record of the block, in order.
    pub rows: Vec<Row>,
    /// The puzzles of the rows without a fault, in order.
    pub puzzles: Vec<Puzzle>,
    /// Index of the first row with data for which the layout has no column: text around the puzzle, or a JSON member. An output with only
    /// the columns of the layout would lose this data.
    pub unplaced: Option<usize>,
}

/// One record of an input. The ranges lie in the bytes of its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The record in the input, without its line end. For a record longer than [`MAX_RECORD`], this is only its start.
    pub text: Range<u32>,
    /// The text of the puzzle. Quotes around it are left out, unless the quoted text has quotes or escapes inside. For formats with nine
    /// lines for each puzzle, it is the same as `text`. Empty if the row has no such text.
    pub puzzle_text: Range<u32>,
    /// The text of the expected solution, without quotes, as for `puzzle_text`. `None` if the row has none, or if it is empty or null.
    pub expected: Option<Range<u32>>,
    /// Number, from 1, of the physical line in which the record starts. For a table, a NumPy array or generated puzzles, the number of the
    /// row, from 1.
    pub line: u64,
    /// Whether the text of the row can be copied unchanged to an output of the same format. For CSV and typed rows: the row has a text, as
    /// many columns as the layout, and quotes only where all CSV readers interpret them in the same way. For JSON lines: the row is an
    /// object. False for other formats.
    pub is_regular: bool,
    /// Whether zeros were restored at the puzzle's start: see [`Options::restore_zeros`](super::Options::restore_zeros).
    pub is_restored: bool,
    /// Reason why the row has no puzzle. `None` if the row has a puzzle.
    pub fault: Option<RowFault>,
}

impl Row {
    /// Makes a row that has a puzzle, but no text in the bytes of a block.
    pub fn plain(line: u64) -> Row {
        RowRanges::bare(0..0, line).row(None)
    }
}

impl ParsedBlock {
    /// Removes the rows and keeps the memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.puzzles.clear();
        self.unplaced = None;
    }

    /// Removes all rows after the first `rows` rows.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
        self.puzzles.truncate(self.rows.iter().filter(|row| row.fault.is_none()).count());
    }

    /// Adds `rows` rows after `row`; their puzzles were added before. Each new row is `bytes` bytes and `lines` lines after the previous
    /// one, and is otherwise equal to `row`.
    pub(super) fn push_alike(&mut self, row: &Row, rows: usize, bytes: usize, lines: u64) {
        let moved = |range: &Range<u32>, by: u32| range.start + by..range.end + by;
        self.rows.extend((1..=rows).map(|number| {
            let by = (number * bytes) as u32;
            Row {
                text: moved(&row.text, by),
                puzzle_text: moved(&row.puzzle_text, by),
                expected: row.expected.as_ref().map(|expected| moved(expected, by)),
                line: row.line + number as u64 * lines,
                ..*row
            }
        }));
    }

    /// Adds a row without a puzzle.
    pub fn push_fault(&mut self, ranges: RowRanges, fault: RowFault) {
        self.rows.push(ranges.row(Some(fault)));
    }

    #[cold]
    pub(super) fn push_overlong(&mut self, text: Range<usize>, line: u64) {
        let kept = text.start..text.end.min(text.start + MAX_RECORD);
        let fault = RowFault::Overlong { length: text.len() as u64, lines: None };
        self.push_fault(RowRanges::bare(kept, line), fault);
    }

    /// Adds a row with its parsed puzzle or fault.
    pub fn push(&mut self, ranges: RowRanges, puzzle: Result<impl Into<ReadPuzzle>, RowFault>) {
        match puzzle.map(Into::into) {
            Ok(ReadPuzzle { puzzle, is_restored }) => {
                self.rows.push(Row { is_restored, ..ranges.row(None) });
                self.puzzles.push(puzzle);
            }
            Err(fault) => self.push_fault(ranges, fault),
        }
    }
}

/// Positions of a row's parts in its block, before its puzzle is parsed.
pub struct RowRanges {
    /// The bytes of the row.
    pub text: Range<usize>,
    /// The bytes of its puzzle.
    pub puzzle: Range<usize>,
    /// The bytes of its expected solution.
    pub expected: Option<Range<usize>>,
    /// The line in which the row starts, from 1.
    pub line: u64,
    /// See [`Row::is_regular`].
    pub is_regular: bool,
}

impl RowRanges {
    /// Returns the positions of a row whose puzzle and columns are not known.
    pub fn bare(text: Range<usize>, line: u64) -> RowRanges {
        RowRanges { puzzle: text.end..text.end, text, expected: None, line, is_regular: false }
    }

    /// Returns the positions of a row and its puzzle, in a format without columns.
    pub(crate) fn from_puzzle(text: Range<usize>, puzzle: Range<usize>, line: u64) -> RowRanges {
        RowRanges { text, puzzle, expected: None, line, is_regular: false }
    }

    /// Makes the row. All positions fit into 32 bits, because blocks stay below 4 GiB: see [`BlockSize`](super::options::BlockSize).
    fn row(self, fault: Option<RowFault>) -> Row {
        let narrow = |range: Range<usize>| range.start as u32..range.end as u32;
        Row {
            text: narrow(self.text),
            puzzle_text: narrow(self.puzzle),
            expected: self.expected.map(narrow),
            line: self.line,
            is_regular: self.is_regular,
            is_restored: false,
            fault,
        }
    }
}
