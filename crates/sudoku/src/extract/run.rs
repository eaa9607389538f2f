//! Grids of 81 cells with only punctuation between the cells. A run is a sequence of cells and such punctuation.

use super::token::Token;
use super::{FoundGrids, TextForm, even_cells, groups};
use crate::puzzle::CELLS;

#[derive(Default)]
struct Run {
    /// Index of the run's first token.
    start: usize,
    cells: usize,
    /// Number of brackets that are open.
    depth: usize,
    has_brackets: bool,
    cells_of_line: usize,
    /// Whether some complete line has a number of cells other than 0 and 9.
    has_other_lines: bool,
    /// Whether the current line has only spaces so far. Always false in the first line of the run.
    is_line_empty: bool,
}

impl Run {
    fn starting_at(start: usize) -> Run {
        Run { start, ..Run::default() }
    }

    /// Adds the cells of the run to the found grids if there are 81 cells (a full stop after the last cell may count as one more). `end` is
    /// the index of the token after the run.
    fn offer(&self, tokens: &[Token], end: usize, found: &mut FoundGrids) {
        // Nine lines of nine cells are found by the module `rows`.
        let is_of_rows = !self.has_other_lines && [0, 9].contains(&self.cells_of_line);
        if (CELLS..=CELLS + 1).contains(&self.cells) && !is_of_rows {
            let form = if self.has_brackets { TextForm::List } else { TextForm::Digits };
            if let Some(cells) = even_cells(&groups(&tokens[self.start..end])) {
                found.offer(end, cells, form);
            }
        }
    }

    /// Ends the line. Returns whether the run ends too.
    fn end_line(&mut self) -> bool {
        let is_end = self.is_line_empty || (self.cells >= CELLS && self.depth == 0);
        self.has_other_lines |= ![0, 9].contains(&self.cells_of_line);
        self.cells_of_line = 0;
        self.is_line_empty = true;
        is_end
    }
}

pub(super) fn find(tokens: &[Token], found: &mut FoundGrids) {
    let is_cell = |token: &Token| matches!(token, Token::Cell(_));
    let mut run = Run::default();
    let mut start = 0;
    for part in tokens.chunk_by(|one, other| is_cell(one) && is_cell(other)) {
        let end = start + part.len();
        let mut next = None;
        match part[0] {
            // A group of 81 cells or more is not part of a larger run of cells.
            Token::Cell(_) if part.len() >= CELLS => {
                run.offer(tokens, start, found);
                if let Some(cells) = even_cells(&[part]) {
                    found.offer(end, cells, TextForm::Digits);
                }
                next = Some(end);
            }
            Token::Cell(_) => {
                run.cells += part.len();
                run.cells_of_line += part.len();
            }
            Token::Bracket { opens: true } => {
                if run.depth == 0 && !run.has_brackets {
                    run.offer(tokens, start, found);
                    run = Run::starting_at(start);
                }
                run.depth += 1;
                run.has_brackets = true;
            }
            Token::Bracket { opens: false } => {
                run.depth = run.depth.saturating_sub(1);
                if run.depth == 0 && run.cells >= CELLS {
                    run.offer(tokens, end, found);
                    next = Some(end);
                }
            }
            Token::LineEnd => {
                if run.end_line() {
                    run.offer(tokens, start, found);
                    next = Some(end);
                }
            }
            Token::Word(_) | Token::Other => {
                run.offer(tokens, start, found);
                next = Some(end);
            }
            Token::Space | Token::Bar | Token::Quote | Token::Mark => {}
        }
        if part[0] != Token::Space && part[0] != Token::LineEnd {
            run.is_line_empty = false;
        }
        if let Some(next) = next {
            run = Run::starting_at(next);
        }
        start = end;
    }
    run.offer(tokens, tokens.len(), found);
}
