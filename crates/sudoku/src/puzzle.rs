//! Puzzles, solutions, and the referee that checks a solution against its puzzle.
//!
//! Cells are numbered row-major, 0 to 80: cell `i` is in row `i / 9`, column `i % 9`.

mod alike;
mod cells;
pub(crate) mod minirows;
mod punctuation;
mod referee;
mod solution;
mod units;

pub use alike::AlikeRows;
pub use cells::Cells;
pub use punctuation::Punctuation;
pub use referee::RefereeError;
pub use solution::{Solution, SolutionError};
pub(crate) use units::{UNITS, UNITS_OF, UsedDigits, allowed_digits, free_digits, is_plain_contradiction};

use std::fmt;
use std::ops::Index;
use std::str::FromStr;

/// Number of cells in a grid.
pub const CELLS: usize = 81;

/// Smallest number of clues of a puzzle with exactly one solution (McGuire, Tugemann and Civario, "There is no 16-clue
/// Sudoku", 2012).
pub const FEWEST_CLUES: usize = 17;

/// A puzzle: 81 cells, row-major, 0 for a blank and 1 to 9 for a clue.
///
/// All values are in range. The clues may still contradict each other (see [`Puzzle::conflict`]); such a puzzle is
/// unsolvable, not malformed. You can parse a puzzle from text ([`FromStr`], [`Puzzle::from_text`]) or make it from values
/// ([`TryFrom`]). Puzzles are ordered by their values.
///
/// ```
/// use sudobench_sudoku::Puzzle;
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// assert_eq!((puzzle[0], puzzle[1], puzzle[2]), (5, 3, 0));
///
/// let mut values = <[u8; 81]>::from(puzzle);
/// values[2] = 4;
/// let filled = Puzzle::try_from(values)?;
/// assert_eq!(filled.clue_count(), puzzle.clue_count() + 1);
///
/// values[2] = 12;
/// let refused = Puzzle::try_from(values).unwrap_err();
/// assert_eq!(refused.to_string(), "r1c3 holds 12, which is neither a digit nor 0 for a blank");
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Puzzle([u8; CELLS]);

/// Reasons why a text or an array is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// The text does not have 81 characters. Each byte counts as a character.
    #[error("{0} characters where a puzzle has 81")]
    Length(usize),
    /// A character is neither a digit nor one of the blanks `. 0 _ * x X -`.
    #[error("byte {:?} at position {} is neither a digit nor a blank", char::from(*byte), position + 1)]
    Character {
        /// The byte in the text.
        byte: u8,
        /// The byte's cell, from 0.
        position: usize,
    },
    /// A value is above 9.
    #[error("{} holds {value}, which is neither a digit nor 0 for a blank", Cells::one(*cell))]
    Value {
        /// The value.
        value: u8,
        /// The value's cell, from 0.
        cell: usize,
    },
}

/// Returns the cell value for a byte of a puzzle's text: 0 for the blanks `. 0 _ * x X -`, 1 to 9 for a digit, `None`
/// for any other byte.
///
/// ```
/// use sudobench_sudoku::puzzle::value_of_byte;
/// assert_eq!([b'7', b'.', b'?'].map(value_of_byte), [Some(7), Some(0), None]);
/// ```
pub fn value_of_byte(byte: u8) -> Option<u8> {
    (is_digit(byte) | is_blank(byte)).then_some(digit_or_zero(byte))
}

#[inline(always)]
fn is_digit(byte: u8) -> bool {
    byte.wrapping_sub(b'0') < 10
}

// The comparisons are joined by `|`. With `||` or with a table, the compiler could not turn the loop over a puzzle's bytes into vector
// code.
#[inline(always)]
fn is_blank(byte: u8) -> bool {
    (byte == b'.') | (byte == b'_') | (byte == b'*') | (byte == b'x') | (byte == b'X') | (byte == b'-')
}

#[inline(always)]
fn digit_or_zero(byte: u8) -> u8 {
    if is_digit(byte) { byte.wrapping_sub(b'0') } else { 0 }
}

