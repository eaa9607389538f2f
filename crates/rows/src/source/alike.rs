//! Reads rows that differ from the row before them only in their cells. Such rows are read together, without splitting them into fields.

use sudobench_sudoku::puzzle::{AlikeRows, CELLS};

use super::parsed::{ParsedBlock, Row};
use super::text::count_line_ends;

/// Reads rows that differ from the row before them only in their cells. Each try that finds too few such rows makes the pause before the
/// next try longer.
#[derive(Default)]
pub(super) struct Alike {
    /// Number of further calls of [`Alike::read`] that do nothing before the next try. One row is parsed before each call.
    wait: usize,
    /// Length of the current pause: the value of `wait` directly after the last try.
    pause: usize,
}

/// Longest pause between two tries: the number of calls in which nothing is tried. With this pause, the tries cost little in an input whose
/// rows are not alike.
const LONGEST_PAUSE: usize = 64;

/// A try saves time if it reads at least this number of rows.
const WORTH_ASKING: usize = 4;

impl Alike {
    /// Makes a reader that never reads any rows. It is for inputs in which a character that can be a cell has another meaning, for example
    /// as the delimiter.
    pub(super) fn never() -> Alike {
        Alike { wait: usize::MAX, pause: 0 }
    }

    /// Adds the rows from `at` on, up to the first row that is not like the last row of `parsed`. That last row ends at `at` and was parsed
    /// completely. Rows are alike if they differ only in their cells. Adds no rows during a pause. Sets `at` to the end of the added rows,
    /// and `number` to the line that starts there.
    #[inline]
    pub(super) fn read(&mut self, bytes: &[u8], at: &mut usize, number: &mut u64, parsed: &mut ParsedBlock) {
        if self.wait > 0 {
            self.wait -= 1;
            return;
        }
        let rows = read_alike(bytes, at, number, parsed).unwrap_or(0);
        self.pause = if rows >= WORTH_ASKING { 0 } else { (2 * self.pause + 1).min(LONGEST_PAUSE) };
        self.wait = self.pause;
    }
}

/// Adds the rows from `at` on, up to the first row that is not like the last row of `parsed`. Returns the number of added rows.
fn read_alike(bytes: &[u8], at: &mut usize, number: &mut u64, parsed: &mut ParsedBlock) -> Option<usize> {
    let row = parsed.rows.last()?.clone();
    let text = &bytes[row.text.start as usize..*at];
    let rows = alike_rows(&row, text)?.read(&bytes[*at..], &mut parsed.puzzles);
    let lines = count_line_ends(text);
    parsed.push_alike(&row, rows, text.len(), lines);
    *at += rows * text.len();
    *number += rows as u64 * lines;
    Some(rows)
}

/// Returns the pattern of rows that are like `row`. `text` is the text of `row` with its line end.
fn alike_rows(row: &Row, text: &[u8]) -> Option<AlikeRows> {
    // If the text ends with `\r`, there is no pattern: a `\n` that follows would belong to the line end, too.
    if row.fault.is_some() || row.is_restored || row.puzzle_text.len() != CELLS || !text.ends_with(b"\n") {
        return None;
    }
    let place = |start: u32| (start - row.text.start) as usize;
    // A solution that does not have 81 bytes is treated as text that must be the same in all rows.
    let solution = row.expected.as_ref().filter(|expected| expected.len() == CELLS);
    AlikeRows::from_row(text, place(row.puzzle_text.start), solution.map(|expected| place(expected.start)))
}
