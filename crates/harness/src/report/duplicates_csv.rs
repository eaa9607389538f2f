//! The list of duplicates of `dedupe`, as CSV.

use std::io::{self, Write};

use sudobench_rows::GroupRow;
use sudobench_rows::source::Input;
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::canonical::Canonicalizer;

use super::export_csv::ExportCsv;

/// Writes the rows whose puzzles occur more than once, as CSV.
#[derive(Debug)]
pub struct DuplicatesCsv<'i, W: Write> {
    csv: ExportCsv<W>,
    inputs: &'i [Input],
    /// The canonicalizer, and the current group: its number, and its puzzles' canonical form. `None` if canonical forms are not requested.
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
    /// If the row can't be written.
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
