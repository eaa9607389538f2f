//! Answers on their way to arrays: each is written where it will stand.
//!
//! ```text
//! new      a buffer for each column, as long as the table
//! parts    cut into pieces of so many rows, which threads fill at once: solutions, keys and numbers in their places;
//!          notes, whose lengths nobody knows before, behind each other in a text for each piece
//! arrays   the buffers become arrays as they are; the notes are joined, and what was not filled is null
//! ```

use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::types::{
    ArrowPrimitiveType, BinaryType, BinaryViewType, ByteArrayType, ByteViewType, Int8Type, LargeBinaryType,
    LargeUtf8Type, StringViewType, UInt64Type, Utf8Type,
};
use arrow_array::{
    ArrayRef, DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray, GenericByteArray,
    GenericByteViewArray, GenericListArray, OffsetSizeTrait, PrimitiveArray, StringArray, downcast_integer,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use sudobench_sudoku::Solution;
use sudobench_sudoku::puzzle::CELLS;

use super::puzzles::type_of_solutions;
use super::zeros::Zeros;
use crate::answers::AnsweredRow;
use crate::columns::{Column, Holds, Value};
use crate::sink::InputColumns;

/// The columns that are added to a table, while they are filled.
#[derive(Debug)]
pub struct AddedColumns {
    columns: Vec<Added>,
    rows: usize,
}

#[derive(Debug)]
struct Added {
    column: Column,
    values: Values,
    /// Whether the row has a value.
    valid: Vec<bool>,
}

#[derive(Debug)]
enum Values {
    Solutions(DataType, Digits),
    Keys(Vec<i8>),
    /// The texts' lengths, and the texts of each part.
    Texts(Vec<usize>, Vec<Vec<u8>>),
    Numbers(Vec<u64>),
}

/// The digits of solutions, 81 a row.
#[derive(Debug)]
enum Digits {
    Text(Zeros),
    Bytes(Zeros),
    Shorts(Vec<u16>),
    Ints(Vec<u32>),
    Longs(Vec<u64>),
}

/// Some rows of the columns that are added. See [`AddedColumns::parts`].
#[derive(Debug, Default)]
pub struct AddedPart<'a>(Vec<PartOfColumn<'a>>);

#[derive(Debug)]
struct PartOfColumn<'a> {
    column: Column,
    values: PartOfValues<'a>,
    valid: &'a mut [bool],
}

