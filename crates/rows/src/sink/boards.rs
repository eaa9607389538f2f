//! Formats that contain only boards: one line for each row, nine lines as an online judge requires, or a drawing.

use sudobench_sudoku::Status;

use super::format::FormatSpec;
use super::name::Ending;
use super::plain::{RowWriter, plain_format};
use crate::answers::AnsweredRow;
use crate::columns::{Column, Value};

pub(super) const LINES: FormatSpec = FormatSpec {
    endings: &[Ending::new(&["txt", "sdm"])],
    ..FormatSpec::text(
        "lines",
        "81 characters per line, plus `multiple` if that is the status; a row without a board is a comment",
        |setup| plain_format(setup, BoardLines(setup.grid)),
    )
};

/// Nine lines for each row, as problem 2580 of Baekjoon Online Judge (BOJ) requires.
pub(super) const BOJ2580: FormatSpec = FormatSpec {
    is_of_judge: true,
    ..FormatSpec::text("boj2580", "nine lines of nine digits, with spaces between the digits", |setup| {
        plain_format(setup, JudgedBoards { grid: setup.grid, gap: b" " })
    })
};

/// Nine lines for each row, as problem 2239 of Baekjoon Online Judge (BOJ) requires.
pub(super) const BOJ2239: FormatSpec = FormatSpec {
    is_of_judge: true,
    ..FormatSpec::text("boj2239", "nine lines of nine digits", |setup| {
        plain_format(setup, JudgedBoards { grid: setup.grid, gap: b"" })
    })
};

pub(super) const GRID: FormatSpec = FormatSpec::text("grid", "a drawn grid for people to read", |setup| {
    plain_format(setup, DrawnBoards(setup.grid))
});

/// Writes the value of this column as one line: 81 characters, followed by `multiple` if the value is a solution and the row's status is
/// `multiple`. A row without a value becomes a comment line with the reason and the input.
#[derive(Clone)]
struct BoardLines(Column);

impl RowWriter for BoardLines {
    fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        let BoardLines(grid) = self;
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
}

/// Writes the value of `grid` as nine lines of nine digits (0 for a blank, with `gap` between the digits), followed by an empty line. A row
/// without a value becomes one comment line and an empty line.
#[derive(Clone)]
struct JudgedBoards {
    grid: Column,
    gap: &'static [u8],
}

impl RowWriter for JudgedBoards {
    fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        match values_of(&self.grid, row) {
            Some(values) => {
                for line in values.as_chunks::<9>().0 {
                    out.extend_from_slice(&line.map(|value| [b'0' + value]).join(self.gap));
                    out.push(b'\n');
                }
            }
            None => {
                write_comment(&self.grid, row, out);
                out.push(b'\n');
            }
        }
        out.push(b'\n');
    }
}

/// Writes the value of this column as a drawing, followed by an empty line. If the value is a solution and the row's status is `multiple`,
/// the line `# multiple` comes before the drawing. A row without a value becomes one comment line and an empty line.
#[derive(Clone)]
struct DrawnBoards(Column);

impl RowWriter for DrawnBoards {
    fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        let DrawnBoards(grid) = self;
        let cells = match grid.value(row) {
            Some(Value::Solution(solution)) => {
                if row.status() == Some(Status::Multiple) {
                    out.extend_from_slice(b"# multiple\n");
                }
                solution.text()
            }
            Some(Value::Puzzle(puzzle)) => puzzle.text(),
            _ => {
                write_comment(grid, row, out);
                return out.extend_from_slice(b"\n\n");
            }
        };
        draw_board(&cells, out);
        out.push(b'\n');
    }
}

/// Returns the 81 cell values of the board in the column `grid`, with 0 for a blank; `None` if the row has no board there.
pub(super) fn values_of<'r>(grid: &Column, row: &AnsweredRow<'r>) -> Option<&'r [u8; 81]> {
    match grid.value(row)? {
        Value::Solution(solution) => Some(solution.values()),
        Value::Puzzle(puzzle) => Some(puzzle.values()),
        _ => None,
    }
}

/// Appends the drawing of a board of 81 characters to `out`: a line for each row of the board, and a line of dashes after the third and the
/// sixth row.
pub fn draw_board(cells: &[u8; 81], out: &mut Vec<u8>) {
    for (number, line) in cells.as_chunks::<9>().0.iter().enumerate() {
        if number == 3 || number == 6 {
            out.extend_from_slice(b"------+-------+------\n");
        }
        for (number, &cell) in line.iter().enumerate() {
            out.extend_from_slice(match number {
                0 => b"",
                3 | 6 => b" | ",
                _ => b" ",
            });
            out.push(cell);
        }
        out.push(b'\n');
    }
}

/// Appends `# status: note: input`, or `# status: input` if there is no note, without a line end. If the row has no status, `no NAME`
/// replaces the status, where NAME is the name of the column `grid`, such as `no solution`.
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