impl Puzzle {
    /// The puzzle without clues.
    pub const EMPTY: Puzzle = Puzzle([0; CELLS]);

    /// Reads 81 characters: digits, and `. 0 _ * x X -` for blanks.
    ///
    /// # Errors
    /// [`PuzzleError`] if the text has another length or another character.
    ///
    /// ```
    /// use sudobench_sudoku::{Puzzle, PuzzleError};
    /// assert_eq!(Puzzle::from_text(&[b'-'; 81]), Ok(Puzzle::EMPTY));
    /// assert_eq!(Puzzle::from_text(b"53..7"), Err(PuzzleError::Length(5)));
    /// ```
    #[cfg_attr(not(debug_assertions), inline)] // in builds of the tests, code inlined into other packages is not optimised
    pub fn from_text(text: &[u8]) -> Result<Puzzle, PuzzleError> {
        let text: &[u8; CELLS] = text.try_into().map_err(|_| PuzzleError::Length(text.len()))?;
        let mut all_cells = true;
        for &byte in text {
            all_cells &= is_digit(byte) | is_blank(byte);
        }
        if !all_cells {
            return Err(first_bad_character(text));
        }
        Ok(Puzzle(text.map(digit_or_zero)))
    }

    /// Makes puzzles from rows of 81 values. Returns `None` if any value is above 9. Checking many rows together takes less time
    /// than checking them one by one.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// assert_eq!(Puzzle::from_rows(&[[0; 81]; 2]).map(Vec::from_iter), Some(vec![Puzzle::EMPTY; 2]));
    /// assert!(Puzzle::from_rows(&[[9; 81], [10; 81]]).is_none());
    /// ```
    #[inline]
    pub fn from_rows(rows: &[[u8; CELLS]]) -> Option<impl ExactSizeIterator<Item = Puzzle>> {
        // The loop doesn't end early, so it becomes vector code.
        let largest = rows.as_flattened().iter().fold(0, |largest: u8, &value| largest.max(value));
        (largest <= 9).then(|| rows.iter().copied().map(Puzzle))
    }

    /// Returns the 81 values, 0 for a blank.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// assert_eq!(Puzzle::EMPTY.values(), &[0; 81]);
    /// ```
    pub fn values(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// Returns the values as a mutable array. Only values from 0 to 9 may be written.
    pub(crate) fn values_mut(&mut self) -> &mut [u8; CELLS] {
        &mut self.0
    }

    /// Returns the puzzle as 81 ASCII characters, `.` for a blank.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// assert_eq!(Puzzle::EMPTY.text(), [b'.'; 81]);
    /// ```
    pub fn text(&self) -> [u8; CELLS] {
        self.0.map(|value| if value == 0 { b'.' } else { value + b'0' })
    }

    /// Returns an iterator over the nine rows, from the top.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// let puzzle: Puzzle = format!("{:.<81}", "..1.......2").parse()?;
    /// let clues: Vec<usize> = puzzle.rows().map(|row| row.iter().filter(|&&value| value != 0).count()).collect();
    /// assert_eq!(clues, [1, 1, 0, 0, 0, 0, 0, 0, 0]);
    /// # Ok::<(), sudobench_sudoku::PuzzleError>(())
    /// ```
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8; 9]> {
        self.0.as_chunks().0.iter()
    }

    /// Returns the number of clues, 0 to 81.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// assert_eq!(Puzzle::EMPTY.clue_count(), 0);
    /// ```
    pub fn clue_count(&self) -> usize {
        self.0.iter().filter(|&&value| value != 0).count()
    }

    /// Finds two equal clues in one row, column or box. Returns the later cell of the pair; `None` if there is no such pair.
    ///
    /// A puzzle with a conflict has no solution.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// let puzzle: Puzzle = format!("{:.<81}", "5......5").parse()?;
    /// assert_eq!(puzzle.conflict(), Some(7));
    /// # Ok::<(), sudobench_sudoku::PuzzleError>(())
    /// ```
    pub fn conflict(&self) -> Option<usize> {
        let mut used = UsedDigits::default();
        for (cell, &value) in self.0.iter().enumerate() {
            let digit = 1 << value >> 1;
            if used.seen_by(cell) & digit != 0 {
                return Some(cell);
            }
            used.insert(cell, digit);
        }
        None
    }
}

