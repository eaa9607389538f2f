//! The added columns of a table. Answers are written directly to their final places, except texts.
//!
//! ```text
//! new      memory for each column, with room for all rows of the table
//! parts    ranges of rows, which threads fill at the same time: a solution, a number or a dictionary key has a fixed place;
//!          the texts of a part are appended one after the other, because their lengths differ
//! arrays   the memory becomes arrays without a copy; texts are joined, and unfilled rows are null
//! ```

use std::borrow::Cow;
use std::cell::LazyCell;
use std::iter;
use std::mem;
use std::slice;
use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::types::{
    ArrowPrimitiveType, BinaryType, BinaryViewType, ByteArrayType, ByteViewType, Float64Type, Int8Type,
    LargeBinaryType, LargeUtf8Type, StringViewType, UInt64Type, Utf8Type,
};
use arrow_array::{
    ArrayRef, DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray, GenericByteArray,
    GenericByteViewArray, GenericListArray, OffsetSizeTrait, PrimitiveArray, StringArray, downcast_integer,
};
use arrow_buffer::{Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use sudobench_rows::columns::{Column, Holds, OutcomeNumber, STATUSES, scale};
use sudobench_rows::internals::{Answers, InputColumns};
use sudobench_rows::source::Row;
use sudobench_rows::{AnsweredRow, Tally};
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::block_referee;
use sudobench_sudoku::{Outcome, Puzzle, Solution};

use super::memory::{ColumnBuffer, Spare};
use super::puzzles::type_of_grids;

/// The columns that are added to a table, while they are filled.
#[derive(Debug)]
pub struct AddedColumns {
    columns: Vec<Added>,
    rows: usize,
    /// Number of rows in each part. The columns are filled in parts; the last part may have fewer rows.
    part_rows: usize,
}

#[derive(Debug)]
struct Added {
    values: Values,
    /// For each part, a bit for each row that was added so far: whether the row has a value.
    valid: Vec<NullBufferBuilder>,
}

#[derive(Debug)]
enum Values {
    Grids { value: GridOf, data_type: DataType, cells: ColumnBuffer },
    Words { words: &'static [&'static str], value: WordOf, keys: ColumnBuffer },
    Texts { value: TextOf, parts: Vec<Texts> },
    Numbers { value: NumberOf, numbers: ColumnBuffer },
}

#[derive(Debug, Default)]
struct Texts {
    /// For each row, the end of its text in `bytes`. The rows after the last row with a text are left out.
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

/// Selects a grid of an answered row.
#[derive(Clone, Copy, Debug)]
enum GridOf {
    Solution,
    Puzzle(for<'r> fn(&AnsweredRow<'r>) -> Option<&'r Puzzle>),
}

impl GridOf {
    #[inline]
    fn values<'r>(self, row: &AnsweredRow<'r>) -> Option<&'r [u8; CELLS]> {
        match self {
            GridOf::Solution => row.outcome?.solution.as_ref().map(Solution::values),
            GridOf::Puzzle(value) => value(row).map(Puzzle::values),
        }
    }
}

/// Finds the value of an answered row in a column whose values are from a fixed list. The result is an index into this list.
#[derive(Clone, Copy, Debug)]
enum WordOf {
    Status,
    Row(fn(&AnsweredRow<'_>) -> Option<usize>),
}

impl WordOf {
    #[inline]
    fn number(self, row: &AnsweredRow<'_>) -> Option<usize> {
        match self {
            WordOf::Status => row.status().map(|status| status as usize),
            WordOf::Row(value) => value(row),
        }
    }
}

/// Selects a text of an answered row.
#[derive(Clone, Copy, Debug)]
enum TextOf {
    Note,
    Row(for<'r> fn(&AnsweredRow<'r>) -> Option<Cow<'r, str>>),
}

impl TextOf {
    #[inline]
    fn text<'r>(self, row: &AnsweredRow<'r>) -> Option<Cow<'r, str>> {
        match self {
            TextOf::Note => row.note_if_any().map(Cow::Owned),
            TextOf::Row(value) => value(row),
        }
    }
}

