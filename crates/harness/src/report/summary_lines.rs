//! Adds lines to the summary at the end of a run. Some verbs read all rows, and count them, before they write rows; the lines have these
//! counts.

use std::fmt::{self, Write as _};

use sudobench_rows::SummaryLine;

use super::escape::visible;
use super::{RowsSummary, count, share};

impl RowsSummary<'_> {
    /// Returns the summary as text, followed by these lines.
    pub fn text_with_lines(&self, lines: &[SummaryLine]) -> String {
        self.text_with(|text| write_lines(lines, text))
    }
}

/// Returns these lines as text.
pub fn lines_text(lines: &[SummaryLine]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_lines(lines, &mut text);
    text
}

/// Writes the lines. The names of all lines that have a share are padded to the same width.
fn write_lines(lines: &[SummaryLine], text: &mut String) -> fmt::Result {
    let name_of = |line: &SummaryLine| visible(&line.name).into_owned();
    let shares = lines.iter().filter(|line| line.share.is_some());
    let width = shares.map(|line| name_of(line).chars().count()).max().unwrap_or(0).max(SHORTEST);
    lines.iter().try_for_each(|line| {
        let (name, rows, words) = (name_of(line), count(line.rows), &line.words);
        let line = match line.share {
            Some((part, whole)) => format!("  {name:<width$} {rows:>13}  {:>8}  {words}", share(part, whole)),
            None => format!("  {name:<SHORTEST$} {rows:>13}  {words}"),
        };
        writeln!(text, "{}", line.trim_end())
    })
}

/// Minimum width to which the name of a line is padded.
const SHORTEST: usize = 11;
