//! The columns that an output row takes over from its input row.

use std::borrow::Cow;

use crate::answers::AnsweredRow;
use crate::source::{CsvLayout, Layout, RowFault};

/// Where the columns come from.
#[derive(Clone, Debug)]
pub(super) enum InputColumns {
    /// A CSV input: the row as it stands.
    Row(CsvLayout),
    /// A line of text: what stands before the puzzle (if any line has that), the puzzle, what stands behind it.
    Line {
        /// Whether there is a column for what stands before.
        label: bool,
        /// Whether there is a column for what stands behind.
        comment: bool,
    },
    /// A grid over several lines: the puzzle in one line.
    Grid,
}

impl InputColumns {
    /// The columns of rows of `layout`.
    pub(super) fn of(layout: &Layout) -> InputColumns {
        match layout {
            Layout::Csv(csv) => InputColumns::Row(csv.clone()),
            Layout::Lines(lines) => InputColumns::Line { label: lines.has_label, comment: lines.has_comment },
            Layout::Grids(_) => InputColumns::Grid,
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        match self {
            InputColumns::Row(csv) => csv.columns,
            InputColumns::Line { label, comment } => 1 + usize::from(*label) + usize::from(*comment),
            InputColumns::Grid => 1,
        }
    }

    /// Their names; `None` for a CSV input without a header.
    pub(super) fn names(&self) -> Option<Vec<Vec<u8>>> {
        let names = match self {
            InputColumns::Row(csv) => return csv.header.as_ref().map(|header| header.names.clone()),
            InputColumns::Line { label, comment } => {
                [label.then_some("label"), Some("puzzle"), comment.then_some("comment")]
            }
            InputColumns::Grid => [None, Some("puzzle"), None],
        };
        Some(names.into_iter().flatten().map(|name| name.as_bytes().to_vec()).collect())
    }

    /// Whether the row has too few or too many columns to be taken over as they are.
    pub(super) fn is_ragged(&self, row: &AnsweredRow) -> bool {
        matches!(self, InputColumns::Row(_))
            && matches!(
                row.row.fault,
                Some(
                    RowFault::MissingColumns { .. }
                        | RowFault::ExtraColumns { .. }
                        | RowFault::OpenQuote
                        | RowFault::Overlong { .. }
                )
            )
    }

    /// The values of a row, unquoted. The row must not be ragged.
    pub(super) fn values<'a>(&self, row: &AnsweredRow<'a>) -> Vec<Cow<'a, [u8]>> {
        match self {
            InputColumns::Row(csv) => csv.fields(row.text()),
            InputColumns::Line { label, comment } => {
                let [before, puzzle, after] = line_parts(row);
                let parts = [label.then_some(before), Some(puzzle), comment.then_some(after)];
                parts.into_iter().flatten().map(Cow::Borrowed).collect()
            }
            InputColumns::Grid => vec![match row.puzzle {
                Some(puzzle) => Cow::Owned(puzzle.to_string().into_bytes()),
                None => Cow::Borrowed(row.text()),
            }],
        }
    }
}

/// Label, puzzle and comment of a line. All of a malformed line stands in the puzzle's place.
fn line_parts<'a>(row: &AnsweredRow<'a>) -> [&'a [u8]; 3] {
    let (text, puzzle) = (&row.row.text, &row.row.puzzle_text);
    if row.puzzle.is_none() {
        return [b"", row.text(), b""];
    }
    let (before, after) = (row.part(&(text.start..puzzle.start)), row.part(&(puzzle.end..text.end)));
    [before.trim_ascii(), row.part(puzzle), after.trim_ascii()]
}
