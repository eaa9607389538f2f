//! The inference of `bitboard`: the rules of the batch solver's pass, on nine digits at once.
//!
//! ```text
//!   a lane (a digit) of a band's vector: 27 cells
//!      bit  0  1  2 |  3  4  5 |  6  7  8      row 1      minirow = three neighbouring bits
//!           9 10 11 | 12 13 14 | 15 16 17      row 2      minicol = three bits nine apart
//!          18 19 20 | 21 22 23 | 24 25 26      row 3
//! ```
//!
//! - Rows: of the nine minirows of a digit in a band keep those that one of its six configurations uses.
//! - Columns: the same for the minicols, across the three bands.
//! - Naked singles: a cell that is set in one lane only; its box forbids that digit elsewhere.
//! - Hidden singles: where one minirow and one minicol are left in a box, they cross at the digit's cell, which
//!   the other digits leave.
#![forbid(unsafe_code)]

use crate::simd::{Digits, Simd};

/// All cells of a band.
pub(super) const BAND: u32 = (1 << 27) - 1;

/// The three bands.
pub(super) type Board<D> = [D; 3];

/// What is known after inference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Some cell has no candidate, or some digit no place.
    Contradictory,
    /// Every cell has one candidate, and they agree.
    Solved,
    /// Nothing more follows.
    Open,
}

/// Constants in every lane, and the lane operations that need them.
#[derive(Clone, Copy)]
pub(super) struct Rules<D> {
    /// One bit a minirow; the three minirows of the first row; the minirows of the left and right boxes, and the
    /// bits above the band, which count as left.
    pub(super) minirows: D,
    first_row: D,
    pub(super) left_boxes: D,
    pub(super) right_boxes: D,
    /// One bit a minicol; the left columns of the boxes; these and the bits above; the right columns.
    pub(super) minicols: D,
    left_column: D,
    left_columns: D,
    right_columns: D,
    band: D,
    nothing: D,
}

impl<D: Digits> Rules<D> {
    /// Fills the constants.
    #[inline(always)]
    pub(super) fn new<const N: usize>(simd: impl Simd<N, Digits = D>) -> Rules<D> {
        Rules {
            minirows: simd.digits([0o111_111_111; 16]),
            first_row: simd.digits([0o111; 16]),
            left_boxes: simd.digits([0o001_001_001 | !BAND; 16]),
            right_boxes: simd.digits([0o700_700_700; 16]),
            minicols: simd.digits([0o777; 16]),
            left_column: simd.digits([0o111; 16]),
            left_columns: simd.digits([0o111 | !0o777; 16]),
            right_columns: simd.digits([0o444; 16]),
            band: simd.digits([BAND; 16]),
            nothing: simd.digits([0; 16]),
        }
    }

    /// Infers until nothing changes. A contradiction is looked for as soon as it can show, since half of all boards
    /// end in one.
    #[inline(always)]
    pub(super) fn infer(&self, board: &mut Board<D>) -> Verdict {
        loop {
            let before = *board;
            let (mut missing, mut several) = (self.nothing, self.nothing);
            let mut single = before;
            for band in 0..3 {
                let (once, twice) = before[band].once_and_twice();
                missing = missing | (once ^ self.band);
                several = several | twice;
                single[band] = before[band] & !twice;
            }
            if missing.zero_lanes() != !0 {
                return Verdict::Contradictory;
            }
            let mut hidden_rows = before;
            for band in 0..3 {
                let kept = self.leave_box(before[band], single[band]);
                (board[band], hidden_rows[band]) = self.filter_rows(kept);
            }
            let known = self.filter_columns(board, hidden_rows);
            if self.lacks_a_digit(board) {
                return Verdict::Contradictory;
            }
            let mut changed = self.nothing;
            for band in 0..3 {
                let (once, twice) = known[band].once_and_twice();
                board[band] = board[band] & (!once | known[band]) & !twice;
                changed = changed | (before[band] ^ board[band]);
            }
            if changed.zero_lanes() == !0 {
                return if several.zero_lanes() == !0 { Verdict::Solved } else { Verdict::Open };
            }
        }
    }

    /// Whether a digit has no place in some band.
    #[inline(always)]
    fn lacks_a_digit(&self, board: &Board<D>) -> bool {
        let absent = board[0].zero_lanes() | board[1].zero_lanes() | board[2].zero_lanes();
        absent & 0x1ff != 0
    }

