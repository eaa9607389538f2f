//! Stores the rows of each class that has several rows. They are in a temporary file, sorted by class.
//!
//! ```text
//! first pass   the class of each row is written to another temporary file, in four bytes
//! counts       give the place of each class in the file
//! second pass  each row is written to the next free place of its class
//! ```
//! So the file needs no sorting. For each class, memory holds its number of rows and the place of its next row in the file.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::Arc;

use sudobench_sudoku::puzzle::CELLS;

use crate::answers::AnsweredRow;

/// Marks a row that belongs to no class.
const NO_CLASS: u32 = u32::MAX;

/// The class of each row, in order.
pub(super) struct RowClasses(BufWriter<File>);

impl RowClasses {
    pub(super) fn new() -> io::Result<RowClasses> {
        Ok(RowClasses(BufWriter::new(tempfile::tempfile()?)))
    }

    pub(super) fn push(&mut self, class: Option<u32>) -> io::Result<()> {
        self.0.write_all(&class.unwrap_or(NO_CLASS).to_le_bytes())
    }

    /// Ends the writing, and returns a reader that starts at the first row.
    pub(super) fn read(self) -> io::Result<RowClassesRead> {
        let mut file = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(RowClassesRead(BufReader::new(file)))
    }
}

pub(super) struct RowClassesRead(BufReader<File>);

impl RowClassesRead {
    pub(super) fn next(&mut self) -> io::Result<Option<u32>> {
        let mut class = [0; 4];
        self.0.read_exact(&mut class)?;
        Ok(Some(u32::from_le_bytes(class)).filter(|&class| class != NO_CLASS))
    }
}

/// The rows of all classes with several rows. The rows of a class follow each other, in the order of the input. The classes are ordered by
/// their first rows.
#[derive(Default)]
pub struct Groups {
    /// The temporary file; `None` if no rows were collected.
    file: Option<File>,
    /// For each class, its number of rows.
    counts: Arc<Vec<u64>>,
    /// For each class, the place in the file where its next row belongs, counted in rows. Not used for a class with one row.
    next: Vec<u64>,
    /// Total number of rows in classes with several rows.
    rows: u64,
    /// Rows that are not in the file yet, with their places.
    waiting: Vec<(u64, [u8; RECORD])>,
}

/// A row of a class with several rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupRow {
    /// The number of the class among the classes with several rows, from 1.
    pub group: u64,
    /// Number of rows in the class.
    pub count: u64,
    /// The number of the input, from 0.
    pub input: usize,
    /// The line where the row starts, or for a table the number of the row; both are counted from 1.
    pub line: u64,
    /// The puzzle: the 81 characters of the input, or digits and dots if the input doesn't have the puzzle as 81 characters.
    pub puzzle: [u8; CELLS],
}

/// Number of bytes of a row: its class, its input, its line and its puzzle.
const RECORD: usize = 4 + 4 + 8 + CELLS;

/// Number of rows that are collected before they are written to their places in the file. The more rows are collected, the more of them
/// have adjacent places and can be written together.
const WAITING: usize = 1 << 16;

impl Groups {
    /// Creates the temporary file for classes with these numbers of rows.
    pub(super) fn new(counts: Arc<Vec<u64>>) -> io::Result<Groups> {
        let mut rows = 0;
        let place = |&count: &u64| {
            let place = rows;
            rows += if count > 1 { count } else { 0 };
            place
        };
        let next = counts.iter().map(place).collect();
        Ok(Groups { file: Some(tempfile::tempfile()?), counts, next, rows, waiting: Vec::new() })
    }

    /// Adds a row of the class with this number, if the class has several rows.
    pub(super) fn take_in(&mut self, input: usize, row: &AnsweredRow, class: Option<u32>) -> io::Result<()> {
        let (Some(class), Some(puzzle)) = (class, row.puzzle) else { return Ok(()) };
        let at = class as usize;
        if self.counts[at] < 2 {
            return Ok(());
        }
        let text = row.part(&row.row.puzzle_text);
        let text = <[u8; CELLS]>::try_from(text).unwrap_or_else(|_| puzzle.text());
        let mut record = [0; RECORD];
        let parts: [&[u8]; 4] =
            [&class.to_le_bytes(), &(input as u32).to_le_bytes(), &row.row.line.to_le_bytes(), &text];
        let mut rest = &mut record[..];
        for part in parts {
            rest.write_all(part)?;
        }
        self.waiting.push((self.next[at], record));
        self.next[at] += 1;
        if self.waiting.len() >= WAITING { self.finish() } else { Ok(()) }
    }

    /// Writes the waiting rows to their places in the file.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        self.waiting.sort_unstable_by_key(|&(place, _)| place);
        let mut bytes = Vec::new();
        for neighbours in self.waiting.chunk_by(|(one, _), (other, _)| one + 1 == *other) {
            bytes.clear();
            neighbours.iter().for_each(|(_, record)| bytes.extend_from_slice(record));
            file.seek(SeekFrom::Start(neighbours[0].0 * RECORD as u64))?;
            file.write_all(&bytes)?;
        }
        self.waiting.clear();
        Ok(())
    }

    /// Passes all rows to `call`.
    ///
    /// # Errors
    /// The error of `call`, or an I/O error if the temporary file can't be read.
    pub fn each(&mut self, mut call: impl FnMut(&GroupRow) -> io::Result<()>) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.rewind()?;
        let mut file = BufReader::new(file);
        let (mut group, mut before) = (0, None);
        for _ in 0..self.rows {
            let mut record = [0; RECORD];
            file.read_exact(&mut record)?;
            let mut rest = &record[..];
            let class = u32::from_le_bytes(take(&mut rest)?);
            let (input, line) = (u32::from_le_bytes(take(&mut rest)?), u64::from_le_bytes(take(&mut rest)?));
            group += u64::from(before.replace(class) != Some(class));
            let count = self.counts[class as usize];
            call(&GroupRow { group, count, input: input as usize, line, puzzle: take(&mut rest)? })?;
        }
        Ok(())
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> io::Result<[u8; N]> {
    let mut taken = [0; N];
    bytes.read_exact(&mut taken)?;
    Ok(taken)
}

impl fmt::Debug for Groups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Groups").field("rows", &self.rows).finish_non_exhaustive()
    }
}
