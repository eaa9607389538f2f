//! A filled grid.

use std::fmt;
use std::ops::Index;
use std::str::FromStr;

use super::{CELLS, Cells, Puzzle};

/// A filled grid: 81 digits 1 to 9, row-major.
///
/// Use [`Solution::check`] to find out whether the grid solves a puzzle. Grids are ordered as 81-digit numbers.
///
/// ```
/// use sudobench_sudoku::{Puzzle, Solution};
///
/// let text = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// let solution: Solution = text.parse()?;
/// assert_eq!(solution.to_string(), text);
/// assert_eq!((solution[0], solution[80]), (5, 9));
/// assert_eq!(Puzzle::from(solution).clue_count(), 81);
/// # Ok::<(), sudobench_sudoku::SolutionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Solution([u8; CELLS]);

/// Reasons why a text or an array is not a filled grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolutionError {
    /// The text does not have 81 characters. Each byte counts as a character.
    #[error("{0} characters where a filled grid has 81")]
    Length(usize),
    /// A character is not one of the digits 1 to 9.
    #[error("byte {:?} at position {} is not a digit from 1 to 9", char::from(*byte), position + 1)]
    Character {
        /// The byte in the text.
        byte: u8,
        /// The byte's cell, from 0.
        position: usize,
    },
    /// A value is 0 or above 9.
    #[error("{} holds {value}, which is not a digit from 1 to 9", Cells::one(*cell))]
    Value {
        /// The value.
        value: u8,
        /// The value's cell, from 0.
        cell: usize,
    },
}

impl Solution {
    /// A grid of ones, to be overwritten.
    pub(crate) const ONES: Solution = Solution([1; CELLS]);

    /// Reads 81 digits `1` to `9`.
    ///
    /// # Errors
    /// [`SolutionError`] if the text has another length or another character.
    ///
    /// ```
    /// use sudobench_sudoku::{Solution, SolutionError};
    /// assert!(Solution::from_text(&[b'7'; 81]).is_ok());
    /// assert_eq!(Solution::from_text(b"5346"), Err(SolutionError::Length(4)));
    /// ```
    pub fn from_text(text: &[u8]) -> Result<Solution, SolutionError> {
        let text: &[u8; CELLS] = text.try_into().map_err(|_| SolutionError::Length(text.len()))?;
        Solution::try_from(text.map(|byte| byte.wrapping_sub(b'0'))).map_err(|_| first_bad_character(text))
    }

    /// Returns the 81 digits, 1 to 9.
    ///
    /// ```
    /// use sudobench_sudoku::Solution;
    /// let sevens = Solution::try_from([7; 81])?;
    /// assert_eq!(sevens.values(), &[7; 81]);
    /// # Ok::<(), sudobench_sudoku::SolutionError>(())
    /// ```
    pub fn values(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// Returns the digits for writing. Only values from 1 to 9 may be written.
    pub(crate) fn values_mut(&mut self) -> &mut [u8; CELLS] {
        &mut self.0
    }

    /// Returns an iterator over the nine rows, from the top.
    ///
    /// ```
    /// use sudobench_sudoku::{Puzzle, solve};
    /// let solution = solve(&Puzzle::EMPTY).solution.unwrap();
    /// assert_eq!(solution.rows().next(), Some(&[1, 2, 3, 4, 5, 6, 7, 8, 9]));
    /// ```
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8; 9]> {
        self.0.as_chunks().0.iter()
    }

    /// Returns the grid as 81 ASCII digits.
    ///
    /// ```
    /// use sudobench_sudoku::Solution;
    /// assert_eq!(Solution::try_from([7; 81])?.text(), [b'7'; 81]);
    /// # Ok::<(), sudobench_sudoku::SolutionError>(())
    /// ```
    #[cfg_attr(not(debug_assertions), inline)] // in builds of the tests, code inlined into other packages is not optimised
    pub fn text(&self) -> [u8; CELLS] {
        self.0.map(|digit| digit + b'0')
    }

