//! Transforms the boards in the columns of a table.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array, UInt64Array, new_null_array};
use arrow_buffer::MutableBuffer;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::interleave::interleave;
use arrow_select::take::take;
use rayon::ThreadPool;
use rayon::prelude::*;
use sudobench_rows::columns::Column;
use sudobench_rows::figures::counted;
use sudobench_rows::pipeline::{self, ThreadsError};
use sudobench_rows::source::ReadPuzzle;
use sudobench_rows::{Draws, Transform, Watch};
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::puzzle::CELLS;

use super::added::{AddedColumns, array_of, put_cells, width_of_cells};
use super::layout::TableLayout;
use super::puzzles::{Indirect, Puzzles, holds_puzzles, type_of_grids};

/// The columns of a table whose boards are transformed: the columns of puzzles and solutions, and all other columns whose type can hold
/// boards. A dictionary or run-end encoded column is included only if it has the puzzles or the solutions, or if the rows from which the
/// layout was detected have a board in it.
#[derive(Clone, Debug)]
pub(crate) struct FormedColumns(Vec<usize>);

impl FormedColumns {
    pub(crate) fn new(layout: &TableLayout) -> FormedColumns {
        let known = [Some(layout.puzzle_column), layout.solution_column];
        let is_formed = |&column: &usize| {
            let data_type = layout.schema.field(column).data_type();
            let is_plain = type_of_grids(data_type) == data_type && holds_puzzles(data_type);
            known.contains(&Some(column)) || is_plain || layout.board_columns.contains(&column)
        };
        FormedColumns((0..layout.schema.fields().len()).filter(is_formed).collect())
    }

    /// Returns the columns of the transformed table. A dictionary or run-end encoded column of boards becomes a plain column with the type
    /// of its values, because transformed boards seldom repeat.
    pub(crate) fn schema(&self, schema: &Schema) -> Schema {
        let field = |(column, field): (usize, &Arc<Field>)| {
            if !self.0.contains(&column) {
                return Arc::clone(field);
            }
            let data_type = type_of_grids(field.data_type()).clone();
            Arc::new(field.as_ref().clone().with_data_type(data_type))
        };
        let fields: Vec<_> = schema.fields().iter().enumerate().map(field).collect();
        Schema::new_with_metadata(fields, schema.metadata().clone())
    }

    /// Returns the rows with these numbers. If `transformations` has a transformation for a row, the row's boards are transformed. With
    /// `only_boards`, all other values are null.
    ///
    /// # Errors
    /// If the rows do not fit into arrays of these types.
    pub(crate) fn rows(
        &self,
        layout: &TableLayout,
        columns: &[ArrayRef],
        rows: &[u32],
        transformations: &[Option<Transformation>],
        only_boards: bool,
    ) -> Result<Vec<ArrayRef>, ArrowError> {
        let indices = UInt32Array::from(rows.to_vec());
        let column = |(number, array): (usize, &ArrayRef)| {
            if self.0.contains(&number) {
                let restores_zeros = layout.restores_zeros && number == layout.puzzle_column;
                return forms_of(array, restores_zeros, rows, transformations, only_boards);
            }
            match only_boards {
                true => Ok(new_null_array(array.data_type(), rows.len())),
                false => take(array, &indices, None),
            }
        };
        columns.iter().enumerate().map(column).collect()
    }
}

/// The transformations of the rows of a table.
#[derive(Clone, Debug)]
pub enum RowForms {
    /// Each row gets all forms that the transform makes of its puzzle. If they are random, the `Draws` say whether they depend on the row.
    Drawn(Transform, Draws),
    /// Each row gets one form. The list has a transformation for each row of the table.
    Given(Vec<Transformation>),
    /// Each row gets one form. A column of the table contains the transformation of each row as text.
    Column {
        /// The number of the column, from 0.
        number: usize,
        /// Whether to apply the inverse transformations.
        inverse: bool,
    },
}

/// Expands the rows of tables to transformed rows, on its own threads.
#[derive(Debug)]
pub struct TableForms {
    layout: TableLayout,
    formed: FormedColumns,
    forms: RowForms,
    columns: Vec<Column>,
    schema: SchemaRef,
    only_boards: bool,
    pool: ThreadPool,
}

/// Maximum number of output rows in a batch that a thread makes. If a single input row has more forms than this, the batch has all forms of
/// this row.
const AT_ONCE: usize = 16 << 10;

