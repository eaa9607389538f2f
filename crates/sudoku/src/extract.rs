//! Finds the grid in a text, such as the answer of a language model.
//!
//! # Which part of the text counts
//! 1. If there is a closed `<answer>`, only the text in the last closed `<answer>` counts. A grid elsewhere or in a later `<answer>` that
//!    is not closed is ignored.
//! 2. Otherwise all text outside of `<think>` counts. A `<think>` that is not closed lasts until the end of the text. If there is no
//!    `<think>` before the first `</think>`, all text before this `</think>` is ignored, because some prompts end with `<think>`.
//!
//! Tags may be in capitals.
//!
//! # Which grid counts
//! The last grid without blanks; if there is none, the last grid with blanks. Whether a grid obeys the rules doesn't matter.
//!
//! # What is a grid
//!
//! Cells are the digits `1` to `9`, and `.`, `0` and `_` for blanks. A dot after a word, after `]`, or after a character that cannot be in
//! a grid is not a cell. `null` and `None` are blanks, too, and so is an empty text in a list. Two forms of grids are found:
//!
//! - *Nine lines* of nine cells each. A line may start with a label: a number, a letter from A to I, or words such as `Row 1`, `r1` and
//!   `First row`. A line that starts with other words can only be the first row. If a word follows the cells, the word and everything after
//!   it in the line are ignored. Between the rows there may be horizontal lines and, unless there are nine rows already, empty lines. Any
//!   other line ends the grid. If there are more than nine rows, for example because a header of numbers is read as a row, the last nine
//!   rows are a grid, the nine rows before them are another grid, and so on. If each cell of a line is between bars, an empty cell is a
//!   blank.
//! - *81 cells* with nothing between them, or with spaces, commas and other punctuation, brackets, quotes and single line ends. The grid
//!   ends where the outermost bracket closes; without brackets, it ends with the line that has the last cell.
//!
//! In both forms, cells may be written one by one, in groups of three, or in groups of nine or more. All 81 cells, or the nine cells of a
//! line, must be grouped in the same way. So a number such as 12 in a list is not read as cells. One full stop after the last digit is
//! ignored. Common markup of Markdown, HTML and LaTeX between the cells is skipped or read as a separator.

mod rows;
mod run;
mod token;

use std::fmt;

use crate::puzzle::{CELLS, Puzzle};
use token::{Token, tokens};

/// A grid that was found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// The grid. It may have blanks, and break the rules.
    pub grid: Puzzle,
    /// The form in which the grid is written.
    pub form: TextForm,
}

/// The form in which a grid is written in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextForm {
    /// 81 cells without brackets, on one line or several.
    Digits,
    /// Nine lines without bars and brackets.
    Lines,
    /// Nine lines with bars between the boxes.
    Box,
    /// Nine lines with bars between all cells, such as a Markdown table.
    Table,
    /// A list of cells or rows, with brackets or quotes.
    List,
}

impl TextForm {
    /// The names of all forms.
    pub const NAMES: &[&str] = &["digits", "lines", "box", "table", "list"];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        TextForm::NAMES[self as usize]
    }
}

impl fmt::Display for TextForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Finds the grid in a text, by the rules in the docs of the [module](self). Takes linear time.
///
/// ```
/// use sudobench_sudoku::extract::{TextForm, extract};
///
/// let rows = ["534678912", "672195348", "198342567", "859761423", "426853791", "713924856", "961537284", "287419635", "345286179"];
/// let text = format!("<think>Row 1 lacks 1, 2 and 4.</think>\nThe solution is:\n{}\nDone.", rows.join("\n"));
/// let found = extract(&text).unwrap();
/// assert_eq!((found.grid.to_string(), found.form), (rows.concat(), TextForm::Lines));
/// assert_eq!(extract("I cannot solve it."), None);
/// ```
pub fn extract(text: &str) -> Option<Extracted> {
    let mut partial = None;
    for part in parts_that_count(text).iter().rev() {
        let tokens = tokens(part);
        let mut found = FoundGrids::default();
        rows::find(&tokens, &mut found);
        run::find(&tokens, &mut found);
        if let Some((_, whole)) = found.whole {
            return Some(whole);
        }
        partial = partial.or(found.partial);
    }
    partial.map(|(_, partial)| partial)
}