/// Selects one of the numbers of an answered row: a whole number or a float, both of eight bytes.
#[derive(Clone, Copy, Debug)]
enum NumberOf {
    Outcome(OutcomeNumber),
    Row(fn(&AnsweredRow<'_>) -> Option<u64>),
    /// A whole number, which is divided by this scale.
    Decimal(f64, fn(&AnsweredRow<'_>) -> Option<u64>),
    Real(fn(&AnsweredRow<'_>) -> Option<f64>),
}

/// A range of rows of the added columns. See [`AddedColumns::parts`].
#[derive(Debug, Default)]
pub(crate) struct AddedPart<'a>(Vec<PartOfColumn<'a>>);

#[derive(Debug)]
struct PartOfColumn<'a> {
    values: PartOfValues<'a>,
    valid: &'a mut NullBufferBuilder,
}

/// The places of a part that are not filled yet.
#[derive(Debug)]
enum PartOfValues<'a> {
    Grids { value: GridOf, width: Option<usize>, places: &'a mut [u8] },
    Words { value: WordOf, places: &'a mut [u8] },
    Texts { value: TextOf, texts: &'a mut Texts },
    Numbers { value: NumberOf, places: &'a mut [[u8; 8]] },
}

impl AddedColumns {
    /// Returns the fields of the added columns. If the table already has a column with the same name, the added column gets the prefix
    /// `sudobench_`, and also a number if this name is taken too. Solutions and puzzles have the type of the table's `puzzle_column`. If
    /// this column is a dictionary or run-end encoded, they have the type of its values. Columns whose values are from a fixed list are
    /// dictionaries.
    ///
    /// # Panics
    /// If the table has no column with the number `puzzle_column`, counted from 0.
    pub fn fields(schema: &Schema, puzzle_column: usize, columns: &[Column]) -> Vec<Field> {
        let taken: Vec<Vec<u8>> =
            schema.fields().iter().map(|field| field.name().as_bytes().to_vec()).collect();
        let names = InputColumns::added_names(&taken, columns);
        let puzzle = schema.field(puzzle_column);
        let field = |(name, column): (Vec<u8>, &Column)| {
            let name = String::from_utf8_lossy(&name).into_owned();
            let field = Field::new(name, type_of(column, puzzle.data_type()), true);
            match column.holds {
                Holds::Solution | Holds::Puzzle(_)
                    if type_of_grids(puzzle.data_type()) == puzzle.data_type() =>
                {
                    field.with_metadata(extension(puzzle))
                }
                _ => field,
            }
        };
        names.into_iter().zip(columns).map(field).collect()
    }

    /// Returns the columns of a table together with the added columns: see [`AddedColumns::fields`].
    pub(crate) fn schema(table: &Schema, puzzle_column: usize, columns: &[Column]) -> Schema {
        let added = AddedColumns::fields(table, puzzle_column, columns).into_iter().map(Arc::new);
        let fields: Vec<FieldRef> = table.fields().iter().cloned().chain(added).collect();
        Schema::new_with_metadata(fields, table.metadata().clone())
    }

    /// Makes unfilled columns with `rows` rows, divided into parts of `part_rows` rows. `puzzle` is the type of the puzzle column.
    ///
    /// # Errors
    /// If an array of grids cannot hold `rows` grids: an array with 32-bit offsets holds at most 26,512,143 grids.
    pub(crate) fn new(
        columns: &[Column],
        puzzle: &DataType,
        rows: usize,
        part_rows: usize,
        spare: &Arc<Spare>,
    ) -> Result<AddedColumns, ArrowError> {
        let part_rows = part_rows.max(1);
        let parts = rows.div_ceil(part_rows);
        let grids = |value: GridOf| {
            let data_type = type_of_grids(puzzle).clone();
            check_room(&data_type, rows)?;
            let cells = spare.take(rows * CELLS * width_of_cells(&data_type).unwrap_or(1));
            Ok::<_, ArrowError>(Values::Grids { value, data_type, cells })
        };
        let texts = |value: TextOf| Values::Texts {
            value,
            parts: iter::repeat_with(Texts::default).take(parts).collect(),
        };
        let numbers =
            |value: NumberOf| Values::Numbers { value, numbers: spare.take(rows * size_of::<u64>()) };
        let new = |column: &Column| {
            let values = match column.holds {
                Holds::Solution => grids(GridOf::Solution)?,
                Holds::Puzzle(value) => grids(GridOf::Puzzle(value))?,
                Holds::Status => {
                    Values::Words { words: STATUSES, value: WordOf::Status, keys: spare.take(rows) }
                }
                Holds::Words(words, value) => {
                    Values::Words { words, value: WordOf::Row(value), keys: spare.take(rows) }
                }
                Holds::Note => texts(TextOf::Note),
                Holds::Text(value) => texts(TextOf::Row(value)),
                Holds::OutcomeNumber(number) => numbers(NumberOf::Outcome(number)),
                Holds::Number(value) => numbers(NumberOf::Row(value)),
                Holds::Decimal(places, value) => numbers(NumberOf::Decimal(scale(places) as f64, value)),
                Holds::Real(value) => numbers(NumberOf::Real(value)),
            };
            let valid = iter::repeat_with(|| NullBufferBuilder::new(part_rows)).take(parts).collect();
            Ok(Added { values, valid })
        };
        let columns = columns.iter().map(new).collect::<Result<_, ArrowError>>()?;
        Ok(AddedColumns { columns, rows, part_rows })
    }

    /// Returns all parts in order; the last one may be smaller.
    pub(crate) fn parts(&mut self) -> Vec<AddedPart<'_>> {
        let mut parts = Vec::new();
        parts.resize_with(self.rows.div_ceil(self.part_rows), AddedPart::default);
        for Added { values, valid } in &mut self.columns {
            let columns = values.parts(self.part_rows).into_iter().zip(valid);
            for (part, (values, valid)) in parts.iter_mut().zip(columns) {
                part.0.push(PartOfColumn { values, valid });
            }
        }
        parts
    }

    /// Drops all rows after the first `rows` rows.
    #[cfg(feature = "files")]
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.rows = self.rows.min(rows);
    }

    /// Returns the columns in order. Unfilled rows are null.
    ///
    /// # Errors
    /// If the texts of a column exceed 2 GiB together, or if a column returned an index outside its fixed list of values.
    pub(crate) fn into_arrays(self) -> Result<Vec<ArrayRef>, ArrowError> {
        let AddedColumns { columns, rows, part_rows } = self;
        columns.into_iter().map(|added| added.into_array(rows, part_rows)).collect()
    }
}

impl Added {
    fn into_array(self, rows: usize, part_rows: usize) -> Result<ArrayRef, ArrowError> {
        let nulls = join_nulls(self.valid, rows, part_rows);
        Ok(match self.values {
            Values::Grids { data_type, cells, .. } => {
                let width = CELLS * width_of_cells(&data_type).unwrap_or(1);
                let cells = cells.into_buffer().slice_with_length(0, rows * width);
                array_of(&data_type, cells, rows, CELLS, nulls)?
            }
            Values::Words { words, keys, .. } => {
                let keys = ScalarBuffer::<i8>::new(keys.into_buffer(), 0, rows);
                let keys = PrimitiveArray::<Int8Type>::try_new(keys, nulls)?;
                Arc::new(DictionaryArray::try_new(keys, Arc::new(StringArray::from(words.to_vec())))?)
            }
            // If no row has a text, as usual for notes, the array is made without joining parts.
            Values::Texts { parts, .. } if parts.iter().all(|part| part.ends.is_empty()) => {
                Arc::new(StringArray::new_null(rows))
            }
            Values::Texts { parts, .. } => {
                let (offsets, bytes) = join_texts(parts, rows, part_rows)?;
                Arc::new(StringArray::try_new(offsets, bytes, nulls)?)
            }
            Values::Numbers { value: NumberOf::Outcome(_) | NumberOf::Row(_), numbers } => {
                let numbers = ScalarBuffer::new(numbers.into_buffer(), 0, rows);
                Arc::new(PrimitiveArray::<UInt64Type>::try_new(numbers, nulls)?)
            }
            Values::Numbers { value: NumberOf::Decimal(..) | NumberOf::Real(_), numbers } => {
                let numbers = ScalarBuffer::new(numbers.into_buffer(), 0, rows);
                Arc::new(PrimitiveArray::<Float64Type>::try_new(numbers, nulls)?)
            }
        })
    }
}

/// Returns which rows of a column have a value. The column is filled in parts, and each of `parts` knows this for its own rows. Unfilled
/// rows have no value.
fn join_nulls(parts: Vec<NullBufferBuilder>, rows: usize, part_rows: usize) -> Option<NullBuffer> {
    let mut all = NullBufferBuilder::new(rows);
    for (start, mut part) in (0..rows).step_by(part_rows).zip(parts) {
        let size = part_rows.min(rows - start);
        part.truncate(size);
        let filled = part.len();
        match part.build() {
            Some(nulls) => all.append_buffer(&nulls),
            None => all.append_n_non_nulls(filled),
        }
        all.append_n_nulls(size - filled);
    }
    all.build()
}

fn join_texts(
    parts: Vec<Texts>,
    rows: usize,
    part_rows: usize,
) -> Result<(OffsetBuffer<i32>, Buffer), ArrowError> {
    let mut bytes = Vec::new();
    let mut offsets = vec![0; rows + 1];
    for (places, part) in offsets[1..].chunks_mut(part_rows).zip(parts) {
        let before = bytes.len();
        let ends = part.ends.get(..places.len()).unwrap_or(&part.ends);
        bytes.extend_from_slice(&part.bytes[..ends.last().copied().unwrap_or(0)]);
        let end = i32::try_from(bytes.len()).map_err(|_| too_large("texts", rows))?;
        let (filled, rest) = places.split_at_mut(ends.len());
        filled.iter_mut().zip(ends).for_each(|(place, &at)| *place = (before + at) as i32);
        rest.fill(end);
    }
    Ok((OffsetBuffer::new(offsets.into()), Buffer::from_vec(bytes)))
}

impl Values {
    fn parts(&mut self, rows: usize) -> Vec<PartOfValues<'_>> {
        match self {
            Values::Grids { value, data_type, cells } => {
                let width = width_of_cells(data_type);
                let each = CELLS * width.unwrap_or(1);
                let part = |places| PartOfValues::Grids { value: *value, width, places };
                cells.chunks_mut(rows * each).map(part).collect()
            }
            Values::Words { value, keys, .. } => {
                let part = |keys| PartOfValues::Words { value: *value, places: keys };
                keys.chunks_mut(rows).map(part).collect()
            }
            Values::Texts { value, parts } => {
                parts.iter_mut().map(|texts| PartOfValues::Texts { value: *value, texts }).collect()
            }
            Values::Numbers { value, numbers } => {
                let numbers = numbers.as_chunks_mut().0;
                let part = |numbers| PartOfValues::Numbers { value: *value, places: numbers };
                numbers.chunks_mut(rows).map(part).collect()
            }
        }
    }
}

impl AddedPart<'_> {
    /// Fills the next row.
    ///
    /// # Panics
    /// If all rows of the part are filled.
    pub(crate) fn put(&mut self, row: &AnsweredRow<'_>) {
        self.0.iter_mut().for_each(|column| column.put(slice::from_ref(row)));
    }

    /// Fills rows with `answers`, and adds the filled rows to `tally`. `line` is the line number of the first row. Every row must have a
    /// puzzle, and no row may have a text (see [`Row::plain`]). Rows are filled in small groups. If the referee rejects the solution of a
    /// row, filling stops before the group of this row. Returns the number of filled rows.
    ///
    /// # Panics
    /// If the part has too few rows left.
    pub(crate) fn put_plain(
        &mut self,
        answers: &Answers,
        line: u64,
        level: Level,
        tally: &mut Tally,
    ) -> usize {
        /// Number of rows that are filled together: so few that their data is still in the first-level cache for the next column.
        const SOME: usize = 64;
        let all = &answers.parsed.puzzles;
        // If a column stores each cell of a solution as one byte, the referee writes the solutions to this column while it checks them.
        let is_written = |column: &PartOfColumn| {
            matches!(column.values, PartOfValues::Grids { value: GridOf::Solution, width: Some(1), .. })
        };
        let written = self.0.iter().position(is_written);
        for (first, puzzles) in (0..).step_by(SOME).zip(all.chunks(SOME)) {
            let count = puzzles.len();
            // There are no outcomes if no column needs the solver.
            let outcomes = answers.outcomes.get(first..first + count);
            if let Some(outcomes) = outcomes {
                let solutions = match written.and_then(|column| self.0[column].grids(count)) {
                    Some(places) => block_referee::check_and_write(level, puzzles, outcomes, places),
                    None => block_referee::all_valid(level, puzzles, outcomes).then_some(0),
                };
                let Some(solutions) = solutions else { return first };
                if let Some(column) = written {
                    self.0[column].note_written(outcomes, solutions);
                }
                tally.record_all(outcomes);
            } else {
                tally.unasked += count as u64;
            }
            // The rows are made only if a column needs them.
            let rows = LazyCell::new(|| Vec::from_iter((line + first as u64..).take(count).map(Row::plain)));
            let answered = LazyCell::new(|| {
                let row = |(at, row)| answers.plain_row(first + at, row);
                Vec::from_iter(rows.iter().enumerate().map(row))
            });
            for (number, column) in self.0.iter_mut().enumerate() {
                let is_filled = outcomes.is_some() && written == Some(number);
                if !is_filled && !column.put_outcomes(count, outcomes) {
                    column.put(&answered);
                }
            }
        }
        all.len()
    }
}

impl PartOfColumn<'_> {
    /// Returns the next `count` places as grids, if the column stores each cell as a number of one byte.
    fn grids(&mut self, count: usize) -> Option<&mut [[u8; CELLS]]> {
        match &mut self.values {
            PartOfValues::Grids { width: Some(1), places, .. } => places.as_chunks_mut().0.get_mut(..count),
            _ => None,
        }
    }

    /// Records that the next places hold the solutions of `outcomes`. `solutions` is the number of outcomes with a solution.
    fn note_written(&mut self, outcomes: &[Outcome], solutions: usize) {
        let PartOfValues::Grids { places, .. } = &mut self.values else { return };
        next(places, outcomes.len() * CELLS);
        if solutions == outcomes.len() {
            return self.valid.append_n_non_nulls(solutions);
        }
        let mut valid = Valid::new(self.valid);
        for outcome in outcomes {
            valid.record(outcome.solution.as_ref());
        }
        valid.flush();
    }

    /// Fills the next `count` rows if the column needs nothing but their outcomes. The rows must have no notes. Returns whether the rows
    /// were filled.
    fn put_outcomes(&mut self, count: usize, outcomes: Option<&[Outcome]>) -> bool {
        match (&mut self.values, outcomes) {
            (PartOfValues::Grids { value: GridOf::Solution, width, places }, Some(outcomes)) => {
                let size = CELLS * width.unwrap_or(1);
                let places = next(places, count * size).chunks_exact_mut(size);
                let mut valid = Valid::new(self.valid);
                outcomes.iter().zip(places).for_each(|(outcome, place)| {
                    put_cells(place, *width, valid.record(outcome.solution.as_ref()).map(Solution::values));
                });
                valid.flush();
            }
            (PartOfValues::Words { value: WordOf::Status, places }, Some(outcomes)) => {
                let places = next(places, count);
                outcomes.iter().zip(places).for_each(|(outcome, place)| *place = outcome.status as u8);
                self.valid.append_n_non_nulls(count);
            }
            (PartOfValues::Numbers { value: NumberOf::Outcome(number), places }, Some(outcomes)) => {
                let places = next(places, count);
                match number {
                    OutcomeNumber::Count => {
                        put_numbers(places, outcomes, |outcome| outcome.count.to_ne_bytes())
                    }
                    OutcomeNumber::Nodes => {
                        put_numbers(places, outcomes, |outcome| outcome.nodes.to_ne_bytes())
                    }
                    OutcomeNumber::Guesses => {
                        put_numbers(places, outcomes, |outcome| outcome.guesses.to_ne_bytes())
                    }
                    OutcomeNumber::ElapsedNs => {
                        put_numbers(places, outcomes, |outcome| outcome.elapsed_ns.to_ne_bytes());
                    }
                }
                self.valid.append_n_non_nulls(count);
            }
            (PartOfValues::Texts { value: TextOf::Note, .. }, _) => self.valid.append_n_nulls(count),
            _ => return false,
        }
        true
    }

    fn put(&mut self, rows: &[AnsweredRow<'_>]) {
        let mut valid = Valid::new(self.valid);
        match &mut self.values {
            PartOfValues::Grids { value, width, places } => {
                let size = CELLS * width.unwrap_or(1);
                let places = next(places, rows.len() * size).chunks_exact_mut(size);
                rows.iter().zip(places).for_each(|(row, place)| {
                    put_cells(place, *width, valid.record(value.values(row)));
                });
            }
            PartOfValues::Words { value, places } => {
                rows.iter().zip(next(places, rows.len())).for_each(|(row, place)| {
                    *place = valid.record(value.number(row)).unwrap_or(0) as u8;
                });
            }
            PartOfValues::Texts { value, texts } => rows.iter().for_each(|row| {
                if let Some(text) = valid.record(value.text(row)) {
                    // The rows between the previous text and this row get empty texts, which end where the previous text ended.
                    texts.ends.resize(valid.rows.len() + valid.run - 1, texts.bytes.len());
                    texts.bytes.extend_from_slice(text.as_bytes());
                    texts.ends.push(texts.bytes.len());
                }
            }),
            PartOfValues::Numbers { value, places } => {
                let places = next(places, rows.len());
                match *value {
                    NumberOf::Outcome(number) => put_numbers(places, rows, |row| {
                        let number = row.outcome.map(|outcome| number.read(outcome));
                        valid.record(number).unwrap_or(0).to_ne_bytes()
                    }),
                    NumberOf::Row(value) => {
                        put_numbers(places, rows, |row| valid.record(value(row)).unwrap_or(0).to_ne_bytes());
                    }
                    // The quotient is the float that is nearest to the decimal number. If the quotient is rounded to the column's number of
                    // decimal places, the decimal number results again.
                    NumberOf::Decimal(scale, value) => put_numbers(places, rows, |row| {
                        (valid.record(value(row)).unwrap_or(0) as f64 / scale).to_ne_bytes()
                    }),
                    NumberOf::Real(value) => {
                        put_numbers(places, rows, |row| {
                            valid.record(value(row)).unwrap_or(0.0).to_ne_bytes()
                        });
                    }
                }
            }
        }
        valid.flush();
    }
}

/// Records which rows have a value. The last `run` rows are not in `rows` yet. Either all these rows have a value, or none has.
struct Valid<'a> {
    rows: &'a mut NullBufferBuilder,
    run: usize,
    /// Whether the last `run` rows have no value.
    is_absent: bool,
}

impl<'a> Valid<'a> {
    fn new(rows: &'a mut NullBufferBuilder) -> Valid<'a> {
        Valid { rows, run: 0, is_absent: false }
    }

    /// Records whether the next row has a value. Returns `value`.
    #[inline(always)] // called for each value
    fn record<T>(&mut self, value: Option<T>) -> Option<T> {
        if value.is_none() != self.is_absent {
            self.flush();
            self.is_absent = value.is_none();
        }
        self.run += 1;
        value
    }

    /// Appends the last `run` rows to `rows`.
    fn flush(&mut self) {
        let run = mem::take(&mut self.run);
        if self.is_absent { self.rows.append_n_nulls(run) } else { self.rows.append_n_non_nulls(run) }
    }
}

#[inline(always)] // compiled separately for each `number`
fn put_numbers<T>(places: &mut [[u8; 8]], rows: &[T], mut number: impl FnMut(&T) -> [u8; 8]) {
    places.iter_mut().zip(rows).for_each(|(place, row)| *place = number(row));
}

/// Splits off the next `count` places of a part.
#[inline]
fn next<'a, T>(places: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let Some(next) = places.split_off_mut(..count) else { panic!("all rows of the part are filled") };
    next
}

/// Writes the cells of a grid to `place`: as numbers of `width` bytes or, if `width` is `None`, as text with `.` for a blank. If there is
/// no grid, fills `place` with zero bytes.
#[inline]
pub(super) fn put_cells(place: &mut [u8], width: Option<usize>, values: Option<&[u8; CELLS]>) {
    fn spread<const N: usize>(place: &mut [u8], values: &[u8; CELLS], number: impl Fn(u8) -> [u8; N]) {
        let cells = place.as_chunks_mut().0.iter_mut().zip(values);
        cells.for_each(|(cell, &value)| *cell = number(value));
    }
    match (values, width) {
        (None, _) => place.fill(0),
        (Some(values), None) => spread(place, values, |value| [if value == 0 { b'.' } else { value + b'0' }]),
        (Some(values), Some(1)) => place.copy_from_slice(values),
        (Some(values), Some(2)) => spread(place, values, |value| u16::from(value).to_ne_bytes()),
        (Some(values), Some(4)) => spread(place, values, |value| u32::from(value).to_ne_bytes()),
        (Some(values), Some(_)) => spread(place, values, |value| u64::from(value).to_ne_bytes()),
    }
}

fn type_of(column: &Column, puzzle: &DataType) -> DataType {
    match column.holds {
        Holds::Solution | Holds::Puzzle(_) => type_of_grids(puzzle).clone(),
        Holds::Status | Holds::Words(..) => {
            DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8))
        }
        Holds::Note | Holds::Text(_) => DataType::Utf8,
        Holds::OutcomeNumber(_) | Holds::Number(_) => DataType::UInt64,
        Holds::Decimal(..) | Holds::Real(_) => DataType::Float64,
    }
}

