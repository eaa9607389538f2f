//! The formats with one puzzle on each line.

use std::borrow::Cow;
use std::ops::Range;

use sudobench_sudoku::puzzle::{CELLS, Puzzle};

use super::InputFormat;
use super::alike::Alike;
use super::block::Block;
use super::columns::Chosen;
use super::error::SourceError;
use super::format::TextReader;
use super::jsonl;
use super::layout::{Layout, ResolvedLayout, RowLayout, RowText, Values};
use super::options::Options;
use super::parsed::{MAX_RECORD, ParsedBlock, Row, RowRanges};
use super::sample::{RECORDS, Sample};
use super::spreadsheet::read_puzzle;
use super::text::{is_row, line_at};

pub(super) const READER: TextReader = TextReader {
    order: 3,
    find,
    empty: Some(|format, options| Layout::new(LinesLayout::new(format, options))),
    may_have_count: true,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LinesLayout {
    /// [`InputFormat::LINES`] or [`InputFormat::SDM`], which are read in the same way, or [`InputFormat::NPY`], whose rows become lines.
    format: InputFormat,
    /// Whether text may precede the puzzle: some row at the start of some file has such text, or the user named the format `lines` or
    /// `sdm`.
    has_label: bool,
    /// Whether text may follow the puzzle: some row at the start of some file has such text, or the user named the format `lines` or `sdm`.
    has_comment: bool,
    /// See [`Options::restore_zeros`](super::Options::restore_zeros).
    restores_zeros: bool,
}

impl LinesLayout {
    /// Makes a layout without columns for text before and after the puzzle. But if the user names the format, and it isn't
    /// [`InputFormat::NPY`], the layout has both columns.
    fn new(format: InputFormat, options: &Options) -> LinesLayout {
        let is_named = options.format.is_some_and(|format| format != InputFormat::NPY);
        LinesLayout {
            format,
            has_label: is_named,
            has_comment: is_named,
            restores_zeros: options.restore_zeros,
        }
    }

    /// Returns the layout for lines in `format`. If a line of the sample has text before or after its puzzle, the layout has a column for
    /// this text.
    fn found(sample: &Sample<'_>, format: InputFormat) -> LinesLayout {
        let mut layout = LinesLayout::new(format, sample.options);
        // A text of an array is a puzzle as a whole, or malformed.
        let has_words = format != InputFormat::NPY;
        for (text, puzzle) in puzzles(sample).filter(|_| has_words) {
            layout.has_label |= !text[..puzzle.start].trim_ascii().is_empty();
            layout.has_comment |= !text[puzzle.end..].trim_ascii().is_empty();
        }
        layout
    }

    /// Returns whether a line has a label or a comment for which the layout has no column. `puzzle` is the range of the line's puzzle.
    fn has_no_place_for(&self, line: &[u8], puzzle: &Range<usize>) -> bool {
        let is_missing = |has_place: bool, words: &[u8]| !has_place && !words.trim_ascii().is_empty();
        is_missing(self.has_label, &line[..puzzle.start]) || is_missing(self.has_comment, &line[puzzle.end..])
    }
}

/// Returns the layout if one of the first three words of some line is a puzzle, or if the format is already known.
fn find(sample: &Sample<'_>) -> Result<Option<(Layout, usize)>, SourceError> {
    let asked = sample.options.format;
    let is_found = asked.is_some() || puzzles(sample).next().is_some();
    let layout = || Layout::new(LinesLayout::found(sample, asked.unwrap_or(InputFormat::LINES)));
    Ok(is_found.then(|| (layout(), 0)))
}

/// Returns the lines with a puzzle, each with the position of its puzzle. Looks only at the first [`RECORDS`] rows of the sample.
pub(super) fn puzzles<'text>(sample: &Sample<'text>) -> impl Iterator<Item = (&'text [u8], Range<usize>)> {
    let restores_zeros = sample.options.restore_zeros;
    sample.lines().filter(|line| is_row(line)).take(RECORDS).filter_map(move |line| {
        let puzzle = find_puzzle(line);
        read_puzzle(&line[puzzle.clone()], restores_zeros).is_ok().then_some((line, puzzle))
    })
}

impl RowLayout for LinesLayout {
    fn format(&self) -> InputFormat {
        self.format
    }

    fn columns(&self) -> (Option<Vec<Vec<u8>>>, Chosen) {
        let names =
            [self.has_label.then_some("label"), Some("puzzle"), self.has_comment.then_some("comment")];
        let names = names.into_iter().flatten().map(|name| name.as_bytes().to_vec()).collect();
        (Some(names), Chosen { puzzle: usize::from(self.has_label), solution: None })
    }

    fn resolved(&self) -> ResolvedLayout {
        ResolvedLayout {
            label_column: Some(self.has_label),
            comment_column: Some(self.has_comment),
            ..ResolvedLayout::default()
        }
    }

    fn row_text(&self) -> RowText {
        if self.format == InputFormat::NPY { RowText::Puzzle } else { RowText::Words }
    }

    fn parse(&self, block: &mut Block, parsed: &mut ParsedBlock) {
        let bytes = &block.bytes;
        let (mut at, mut number) = (0, block.first_line);
        let mut alike = Alike::default();
        while at < bytes.len() {
            let line = line_at(bytes, at);
            let rows = parsed.rows.len();
            parse_line(self, bytes, line.text, number, parsed);
            number += 1;
            at = line.next;
            if parsed.rows.len() > rows {
                alike.read(bytes, &mut at, &mut number, parsed);
            }
        }
    }

    /// A malformed line is returned whole as the puzzle.
    fn values<'t>(&self, row: &Row, text: &'t [u8], puzzle: Option<&Puzzle>) -> Values<'t> {
        let place = |at: u32| (at - row.text.start) as usize;
        let found = place(row.puzzle_text.start)..place(row.puzzle_text.end);
        let [label, puzzle, comment] = match puzzle {
            Some(_) => {
                [text[..found.start].trim_ascii(), &text[found.clone()], text[found.end..].trim_ascii()]
            }
            None => [b"", text, b""],
        };
        let parts = [self.has_label.then_some(label), Some(puzzle), self.has_comment.then_some(comment)];
        Some(parts.into_iter().flatten().map(Cow::Borrowed).collect())
    }

    fn widened(&self, sample: &Sample<'_>) -> Option<Layout> {
        let later = LinesLayout::found(sample, self.format);
        Some(Layout::new(LinesLayout {
            has_label: self.has_label | later.has_label,
            has_comment: self.has_comment | later.has_comment,
            ..self.clone()
        }))
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