    /// Returns whether `text` is equal to [`text()`](Solution::text) of this grid. Doesn't build the text of the grid.
    ///
    /// ```
    /// use sudobench_sudoku::Solution;
    /// let sevens = Solution::try_from([7; 81])?;
    /// assert!(sevens.equals_text(&[b'7'; 81]) && !sevens.equals_text(&[b'7'; 80]) && !sevens.equals_text(&[b'8'; 81]));
    /// # Ok::<(), sudobench_sudoku::SolutionError>(())
    /// ```
    #[cfg_attr(not(debug_assertions), inline)] // in builds of the tests, code inlined into other packages is not optimised
    pub fn equals_text(&self, text: &[u8]) -> bool {
        let Ok(text) = <&[u8; CELLS]>::try_from(text) else { return false };
        // The loop doesn't end early, so it becomes vector code.
        let differing = self.0.iter().zip(text).fold(0, |all, (digit, byte)| all | (digit + b'0') ^ byte);
        differing == 0
    }
}

#[cold]
fn first_bad_character(text: &[u8; CELLS]) -> SolutionError {
    let position = text.iter().position(|byte| !(b'1'..=b'9').contains(byte)).unwrap_or_default();
    SolutionError::Character { byte: text[position], position }
}

#[cold]
fn first_bad_value(values: &[u8; CELLS]) -> SolutionError {
    let cell = values.iter().position(|value| !(1..=9).contains(value)).unwrap_or_default();
    SolutionError::Value { value: values[cell], cell }
}

impl TryFrom<[u8; CELLS]> for Solution {
    type Error = SolutionError;

    /// Makes the grid with these 81 digits, 1 to 9.
    fn try_from(values: [u8; CELLS]) -> Result<Solution, SolutionError> {
        // The loop doesn't end early, so it becomes vector code.
        let in_range = values.iter().fold(true, |all, value| all & (value.wrapping_sub(1) < 9));
        if in_range { Ok(Solution(values)) } else { Err(first_bad_value(&values)) }
    }
}

impl From<Solution> for [u8; CELLS] {
    fn from(solution: Solution) -> [u8; CELLS] {
        solution.0
    }
}

impl From<Solution> for Puzzle {
    /// Returns the puzzle in which every cell is a clue.
    fn from(solution: Solution) -> Puzzle {
        Puzzle(solution.0)
    }
}

impl AsRef<[u8; CELLS]> for Solution {
    fn as_ref(&self) -> &[u8; CELLS] {
        &self.0
    }
}

impl Index<usize> for Solution {
    type Output = u8;

    /// Returns the digit of a cell.
    ///
    /// # Panics
    /// If the cell is above 80.
    fn index(&self, cell: usize) -> &u8 {
        &self.0[cell]
    }
}

impl FromStr for Solution {
    type Err = SolutionError;

    fn from_str(text: &str) -> Result<Solution, SolutionError> {
        Solution::from_text(text.as_bytes())
    }
}

impl fmt::Display for Solution {
    /// Writes 81 digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(&self.text()))
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
    fn every_other_byte_is_refused_with_its_cell() {
        for byte in 0..=255u8 {
            let mut text = *SOLVED;
            text[40] = byte;
            let read = Solution::from_text(&text);
            match byte {
                b'1'..=b'9' => assert_eq!(read.unwrap()[40], byte - b'0'),
                _ => assert_eq!(read, Err(SolutionError::Character { byte, position: 40 })),
            }
            let mut values = [1; CELLS];
            values[80] = byte;
            match byte {
                1..=9 => assert_eq!(<[u8; CELLS]>::from(Solution::try_from(values).unwrap()), values),
                _ => assert_eq!(
                    Solution::try_from(values),
                    Err(SolutionError::Value { value: byte, cell: 80 })
                ),
            }
        }
        assert_eq!(Solution::from_text(&SOLVED[1..]), Err(SolutionError::Length(80)));
        let messages = [
            SolutionError::Character { byte: b'.', position: 4 }.to_string(),
            SolutionError::Value { value: 0, cell: 4 }.to_string(),
        ];
        assert_eq!(
            messages,
            [
                "byte '.' at position 5 is not a digit from 1 to 9",
                "r1c5 holds 0, which is not a digit from 1 to 9"
            ]
        );
    }

    #[test]
    fn a_full_puzzle_is_its_solution() {
        let solution = Solution::from_text(SOLVED).unwrap();
        assert_eq!(Puzzle::from(solution).to_string().parse(), Ok(solution));
        assert_eq!(solution.rows().flatten().copied().collect::<Vec<_>>(), solution.values());
    }
}
