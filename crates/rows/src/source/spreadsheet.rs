//! Puzzles that a spreadsheet converted to numbers.
//!
//! If a puzzle has zeros for blanks, the zeros at its start are lost. They can be restored, because the puzzle had 81 digits. If the number
//! was written in scientific notation, such as `5.3E+79`, the digits after the first few cannot be restored.

use sudobench_sudoku::puzzle::{CELLS, Puzzle, PuzzleError};

use super::fault::RowFault;

/// A parsed puzzle.
#[derive(Clone, Copy, Debug)]
pub struct ReadPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Whether zeros were restored at the start of the puzzle.
    pub is_restored: bool,
}

impl From<Puzzle> for ReadPuzzle {
    fn from(puzzle: Puzzle) -> ReadPuzzle {
        ReadPuzzle { puzzle, is_restored: false }
    }
}

/// Parses the text of a puzzle. `restores_zeros`: whether lost zeros are restored.
///
/// # Errors
///
/// [`RowFault`] if the text is not a puzzle, not even with its lost zeros restored.
#[inline]
pub fn read_puzzle(text: &[u8], restores_zeros: bool) -> Result<ReadPuzzle, RowFault> {
    match Puzzle::from_text(text) {
        Ok(puzzle) => Ok(puzzle.into()),
        Err(fault) => read_number(fault, text, restores_zeros),
    }
}

/// Restores the lost zeros of a text if this is requested and the text has lost zeros. Otherwise returns the fault of the text.
#[cold]
fn read_number(fault: PuzzleError, text: &[u8], restores_zeros: bool) -> Result<ReadPuzzle, RowFault> {
    let PuzzleError::Length(found) = fault else { return Err(RowFault::Puzzle(fault)) };
    if has_lost_zeros(text) {
        if !restores_zeros {
            return Err(RowFault::LostZeros { found });
        }
        let mut digits = [b'0'; CELLS];
        digits[CELLS - text.len()..].copy_from_slice(text);
        return Ok(ReadPuzzle { puzzle: Puzzle::from_text(&digits)?, is_restored: true });
    }
    Err(if is_scientific(text) { RowFault::LostDigits } else { RowFault::Puzzle(fault) })
}

/// Returns whether a text may be a puzzle that lost the zeros at its start.
fn has_lost_zeros(text: &[u8]) -> bool {
    let is_short = (CELLS / 2..CELLS).contains(&text.len());
    is_short && text[0] != b'0' && text.contains(&b'0') && text.iter().all(u8::is_ascii_digit)
}

/// Returns whether a text is a number in scientific notation that may come from the digits of a puzzle: `5.3E+79`, or `5,3E+79` with a
/// decimal comma.
fn is_scientific(text: &[u8]) -> bool {
    let Some(at) = text.iter().position(|byte| matches!(byte, b'e' | b'E')) else { return false };
    let (digits, exponent) = (&text[..at], text[at + 1..].trim_ascii());
    let exponent = exponent.strip_prefix(b"+").unwrap_or(exponent);
    let is_mantissa = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
    let power = std::str::from_utf8(exponent).ok().and_then(|power| power.parse::<usize>().ok());
    digits.first().is_some_and(u8::is_ascii_digit)
        && digits.iter().all(is_mantissa)
        && power.is_some_and(|power| (CELLS / 2..CELLS).contains(&power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_distinguished_from_other_short_texts() {
        let read = |text: &str| read_puzzle(text.as_bytes(), true);
        let lost = |text: &str| matches!(read(text), Ok(ReadPuzzle { is_restored: true, .. }));
        assert!(lost(&"70".repeat(40)) && lost(&format!("9{}", "0".repeat(60))));
        for other in ["0".repeat(80), "7".repeat(80), "70".repeat(19), "70".repeat(41), "7.".repeat(40)] {
            assert!(read(&other).is_err(), "{other}");
        }
        let restored = read(&format!("9{}", "0".repeat(60))).map(|read| read.puzzle).unwrap();
        assert_eq!((restored.clue_count(), restored[20]), (1, 9));
        for scientific in ["8.12E+80", "5.3e79", "5,3E+79", "7E80", "5.3E+79 "] {
            assert_eq!(read(scientific).err(), Some(RowFault::LostDigits), "{scientific}");
        }
        for other in ["8.12E+", "E80", "8.12E-80", "8.12E+81", "1e5", "a.2E+80", ""] {
            assert_ne!(read(other).err(), Some(RowFault::LostDigits), "{other}");
        }
    }
}
