//! Wrong answers as CSV: a row for each. Commands that read puzzles find them in the column `puzzle`.

use std::io::{self, Write};

use crate::record::{PairRecord, WrongAnswer};

/// The columns. What was printed stands between backticks, or commands would take full grids for expected solutions.
const COLUMNS: [&str; 8] = ["solver", "dataset", "number", "form", "line", "puzzle", "printed", "reason"];

/// Writes the wrong answers of pairs, one row for each.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_wrong_answers<'a>(
    out: &mut impl Write,
    pairs: impl IntoIterator<Item = (&'a PairRecord, &'a Vec<WrongAnswer>)>,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS)?;
    for (pair, wrong) in pairs {
        for WrongAnswer { number, form, line, puzzle, answer, reason } in wrong {
            let form = form.map(|form| form.to_string()).unwrap_or_default();
            let (number, line, answer) = (number.to_string(), line.to_string(), format!("`{answer}`"));
            let row: [&str; COLUMNS.len()] =
                [&pair.solver, &pair.dataset, &number, &form, &line, puzzle, &answer, reason];
            writer.write_record(row)?;
        }
    }
    writer.flush()
}
