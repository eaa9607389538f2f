//! Nine lines a puzzle: compact, spaced, drawn with bars and rules, with titles or tags around them.
//!
//! ```text
//! line      = blank | rule | dashes | row | other, see [`drawing`](super::drawing)
//! chunk     = rows and dashes without a blank or other line between them; rules inside count for nothing
//! band      = a chunk of three rows
//! grid      = nine rows of one chunk, or three bands with one blank line between them
//! ```
//! Dashes are rows only where that makes the count right: in a chunk that has nine rows without them they are
//! rules, provided that each stands at the border of a band.
//!
//! What is left of a chunk when it ends is one short grid, and the next chunk starts afresh: a grid that was cut
//! short spoils none that stands apart from it. After `[State]` a grid is another view of the puzzle before and
//! is left out.
//!
//! ```text
//! next grid from `at`:
//!     for each line:
//!         blank    behind a band: the band is kept, the chunk starts again; third band: grid
//!                  otherwise the chunk ends: what there is, is the grid
//!         rule     -
//!         dashes, row   joins the chunk; nine rows: grid; more than three rows behind a band: the bands were
//!                  a short grid, this chunk is another
//!         other, overlong line, end of input: what there is, is the grid
//! ```

use super::MAX_RECORD;
use super::drawing::{Class, class_of, is_number, puzzle_of};
use super::lines::{self, Line, Walked, count_line_ends, line_at};
use super::row::{ParsedBlock, RowFault, RowRanges};

/// A longer line is no row, in bytes. Far above any drawing, and low enough that the lines of a grid stay below
/// [`MAX_RECORD`].
const MAX_LINE: usize = 1024;
/// More lines than any drawing of a grid has.
const MAX_LINES: usize = 32;
/// Nine rows and four rules; more lines than that are rows.
const MAX_CHUNK: usize = 13;

/// The rows and dashes since the last blank line.
#[derive(Clone, Copy, Default)]
struct Chunk {
    rows: usize,
    dashes: usize,
    /// Some dashes stand inside a band.
    dashes_inside: bool,
}

impl Chunk {
    fn push(&mut self, class: Class) {
        if class == Class::Row {
            self.rows += 1;
        } else {
            self.dashes += 1;
            self.dashes_inside |= !self.rows.is_multiple_of(3);
        }
    }

    fn lines(&self) -> usize {
        self.rows + self.dashes
    }

    fn is_band(&self) -> bool {
        self.rows == 3 || self.lines() == 3
    }
}

/// The grid under way.
#[derive(Default)]
struct Pending {
    chunk: Chunk,
    bands: usize,
    first_band: Option<Chunk>,
    /// Where the first line of the grid starts.
    start: usize,
    /// Where the first line that is certainly a row starts.
    first_row: Option<usize>,
    /// The last line that belongs to the grid.
    last: Option<Mark>,
    /// The last line of the bands.
    bands_last: Option<Mark>,
    /// The ninth line of the chunk.
    ninth: Option<Mark>,
    /// Where `[State]` stands, if this grid is one to leave out.
    state: Option<usize>,
    /// The lines since the grid, or `[State]`, started.
    lines: usize,
}

/// The end of a line, and the start of the next.
#[derive(Clone, Copy)]
struct Mark {
    end: usize,
    next: usize,
}

impl Pending {
    /// Takes a line. Returns the last line of the grid that this completes; the grid then starts afresh behind
    /// that line, even where the line just taken is a later one.
    fn take(&mut self, class: Class, text: &[u8], line: &Line) -> Option<Mark> {
        let numbers_grid = class == Class::Row && self.chunk.lines() == 0 && is_number(text);
        let class = if numbers_grid { Class::Other } else { class };
        let complete = match class {
            Class::Row | Class::Dashes => self.push(class, line),
            Class::Blank => self.blank(),
            Class::Rule => None,
            Class::State | Class::Other => self.close(),
        };
        if complete.is_some() {
            return complete;
        }
        match class {
            Class::State => *self = Pending { state: Some(line.text.start), ..Pending::default() },
            Class::Other => self.state = None,
            _ => {}
        }
        self.lines += usize::from(self.last.is_some() || self.state.is_some());
        if self.lines <= MAX_LINES {
            return None;
        }
        let complete = self.close();
        if complete.is_none() {
            *self = Pending::default();
        }
        complete
    }

