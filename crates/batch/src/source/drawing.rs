//! One drawing of a grid: what each of its lines is, and the puzzle that they show.
//!
//! ```text
//! line      = blank      only white space
//!           | rule       only - + = | and white space, but not nine dashes
//!           | dashes     nine dashes between bars and white space: a blank row, or a rule
//!           | row        mostly cells between bars, commas and white space
//!           | other      a title, a # tag, a [Section], fewer than five cells before a chunk
//! ```
//! Dashes are rows only where that makes nine rows.

use std::ops::Range;

use super::lines::line_at;
use super::row::RowFault;
use sudobench_sudoku::puzzle::{CELLS, Puzzle, cell_of_byte};

/// What a line is within a drawing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Blank,
    Rule,
    Dashes,
    Row,
    /// The section that shows a puzzle again as somebody filled it.
    State,
    Other,
}

/// The bytes of a line that may be cells.
fn compact(text: &[u8]) -> impl Iterator<Item = u8> + '_ {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'|' | b','))
}

pub(super) fn class_of(text: &[u8]) -> Class {
    let trimmed = text.trim_ascii();
    match trimmed.first() {
        None => return Class::Blank,
        Some(b'#') => return Class::Other,
        Some(b'[') if trimmed.len() >= 6 && trimmed[1..6].eq_ignore_ascii_case(b"state") => {
            return Class::State;
        }
        Some(b'[') => return Class::Other,
        Some(_) => {}
    }
    let (mut length, mut cells, mut dashes, mut ruled) = (0, 0, 0, 0);
    for byte in compact(trimmed) {
        length += 1;
        cells += usize::from(cell_of_byte(byte).is_some());
        dashes += usize::from(byte == b'-');
        ruled += usize::from(matches!(byte, b'-' | b'+' | b'='));
    }
    match () {
        () if ruled == length && dashes == 9 && length == 9 => Class::Dashes,
        () if ruled == length => Class::Rule,
        () if cells * 3 > length * 2 => Class::Row,
        () => Class::Other,
    }
}

/// Whether a line that would start a chunk is too short to be meant as a row: it numbers the grid below.
pub(super) fn is_number(text: &[u8]) -> bool {
    compact(text).take(5).count() < 5
}

/// The puzzle that a grid's lines show.
pub(super) fn puzzle_of(text: &[u8]) -> Result<Puzzle, RowFault> {
    let lines = || classified_lines(text).filter(|(class, _)| matches!(class, Class::Row | Class::Dashes));
    let rows = lines().filter(|(class, _)| *class == Class::Row).count();
    let takes_dashes = rows != 9 && lines().count() == 9;
    if rows != 9 && !takes_dashes {
        return Err(RowFault::GridRows { rows });
    }
    let mut values = [0; CELLS];
    let taken = lines().filter(|(class, _)| takes_dashes || *class == Class::Row);
    for ((index, (_, line)), row) in taken.enumerate().zip(values.as_chunks_mut::<9>().0) {
        read_row(&text[line], index + 1, row)?;
    }
    Puzzle::try_from(values).map_err(RowFault::from)
}

fn read_row(text: &[u8], number: usize, row: &mut [u8; 9]) -> Result<(), RowFault> {
    let cells = compact(text).count();
    if cells != row.len() {
        return Err(RowFault::GridCells { row: number, cells });
    }
    for (cell, byte) in row.iter_mut().zip(compact(text)) {
        *cell = cell_of_byte(byte).ok_or(RowFault::GridByte { row: number, byte })?;
    }
    Ok(())
}

fn classified_lines(text: &[u8]) -> impl Iterator<Item = (Class, Range<usize>)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let line = (at < text.len()).then(|| line_at(text, at))?;
        at = line.next;
        Some((class_of(&text[line.text.clone()]), line.text))
    })
}

/// Whether each row of the grid is nine digits with nothing, or with `gap`, between them.
pub(super) fn is_plain(text: &[u8], gap: Option<u8>) -> bool {
    let is_plain_row = |row: &[u8]| match gap {
        None => row.len() == 9 && row.iter().all(u8::is_ascii_digit),
        Some(gap) => {
            row.len() == 17
                && row.iter().step_by(2).all(u8::is_ascii_digit)
                && row.iter().skip(1).step_by(2).all(|&byte| byte == gap)
        }
    };
    classified_lines(text).all(|(_, line)| is_plain_row(text[line].trim_ascii_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let cases = [
            (Class::Blank, &["", " \t "][..]),
            (
                Class::Rule,
                &["---+---+---", "+-------+-------+", "------------", "=========", "| | |", "--------"],
            ),
            (Class::Dashes, &["---------", "---|---|---", "- - - - - - - - -"]),
            (
                Class::Row,
                &[
                    "530070000",
                    "5 3 . | . 7 . | . . .",
                    "|xxx|***|___|",
                    "5,3,0,0,7,0,0,0,0",
                    "53..7..",
                    "5--------",
                ],
            ),
            (Class::State, &["[State]", " [STATE] "]),
            (Class::Other, &["#A 530070000", "[Puzzle]", "Grid 01", "No. 17 (easy)", "solved by hand"]),
        ];
        for (class, lines) in cases {
            for line in lines {
                assert!(class_of(line.as_bytes()) == class, "{line}");
            }
        }
    }

    #[test]
    fn only_few_cells_are_a_number() {
        assert!(is_number(b"17") && is_number(b"1234 "));
        assert!(!is_number(b"53007"));
    }
}
