//! How the inputs are laid out, and the rows that follow from it.

use std::borrow::Cow;

use super::lines::Walked;
use super::row::{ParsedBlock, RowFault, RowRanges};
use super::{Block, Grammar, InputFormat, csv, field, grid, lines};

/// What every row of the inputs looks like. Found on the first input; the others must have it too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The format.
    pub format: InputFormat,
    /// The byte between columns; `None` for formats without columns.
    pub delimiter: Option<u8>,
    /// The names of the columns, unquoted; `None` where the input does not name them.
    pub header: Option<Vec<Vec<u8>>>,
    /// The header as it stands in the input, without its line end; empty where there is none.
    pub header_text: Vec<u8>,
    /// The number of columns of every row; 1 for formats without columns.
    pub columns: usize,
    /// The column of the puzzle, from 0.
    pub puzzle_column: usize,
    /// The column of the expected solution, from 0; `None` where there is none.
    pub solution_column: Option<usize>,
    /// For lines: whether words stand before the puzzle in some row of the sample.
    pub has_label: bool,
    /// For lines: whether words stand behind the puzzle in some row of the sample.
    pub has_comment: bool,
}

impl Layout {
    /// A layout without columns.
    pub(super) fn of(format: InputFormat) -> Layout {
        Layout {
            format,
            delimiter: None,
            header: None,
            header_text: Vec::new(),
            columns: 1,
            puzzle_column: 0,
            solution_column: None,
            has_label: false,
            has_comment: false,
        }
    }

    /// Reads the rows of a block. What `parsed` held before is gone, its memory is used again.
    pub fn parse(&self, block: &Block, parsed: &mut ParsedBlock) {
        parsed.clear();
        let (bytes, line) = (&block.bytes, block.first_line);
        if let Some(length) = block.overlong {
            if self.is_row(bytes) {
                parsed.push_fault(RowRanges::bare(0..bytes.len(), line), RowFault::Overlong { length });
            }
            return;
        }
        match self.format.grammar() {
            Grammar::Csv => csv::parse(self, bytes, block.has_quote, line, parsed),
            Grammar::Lines => lines::parse(bytes, line, parsed),
            Grammar::Grids => grid::parse(bytes, line, parsed),
        }
    }

    /// The columns of a row's text, unquoted; one column for formats without columns. Meant for single rows:
    /// it allocates.
    pub fn columns<'text>(&self, text: &'text [u8]) -> Vec<Cow<'text, [u8]>> {
        match self.delimiter {
            Some(delimiter) => field::fields(text, delimiter),
            None => vec![Cow::Borrowed(text)],
        }
    }

    /// Whether an overlong record that starts like this is a row, not a comment.
    pub(super) fn is_row(&self, start: &[u8]) -> bool {
        self.format.grammar() == Grammar::Csv || lines::is_row(start)
    }

    /// The next record from `at`, which is where a record ended or the input starts.
    pub(super) fn next_record(&self, bytes: &[u8], at: usize, ended: bool) -> Walked {
        match self.format.grammar() {
            Grammar::Csv => csv::next_record(bytes, at, ended, self.delimiter.unwrap_or(b',')),
            Grammar::Lines => lines::next_row(bytes, at, ended, lines::is_row),
            Grammar::Grids => grid::next_grid(bytes, at, ended),
        }
    }

    /// The number of bytes that whole records make up, 0 where not even the first is whole.
    pub(super) fn whole_records(&self, bytes: &[u8], has_quote: bool) -> usize {
        let by_lines = match self.format.grammar() {
            Grammar::Csv => !has_quote,
            Grammar::Lines => true,
            Grammar::Grids => false,
        };
        if by_lines {
            return lines::last_line_end(bytes);
        }
        let mut at = 0;
        loop {
            match self.next_record(bytes, at, false) {
                Walked::Record(record) => at = record.next,
                Walked::More { from } if at == 0 => return from,
                // What follows a record may have decided where it ends: the block ends with it, so that the
                // worker, who sees no more, comes to the same end.
                Walked::More { .. } => return at,
            }
        }
    }
}