    /// Takes a line of the grid. Returns the last line of the grid that this completes.
    fn push(&mut self, class: Class, line: &Line) -> Option<Mark> {
        let mark = Mark { end: line.text.end, next: line.next };
        if self.last.is_none() {
            self.start = line.text.start;
        }
        if class == Class::Row {
            self.first_row.get_or_insert(line.text.start);
        }
        self.chunk.push(class);
        self.last = Some(mark);
        if self.bands > 0 && self.chunk.rows > 3 {
            return self.bands_last;
        }
        if self.chunk.lines() == 9 {
            self.ninth = Some(mark);
        }
        if self.chunk.rows == 9 && !self.chunk.dashes_inside {
            return Some(mark);
        }
        let are_rows = self.chunk.dashes_inside || self.chunk.lines() > MAX_CHUNK;
        self.ninth.filter(|_| are_rows)
    }

    /// Takes a blank line. Returns the last line of the grid that this completes.
    fn blank(&mut self) -> Option<Mark> {
        // Dashes alone start no grid: they are the rules of a drawing that has no more rows.
        if !self.chunk.is_band() || self.first_row.is_none() {
            return self.close();
        }
        self.bands += 1;
        self.first_band.get_or_insert(self.chunk);
        self.bands_last = self.last;
        self.chunk = Chunk::default();
        self.bands_last.filter(|_| self.bands == 3)
    }

    /// The last line of the grid where nothing more belongs to it.
    fn close(&mut self) -> Option<Mark> {
        let is_grid = self.bands > 0 || self.chunk.rows > 0 || self.chunk.dashes >= 9;
        if !is_grid {
            // Nothing, or a rule of nine dashes.
            *self = Pending { state: self.state, lines: self.lines, ..Pending::default() };
        }
        self.last
    }

    /// The grid as a record that ends with this line. Dashes before it that are no row stay outside: they may
    /// be the last rule of the grid before.
    fn record(&self, last: Mark) -> Line {
        let first = self.first_band.unwrap_or(self.chunk);
        let dashes_are_rows = (first.lines() == 3 || self.ninth.is_some()) && !matches!(first.rows, 3 | 9);
        let start = self.first_row.filter(|_| !dashes_are_rows).unwrap_or(self.start);
        Line { text: start..last.end, next: last.next }
    }

    /// Where to start again with more bytes.
    fn restart(&self, line: usize) -> usize {
        let started = self.last.map_or(line, |_| self.start);
        self.state.unwrap_or(started)
    }
}

/// The next grid from `at`, which is where a grid ended or the input starts.
pub(super) fn next_grid(bytes: &[u8], mut at: usize, ended: bool) -> Walked {
    let mut pending = Pending::default();
    while at < bytes.len() {
        let line = line_at(bytes, at);
        let text = &bytes[line.text.clone()];
        let is_long = text.len() > MAX_LINE;
        let is_partial = !ended && !lines::is_whole(bytes, &line);
        if is_partial && !is_long {
            break;
        }
        let class = if is_long { Class::Other } else { class_of(text) };
        if let Some(mark) = pending.take(class, text, &line) {
            if pending.state.is_none() {
                return Walked::Record(pending.record(mark));
            }
            pending = Pending::default();
            at = mark.next;
            continue;
        }
        if is_long && is_partial {
            return Walked::More { from: at };
        }
        if is_long && lines::is_row(text) {
            return Walked::Record(line);
        }
        at = line.next;
    }
    if !ended {
        return Walked::More { from: pending.restart(at) };
    }
    match pending.close() {
        Some(mark) if pending.state.is_none() => Walked::Record(pending.record(mark)),
        _ => Walked::More { from: bytes.len() },
    }
}

/// Reads every grid of a block.
pub(super) fn parse(bytes: &[u8], first_line: u64, parsed: &mut ParsedBlock) {
    let (mut at, mut number) = (0, first_line);
    while let Walked::Record(record) = next_grid(bytes, at, true) {
        let text = record.text;
        number += count_line_ends(&bytes[at..text.start]);
        if text.len() > MAX_LINE && line_at(bytes, text.start).text == text {
            let kept = text.start..text.end.min(text.start + MAX_RECORD);
            parsed
                .push_fault(RowRanges::bare(kept, number), RowFault::Overlong { length: text.len() as u64 });
        } else {
            let puzzle = puzzle_of(&bytes[text.clone()]);
            parsed.push(
                RowRanges { puzzle: text.clone(), text: text.clone(), expected: None, line: number },
                puzzle,
            );
        }
        number += count_line_ends(&bytes[text.start..record.next]);
        at = record.next;
    }
}
