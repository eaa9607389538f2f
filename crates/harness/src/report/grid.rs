//! A table, independent of its output format.

use textwrap::core::display_width;

use super::wrap::longest_word;
use super::{count, escape, share, wrapped};

/// Minimum width of a column whose cells are wrapped, unless all its cells are narrower.
const NARROWEST: usize = 20;
/// Number of spaces before each column.
const GAP: usize = 2;

/// A cell: the text and, if the cell shows a number, the number.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) text: String,
    /// The number, not formatted and not rounded.
    pub(super) value: Option<f64>,
}

impl Cell {
    pub(super) fn count(value: u64) -> Cell {
        Cell::number(value as f64, count(value))
    }

    /// Makes a cell with a part of a whole: `3 (75.00%)`.
    pub(super) fn part(part: u64, whole: u64) -> Cell {
        Cell::number(part as f64, format!("{} ({})", count(part), share(part, whole)))
    }

    pub(super) fn number(value: f64, text: impl Into<String>) -> Cell {
        Cell { text: text.into(), value: Some(value) }
    }

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
    /// Number of columns that identify the row. These columns are aligned to the left, all others to the right.
    pub(super) left: usize,
    /// Sentences between the title and the table.
    pub(super) lead: Vec<String>,
    /// Sentences below the table.
    pub(super) notes: Vec<String>,
}

impl Grid {
    pub(super) fn new(title: impl Into<String>, headers: &[&str]) -> Grid {
        let headers = headers.iter().map(|header| (*header).to_owned()).collect();
        Grid { title: title.into(), headers, left: 1, ..Grid::default() }
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    pub(super) fn if_any(self) -> Option<Grid> {
        (!self.rows.is_empty()).then_some(self)
    }

    /// Renders the table for a terminal, in lines of at most `width` columns. The first of the following layouts that fits is used. The
    /// naming columns are the columns that identify the row.
    ///
    /// ```text
    /// one table       a line for each row, columns padded with spaces
    /// wrapped table   the same, but headers and naming columns are wrapped to several lines
    /// several tables  each has the naming columns and some of the other columns
    /// paragraphs      a line for each cell
    /// ```
    pub(super) fn text(&self, width: usize) -> String {
        let mut text = wrapped(&escape::visible(&self.title), width, "", "    ");
        for lead in &self.lead {
            text.push_str(&wrapped(&escape::visible(lead), width, "  ", "    "));
        }
        let columns: Vec<Column> = (0..self.headers.len()).map(|at| Column::of(self, at)).collect();
        let (naming, others) = columns.split_at(self.left);
        let groups = groups(naming, others, width);
        match groups.is_empty() {
            true => self.push_stacked(&mut text, &columns, width),
            false => {
                let tables: Vec<String> = groups.iter().map(|group| table(group, self.rows.len())).collect();
                text.push_str(&tables.join("\n"));
            }
        }
        for note in &self.notes {
            text.push_str(&wrapped(&escape::visible(note), width, "  ", "    "));
        }
        escape::lines(&text)
    }

    /// Renders each row as a paragraph, with a line for each cell.
    fn push_stacked(&self, text: &mut String, columns: &[Column], width: usize) {
        for row in 0..self.rows.len() {
            for (at, column) in columns.iter().enumerate() {
                let (header, cell) = (&column.header, &column.cells[row]);
                if cell.is_empty() && at > 0 {
                    continue;
                }
                let message = if header.is_empty() { cell.clone() } else { format!("{header}: {cell}") };
                let (first, hanging) = if at == 0 { ("  ", "      ") } else { ("    ", "      ") };
                text.push_str(&wrapped(&message, width, first, hanging));
            }
        }
    }

    pub(super) fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let headers: Vec<String> = self.headers.iter().map(|header| escape::markdown(header)).collect();
        let rule: Vec<String> =
            (0..headers.len()).map(|at| if at < self.left { "---" } else { "---:" }.to_owned()).collect();
        let mut text = format!("### {}\n\n", escape::markdown(&self.title));
        for lead in &self.lead {
            text.push_str(&format!("{}\n\n", escape::markdown_paragraph(lead)));
        }
        text.push_str(&line(&headers));
        text.push_str(&line(&rule));
        for row in &self.rows {
            text.push_str(&line(&row.iter().map(|cell| escape::markdown(&cell.text)).collect::<Vec<_>>()));
        }
        for note in &self.notes {
            text.push_str(&format!("\n{}\n", escape::markdown_paragraph(note)));
        }
        text
    }
}

