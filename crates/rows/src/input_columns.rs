//! The columns that an output row takes from its input row.

use std::borrow::Cow;

use crate::answers::AnsweredRow;
use crate::columns::Column;
use crate::source::{Layout, RowFault, TypedLayout};

/// The columns of input rows.
#[derive(Clone, Debug)]
pub struct InputColumns {
    layout: Layout,
    /// The names, without duplicates; `None` for a CSV input without a header. If several columns have the same name, each column after the
    /// first gets a number.
    pub names: Option<Vec<Vec<u8>>>,
    /// Number of columns.
    pub count: usize,
    /// Index of the puzzle column.
    pub puzzle: usize,
    /// Index of the column of expected solutions.
    pub solution: Option<usize>,
}

impl InputColumns {
    /// Returns the columns of rows of `layout`:
    ///
    /// - of a CSV input or a typed table: its columns
    /// - of JSON lines: the members of the objects at the start of the input
    /// - of lines: the label before the puzzle (if the layout has labels), the puzzle, and the comment after it (if the layout has
    ///   comments)
    /// - of grids: the puzzle in one line
    pub fn from_layout(layout: &Layout) -> InputColumns {
        let named = |names: Vec<&str>, puzzle, solution| {
            let names: Vec<_> = names.iter().map(|name| name.as_bytes().to_vec()).collect();
            (names.len(), Some(names), puzzle, solution)
        };
        let (count, names, puzzle, solution) = match layout {
            Layout::Csv(csv) | Layout::Typed(TypedLayout { columns: csv, .. }) => {
                let names = csv.header.as_ref().map(|header| distinct(&header.names));
                (csv.columns, names, csv.puzzle_column, csv.solution_column)
            }
            Layout::Jsonl(jsonl) => {
                let names = jsonl.names.iter().map(String::as_str).collect();
                named(names, jsonl.puzzle_member, jsonl.solution_member)
            }
            Layout::Lines(lines) => {
                let (label, comment) = (lines.has_label, lines.has_comment);
                let names = [label.then_some("label"), Some("puzzle"), comment.then_some("comment")];
                named(names.into_iter().flatten().collect(), usize::from(label), None)
            }
            Layout::Grids(_) => named(vec!["puzzle"], 0, None),
        };
        InputColumns { layout: layout.clone(), names, count, puzzle, solution }
    }

    /// Returns the names, or `column_1` and so on if there are none.
    pub fn names_or_numbers(&self) -> Vec<Vec<u8>> {
        let numbered = || (1..=self.count).map(|number| format!("column_{number}").into_bytes()).collect();
        self.names.clone().unwrap_or_else(numbered)
    }

    /// Returns the names of added columns. A name that is among `names` gets the prefix `sudobench_`, and also a number if the name with
    /// the prefix is taken too.
    pub fn added_names(names: &[Vec<u8>], columns: &[Column]) -> Vec<Vec<u8>> {
        let mut taken = names.to_vec();
        for column in columns {
            let own = column.name.as_bytes().to_vec();
            let prefixed = [b"sudobench_", &own[..]].concat();
            taken.push(if taken.contains(&own) { numbered(prefixed, &taken) } else { own });
        }
        taken.split_off(names.len())
    }

