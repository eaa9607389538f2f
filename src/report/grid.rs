//! A table, whatever it is rendered to.

use super::wrapped;

/// The least width of a column that is wrapped.
const NARROWEST: usize = 20;

/// One cell: what is shown, and the number behind it where there is one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) text: String,
    /// The number as the record holds it.
    pub(super) value: Option<f64>,
}

impl Cell {
    /// A number, shown as `text`.
    pub(super) fn number(value: f64, text: impl Into<String>) -> Cell {
        Cell { text: text.into(), value: Some(value) }
    }

    /// What stands where there is nothing.
    pub(super) fn none() -> Cell {
        Cell::from("-")
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), value: None }
    }
}

/// A table with a title.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    pub(super) title: String,
    pub(super) headers: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
    /// So many columns name the row and stand to the left; the others are aligned to the right.
    pub(super) left: usize,
    /// Sentences below the table.
    pub(super) notes: Vec<String>,
}

impl Grid {
    pub(super) fn new(title: impl Into<String>, headers: &[&str]) -> Grid {
        let headers = headers.iter().map(|header| (*header).to_owned()).collect();
        Grid { title: title.into(), headers, left: 1, ..Grid::default() }
    }

    /// For a terminal: columns padded with spaces.
    pub(super) fn text(&self) -> String {
        self.text_within(usize::MAX)
    }

    /// The same, where the last column names the row as well and is wrapped so that lines keep to `width`.
    pub(super) fn text_within(&self, width: usize) -> String {
        let widths = self.widths();
        let mut text = format!("{}\n", self.title);
        let headers: Vec<&str> = self.headers.iter().map(String::as_str).collect();
        text.push_str(&padded(&headers, &widths, self.left));
        let last = match self.left < self.headers.len() {
            true => usize::MAX,
            // Each column stands behind two spaces.
            false => {
                let others: usize = widths.iter().rev().skip(1).map(|width| width + 2).sum();
                width.saturating_sub(others + 2).max(NARROWEST)
            }
        };
        for row in &self.rows {
            let mut cells: Vec<&str> = row.iter().map(|cell| cell.text.as_str()).collect();
            let Some(end) = cells.pop() else { continue };
            for line in wrapped(end, last) {
                let begin = cells.iter().copied();
                text.push_str(&padded(&begin.chain([line.as_str()]).collect::<Vec<_>>(), &widths, self.left));
                cells.fill("");
            }
        }
        for note in &self.notes {
            text.push_str(&format!("  {note}\n"));
        }
        text
    }

    /// For Markdown.
    pub(super) fn markdown(&self) -> String {
        let escape = |text: &str| text.replace('|', "\\|");
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let headers: Vec<String> = self.headers.iter().map(|header| escape(header)).collect();
        let rule: Vec<String> =
            (0..headers.len()).map(|at| if at < self.left { "---" } else { "---:" }.to_owned()).collect();
        let mut text = format!("### {}\n\n{}{}", self.title, line(&headers), line(&rule));
        for row in &self.rows {
            text.push_str(&line(
                &row.iter().map(|cell| escape(&cell.text.replace('\n', " "))).collect::<Vec<_>>(),
            ));
        }
        for note in &self.notes {
            text.push_str(&format!("\n{note}\n"));
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let width = |at: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.text.chars().count());
            cells.chain([self.headers[at].chars().count()]).max().unwrap_or(0)
        };
        (0..self.headers.len()).map(width).collect()
    }
}

/// One line of text: the first cells to the left, the others to the right.
fn padded(cells: &[&str], widths: &[usize], left: usize) -> String {
    let mut line = String::from("  ");
    for (at, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let padding = " ".repeat(width - cell.chars().count());
        let (before, after) = if at < left { ("", padding.as_str()) } else { (padding.as_str(), "") };
        line.push_str(&format!("{}{before}{cell}{after}", if at == 0 { "" } else { "  " }));
    }
    format!("{}\n", line.trim_end())
}