/// Returns the metadata that marks a field's lists as an extension type, such as a tensor.
fn extension(field: &Field) -> std::collections::HashMap<String, String> {
    let is_extension = |(key, _): &(&String, &String)| key.starts_with("ARROW:extension:");
    field.metadata().iter().filter(is_extension).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Returns the number of bytes of a cell, if a board is a list of numbers; `None` if a board is a text.
pub(super) fn width_of_cells(data_type: &DataType) -> Option<usize> {
    match data_type {
        DataType::List(items) | DataType::LargeList(items) | DataType::FixedSizeList(items, _) => {
            items.data_type().primitive_width().or_else(|| width_of_cells(items.data_type()))
        }
        _ => None,
    }
}

/// Returns an error if the type has 32-bit offsets and there are more grids than such offsets can address.
fn check_room(data_type: &DataType, rows: usize) -> Result<(), ArrowError> {
    let has_short_offsets = match data_type {
        DataType::Utf8 | DataType::Binary | DataType::List(_) => true,
        DataType::LargeList(rows) | DataType::FixedSizeList(rows, _) => {
            matches!(rows.data_type(), DataType::List(_))
        }
        _ => false,
    };
    if has_short_offsets && i32::try_from(rows.saturating_mul(CELLS)).is_err() {
        return Err(too_large("grids", rows));
    }
    Ok(())
}

fn too_large(what: &str, rows: usize) -> ArrowError {
    ArrowError::InvalidArgumentError(format!(
        "the {what} of {rows} rows do not fit into one array with 32-bit offsets: pass fewer rows in one call, or (for grids) puzzles of a type with \
         64-bit offsets"
    ))
}

/// Makes an array of `rows` texts or lists with `each` digits each. If the type is nested, each list contains nine lists.
pub(super) fn array_of(
    data_type: &DataType,
    digits: Buffer,
    rows: usize,
    each: usize,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    fn list<O: OffsetSizeTrait>(
        field: &FieldRef,
        each: usize,
        items: ArrayRef,
        rows: usize,
        nulls: Option<NullBuffer>,
    ) -> Result<ArrayRef, ArrowError> {
        let offsets = OffsetBuffer::from_repeated_length(each, rows);
        Ok(Arc::new(GenericListArray::<O>::try_new(Arc::clone(field), offsets, items, nulls)?))
    }
    fn texts<T: ByteArrayType>(
        digits: Buffer,
        rows: usize,
        nulls: Option<NullBuffer>,
    ) -> Result<ArrayRef, ArrowError> {
        let offsets = OffsetBuffer::from_repeated_length(CELLS, rows);
        Ok(Arc::new(GenericByteArray::<T>::try_new(offsets, digits, nulls)?))
    }
    Ok(match data_type {
        DataType::Utf8 => texts::<Utf8Type>(digits, rows, nulls)?,
        DataType::LargeUtf8 => texts::<LargeUtf8Type>(digits, rows, nulls)?,
        DataType::Binary => texts::<BinaryType>(digits, rows, nulls)?,
        DataType::LargeBinary => texts::<LargeBinaryType>(digits, rows, nulls)?,
        DataType::Utf8View => views::<StringViewType>(digits, rows, nulls)?,
        DataType::BinaryView => views::<BinaryViewType>(digits, rows, nulls)?,
        DataType::List(field) => {
            let (items, each) = items_of(field, digits, rows, each)?;
            list::<i32>(field, each, items, rows, nulls)?
        }
        DataType::LargeList(field) => {
            let (items, each) = items_of(field, digits, rows, each)?;
            list::<i64>(field, each, items, rows, nulls)?
        }
        DataType::FixedSizeList(field, size) => {
            let (items, _) = items_of(field, digits, rows, each)?;
            Arc::new(FixedSizeListArray::try_new_with_length(Arc::clone(field), *size, items, nulls, rows)?)
        }
        _ => Arc::new(FixedSizeBinaryArray::try_new_with_len(CELLS as i32, digits, nulls, rows)?),
    })
}

/// Makes the items of all lists from their digits. There are `lists` lists, and each has `each` digits. The type of `field` is the type of
/// an item: an integer, or a list of nine integers. Returns the items, and the number of items per list.
fn items_of(
    field: &FieldRef,
    digits: Buffer,
    lists: usize,
    each: usize,
) -> Result<(ArrayRef, usize), ArrowError> {
    fn numbers<T: ArrowPrimitiveType>(digits: Buffer, length: usize) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(PrimitiveArray::<T>::try_new(ScalarBuffer::new(digits, 0, length), None)?))
    }
    macro_rules! as_numbers {
        ($type:ty) => {
            Ok((numbers::<$type>(digits, lists * each)?, each))
        };
    }
    downcast_integer! {
        field.data_type() => (as_numbers),
        nested => Ok((array_of(nested, digits, lists * 9, 9, None)?, 9)),
    }
}

