//! Layouts of inputs: what the reader of a format knows about the rows of an input once it has seen the start of the text.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sudobench_sudoku::puzzle::Puzzle;

use super::InputFormat;
use super::block::Block;
use super::columns::Chosen;
use super::csv::CsvLayout;
use super::parsed::{ParsedBlock, Row, RowRanges};
use super::sample::Sample;
use super::text::{self, Line, Walked};
use super::typed::TypedLayout;

/// The layout of rows. The layout is detected for the first input, and all other inputs must have the same layout. Only two things
/// may differ: the members of JSON objects besides the puzzle, and the text around the puzzle in the formats `lines` and `sdm`.
#[derive(Clone, Debug)]
pub struct Layout(Arc<dyn RowLayout>);

/// The values of the columns of a row. `None` if the row can't be split into these columns.
pub(crate) type Values<'text> = Option<Vec<Cow<'text, [u8]>>>;

/// The layout of rows of one format. By default each line is a record, and blank lines and `#` comments are not rows.
pub(crate) trait RowLayout: fmt::Debug + Send + Sync {
    fn format(&self) -> InputFormat;

    /// Returns the names of the columns, and which of them have the puzzle and the expected solution. The names are `None` for a CSV input
    /// without a header.
    fn columns(&self) -> (Option<Vec<Vec<u8>>>, Chosen);

    /// Returns what was detected in the input or set by options, without the format.
    fn resolved(&self) -> ResolvedLayout;

    /// Returns the kind of text that a row is.
    fn row_text(&self) -> RowText;

    /// Parses the rows of a block. Not called if the whole block is one overlong record.
    fn parse(&self, block: &mut Block, parsed: &mut ParsedBlock);

    /// Returns the value of each [column](RowLayout::columns) of a row, unquoted. `text` is the text of the row. Don't call this
    /// while rows are parsed: it allocates memory for each row, and this would slow the parsing down.
    fn values<'t>(&self, row: &Row, text: &'t [u8], puzzle: Option<&Puzzle>) -> Values<'t>;

    /// Checks whether a later input has this layout. If so, returns the length of the text before its first row. Returns `None` if the
    /// input seems to have another format.
    ///
    /// # Errors
    /// A description of the columns of the later input, and of the columns of this layout.
    fn start_of_later(&self, sample: &Sample<'_>) -> Result<Option<usize>, (String, String)> {
        let find = self.format().reader.map(|reader| reader.find);
        Ok(find.and_then(|find| find(sample).ok()?).map(|(_, start)| start))
    }

    /// Returns the layout with the additional columns that a later input needs; if the input needs none, the layout is unchanged. Returns
    /// `None` if columns can't be added in this format.
    fn widened(&self, _sample: &Sample<'_>) -> Option<Layout> {
        None
    }

    /// Returns whether a record that starts with `start` is a row, not blank and not a comment.
    fn is_row(&self, start: &[u8]) -> bool {
        text::is_row(start)
    }

    /// Returns the next row of a block from `at`, which must be the end of a row or the start of the block. Returns the same rows as
    /// `parse`, overlong ones included, unless the whole block is one overlong record.
    fn next_row(&self, block: &Block, at: usize) -> Option<Line> {
        text::next_row(&block.bytes, at, |text| self.is_row(text))
    }

    /// Returns the length of the part at the start of `bytes` that a block can contain: complete records, and lines that are no records. If
    /// the first record is not complete, this part ends before that record and may be empty. In a CSV text with quotes, an overlong record
    /// never counts as complete, even at the end of the text, because its end is unknown if only a part of it was read.
    fn whole_records(&self, bytes: &[u8], _has_quote: bool, ended: bool) -> usize {
        if ended { bytes.len() } else { text::last_line_end(bytes) }
    }

    /// Returns whether `text`, a part of an input, can probably be cut after any line. False for grids, and for CSV with a quote.
    fn has_line_records(&self, _text: &[u8]) -> bool {
        true
    }

    /// Returns the new member names in a JSON object: the names for which the layout has no column.
    fn new_names(&self, _text: &[u8]) -> Vec<String> {
        Vec::new()
    }

    /// Returns the columns of a CSV input; `None` for other formats.
    fn csv(&self) -> Option<&CsvLayout> {
        None
    }

    /// Returns the columns of typed rows; `None` for other formats.
    fn typed(&self) -> Option<&TypedLayout> {
        None
    }
}

