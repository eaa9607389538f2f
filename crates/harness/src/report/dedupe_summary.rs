//! The summary at the end of `dedupe`, and its list of duplicates.

use std::io::{self, Write};

use anstyle::Style;
use sudobench_rows::source::Input;
use sudobench_rows::{Duplicates, GroupRow};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::canonical::Canonicalizer;

use super::export_csv::ExportCsv;
use super::rows_summary::write_count;
use super::{RowsSummary, count, counted, share};

/// Returns the summary of a run of `dedupe` as text: the summary of its rows, and the duplicates that the first pass found. `isomorph` says
/// whether isomorphic puzzles count as duplicates.
pub fn dedupe_text(rows: &RowsSummary, found: &Duplicates, isomorph: bool) -> String {
    rows.text_with(|text| {
        let mut line = |name: &str, rows: u64, message: &str| {
            let rest = format!("{:>8}{message}", share(rows, found.rows));
            write_count(text, Style::new(), name, rows, &rest)
        };
        line("distinct", found.classes, if isomorph { "  up to isomorphism" } else { "" })?;
        let (groups, largest) = (found.groups, count(found.largest));
        let of = match groups {
            0 => String::new(),
            1 => format!("  of 1 puzzle, which occurs in {largest} rows"),
            _ => format!("  of {}, the most frequent in {largest} rows", counted(groups, "puzzle")),
        };
        line("duplicates", found.duplicates(), &of)?;
        if found.of_other_parts > 0 {
            line("other parts", found.of_other_parts, "")?;
        }
        Ok(())
    })
}

/// Writes the rows whose puzzles occur more than once, as CSV.
#[derive(Debug)]
pub struct DuplicatesCsv<'i, W: Write> {
    csv: ExportCsv<W>,
    inputs: &'i [Input],
    /// If canonical forms are requested: the canonicalizer, and the number and the canonical form of the group of the last written row.
    canonical: Option<(Canonicalizer, u64, String)>,
}

impl<'i, W: Write> DuplicatesCsv<'i, W> {
    /// Writes the header.
    ///
    /// # Errors
    ///
    /// Any error of the system.
    pub fn new(out: W, inputs: &'i [Input], isomorph: bool) -> io::Result<DuplicatesCsv<'i, W>> {
        let columns = ["group", "count", "input", "line", "puzzle", "canonical"];
        let csv = ExportCsv::new(out, &columns[..if isomorph { 6 } else { 5 }])?;
        let canonical = isomorph.then(|| (Canonicalizer::default(), 0, String::new()));
        Ok(DuplicatesCsv { csv, inputs, canonical })
    }

    /// Writes the next row. The rows of a group must follow each other.
    ///
    /// # Errors
    /// Any error of the system.
    pub fn write(&mut self, row: &GroupRow) -> io::Result<()> {
        let DuplicatesCsv { csv, inputs, canonical } = self;
        let input = inputs.get(row.input).map(ToString::to_string).unwrap_or_default();
        let [group, count, line] = [row.group, row.count, row.line].map(|number| number.to_string());
        let puzzle = std::str::from_utf8(&row.puzzle).map_err(io::Error::other)?;
        if let Some((canonicalizer, group, form)) = canonical
            && *group != row.group
        {
            let puzzle = Puzzle::from_text(&row.puzzle).map_err(io::Error::other)?;
            (*group, *form) = (row.group, canonicalizer.canonical(&puzzle).form.to_string());
        }
        let form = canonical.as_ref().map(|(_, _, form)| form.as_str());
        csv.write_row([&group, &count, &input, &line, puzzle].into_iter().chain(form))
    }

    /// Flushes the buffer.
    ///
    /// # Errors
    ///
    /// If the system reports an error.
    pub fn finish(mut self) -> io::Result<()> {
        self.csv.flush()
    }
}