    /// Takes the digits of single cells from the other cells of their boxes.
    #[inline(always)]
    fn leave_box(&self, cells: D, single: D) -> D {
        let column = single | single.right::<9>() | single.right::<18>();
        let corner = (column | column.right::<1>() | column.right::<2>()) & self.first_row;
        let boxes = self.down(self.across(corner));
        cells & (!boxes | single)
    }

    /// Each bit copied to its two right neighbours.
    #[inline(always)]
    pub(super) fn across(&self, bits: D) -> D {
        bits | bits.left::<1>() | bits.left::<2>()
    }

    /// Each bit copied to the two rows below.
    #[inline(always)]
    pub(super) fn down(&self, bits: D) -> D {
        bits | bits.left::<9>() | bits.left::<18>()
    }

    /// The flags of the minirows that have a place.
    #[inline(always)]
    pub(super) fn minirows_of(&self, cells: D) -> D {
        (cells | cells.right::<1>() | cells.right::<2>()) & self.minirows
    }

    /// The flags of the minicols that have a place.
    #[inline(always)]
    pub(super) fn minicols_of(&self, cells: D) -> D {
        (cells | cells.right::<9>() | cells.right::<18>()) & self.minicols
    }

    /// To each minirow the flag of the next box (after the last the first), and that of the box after it.
    #[inline(always)]
    pub(super) fn other_boxes(&self, flags: D) -> (D, D) {
        (
            flags.left::<6>() & self.right_boxes | flags.right::<3>() & !self.right_boxes,
            flags.right::<6>() & self.left_boxes | flags.left::<3>() & !self.left_boxes,
        )
    }

    /// To each row what the next row has (after the last the first), and what the row after it has. Above the
    /// band the bits mean nothing.
    #[inline(always)]
    pub(super) fn other_rows(&self, bits: D) -> (D, D) {
        (bits.right::<9>() | bits.left::<18>(), bits.right::<18>() | bits.left::<9>())
    }

    /// To each minicol the flag of the next column of its box (after the last the first), and of the one after it.
    #[inline(always)]
    pub(super) fn other_columns(&self, flags: D) -> (D, D) {
        (
            flags.left::<2>() & self.right_columns | flags.right::<1>() & !self.right_columns,
            flags.right::<2>() & self.left_columns | flags.left::<1>() & !self.left_columns,
        )
    }

    /// Keeps the minirows that some configuration uses: those for which the two other boxes have, in either order, the
    /// two other rows. Also returns the boxes that have one minirow left.
    #[inline(always)]
    fn filter_rows(&self, cells: D) -> (D, D) {
        let flags = self.minirows_of(cells);
        let (next, last) = self.other_boxes(flags);
        let (next, last) = (self.other_rows(next), self.other_rows(last));
        let used = flags & (next.0 & last.1 | next.1 & last.0);
        let rows = self.other_rows(used);
        let one = (used ^ rows.0 ^ rows.1) & !(used & rows.0 & rows.1);
        (cells & self.across(used), self.across(one & self.minirows))
    }

    /// Keeps the minicols that some configuration uses, as [`Rules::filter_rows`]. Returns the cells of digits known
    /// in their box: where one minicol is left, and one minirow by `hidden_rows`.
    #[inline(always)]
    fn filter_columns(&self, board: &mut Board<D>, hidden_rows: Board<D>) -> Board<D> {
        let flags = [self.minicols_of(board[0]), self.minicols_of(board[1]), self.minicols_of(board[2])];
        let others =
            [self.other_columns(flags[0]), self.other_columns(flags[1]), self.other_columns(flags[2])];
        let mut known = *board;
        for band in 0..3 {
            let (above, below) = (others[(band + 2) % 3], others[(band + 1) % 3]);
            let used = flags[band] & (above.0 & below.1 | above.1 & below.0);
            board[band] = board[band] & self.down(used);
            let columns = [used, used.right::<1>(), used.right::<2>()];
            let one = (columns[0] ^ columns[1] ^ columns[2]) & !(columns[0] & columns[1] & columns[2]);
            known[band] = board[band] & hidden_rows[band] & self.down(self.across(one & self.left_column));
        }
        known
    }
}
