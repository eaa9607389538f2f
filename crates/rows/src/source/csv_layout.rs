//! The layout of delimited columns, and how it is detected.

use std::borrow::Cow;

use sudobench_sudoku::puzzle::Puzzle;

use super::InputFormat;
use super::block::Block;
use super::columns::{self, Chosen, Record};
use super::csv::{self, CsvHeader, CsvLayout};
use super::error::SourceError;
use super::fault::RowFault;
use super::format::TextReader;
use super::layout::{self, Layout, ResolvedLayout, RowLayout, RowText, Values};
use super::lines;
use super::parsed::{ParsedBlock, Row};
use super::sample::{RECORDS, Sample, looks_like_cells};
use super::text::{self, Line};

pub(super) const READER: TextReader = TextReader { order: 2, find, empty: None, may_have_count: false };

/// Returns the layout, and the length of the header, if the user names the format or the text is likely to be CSV: see
/// [`Table::is_likely`].
fn find(sample: &Sample<'_>) -> Result<Option<(Layout, usize)>, SourceError> {
    let table = Table::best(sample);
    if sample.options.format.is_none() && !table.is_likely() {
        return Ok(None);
    }
    let layout = layout_of(&table)?;
    let header_length = if layout.header.is_some() { table.first_length() } else { 0 };
    Ok(Some((Layout::new(layout), header_length)))
}

fn layout_of(table: &Table<'_>) -> Result<CsvLayout, SourceError> {
    let Sample { input, options, with_rest, .. } = table.sample;
    if options.header == Some(true) && table.records.is_empty() {
        return Err(SourceError::NoHeader { input: (*input).clone() });
    }
    let (header, records) = table.records.split_at(usize::from(table.has_header()));
    let header = header.first();
    let columns = header.map_or(table.width(), Vec::len);
    let chosen = columns::choose(input, header, records, columns, options)?;
    let header = header.zip(table.first.as_ref()).map(|(names, line)| CsvHeader {
        names: names.iter().map(|name| name.to_vec()).collect(),
        text: with_rest[line.text.clone()].to_vec(),
    });
    Ok(CsvLayout {
        delimiter: table.delimiter,
        header,
        columns,
        puzzle_column: chosen.puzzle,
        solution_column: chosen.solution,
        restores_zeros: options.restore_zeros,
    })
}

impl RowLayout for CsvLayout {
    fn format(&self) -> InputFormat {
        InputFormat::CSV
    }

    fn columns(&self) -> (Option<Vec<Vec<u8>>>, Chosen) {
        let names = self.header.as_ref().map(|header| header.names.clone());
        (names, Chosen { puzzle: self.puzzle_column, solution: self.solution_column })
    }

    fn resolved(&self) -> ResolvedLayout {
        let text = |name: &Vec<u8>| String::from_utf8_lossy(name).into_owned();
        ResolvedLayout {
            delimiter: Some(char::from(self.delimiter).to_string()),
            header: self.header.as_ref().map(|header| header.names.iter().map(text).collect()),
            puzzle_column: Some(self.puzzle_column + 1),
            solution_column: self.solution_column.map(|column| column + 1),
            ..ResolvedLayout::default()
        }
    }

    fn row_text(&self) -> RowText {
        RowText::Fields(self.delimiter)
    }

    fn parse(&self, block: &mut Block, parsed: &mut ParsedBlock) {
        self.parse(&block.bytes, block.has_quote, block.first_line, parsed);
    }

    fn values<'t>(&self, row: &Row, text: &'t [u8], _: Option<&Puzzle>) -> Values<'t> {
        // If a quote is not closed, the text after it is probably other rows, not a value.
        let is_cut = matches!(row.fault, Some(RowFault::OpenQuote | RowFault::Overlong { .. }));
        let fields = self.fields(text);
        (!is_cut && fields.len() == self.columns).then_some(fields)
    }

    /// If the columns differ, the error describes the columns of the sample and the columns of this layout.
    fn start_of_later(&self, sample: &Sample<'_>) -> Result<Option<usize>, (String, String)> {
        let table = Table::new(sample, self.delimiter);
        let names = |names: &mut dyn Iterator<Item = &[u8]>| {
            let names: Vec<String> = names.map(columns::start_of).collect();
            format!("columns `{}`", names.join(&char::from(self.delimiter).to_string()))
        };
        let empty = Record::new();
        let record = table.records.first().unwrap_or(&empty);
        let fields = || record.iter().map(|field| &**field);
        match &self.header {
            Some(header) if fields().eq(header.names.iter().map(Vec::as_slice)) => {
                Ok(Some(table.first_length()))
            }
            Some(header) => Err((names(&mut fields()), names(&mut header.names.iter().map(Vec::as_slice)))),
            None if table.has_header() || table.width() != self.columns => {
                Err((names(&mut fields()), format!("{} columns without a header", self.columns)))
            }
            None => Ok(Some(0)),
        }
    }

    fn is_row(&self, _: &[u8]) -> bool {
        true
    }

    fn next_row(&self, block: &Block, at: usize) -> Option<Line> {
        // A block with quotes never has an overlong record: see `whole_records`.
        if block.has_quote {
            return csv::next_record(&block.bytes, at, true, self.delimiter).record();
        }
        text::next_row(&block.bytes, at, |text| !text.is_empty())
    }

    fn whole_records(&self, bytes: &[u8], has_quote: bool, ended: bool) -> usize {
        match has_quote {
            true => layout::whole_records(ended, |at| csv::next_record(bytes, at, ended, self.delimiter)),
            false if ended => bytes.len(),
            false => text::last_line_end(bytes),
        }
    }

    fn has_line_records(&self, text: &[u8]) -> bool {
        memchr::memchr(b'"', text).is_none()
    }

    fn csv(&self) -> Option<&CsvLayout> {
        Some(self)
    }
}

