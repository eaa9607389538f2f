//! A NumPy array of the solutions, or of other boards: 81 numbers of one byte for each row. A blank is zero, and a row without a board
//! has zeros only.
//!
//! The header contains the number of rows (numpy.lib.format, version 1), which is known only at the end. Until a file is complete, the
//! number in its header is 0.

use super::boards::values_of;
use super::format::FormatSpec;
use super::name::Ending;
use super::plain::{RowWriter, plain_format};
use crate::answers::AnsweredRow;
use crate::columns::Column;

const ROW: usize = 81;
/// Length of the header in bytes. The header has room for the row count, however large, and its length is a multiple of 64, as the format
/// requires.
const HEADER: usize = 128;

pub(super) const NPY: FormatSpec = FormatSpec {
    endings: &[Ending::new(&["npy"])],
    is_text: false,
    sized_header: Some(header_of_file),
    ..FormatSpec::text(
        "npy",
        "a NumPy array of uint8 with the shape (rows, 81): only the boards, and zeros for a row without one",
        |setup| plain_format(setup, ArrayWriter { header: header_of(0), grid: setup.grid }),
    )
};

#[derive(Clone)]
struct ArrayWriter {
    /// The header of an array without rows.
    header: Vec<u8>,
    grid: Column,
}

impl RowWriter for ArrayWriter {
    fn header(&self) -> &[u8] {
        &self.header
    }

    fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        out.extend_from_slice(values_of(&self.grid, row).unwrap_or(&[0; ROW]));
    }
}

/// Returns the header of a complete file with this number of bytes.
fn header_of_file(bytes: u64) -> Vec<u8> {
    header_of(bytes.saturating_sub(HEADER as u64) / ROW as u64)
}

fn header_of(rows: u64) -> Vec<u8> {
    let words = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {ROW}), }}");
    let mark = b"\x93NUMPY\x01\0";
    let length = HEADER - mark.len() - size_of::<u16>();
    let padded = format!("{words:<width$}\n", width = length - 1);
    [&mark[..], &(length as u16).to_le_bytes(), padded.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_one_length() {
        for rows in [0, 1, 1_000_000, u64::MAX] {
            let header = header_of(rows);
            assert_eq!(header.len(), HEADER);
            assert!(header.ends_with(b"\n") && header[HEADER - 2] == b' ');
        }
        let whole = header_of_file(128 + 3 * 81);
        assert!(String::from_utf8_lossy(&whole).contains("'shape': (3, 81), }"), "{}", whole.escape_ascii());
    }
}
