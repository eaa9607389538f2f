//! Rows of a table as text.

use std::ops::Range;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use sudobench_rows::source::{CsvHeader, CsvLayout, ParsedBlock, RowRanges, push_field};

use super::values::{WriteText, text_writer};
use crate::layout::{TableLayout, parse};
use crate::puzzles::Puzzles;

/// The byte between the columns of a row's text.
pub(super) const DELIMITER: u8 = b',';

impl TableLayout {
    /// Returns for each column whether its type is a number or a truth value.
    pub(super) fn are_literals(&self) -> Vec<bool> {
        let is_literal = |data_type: &DataType| data_type.is_numeric() || *data_type == DataType::Boolean;
        self.schema.fields().iter().map(|field| is_literal(field.data_type())).collect()
    }

    /// Returns the layout of the rows after they are written as lines of CSV.
    pub(super) fn as_csv(&self) -> CsvLayout {
        let names = self.schema.fields().iter().map(|field| field.name().as_bytes().to_vec()).collect();
        CsvLayout {
            delimiter: DELIMITER,
            // The text is empty, because only the names are needed.
            header: Some(CsvHeader { names, text: Vec::new() }),
            columns: self.schema.fields().len(),
            puzzle_column: self.puzzle_column,
            solution_column: self.solution_column,
            restores_zeros: self.restores_zeros,
        }
    }

    /// Reads the rows of `batch`, whose first row has the number `line`. Replaces the contents of `parsed` and `bytes`.
    ///
    /// The ranges of the rows are positions in `bytes`. If `texts` is true, `bytes` gets a line of CSV for each row, with the delimiter
    /// `,`. Fields are quoted if necessary, a list that is a board is written as 81 digits, and null is an empty field. If `texts` is false,
    /// `bytes` gets only the expected solutions.
    ///
    /// # Errors
    /// If the table has other columns than this layout. If `texts` is true and a column has a type without a text form.
    pub(super) fn parse(
        &self,
        batch: &RecordBatch,
        line: u64,
        texts: bool,
        bytes: &mut Vec<u8>,
        parsed: &mut ParsedBlock,
    ) -> Result<(), ArrowError> {
        let (puzzles, expected) = self.puzzles(batch)?;
        if !texts {
            parse(&puzzles, expected.as_ref(), 0..batch.num_rows(), line, bytes, parsed);
            return Ok(());
        }
        bytes.clear();
        parsed.clear();
        let columns =
            batch.columns().iter().map(|column| TextColumn::new(column)).collect::<Result<Vec<_>, _>>()?;
        let mut field = Vec::new();
        for row in 0..batch.num_rows() {
            let start = bytes.len();
            let (mut puzzle, mut solution) = (start..start, None);
            for (number, column) in columns.iter().enumerate() {
                if number > 0 {
                    bytes.push(DELIMITER);
                }
                field.clear();
                column.push(row, &mut field);
                let from = bytes.len();
                push_field(&field, DELIMITER, bytes);
                if number == self.puzzle_column {
                    puzzle = content(bytes, from, field.len());
                } else if Some(number) == self.solution_column {
                    solution = Some(content(bytes, from, field.len())).filter(|range| !range.is_empty());
                }
            }
            let ranges = RowRanges {
                text: start..bytes.len(),
                puzzle,
                expected: solution,
                line: line + row as u64,
                is_regular: true,
            };
            parsed.push(ranges, puzzles.puzzle(row));
        }
        Ok(())
    }
}

/// Returns the range of a field's content, without quotes. The field was written to the end of `bytes`, from `start` on; its content had
/// `length` bytes before quoting.
fn content(bytes: &[u8], start: usize, length: usize) -> Range<usize> {
    let is_quoted = bytes.len() - start > length;
    start + usize::from(is_quoted)..bytes.len() - usize::from(is_quoted)
}

/// A column whose values are written as text.
struct TextColumn<'a> {
    /// The puzzles of the column, if its type can hold puzzles.
    puzzles: Option<Puzzles<'a>>,
    write: WriteText<'a>,
}

