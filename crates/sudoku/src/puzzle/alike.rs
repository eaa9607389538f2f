//! Reads rows of text that differ only in their cells, as the rows of many files do.
//!
//! ```text
//! row     530070000600195000098000060800060003400803001700020006060000280000419005000080079,5346...\n
//!         cells of a puzzle                                                                |digits |
//!                                                                        the other bytes: must equal the bytes of the first row
//! ```
//! If one row has been split into fields, all rows that differ from it only in their cells are split at the same positions, because no
//! cell is a quote or a line end. The delimiter must not be a character that can stand for a cell.
//!
//! This code always uses the widest vectors of the CPU, even if the run has another SIMD level. The result is the same at each level.

use std::ops::Range;

use super::{CELLS, Puzzle, digit_or_zero, is_blank, is_digit};
use crate::simd::{self, Kernel};

/// The layout of rows that differ only in their cells.
///
/// ```
/// use sudobench_sudoku::puzzle::{AlikeRows, Puzzle};
///
/// let row = |cell: &str, digit: &str| format!("{},{}\n", cell.repeat(81), digit.repeat(81));
/// let first = row("7", "8");
/// let alike = AlikeRows::from_row(first.as_bytes(), 0, Some(82)).unwrap();
/// let text = row("1", "2") + &row(".", "9") + &row("?", "2") + &row("1", "2");
/// let mut puzzles = Vec::new();
/// assert_eq!(alike.read(text.as_bytes(), &mut puzzles), 2);
/// assert_eq!(puzzles, [Puzzle::try_from([1; 81])?, Puzzle::EMPTY]);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AlikeRows {
    /// Number of bytes in a row.
    length: usize,
    /// Position of the puzzle in the row.
    puzzle: usize,
    /// Position of the solution in the row, if there is one.
    solution: Option<usize>,
    /// Positions and values of the bytes that are not cells. Only the first `count` entries are used.
    others: [(u16, u8); MOST_OTHERS],
    count: usize,
}

/// Largest number of bytes in a row that are not cells, such as delimiters and the line end. Rows with more such bytes are
/// rarely alike.
const MOST_OTHERS: usize = 16;

impl AlikeRows {
    /// Makes the layout of rows that are like `row`. The puzzle starts at `puzzle` and the solution at `solution`; each has 81 characters.
    /// Returns `None` if the row is too short, if the puzzle and the solution overlap, or if the row has too many other bytes.
    pub fn from_row(row: &[u8], puzzle: usize, solution: Option<usize>) -> Option<AlikeRows> {
        let mut alike = AlikeRows { length: row.len(), puzzle, solution, others: [(0, 0); _], count: 0 };
        let first = solution.map_or(puzzle, |solution| solution.min(puzzle));
        let second = solution.map(|solution| solution.max(puzzle));
        let mut from = 0;
        for field in [Some(first), second].into_iter().flatten() {
            alike.take_others(row, from..field)?;
            from = field.checked_add(CELLS)?;
        }
        alike.take_others(row, from..row.len())?;
        Some(alike)
    }

    /// Adds the bytes of a range to `others`. The range is outside the puzzle and the solution. Returns `None` if the range is invalid, or
    /// if there are too many bytes.
    fn take_others(&mut self, row: &[u8], between: Range<usize>) -> Option<()> {
        for (at, &byte) in between.clone().zip(row.get(between)?) {
            *self.others.get_mut(self.count)? = (u16::try_from(at).ok()?, byte);
            self.count += 1;
        }
        Some(())
    }

    /// Appends the puzzles of the rows at the start of `text` to `puzzles`. Stops before the first row that does not have this layout: a
    /// row that ends early, that differs from the layout outside its cells, whose puzzle has a character that is neither a digit nor a
    /// blank, or whose solution has a character other than the digits from 1 to 9. Returns the number of rows read.
    pub fn read(&self, text: &[u8], puzzles: &mut Vec<Puzzle>) -> usize {
        simd::build_widest(Read { alike: self, text, puzzles })
    }
}

struct Read<'r> {
    alike: &'r AlikeRows,
    text: &'r [u8],
    puzzles: &'r mut Vec<Puzzle>,
}

impl Kernel for Read<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let Read { alike, text, puzzles } = self;
        let mut read = 0;
        for row in text.chunks_exact(alike.length) {
            let mut differs = 0;
            for &(at, byte) in &alike.others[..alike.count] {
                differs |= row[usize::from(at)] ^ byte;
            }
            if let Some(at) = alike.solution {
                let Some(solution) = row[at..].first_chunk() else { break };
                differs |= not_digits(first_window(solution)) | not_digits(last_window(solution));
            }
            let Some(cells) = row[alike.puzzle..].first_chunk() else { break };
            let (first, not_in_first) = values_of(first_window(cells));
            let (last, not_in_last) = values_of(last_window(cells));
            if differs | not_in_first | not_in_last != 0 {
                break;
            }
            let mut values = [0; CELLS];
            values[..WINDOW].copy_from_slice(&first);
            values[WINDOW..].copy_from_slice(&last[2 * WINDOW - CELLS..]);
            puzzles.push(Puzzle(values));
            read += 1;
        }
        read
    }
}

/// Number of bytes processed together: the width of the widest vector. Two overlapping windows cover a grid, so no loop
/// over single bytes is needed.
const WINDOW: usize = 64;

