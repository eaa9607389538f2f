//! The triple rule of `bitboard`: three cells and three digits, for all 54 minilines at once. A miniline is a minirow or a minicol: the
//! three cells of a box in one row or column.
//!
//! ```text
//!   minirow   a b c | a b c d | ..       exactly three digits possible: they go nowhere else in the box
//!                                        or line, so remove them from the other minilines of the box and the line
//!   box       a b . | . . .              exactly three digits that no parallel miniline in the box can have: the
//!             . . . | . . .              miniline has exactly these digits, so remove all others from it
//!
//!   fewer than three digits possible, or more than three that no parallel miniline in the box can have: a contradiction
//! ```
//!
//! A digit has 27 flags for minirows in one vector, and 27 flags for minicols in another vector (`infer.rs`). Together, these 54 flags fit
//! into one 64-bit integer. So nine integers, one for each digit, are enough to count the digits of all minilines at once.

use super::infer::{BAND, Board, BoardState, Rules};
use crate::simd::{Digits, Simd};

/// Two sets of minilines, with one bit for each miniline: the minilines with at least three digits, and the minilines with at least four
/// digits.
#[derive(Clone, Copy)]
struct AtLeast {
    three: u64,
    four: u64,
}

/// All 54 minilines: minirows in the low half, minicols in the high half.
const ALL: u64 = (BAND as u64) << 32 | BAND as u64;

/// Counts, for each miniline, the digits whose flag is set.
#[inline(always)]
fn count<D: Digits>(rows: D, columns: D) -> AtLeast {
    let (rows, columns) = (rows.lanes(), columns.lanes());
    let (mut one, mut two, mut three, mut four) = (0, 0, 0, 0);
    for digit in 0..9 {
        let flags = u64::from(columns[digit]) << 32 | u64::from(rows[digit]);
        four |= three & flags;
        three |= two & flags;
        two |= one & flags;
        one |= flags;
    }
    AtLeast { three, four }
}

impl<D: Digits> Rules<D> {
    /// Applies all rules, including the triple rule, until they find nothing more or the board is solved or contradictory.
    #[inline(always)]
    pub(super) fn settle<const N: usize>(
        &self,
        simd: impl Simd<N, Digits = D>,
        board: &mut Board<D>,
    ) -> BoardState {
        // A copy of the board, which can stay in registers.
        let (mut settled, mut known) = (*board, self.nothing_known());
        let state = loop {
            let state = self.infer(&mut settled, &mut known);
            if state != BoardState::Open {
                break state;
            }
            if let Some(state) = self.triple(simd, &mut settled) {
                break state;
            }
        };
        *board = settled;
        state
    }

    /// Applies the triple rule to a board on which the other rules find nothing. Returns `None` if the triple rule removed something,
    /// otherwise [`BoardState::Contradictory`] or [`BoardState::Open`].
    #[inline(always)]
    fn triple<const N: usize>(
        &self,
        simd: impl Simd<N, Digits = D>,
        board: &mut Board<D>,
    ) -> Option<BoardState> {
        let (rows, columns) = (self.minirows_of(board), self.minicols_of(board));

        let row_elsewhere = either(self.other_nines(rows));
        let column_elsewhere = either(self.other_columns(columns));
        let possible = count(rows, columns);
        let confined = count(rows & !row_elsewhere, columns & !column_elsewhere);
        if possible.three != ALL || confined.four != 0 {
            return Some(BoardState::Contradictory);
        }
        let (open, filled) = (possible.three & !possible.four, confined.three);

        let certain = rows & simd.digits([open as u32; 16]);
        let in_box = either(self.other_nines(certain));
        let in_line = either(self.other_boxes(certain));
        let filled_rows = simd.digits([filled as u32; 16]) & row_elsewhere;
        let struck_rows = rows & (in_box | in_line | filled_rows);

        let certain = columns & simd.digits([(open >> 32) as u32; 16]);
        let in_line = either(self.other_nines(certain));
        let in_box = either(self.other_columns(certain));
        let filled_columns = simd.digits([(filled >> 32) as u32; 16]) & column_elsewhere;
        let struck_columns = columns & (in_line | in_box | filled_columns);

        if (struck_rows | struck_columns).is_zero() {
            return Some(BoardState::Open);
        }
        let (rows, columns) = (self.across(struck_rows), self.down(struck_columns));
        for band in 0..3 {
            board[band] = board[band] & !(rows[band] | columns[band]);
        }
        None
    }
}

#[inline(always)]
fn either<D: Digits>(pair: (D, D)) -> D {
    pair.0 | pair.1
}