impl<'a> TextColumn<'a> {
    fn new(array: &'a dyn Array) -> Result<TextColumn<'a>, ArrowError> {
        Ok(TextColumn { puzzles: Puzzles::from_array(array), write: text_writer(array)? })
    }

    fn push(&self, row: usize, text: &mut Vec<u8>) {
        if self.puzzles.as_ref().is_none_or(|puzzles| !puzzles.push_text(row, text)) {
            (self.write)(row, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, BooleanArray, FixedSizeListArray, StringArray, UInt8Array};
    use arrow_schema::Field;

    use super::*;
    use sudobench_rows::source::{Input, Options};

    const SOLVED: &str = "483921657967345821251876493548132976729564138136798245372689514814253769695417382";

    fn table() -> (RecordBatch, TableLayout) {
        let item = Arc::new(Field::new("item", arrow_schema::DataType::UInt8, true));
        let cells: Vec<u8> = [[0; 81], [9; 81], [12; 81], [5; 81]].concat();
        let nulls = Some(vec![true, true, true, false].into());
        let cells = FixedSizeListArray::new(item, 81, Arc::new(UInt8Array::from(cells)), nulls);
        let words = StringArray::from(vec![Some("a,b"), None, Some("say \"c\""), Some("d")]);
        let solutions = StringArray::from(vec![Some(SOLVED), Some(" x,y "), None, Some("")]);
        let columns: [(&str, ArrayRef); 4] = [
            ("words", Arc::new(words)),
            ("puzzle", Arc::new(cells)),
            ("solution", Arc::new(solutions)),
            ("flag", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), Some(true)]))),
        ];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let layout = TableLayout::new(&Input::Reader("t".to_owned()), &batch, &Options::default()).unwrap();
        (batch, layout)
    }

    #[test]
    fn ranges_of_a_row_with_text_point_into_its_line_of_csv() {
        let (batch, layout) = table();
        let (mut bytes, mut parsed) = (b"left over".to_vec(), ParsedBlock::default());
        layout.parse(&batch.slice(1, 3), 8, true, &mut bytes, &mut parsed).unwrap();
        layout.parse(&batch, 7, true, &mut bytes, &mut parsed).unwrap();
        let part = |range: &Range<u32>| {
            String::from_utf8(bytes[range.start as usize..range.end as usize].to_vec()).unwrap()
        };
        let texts: Vec<String> = parsed.rows.iter().map(|row| part(&row.text)).collect();
        let wrong = format!("[{}12]", "12, ".repeat(80));
        assert_eq!(
            texts,
            [
                format!("\"a,b\",{},{SOLVED},true", "0".repeat(81)),
                format!(",{},\" x,y \",", "9".repeat(81)),
                format!("\"say \"\"c\"\"\",\"{wrong}\",,false"),
                "d,,,true".to_owned(),
            ]
        );
        let puzzles: Vec<String> = parsed.rows.iter().map(|row| part(&row.puzzle_text)).collect();
        assert_eq!(puzzles, ["0".repeat(81), "9".repeat(81), wrong, String::new()]);
        let expected: Vec<Option<String>> =
            parsed.rows.iter().map(|row| row.expected.as_ref().map(part)).collect();
        assert_eq!(expected, [Some(SOLVED.to_owned()), Some(" x,y ".to_owned()), None, None]);
        assert!(parsed.rows.iter().all(|row| row.is_regular) && parsed.puzzles.len() == 2);
        assert_eq!(parsed.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [7, 8, 9, 10]);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(texts[2].as_bytes());
        assert_eq!(&reader.records().next().unwrap().unwrap()[0], "say \"c\"");
    }

    #[test]
    fn a_row_without_text_is_otherwise_the_same() {
        let (batch, layout) = table();
        let (mut bytes, mut parsed) = (Vec::new(), ParsedBlock::default());
        layout.parse(&batch, 7, true, &mut bytes, &mut parsed).unwrap();
        let with = parsed.clone();
        layout.parse(&batch, 7, false, &mut bytes, &mut parsed).unwrap();
        assert_eq!(bytes, [SOLVED, " x,y "].concat().as_bytes());
        assert_eq!(parsed.puzzles, with.puzzles);
        for (row, with) in parsed.rows.iter().zip(&with.rows) {
            assert_eq!((row.fault, row.line), (with.fault, with.line));
            assert_eq!(row.expected.as_ref().map(Range::len), with.expected.as_ref().map(Range::len));
        }
        let other = batch.project(&[0, 3]).unwrap();
        assert!(layout.parse(&other, 1, false, &mut bytes, &mut parsed).is_err());
    }
}
