//! The formats with one puzzle on each line.

use std::ops::Range;

use sudobench_sudoku::puzzle::{CELLS, Puzzle};

use super::alike::Alike;
use super::format::InputFormat;
use super::jsonl;
use super::options::Options;
use super::parsed::{MAX_RECORD, ParsedBlock, RowRanges};
use super::spreadsheet::read_puzzle;
use super::text::{is_row, line_at};

/// The layout of formats with one puzzle on each line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinesLayout {
    /// [`InputFormat::LINES`] or [`InputFormat::SDM`], which are read in the same way, or [`InputFormat::NPY`], whose rows become lines.
    pub format: InputFormat,
    /// Whether text may precede the puzzle: some row at the start of some file has such text, or the user named the format.
    pub has_label: bool,
    /// Whether text may follow the puzzle: some row at the start of some file has such text, or the user named the format.
    pub has_comment: bool,
    /// See [`Options::restore_zeros`](super::Options::restore_zeros).
    pub restores_zeros: bool,
}

impl LinesLayout {
    /// Makes a layout without columns for text before and after the puzzle. But if the user names the format, and it isn't
    /// [`InputFormat::NPY`], the layout has both columns.
    pub(super) fn new(format: InputFormat, options: &Options) -> LinesLayout {
        let is_named = options.format.is_some_and(|format| format != InputFormat::NPY);
        LinesLayout {
            format,
            has_label: is_named,
            has_comment: is_named,
            restores_zeros: options.restore_zeros,
        }
    }

    /// Returns whether a line has words around the puzzle at `puzzle` for which the layout has no column.
    fn has_no_place_for(&self, line: &[u8], puzzle: &Range<usize>) -> bool {
        let is_missing = |has_place: bool, words: &[u8]| !has_place && !words.trim_ascii().is_empty();
        is_missing(self.has_label, &line[..puzzle.start]) || is_missing(self.has_comment, &line[puzzle.end..])
    }
}

/// Reads every row of a block of the lines format.
pub(super) fn parse(layout: &LinesLayout, bytes: &[u8], first_line: u64, parsed: &mut ParsedBlock) {
    let mut at = 0;
    let mut number = first_line;
    let mut alike = Alike::default();
    while at < bytes.len() {
        let line = line_at(bytes, at);
        let rows = parsed.rows.len();
        parse_line(layout, bytes, line.text, number, parsed);
        number += 1;
        at = line.next;
        if parsed.rows.len() > rows {
            alike.read(bytes, &mut at, &mut number, parsed);
        }
    }
}

fn parse_line(layout: &LinesLayout, bytes: &[u8], text: Range<usize>, number: u64, parsed: &mut ParsedBlock) {
    if let Ok(puzzle) = Puzzle::from_text(&bytes[text.clone()]) {
        return parsed.push(RowRanges::from_puzzle(text.clone(), text, number), Ok(puzzle));
    }
    if !is_row(&bytes[text.clone()]) {
        return;
    }
    if text.len() > MAX_RECORD {
        return parsed.push_overlong(text, number);
    }
    let line = &bytes[text.clone()];
    if layout.format == InputFormat::NPY {
        let puzzle_range = jsonl::place(jsonl::shown(line), bytes);
        let puzzle = jsonl::read_value(line, layout.restores_zeros);
        return parsed.push(RowRanges::from_puzzle(text, puzzle_range, number), puzzle);
    }
    let found = find_puzzle(line);
    let word = &line[found.clone()];
    let puzzle = read_puzzle(word, layout.restores_zeros);
    if puzzle.is_ok() && layout.has_no_place_for(line, &found) {
        parsed.unplaced.get_or_insert(parsed.rows.len());
    }
    let puzzle_range = text.start + found.start..text.start + found.end;
    parsed.push(RowRanges::from_puzzle(text, puzzle_range, number), puzzle);
}

/// Returns the position of the puzzle in a line. Only the first three words are searched, and the first word that is a puzzle is returned.
/// If none of them is a puzzle, returns the word that is most like a puzzle, so that the error message is about this word: the first word
/// of 81 characters, or else the longest word.
///
/// Words end at white space or `:`.
pub(super) fn find_puzzle(text: &[u8]) -> Range<usize> {
    let mut nearest = 0..0;
    for word in words(text).take(3) {
        if Puzzle::from_text(&text[word.clone()]).is_ok() {
            return word;
        }
        let has_length = |range: &Range<usize>| range.len() == CELLS;
        if !has_length(&nearest) && (has_length(&word) || word.len() > nearest.len()) {
            nearest = word;
        }
    }
    nearest
}

/// Returns the ranges of the words of a line.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_border = |byte: &u8| byte.is_ascii_whitespace() || *byte == b':';
        let start = at + text[at..].iter().position(|byte| !is_border(byte))?;
        let end = text[start..].iter().position(is_border).map_or(text.len(), |length| start + length);
        at = end;
        Some(start..end)
    })
}