/// Renders tables for a terminal, in lines of at most `width` columns.
pub(super) fn texts<'g>(grids: impl IntoIterator<Item = &'g Grid>, width: usize) -> String {
    grids.into_iter().map(|grid| grid.text(width)).collect::<Vec<String>>().join("\n")
}

/// Renders a report as Markdown: a title, a paragraph and tables.
pub(super) fn markdown_report<'g>(
    title: &str,
    paragraph: &str,
    grids: impl IntoIterator<Item = &'g Grid>,
) -> String {
    let tables: Vec<String> = grids.into_iter().map(Grid::markdown).collect();
    let (title, paragraph) = (escape::markdown(title), escape::markdown_paragraph(paragraph));
    format!("## {title}\n\n{paragraph}\n\n{}", tables.join("\n"))
}

/// A column on a terminal.
struct Column {
    header: String,
    cells: Vec<String>,
    /// Whether the column identifies the row. The cells of such a column are aligned to the left and may be wrapped.
    is_name: bool,
    /// Preferred width. The minimum width is `least`.
    width: usize,
    least: usize,
}

impl Column {
    fn of(grid: &Grid, at: usize) -> Column {
        let is_name = at < grid.left;
        let header = escape::visible(&grid.headers[at]).into_owned();
        let cell = |row: &Vec<Cell>| {
            row.get(at).map_or(String::new(), |cell| escape::visible(&cell.text).into_owned())
        };
        let cells: Vec<String> = grid.rows.iter().map(cell).collect();
        let widest = cells.iter().map(|cell| display_width(cell)).max().unwrap_or(0);
        let longest = cells.iter().map(|cell| longest_word(cell)).max().unwrap_or(0);
        let cells_least = if is_name { longest.max(widest.min(NARROWEST)) } else { widest };
        Column {
            width: widest.max(display_width(&header)),
            least: cells_least.max(longest_word(&header)),
            header,
            cells,
            is_name,
        }
    }
}

/// Divides the columns into tables that fit, and returns the columns of each table with their widths. Each table has the naming columns and
/// as many of the other columns as fit. The result is empty if a column does not fit even alone beside the naming columns.
fn groups<'c>(naming: &'c [Column], others: &'c [Column], width: usize) -> Vec<Vec<(&'c Column, usize)>> {
    let least = |columns: &[&Column]| columns.iter().map(|column| column.least + GAP).sum::<usize>();
    let mut groups: Vec<Vec<&Column>> = vec![naming.iter().collect()];
    for column in others {
        let group = groups.len() - 1;
        groups[group].push(column);
        if least(&groups[group]) > width && groups[group].len() > naming.len() + 1 {
            groups[group].pop();
            groups.push(naming.iter().chain([column]).collect());
        }
    }
    match groups.iter().all(|group| least(group) <= width) {
        true => groups.into_iter().map(|group| fitted(group, width)).collect(),
        false => Vec::new(),
    }
}

/// Returns the columns with widths that fit. The widest columns are narrowed first.
fn fitted(columns: Vec<&Column>, width: usize) -> Vec<(&Column, usize)> {
    let mut fitted: Vec<(&Column, usize)> =
        columns.into_iter().map(|column| (column, column.width)).collect();
    let mut total: usize = fitted.iter().map(|(_, width)| width + GAP).sum();
    while total > width {
        let shrinkable = fitted.iter_mut().filter(|(column, width)| *width > column.least);
        let Some((_, widest)) = shrinkable.max_by_key(|(_, width)| *width) else { break };
        *widest -= 1;
        total -= 1;
    }
    fitted
}

