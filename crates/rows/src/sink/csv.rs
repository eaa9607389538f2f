//! CSV: the input columns, followed by the chosen columns.
//!
//! The fields of a CSV input are written unchanged, except for boards that the command transforms, and except in two kinds of rows, because
//! every CSV reader must find the same number of columns in all rows of the output. First, if a row has quotes that CSV readers interpret
//! differently (`a"b`, `"a"b`), its fields are quoted again. Second, if a row has the wrong number of columns, an unclosed quote or too
//! many bytes, its text becomes the first field, and the fields of the other input columns are empty.

use std::io::Write as _;

use super::format::FormatSpec;
use super::name::Ending;
use super::plain::{RowWriter, plain_format};
use crate::answers::AnsweredRow;
use crate::columns::{Column, Value};
use crate::input_columns::InputColumns;
use crate::source::{CsvLayout, Layout, push_field};

pub(super) const CSV: FormatSpec = FormatSpec {
    endings: &[Ending::new(&["csv"]), Ending { names: &["tsv", "tab"], delimiter: Some(b'\t') }],
    has_columns: true,
    keeps_delimiter: true,
    ..FormatSpec::text("csv", "input columns (`generate`: the puzzle), then the added columns", |setup| {
        plain_format(setup, CsvWriter::new(setup.layout, setup.columns))
    })
};

/// Writes rows as CSV. The delimiter is the input's, or a comma if the input is not CSV. Fields are quoted with `"`, and lines end
/// with `\n`.
#[derive(Clone)]
struct CsvWriter {
    header: Vec<u8>,
    input: InputColumns,
    columns: Vec<Column>,
    delimiter: u8,
    /// Whether the delimiter is an unusual character, such as a space or a dot. Such a delimiter may occur in numbers, puzzles and words
    /// such as a status, so every value of an added column is checked, and is quoted if it contains the delimiter.
    is_rare_delimiter: bool,
}

impl CsvWriter {
    /// Makes a writer for rows of `layout`.
    ///
    /// The header of the output is the header of the input, followed by the names of the added columns. All names in the output are
    /// different: a repeated name of the input gets a number. If the input already has the name of an added column, the added column gets
    /// the prefix `sudobench_`, and a number if necessary. If the input is CSV without a header, the output has no header either.
    fn new(layout: &Layout, columns: &[Column]) -> CsvWriter {
        let input = InputColumns::from_layout(layout);
        let delimiter = layout.csv().map_or(b',', |csv| csv.delimiter);
        let mut header = Vec::new();
        if let Some(names) = &input.names {
            let csv = layout.csv();
            let is_renamed =
                csv.and_then(|csv| csv.header.as_ref()).is_some_and(|header| header.names != *names);
            match csv.and_then(CsvLayout::tidy_header).filter(|_| !is_renamed) {
                Some(as_it_stands) => header.extend_from_slice(as_it_stands),
                None => join(names, delimiter, &mut header),
            }
            for name in InputColumns::added_names(names, columns) {
                header.push(delimiter);
                push_field(&name, delimiter, &mut header);
            }
            header.push(b'\n');
        }
        let is_rare_delimiter = !b",;\t|".contains(&delimiter);
        CsvWriter { header, input, columns: columns.to_vec(), delimiter, is_rare_delimiter }
    }

    #[inline]
    fn write_input(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        match self.input.verbatim(row) {
            Some(text) => out.extend_from_slice(text),
            None => self.write_anew(row, out),
        }
    }

    /// Writes the input columns of a row whose text can't be written unchanged.
    fn write_anew(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        match self.input.values(row) {
            Some(values) => join(&values, self.delimiter, out),
            None => {
                // To keep the output rectangular, the whole input row goes into the first field, and the other fields are empty.
                push_field(row.text(), self.delimiter, out);
                out.extend(std::iter::repeat_n(self.delimiter, self.input.count - 1));
            }
        }
    }
}

impl RowWriter for CsvWriter {
    /// Returns the header line with its line end; empty if the input is CSV without a header.
    fn header(&self) -> &[u8] {
        &self.header
    }

    #[inline]
    fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        self.write_input(row, out);
        for column in &self.columns {
            out.push(self.delimiter);
            let start = out.len();
            match column.value(row) {
                None => {}
                Some(Value::Solution(solution)) => out.extend_from_slice(&solution.text()),
                Some(Value::Puzzle(puzzle)) => out.extend_from_slice(&puzzle.text()),
                Some(Value::Word(word)) => out.extend_from_slice(word.as_bytes()),
                Some(Value::Text(text)) => {
                    push_field(text.as_bytes(), self.delimiter, out);
                    continue;
                }
                // Writing to a Vec does not fail.
                Some(Value::Number(number)) => drop(write!(out, "{number}")),
                Some(number @ (Value::Decimal { .. } | Value::Real(_))) => {
                    drop(write!(out, "{number}"));
                }
            }
            if self.is_rare_delimiter {
                let value = out.split_off(start);
                push_field(&value, self.delimiter, out);
            }
        }
        out.push(b'\n');
    }
}

fn join(fields: &[impl AsRef<[u8]>], delimiter: u8, out: &mut Vec<u8>) {
    for (position, field) in fields.iter().enumerate() {
        if position > 0 {
            out.push(delimiter);
        }
        push_field(field.as_ref(), delimiter, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fields_come_back_through_the_csv_crate(
            fields in prop::collection::vec(prop::collection::vec(prop::sample::select(b"a,;\"\r\n \xff".to_vec()), 0..8), 2..5),
        ) {
            let mut text = Vec::new();
            join(&fields, b',', &mut text);
            let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_slice());
            let record = reader.byte_records().next().unwrap().unwrap();
            prop_assert!(record.iter().eq(fields.iter().map(Vec::as_slice)));
        }
    }
}