impl TableForms {
    /// Makes an expander for tables of this layout. `columns` is [`TRANSFORM`](sudobench_rows::columns::TRANSFORM) to add the
    /// transformation of each row, or empty. If `only_boards` is true, the table's own columns contain only transformed boards, and null
    /// for all other values. An extra column follows them, before the added columns: the number of the input row of each form, from 0.
    ///
    /// # Errors
    /// If the threads can't be started.
    pub fn new(
        layout: TableLayout,
        forms: RowForms,
        columns: &[Column],
        only_boards: bool,
        threads: NonZeroUsize,
    ) -> Result<TableForms, ThreadsError> {
        let formed = FormedColumns::new(&layout);
        let mut own = formed.schema(&layout.schema);
        if only_boards {
            // The name of the extra column joins all other names, so it is longer than each of them, and therefore different.
            let name: String = own.fields.iter().map(|field| field.name().as_str()).chain(["row"]).collect();
            let row = Arc::new(Field::new(name, DataType::UInt64, false));
            own.fields = own.fields.iter().cloned().chain([row]).collect();
        }
        let schema = Arc::new(AddedColumns::schema(&own, layout.puzzle_column, columns));
        let pool = pipeline::pool(threads.get())?;
        Ok(TableForms { layout, formed, forms, columns: columns.to_vec(), schema, only_boards, pool })
    }

    /// Returns the columns of the result.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns the forms of each row of a table, in order, in one or more batches. A row without a puzzle is returned once, without a
    /// transformation. `before` is the number of rows in earlier batches of the table. If the work is cancelled, rows or whole batches may
    /// be missing.
    ///
    /// # Errors
    /// If the table does not have the columns of the layout, if there are fewer seeds or transformations than rows, if the column of
    /// transformations has no transformation for a row with a puzzle, or if the forms do not fit into arrays of their types.
    pub fn transform(
        &self,
        batch: &RecordBatch,
        before: usize,
        watch: &Watch,
    ) -> Result<Vec<RecordBatch>, ArrowError> {
        let given = match &self.forms {
            RowForms::Drawn(_, draws) => draws.seeds.as_ref().map(|seeds| (seeds.len(), "seed", "number")),
            RowForms::Given(given) => Some((given.len(), "apply", "transformation")),
            RowForms::Column { .. } => None,
        };
        if let Some((given, option, what)) = given
            && given < before + batch.num_rows()
        {
            return Err(ArrowError::InvalidArgumentError(format!(
                "{option} has {}, but the table has more rows: give one for each row",
                counted(given as u64, what)
            )));
        }
        let each = match &self.forms {
            RowForms::Drawn(transform, _) => usize::try_from(transform.forms()).unwrap_or(usize::MAX),
            RowForms::Given(_) | RowForms::Column { .. } => 1,
        };
        let rows = (AT_ONCE / each).max(1);
        // A table without rows gives one empty batch.
        let pieces: Vec<usize> = (0..batch.num_rows().max(1)).step_by(rows).collect();
        let pieces = pieces.into_par_iter().filter(|_| !watch.is_cancelled());
        let piece = |start| {
            let rows = start..batch.num_rows().min(start + rows);
            let formed = self.piece(batch, before, rows.clone(), watch);
            watch.add(rows.len());
            formed
        };
        self.pool.install(|| pieces.map(piece).collect())
    }