#[derive(Debug)]
enum PartOfValues<'a> {
    Solutions(PartOfDigits<'a>),
    Keys(&'a mut [i8]),
    Texts(&'a mut [usize], &'a mut Vec<u8>),
    Numbers(&'a mut [u64]),
}

#[derive(Debug)]
enum PartOfDigits<'a> {
    Text(&'a mut [u8]),
    Bytes(&'a mut [u8]),
    Shorts(&'a mut [u16]),
    Ints(&'a mut [u32]),
    Longs(&'a mut [u64]),
}

impl AddedColumns {
    /// The fields of the added columns. A name that the table has already gets `sudobench_` before it, and a number behind
    /// it where that is taken too. Solutions are of the type of the table's `puzzle_column` (of a dictionary that of its
    /// values), words are a dictionary.
    ///
    /// # Panics
    /// Where the table has no column of that number, counted from 0.
    pub fn fields(schema: &Schema, puzzle_column: usize, columns: &[Column]) -> Vec<Field> {
        let taken: Vec<Vec<u8>> =
            schema.fields().iter().map(|field| field.name().as_bytes().to_vec()).collect();
        let names = InputColumns::added_names(&taken, columns);
        let puzzle = schema.field(puzzle_column);
        let field = |(name, column): (Vec<u8>, &Column)| {
            let name = String::from_utf8_lossy(&name).into_owned();
            let field = Field::new(name, type_of(column, puzzle.data_type()), true);
            match column.holds {
                Holds::Solution if type_of_solutions(puzzle.data_type()) == puzzle.data_type() => {
                    field.with_metadata(extension(puzzle))
                }
                _ => field,
            }
        };
        names.into_iter().zip(columns).map(field).collect()
    }

    /// Room for so many rows of the columns, of which nothing is filled. `puzzle` is the type of the puzzles' column.
    ///
    /// # Errors
    /// Where an array of that type cannot hold so many solutions: one with 32-bit offsets no more than 26,512,143.
    pub fn new(columns: &[Column], puzzle: &DataType, rows: usize) -> Result<AddedColumns, ArrowError> {
        let new = |column: &Column| {
            let values = match column.holds {
                Holds::Solution => {
                    let data_type = type_of_solutions(puzzle).clone();
                    check_room(&data_type, rows)?;
                    let digits = Digits::new(&data_type, rows);
                    Values::Solutions(data_type, digits)
                }
                Holds::Words(_) => Values::Keys(vec![0; rows]),
                Holds::Text => Values::Texts(vec![0; rows], Vec::new()),
                Holds::Number => Values::Numbers(vec![0; rows]),
            };
            Ok(Added { column: *column, values, valid: vec![false; rows] })
        };
        let columns = columns.iter().map(new).collect::<Result<_, ArrowError>>()?;
        Ok(AddedColumns { columns, rows })
    }

    /// All rows in parts of so many, at least one, the last perhaps smaller.
    pub fn parts(&mut self, rows: usize) -> Vec<AddedPart<'_>> {
        let size = rows.max(1);
        let mut parts = Vec::new();
        parts.resize_with(self.rows.div_ceil(size), AddedPart::default);
        for added in &mut self.columns {
            let column = added.column;
            let values = added.values.parts(size, parts.len());
            let pieces = values.into_iter().zip(added.valid.chunks_mut(size));
            for (part, (values, valid)) in parts.iter_mut().zip(pieces) {
                part.0.push(PartOfColumn { column, values, valid });
            }
        }
        parts
    }

    /// Forgets the rows from this one on.
    pub fn truncate(&mut self, rows: usize) {
        self.rows = self.rows.min(rows);
        for Added { values, valid, .. } in &mut self.columns {
            valid.truncate(rows);
            match values {
                Values::Solutions(_, Digits::Text(digits) | Digits::Bytes(digits)) => {
                    digits.truncate(CELLS * rows)
                }
                Values::Solutions(_, Digits::Shorts(digits)) => digits.truncate(CELLS * rows),
                Values::Solutions(_, Digits::Ints(digits)) => digits.truncate(CELLS * rows),
                Values::Solutions(_, Digits::Longs(digits)) => digits.truncate(CELLS * rows),
                Values::Keys(keys) => keys.truncate(rows),
                Values::Texts(lengths, _) => lengths.truncate(rows),
                Values::Numbers(numbers) => numbers.truncate(rows),
            }
        }
    }

    /// The columns, in their order. What was not filled is null.
    ///
    /// # Errors
    /// Where the texts of a column are longer than 2 GiB together.
    pub fn into_arrays(self) -> Result<Vec<ArrayRef>, ArrowError> {
        let rows = self.rows;
        self.columns.into_iter().map(|added| added.into_array(rows)).collect()
    }
}

impl Added {
    fn into_array(self, rows: usize) -> Result<ArrayRef, ArrowError> {
        let nulls = self.valid.contains(&false).then(|| NullBuffer::from(self.valid));
        Ok(match self.values {
            Values::Solutions(data_type, digits) => digits.into_array(&data_type, rows, nulls)?,
            Values::Keys(keys) => {
                let words = if let Holds::Words(words) = self.column.holds { words } else { &[] };
                let keys = PrimitiveArray::<Int8Type>::try_new(keys.into(), nulls)?;
                Arc::new(DictionaryArray::try_new(keys, Arc::new(StringArray::from(words.to_vec())))?)
            }
            Values::Texts(lengths, parts) => {
                let length: usize = lengths.iter().sum();
                if i32::try_from(length).is_err() {
                    return Err(too_large("texts", rows));
                }
                let join = |mut text: Vec<u8>, part: Vec<u8>| {
                    text.extend_from_slice(&part);
                    text
                };
                let mut text = parts.into_iter().reduce(join).unwrap_or_default();
                // Rows may have been forgotten.
                text.truncate(length);
                let offsets = OffsetBuffer::from_lengths(lengths);
                Arc::new(StringArray::try_new(offsets, Buffer::from_vec(text), nulls)?)
            }
            Values::Numbers(numbers) => {
                Arc::new(PrimitiveArray::<UInt64Type>::try_new(numbers.into(), nulls)?)
            }
        })
    }
}

impl Values {
    /// As many parts as are said, each of so many rows.
    fn parts(&mut self, rows: usize, parts: usize) -> Vec<PartOfValues<'_>> {
        use PartOfValues::Solutions;
        let cells = CELLS * rows;
        match self {
            Values::Solutions(_, digits) => match digits {
                Digits::Text(all) => all.chunks_mut(cells).map(PartOfDigits::Text).map(Solutions).collect(),
                Digits::Bytes(all) => all.chunks_mut(cells).map(PartOfDigits::Bytes).map(Solutions).collect(),
                Digits::Shorts(all) => {
                    all.chunks_mut(cells).map(PartOfDigits::Shorts).map(Solutions).collect()
                }
                Digits::Ints(all) => all.chunks_mut(cells).map(PartOfDigits::Ints).map(Solutions).collect(),
                Digits::Longs(all) => all.chunks_mut(cells).map(PartOfDigits::Longs).map(Solutions).collect(),
            },
            Values::Keys(keys) => keys.chunks_mut(rows).map(PartOfValues::Keys).collect(),
            Values::Texts(lengths, texts) => {
                texts.resize_with(parts, Vec::new);
                let pieces = lengths.chunks_mut(rows).zip(texts);
                pieces.map(|(lengths, text)| PartOfValues::Texts(lengths, text)).collect()
            }
            Values::Numbers(numbers) => numbers.chunks_mut(rows).map(PartOfValues::Numbers).collect(),
        }
    }
}

impl AddedPart<'_> {
    /// Fills the row of that number in this part, from 0. Rows are filled in their order, each once at most.
    ///
    /// # Panics
    /// Where the part has no such row, and where a column's value is not of the kind that it is said to hold.
    #[inline]
    pub(crate) fn put(&mut self, at: usize, row: &AnsweredRow<'_>) {
        for PartOfColumn { column, values, valid } in &mut self.0 {
            let value = (column.value)(row);
            valid[at] = !matches!(value, Value::None);
            match (value, values) {
                (Value::None, _) => {}
                (Value::Solution(solution), PartOfValues::Solutions(digits)) => digits.put(at, solution),
                (Value::Word(word), PartOfValues::Keys(keys)) => keys[at] = key_of(word, column),
                (Value::Word(word), PartOfValues::Texts(lengths, text)) => {
                    lengths[at] = word.len();
                    text.extend_from_slice(word.as_bytes());
                }
                (Value::Text(value), PartOfValues::Texts(lengths, text)) => {
                    lengths[at] = value.len();
                    text.extend_from_slice(value.as_bytes());
                }
                (Value::Number(number), PartOfValues::Numbers(numbers)) => numbers[at] = number,
                (value, _) => panic!("the column `{}` holds {:?}, not {value:?}", column.name, column.holds),
            }
        }
    }
}

/// The number of a word among the column's words.
#[inline]
fn key_of(word: &str, column: &Column) -> i8 {
    let words = if let Holds::Words(words) = column.holds { words } else { &[] };
    // Nearly always it is the very same word.
    let same = words.iter().position(|other| std::ptr::eq(*other, word));
    match same.or_else(|| words.iter().position(|other| *other == word)) {
        Some(key) => key as i8,
        None => panic!("`{word}` is none of the words of the column `{}`: {words:?}", column.name),
    }
}

impl Digits {
    /// Room for so many solutions in an array of this type.
    fn new(data_type: &DataType, rows: usize) -> Digits {
        let digits = CELLS * rows;
        match width_of_cells(data_type) {
            None => Digits::Text(Zeros::new(digits)),
            Some(1) => Digits::Bytes(Zeros::new(digits)),
            Some(2) => Digits::Shorts(vec![0; digits]),
            Some(4) => Digits::Ints(vec![0; digits]),
            Some(_) => Digits::Longs(vec![0; digits]),
        }
    }

    fn into_array(
        self,
        data_type: &DataType,
        rows: usize,
        nulls: Option<NullBuffer>,
    ) -> Result<ArrayRef, ArrowError> {
        let digits = match self {
            Digits::Text(digits) | Digits::Bytes(digits) => digits.into_buffer(),
            Digits::Shorts(digits) => Buffer::from_vec(digits),
            Digits::Ints(digits) => Buffer::from_vec(digits),
            Digits::Longs(digits) => Buffer::from_vec(digits),
        };
        array_of(data_type, digits, rows, CELLS, nulls)
    }
}

impl PartOfDigits<'_> {
    #[inline]
    fn put(&mut self, at: usize, solution: &Solution) {
        fn fill<T: From<u8>>(digits: &mut [T], at: usize, solution: &Solution) {
            let place = &mut digits[CELLS * at..CELLS * (at + 1)];
            place.iter_mut().zip(solution.values()).for_each(|(place, &digit)| *place = digit.into());
        }
        match self {
            PartOfDigits::Text(text) => text[CELLS * at..CELLS * (at + 1)].copy_from_slice(&solution.text()),
            PartOfDigits::Bytes(digits) => fill(digits, at, solution),
            PartOfDigits::Shorts(digits) => fill(digits, at, solution),
            PartOfDigits::Ints(digits) => fill(digits, at, solution),
            PartOfDigits::Longs(digits) => fill(digits, at, solution),
        }
    }
}

/// The type of a column's array.
fn type_of(column: &Column, puzzle: &DataType) -> DataType {
    match column.holds {
        Holds::Solution => type_of_solutions(puzzle).clone(),
        Holds::Words(_) => DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)),
        Holds::Text => DataType::Utf8,
        Holds::Number => DataType::UInt64,
    }
}

