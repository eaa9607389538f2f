//! The columns that a run adds to its input.

use std::io::Write;

use super::AnsweredRow;

/// A column that can be added to the input's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// 81 digits; empty where there is no answer.
    Solution,
    /// The status' name.
    Status,
    /// Solutions found, up to the limit.
    Count,
    /// Clues of the puzzle.
    Clues,
    /// Digit placements that the search tried.
    Nodes,
    /// Decisions with several open alternatives.
    Guesses,
    /// Time from entry to verdict, in nanoseconds.
    TimeNs,
    /// Why the row is malformed, or what is to be said about the answer.
    Note,
}

/// Why a text is not a list of columns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColumnsError {
    /// No column has that name.
    #[error("no column is called `{0}`; there are {names}, and `all`", names = Column::ALL.map(Column::name).join(", "))]
    Unknown(String),
    /// A column is named twice.
    #[error("the column `{0}` is named twice")]
    Twice(&'static str),
}

impl Column {
    /// Every column, in the order of `all`.
    pub const ALL: [Column; 8] = [
        Column::Solution,
        Column::Status,
        Column::Count,
        Column::Clues,
        Column::Nodes,
        Column::Guesses,
        Column::TimeNs,
        Column::Note,
    ];

    /// The columns that are added where none are chosen.
    pub const DEFAULT: [Column; 2] = [Column::Solution, Column::Status];

    /// Its name, as typed and as it stands in headers.
    pub fn name(self) -> &'static str {
        match self {
            Column::Solution => "solution",
            Column::Status => "status",
            Column::Count => "count",
            Column::Clues => "clues",
            Column::Nodes => "nodes",
            Column::Guesses => "guesses",
            Column::TimeNs => "time_ns",
            Column::Note => "note",
        }
    }

    /// Whether its values are numbers.
    pub fn is_number(self) -> bool {
        !matches!(self, Column::Solution | Column::Status | Column::Note)
    }

    /// Appends the value for a row, unquoted; nothing where the row has none.
    #[inline]
    pub fn write(self, row: &AnsweredRow, out: &mut Vec<u8>) {
        match (self, row.answered) {
            (Column::Status, _) => out.extend_from_slice(row.status().name().as_bytes()),
            (Column::Note, _) => out.extend_from_slice(row.note_text().as_bytes()),
            (_, None) => {}
            (Column::Solution, Some((_, outcome))) => {
                if let Some(solution) = &outcome.solution {
                    out.extend_from_slice(&solution.text());
                }
            }
            (Column::Count, Some((_, outcome))) => number(outcome.count, out),
            (Column::Clues, Some((puzzle, _))) => number(puzzle.clues() as u64, out),
            (Column::Nodes, Some((_, outcome))) => number(outcome.nodes, out),
            (Column::Guesses, Some((_, outcome))) => number(outcome.guesses, out),
            (Column::TimeNs, Some((_, outcome))) => number(outcome.elapsed_ns, out),
        }
    }
}

fn number(value: u64, out: &mut Vec<u8>) {
    // Writing to a Vec does not fail.
    let _ = write!(out, "{value}");
}

/// Reads a comma-separated list of column names, or `all`.
///
/// # Errors
/// [`ColumnsError`] for an unknown or repeated name.
pub fn parse_columns(text: &str) -> Result<Vec<Column>, ColumnsError> {
    if text.trim() == "all" {
        return Ok(Column::ALL.to_vec());
    }
    let mut columns = Vec::new();
    for name in text.split(',').map(str::trim) {
        let column = Column::ALL.into_iter().find(|column| column.name() == name);
        let column = column.ok_or_else(|| ColumnsError::Unknown(name.to_owned()))?;
        if columns.contains(&column) {
            return Err(ColumnsError::Twice(column.name()));
        }
        columns.push(column);
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_keep_their_order_and_faults_are_named() {
        assert_eq!(parse_columns("status, solution"), Ok(vec![Column::Status, Column::Solution]));
        assert_eq!(parse_columns("all").unwrap().len(), 8);
        assert_eq!(parse_columns("note,note").unwrap_err().to_string(), "the column `note` is named twice");
        assert_eq!(
            parse_columns("time").unwrap_err().to_string(),
            "no column is called `time`; there are solution, status, count, clues, nodes, guesses, time_ns, note, \
             and `all`"
        );
    }
}
