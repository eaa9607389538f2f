//! The tables that a run writes: the input's columns with their types, then the chosen columns.

use std::fmt::Display;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::{io, iter};

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, UInt32Array, new_empty_array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use sudobench_rows::AnsweredRow;
use sudobench_rows::columns::Column;
use sudobench_rows::internals::InputColumns;
use sudobench_rows::sink::{FormatSetup, OutputRows};

use super::table_source::{FileLayout, TableRows};
use crate::added::AddedColumns;
use crate::forms::FormedColumns;
use crate::layout::TableLayout;

/// Returns whether a column, or a field at any depth inside its values, has a type that `wanted` accepts.
pub(super) fn has_type(column: &FieldRef, wanted: impl FnMut(&DataType) -> bool) -> bool {
    let schema = Schema::new(vec![Arc::clone(column)]);
    let mut types = schema.flattened_fields().into_iter().flat_map(|field| {
        // The values of a dictionary have a type, but no field.
        iter::successors(Some(field.data_type()), |data_type| match data_type {
            DataType::Dictionary(_, values) => Some(values.as_ref()),
            _ => None,
        })
    });
    types.any(wanted)
}

/// Checks that files can be merged into one file. `read` reads the header of each file, and `is_alike` compares this header with the header
/// of the first file. Returns the problems.
pub(super) fn check_alike<T, E: Display + From<io::Error>>(
    parts: &[&Path],
    mut read: impl FnMut(File) -> Result<T, E>,
    is_alike: impl Fn(&T, &T) -> bool,
) -> Vec<String> {
    let mut faults = Vec::new();
    let mut first: Option<(&Path, T)> = None;
    for &path in parts {
        let part = path.display();
        match (File::open(path).map_err(E::from).and_then(&mut read), &first) {
            (Err(reason), _) => faults.push(format!("cannot read {part}: {reason}")),
            (Ok(header), None) => first = Some((path, header)),
            (Ok(header), Some((other, of_other))) if !is_alike(&header, of_other) => {
                faults.push(format!("{part} has other columns or other metadata than {}", other.display()))
            }
            (Ok(_), Some(_)) => {}
        }
    }
    faults
}

/// Makes record batches from input rows and their answers.
#[derive(Clone, Debug)]
pub(super) struct OutputTable {
    pub(super) schema: SchemaRef,
    /// The columns of a text input, which become strings; `None` if the input is a table.
    texts: Option<InputColumns>,
    columns: Vec<Column>,
    /// The type of the puzzle column. The solutions get the same type or a similar one.
    puzzle: DataType,
    /// Positions of the columns that hold boards: the puzzle column, the solution column and added columns. Boards seldom occur twice in a
    /// column. Parquet files get no statistics of these columns.
    pub(super) distinct: Vec<usize>,
    /// Number of columns that come from the input.
    pub(super) input_columns: usize,
    /// Number of rows of the input's first row group (in Arrow files: record batch); 0 if the input has none.
    pub(super) input_group_rows: usize,
    /// The layout of the input table and its columns with boards; `None` if the input is a text, or rows are not transformed.
    formed: Option<(TableLayout, FormedColumns)>,
}

impl OutputTable {
    pub(super) fn new(setup: &FormatSetup) -> OutputTable {
        let &FormatSetup { layout, columns, has_forms, .. } = setup;
        let file = FileLayout::from_layout(layout);
        let input_group_rows = file.map_or(0, |file| file.group_rows);
        let formed =
            file.filter(|_| has_forms).map(|file| (file.table.clone(), FormedColumns::new(&file.table)));
        let (input, texts, puzzle_column, solution_column) = match file {
            Some(FileLayout { table, .. }) => {
                let schema = match &formed {
                    Some((_, formed)) => formed.schema(&table.schema),
                    None => table.schema.as_ref().clone(),
                };
                (schema, None, table.puzzle_column, table.solution_column)
            }
            None => {
                let texts = InputColumns::from_layout(layout);
                let names = texts.names_or_numbers();
                let field = |name: &Vec<u8>| Field::new(String::from_utf8_lossy(name), DataType::Utf8, true);
                let schema = Schema::new(names.iter().map(field).collect::<Vec<_>>());
                let (puzzle, solution) = (texts.puzzle, texts.solution);
                (schema, Some(texts), puzzle, solution)
            }
        };
        let puzzle = input.field(puzzle_column).data_type().clone();
        let mut distinct: Vec<usize> = [Some(puzzle_column), solution_column].into_iter().flatten().collect();
        let first_added = input.fields().len();
        distinct
            .extend((0..columns.len()).filter(|&at| columns[at].holds_cells()).map(|at| first_added + at));
        OutputTable {
            schema: Arc::new(AddedColumns::schema(&input, puzzle_column, columns)),
            texts,
            columns: columns.to_vec(),
            puzzle,
            distinct,
            input_columns: first_added,
            input_group_rows,
            formed,
        }
    }