/// What says that a field's lists are something more: a tensor, say.
fn extension(field: &Field) -> std::collections::HashMap<String, String> {
    let is_extension = |(key, _): &(&String, &String)| key.starts_with("ARROW:extension:");
    field.metadata().iter().filter(is_extension).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// The bytes of a cell in lists; `None` for texts.
fn width_of_cells(data_type: &DataType) -> Option<usize> {
    match data_type {
        DataType::List(items) | DataType::LargeList(items) | DataType::FixedSizeList(items, _) => {
            items.data_type().primitive_width().or_else(|| width_of_cells(items.data_type()))
        }
        _ => None,
    }
}

/// Refuses more solutions than 32-bit offsets can tell apart.
fn check_room(data_type: &DataType, rows: usize) -> Result<(), ArrowError> {
    let has_short_offsets = match data_type {
        DataType::Utf8 | DataType::Binary | DataType::List(_) => true,
        DataType::LargeList(rows) | DataType::FixedSizeList(rows, _) => {
            matches!(rows.data_type(), DataType::List(_))
        }
        _ => false,
    };
    if has_short_offsets && i32::try_from(rows.saturating_mul(CELLS)).is_err() {
        return Err(too_large("solutions", rows));
    }
    Ok(())
}

fn too_large(what: &str, rows: usize) -> ArrowError {
    ArrowError::InvalidArgumentError(format!(
        "the {what} of {rows} rows do not fit into one array with 32-bit offsets: give fewer rows at once, or puzzles \
         of a type with 64-bit offsets"
    ))
}

/// An array of so many texts or lists, each of `each` digits, or of so many lists of nine if they are nested.
fn array_of(
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

/// The items of `lists` lists of a field: whole numbers, or lists of nine of them. With it, how many items a list has.
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

/// Views of texts of 81 digits. Their offsets have 32 bits, so that many texts are several buffers: parts of the one.
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
