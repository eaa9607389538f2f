//! Going on with the output of an interrupted run: which run it was, and how many of its rows are whole.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::FormatName;

/// What a run was asked, as far as it shapes the output: kept beside `FILE.partial`, and held against the run
/// that wants to go on with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResumeState {
    /// The output's format.
    pub format: FormatName,
    /// The byte between fields, where the format is CSV.
    pub delimiter: u8,
    /// Whether a header stands before the first row.
    pub has_header: bool,
    /// Everything else, by the name of its flag.
    pub asked: BTreeMap<String, String>,
}

/// Why an interrupted run cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// Another question, or another input.
    #[error(
        "{partial} is from a run with other {what}: it had `{then}`, this one has `{now}`; \
         run it as it was, or give --force to start anew"
    )]
    Differs {
        /// The partial file.
        partial: PathBuf,
        /// The flag that differs.
        what: String,
        /// Its value then.
        then: String,
        /// Its value now.
        now: String,
    },
    /// What the run was asked is not known.
    #[error("cannot tell which run left {partial}: {reason}; give --force to start anew")]
    Unknown {
        /// The partial file.
        partial: PathBuf,
        /// What is wrong with the file beside it.
        reason: String,
    },
}

/// How much of a partial file is whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WholeRows {
    /// Whole rows, the header not counted.
    pub rows: u64,
    /// Bytes of these rows and the header.
    pub bytes: u64,
}

impl ResumeState {
    /// The whole rows of `partial`, if this run may go on with it.
    ///
    /// # Errors
    /// [`ResumeError`] where it is another run's, or cannot be read.
    pub(super) fn rows_left(&self, partial: &Path) -> Result<WholeRows, ResumeError> {
        let unknown = |reason: String| ResumeError::Unknown { partial: partial.to_owned(), reason };
        let kept = state_path(partial);
        let text = fs::read(&kept).map_err(|error| unknown(format!("{}: {error}", kept.display())))?;
        let then: ResumeState =
            serde_json::from_slice(&text).map_err(|error| unknown(format!("{}: {error}", kept.display())))?;
        self.compare(&then, partial)?;
        let read = File::open(partial)
            .and_then(|file| whole_rows(file, self.format, self.delimiter, self.has_header));
        read.map_err(|error| unknown(error.to_string()))
    }

    fn compare(&self, then: &ResumeState, partial: &Path) -> Result<(), ResumeError> {
        let differs = |what: &str, then: String, now: String| ResumeError::Differs {
            partial: partial.to_owned(),
            what: what.to_owned(),
            then,
            now,
        };
        if self.format != then.format {
            return Err(differs("output-format", format!("{:?}", then.format), format!("{:?}", self.format)));
        }
        let none = String::new();
        let names = self.asked.keys().chain(then.asked.keys());
        for name in names {
            let [then, now] = [&then.asked, &self.asked].map(|asked| asked.get(name).unwrap_or(&none));
            if then != now {
                return Err(differs(name, then.clone(), now.clone()));
            }
        }
        Ok(())
    }

    /// Stores this state beside `partial`.
    pub(super) fn store(&self, partial: &Path) -> io::Result<()> {
        let mut file = File::create(state_path(partial))?;
        Ok(serde_json::to_writer_pretty(&mut file, self)?)
    }

    /// Removes the state beside `partial`, if there is one.
    pub(super) fn discard(partial: &Path) -> io::Result<()> {
        match fs::remove_file(state_path(partial)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// `FILE.partial.json`.
fn state_path(partial: &Path) -> PathBuf {
    let mut name = partial.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
}

/// Counts the whole rows of an output: a last row without its line end is not whole.
///
/// # Errors
/// Whatever reading answers.
pub fn whole_rows(
    input: impl Read,
    format: FormatName,
    delimiter: u8,
    has_header: bool,
) -> io::Result<WholeRows> {
    let mut input = BufReader::with_capacity(1 << 20, input);
    let whole = match format {
        FormatName::Csv => whole_csv_records(&mut input, delimiter)?,
        FormatName::Jsonl | FormatName::Lines => whole_chunks(&mut input, b"\n")?,
        FormatName::Boj2580 | FormatName::Boj2239 => whole_chunks(&mut input, b"\n\n")?,
    };
    match (has_header, whole.rows) {
        (true, 0) => Ok(WholeRows::default()),
        (true, rows) => Ok(WholeRows { rows: rows - 1, ..whole }),
        (false, _) => Ok(whole),
    }
}

/// Records of the output's own CSV; quoted fields may hold line ends.
fn whole_csv_records(input: &mut impl io::BufRead, delimiter: u8) -> io::Result<WholeRows> {
    let mut parser = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    let (mut whole, mut bytes) = (WholeRows::default(), 0);
    let (mut fields, mut ends) = (vec![0; 1 << 16], vec![0; 1 << 10]);
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(whole);
        }
        let (result, consumed, _, _) = parser.read_record(chunk, &mut fields, &mut ends);
        bytes += consumed as u64;
        input.consume(consumed);
        if matches!(result, csv_core::ReadRecordResult::Record) {
            whole = WholeRows { rows: whole.rows + 1, bytes };
        }
    }
}

/// Rows that each end with `end`.
fn whole_chunks(input: &mut impl io::BufRead, end: &[u8]) -> io::Result<WholeRows> {
    let (mut whole, mut bytes, mut matched) = (WholeRows::default(), 0, 0);
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(whole);
        }
        for &byte in chunk {
            bytes += 1;
            matched = if byte == end[matched] { matched + 1 } else { 0 };
            if matched == end.len() {
                whole = WholeRows { rows: whole.rows + 1, bytes };
                matched = 0;
            }
        }
        let consumed = chunk.len();
        input.consume(consumed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str, format: FormatName, has_header: bool) -> (u64, usize) {
        let whole = whole_rows(text.as_bytes(), format, b';', has_header).unwrap();
        (whole.rows, usize::try_from(whole.bytes).unwrap())
    }

    #[test]
    fn a_torn_last_row_is_not_counted() {
        use FormatName::{Boj2239, Csv, Lines};
        assert_eq!(counted("a;b\n1;2\n3;", Csv, true), (1, 8));
        assert_eq!(counted("a;b\n1;2\n3;4\n", Csv, true), (2, 12));
        assert_eq!(counted("a;", Csv, true), (0, 0));
        assert_eq!(counted("", Csv, true), (0, 0));
        assert_eq!(counted("1;\"x\ny\"\n2;\"x\n", Csv, false), (1, 8));
        assert_eq!(counted("12\n34\n5", Lines, false), (2, 6));
        assert_eq!(counted("1\n2\n\n3\n4\n\n5\n6\n", Boj2239, false), (2, 10));
    }
}
