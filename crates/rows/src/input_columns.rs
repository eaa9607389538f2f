//! The columns that an output row takes from its input row.

use std::borrow::Cow;

use crate::answers::AnsweredRow;
use crate::columns::Column;
use crate::source::{Chosen, Layout, RowText};

/// The columns of input rows.
#[derive(Clone, Debug)]
pub struct InputColumns {
    layout: Layout,
    row_text: RowText,
    /// The names, without duplicates; `None` for a CSV input without a header. If several columns have the same name, a number is added to
    /// the name of each column after the first.
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
        let (names, Chosen { puzzle, solution }) = layout.rows().columns();
        let (names, row_text) = (names.as_deref().map(distinct), layout.rows().row_text());
        let unnamed = || layout.csv().map_or(0, |csv| csv.columns);
        let count = names.as_ref().map_or_else(unnamed, Vec::len);
        InputColumns { layout: layout.clone(), row_text, names, count, puzzle, solution }
    }

    /// Returns the names, or `column_1` and so on if there are none.
    pub fn names_or_numbers(&self) -> Vec<Vec<u8>> {
        let numbered = || (1..=self.count).map(|number| format!("column_{number}").into_bytes()).collect();
        self.names.clone().unwrap_or_else(numbered)
    }

    /// Returns the names for `columns`, which are added to columns called `names`. If `names` already has such a name, the added column
    /// gets the prefix `sudobench_`, and also a number if the name with the prefix is taken too.
    pub fn added_names(names: &[Vec<u8>], columns: &[Column]) -> Vec<Vec<u8>> {
        let mut taken = names.to_vec();
        for column in columns {
            let own = column.name.as_bytes().to_vec();
            let prefixed = [b"sudobench_", &own[..]].concat();
            taken.push(if taken.contains(&own) { numbered(prefixed, &taken) } else { own });
        }
        taken.split_off(names.len())
    }

    /// Returns the text of the row, if the text can be copied to a CSV output unchanged: see
    /// [`Row::is_regular`](crate::source::Row::is_regular).
    #[inline]
    pub fn verbatim<'a>(&self, row: &AnsweredRow<'a>) -> Option<&'a [u8]> {
        (matches!(self.row_text, RowText::Fields(_)) && row.row.is_regular).then(|| row.text())
    }

    /// Returns the text of a row that is a JSON object, without the last brace, so that more members can follow. Returns `None` if the row
    /// is not an object, or if its text can't be copied unchanged.
    pub fn open_object<'a>(&self, row: &AnsweredRow<'a>) -> Option<&'a [u8]> {
        if !matches!(self.row_text, RowText::Object) || !row.row.is_regular {
            return None;
        }
        row.text().trim_ascii().strip_suffix(b"}").map(<[u8]>::trim_ascii_end)
    }

    /// Returns the values of a row, unquoted; `None` if it can't be split into these columns.
    pub fn values<'a>(&self, row: &AnsweredRow<'a>) -> Option<Vec<Cow<'a, [u8]>>> {
        self.layout.rows().values(row.row, row.text(), row.puzzle)
    }
}

/// Makes names unique: if a name is repeated, the second column gets the name with `_2`, the third with `_3` and so on. Names that other
/// columns have are skipped.
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