#[inline(always)]
fn first_window(cells: &[u8; CELLS]) -> &[u8; WINDOW] {
    cells.first_chunk().unwrap_or(&[0; WINDOW])
}

#[inline(always)]
fn last_window(cells: &[u8; CELLS]) -> &[u8; WINDOW] {
    cells.last_chunk().unwrap_or(&[0; WINDOW])
}

/// Returns 0 if all bytes are digits from 1 to 9, and 1 otherwise.
#[inline(always)]
fn not_digits(text: &[u8; WINDOW]) -> u8 {
    let mut others = 0;
    for at in 0..WINDOW {
        others |= u8::from(text[at].wrapping_sub(b'1') >= 9);
    }
    others
}

/// Returns the values of the cells, and a number that is 0 if each byte is a digit or a blank.
#[inline(always)]
fn values_of(text: &[u8; WINDOW]) -> ([u8; WINDOW], u8) {
    let (mut values, mut others) = ([0; WINDOW], 0);
    for at in 0..WINDOW {
        others |= u8::from(!(is_digit(text[at]) | is_blank(text[at])));
        values[at] = digit_or_zero(text[at]);
    }
    (values, others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Solution;
    use crate::random::Random;
    use crate::simd::{Build, Simd, at_every_level};

    /// Reads rows with and without a solution, some with a changed byte, and compares the result with parsing each row.
    #[derive(Clone, Copy)]
    struct Check;

    impl Build for Check {
        type Output = ();

        fn build<S: Simd<N>, const N: usize>(self, simd: S) {
            let mut random = Random::new(5);
            for case in 0..if cfg!(miri) { 4 } else { 400 } {
                let (row, puzzle, solution) = layout(case % 4);
                let rows = random.below(8);
                let mut text: Vec<u8> = (0..rows).flat_map(|_| filled(&mut random, &row)).collect();
                text.truncate(text.len() - random.below(2).min(text.len()));
                if random.below(2) == 0 && !text.is_empty() {
                    let at = random.below(text.len());
                    text[at] = b"05.,\"\n\rxa\0\xff"[random.below(11)];
                }
                let first = filled(&mut random, &row);
                let alike = AlikeRows::from_row(&first, puzzle, solution).unwrap();
                let mut puzzles = vec![Puzzle::EMPTY];
                let read = simd.call(Read { alike: &alike, text: &text, puzzles: &mut puzzles });
                let wanted: Vec<Puzzle> = text
                    .chunks_exact(row.len())
                    .map_while(|text| plain(&first, text, puzzle, solution))
                    .collect();
                assert_eq!((read, &puzzles[1..]), (wanted.len(), &wanted[..]), "{}", text.escape_ascii());
            }
        }
    }

    /// Returns the row of layout `number`, and the positions of its puzzle and its solution. In the row, `?` stands for a cell of the
    /// puzzle, and `!` for a digit of the solution.
    fn layout(number: usize) -> (String, usize, Option<usize>) {
        let (puzzle, solution) = ("?".repeat(CELLS), "!".repeat(CELLS));
        match number {
            0 => (format!("{puzzle},{solution}\n"), 0, Some(82)),
            1 => (format!("{puzzle}\n"), 0, None),
            2 => (format!("\"{puzzle}\",\"{solution}\"\r\n"), 1, Some(85)),
            _ => (format!("{solution}\t1.5\t{puzzle}\n"), 86, Some(0)),
        }
    }

    fn filled(random: &mut Random, row: &str) -> Vec<u8> {
        let fill = |byte| match byte {
            b'?' => b"0123456789.0_*xX-"[random.below(17)],
            b'!' => b"123456789"[random.below(9)],
            byte => byte,
        };
        row.bytes().map(fill).collect()
    }

    /// Returns the puzzle of a row. `None` if the puzzle or the solution is invalid, or if any other byte differs from the first row.
    fn plain(first: &[u8], row: &[u8], puzzle: usize, solution: Option<usize>) -> Option<Puzzle> {
        let of_cells = |at: usize| {
            (puzzle..puzzle + CELLS).contains(&at)
                || solution.is_some_and(|solution| (solution..solution + CELLS).contains(&at))
        };
        let is_alike = (0..row.len()).all(|at| of_cells(at) || row[at] == first[at]);
        let is_solved = solution.is_none_or(|at| Solution::from_text(&row[at..at + CELLS]).is_ok());
        (is_alike && is_solved).then(|| Puzzle::from_text(&row[puzzle..puzzle + CELLS]).ok()).flatten()
    }

    #[test]
    fn reading_stops_at_the_first_row_that_differs() {
        at_every_level(Check);
    }

    #[test]
    fn rows_with_misplaced_fields_or_too_many_other_bytes_are_refused() {
        let row = [b'1'; 2 * CELLS + MOST_OTHERS];
        assert!(AlikeRows::from_row(&row, 3, Some(3 + CELLS)).is_some());
        assert!(AlikeRows::from_row(&row, 0, None).is_none());
        for (puzzle, solution) in [(0, 80), (80, 0), (0, 98), (98, 0), (usize::MAX, 0)] {
            assert!(AlikeRows::from_row(&row, puzzle, Some(solution)).is_none(), "{puzzle} {solution}");
        }
        assert!(AlikeRows::from_row(&[b'1'; 2 * CELLS + MOST_OTHERS + 1], 0, Some(81)).is_none());
    }
}
