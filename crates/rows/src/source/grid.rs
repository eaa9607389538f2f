//! Nine lines for each puzzle: compact, spaced, or drawn with vertical bars and horizontal rules, with titles or tags around them.
//!
//! ```text
//! line      = blank      only white space
//!           | rule       only - + = | and white space, but not `dashes`
//!           | dashes     nine dashes between bars and white space: a blank row, or a rule
//!           | row        mostly cells between bars, commas and white space
//!           | other      a title, a # tag, a [Section], or fewer than five cells at the start of a chunk (the number of a grid)
//! chunk     = rows and dashes without a blank or other line between them; rules between them are ignored
//! band      = a chunk of three rows
//! grid      = nine rows of one chunk, or three bands with one blank line between them
//! ```
//! Lines of dashes count as rows only if the number of rows requires this. If a chunk has nine rows without the dashes, and each line of
//! dashes is at the border of a band, the dashes are rules.
//!
//! When a chunk ends, its lines that belong to no complete grid are one incomplete grid, and the chunk after it starts a new grid. So an
//! incomplete grid does not affect the grids around it. A grid after `[State]` shows the previous puzzle again, partly solved, and is left
//! out.
//!
//! ```text
//! next grid from `at`:
//!     for each line:
//!         blank    after a band: the band is kept, and a new chunk starts; third band: grid
//!                  otherwise the chunk ends: its lines are the grid
//!         rule     is ignored
//!         dashes, row   joins the chunk; nine rows: grid; more than three rows in a chunk after a band: the
//!                  bands are an incomplete grid, and this chunk belongs to the next grid
//!         other, overlong line, end of input: the lines so far are the grid
//! ```

use std::borrow::Cow;
use std::ops::Range;

use sudobench_sudoku::puzzle::{CELLS, Puzzle, PuzzleError, value_of_byte};

use super::InputFormat;
use super::block::Block;
use super::columns::Chosen;
use super::fault::RowFault;
use super::format::TextReader;
use super::layout::{self, Layout, ResolvedLayout, RowLayout, RowText, Values};
use super::parsed::{ParsedBlock, Row, RowRanges};
use super::sample::Sample;
use super::spreadsheet::{ReadPuzzle, read_puzzle};
use super::text::{self, Line, Walked, count_line_ends, is_row, is_whole, line_at, lines};

/// Maximum length of a line of a grid in bytes, far above the length of lines in drawings. With this limit and [`MAX_LINES`], all lines of
/// a grid together are shorter than [`MAX_RECORD`](super::parsed::MAX_RECORD).
const MAX_LINE: usize = 1024;
/// Maximum number of lines of a grid, far above the number in drawings.
const MAX_LINES: usize = 32;
/// Largest number of lines of a chunk in which lines of dashes can be horizontal rules: nine rows and four rules. In a chunk with more
/// lines, lines of dashes are blank rows.
const MAX_CHUNK: usize = 13;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Rule,
    Dashes,
    Row,
    /// The line `[State]`, which starts a section that shows the previous puzzle again, partly solved.
    State,
    Other,
}

