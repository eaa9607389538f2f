//! The layout of Arrow tables: which columns hold the puzzles, and their types.

use std::borrow::Cow;
use std::ops::Range;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use sudobench_rows::source::{
    ColumnChoice, Input, Options, ParsedBlock, RowRanges, SourceError, choose, find_column,
};
use sudobench_sudoku::Puzzle;

use super::puzzles::{self, Puzzles};

/// The layout of a table's rows: the columns of the puzzle and of the expected solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableLayout {
    /// The names and types of all columns.
    pub schema: SchemaRef,
    /// The column of the puzzle, from 0.
    pub puzzle_column: usize,
    /// The column of the expected solution, from 0; `None` if the table has no such column.
    pub solution_column: Option<usize>,
    /// The numbers, from 0, of the columns that hold a board in at least one row of the sample.
    pub board_columns: Vec<usize>,
    /// See [`Options::restore_zeros`].
    pub restores_zeros: bool,
}

/// Number of rows whose content is used to find columns.
pub(super) const SAMPLE_ROWS: usize = 500;

impl TableLayout {
    /// Finds the columns in the same way as in CSV: by `options`, then by names, then by the first 500 rows of `sample`. Error messages
    /// contain the name of `input`.
    ///
    /// # Errors
    /// [`SourceError::NoSuchColumn`], [`SourceError::NoPuzzleColumn`], and [`SourceError::ColumnType`] for a column whose type can't hold
    /// puzzles. If `options` name no solution column, a column whose type can't hold puzzles is not used as the solution
    /// column, even if the column has a usual name for solutions.
    pub fn new(input: &Input, sample: &RecordBatch, options: &Options) -> Result<TableLayout, SourceError> {
        let schema = sample.schema();
        let sample = sample.slice(0, sample.num_rows().min(SAMPLE_ROWS));
        let header = schema.fields().iter().map(|field| Cow::Borrowed(field.name().as_bytes())).collect();
        // A column whose type can't hold puzzles is never the puzzle column, even if its text looks like a puzzle.
        let columns: Vec<Option<Puzzles>> =
            sample.columns().iter().map(|column| Puzzles::from_array(column)).collect();
        let text = |column: &Option<Puzzles>, row| {
            let mut text = Vec::new();
            if let Some(puzzles) = column {
                puzzles.push_text(row, &mut text);
            }
            Cow::Owned(text)
        };
        let records: Vec<Vec<Cow<'_, [u8]>>> = (0..sample.num_rows())
            .map(|row| columns.iter().map(|column| text(column, row)).collect())
            .collect();
        let chosen = choose(input, Some(&header), &records, columns.len(), options)?;
        let type_of = |column: usize| schema.field(column).data_type();
        let checked = |column: usize| match puzzles::holds_puzzles(type_of(column)) {
            true => Ok(column),
            false => Err(SourceError::ColumnType {
                input: input.clone(),
                column: schema.field(column).name().clone(),
                found: type_of(column).to_string(),
                why: puzzles::why_none(type_of(column)),
            }),
        };
        let puzzle_column = checked(chosen.puzzle)?;
        let solution_column = match options.solution_column {
            Some(_) => chosen.solution.map(checked).transpose()?,
            None => chosen.solution.filter(|&column| checked(column).is_ok()),
        };
        let is_board = |cell: &Cow<'_, [u8]>| Puzzle::from_text(cell).is_ok();
        let holds_board = |&column: &usize| records.iter().any(|record| is_board(&record[column]));
        Ok(TableLayout {
            board_columns: (0..columns.len()).filter(holds_board).collect(),
            schema,
            puzzle_column,
            solution_column,
            restores_zeros: options.restore_zeros,
        })
    }

    /// Returns the number, from 0, of the column that `choice` names. Any type is allowed. Error messages contain the name of `input`.
    ///
    /// # Errors
    /// [`SourceError::NoSuchColumn`].
    pub fn column(&self, input: &Input, choice: &ColumnChoice) -> Result<usize, SourceError> {
        let fields = self.schema.fields();
        let header = fields.iter().map(|field| Cow::Borrowed(field.name().as_bytes())).collect();
        find_column(input, Some(&header), &[], fields.len(), choice)
    }

    /// Returns the puzzles of a table with this layout, and the expected solutions.
    ///
    /// # Errors
    /// If the table does not have the columns of this layout.
    pub fn puzzles<'a>(
        &self,
        batch: &'a RecordBatch,
    ) -> Result<(Puzzles<'a>, Option<Puzzles<'a>>), ArrowError> {
        let column = |column: usize| {
            let array = batch.columns().get(column);
            let other = || {
                ArrowError::SchemaError(format!(
                    "column {} is missing, or its type cannot contain puzzles",
                    column + 1
                ))
            };
            array.and_then(|array| Puzzles::from_array(array)).ok_or_else(other)
        };
        let puzzles = column(self.puzzle_column)?.restore_zeros(self.restores_zeros);
        Ok((puzzles, self.solution_column.map(column).transpose()?))
    }
}

/// Reads rows of puzzles. `line` is the line number of the first row. Replaces the contents of `parsed` and `bytes`; `bytes` then holds the
/// expected solutions.
pub(super) fn parse(
    puzzles: &Puzzles,
    expected: Option<&Puzzles>,
    rows: Range<usize>,
    line: u64,
    bytes: &mut Vec<u8>,
    parsed: &mut ParsedBlock,
) {
    bytes.clear();
    parsed.clear();
    for (at, row) in rows.enumerate() {
        let start = bytes.len();
        let expected = expected.and_then(|expected| {
            if !expected.push_text(row, bytes) {
                // The row is not a board, so it has no text. The text `?` is refused as a solution, too.
                bytes.push(b'?');
            }
            (bytes.len() > start).then_some(start..bytes.len())
        });
        let ranges = RowRanges { expected, is_regular: false, ..RowRanges::bare(0..0, line + at as u64) };
        parsed.push(ranges, puzzles.puzzle(row));
    }
}
