//! The columns of `overlap`.

use super::{FoundOverlaps, Overlap, fingerprint_for};
use crate::answers::AnsweredRow;
use crate::columns::{Column, Holds, NOTE};

/// The columns of `overlap`, which are read from the [`FoundOverlaps`] in the mark of a row.
pub const COLUMNS: [Column; 3] = [
    Column {
        name: "overlap",
        about: "first overlap of the row that --by includes, in the order text, isomorph, solution, solution_isomorph; empty if none",
        needs: &[],
        holds: Holds::Words(&Overlap::NAMES, |row| Some(found(row)?.overlaps().strongest()? as usize)),
    },
    Column {
        name: "train_input",
        about: "number (from 1) of the file of TRAIN that has the first row with this overlap",
        needs: &[],
        holds: Holds::Number(|row| Some(found(row)?.place()?.input() as u64 + 1)),
    },
    Column {
        name: "train_line",
        about: "line of the first row of TRAIN with this overlap; in Parquet, Arrow and NumPy files, the number of this row (from 1)",
        needs: &[],
        holds: Holds::Number(|row| Some(found(row)?.place()?.line())),
    },
];

fn found(row: &AnsweredRow) -> Option<FoundOverlaps> {
    row.mark.map(FoundOverlaps::from_mark)
}

/// Columns with the fingerprints of rows for `overlap`: for each kind, the upper and the lower half of [`fingerprint_for`]; then the note.
pub const PRINTS: [Column; 9] = {
    const fn half(name: &'static str, overlap: Overlap, holds: Holds) -> Column {
        Column { name, about: "half a fingerprint", needs: overlap.needs(), holds }
    }
    macro_rules! halves {
        ($high:literal, $low:literal, $overlap:expr) => {
            [
                half(
                    $high,
                    $overlap,
                    Holds::Number(|row| Some((fingerprint_for($overlap, row)? >> 64) as u64)),
                ),
                half($low, $overlap, Holds::Number(|row| Some(fingerprint_for($overlap, row)? as u64))),
            ]
        };
    }
    let [a, b] = halves!("text_high", "text_low", Overlap::Text);
    let [c, d] = halves!("isomorph_high", "isomorph_low", Overlap::Isomorph);
    let [e, f] = halves!("solution_high", "solution_low", Overlap::Solution);
    let [g, h] = halves!("solution_isomorph_high", "solution_isomorph_low", Overlap::SolutionIsomorph);
    [a, b, c, d, e, f, g, h, Column { needs: &[], ..NOTE }]
};
