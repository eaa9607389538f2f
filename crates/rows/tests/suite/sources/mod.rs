//! Tests of the whole source layer, from the bytes of an input to its rows.

mod compressed;
mod errors;
mod inputs;
mod jsonl;
mod npy;
mod output;
mod properties;
mod rows;

use std::fmt;
use std::io::{Cursor, Read};
use std::ops::Range;
use std::sync::Arc;

use sudobench_rows::source::{BlockSize, InputFormat, Layout, Options, ParsedBlock, Source, SourceError};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// A row with copies of its texts, so that it does not borrow from its block.
#[derive(Clone, PartialEq, Eq)]
struct Seen {
    line: u64,
    text: Vec<u8>,
    puzzle_text: Vec<u8>,
    expected: Option<Vec<u8>>,
    /// The puzzle with `.` for blanks, or the reason why there is none.
    puzzle: Result<String, String>,
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = self.expected.as_ref().map(|text| text.escape_ascii().to_string());
        let (text, puzzle_text) = (self.text.escape_ascii(), self.puzzle_text.escape_ascii());
        write!(f, "\n{} '{text}' '{puzzle_text}' {expected:?} {:?}", self.line, self.puzzle)
    }
}

/// Returns all rows of a source. If the source continues an earlier run, the rows that the earlier run has done are left out. Checks the
/// properties that every block must have.
fn rows_of(source: &mut Source) -> Result<Vec<Seen>, SourceError> {
    let mut seen = Vec::new();
    push_rows(source, &mut seen)?;
    Ok(seen)
}

/// Returns the rows of a source, and the error at which reading ended, if there was one.
fn rows_and_error(mut source: Source) -> (Vec<Seen>, Option<SourceError>) {
    let mut seen = Vec::new();
    let error = push_rows(&mut source, &mut seen).err();
    (seen, error)
}

/// Appends the rows that [`rows_of`] returns. Rows before an error are appended, too.
fn push_rows(source: &mut Source, seen: &mut Vec<Seen>) -> Result<(), SourceError> {
    let layout = Arc::clone(source.layout());
    let mut rows = ParsedBlock::default();
    let mut buffer = Vec::new();
    while let Some(mut block) = source.next_block(buffer)? {
        layout.parse(&mut block, &mut rows);
        let before = seen.len();
        let mut puzzles = rows.puzzles.iter();
        let mut last_end = 0;
        for row in &rows.rows {
            let text = |range: &Range<u32>| block.bytes[range.start as usize..range.end as usize].to_vec();
            assert!(row.text.start >= last_end, "rows come in order");
            last_end = row.text.end;
            for range in row.expected.iter().chain([&row.puzzle_text]) {
                assert!(
                    row.text.start <= range.start && range.end <= row.text.end,
                    "fields lie in their row"
                );
            }
            let puzzle = match row.fault {
                None => Ok(puzzles.next().unwrap().to_string()),
                Some(fault) => Err(fault.to_string()),
            };
            let (text, puzzle_text, expected) =
                (text(&row.text), text(&row.puzzle_text), row.expected.as_ref().map(text));
            seen.push(Seen { line: row.line, text, puzzle_text, expected, puzzle });
        }
        assert_eq!(puzzles.next(), None, "one puzzle for every row without a fault");
        assert!(block.done == 0 || block.done < seen.len() - before, "something is left to do in a block");
        seen.drain(before..before + block.done);
        buffer = block.bytes;
    }
    Ok(())
}

fn open(bytes: &[u8], options: Options) -> Result<Source, SourceError> {
    Source::from_reader("standard input", Cursor::new(bytes.to_vec()), options)
}

fn read(bytes: &[u8], options: Options) -> Result<(Arc<Layout>, Vec<Seen>), SourceError> {
    let mut source = open(bytes, options)?;
    let layout = Arc::clone(source.layout());
    Ok((layout, rows_of(&mut source)?))
}

fn forced(format: InputFormat) -> Options {
    Options { format: Some(format), ..Options::default() }
}

fn blocks_of(min: usize, max: usize) -> BlockSize {
    BlockSize { min, max }
}

/// A reader that returns one byte for each read, as a slow pipe might.
struct Dripping<R>(R);

impl<R: Read> Read for Dripping<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}

#[test]
fn a_source_may_be_read_by_any_thread() {
    fn sendable<T: Send>() {}
    sendable::<Source>();
}