    fn notations<'a>(&self, batch: &'a RecordBatch, number: usize) -> Result<Puzzles<'a>, ArrowError> {
        let texts = batch.columns().get(number).and_then(|array| Puzzles::from_array(array));
        texts.ok_or_else(|| {
            let name = self.layout.schema.field(number).name();
            ArrowError::InvalidArgumentError(format!("the column `{name}` holds no transformations"))
        })
    }

    fn piece(
        &self,
        batch: &RecordBatch,
        before: usize,
        rows: Range<usize>,
        watch: &Watch,
    ) -> Result<RecordBatch, ArrowError> {
        let (puzzles, _) = self.layout.puzzles(batch)?;
        let notations = match self.forms {
            RowForms::Column { number, .. } => Some(self.notations(batch, number)?),
            RowForms::Drawn(..) | RowForms::Given(_) => None,
        };
        let mut canonicalizer = Canonicalizer::default();
        let (mut kept, mut transformations) = (Vec::new(), Vec::new());
        for row in rows.take_while(|_| !watch.is_cancelled()) {
            match (puzzles.puzzle(row), &self.forms, &notations) {
                (Err(_), ..) => transformations.push(None),
                (Ok(ReadPuzzle { puzzle, .. }), RowForms::Drawn(transform, draws), _) => {
                    let own = draws.transformations(transform, before + row, &puzzle, &mut canonicalizer);
                    transformations.extend(own.map(Some).take_while(|_| !watch.is_cancelled()));
                }
                (Ok(_), RowForms::Given(given), _) => transformations.push(Some(given[before + row])),
                (Ok(_), RowForms::Column { number, inverse }, notations) => {
                    let mut text = Vec::new();
                    if let Some(notations) = notations {
                        notations.push_text(row, &mut text);
                    }
                    let text = String::from_utf8_lossy(&text);
                    let found: Transformation = text.parse().map_err(|error| {
                        let name = self.layout.schema.field(*number).name();
                        let row = before + row;
                        ArrowError::InvalidArgumentError(format!(
                            "row {row} (counted from 0) has {text:?} in the column `{name}`: {error}"
                        ))
                    })?;
                    transformations.push(Some(if *inverse { found.inverse() } else { found }));
                }
            }
            kept.resize(transformations.len(), row as u32);
        }
        let (columns, only_boards) = (batch.columns(), self.only_boards);
        let mut arrays = self.formed.rows(&self.layout, columns, &kept, &transformations, only_boards)?;
        if only_boards {
            arrays.push(Arc::new(UInt64Array::from_iter_values(
                kept.iter().map(|&row| before as u64 + u64::from(row)),
            )));
        }
        if !self.columns.is_empty() {
            let notation =
                |transformation: &Option<Transformation>| transformation.as_ref().map(ToString::to_string);
            arrays.push(Arc::new(transformations.iter().map(notation).collect::<StringArray>()));
        }
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

/// Returns the values of a column in the rows with these numbers. Each value is transformed by the transformation at the same position in
/// `transformations`. Values that aren't boards, and values without a transformation, stay unchanged, or become null with `only_boards`.
fn forms_of(
    array: &ArrayRef,
    restores_zeros: bool,
    rows: &[u32],
    transformations: &[Option<Transformation>],
    only_boards: bool,
) -> Result<ArrayRef, ArrowError> {
    let puzzles = Puzzles::from_array(array).map(|puzzles| puzzles.restore_zeros(restores_zeros));
    let Some(puzzles) = puzzles else {
        return take(array, &UInt32Array::from(rows.to_vec()), None);
    };
    let data_type = type_of_grids(array.data_type()).clone();
    let width = width_of_cells(&data_type);
    let each = CELLS * width.unwrap_or(1);
    // This buffer is aligned for numbers of any type; a vector of bytes is not.
    let mut cells = MutableBuffer::from_len_zeroed(rows.len() * each);
    // The forms of a row are consecutive, so the board of the row is kept until another row comes.
    let mut last = None;
    let mut others = false;
    let mut places = Vec::with_capacity(rows.len());
    for (at, (&row, place)) in rows.iter().zip(cells.as_slice_mut().chunks_exact_mut(each)).enumerate() {
        let board = match last {
            Some((other, board)) if other == row => board,
            _ => puzzles.board(row as usize),
        };
        last = Some((row, board));
        match board.zip(transformations[at].as_ref()) {
            Some((board, transformation)) => {
                let form = transformation.apply_to_text(&board);
                match width {
                    None => place.copy_from_slice(&form),
                    Some(_) => put_cells(place, width, Some(&form.map(|digit| digit - b'0'))),
                }
                places.push((0, at));
            }
            None => {
                others = true;
                places.push((1, row as usize));
            }
        }
    }
    let nulls = only_boards.then(|| places.iter().map(|&(source, _)| source == 0).collect());
    let forms = array_of(&data_type, cells.into(), rows.len(), CELLS, nulls)?;
    if !others || only_boards {
        return Ok(forms);
    }
    let unchanged = direct(array)?;
    interleave(&[forms.as_ref(), unchanged.as_ref()], &places)
}

/// Expands a dictionary or a run-end array, so that each row has a value of its own. Returns any other array as it is.
pub(super) fn direct(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let Some(Indirect { places, nulls, values }) = Indirect::from_array(array) else {
        return Ok(Arc::clone(array));
    };
    let places = places.into_iter().map(|place| place as u64).collect::<Vec<_>>();
    direct(&take(values, &UInt64Array::new(places.into(), nulls), None)?)
}