fn table(columns: &[(&Column, usize)], rows: usize) -> String {
    let mut text = String::new();
    // Headers are aligned to the bottom.
    let headers: Vec<Vec<String>> =
        columns.iter().map(|(column, width)| cell_lines(&column.header, *width)).collect();
    let height = headers.iter().map(Vec::len).max().unwrap_or(0);
    for line in 0..height {
        let cells =
            headers.iter().map(|lines| (line + lines.len()).checked_sub(height).map(|at| lines[at].as_str()));
        text.push_str(&padded(columns, cells));
    }
    for row in 0..rows {
        let cells: Vec<Vec<String>> = columns
            .iter()
            .map(|(column, width)| match column.is_name {
                true => cell_lines(&column.cells[row], *width),
                false => vec![column.cells[row].clone()],
            })
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            text.push_str(&padded(columns, cells.iter().map(|lines| lines.get(line).map(String::as_str))));
        }
    }
    text
}

fn cell_lines(text: &str, width: usize) -> Vec<String> {
    wrapped(text, width, "", "").lines().map(str::to_owned).collect()
}

/// Renders a line. Cells that identify the row are aligned to the left, the others to the right.
fn padded<'t>(columns: &[(&Column, usize)], cells: impl Iterator<Item = Option<&'t str>>) -> String {
    let mut line = String::new();
    for ((column, width), cell) in columns.iter().zip(cells) {
        let cell = cell.unwrap_or_default();
        let padding = " ".repeat(width.saturating_sub(display_width(cell)));
        let (before, after) = if column.is_name { ("", padding.as_str()) } else { (padding.as_str(), "") };
        line.push_str(&format!("{:GAP$}{before}{cell}{after}", ""));
    }
    format!("{}\n", line.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;
    use crate::report::doctor::noise;
    use crate::report::record_tables::grids;
    use std::collections::BTreeSet;

    fn example() -> Grid {
        let mut grid = Grid::new("a.txt: 60 puzzles", &["solver", "puzzles/s before", "95% interval", "p50"]);
        grid.rows = vec![
            [Cell::from("mrv"), Cell::number(1e6, "1,000,000"), Cell::from("0 - 10"), Cell::from("57 ns")]
                .to_vec(),
            [Cell::from("bool-table"), Cell::number(1.0, "1"), Cell::none(), Cell::none()].to_vec(),
        ];
        grid.notes.push("bool-table: its time ran out".to_owned());
        grid
    }

    #[test]
    fn a_table_fits_the_width() {
        let drawn = [80, 40, 30, 20].map(|width| format!("{width}\n{}", example().text(width)));
        insta::assert_snapshot!(drawn.join("\n"));
    }

    #[test]
    fn no_line_is_too_long_and_no_word_is_broken() {
        let record = fixtures::bench_record();
        let all = [grids(&record), grids(&fixtures::judge_record())].into_iter().flatten();
        let mut tables: Vec<Grid> = all.map(|it| it.grid).collect();
        tables.extend([noise(&record.noise), example()]);
        for (table, width) in
            tables.iter().flat_map(|table| [30, 40, 60, 80, 120].map(|width| (table, width)))
        {
            let wide = table.text(usize::MAX);
            let words: BTreeSet<&str> = wide.split_whitespace().collect();
            let text = table.text(width);
            assert!(text.lines().all(|line| display_width(line) <= width), "{width}:\n{text}");
            // If a row is a paragraph, each header is followed by a colon.
            let mut told = text.split_whitespace().map(|word| word.trim_end_matches(':'));
            let is_whole = |word: &str| {
                // A word such as a puzzle may be longer than a line and is then broken.
                let is_long = |whole: &str| whole.len() >= width;
                let mut wholes = words.iter().map(|whole| whole.trim_end_matches(':'));
                wholes.any(|whole| whole == word || (is_long(whole) && whole.contains(word)))
            };
            assert!(told.all(is_whole), "{width}:\n{text}");
        }
    }
}
