//! The triple rule of `bitboard`: three cells and three digits, for all 54 minilines at once.
//!
//! ```text
//!   minirow   a b c | a b c d | ..       exactly three digits possible: they go nowhere else in the box
//!                                        or line, so strike them from the other minilines of both
//!   box       a b . | . . .              exactly three digits with no other miniline in the box: the
//!             . . . | . . .              miniline holds those, so strike all other digits from it
//!
//!   fewer than three possible, or more than three confined to it: a contradiction
//! ```
//!
//! The flags of the minirows leave gaps of two bits, so those of the three bands fit in one vector; likewise, in
//! blocks of nine bits, the flags of the minicols:
//!
//! ```text
//!   minirows    bit 9 row + 3 box + band          minicols    bit 9 band + 3 stack + column
//! ```
//!
//! Counting over the digits is then a matter of nine 64-bit integers.
#![forbid(unsafe_code)]

use super::infer::{BAND, Board, Rules, Verdict};
use crate::simd::{Digits, Simd};

/// By count of digits: the minilines that have at least so many.
#[derive(Clone, Copy)]
struct AtLeast {
    three: u64,
    four: u64,
}

/// All 54 minilines: minirows in the low half, minicols in the high half.
const ALL: u64 = (BAND as u64) << 32 | BAND as u64;

/// Counts, over the nine digits, the flags of each miniline.
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
    /// Infers until nothing changes and the rule strikes nothing.
    #[inline(always)]
    pub(super) fn settle<const N: usize>(
        &self,
        simd: impl Simd<N, Digits = D>,
        board: &mut Board<D>,
    ) -> Verdict {
        loop {
            let verdict = self.infer(board);
            if verdict != Verdict::Open {
                return verdict;
            }
            if let Some(verdict) = self.triple(simd, board) {
                return verdict;
            }
        }
    }

    /// Applies the rule to a board on which nothing else follows. [`Verdict::Solved`] cannot be its answer, and
    /// `None` means that it struck something.
    #[inline(always)]
    fn triple<const N: usize>(
        &self,
        simd: impl Simd<N, Digits = D>,
        board: &mut Board<D>,
    ) -> Option<Verdict> {
        let rows = [self.minirows_of(board[0]), self.minirows_of(board[1]), self.minirows_of(board[2])];
        let rows = rows[0] | rows[1].left::<1>() | rows[2].left::<2>();
        let columns = [self.minicols_of(board[0]), self.minicols_of(board[1]), self.minicols_of(board[2])];
        let columns = columns[0] | columns[1].left::<9>() | columns[2].left::<18>();

        let row_elsewhere = self.other_rows(rows);
        let row_elsewhere = row_elsewhere.0 | row_elsewhere.1;
        let column_elsewhere = self.others_of_three(columns);
        let possible = count(rows, columns);
        let confined = count(rows & !row_elsewhere, columns & !column_elsewhere);
        if possible.three != ALL || confined.four != 0 {
            return Some(Verdict::Contradictory);
        }
        let (open, filled) = (possible.three & !possible.four, confined.three);

        let certain = rows & simd.digits([open as u32; 16]);
        let in_box = self.other_rows(certain);
        let in_line = self.others_of_nine(certain);
        let filled_rows = simd.digits([filled as u32; 16]) & row_elsewhere;
        let struck_rows = rows & (in_box.0 | in_box.1 | in_line | filled_rows);

        let certain = columns & simd.digits([(open >> 32) as u32; 16]);
        let in_line = self.other_rows(certain);
        let in_box = self.others_of_three(certain);
        let filled_columns = simd.digits([(filled >> 32) as u32; 16]) & column_elsewhere;
        let struck_columns = columns & (in_line.0 | in_line.1 | in_box | filled_columns);

        if (struck_rows | struck_columns).zero_lanes() == !0 {
            return Some(Verdict::Open);
        }
        let rows = [struck_rows, struck_rows.right::<1>(), struck_rows.right::<2>()];
        let columns = [struck_columns, struck_columns.right::<9>(), struck_columns.right::<18>()];
        for band in 0..3 {
            let struck = self.across(rows[band] & self.minirows) | self.down(columns[band] & self.minicols);
            board[band] = board[band] & !struck;
        }
        None
    }

    /// To each of three neighbouring flags the union of the two others, in every group of three.
    #[inline(always)]
    fn others_of_three(&self, flags: D) -> D {
        let (first, last) = (self.minirows, self.minirows.left::<2>());
        let (next, after) = (flags.right::<1>() & !last, flags.right::<2>() & first);
        let (previous, before) = (flags.left::<1>() & !first, flags.left::<2>() & last);
        next | after | previous | before
    }

    /// To each flag the union of the two that are three and six bits away, in every group of nine.
    #[inline(always)]
    fn others_of_nine(&self, flags: D) -> D {
        let (first, last) = (self.across(self.left_boxes & self.minirows), self.right_boxes);
        let (next, after) = (flags.right::<3>() & !last, flags.right::<6>() & first);
        let (previous, before) = (flags.left::<3>() & !first, flags.left::<6>() & last);
        next | after | previous | before
    }
}
