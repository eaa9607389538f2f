//! Columns of boards, row for row in another form.

use std::sync::Arc;

use arrow_array::{ArrayRef, UInt32Array};
use arrow_buffer::Buffer;
use arrow_schema::{ArrowError, Field, Schema};
use arrow_select::interleave::interleave;
use arrow_select::take::take;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::puzzle::CELLS;

use super::added::{array_of, put_cells, width_of_cells};
use super::puzzles::{holds_puzzles, type_of_grids};
use super::{Puzzles, TableLayout};

/// Which columns of a table hold boards that are taken to other forms: those of puzzles and solutions, and all others whose type may
/// hold some, but for dictionaries and runs, in which values stand that many rows share.
#[derive(Clone, Debug)]
pub struct FormedColumns(Vec<usize>);

impl FormedColumns {
    /// Those of tables with this layout.
    pub fn of(layout: &TableLayout) -> FormedColumns {
        let known = [Some(layout.puzzle_column), layout.solution_column];
        let is_formed = |&column: &usize| {
            let data_type = layout.schema.field(column).data_type();
            let is_plain = type_of_grids(data_type) == data_type && holds_puzzles(data_type);
            known.contains(&Some(column)) || is_plain
        };
        FormedColumns((0..layout.schema.fields().len()).filter(is_formed).collect())
    }

    /// The columns of a table of forms. What was a dictionary has the type of its values, which seldom repeat.
    pub fn schema(&self, schema: &Schema) -> Schema {
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

    /// The rows of these numbers, with the boards of each in the form that its transformation leads to, if it has one.
    ///
    /// # Errors
    /// Where they do not fit into arrays of these types.
    pub fn rows(
        &self,
        layout: &TableLayout,
        columns: &[ArrayRef],
        rows: &[u32],
        transformations: &[Option<Transformation>],
    ) -> Result<Vec<ArrayRef>, ArrowError> {
        let indices = UInt32Array::from(rows.to_vec());
        let column = |(number, array): (usize, &ArrayRef)| {
            if !self.0.contains(&number) {
                return take(array, &indices, None);
            }
            let restores_zeros = layout.restores_zeros && number == layout.puzzle_column;
            forms_of(array, restores_zeros, rows, transformations)
        };
        columns.iter().enumerate().map(column).collect()
    }
}

/// The rows of these numbers, each in the form that its transformation leads to. What is no board, or has no transformation, is as it is.
fn forms_of(
    array: &ArrayRef,
    restores_zeros: bool,
    rows: &[u32],
    transformations: &[Option<Transformation>],
) -> Result<ArrayRef, ArrowError> {
    let puzzles = Puzzles::of_array(array).map(|puzzles| puzzles.restore_zeros(restores_zeros));
    let Some(puzzles) = puzzles else {
        return take(array, &UInt32Array::from(rows.to_vec()), None);
    };
    let data_type = type_of_grids(array.data_type()).clone();
    let width = width_of_cells(&data_type);
    let each = CELLS * width.unwrap_or(1);
    let mut cells = vec![0; rows.len() * each];
    // The forms of a row stand behind each other.
    let mut last = None;
    let mut others = false;
    let mut places = Vec::with_capacity(rows.len());
    for (at, (&row, place)) in rows.iter().zip(cells.chunks_exact_mut(each)).enumerate() {
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
    let forms = array_of(&data_type, Buffer::from_vec(cells), rows.len(), CELLS, None)?;
    if !others {
        return Ok(forms);
    }
    // Those of a dictionary have the type of its values from here on.
    let as_they_are = arrow_cast::cast(array, &data_type)?;
    interleave(&[forms.as_ref(), as_they_are.as_ref()], &places)
}