    /// Returns the unchanged row if it is CSV text that every CSV reader splits into these columns.
    #[inline]
    pub fn verbatim<'a>(&self, row: &AnsweredRow<'a>) -> Option<&'a [u8]> {
        (matches!(self.layout, Layout::Csv(_) | Layout::Typed(_)) && row.row.is_regular).then(|| row.text())
    }

    /// Returns the unchanged members of a row that is a JSON object: the object without its last brace.
    pub fn open_object<'a>(&self, row: &AnsweredRow<'a>) -> Option<&'a [u8]> {
        if !matches!(self.layout, Layout::Jsonl(_)) || !row.row.is_regular {
            return None;
        }
        row.text().trim_ascii().strip_suffix(b"}").map(<[u8]>::trim_ascii_end)
    }

    /// Returns the values of a row, unquoted; `None` if it can't be split into these columns.
    pub fn values<'a>(&self, row: &AnsweredRow<'a>) -> Option<Vec<Cow<'a, [u8]>>> {
        Some(match &self.layout {
            Layout::Csv(csv) | Layout::Typed(TypedLayout { columns: csv, .. }) => {
                // If a quote is not closed, the text after it is probably other rows, not a value.
                let is_cut = matches!(row.row.fault, Some(RowFault::OpenQuote | RowFault::Overlong { .. }));
                let fields = csv.fields(row.text());
                return (!is_cut && fields.len() == csv.columns).then_some(fields);
            }
            Layout::Jsonl(jsonl) => return jsonl.fields(row.text()),
            Layout::Lines(lines) => {
                let [before, puzzle, after] = line_parts(row);
                let parts =
                    [lines.has_label.then_some(before), Some(puzzle), lines.has_comment.then_some(after)];
                parts.into_iter().flatten().map(Cow::Borrowed).collect()
            }
            Layout::Grids(_) => vec![match row.puzzle {
                Some(puzzle) => Cow::Owned(puzzle.to_string().into_bytes()),
                None => Cow::Borrowed(row.text()),
            }],
        })
    }
}

/// Makes names unique: a repeated name is numbered from 2 on, skipping numbers that other columns have.
fn distinct(names: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut taken = names.to_vec();
    for (column, name) in names.iter().enumerate() {
        if names[..column].contains(name) {
            let free = numbered(name.clone(), &taken);
            taken[column] = free;
        }
    }
    taken
}

/// Returns `name` if it is free. Otherwise returns the first free name of `name_2`, `name_3` and so on.
fn numbered(name: Vec<u8>, taken: &[Vec<u8>]) -> Vec<u8> {
    if !taken.contains(&name) {
        return name;
    }
    let with = |number: usize| [&name[..], format!("_{number}").as_bytes()].concat();
    // One of these numbers is always free.
    (2..=taken.len() + 2).map(with).find(|name| !taken.contains(name)).unwrap_or(name.clone())
}

/// Returns label, puzzle and comment of a line. A malformed line is returned whole as the puzzle.
fn line_parts<'a>(row: &AnsweredRow<'a>) -> [&'a [u8]; 3] {
    let (text, puzzle) = (&row.row.text, &row.row.puzzle_text);
    if row.puzzle.is_none() {
        return [b"", row.text(), b""];
    }
    let (before, after) = (row.part(&(text.start..puzzle.start)), row.part(&(puzzle.end..text.end)));
    [before.trim_ascii(), row.part(puzzle), after.trim_ascii()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::SOLVE_DEFAULT;

    fn bytes(names: &[&str]) -> Vec<Vec<u8>> {
        names.iter().map(|name| name.as_bytes().to_vec()).collect()
    }

    #[test]
    fn taken_names_get_a_prefix_or_a_number() {
        let added = |names: &[&str]| InputColumns::added_names(&bytes(names), &SOLVE_DEFAULT);
        assert_eq!(added(&["puzzle"]), bytes(&["solution", "status"]));
        assert_eq!(added(&["puzzle", "solution"]), bytes(&["sudobench_solution", "status"]));
        let again = ["puzzle", "solution", "status", "sudobench_solution", "sudobench_solution_2"];
        assert_eq!(added(&again), bytes(&["sudobench_solution_3", "sudobench_status"]));
    }

    #[test]
    fn repeated_names_are_numbered_and_no_others() {
        let cases: &[(&[&str], &[&str])] = &[
            (&["a", "b"], &["a", "b"]),
            (&["a", "a", "a"], &["a", "a_2", "a_3"]),
            (&["a", "a", "a_2", ""], &["a", "a_3", "a_2", ""]),
            (&["", "", "a_2", "a_2"], &["", "_2", "a_2", "a_2_2"]),
        ];
        for (names, wanted) in cases {
            assert_eq!(distinct(&bytes(names)), bytes(wanted));
        }
    }
}
