//! Expands rows to transformed rows (forms): the boards of a row are transformed, and its other values are kept.
//!
//! ```text
//! row -> its boards (source/boards.rs) -> for each form: transformation -> the row with the forms of its boards -> sink
//! ```
//! The transformations of a row depend only on its puzzle and on the options, not on threads or block boundaries. If the forms of a block
//! would take much memory, the block passes through the pipeline several times, each time for another [`Piece`] of its forms.

use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;

use serde_json::{Value, json};
use sudobench_sudoku::canonical::Canonicalizer;

use crate::answers::{AnsweredRow, RowForm};
use crate::expand::Expand;
use crate::source::{Block, Layout, ParsedBlock, Row, RowBoards, read_board};
use crate::transform::Transform;

impl Expand for Transform {
    fn stored(&self) -> Value {
        json!({ "transform": self })
    }

    fn name(&self) -> &'static str {
        "forms"
    }

    fn most(&self) -> NonZeroU64 {
        NonZeroU64::new(self.forms()).unwrap_or(NonZeroU64::MIN)
    }

    fn transform(&self) -> Option<Transform> {
        Some(*self)
    }
}

pub(crate) struct FormMaker {
    transform: Transform,
    layout: Arc<Layout>,
    has_texts: bool,
    boards: RowBoards,
    canonicalizer: Canonicalizer,
}

impl FormMaker {
    /// Makes a form maker for rows of this layout. If `has_texts` is true, the output contains the text of each row, so the boards in this
    /// text are transformed too.
    pub(crate) fn new(transform: Transform, layout: &Arc<Layout>, has_texts: bool) -> FormMaker {
        FormMaker {
            transform,
            layout: Arc::clone(layout),
            has_texts,
            boards: RowBoards::default(),
            canonicalizer: Canonicalizer::default(),
        }
    }

    pub(crate) fn forms(&self) -> u64 {
        self.transform.forms()
    }

    /// Passes forms of a row to `each`: the ones whose numbers are in `forms`. If the row has no puzzle, passes the row itself.
    #[inline]
    pub(crate) fn each(&mut self, row: &AnsweredRow, forms: Range<u64>, mut each: impl FnMut(&AnsweredRow)) {
        let FormMaker { transform, layout, has_texts, boards, canonicalizer } = self;
        let Some(puzzle) = row.puzzle else { return each(row) };
        let solution = row.row.expected.as_ref().and_then(|expected| read_board(row.part(expected)));
        let taken = boards.take(layout.rows(), if *has_texts { row.text() } else { &[] }, row.row);
        for transformation in transform.transformations(puzzle, canonicalizer).only(forms) {
            let block = boards.form(&transformation);
            let solution = solution.map(|solution| transformation.apply(&solution));
            each(&AnsweredRow {
                puzzle: Some(&transformation.apply(puzzle)),
                mark: row.mark,
                form: Some(&RowForm { transformation, solution }),
                ..AnsweredRow::bare(block, &taken)
            });
        }
    }
}

/// Approximate maximum size of a [`Piece`], in bytes of text. A single form may be larger.
const PIECE_BYTES: u64 = 1 << 20;
/// Approximate number of additional bytes of a form, for separators and the notation of its transformation.
const FORM_BYTES: u64 = 40;

/// Consecutive forms of a block's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) from: FormAt,
    /// The end, exclusive.
    pub(crate) to: FormAt,
    /// Whether the piece is the first one of its block.
    pub(crate) is_first: bool,
    /// Number of forms in the piece. A malformed row counts as one form.
    pub(crate) len: usize,
}

/// The position of a transformed row in its block: the input row, and the number of the form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormAt {
    pub(crate) row: usize,
    /// The number of the form within the row, from 0.
    pub(crate) form: u64,
}

/// Divides the forms of the rows of a block into pieces.
pub(crate) struct Cutter {
    layout: Arc<Layout>,
    /// Number of forms of each puzzle.
    forms: u64,
    /// Number of forms that an earlier run has already written for the first row of this run. 0 once the first block is divided.
    done: u64,
    block: Block,
    parsed: ParsedBlock,
    /// Mean number of bytes of a row, if the input has a [typed](crate::source::TypedFormat) format.
    table_row: Option<u64>,
    /// The start of the next piece, if there is one.
    next: Option<FormAt>,
}

impl Cutter {
    /// Makes a cutter for puzzles with this number of forms. An earlier run has written `done` forms of the first row of this run.
    pub(crate) fn new(layout: &Arc<Layout>, forms: u64, done: u64) -> Cutter {
        let (block, parsed) = (Block::default(), ParsedBlock::default());
        Cutter { layout: Arc::clone(layout), forms, done, block, parsed, table_row: None, next: None }
    }

