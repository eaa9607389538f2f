//! Sorts rows by their keys in bounded memory.
//!
//! ```text
//! push      appends a row to a buffer. A full buffer is sorted, and if `most` is set, only its first `most` rows stay.
//!           If these rows take more than half of the buffer, they move to a temporary file, which is called a run.
//! for_each  merges the runs
//! ```
//! The system removes a temporary file when it is closed, which also happens if the program is killed.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Number of bytes of rows at which the buffer in memory is full.
const MEMORY: usize = 32 << 20;
/// Number of sorted temporary files that are merged together. All of them are open. The code calls such a file a run.
const MOST_RUNS: usize = 64;

/// Takes rows with keys in any order, and returns them in the order of their keys. All keys are different.
pub(crate) struct Sorter {
    /// Number of wanted rows: those with the smallest keys. `None`: all rows are wanted.
    most: Option<u64>,
    /// Keys and rows, one after the other.
    bytes: Vec<u8>,
    records: Vec<Record>,
    /// If set, there are enough rows with keys up to this key, so rows with larger keys are dropped.
    last_wanted: Option<Vec<u8>>,
    runs: Vec<File>,
    folder: PathBuf,
    memory: usize,
}

/// Place of a row in the buffer: the position of its key, and the lengths of the key and of the row, which follows the key.
#[derive(Clone, Copy)]
struct Record {
    start: usize,
    key: u32,
    row: u32,
}

impl Record {
    fn key(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start..self.start + self.key as usize]
    }

    fn row(self, bytes: &[u8]) -> &[u8] {
        let start = self.start + self.key as usize;
        &bytes[start..start + self.row as usize]
    }
}

impl Sorter {
    /// Makes a sorter that keeps the first `most` rows, or all, with temporary files in `folder`.
    pub(crate) fn new(most: Option<u64>, folder: PathBuf) -> Sorter {
        Sorter {
            most,
            bytes: Vec::new(),
            records: Vec::new(),
            last_wanted: None,
            runs: Vec::new(),
            folder,
            memory: MEMORY,
        }
    }

    pub(crate) fn push(&mut self, key: &[u8], row: &[u8]) -> io::Result<()> {
        if self.most == Some(0) || self.last_wanted.as_deref().is_some_and(|last| key > last) {
            return Ok(());
        }
        let length = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(io::Error::other);
        let record = Record { start: self.bytes.len(), key: length(key)?, row: length(row)? };
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(row);
        self.records.push(record);
        if self.size() >= self.memory { self.shrink() } else { Ok(()) }
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.records.len() * size_of::<Record>()
    }

    /// Sorts the rows in memory. If `most` is set, keeps only the first `most` rows.
    fn sort(&mut self) {
        let Sorter { bytes, records, .. } = self;
        records.sort_unstable_by(|a, b| a.key(bytes).cmp(b.key(bytes)));
        let most = self.most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        if records.len() >= most {
            records.truncate(most);
            self.last_wanted = records.last().map(|last| last.key(bytes).to_owned());
        }
    }

    fn shrink(&mut self) -> io::Result<()> {
        self.sort();
        let wanted: usize = self.records.iter().map(|record| record.key as usize + record.row as usize).sum();
        if wanted > self.memory / 2 {
            return self.spill();
        }
        let mut bytes = Vec::with_capacity(self.bytes.capacity());
        for record in &mut self.records {
            let start = bytes.len();
            bytes.extend_from_slice(record.key(&self.bytes));
            bytes.extend_from_slice(record.row(&self.bytes));
            record.start = start;
        }
        self.bytes = bytes;
        Ok(())
    }

    /// Moves the sorted rows from memory to a temporary file. If there are many such files, merges them into one.
    fn spill(&mut self) -> io::Result<()> {
        let mut run = RunWriter::new(&self.folder)?;
        for record in &self.records {
            run.put(record.key(&self.bytes), record.row(&self.bytes))?;
        }
        self.runs.push(run.finish()?);
        self.bytes.clear();
        self.records.clear();
        if self.runs.len() < MOST_RUNS {
            return Ok(());
        }
        let mut merged = RunWriter::new(&self.folder)?;
        merge(&mut self.runs, self.most, |key, row| merged.put(key, row).map(ControlFlow::Continue))?;
        self.runs.push(merged.finish()?);
        Ok(())
    }

