//! Grids as bare cells: one line a row, or nine lines as the judge wants solutions.

use sudobench_sudoku::Status;

use crate::answers::AnsweredRow;
use crate::columns::{Column, Value};

/// Appends the value of `grid` as one line: 81 characters, with the status behind a solution that is one of several. A
/// row without a value becomes a comment line that says why and holds the input.
pub(super) fn write_line(grid: &Column, row: &AnsweredRow, out: &mut Vec<u8>) {
    match grid.value(row) {
        Some(Value::Solution(solution)) => {
            out.extend_from_slice(&solution.text());
            if row.status() == Some(Status::Multiple) {
                out.extend_from_slice(b" multiple");
            }
        }
        Some(Value::Puzzle(puzzle)) => out.extend_from_slice(&puzzle.text()),
        _ => write_comment(grid, row, out),
    }
    out.push(b'\n');
}

/// Appends the value of `grid` as nine lines of nine digits, 0 for a blank, with `gap` between them, and an empty line. A row without
/// a value becomes one comment line and an empty line.
pub(super) fn write_grid(grid: &Column, row: &AnsweredRow, gap: &[u8], out: &mut Vec<u8>) {
    let values = match grid.value(row) {
        Some(Value::Solution(solution)) => Some(*solution.values()),
        Some(Value::Puzzle(puzzle)) => Some(*puzzle.values()),
        _ => None,
    };
    match values {
        Some(values) => {
            for line in values.as_chunks::<9>().0 {
                out.extend_from_slice(&line.map(|value| [b'0' + value]).join(gap));
                out.push(b'\n');
            }
        }
        None => {
            write_comment(grid, row, out);
            out.push(b'\n');
        }
    }
    out.push(b'\n');
}

/// `# status: note: input`, all on one line. Of a puzzle that nobody was asked about, what it has not instead of a status.
fn write_comment(grid: &Column, row: &AnsweredRow, out: &mut Vec<u8>) {
    out.extend_from_slice(b"# ");
    match row.status() {
        Some(status) => out.extend_from_slice(status.name().as_bytes()),
        None => out.extend_from_slice(&[b"no ", grid.name.as_bytes()].concat()),
    }
    let note = row.note_text();
    if !note.is_empty() {
        out.extend_from_slice(b": ");
        out.extend_from_slice(note.as_bytes());
    }
    out.extend_from_slice(b": ");
    match row.puzzle {
        Some(puzzle) => out.extend_from_slice(puzzle.to_string().as_bytes()),
        None => out.extend(row.text().iter().map(|&byte| if byte.is_ascii_control() { b' ' } else { byte })),
    }
}