/// Returns the parts of a text in which grids are looked for: the last answer, or everything outside `<think>`.
fn parts_that_count(text: &str) -> Vec<&str> {
    if let Some(answer) = last_answer(text) {
        return vec![answer];
    }
    let mut rest = match (position(text, "<think>"), after(text, "</think>")) {
        (Some(start), Some(end)) if end < start => &text[end..],
        (None, Some(end)) => &text[end..],
        _ => text,
    };
    let mut parts = Vec::new();
    while let Some(start) = position(rest, "<think>") {
        parts.push(&rest[..start]);
        let thoughts = &rest[start..];
        rest = after(thoughts, "</think>").map_or("", |end| &thoughts[end..]);
    }
    parts.push(rest);
    parts
}

fn last_answer(text: &str) -> Option<&str> {
    let closed = &text[..last_position(text, "</answer>")?];
    let inside = &text[last_position(closed, "<answer>")? + "<answer>".len()..];
    Some(&inside[..position(inside, "</answer>")?])
}

fn position(text: &str, tag: &str) -> Option<usize> {
    text.as_bytes().windows(tag.len()).position(|part| part.eq_ignore_ascii_case(tag.as_bytes()))
}

/// Returns the position after the first tag `tag`.
fn after(text: &str, tag: &str) -> Option<usize> {
    position(text, tag).map(|start| start + tag.len())
}

fn last_position(text: &str, tag: &str) -> Option<usize> {
    text.as_bytes().windows(tag.len()).rposition(|part| part.eq_ignore_ascii_case(tag.as_bytes()))
}

/// The last grid without blanks and the last grid with blanks in a part of the text. Each grid is stored with the index
/// of the token that follows the grid.
#[derive(Default)]
struct FoundGrids {
    whole: Option<(usize, Extracted)>,
    partial: Option<(usize, Extracted)>,
}

impl FoundGrids {
    fn offer(&mut self, end: usize, cells: [u8; CELLS], form: TextForm) {
        let Ok(grid) = Puzzle::try_from(cells) else { return };
        let last = if cells.contains(&0) { &mut self.partial } else { &mut self.whole };
        if last.is_none_or(|(other, _)| other <= end) {
            *last = Some((end, Extracted { grid, form }));
        }
    }
}

/// Returns the values of the cells. `None` if there are not `WANTED` cells, or if the groups are uneven. Groups are even if each has one
/// cell, if each has three cells, or if each has nine or more cells. A full stop may follow the last digit.
fn even_cells<const WANTED: usize>(groups: &[&[Token]]) -> Option<[u8; WANTED]> {
    let cells = groups.concat();
    if cells.len() == WANTED + 1
        && let Some(([last @ .., Token::Cell(b'.')], others)) = groups.split_last()
        && !last.is_empty()
    {
        return even_cells(&[others, &[last]].concat());
    }
    let lengths = || groups.iter().map(|group| group.len());
    let is_even = match (lengths().min()?, lengths().max()?) {
        (1, 1) | (3, 3) => true,
        (shortest, _) => shortest >= 9,
    };
    let value = |cell: &Token| match cell {
        Token::Cell(digit @ b'1'..=b'9') => digit - b'0',
        _ => 0,
    };
    let values: Vec<u8> = cells.iter().filter(|_| is_even).map(value).collect();
    values.try_into().ok()
}

/// Returns the groups of cells among these tokens. A group ends at each token that is not a cell.
fn groups<'p, 't>(piece: &'p [Token<'t>]) -> Vec<&'p [Token<'t>]> {
    let is_cell = |token: &Token| matches!(token, Token::Cell(_));
    piece.split(|token| !is_cell(token)).filter(|group| !group.is_empty()).collect()
}
