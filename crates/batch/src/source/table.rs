//! The start of an input as CSV, once for every delimiter that may be meant.

use super::columns::{self, Record};
use super::detect::{RECORDS, Sample};
use super::lines::{self, Walked};
use super::{Options, csv, field};

/// Records of the sample as CSV with one delimiter.
pub(super) struct Table<'text> {
    pub(super) delimiter: u8,
    pub(super) records: Vec<Record<'text>>,
    /// The first record as it stands, and where the next record is looked for.
    pub(super) first: Option<lines::Line>,
}

/// The sample as CSV, once for every delimiter that may be meant.
pub(super) fn tables<'text>(sample: &Sample<'text>, options: &Options) -> Vec<Table<'text>> {
    let delimiters = match options.delimiter {
        Some(delimiter) => vec![delimiter],
        None => vec![b',', b'\t', b';'],
    };
    delimiters.into_iter().map(|delimiter| Table::of(sample, delimiter)).collect()
}

/// The table that explains the sample best; the first of equals.
pub(super) fn best_table<'a, 'text>(tables: &'a [Table<'text>]) -> &'a Table<'text> {
    let rank = |table: &Table<'_>| (table.is_named(), table.hits(), table.width());
    let mut best = &tables[0];
    for table in &tables[1..] {
        if rank(table) > rank(best) {
            best = table;
        }
    }
    best
}

impl<'text> Table<'text> {
    pub(super) fn of(sample: &Sample<'text>, delimiter: u8) -> Table<'text> {
        let mut table = Table { delimiter, records: Vec::new(), first: None };
        let mut at = 0;
        while table.records.len() < RECORDS {
            let Walked::Record(record) = csv::next_record(sample.text, at, sample.is_all, delimiter) else {
                break;
            };
            at = record.next;
            table.records.push(field::fields(&sample.text[record.text.clone()], delimiter));
            table.first.get_or_insert(record);
        }
        table
    }

    /// The records that have a puzzle in one of several columns.
    pub(super) fn hits(&self) -> usize {
        let has_puzzle =
            |record: &&Record<'_>| record.len() > 1 && record.iter().any(|f| columns::is_puzzle(f));
        self.records.iter().filter(has_puzzle).count()
    }

    /// Whether the first record is a header with a known name.
    pub(super) fn is_named(&self) -> bool {
        self.records.first().is_some_and(columns::names_puzzle)
    }

    /// The number of columns that most records have.
    pub(super) fn width(&self) -> usize {
        if self.is_named() {
            return self.records[0].len();
        }
        let mut widths: Vec<usize> = self.records.iter().map(Vec::len).collect();
        widths.sort_unstable();
        let longest = widths.chunk_by(|a, b| a == b).max_by_key(|run| run.len());
        longest.map_or(1, |run| run[0])
    }

    /// Whether all records have the same number of columns.
    pub(super) fn is_even(&self) -> bool {
        self.records.iter().all(|record| record.len() == self.records[0].len())
    }

    /// Whether the first record names the columns.
    ///
    /// A record that has something like the text of a puzzle is a row, be it a malformed one, and so is one with
    /// fewer or more columns than the others.
    pub(super) fn has_header(&self, options: &Options) -> bool {
        let Some(record) = self.records.first() else { return false };
        options.header.unwrap_or_else(|| {
            self.is_named()
                || (record.len() == self.width() && !record.iter().any(|field| looks_like_cells(field)))
        })
    }
}

/// Whether a field may have been meant as a puzzle: long, and mostly cells.
fn looks_like_cells(field: &[u8]) -> bool {
    let cells = field.iter().filter(|&&byte| sudobench_sudoku::puzzle::cell_of_byte(byte).is_some()).count();
    field.len() >= 20 && cells * 5 >= field.len() * 4
}