    pub(super) fn empty(&self) -> Result<RecordBatch, ArrowError> {
        let added = AddedColumns::new(&self.columns, &self.puzzle, 0, 0, &Arc::default())?;
        let inputs = self.schema.fields()[..self.input_columns].iter();
        let mut arrays: Vec<ArrayRef> = inputs.map(|field| new_empty_array(field.data_type())).collect();
        arrays.extend(added.into_arrays()?);
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }

    pub(super) fn batch(&self, rows: OutputRows) -> Result<RecordBatch, ArrowError> {
        let (block, most) = (rows.block(), rows.most_rows());
        // `Arc::default()` is a new, empty store of spare memory. So the memory of this block is not kept for later blocks.
        let mut added = AddedColumns::new(&self.columns, &self.puzzle, most, most, &Arc::default())?;
        let mut texts = self.texts.as_ref().map(|input| TextColumns::new(input, most, block.bytes.len()));
        let mut kept: Vec<u32> = Vec::with_capacity(most);
        let mut transformations = Vec::with_capacity(if self.formed.is_some() { most } else { 0 });
        let mut parts = added.parts();
        rows.each(|row| {
            if let Some(part) = parts.first_mut() {
                part.put(row);
            }
            if let Some(texts) = &mut texts {
                texts.push(row);
            }
            if self.formed.is_some() {
                transformations.push(row.form.map(|form| form.transformation));
            }
            // The line number of a table's row is its position in the table, so the difference is the row's position in the block.
            kept.push((row.row.line - block.first_line) as u32);
        });
        drop(parts);
        added.truncate(kept.len());
        let mut arrays = match (texts, TableRows::from_block(block)) {
            (Some(texts), _) => texts.finish(),
            (None, Some(table)) => match &self.formed {
                Some((layout, formed)) => {
                    formed.rows(layout, table.columns(), &kept, &transformations, false)?
                }
                None => rows_of(table, &kept)?,
            },
            (None, None) => Vec::new(),
        };
        arrays.extend(added.into_arrays()?);
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

/// Returns the columns of a block, with only the rows at the positions `kept`. If these positions follow each other, no data is copied.
fn rows_of(rows: &RecordBatch, kept: &[u32]) -> Result<Vec<ArrayRef>, ArrowError> {
    let columns = rows.columns().iter();
    match kept {
        // Each position is compared with the next one. The first and the last alone are not enough, because a row can occur several times.
        [first, ..] if kept.windows(2).all(|pair| pair[1] == pair[0] + 1) => {
            Ok(columns.map(|column| column.slice(*first as usize, kept.len())).collect())
        }
        _ => {
            let kept = UInt32Array::from(kept.to_vec());
            columns.map(|column| arrow_select::take::take(column, &kept, None)).collect()
        }
    }
}

/// Builds arrays from the columns of a text input.
struct TextColumns<'f> {
    input: &'f InputColumns,
    columns: Vec<StringBuilder>,
}

impl<'f> TextColumns<'f> {
    /// Makes empty columns with room for this number of rows, which have `bytes` bytes in total.
    fn new(input: &'f InputColumns, rows: usize, bytes: usize) -> TextColumns<'f> {
        let share = bytes / input.count;
        let columns = (0..input.count).map(|_| StringBuilder::with_capacity(rows, share)).collect();
        TextColumns { input, columns }
    }

    /// Adds a row. A missing value and an empty value are both null, because a text input does not distinguish them. If a row cannot be
    /// split into columns, the whole row is written to the first column, as in CSV.
    fn push(&mut self, row: &AnsweredRow) {
        let values = self.input.values(row);
        for (at, column) in self.columns.iter_mut().enumerate() {
            let value = match &values {
                Some(values) => &values[at],
                None if at == 0 => row.text(),
                None => &[],
            };
            match value {
                [] => column.append_null(),
                value => match str::from_utf8(value) {
                    Ok(text) => column.append_value(text),
                    Err(_) => column.append_value(String::from_utf8_lossy(value)),
                },
            }
        }
    }

    fn finish(self) -> Vec<ArrayRef> {
        self.columns.into_iter().map(|mut column| Arc::new(column.finish()) as ArrayRef).collect()
    }
}
