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
    /// One bit a minirow; the three minirows of the first row.
    minirows: D,
    first_row: D,
    /// One bit a minicol; the left, middle and right column of each box.
    minicols: D,
    columns: [D; 3],
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
            minicols: simd.digits([0o777; 16]),
            columns: [simd.digits([0o111; 16]), simd.digits([0o222; 16]), simd.digits([0o444; 16])],
            band: simd.digits([BAND; 16]),
            nothing: simd.digits([0; 16]),
        }
    }

    /// Infers until nothing changes.
    #[inline(always)]
    pub(super) fn infer(&self, board: &mut Board<D>) -> Verdict {
        loop {
            let before = *board;
            let (mut missing, mut several) = (self.nothing, self.nothing);
            let mut hidden_rows = *board;
            for band in 0..3 {
                let (once, twice) = before[band].once_and_twice();
                missing = missing | (once ^ self.band);
                several = several | twice;
                let kept = self.leave_box(before[band], before[band] & !twice);
                (board[band], hidden_rows[band]) = self.filter_rows(kept);
            }
            let known = self.filter_columns(board, hidden_rows);
            if missing.zero_lanes() != !0 || self.lacks_a_digit(board) {
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
    fn across(&self, bits: D) -> D {
        bits | bits.left::<1>() | bits.left::<2>()
    }

    /// Each bit copied to the two rows below.
    #[inline(always)]
    fn down(&self, bits: D) -> D {
        bits | bits.left::<9>() | bits.left::<18>()
    }

    /// Minirow flags of a row, moved one box to the right (the last to the first).
    #[inline(always)]
    fn next_box(&self, row: D) -> D {
        (row.left::<3>() | row.right::<6>()) & self.first_row
    }

    /// Minirow flags of a row, moved one box to the left.
    #[inline(always)]
    fn last_box(&self, row: D) -> D {
        (row.right::<3>() | row.left::<6>()) & self.first_row
    }

    /// Keeps the minirows that some configuration uses. Also returns the boxes that have one minirow left.
    #[inline(always)]
    fn filter_rows(&self, cells: D) -> (D, D) {
        let flags = (cells | cells.right::<1>() | cells.right::<2>()) & self.minirows;
        let rows = [flags & self.first_row, flags.right::<9>() & self.first_row, flags.right::<18>()];
        // Configurations by the box in which they use the first row; even ones descend, odd ones ascend.
        let even = rows[0] & self.last_box(rows[1]) & self.next_box(rows[2]);
        let odd = rows[0] & self.next_box(rows[1]) & self.last_box(rows[2]);
        let used =
            [even | odd, self.next_box(even) | self.last_box(odd), self.last_box(even) | self.next_box(odd)];
        let kept = self.across(used[0] | used[1].left::<9>() | used[2].left::<18>());
        let one = (used[0] ^ used[1] ^ used[2]) & !(used[0] & used[1] & used[2]);
        (cells & kept, self.down(self.across(one)))
    }

    /// Minicol flags of a band, moved one column to the right within their boxes (the last to the first).
    #[inline(always)]
    fn next_column(&self, flags: D) -> D {
        flags.left::<1>() & (self.columns[1] | self.columns[2]) | flags.right::<2>() & self.columns[0]
    }

    /// Minicol flags of a band, moved one column to the left within their boxes.
    #[inline(always)]
    fn last_column(&self, flags: D) -> D {
        flags.right::<1>() & (self.columns[0] | self.columns[1]) | flags.left::<2>() & self.columns[2]
    }

    /// Keeps the minicols that some configuration uses. Returns the cells of digits known in their box: where one
    /// minicol is left, and one minirow by `hidden_rows`.
    #[inline(always)]
    fn filter_columns(&self, board: &mut Board<D>, hidden_rows: Board<D>) -> Board<D> {
        let mut flags = *board;
        for band in 0..3 {
            flags[band] =
                (board[band] | board[band].right::<9>() | board[band].right::<18>()) & self.minicols;
        }
        let even = flags[0] & self.last_column(flags[1]) & self.next_column(flags[2]);
        let odd = flags[0] & self.next_column(flags[1]) & self.last_column(flags[2]);
        let used = [
            even | odd,
            self.next_column(even) | self.last_column(odd),
            self.last_column(even) | self.next_column(odd),
        ];
        let mut known = *board;
        for band in 0..3 {
            board[band] = board[band] & self.down(used[band]);
            let columns = [used[band], used[band].right::<1>(), used[band].right::<2>()];
            let one = (columns[0] ^ columns[1] ^ columns[2]) & !(columns[0] & columns[1] & columns[2]);
            known[band] = board[band] & hidden_rows[band] & self.down(self.across(one & self.columns[0]));
        }
        known
    }
}
