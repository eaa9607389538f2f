//! One puzzle, one solution, and the referee that holds one against the other.
//!
//! Cells are numbered row-major, 0 to 80: cell `i` is in row `i / 9`, column `i % 9`.

mod referee;

pub use referee::RefereeError;

use std::fmt;
use std::str::FromStr;

/// The number of cells of a grid.
pub const CELLS: usize = 81;

/// A puzzle: 81 cells, row-major, 0 for a blank and 1 to 9 for a clue.
///
/// The values are in range by construction; the clues may still contradict each other (see
/// [`Puzzle::conflict`]), which makes the puzzle unsolvable, not malformed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Puzzle([u8; CELLS]);

/// A filled grid: 81 digits 1 to 9, row-major.
///
/// Nothing but [`Solution::check`] says that it solves a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Solution([u8; CELLS]);

/// Why a text is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// The text does not have 81 characters.
    #[error("{0} characters where a puzzle has 81")]
    Length(usize),
    /// A character is neither a digit nor one of the blanks `. 0 _ * x X -`.
    #[error("byte {:?} at position {} is neither a digit nor a blank", char::from(*byte), position + 1)]
    Character {
        /// The byte as it stands in the text.
        byte: u8,
        /// Its cell, from 0.
        position: usize,
    },
}

/// The cell value that a byte of a puzzle's text stands for: 0 for the blanks `. 0 _ * x X -`, 1 to 9 for a
/// digit, `None` for any other byte.
pub fn cell_of_byte(byte: u8) -> Option<u8> {
    (is_digit(byte) | is_blank(byte)).then_some(digit_or_zero(byte))
}

fn is_digit(byte: u8) -> bool {
    byte.wrapping_sub(b'0') < 10
}

// Comparisons joined by `|`, not `||` or a table: the loop over a puzzle's bytes becomes vector code.
fn is_blank(byte: u8) -> bool {
    (byte == b'.') | (byte == b'_') | (byte == b'*') | (byte == b'x') | (byte == b'X') | (byte == b'-')
}

fn digit_or_zero(byte: u8) -> u8 {
    if is_digit(byte) { byte.wrapping_sub(b'0') } else { 0 }
}

impl Puzzle {
    /// The puzzle without a clue.
    pub const EMPTY: Puzzle = Puzzle([0; CELLS]);

    /// Builds a puzzle from 81 values 0 to 9; `None` if a value is larger.
    pub fn from_values(values: [u8; CELLS]) -> Option<Puzzle> {
        values.iter().all(|&value| value <= 9).then_some(Puzzle(values))
    }

    /// Reads 81 characters: digits, and `. 0 _ * x X -` for blanks.
    ///
    /// # Errors
    /// [`PuzzleError`] where the text has another length or another character.
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

    /// The 81 values, 0 for a blank.
    pub fn values(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// The number of clues, 0 to 81.
    pub fn clues(&self) -> usize {
        self.0.iter().filter(|&&value| value != 0).count()
    }

    /// Two equal clues in one row, column or box, as the pair's later cell; `None` if the clues agree.
    ///
    /// A puzzle with a conflict has no solution.
    pub fn conflict(&self) -> Option<usize> {
        let (mut rows, mut columns, mut boxes) = ([0u16; 9], [0u16; 9], [0u16; 9]);
        for (cell, &value) in self.0.iter().enumerate() {
            let digit = (1u16 << value) & !1;
            let (row, column) = (cell / 9, cell % 9);
            let in_box = row / 3 * 3 + column / 3;
            if (rows[row] | columns[column] | boxes[in_box]) & digit != 0 {
                return Some(cell);
            }
            rows[row] |= digit;
            columns[column] |= digit;
            boxes[in_box] |= digit;
        }
        None
    }
}

/// The error for a text of the right length in which some byte is not a cell.
#[cold]
fn first_bad_character(text: &[u8; CELLS]) -> PuzzleError {
    let position = text.iter().position(|&byte| cell_of_byte(byte).is_none()).unwrap_or_default();
    PuzzleError::Character { byte: text[position], position }
}

impl Solution {
    /// Builds a filled grid from 81 digits 1 to 9; `None` if a value is out of range.
    pub fn from_values(values: [u8; CELLS]) -> Option<Solution> {
        // No early end: so it is vector code.
        let in_range = values.iter().fold(true, |all, value| all & (value.wrapping_sub(1) < 9));
        in_range.then_some(Solution(values))
    }

    /// Reads 81 digits `1` to `9`; `None` for anything else.
    pub fn from_text(text: &[u8]) -> Option<Solution> {
        let text: &[u8; CELLS] = text.try_into().ok()?;
        Solution::from_values(text.map(|byte| byte.wrapping_sub(b'0')))
    }

    /// The 81 digits, 1 to 9.
    pub fn values(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// A grid of ones, to be overwritten.
    pub(crate) const ONES: Solution = Solution([1; CELLS]);

    /// The digits, for a solver to write values from 1 to 9.
    pub(crate) fn values_mut(&mut self) -> &mut [u8; CELLS] {
        &mut self.0
    }

    /// The grid as 81 ASCII digits.
    pub fn text(&self) -> [u8; CELLS] {
        self.0.map(|digit| digit + b'0')
    }
}

impl FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Puzzle, PuzzleError> {
        Puzzle::from_text(text.as_bytes())
    }
}

impl fmt::Display for Puzzle {
    /// 81 characters, `.` for a blank.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.map(|value| if value == 0 { b'.' } else { value + b'0' });
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

impl fmt::Display for Solution {
    /// 81 digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.text()))
    }
}

impl fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Puzzle({self})")
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solution({self})")
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
    fn a_conflict_is_found_in_row_column_and_box() {
        for (first, second) in [(0, 8), (0, 72), (0, 20)] {
            let mut values = [0; CELLS];
            values[first] = 7;
            values[second] = 7;
            assert_eq!(Puzzle::from_values(values).unwrap().conflict(), Some(second));
        }
        assert_eq!(Puzzle::EMPTY.conflict(), None);
    }
}