/// The kinds of text that a row can be. The kind decides where the boards of the row are: see [`RowBoards`](super::RowBoards).
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowText {
    /// Fields of CSV, with the byte between them.
    Fields(u8),
    /// A JSON object.
    Object,
    /// A line with the puzzle and possibly other words.
    Words,
    /// A line with nothing but the puzzle.
    Puzzle,
    /// Several lines that show the puzzle.
    Drawing,
}

/// The layout of the inputs, as detected or as set by options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedLayout {
    /// The format of the inputs.
    pub input_format: String,
    /// The character between the columns of CSV.
    pub delimiter: Option<String>,
    /// The names in the header of CSV.
    pub header: Option<Vec<String>>,
    /// The names of the members of JSON objects.
    pub members: Option<Vec<String>>,
    /// The names and types of the columns of a table.
    pub input_columns: Option<Vec<String>>,
    /// The number of the puzzle's column or member, from 1.
    pub puzzle_column: Option<usize>,
    /// The number of the expected solution's column or member, from 1.
    pub solution_column: Option<usize>,
    /// For the formats `lines`, `sdm` and `npy`, whether there is a column for text before the puzzle.
    pub label_column: Option<bool>,
    /// For the formats `lines`, `sdm` and `npy`, whether there is a column for text after the puzzle.
    pub comment_column: Option<bool>,
}

impl From<&Layout> for ResolvedLayout {
    fn from(Layout(rows): &Layout) -> ResolvedLayout {
        ResolvedLayout { input_format: rows.format().name().to_owned(), ..rows.resolved() }
    }
}

impl Layout {
    pub(super) fn new(rows: impl RowLayout + 'static) -> Layout {
        Layout(Arc::new(rows))
    }

    pub(crate) fn rows(&self) -> &dyn RowLayout {
        &*self.0
    }

    /// Returns the format of the layout.
    pub fn format(&self) -> InputFormat {
        self.0.format()
    }

    /// Returns the columns of a CSV input; `None` for other formats.
    pub fn csv(&self) -> Option<&CsvLayout> {
        self.0.csv()
    }

    /// Returns the columns of typed rows; `None` for other formats.
    pub fn typed(&self) -> Option<&TypedLayout> {
        self.0.typed()
    }

    /// Parses the rows of a block. Typed rows are read without text, so the text that the parsed rows need is written into the bytes of the
    /// block. The earlier content of `parsed` is removed, and its memory is reused.
    pub fn parse(&self, block: &mut Block, parsed: &mut ParsedBlock) {
        parsed.clear();
        let Some(fault) = block.overlong else { return self.0.parse(block, parsed) };
        if self.0.is_row(&block.bytes) {
            parsed.push_fault(RowRanges::bare(0..block.bytes.len(), block.first_line), fault);
        }
    }
}

/// Walks over the records and returns the position up to which they are complete.
pub(super) fn whole_records(ended: bool, next_record: impl Fn(usize) -> Walked) -> usize {
    let mut at = 0;
    loop {
        match next_record(at) {
            Walked::Record(record) => at = record.next,
            Walked::More { from } if at == 0 || ended => return from,
            // The end of the last record may depend on the text that follows it. The worker sees only the block, so it could find another
            // end if the block contained only a part of that text. Therefore the block ends exactly where the record ends.
            Walked::More { .. } => return at,
        }
    }
}