/// The sample, parsed as CSV with this delimiter.
struct Table<'text> {
    sample: &'text Sample<'text>,
    delimiter: u8,
    records: Vec<Record<'text>>,
    /// The range of the first record in the text, and the position at which the search for the second record starts.
    first: Option<Line>,
}

impl<'text> Table<'text> {
    /// Returns the table for the delimiter that the user names, or else for the one of `,`, TAB and `;` that fits the sample best. If
    /// several are equally good, uses the first of them.
    fn best(sample: &'text Sample<'text>) -> Table<'text> {
        let rank = |table: &Table<'_>| (table.is_named(), table.hits(), table.width());
        if let Some(delimiter) = sample.options.delimiter {
            return Table::new(sample, delimiter);
        }
        let mut best = Table::new(sample, b',');
        for delimiter in [b'\t', b';'] {
            let table = Table::new(sample, delimiter);
            if rank(&table) > rank(&best) {
                best = table;
            }
        }
        best
    }

    fn new(sample: &'text Sample<'text>, delimiter: u8) -> Table<'text> {
        let text = sample.with_rest;
        let mut table = Table { sample, delimiter, records: Vec::new(), first: None };
        for record in text::records(|at| csv::next_record(text, at, sample.is_all, delimiter)).take(RECORDS) {
            table.records.push(csv::fields(&text[record.text.clone()], delimiter));
            table.first.get_or_insert(record);
        }
        table
    }

    /// Returns the position at which the search for the second record starts.
    fn first_length(&self) -> usize {
        self.first.as_ref().map_or(0, |record| record.next)
    }

    /// Returns the number of records that have several columns, one of them with a puzzle.
    fn hits(&self) -> usize {
        let is_puzzle = |field: &Cow<'_, [u8]>| columns::is_puzzle(field, self.sample.options.restore_zeros);
        let has_puzzle = |record: &&Record<'_>| record.len() > 1 && record.iter().any(is_puzzle);
        self.records.iter().filter(has_puzzle).count()
    }

    /// Returns whether the first record has a usual name of a puzzle column.
    fn is_named(&self) -> bool {
        self.records.first().is_some_and(columns::names_puzzle)
    }

    /// Returns the number of columns of the first record if it has a usual name of a puzzle column, otherwise the most frequent number of
    /// columns.
    fn width(&self) -> usize {
        if self.is_named() {
            return self.records[0].len();
        }
        let mut widths: Vec<usize> = self.records.iter().map(Vec::len).collect();
        widths.sort_unstable();
        let longest = widths.chunk_by(|a, b| a == b).max_by_key(|run| run.len());
        longest.map_or(1, |run| run[0])
    }

    /// Returns whether the sample is a table rather than lines with words. It is a table in each of these cases:
    ///
    /// - The first record has a usual name of a puzzle column and does not look like a title.
    /// - Some rows have several columns, one of them with a puzzle, and there are at least as many such rows as lines with a puzzle among
    ///   their first three words. (If the delimiter is TAB, all rows must also have the same number of columns.)
    /// - An option names a delimiter, a header, or the column of the puzzle or the solution, and some line has a puzzle.
    fn is_likely(&self) -> bool {
        let options = self.sample.options;
        let line_hits = lines::puzzles(self.sample).count();
        let table_hits = self.hits();
        let is_named = self.is_named() && options.header != Some(false);
        // A single word such as `Sudoku` may also be a title above grids.
        let names_columns = is_named && (self.width() > 1 || self.records.len() == 1 || line_hits > 0);
        // Text after a TAB may be the comment of a line. So TAB separates columns only if every row has the same number of columns.
        let beats_lines = table_hits >= line_hits && (self.delimiter != b'\t' || self.is_even());
        // These options describe a table, so an input for which the user gives one of them is read as CSV.
        let is_described = options.header == Some(true)
            || options.delimiter.is_some()
            || options.puzzle_column.is_some()
            || options.solution_column.is_some();
        names_columns
            || (table_hits > 0 && self.width() > 1 && beats_lines)
            || (line_hits > 0 && is_described)
    }

    fn is_even(&self) -> bool {
        self.records.iter().all(|record| record.len() == self.records[0].len())
    }

    /// Returns whether the first record names the columns.
    ///
    /// If the user gives the option `header`, it decides. Otherwise, the record names the columns if it has a usual name of a puzzle
    /// column. Without such a name, the record is a row in two cases: one of its fields looks like a puzzle (possibly a malformed one), or
    /// the record has fewer or more columns than most records. Any other first record names the columns.
    fn has_header(&self) -> bool {
        let Some(record) = self.records.first() else { return false };
        self.sample.options.header.unwrap_or_else(|| {
            self.is_named()
                || (record.len() == self.width() && !record.iter().any(|field| looks_like_cells(field)))
        })
    }
}