    /// Passes the wanted rows to `put` in the order of their keys, until `put` returns `Break`. Removes all rows.
    ///
    /// # Errors
    ///
    /// Errors of `put`, or of the system if a temporary file can't be written or read.
    pub(crate) fn for_each<E: From<io::Error>>(
        &mut self,
        mut put: impl FnMut(&[u8], &[u8]) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        self.sort();
        if !self.runs.is_empty() {
            self.spill()?;
            return merge(&mut self.runs, self.most, put);
        }
        let (records, bytes) = (std::mem::take(&mut self.records), std::mem::take(&mut self.bytes));
        for record in records {
            if put(record.key(&bytes), record.row(&bytes))?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Writes a sorted temporary file: for each row, the lengths of its key and of its bytes, then the key and the bytes.
struct RunWriter(BufWriter<File>);

impl RunWriter {
    fn new(folder: &PathBuf) -> io::Result<RunWriter> {
        tempfile::tempfile_in(folder).map(|file| RunWriter(BufWriter::with_capacity(1 << 18, file)))
    }

    fn put(&mut self, key: &[u8], row: &[u8]) -> io::Result<()> {
        for part in [key, row] {
            self.0.write_all(&(part.len() as u32).to_le_bytes())?;
        }
        self.0.write_all(key)?;
        self.0.write_all(row)
    }

    fn finish(self) -> io::Result<File> {
        let mut file = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(file)
    }
}

/// A sorted temporary file that is being read. Readers are compared so that a heap returns the reader with the smallest key first.
struct RunReader {
    file: BufReader<File>,
    key: Vec<u8>,
    row: Vec<u8>,
}

impl RunReader {
    /// Reads the next row. Returns whether there is one.
    fn advance(&mut self) -> io::Result<bool> {
        let mut lengths = [[0; 4]; 2];
        match self.file.read_exact(lengths.as_flattened_mut()) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        let [key, row] = lengths.map(u32::from_le_bytes);
        self.key.resize(key as usize, 0);
        self.row.resize(row as usize, 0);
        self.file.read_exact(&mut self.key)?;
        self.file.read_exact(&mut self.row)?;
        Ok(true)
    }
}

impl Ord for RunReader {
    fn cmp(&self, other: &RunReader) -> Ordering {
        other.key.cmp(&self.key)
    }
}

impl PartialOrd for RunReader {
    fn partial_cmp(&self, other: &RunReader) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RunReader {
    fn eq(&self, other: &RunReader) -> bool {
        self.key == other.key
    }
}

impl Eq for RunReader {}

/// Merges sorted temporary files: passes the first `most` rows, or all rows, to `put`, in the order of their keys. Stops if `put` returns
/// `Break`.
fn merge<E: From<io::Error>>(
    runs: &mut Vec<File>,
    most: Option<u64>,
    mut put: impl FnMut(&[u8], &[u8]) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut heap = BinaryHeap::with_capacity(runs.len());
    for file in runs.drain(..) {
        let file = BufReader::with_capacity(1 << 18, file);
        let mut reader = RunReader { file, key: Vec::new(), row: Vec::new() };
        if reader.advance()? {
            heap.push(reader);
        }
    }
    let mut left = most.unwrap_or(u64::MAX);
    while left > 0
        && let Some(mut reader) = heap.peek_mut()
    {
        if put(&reader.key, &reader.row)?.is_break() {
            break;
        }
        left -= 1;
        if !reader.advance()? {
            PeekMut::pop(reader);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// With little memory there are many sorted runs, which are merged in several steps.
        #[test]
        fn rows_are_sorted_with_any_amount_of_memory(
            numbers in prop::collection::vec(any::<u16>(), 0..600),
            most in prop::option::of(0..700_u64),
            memory in prop::sample::select(vec![1, 100, 1000, 1 << 20]),
        ) {
            let mut sorter = Sorter { memory, ..Sorter::new(most, std::env::temp_dir()) };
            let key = |number: u16, at: usize| [&number.to_be_bytes()[..], &(at as u64).to_be_bytes()].concat();
            for (at, &number) in numbers.iter().enumerate() {
                sorter.push(&key(number, at), number.to_string().as_bytes()).unwrap();
            }
            let mut sorted = Vec::new();
            sorter.for_each(|key, row| {
                sorted.push((key.to_owned(), row.to_owned()));
                Ok::<_, io::Error>(ControlFlow::Continue(()))
            }).unwrap();
            let mut expected: Vec<_> = numbers.iter().enumerate().map(|(at, &number)| (key(number, at), number.to_string().into_bytes())).collect();
            expected.sort();
            expected.truncate(most.map_or(usize::MAX, |most| most as usize));
            prop_assert_eq!(sorted, expected);
        }
    }
}