    /// Starts to divide a block, and returns the first piece; `None` if the block needn't be divided, or if no row is left.
    pub(crate) fn start(&mut self, block: &Block) -> Option<Piece> {
        let of_table = bytes_of_typed(block);
        let bytes = of_table.unwrap_or(block.bytes.len() as u64);
        if self.done == 0 && bytes.saturating_mul(self.forms) <= PIECE_BYTES {
            return None;
        }
        self.block = block.clone();
        self.layout.parse(&mut self.block, &mut self.parsed);
        let first = FormAt { row: block.done, form: self.done };
        if first.row >= self.parsed.rows.len() {
            return None;
        }
        self.done = 0;
        self.table_row = of_table.map(|bytes| bytes / self.parsed.rows.len() as u64);
        Some(Piece { is_first: true, ..self.piece(first) })
    }

    /// Returns the next piece of the current block, and the block.
    pub(crate) fn next(&mut self) -> Option<(Piece, Block)> {
        let next = self.next.take()?;
        Some((self.piece(next), self.block.clone()))
    }

    /// Returns the piece that starts at `from`.
    fn piece(&mut self, from: FormAt) -> Piece {
        let rows = &self.parsed.rows;
        let (mut to, mut len, mut bytes) = (from, 0, PIECE_BYTES);
        while let Some(row) = rows.get(to.row) {
            let each = self.table_row.unwrap_or(row.text.len() as u64) + FORM_BYTES;
            let left = forms_of(row, self.forms) - to.form;
            // A piece gets at least one form, even a form that is too large.
            let taken = left.min((bytes / each).max(u64::from(len == 0)));
            if taken == 0 {
                break;
            }
            len += taken as usize;
            bytes = bytes.saturating_sub(taken * each);
            to = match taken == left {
                true => FormAt { row: to.row + 1, form: 0 },
                false => FormAt { form: to.form + taken, ..to },
            };
        }
        self.next = (to.row < rows.len()).then_some(to);
        Piece { from, to, is_first: false, len }
    }
}

/// Returns the number of output rows for an input row. `forms` is the number of forms of each puzzle.
pub(crate) fn forms_of(row: &Row, forms: u64) -> u64 {
    if row.fault.is_some() { 1 } else { forms }
}

/// Returns the number of bytes of a block's rows, if the input has a typed format.
fn bytes_of_typed(block: &Block) -> Option<u64> {
    block.typed.as_ref().map(|typed| typed.rows.bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Options, Source};

    /// Returns the pieces of a text: the start, the end and the number of forms of each piece.
    fn cut(text: &str, forms: u64, done: u64) -> Vec<(FormAt, FormAt, usize)> {
        let mut source =
            Source::from_reader("text", std::io::Cursor::new(text.as_bytes().to_vec()), Options::default())
                .unwrap();
        let mut cutter = Cutter::new(source.layout(), forms, done);
        let block = source.next_block(Vec::new()).unwrap().unwrap();
        let mut pieces: Vec<Piece> = cutter.start(&block).into_iter().collect();
        while let Some((piece, again)) = cutter.next() {
            assert_eq!(again.bytes, block.bytes);
            pieces.push(piece);
        }
        assert!(pieces.iter().enumerate().all(|(at, piece)| piece.is_first == (at == 0)));
        pieces.iter().map(|piece| (piece.from, piece.to, piece.len)).collect()
    }

    #[test]
    fn pieces_are_bounded_and_make_up_the_whole() {
        let puzzle = ".".repeat(81);
        let text = format!("{puzzle}\nnone\n{puzzle}\n{puzzle}\n");
        assert!(cut(&text, 1000, 0).is_empty(), "the text fits into one piece");
        let long = format!("{puzzle} {}\n{puzzle}\n", "a".repeat(60_000));
        for (text, forms, done, whole) in [
            (&text, 1_000_000, 0, 3_000_001),
            (&text, 1_000_000, 999_999, 2_000_002),
            (&text, 5000, 0, 15_001),
            (&text, 10, 3, 28),
            (&long, 1000, 7, 1993),
        ] {
            let pieces = cut(text, forms, done);
            assert_eq!(pieces[0].0, FormAt { row: 0, form: done });
            assert!(pieces.windows(2).all(|pair| pair[0].1 == pair[1].0));
            assert_eq!(pieces.last().unwrap().1.form, 0);
            assert_eq!(pieces.iter().map(|piece| piece.2).sum::<usize>(), whole);
            assert!(pieces.iter().all(|piece| (1..=9_000).contains(&piece.2)));
            if forms == 1000 {
                assert!(pieces.iter().take(50).all(|piece| piece.2 <= 20), "long rows make short pieces");
            }
        }
    }
}
