//! The output rows of an answered block.
//!
//! ```text
//! answered rows -> judge, filter -> expanded rows (forms, found puzzles) -> filter -> formatter
//! ```
//! A formatter gets [`OutputRows`] once for each block or piece of a block, and loops over the rows itself. So the compiler optimizes this
//! loop for each format, unless rows are transformed or there are conditions on expanded rows.

use sudobench_sudoku::Question;

use crate::Tally;
use crate::answers::{AnsweredRow, Answerer, Choice, RowFilter};
use crate::forms::{FormMaker, Piece};
use crate::latency::Times;
use crate::notice::Notices;
use crate::source::{Block, MAX_RECORD};

/// Number of bytes after which the formatted rows of a block are written, even if the block has more rows.
pub const PART_BYTES: usize = 2 << 20;
/// Number of bytes that the default columns of `solve` add to a row: a solution, a status and the separators.
const TYPICAL_ADDITION: usize = 96;
/// Typical number of bytes of the output of a block, or of a piece of a block, if each row has several forms.
const TYPICAL_PIECE: usize = 1 << 20;

/// The answered rows of one block, before they are counted and compared with expected solutions.
pub struct OutputRows<'a> {
    pub(crate) block: &'a Block,
    /// The part of the forms to write, if the forms of the block are written in several parts.
    pub(crate) piece: Option<Piece>,
    /// Whether the run was interrupted in this block. If so, no form of `piece` is written.
    pub(crate) is_cut: bool,
    pub(crate) answerer: &'a mut Answerer,
    pub(crate) form_maker: Option<&'a mut FormMaker>,
    pub(crate) question: &'a Question,
    pub(crate) choice: Choice<'a>,
    /// The conditions on expanded rows.
    pub(crate) expanded_filter: Option<&'a dyn RowFilter>,
    pub(crate) tally: &'a mut Tally,
    pub(crate) times: &'a mut Times,
    pub(crate) notices: &'a mut Notices,
}

impl<'a> OutputRows<'a> {
    /// Returns the block that holds the input rows.
    pub fn block(&self) -> &'a Block {
        self.block
    }

    /// Returns an upper bound of the number of output rows.
    pub fn most_rows(&self) -> usize {
        let most = || self.answerer.answers.rows_out().saturating_mul(self.forms() as usize);
        self.piece.map_or_else(most, |piece| piece.len)
    }

    /// Returns the typical number of bytes of the output rows as text. A buffer of this size seldom has to grow. Growing would double the
    /// buffer.
    pub fn typical_bytes(&self) -> usize {
        match self.piece.is_some() || self.forms() > 1 {
            true => TYPICAL_PIECE,
            // A text of more than `PART_BYTES` is written in parts, each a little longer than `PART_BYTES`.
            false => {
                (self.block.bytes.len() + self.most_rows() * TYPICAL_ADDITION).min(PART_BYTES + MAX_RECORD)
            }
        }
    }

    fn forms(&self) -> u64 {
        self.form_maker.as_ref().map_or(1, |form_maker| form_maker.forms())
    }

    /// Judges and counts the rows, and passes each output row to `put`, in order.
    #[inline]
    pub fn each(self, mut put: impl FnMut(&AnsweredRow)) {
        if self.form_maker.is_some() || self.expanded_filter.is_some() {
            return self.each_expanded(&mut put);
        }
        let OutputRows { block, answerer, question, choice, tally, times, notices, .. } = self;
        answerer.judge(&block.bytes, question, choice, (tally, times), |row| row.for_each_found(&mut put));
        answerer.answers.add_notices(block, notices);
    }

    /// Does the work of [`OutputRows::each`] if the rows are transformed, or if there are conditions on expanded rows.
    fn each_expanded(self, put: &mut dyn FnMut(&AnsweredRow)) {
        let OutputRows { block, piece, is_cut, answerer, form_maker, question, choice, .. } = self;
        let OutputRows { expanded_filter, tally, times, notices, .. } = self;
        let mut left_out = 0;
        let mut put = |row: &AnsweredRow| match expanded_filter.is_none_or(|filter| filter.keeps(row)) {
            true => put(row),
            false => left_out += 1,
        };
        let piece = piece.filter(|_| !is_cut);
        match form_maker {
            None => {
                let each = |row: &AnsweredRow| row.for_each_found(&mut put);
                answerer.judge(&block.bytes, question, choice, (&mut *tally, times), each);
                answerer.answers.add_notices(block, notices);
            }
            Some(form_maker) => {
                let all = form_maker.forms();
                let started = piece.filter(|piece| piece.from.form > 0);
                let started =
                    started.map(|piece| (answerer.answers.parsed.rows[piece.from.row].line, piece.from.form));
                answerer.judge(&block.bytes, question, choice, (&mut *tally, times), |row| {
                    let done = started.filter(|(line, _)| *line == row.row.line).map_or(0, |(_, form)| form);
                    form_maker.each(row, done..all, &mut put);
                });
                answerer.answers.add_notices(block, notices);
                // If the forms of a row are in several pieces, the row is counted in the piece with its last form. So the last row of this
                // piece is not counted if further forms of it follow.
                if let Some(piece) = piece.filter(|piece| piece.to.form > 0) {
                    let done = if piece.from.row == piece.to.row { piece.from.form } else { 0 };
                    answerer.answers.want(piece.to.row..piece.to.row + 1, false);
                    let uncounted = (&mut Tally::default(), &mut Times::default());
                    answerer.judge(&block.bytes, question, choice, uncounted, |row| {
                        form_maker.each(row, done..piece.to.form, &mut put);
                    });
                }
            }
        }
        tally.left_out_expanded += left_out;
    }
}