/// Makes an array of Arrow's type `Utf8View` or `BinaryView` from texts of 81 characters. Its offsets have 32 bits, so if there
/// are too many texts for one buffer, several buffers are made.
fn views<T: ByteViewType>(
    digits: Buffer,
    rows: usize,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    const TEXTS: usize = i32::MAX as usize / CELLS;
    let view = |row: usize| {
        let text = &digits[row * CELLS..(row + 1) * CELLS];
        make_view(text, (row / TEXTS) as u32, (row % TEXTS * CELLS) as u32)
    };
    let views: Vec<u128> = (0..rows).map(view).collect();
    let starts = (0..rows).step_by(TEXTS);
    let buffers: Vec<Buffer> = starts
        .map(|start| digits.slice_with_length(start * CELLS, TEXTS.min(rows - start) * CELLS))
        .collect();
    Ok(Arc::new(GenericByteViewArray::<T>::try_new(views.into(), buffers, nulls)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudobench_rows::columns::SOLVE_DEFAULT;

    #[test]
    fn answers_that_exceed_an_array_are_refused() {
        let too_many = i32::MAX as usize / CELLS + 1;
        for data_type in [DataType::Utf8, DataType::new_list(DataType::UInt8, true)] {
            let added = AddedColumns::new(&SOLVE_DEFAULT, &data_type, too_many, 512, &Arc::default());
            let error = added.unwrap_err().to_string();
            assert!(error.contains("do not fit into one array with 32-bit offsets"), "{error}");
        }
    }
}
