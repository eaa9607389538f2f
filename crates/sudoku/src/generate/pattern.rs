//! Patterns: the cells that may hold clues.

use std::fmt;
use std::str::FromStr;

use crate::puzzle::{CELLS, Cells, Puzzle};

/// The cells that may hold clues.
///
/// ```
/// use sudobench_sudoku::generate::Pattern;
/// let pattern: Pattern = format!("x.x{}", ".".repeat(78)).parse()?;
/// assert_eq!(pattern.cells().to_string(), "r1c1 r1c3");
/// # Ok::<(), sudobench_sudoku::generate::PatternError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern(Cells);

/// Reasons why a text is not a [`Pattern`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The text does not have 81 characters.
    #[error(
        "{0} characters, but a pattern has 81: x, # or 1 to 9 for a clue, and `.`, 0, _ or - for a blank"
    )]
    Length(usize),
    /// A character is neither a clue nor a blank.
    #[error("{character:?} at position {} is neither a clue (x, # or 1 to 9) nor a blank (`.`, 0, _ or -)", position + 1)]
    Character {
        /// The character.
        character: char,
        /// The character's cell, from 0.
        position: usize,
    },
    /// The text has digits from 1 to 9 and also `x`, `X` or `*`. With digits, the text may be a puzzle, in which `x` and `*` are blanks; in
    /// a pattern, they are clues.
    #[error(
        "the pattern has digits from 1 to 9 and also x or *; x and * are clues in a pattern but blanks in a puzzle: write all clues as \
         digits and all blanks as `.`, or write all clues as x"
    )]
    Ambiguous,
}

/// A reason why no puzzle with clues only in the cells of a pattern has exactly one solution: two lines without clues can be swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}s {} and {} of one {} have no clues: they can be swapped in every solution, which gives another solution",
    if *is_row { "row" } else { "column" }, first + 1, second + 1, if *is_row { "band" } else { "stack" }
)]
pub struct PatternFault {
    /// Whether the lines are rows; columns otherwise.
    pub is_row: bool,
    /// The first line, from 0.
    pub first: usize,
    /// The second line, from 0.
    pub second: usize,
}

impl Pattern {
    /// Returns the cells.
    pub fn cells(self) -> Cells {
        self.0
    }

    /// Finds two lines without clues that can be swapped. If there are such lines, no puzzle with clues only in the pattern's cells has
    /// exactly one solution.
    pub fn fault(self) -> Option<PatternFault> {
        let is_empty = |is_row: bool, line: usize| {
            (0..9).all(|at| !self.0.contains(if is_row { line * 9 + at } else { at * 9 + line }))
        };
        let pairs =
            (0..9).flat_map(|first| (first + 1..first / 3 * 3 + 3).map(move |second| (first, second)));
        [true, false].into_iter().find_map(|is_row| {
            let mut pairs = pairs.clone();
            let (first, second) =
                pairs.find(|&(first, second)| is_empty(is_row, first) && is_empty(is_row, second))?;
            Some(PatternFault { is_row, first, second })
        })
    }
}

impl From<Cells> for Pattern {
    fn from(cells: Cells) -> Pattern {
        Pattern(cells)
    }
}

impl From<&Puzzle> for Pattern {
    /// Returns the cells with clues in the puzzle.
    fn from(puzzle: &Puzzle) -> Pattern {
        Pattern(puzzle.clue_cells())
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        let length = text.chars().count();
        if length != CELLS {
            return Err(PatternError::Length(length));
        }
        let mut cells = Cells::EMPTY;
        for (position, character) in text.chars().enumerate() {
            match character {
                '1'..='9' | 'x' | 'X' | '*' | '#' => cells.insert(position),
                '.' | '0' | '_' | '-' => {}
                _ => return Err(PatternError::Character { character, position }),
            }
        }
        let (has_digit, has_mark) =
            (text.contains(|c| ('1'..='9').contains(&c)), text.contains(['x', 'X', '*']));
        // Digits alone are allowed, because many patterns have 1 for a clue and 0 for a blank.
        let is_mixed = has_digit && has_mark;
        if is_mixed { Err(PatternError::Ambiguous) } else { Ok(Pattern(cells)) }
    }
}

impl fmt::Display for Pattern {
    /// Writes 81 characters: `x` for a clue, `.` for none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = (0..CELLS).map(|cell| if self.0.contains(cell) { 'x' } else { '.' }).collect();
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(rows: [&str; 9]) -> Pattern {
        rows.concat().parse().unwrap()
    }

    #[test]
    fn patterns_are_read_and_others_refused() {
        for clue in ["x", "X", "*", "#", "1", "9"] {
            for blank in [".", "0", "_", "-"] {
                let read: Pattern = format!("{clue}{}", blank.repeat(80)).parse().unwrap();
                assert_eq!(read.cells(), [0].into_iter().collect());
                assert_eq!(read.to_string().parse(), Ok(read));
            }
        }
        let error = |text: &str| text.parse::<Pattern>().unwrap_err();
        assert_eq!(error("x."), PatternError::Length(2));
        assert_eq!(error(&format!("x5{}", ".".repeat(79))), PatternError::Ambiguous);
        let strange = format!("x..é{}", ".".repeat(77));
        assert_eq!(error(&strange), PatternError::Character { character: 'é', position: 3 });
        assert_eq!(
            error(&strange).to_string(),
            "'é' at position 4 is neither a clue (x, # or 1 to 9) nor a blank (`.`, 0, _ or -)"
        );
    }

    #[test]
    fn two_empty_lines_of_a_band_or_stack_are_found() {
        let (all, none) = ("xxxxxxxxx", ".........");
        let fault = |rows| pattern(rows).fault().map(|fault| fault.to_string());
        assert_eq!(fault([all; 9]), None);
        // Each band has one empty row. Rows 6 and 7 are neighbours, but in different bands, so they can't be swapped.
        assert_eq!(fault([none, all, all, all, all, none, none, all, all]), None);
        let words = "rows 4 and 6 of one band have no clues: they can be swapped in every solution, which gives another solution";
        assert_eq!(fault([all, all, all, none, all, none, all, all, all]).as_deref(), Some(words));
        let words = "columns 8 and 9 of one stack have no clues: they can be swapped in every solution, which gives another solution";
        assert_eq!(fault(["xxxxxxx.."; 9]).as_deref(), Some(words));
    }
}
