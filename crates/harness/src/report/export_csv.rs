//! Writes CSV about datasets and contestants. Names come from users and programs, and many people open CSV files in a spreadsheet, so no
//! cell may be a formula.

use std::borrow::Cow;
use std::io::{self, Write};

/// Some spreadsheet programs read a cell as a formula if its text starts with one of these characters.
const FORMULA: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '\u{FF1D}', '\u{FF0B}', '\u{FF0D}', '\u{FF20}'];

/// Writes rows as CSV. Puts an apostrophe before each text that a spreadsheet could read as a formula.
#[derive(Debug)]
pub(super) struct ExportCsv<W: Write>(csv::Writer<W>);

impl<W: Write> ExportCsv<W> {
    /// Makes a writer of rows to `out`, and writes the header.
    ///
    /// # Errors
    /// Any error of the writer.
    pub(super) fn new<T: AsRef<str>>(
        out: W,
        header: impl IntoIterator<Item = T>,
    ) -> io::Result<ExportCsv<W>> {
        let mut writer = ExportCsv(csv::Writer::from_writer(out));
        writer.write_row(header)?;
        Ok(writer)
    }

    pub(super) fn write_row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) -> io::Result<()> {
        cells.into_iter().try_for_each(|cell| self.0.write_field(harmless(cell.as_ref()).as_bytes()))?;
        Ok(self.0.write_record(None::<&[u8]>)?)
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Formats a value for CSV. `None` gives an empty text.
pub(super) fn optional(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Returns the text, with an apostrophe before it if a spreadsheet would take it for a formula. Numbers stay unchanged.
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    match text.starts_with(FORMULA) && text.parse::<f64>().is_err() {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let mut out = Vec::new();
        let header = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1", "\u{FF1D}1"];
        let mut csv = ExportCsv::new(&mut out, header).unwrap();
        csv.write_row(["-1.5", "+2", "1e3", "a=b", "..53", "'quoted'"]).unwrap();
        csv.flush().unwrap();
        drop(csv);
        let read = csv::ReaderBuilder::new().has_headers(false).from_reader(&out[..]).into_records();
        let rows: Vec<Vec<String>> =
            read.map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(rows[0], ["'=cmd|' /C calc'!A0", "'+1+1", "'-2+3", "'@SUM(1)", "'\t=1", "'\u{FF1D}1"]);
        assert_eq!(rows[1], ["-1.5", "+2", "1e3", "a=b", "..53", "'quoted'"]);
    }
}