#[cold]
fn first_bad_character(text: &[u8; CELLS]) -> PuzzleError {
    let position = text.iter().position(|&byte| value_of_byte(byte).is_none()).unwrap_or_default();
    PuzzleError::Character { byte: text[position], position }
}

#[cold]
fn first_bad_value(values: &[u8; CELLS]) -> PuzzleError {
    let cell = values.iter().position(|&value| value > 9).unwrap_or_default();
    PuzzleError::Value { value: values[cell], cell }
}

impl TryFrom<[u8; CELLS]> for Puzzle {
    type Error = PuzzleError;

    /// Makes the puzzle with these 81 values, 0 to 9.
    #[cfg_attr(not(debug_assertions), inline)] // in builds of the tests, code inlined into other packages is not optimised
    fn try_from(values: [u8; CELLS]) -> Result<Puzzle, PuzzleError> {
        // The loop doesn't end early, so it becomes vector code.
        let in_range = values.iter().fold(true, |all, &value| all & (value <= 9));
        if in_range { Ok(Puzzle(values)) } else { Err(first_bad_value(&values)) }
    }
}

impl From<Puzzle> for [u8; CELLS] {
    fn from(puzzle: Puzzle) -> [u8; CELLS] {
        puzzle.0
    }
}

impl AsRef<[u8; CELLS]> for Puzzle {
    fn as_ref(&self) -> &[u8; CELLS] {
        &self.0
    }
}

impl Index<usize> for Puzzle {
    type Output = u8;

    /// Returns the value of a cell.
    ///
    /// # Panics
    /// If the cell is above 80.
    fn index(&self, cell: usize) -> &u8 {
        &self.0[cell]
    }
}

impl Default for Puzzle {
    fn default() -> Puzzle {
        Puzzle::EMPTY
    }
}

impl FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Puzzle, PuzzleError> {
        Puzzle::from_text(text.as_bytes())
    }
}

impl fmt::Display for Puzzle {
    /// Writes 81 characters, `.` for a blank.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(&self.text()))
    }
}

impl fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Puzzle({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLVED: &[u8; 81] =
        b"483921657967345821251876493548132976729564138136798245372689514814253769695417382";

    #[test]
    fn every_blank_is_read_and_every_other_byte_refused() {
        let blanks = b".0_*xX-";
        for byte in 0..=255u8 {
            let mut text = *SOLVED;
            text[40] = byte;
            let read = Puzzle::from_text(&text);
            if blanks.contains(&byte) {
                assert_eq!(read.unwrap().values()[40], 0);
            } else if byte.is_ascii_digit() {
                assert_eq!(read.unwrap().values()[40], byte - b'0');
            } else {
                assert_eq!(read, Err(PuzzleError::Character { byte, position: 40 }));
            }
        }
        assert_eq!(Puzzle::from_text(&SOLVED[..80]), Err(PuzzleError::Length(80)));
        assert_eq!(
            PuzzleError::Character { byte: b'?', position: 4 }.to_string(),
            "byte '?' at position 5 is neither a digit nor a blank"
        );
    }

    #[test]
    fn values_out_of_range_are_refused_with_their_cell() {
        for cell in [0, 40, 80] {
            let mut values = [9; CELLS];
            values[cell] = 10;
            assert_eq!(Puzzle::try_from(values), Err(PuzzleError::Value { value: 10, cell }));
            values[cell] = 0;
            assert_eq!(<[u8; CELLS]>::from(Puzzle::try_from(values).unwrap()), values);
        }
    }

    #[test]
    fn a_conflict_is_found_in_row_column_and_box() {
        for (first, second) in [(0, 8), (0, 72), (0, 20)] {
            let mut values = [0; CELLS];
            values[first] = 7;
            values[second] = 7;
            assert_eq!(Puzzle::try_from(values).unwrap().conflict(), Some(second));
        }
        assert_eq!(Puzzle::EMPTY.conflict(), None);
    }
}
