//! Grids of nine lines with nine cells each.

use super::token::Token;
use super::{FoundGrids, TextForm, even_cells, groups};
use crate::puzzle::CELLS;

enum Line {
    /// Only spaces.
    Empty,
    /// Punctuation, such as a horizontal line.
    Border,
    Row {
        cells: [u8; 9],
        form: TextForm,
        /// Whether words that are not a label come before the cells. If so, the row is not part of the grid to which the rows above belong.
        has_sentence: bool,
    },
    Other,
}

struct Row {
    cells: [u8; 9],
    form: TextForm,
    /// Index of the token after the row's line end.
    end: usize,
}

pub(super) fn find(tokens: &[Token], found: &mut FoundGrids) {
    let mut rows = Vec::new();
    let mut end = 0;
    for line in tokens.split(|token| *token == Token::LineEnd) {
        end += line.len() + 1;
        match Line::read(line) {
            Line::Border => {}
            Line::Empty if rows.len() < 9 => {}
            Line::Empty | Line::Other => offer(&mut rows, found),
            Line::Row { cells, form, has_sentence } => {
                if has_sentence {
                    offer(&mut rows, found);
                }
                rows.push(Row { cells, form, end });
            }
        }
    }
    offer(&mut rows, found);
}

/// Adds each group of nine rows, counted from the last row, to the found grids, and removes all rows.
fn offer(rows: &mut Vec<Row>, found: &mut FoundGrids) {
    for nine in rows.rchunks_exact(9) {
        let mut cells = [0; CELLS];
        cells.as_chunks_mut().0.iter_mut().zip(nine).for_each(|(cells, row)| *cells = row.cells);
        let form = nine.iter().map(|row| row.form).min().unwrap_or(TextForm::Lines);
        found.offer(nine[8].end, cells, form);
    }
    rows.clear();
}

impl Line {
    fn read(line: &[Token]) -> Line {
        if line.iter().all(|token| *token == Token::Space) {
            return Line::Empty;
        }
        let has = |wanted: fn(&Token) -> bool| line.iter().any(wanted);
        let has_text = has(|token| is_text(token) || matches!(token, Token::Cell(_)));
        if !has_text && (has(|token| *token == Token::Mark) || !is_wide(line)) {
            return Line::Border;
        }
        let mut start = 0;
        for piece in line.split(is_text) {
            if is_wide(piece) {
                let has_sentence = !is_label(&line[..start]);
                let row = row(piece);
                return row.map_or(Line::Other, |(cells, form)| Line::Row { cells, form, has_sentence });
            }
            start += piece.len() + 1;
        }
        Line::Other
    }
}

/// Returns whether a token is text that cannot be between the cells of a row.
fn is_text(token: &Token) -> bool {
    matches!(token, Token::Word(_) | Token::Other)
}

/// Returns whether a piece of a line may have nine cells.
fn is_wide(piece: &[Token]) -> bool {
    let count = |wanted: fn(&Token) -> bool| piece.iter().filter(|token| wanted(token)).count();
    count(|token| matches!(token, Token::Cell(_))) >= 9 || count(|token| *token == Token::Bar) >= 8
}

/// Returns whether these tokens are the label of a row. An empty list of tokens also counts as a label.
fn is_label(tokens: &[Token]) -> bool {
    const NUMBERS: [&str; 13] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "st", "nd",
        "rd", "th",
    ];
    let is_of_row = |word: &str| {
        let word = word.to_ascii_lowercase();
        let name = word.trim_end_matches(|character: char| character.is_ascii_digit() || character == '_');
        matches!(name, "row" | "line" | "r")
            || matches!(name.as_bytes(), [b'a'..=b'i'])
            || NUMBERS.contains(&name)
    };
    let cells = tokens.iter().filter(|token| matches!(token, Token::Cell(_))).count();
    cells <= 2 && tokens.iter().all(|token| !matches!(token, Token::Word(word) if !is_of_row(word)))
}

/// Returns the nine cells of a piece of a line.
fn row(piece: &[Token]) -> Option<([u8; 9], TextForm)> {
    if let Some(cells) = row_of_table(piece) {
        return Some((cells, TextForm::Table));
    }
    let has = |wanted: fn(&Token) -> bool| piece.iter().any(wanted);
    let form = if has(|token| matches!(token, Token::Bracket { .. } | Token::Quote)) {
        TextForm::List
    } else if has(|token| *token == Token::Bar) {
        TextForm::Box
    } else {
        TextForm::Lines
    };
    let groups = groups(piece);
    let cells = even_cells(&groups).or_else(|| match &groups[..] {
        // The first group is the number of the row.
        [[Token::Cell(b'1'..=b'9')] | [Token::Cell(b'1'..=b'9'), Token::Cell(b'.')], cells @ ..] => {
            even_cells(cells)
        }
        _ => None,
    });
    Some((cells?, form))
}

/// Returns the nine cells of a row in which bars separate the cells. Empty cells are blanks.
fn row_of_table(piece: &[Token]) -> Option<[u8; 9]> {
    let value = |field: &[Token]| match groups(field)[..] {
        _ if !field.iter().all(|token| matches!(token, Token::Cell(_) | Token::Space)) => None,
        [] => Some(None),
        [&[Token::Cell(cell)]] => Some(Some(if cell.is_ascii_digit() { cell - b'0' } else { 0 })),
        _ => None,
    };
    let fields = piece.split(|token| *token == Token::Bar).map(value).collect::<Option<Vec<_>>>()?;
    let mut fields = &fields[..];
    // Removes the empty fields outside the bars at both ends, then a label.
    if let ([others @ .., None], 10..) = (fields, fields.len()) {
        fields = others;
    }
    if let ([None, others @ ..], 10..) = (fields, fields.len()) {
        fields = others;
    }
    if let ([_, others @ ..], 10) = (fields, fields.len()) {
        fields = others;
    }
    let cells: Vec<u8> = fields.iter().map(|cell| cell.unwrap_or(0)).collect();
    cells.try_into().ok()
}
