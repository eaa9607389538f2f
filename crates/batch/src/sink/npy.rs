//! A NumPy array of the solutions, or of whatever grids a verb makes: a row of 81 numbers for each, of one byte. A blank is zero, and
//! where a row has no grid all are.
//!
//! How many rows there are stands at the head (numpy.lib.format, version 1), and is known last: until a file is whole its head says
//! that there is none.

use crate::answers::AnsweredRow;
use crate::columns::{Column, Value};

/// The values of a row.
const ROW: usize = 81;
/// The length of the head in bytes: room for any number of rows, and a multiple of 64, as the format wants it.
const HEAD: usize = 128;

/// The form of an array.
#[derive(Clone, Debug)]
pub struct NpyFormat {
    /// That of no rows.
    head: Vec<u8>,
    /// What holds the grids.
    grid: Column,
}

impl NpyFormat {
    pub(crate) fn new(grid: Column) -> NpyFormat {
        NpyFormat { head: NpyFormat::empty_head(), grid }
    }

    /// The head of an array without a row.
    pub(crate) fn empty_head() -> Vec<u8> {
        head_of(0)
    }

    /// The head of a file that is not whole.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// The head of a whole file of so many bytes.
    pub(crate) fn whole_head(bytes: u64) -> Vec<u8> {
        head_of(bytes.saturating_sub(HEAD as u64) / ROW as u64)
    }

    /// Appends a row.
    pub(super) fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        out.extend_from_slice(match self.grid.value(row) {
            Some(Value::Solution(solution)) => solution.values(),
            Some(Value::Puzzle(puzzle)) => puzzle.values(),
            _ => &[0; ROW],
        });
    }
}

fn head_of(rows: u64) -> Vec<u8> {
    let words = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {ROW}), }}");
    let mark = b"\x93NUMPY\x01\0";
    let length = HEAD - mark.len() - size_of::<u16>();
    let padded = format!("{words:<width$}\n", width = length - 1);
    [&mark[..], &(length as u16).to_le_bytes(), padded.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_have_one_length() {
        for rows in [0, 1, 1_000_000, u64::MAX] {
            let head = head_of(rows);
            assert_eq!(head.len(), HEAD);
            assert!(head.ends_with(b"\n") && head[HEAD - 2] == b' ');
        }
        let whole = NpyFormat::whole_head(128 + 3 * 81);
        assert!(String::from_utf8_lossy(&whole).contains("'shape': (3, 81), }"), "{}", whole.escape_ascii());
    }
}