/// The number of rows and the number of lines of dashes in the current chunk.
#[derive(Clone, Copy, Default)]
struct Chunk {
    rows: usize,
    dashes: usize,
    /// Whether some lines of dashes are inside a band.
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

#[derive(Default)]
struct Pending {
    chunk: Chunk,
    bands: usize,
    first_band: Option<Chunk>,
    /// Start of the first line of the grid.
    start: usize,
    /// Start of the first line that is certainly a row.
    first_row: Option<usize>,
    /// The last line of the grid so far.
    last: Option<LineEnd>,
    /// The last line of the complete bands.
    bands_last: Option<LineEnd>,
    /// The ninth line of the chunk.
    ninth: Option<LineEnd>,
    /// Position of the `[State]` line, if the grid follows such a line and is therefore left out.
    state: Option<usize>,
    /// Number of lines since the start of the grid or since `[State]`.
    lines: usize,
}

#[derive(Clone, Copy)]
struct LineEnd {
    end: usize,
    next: usize,
}

impl Pending {
    /// Processes a line. If the line completes a grid, returns the last line of the grid, which may be an earlier line. The next grid
    /// starts after the returned line.
    fn take(&mut self, class: Class, text: &[u8], line: &Line) -> Option<LineEnd> {
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

    /// Processes a row or a line of dashes. If the line shows where the grid ends, returns the last line of the grid, which may be an
    /// earlier line.
    fn push(&mut self, class: Class, line: &Line) -> Option<LineEnd> {
        let mark = LineEnd { end: line.text.end, next: line.next };
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

    /// Processes a blank line. If the line completes the grid, returns the last line of the grid.
    fn blank(&mut self) -> Option<LineEnd> {
        // If there are only lines of dashes so far, they don't start a grid, because they may be the lower border of the previous drawing.
        if !self.chunk.is_band() || self.first_row.is_none() {
            return self.close();
        }
        self.bands += 1;
        self.first_band.get_or_insert(self.chunk);
        self.bands_last = self.last;
        self.chunk = Chunk::default();
        self.bands_last.filter(|_| self.bands == 3)
    }

    /// Ends the grid. Returns its last line; `None` if the lines so far are no grid.
    fn close(&mut self) -> Option<LineEnd> {
        let is_grid = self.bands > 0 || self.chunk.rows > 0 || self.chunk.dashes >= 9;
        if !is_grid {
            // There are no lines, or only lines of dashes, which are horizontal rules without a grid.
            *self = Pending { state: self.state, lines: self.lines, ..Pending::default() };
        }
        self.last
    }

    /// Returns the grid as a record that ends with this line. Lines of dashes before the first row are left out, because they may be
    /// the lower border of the previous grid, unless each of them is a row of nine blanks.
    fn record(&self, last: LineEnd) -> Line {
        let first = self.first_band.unwrap_or(self.chunk);
        let dashes_are_rows = (first.lines() == 3 || self.ninth.is_some()) && !matches!(first.rows, 3 | 9);
        let start = self.first_row.filter(|_| !dashes_are_rows).unwrap_or(self.start);
        Line { text: start..last.end, next: last.next }
    }

    /// Returns the position from which the search must be repeated when there are more bytes.
    fn restart(&self, line: usize) -> usize {
        let started = self.last.map_or(line, |_| self.start);
        self.state.unwrap_or(started)
    }
}

/// Finds the next grid from `at`, which must be the end of a grid or the start of the text. `ended`: whether the input has no more bytes.
fn next_grid(bytes: &[u8], mut at: usize, ended: bool) -> Walked {
    let mut pending = Pending::default();
    while at < bytes.len() {
        let line = line_at(bytes, at);
        let text = &bytes[line.text.clone()];
        let is_long = text.len() > MAX_LINE;
        let is_partial = !ended && !is_whole(bytes, &line);
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
        if is_long && is_row(text) {
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

pub(super) const READER: TextReader = TextReader {
    order: 4,
    find: |sample| {
        let format = sample.options.format.or_else(|| detect(sample));
        Ok(format.map(|format| (Layout::new(GridLayout(format)), 0)))
    },
    empty: Some(|format, _| Layout::new(GridLayout(format))),
    may_have_count: true,
};

/// The layout of grids. All grid formats are read in the same way, so the layout stores only the format.
#[derive(Debug)]
struct GridLayout(InputFormat);

impl RowLayout for GridLayout {
    fn format(&self) -> InputFormat {
        self.0
    }

    fn columns(&self) -> (Option<Vec<Vec<u8>>>, Chosen) {
        (Some(vec![b"puzzle".to_vec()]), Chosen { puzzle: 0, solution: None })
    }

    fn resolved(&self) -> ResolvedLayout {
        ResolvedLayout::default()
    }

    fn row_text(&self) -> RowText {
        RowText::Drawing
    }

    fn parse(&self, block: &mut Block, parsed: &mut ParsedBlock) {
        let bytes = &block.bytes;
        let (mut at, mut number) = (0, block.first_line);
        while let Walked::Record(record) = next_grid(bytes, at, true) {
            let text = record.text;
            number += count_line_ends(&bytes[at..text.start]);
            if text.len() > MAX_LINE && line_at(bytes, text.start).text == text {
                parsed.push_overlong(text.clone(), number);
            } else {
                let puzzle = puzzle_of(&bytes[text.clone()]);
                parsed.push(RowRanges::from_puzzle(text.clone(), text.clone(), number), puzzle);
            }
            number += count_line_ends(&bytes[text.start..record.next]);
            at = record.next;
        }
    }

    fn values<'t>(&self, _: &Row, text: &'t [u8], puzzle: Option<&Puzzle>) -> Values<'t> {
        let line = puzzle.map(|puzzle| Cow::Owned(puzzle.to_string().into_bytes()));
        Some(vec![line.unwrap_or(Cow::Borrowed(text))])
    }

    fn next_row(&self, block: &Block, at: usize) -> Option<Line> {
        next_grid(&block.bytes, at, true).record()
    }

    fn whole_records(&self, bytes: &[u8], _: bool, ended: bool) -> usize {
        if ended { bytes.len() } else { layout::whole_records(false, |at| next_grid(bytes, at, false)) }
    }

    fn has_line_records(&self, _: &[u8]) -> bool {
        false
    }
}

/// Returns the format of the sample, if the sample contains a grid that is a puzzle.
fn detect(sample: &Sample<'_>) -> Option<InputFormat> {
    let text = grids(sample).map(|range| &sample.text[range]).find(|text| puzzle_of(text).is_ok())?;
    let has_tags =
        sample.text.split(|&byte| byte == b'\n').any(|line| matches!(line.first(), Some(b'#' | b'[')));
    Some(match () {
        () if has_tags => InputFormat::SDK,
        () if is_plain(text, Some(b' ')) => InputFormat::BOJ2580,
        () if is_plain(text, None) => InputFormat::BOJ2239,
        () => InputFormat::GRID,
    })
}

/// Returns the positions of the grids in the sample, including invalid ones.
pub(super) fn grids(sample: &Sample<'_>) -> impl Iterator<Item = Range<usize>> {
    text::records(|at| next_grid(sample.text, at, sample.is_all)).map(|record| record.text)
}

/// Returns a line without white space, bars and commas. The other bytes may be cells.
fn compact(text: &[u8]) -> impl Iterator<Item = u8> + '_ {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'|' | b','))
}

fn class_of(text: &[u8]) -> Class {
    let trimmed = text.trim_ascii();
    match trimmed.first() {
        None => return Class::Blank,
        Some(b'#') => return Class::Other,
        Some(b'[') if trimmed.len() >= 6 && trimmed[1..6].eq_ignore_ascii_case(b"state") => {
            return Class::State;
        }
        Some(b'[') => return Class::Other,
        Some(_) => {}
    }
    let (mut length, mut cells, mut dashes, mut ruled) = (0, 0, 0, 0);
    for byte in compact(trimmed) {
        length += 1;
        cells += usize::from(value_of_byte(byte).is_some());
        dashes += usize::from(byte == b'-');
        ruled += usize::from(matches!(byte, b'-' | b'+' | b'='));
    }
    match () {
        () if ruled == length && dashes == 9 && length == 9 => Class::Dashes,
        () if ruled == length => Class::Rule,
        () if cells * 3 > length * 2 => Class::Row,
        () => Class::Other,
    }
}

/// Returns whether a line is too short to be the first row of a chunk. The line is then the number of the grid below it.
fn is_number(text: &[u8]) -> bool {
    compact(text).take(5).count() < 5
}

/// Reads a text that consists of one puzzle: 81 characters, or several lines that show a grid.
///
/// ```
/// use sudobench_rows::source::read_text;
/// let grid = "5 3 . | . 7 . | . . .\n".repeat(9);
/// assert_eq!(read_text(grid.as_bytes(), false)?.puzzle.clue_count(), 27);
/// # Ok::<(), sudobench_rows::source::RowFault>(())
/// ```
///
/// # Errors
///
/// [`RowFault`] if the text is not a puzzle.
#[inline]
pub fn read_text(text: &[u8], restores_zeros: bool) -> Result<ReadPuzzle, RowFault> {
    match read_puzzle(text, restores_zeros) {
        Err(RowFault::Puzzle(PuzzleError::Length(_))) if text.contains(&b'\n') || text.contains(&b'\r') => {
            puzzle_of(text).map(ReadPuzzle::from)
        }
        read => read,
    }
}

fn puzzle_of(text: &[u8]) -> Result<Puzzle, RowFault> {
    read_grid(text).map_err(|(fault, _)| fault)
}

/// Returns the puzzle in a grid's lines, or its fault and the start of the faulty line. If the number of rows is wrong, the first line
/// counts as the faulty one.
pub(super) fn read_grid(text: &[u8]) -> Result<Puzzle, (RowFault, usize)> {
    let drawn = || classified_lines(text).filter(|(class, _)| matches!(class, Class::Row | Class::Dashes));
    let rows = drawn().filter(|(class, _)| *class == Class::Row).count();
    let takes_dashes = rows != 9 && drawn().count() == 9;
    if rows != 9 && !takes_dashes {
        return Err((RowFault::GridRows { rows }, 0));
    }
    let mut values = [0; CELLS];
    let taken = drawn().filter(|(class, _)| takes_dashes || *class == Class::Row);
    for ((index, (_, line)), row) in taken.enumerate().zip(values.as_chunks_mut::<9>().0) {
        let start = line.start;
        read_row(&text[line], index + 1, row).map_err(|fault| (fault, start))?;
    }
    Puzzle::try_from(values).map_err(|fault| (fault.into(), 0))
}

/// Returns whether the first line has about nine cells, like the first line of a grid.
pub(super) fn starts_like_grid(text: &[u8]) -> bool {
    (7..=11).contains(&compact(&text[line_at(text, 0).text]).count())
}

fn read_row(text: &[u8], number: usize, row: &mut [u8; 9]) -> Result<(), RowFault> {
    let cells = compact(text).count();
    if cells != row.len() {
        return Err(RowFault::GridCells { row: number, cells });
    }
    for (cell, byte) in row.iter_mut().zip(compact(text)) {
        *cell = value_of_byte(byte).ok_or(RowFault::GridByte { row: number, byte })?;
    }
    Ok(())
}

fn classified_lines(text: &[u8]) -> impl Iterator<Item = (Class, Range<usize>)> + '_ {
    lines(text, 0).map(|line| (class_of(&text[line.text.clone()]), line.text))
}

/// Returns whether each line of the grid is nine digits with nothing, or with `gap`, between them.
fn is_plain(text: &[u8], gap: Option<u8>) -> bool {
    let is_plain_row = |row: &[u8]| match gap {
        None => row.len() == 9 && row.iter().all(u8::is_ascii_digit),
        Some(gap) => {
            row.len() == 17
                && row.iter().step_by(2).all(u8::is_ascii_digit)
                && row.iter().skip(1).step_by(2).all(|&byte| byte == gap)
        }
    };
    classified_lines(text).all(|(_, line)| is_plain_row(text[line].trim_ascii_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_lines_are_distinguished() {
        let cases = [
            (Class::Blank, &["", " \t "][..]),
            (
                Class::Rule,
                &["---+---+---", "+-------+-------+", "------------", "=========", "| | |", "--------"],
            ),
            (Class::Dashes, &["---------", "---|---|---", "- - - - - - - - -"]),
            (
                Class::Row,
                &[
                    "530070000",
                    "5 3 . | . 7 . | . . .",
                    "|xxx|***|___|",
                    "5,3,0,0,7,0,0,0,0",
                    "53..7..",
                    "5--------",
                ],
            ),
            (Class::State, &["[State]", " [STATE] "]),
            (Class::Other, &["#A 530070000", "[Puzzle]", "Grid 01", "No. 17 (easy)", "solved by hand"]),
        ];
        for (class, lines) in cases {
            for line in lines {
                assert!(class_of(line.as_bytes()) == class, "{line}");
            }
        }
    }

    #[test]
    fn only_few_cells_are_a_number() {
        assert!(is_number(b"17") && is_number(b"1234 "));
        assert!(!is_number(b"53007"));
    }
}
