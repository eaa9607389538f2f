//! Layouts of inputs. A layout parses blocks with the parser of its format.

use super::block::Block;
use super::csv::{self, CsvLayout};
use super::fault::RowFault;
use super::format::InputFormat;
use super::grid;
use super::jsonl::{self, JsonlLayout};
use super::lines::{self, LinesLayout};
use super::parsed::{ParsedBlock, RowRanges};
use super::text::{self, Line, Walked};
use super::typed::TypedLayout;

/// The layout of rows. The layout is detected for the first input, and all other inputs must have the same layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Delimited columns.
    Csv(CsvLayout),
    /// One puzzle on each line.
    Lines(LinesLayout),
    /// A JSON object on each line.
    Jsonl(JsonlLayout),
    /// Nine lines for each puzzle, in one of the formats of this kind, which are all read in the same way.
    Grids(InputFormat),
    /// Typed columns.
    Typed(TypedLayout),
}

impl Layout {
    /// Returns the format of the layout.
    pub fn format(&self) -> InputFormat {
        match self {
            Layout::Csv(_) => InputFormat::CSV,
            Layout::Lines(lines) => lines.format,
            Layout::Jsonl(_) => InputFormat::JSONL,
            Layout::Grids(format) => *format,
            Layout::Typed(typed) => typed.format,
        }
    }

    /// Returns the columns of a CSV input; `None` for other formats.
    pub fn csv(&self) -> Option<&CsvLayout> {
        if let Layout::Csv(csv) = self { Some(csv) } else { None }
    }

    /// Parses the rows of a block. If the rows are typed, this also fills the bytes of the block. The earlier content of `parsed` is
    /// removed, and its memory is reused.
    pub fn parse(&self, block: &mut Block, parsed: &mut ParsedBlock) {
        parsed.clear();
        if let (Layout::Typed(layout), Some(typed)) = (self, &block.typed) {
            block.bytes.clear();
            let (rows, expected) = (&typed.rows, layout.columns.columns);
            if let Err(found) = rows.parse(layout, block.first_line, typed.texts, &mut block.bytes, parsed) {
                // If the rows don't have as many columns as the layout, all rows become malformed, so that no row is lost.
                parsed.clear();
                for row in 0..rows.len() as u64 {
                    let ranges = RowRanges::bare(0..0, block.first_line + row);
                    parsed.push_fault(ranges, RowFault::MissingColumns { found, expected });
                }
            }
            return;
        }
        let (bytes, line) = (&block.bytes, block.first_line);
        if let Some(fault) = block.overlong {
            if self.is_row(bytes) {
                parsed.push_fault(RowRanges::bare(0..bytes.len(), line), fault);
            }
            return;
        }
        match self {
            Layout::Csv(csv) => csv.parse(bytes, block.has_quote, line, parsed),
            Layout::Lines(lines) => lines::parse(lines, bytes, line, parsed),
            Layout::Jsonl(jsonl) => jsonl.parse(bytes, line, parsed),
            Layout::Grids(_) => grid::parse(bytes, line, parsed),
            Layout::Typed(_) => {}
        }
    }

    /// Returns whether an overlong record that starts with `start` is a row, not a comment.
    pub(super) fn is_row(&self, start: &[u8]) -> bool {
        match self {
            Layout::Csv(_) | Layout::Typed(_) => true,
            Layout::Jsonl(_) => jsonl::is_row(start),
            Layout::Lines(_) | Layout::Grids(_) => text::is_row(start),
        }
    }

    /// Returns the next row of a block from `at`, which must be the end of a row or the start of the block. Returns the same rows as
    /// `parse`, overlong ones included, unless the whole block is one overlong record.
    pub(super) fn next_row(&self, block: &Block, at: usize) -> Option<Line> {
        let bytes = &block.bytes;
        match self {
            // A block with quotes never has an overlong record: see `whole_records`.
            Layout::Csv(csv) if block.has_quote => csv::next_record(bytes, at, true, csv.delimiter).record(),
            Layout::Csv(_) => text::next_row(bytes, at, |text| !text.is_empty()),
            Layout::Lines(_) => text::next_row(bytes, at, text::is_row),
            Layout::Jsonl(_) => text::next_row(bytes, at, jsonl::is_row),
            Layout::Grids(_) => grid::next_grid(bytes, at, true).record(),
            // A block of typed rows has no text to search.
            Layout::Typed(_) => None,
        }
    }

    /// Returns the number of bytes of complete records, or 0 if the first is not complete. An overlong record with quotes never counts as
    /// complete, even at the end of the text, because its end is unknown if only a part of it was read.
    pub(super) fn whole_records(&self, bytes: &[u8], has_quote: bool, ended: bool) -> usize {
        match self {
            Layout::Csv(csv) if has_quote => {
                whole_records(ended, |at| csv::next_record(bytes, at, ended, csv.delimiter))
            }
            _ if ended => bytes.len(),
            Layout::Csv(_) | Layout::Lines(_) | Layout::Jsonl(_) => text::last_line_end(bytes),
            Layout::Typed(_) => bytes.len(),
            Layout::Grids(_) => whole_records(false, |at| grid::next_grid(bytes, at, false)),
        }
    }
}

/// Walks over the records and returns the position up to which they are complete.
fn whole_records(ended: bool, next_record: impl Fn(usize) -> Walked) -> usize {
    let mut at = 0;
    loop {
        match next_record(at) {
            Walked::Record(record) => at = record.next,
            Walked::More { from } if at == 0 || ended => return from,
            // The text after a record may have decided the record's end. The block ends with the record, so that the worker, which sees no
            // more text, finds the same end.
            Walked::More { .. } => return at,
        }
    }
}
