//! A column of puzzles, or of expected solutions: arrays of many types, and plain memory.
//!
//! ```text
//! text     81 characters, or a grid of nine lines: strings, bytes, plain memory
//! list     81 whole numbers, or nine lists of nine: lists, plain memory
//! read     rows that the caller has already read: for each row, a puzzle or a fault
//! indirect for each row, the position of its text or list: dictionaries, run ends
//! ```
//! When a puzzle is requested, only its cells are copied.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int16Type, Int32Type, Int64Type, RunEndIndexType, UInt8Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, GenericListArray, LargeBinaryArray,
    LargeStringArray, OffsetSizeTrait, PrimitiveArray, RunArray, StringArray, StringViewArray,
    downcast_integer, new_empty_array,
};
use arrow_buffer::{ArrowNativeType, NullBuffer};
use arrow_schema::DataType;
use sudobench_rows::source::{ReadPuzzle, RowFault, read_text};
use sudobench_sudoku::puzzle::{CELLS, Puzzle};

/// The rows of a column of puzzles. Each row holds a puzzle or is invalid. Borrowed data is not copied.
///
/// ```
/// use sudobench_tables::Puzzles;
/// assert_eq!(Puzzles::from_values(&[[0; 81], [1; 81]]).len(), 2);
/// assert_eq!(Puzzles::from_texts(b"12345678", 4).map(|puzzles| puzzles.len()), Some(2));
/// ```
#[derive(Debug)]
pub struct Puzzles<'a> {
    cells: Cells<'a>,
    /// The type of an array of solutions to these puzzles.
    solutions: DataType,
    len: usize,
    /// See [`Options::restore_zeros`](sudobench_rows::source::Options::restore_zeros).
    restores_zeros: bool,
}

