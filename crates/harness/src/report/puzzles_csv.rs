//! Writes puzzles of a run of `bench` as CSV: the puzzles with a wrong answer, or each puzzle with its time and work. The puzzles are in
//! the column `puzzle`, so that other commands can read them.

use std::io::{self, Write};

use super::export_csv::{ExportCsv, optional};
use crate::record::registry::{COUNTED, counted_values};
use crate::record::{NamedPuzzle, PairRecord, PuzzleFigures, WrongAnswer};

/// Columns that identify the puzzle and the pair.
const NAMED: [&str; 6] = ["solver", "dataset", "number", "form", "line", "puzzle"];

fn named(pair: &PairRecord, puzzle: &NamedPuzzle) -> [String; NAMED.len()] {
    [
        pair.solver.clone(),
        pair.dataset.clone(),
        puzzle.number.to_string(),
        optional(puzzle.form),
        puzzle.line.to_string(),
        puzzle.puzzle.clone(),
    ]
}

/// Writes the wrong answers of pairs, a row for each. The answer is written between backticks. Without them, a command that reads the rows
/// would take an answer that is a full grid for the expected solution of the puzzle.
///
/// # Errors
///
/// If `out` can't be written.
pub fn write_wrong_answers<'a>(
    out: &mut impl Write,
    pairs: impl IntoIterator<Item = (&'a PairRecord, &'a Vec<WrongAnswer>)>,
) -> io::Result<()> {
    let mut writer = ExportCsv::new(out, NAMED.iter().chain(&["printed", "reason"]))?;
    for (pair, wrong) in pairs {
        for WrongAnswer { puzzle, answer, reason } in wrong {
            let told = [format!("`{answer}`"), reason.clone()];
            writer.write_row(named(pair, puzzle).into_iter().chain(told))?;
        }
    }
    writer.flush()
}

/// Writes a row with the time and the work for each puzzle of each pair.
///
/// # Errors
/// If `out` can't be written.
pub fn write_puzzles<'a>(
    out: &mut impl Write,
    pairs: impl IntoIterator<Item = (&'a PairRecord, &'a Vec<PuzzleFigures>)>,
) -> io::Result<()> {
    let figures = ["time_ns"].into_iter().chain(COUNTED.map(|figure| figure.csv));
    let mut writer = ExportCsv::new(out, NAMED.into_iter().chain(figures))?;
    for (pair, puzzles) in pairs {
        for PuzzleFigures { puzzle, time_ns, nodes, guesses } in puzzles {
            let figures = [*time_ns].into_iter().chain(counted_values(*nodes, *guesses)).map(optional);
            writer.write_row(named(pair, puzzle).into_iter().chain(figures))?;
        }
    }
    writer.flush()
}
