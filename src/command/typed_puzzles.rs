//! Puzzles as arguments: 81 characters, or a quoted grid of nine lines, in place of a file name.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::PathBuf;

use sudobench_rows::source::{Input, Options, Source};
use sudobench_rows::{Run, Sink, is_standard};
use sudobench_sudoku::puzzle::{CELLS, value_of_byte};

use super::UsageError;

/// An argument of one line is treated as a puzzle if it has at least this many characters, each of them can be the value of a cell, and no
/// file has this name. Any other argument of one line is the name of a file.
const FEWEST_CELLS: usize = 20;

/// Returns the inputs that arguments name, or standard input if there are none. If an argument is a puzzle and also the name of an existing
/// file, the file is read.
///
/// # Errors
///
/// [`UsageError`] for an argument that looks like a puzzle but is invalid.
pub(super) fn inputs_of(arguments: Vec<PathBuf>) -> Result<Vec<Input>, UsageError> {
    if arguments.is_empty() {
        return Ok(vec![Input::Stdin]);
    }
    let mut inputs = Vec::new();
    for path in arguments {
        let puzzles = match path.to_str() {
            Some(text) if !path.exists() => puzzles_in(text)?,
            _ => None,
        };
        match (puzzles, inputs.last_mut()) {
            // Consecutive puzzles are rows of one input.
            (Some(lines), Some(Input::Puzzles(before))) => before.push_str(&lines),
            (Some(lines), _) => inputs.push(Input::Puzzles(lines)),
            (None, _) if is_standard(&path) => inputs.push(Input::Stdin),
            (None, _) => inputs.push(Input::File(path)),
        }
    }
    Ok(inputs)
}

/// Returns the puzzles of an argument, one per line. `None` if the argument looks like the name of a file.
fn puzzles_in(text: &str) -> Result<Option<String>, UsageError> {
    let trimmed = text.trim();
    if trimmed.contains('\n') {
        return grids_in(trimmed).map(Some);
    }
    let cells = trimmed.len();
    match trimmed.bytes().all(|byte| value_of_byte(byte).is_some()) {
        true if cells == CELLS => Ok(Some(format!("{trimmed}\n"))),
        true if cells >= FEWEST_CELLS => Err(UsageError(format!(
            "`{trimmed}` is not a file, and it is not a puzzle, because it has {cells} characters instead of 81"
        ))),
        _ => Ok(None),
    }
}

/// Reads drawn grids, and returns the puzzles, one per line.
fn grids_in(text: &str) -> Result<String, UsageError> {
    let mut lines = String::new();
    let mut has_faults = false;
    let sink = Sink::puzzles(|block| {
        for row in block.rows() {
            has_faults |= row.puzzle.is_none();
            lines.extend(row.puzzle.map(|puzzle| format!("{puzzle}\n")));
        }
        ControlFlow::Continue(())
    });
    let source = Source::from_reader("the puzzle", Cursor::new(text.to_owned()), Options::default());
    let is_read = source.is_ok_and(|source| Run::over(source).columns([]).to(sink).is_ok());
    match is_read && !has_faults && !lines.is_empty() {
        true => Ok(lines),
        false => Err(UsageError(format!(
            "`{text}` is neither a file nor a puzzle: write nine lines of nine cells"
        ))),
    }
}