#[derive(Debug)]
enum Cells<'a> {
    Values(&'a [[u8; CELLS]]),
    Numbers(Box<dyn Numbers + 'a>),
    Read(&'a [Result<ReadPuzzle, RowFault>]),
    Texts { bytes: &'a [u8], width: usize },
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
    Binary(&'a BinaryArray),
    LargeBinary(&'a LargeBinaryArray),
    BinaryView(&'a BinaryViewArray),
    FixedSizeBinary(&'a FixedSizeBinaryArray),
    Lists(Lists<'a>),
    Indirect { places: Vec<usize>, nulls: Option<NullBuffer>, values: Box<Cells<'a>> },
}

/// Returns the end of a message about a type that can't hold puzzles. It says which types to use and, if the type is a number, why numbers
/// can't hold puzzles.
pub(crate) fn why_none(data_type: &DataType) -> &'static str {
    if data_type.is_numeric() {
        return "a number cannot store 81 digits, so the program that read the puzzles as numbers has lost most digits; read the original \
        as text, e.g. with `dtype=str` in pandas, `schema_overrides={'puzzle': polars.String}` in polars, \
                `ConvertOptions(column_types={'puzzle': pyarrow.string()})` in pyarrow";
    }
    "use strings, bytes, lists of 81 integers, nine lists of nine integers, or dictionary or run-end encodings of these"
}

/// Returns whether a column of this type may hold puzzles.
pub(crate) fn holds_puzzles(data_type: &DataType) -> bool {
    Puzzles::from_array(&new_empty_array(data_type)).is_some()
}

/// Returns the type of an array of solutions to puzzles of this type. It is the same type or, for a dictionary or a run-end encoded array,
/// the type of its values, because solutions seldom repeat.
pub(crate) fn type_of_grids(puzzles: &DataType) -> &DataType {
    match puzzles {
        DataType::Dictionary(_, values) => type_of_grids(values),
        DataType::RunEndEncoded(_, values) => type_of_grids(values.data_type()),
        other => other,
    }
}

impl<'a> Puzzles<'a> {
    /// Returns the puzzles of an array: strings (`Utf8`, `LargeUtf8`, `Utf8View`), bytes (`Binary`, `LargeBinary`, `BinaryView`,
    /// `FixedSizeBinary(81)`), lists of 81 integers of any width (`List`, `LargeList`, `FixedSizeList(81)`), lists of nine lists of nine
    /// integers, and dictionary and run-end encodings of such values. Returns `None` for any other type.
    pub fn from_array(array: &'a dyn Array) -> Option<Puzzles<'a>> {
        let solutions = type_of_grids(array.data_type()).clone();
        Some(Puzzles { cells: Cells::from_array(array)?, solutions, len: array.len(), restores_zeros: false })
    }

    /// Returns puzzles given as values, 0 for a blank, each row-major. Their solutions are `FixedSizeList(81)` of
    /// `UInt8`.
    pub fn from_values(values: &'a [[u8; CELLS]]) -> Puzzles<'a> {
        let solutions = DataType::new_fixed_size_list(DataType::UInt8, CELLS as i32, false);
        Puzzles { cells: Cells::Values(values), solutions, len: values.len(), restores_zeros: false }
    }

    /// Returns puzzles given as integers of any type, 0 for a blank, each row-major. Their solutions have the same type as with
    /// [`Puzzles::from_values`].
    ///
    /// ```
    /// use sudobench_tables::Puzzles;
    /// assert_eq!(Puzzles::from_numbers(&[[0_i64; 81], [-1; 81]]).len(), 2);
    /// ```
    pub fn from_numbers<T>(numbers: &'a [[T; CELLS]]) -> Puzzles<'a>
    where
        T: ArrowNativeType + Into<i128>,
    {
        let cells = Cells::Numbers(Box::new(numbers.as_flattened()));
        Puzzles { cells, len: numbers.len(), ..Puzzles::from_values(&[]) }
    }

    /// Returns puzzles that the caller has already read. A row without a puzzle contains the reason instead. Solutions have the same type
    /// as with [`Puzzles::from_values`].
    pub fn from_rows(rows: &'a [Result<ReadPuzzle, RowFault>]) -> Puzzles<'a> {
        Puzzles { cells: Cells::Read(rows), len: rows.len(), ..Puzzles::from_values(&[]) }
    }

    /// Returns puzzles given as texts of `width` bytes. Shorter texts are padded with NUL bytes, as in numpy. Their solutions are
    /// `FixedSizeBinary(81)`. Returns `None` if `width` is 0 or the length of `bytes` isn't a multiple of `width`.
    pub fn from_texts(bytes: &'a [u8], width: usize) -> Option<Puzzles<'a>> {
        let is_whole = width > 0 && bytes.len().is_multiple_of(width);
        let solutions = DataType::FixedSizeBinary(CELLS as i32);
        is_whole.then(|| Puzzles {
            cells: Cells::Texts { bytes, width },
            solutions,
            len: bytes.len() / width,
            restores_zeros: false,
        })
    }

    /// Sets whether to restore zeros that were removed from the start of texts. See
    /// [`Options::restore_zeros`](sudobench_rows::source::Options::restore_zeros).
    #[must_use]
    pub fn restore_zeros(self, restores_zeros: bool) -> Puzzles<'a> {
        Puzzles { restores_zeros, ..self }
    }

    /// Changes the type of the solutions to the type that they have with [`Puzzles::from_values`].
    #[must_use]
    pub fn solutions_as_values(self) -> Puzzles<'a> {
        Puzzles { solutions: Puzzles::from_values(&[]).solutions, ..self }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn solutions(&self) -> &DataType {
        &self.solutions
    }

    /// Returns the puzzle of a row, or the reason why the row has no puzzle.
    #[inline]
    pub fn puzzle(&self, row: usize) -> Result<ReadPuzzle, RowFault> {
        self.cells.puzzle(row, self.restores_zeros)
    }

    /// Appends the puzzles of `rows` and returns true. Returns false if a row has no puzzle, or a puzzle whose lost zeros were
    /// restored; some puzzles may have been appended then.
    pub fn push_plain(&self, rows: Range<usize>, puzzles: &mut Vec<Puzzle>) -> bool {
        if let Cells::Values(values) = self.cells {
            // Checks 64 puzzles together: so few that the checked values are still in the first-level cache when they are copied.
            let mut some = values[rows].chunks(64).map(Puzzle::from_rows);
            return some.all(|some| some.map(|some| puzzles.extend(some)).is_some());
        }
        rows.into_iter().all(|row| match self.puzzle(row) {
            Ok(ReadPuzzle { puzzle, is_restored: false }) => {
                puzzles.push(puzzle);
                true
            }
            _ => false,
        })
    }

    /// Returns the board of a row as text; a list becomes the text of its digits. Returns `None` if the value isn't a board.
    #[cfg(feature = "files")]
    #[inline]
    pub fn board(&self, row: usize) -> Option<[u8; CELLS]> {
        let puzzle = self.puzzle(row).ok()?.puzzle;
        // A text that lost zeros, or that shows a grid in lines, does not have 81 bytes. Then the board is made from the values of the
        // puzzle.
        let text = self.cells.text(row).and_then(|text| trim(text).try_into().ok());
        Some(text.unwrap_or_else(|| puzzle.values().map(|value| b'0' + value)))
    }

    /// Appends the text of a row: for numbers, the digits of the board; for null, nothing. Returns false if the row is neither null nor a
    /// text nor a board.
    pub(crate) fn push_text(&self, row: usize, text: &mut Vec<u8>) -> bool {
        self.cells.push_text(row, text)
    }
}

/// Rows that share values: a dictionary, or runs of equal rows.
pub(crate) struct Indirect<'a> {
    /// Index into `values` for each row. The index of a null row has no meaning.
    pub(crate) places: Vec<usize>,
    /// Which rows are null because they have no index. Rows whose value in `values` is null are not marked here.
    pub(crate) nulls: Option<NullBuffer>,
    /// The shared values. Several of them may be equal.
    pub(crate) values: &'a ArrayRef,
}

impl<'a> Indirect<'a> {
    /// Returns the shared values of an array and, for each row, the index of its value. Returns `None` if the rows of the array do not
    /// share values.
    pub(crate) fn from_array(array: &'a dyn Array) -> Option<Indirect<'a>> {
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            // If there are no values, every key is null, and the indices do not matter.
            let places = match dictionary.values().is_empty() {
                true => vec![0; array.len()],
                false => dictionary.normalized_keys(),
            };
            let nulls = dictionary.keys().nulls().cloned();
            return Some(Indirect { places, nulls, values: dictionary.values() });
        }
        let DataType::RunEndEncoded(ends, _) = array.data_type() else { return None };
        match ends.data_type() {
            DataType::Int16 => Indirect::from_runs::<Int16Type>(array),
            DataType::Int32 => Indirect::from_runs::<Int32Type>(array),
            _ => Indirect::from_runs::<Int64Type>(array),
        }
    }

    fn from_runs<R: RunEndIndexType>(array: &'a dyn Array) -> Option<Indirect<'a>> {
        let runs: &RunArray<R> = array.as_any().downcast_ref()?;
        let places = (0..runs.len()).map(|row| runs.get_physical_index(row)).collect();
        Some(Indirect { places, nulls: None, values: runs.values() })
    }
}

impl<'a> Cells<'a> {
    fn from_array(array: &'a dyn Array) -> Option<Cells<'a>> {
        if let Some(Indirect { places, nulls, values }) = Indirect::from_array(array) {
            return Some(Cells::Indirect { places, nulls, values: Box::new(Cells::from_array(values)?) });
        }
        Some(match array.data_type() {
            DataType::Utf8 => Cells::Utf8(array.as_string()),
            DataType::LargeUtf8 => Cells::LargeUtf8(array.as_string()),
            DataType::Utf8View => Cells::Utf8View(array.as_string_view()),
            DataType::Binary => Cells::Binary(array.as_binary()),
            DataType::LargeBinary => Cells::LargeBinary(array.as_binary()),
            DataType::BinaryView => Cells::BinaryView(array.as_binary_view()),
            DataType::FixedSizeBinary(width) if *width == CELLS as i32 => {
                Cells::FixedSizeBinary(array.as_fixed_size_binary())
            }
            _ => match values_of(array) {
                Some(values) => Cells::Values(values),
                None => Cells::Lists(Lists::from_array(array)?),
            },
        })
    }

    #[inline]
    fn puzzle(&self, row: usize, restores_zeros: bool) -> Result<ReadPuzzle, RowFault> {
        match self {
            Cells::Values(values) => puzzle_of_values(values[row]).map(ReadPuzzle::from),
            Cells::Numbers(numbers) => numbers.puzzle(row * CELLS..(row + 1) * CELLS).map(ReadPuzzle::from),
            Cells::Read(rows) => rows[row],
            Cells::Lists(lists) => lists.puzzle(row).map(ReadPuzzle::from),
            Cells::Indirect { places, nulls, values } => match is_null(nulls.as_ref(), row) {
                true => Err(RowFault::Null),
                false => values.puzzle(places[row], restores_zeros),
            },
            _ => puzzle_of_text(self.text(row).ok_or(RowFault::Null)?, restores_zeros),
        }
    }

    /// Returns the text of a row; `None` for null and for values that aren't texts.
    #[inline]
    fn text(&self, row: usize) -> Option<&[u8]> {
        match self {
            Cells::Texts { bytes, width } => Some(&bytes[row * width..(row + 1) * width]),
            Cells::Utf8(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Cells::LargeUtf8(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Cells::Utf8View(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Cells::Binary(array) => array.is_valid(row).then(|| array.value(row)),
            Cells::LargeBinary(array) => array.is_valid(row).then(|| array.value(row)),
            Cells::BinaryView(array) => array.is_valid(row).then(|| array.value(row)),
            Cells::FixedSizeBinary(array) => array.is_valid(row).then(|| array.value(row)),
            Cells::Indirect { places, nulls, values } if !is_null(nulls.as_ref(), row) => {
                values.text(places[row])
            }
            Cells::Values(_)
            | Cells::Numbers(_)
            | Cells::Read(_)
            | Cells::Lists(_)
            | Cells::Indirect { .. } => None,
        }
    }

    fn push_text(&self, row: usize, text: &mut Vec<u8>) -> bool {
        match self {
            Cells::Values(_) | Cells::Numbers(_) | Cells::Read(_) | Cells::Lists(_) => {
                match self.puzzle(row, false) {
                    Ok(ReadPuzzle { puzzle, .. }) => text.extend(puzzle.values().map(|value| value + b'0')),
                    Err(RowFault::Null) => {}
                    Err(_) => return false,
                }
            }
            Cells::Indirect { places, nulls, values } => {
                return is_null(nulls.as_ref(), row) || values.push_text(places[row], text);
            }
            _ => {
                // White space and padding are removed only around texts of 81 bytes. All other texts of the column stay unchanged.
                let whole = self.text(row).unwrap_or_default();
                let cut = trim(whole);
                text.extend_from_slice(if cut.len() == CELLS { cut } else { whole });
            }
        }
        true
    }
}

/// Removes surrounding white space and padding from a text. A text of 81 bytes without padding is returned unchanged.
fn trim(text: &[u8]) -> &[u8] {
    if text.len() == CELLS && text[CELLS - 1] != 0 {
        return text;
    }
    let filling = text.iter().rev().take_while(|&&byte| byte == 0).count();
    text[..text.len() - filling].trim_ascii()
}

#[inline]
fn puzzle_of_text(text: &[u8], restores_zeros: bool) -> Result<ReadPuzzle, RowFault> {
    read_text(trim(text), restores_zeros)
}

#[inline]
fn puzzle_of_values(values: [u8; CELLS]) -> Result<Puzzle, RowFault> {
    Puzzle::try_from(values).map_err(RowFault::Puzzle)
}

#[inline]
fn is_null(nulls: Option<&NullBuffer>, row: usize) -> bool {
    nulls.is_some_and(|nulls| nulls.is_null(row))
}

/// Lists of 81 whole numbers, or of nine lists of nine.
#[derive(Debug)]
struct Lists<'a> {
    puzzles: Ranges<'a>,
    /// For puzzles of nine lists of nine: the ranges of the inner lists, which are the rows of the grids. `None` for lists of 81 numbers.
    grid_rows: Option<Ranges<'a>>,
    cells: &'a dyn Numbers,
}

/// For each list of an array, the range of its items.
#[derive(Debug)]
struct Ranges<'a> {
    borders: Borders<'a>,
    nulls: Option<&'a NullBuffer>,
}

#[derive(Debug)]
enum Borders<'a> {
    Every(usize),
    At(&'a [i32]),
    AtLarge(&'a [i64]),
}

impl<'a> Ranges<'a> {
    /// Returns the ranges of the lists of an array, and the array of their items. The array must be a `List`, a `LargeList` or a
    /// `FixedSizeList` of this size; for other arrays, returns `None`.
    fn from_array(array: &'a dyn Array, size: usize) -> Option<(Ranges<'a>, &'a ArrayRef)> {
        fn at<O: OffsetSizeTrait>(array: &dyn Array) -> (&[O], &ArrayRef) {
            let lists: &GenericListArray<O> = array.as_list();
            (lists.value_offsets(), lists.values())
        }
        let (borders, items) = match array.data_type() {
            DataType::List(_) => {
                let (borders, items) = at(array);
                (Borders::At(borders), items)
            }
            DataType::LargeList(_) => {
                let (borders, items) = at(array);
                (Borders::AtLarge(borders), items)
            }
            DataType::FixedSizeList(_, length) if usize::try_from(*length) == Ok(size) => {
                (Borders::Every(size), array.as_fixed_size_list().values())
            }
            _ => return None,
        };
        Some((Ranges { borders, nulls: array.nulls() }, items))
    }

    /// Returns the range of the items of a list; `None` if the list is null.
    #[inline]
    fn range(&self, list: usize) -> Option<Range<usize>> {
        if is_null(self.nulls, list) {
            return None;
        }
        Some(match self.borders {
            Borders::Every(size) => list * size..(list + 1) * size,
            Borders::At(borders) => borders[list].as_usize()..borders[list + 1].as_usize(),
            Borders::AtLarge(borders) => borders[list].as_usize()..borders[list + 1].as_usize(),
        })
    }
}

impl<'a> Lists<'a> {
    fn from_array(array: &'a dyn Array) -> Option<Lists<'a>> {
        let flat = || {
            let (puzzles, items) = Ranges::from_array(array, CELLS)?;
            Some(Lists { puzzles, grid_rows: None, cells: numbers(items)? })
        };
        let nested = || {
            let (puzzles, items) = Ranges::from_array(array, 9)?;
            let (grid_rows, items) = Ranges::from_array(items, 9)?;
            Some(Lists { puzzles, grid_rows: Some(grid_rows), cells: numbers(items)? })
        };
        flat().or_else(nested)
    }

    #[inline]
    fn puzzle(&self, row: usize) -> Result<Puzzle, RowFault> {
        let items = self.puzzles.range(row).ok_or(RowFault::Null)?;
        let cells = match &self.grid_rows {
            None if items.len() == CELLS => items,
            None => return Err(RowFault::Cells { found: items.len() }),
            Some(grid_rows) => cells_of_grid(items, grid_rows)?,
        };
        self.cells.puzzle(cells)
    }
}

/// Returns the range of the 81 cells if the grid is a list of nine lists. The nine lists must be consecutive in the array.
fn cells_of_grid(rows: Range<usize>, grid_rows: &Ranges) -> Result<Range<usize>, RowFault> {
    if rows.len() != 9 {
        return Err(RowFault::GridRows { rows: rows.len() });
    }
    let mut cells = None;
    for (number, row) in rows.enumerate() {
        let row = grid_rows.range(row).ok_or(RowFault::NullCell)?;
        if row.len() != 9 {
            return Err(RowFault::GridCells { row: number + 1, cells: row.len() });
        }
        let first: &mut Range<usize> = cells.get_or_insert(row.clone());
        first.end = row.end;
    }
    cells.ok_or(RowFault::NullCell)
}

/// If `array` has lists of 81 bytes, and no list and no cell is null, returns all cells. They are consecutive in memory.
fn values_of(array: &dyn Array) -> Option<&[[u8; CELLS]]> {
    let lists = array.as_fixed_size_list_opt()?;
    let cells: &PrimitiveArray<UInt8Type> = lists.values().as_primitive_opt()?;
    let is_plain = lists.value_length() == CELLS as i32 && lists.null_count() == 0 && cells.null_count() == 0;
    is_plain.then(|| cells.values().as_chunks().0)
}

/// Integers of some width.
trait Numbers: std::fmt::Debug + Send + Sync {
    /// Returns the puzzle whose cells are the 81 numbers in this range.
    fn puzzle(&self, cells: Range<usize>) -> Result<Puzzle, RowFault>;
}

impl<T: ArrowNativeType + Into<i128>> Numbers for &[T] {
    #[inline]
    fn puzzle(&self, cells: Range<usize>) -> Result<Puzzle, RowFault> {
        let numbers = &self[cells];
        let (mut values, mut are_bytes) = ([0; CELLS], true);
        // The loop has no early exit, so that the compiler can make vector code of it.
        for (value, &number) in values.iter_mut().zip(numbers) {
            *value = number.as_usize() as u8;
            are_bytes &= T::usize_as(usize::from(*value)) == number;
        }
        let puzzle = are_bytes.then(|| Puzzle::try_from(values).ok()).flatten();
        puzzle.ok_or_else(|| fault_of(numbers.iter().map(|&number| number.into())))
    }
}

impl<T: ArrowPrimitiveType> Numbers for PrimitiveArray<T>
where
    T::Native: Into<i128>,
{
    #[inline]
    fn puzzle(&self, cells: Range<usize>) -> Result<Puzzle, RowFault> {
        if let Some(nulls) = self.nulls()
            && cells.clone().any(|cell| nulls.is_null(cell))
        {
            return Err(RowFault::NullCell);
        }
        self.values().as_ref().puzzle(cells)
    }
}

/// Returns the fault of the first number that is not from 0 to 9. At least one number must be wrong.
#[cold]
fn fault_of(numbers: impl Iterator<Item = i128>) -> RowFault {
    let is_wrong = |(_, number): &(usize, i128)| !(0..=9).contains(number);
    let (cell, number) = numbers.enumerate().find(is_wrong).unwrap_or_default();
    // These casts lose nothing, because puzzles have 81 cells, and types have at most 64 bits.
    RowFault::Cell { cell: cell as u8, is_negative: number < 0, magnitude: number.unsigned_abs() as u64 }
}

fn numbers(array: &ArrayRef) -> Option<&dyn Numbers> {
    macro_rules! as_numbers {
        ($type:ty) => {
            Some(array.as_primitive::<$type>())
        };
    }
    downcast_integer! {
        array.data_type() => (as_numbers),
        _ => None,
    }
}
