//! The inference of `bitboard`: the rules of the batch solver's pass, for nine digits at once.
//!
//! ```text
//!   a lane (a digit) of a band's vector: 27 cells
//!      bit  0  1  2 |  3  4  5 |  6  7  8      row 1      minirow = three neighbouring bits
//!           9 10 11 | 12 13 14 | 15 16 17      row 2      minicol = three bits nine apart
//!          18 19 20 | 21 22 23 | 24 25 26      row 3
//! ```
//!
//! Rules about minirows and minicols are applied to all bands at once, in one vector of flags:
//!
//! ```text
//!   minirows    bit 9 row + 3 box + band          minicols    bit 9 band + 3 stack + column
//! ```
//!
//! - Rows: of the nine minirows of a digit in a band, keep those that one of its six configurations uses.
//! - Columns: the same for the minicols, across the three bands.
//! - Naked singles: a cell that is set in only one lane; its box excludes that digit elsewhere.
//! - Hidden singles: if one minirow and one minicol are left in a box, they cross at the digit's cell, and the other
//!   digits are removed from it.

use crate::simd::{Digits, Simd};

/// All cells of a band.
pub(super) const BAND: u32 = (1 << 27) - 1;

/// The three bands.
pub(super) type Board<D> = [D; 3];

/// Result of the inference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardState {
    /// Some cell has no candidate, or some digit no place.
    Contradictory,
    /// Every cell has one candidate, and they form a solution.
    Solved,
    /// Nothing more follows.
    Open,
}

/// Constants in every lane, and the lane operations that use them.
#[derive(Clone, Copy)]
pub(super) struct Rules<D> {
    /// For each band: its flags among those of all minirows, and among those of all minicols.
    minirows: [D; 3],
    minicols: [D; 3],
    /// The flags of minirows in the left boxes, and the unused bits above the band; and those in the right boxes.
    left_boxes: D,
    right_boxes: D,
    /// The flags of minicols at the left of a box, and the unused bits above the band; and those at the right.
    left_columns: D,
    right_columns: D,
    band: D,
    nothing: D,
}

impl<D: Digits> Rules<D> {
    /// Makes the constants.
    #[inline(always)]
    pub(super) fn new<const N: usize>(simd: impl Simd<N, Digits = D>) -> Rules<D> {
        Rules {
            minirows: [
                simd.digits([0o111_111_111; 16]),
                simd.digits([0o222_222_222; 16]),
                simd.digits([0o444_444_444; 16]),
            ],
            minicols: [
                simd.digits([0o777; 16]),
                simd.digits([0o777_000; 16]),
                simd.digits([0o777_000_000; 16]),
            ],
            left_boxes: simd.digits([0o007_007_007 | !BAND; 16]),
            right_boxes: simd.digits([0o700_700_700; 16]),
            left_columns: simd.digits([0o111_111_111 | !BAND; 16]),
            right_columns: simd.digits([0o444_444_444; 16]),
            band: simd.digits([BAND; 16]),
            nothing: simd.digits([0; 16]),
        }
    }

    /// Infers until nothing changes.
    #[inline(always)]
    pub(super) fn infer(&self, board: &mut Board<D>) -> BoardState {
        loop {
            if let Some(state) = self.pass(board) {
                return state;
            }
        }
    }

    /// Applies every rule once. Returns `None` if anything changed. Contradictions are detected as early as possible,
    /// because half of all boards end in one.
    #[inline(always)]
    pub(super) fn pass(&self, board: &mut Board<D>) -> Option<BoardState> {
        let before = *board;
        let (mut missing, mut several) = (self.nothing, self.nothing);
        let mut single = before;
        for band in 0..3 {
            let count = before[band].count();
            missing = missing | (count.once ^ self.band);
            several = several | count.twice;
            single[band] = before[band] & !count.twice;
        }
        if !missing.is_zero() {
            return Some(BoardState::Contradictory);
        }
        if several.is_zero() {
            return Some(if self.is_solution(board) {
                BoardState::Solved
            } else {
                BoardState::Contradictory
            });
        }
        self.leave_boxes(board, single);
        let one_minirow = self.filter_rows(board);
        let Some(known) = self.filter_columns(board, one_minirow) else {
            return Some(BoardState::Contradictory);
        };
        let mut changed = self.nothing;
        for band in 0..3 {
            let count = known[band].count();
            board[band] = board[band] & (!count.once | known[band]) & !count.twice;
            changed = changed | (before[band] ^ board[band]);
        }
        changed.is_zero().then_some(BoardState::Open)
    }

    /// Returns whether a board with one candidate in each cell is a solution: each digit must have a place in every
    /// row, column and box.
    #[inline(always)]
    fn is_solution(&self, board: &Board<D>) -> bool {
        let minirows = self.minirows_of(board);
        let boxes = minirows | minirows.right::<9>() | minirows.right::<18>();
        let rows = minirows | minirows.right::<3>() | minirows.right::<6>();
        let columns = self.minicols_of(board);
        let columns = columns | columns.right::<9>() | columns.right::<18>();
        let absent = self.minicols[0] & !(boxes & columns) | self.left_boxes & self.band & !rows;
        absent.is_zero()
    }

    /// Removes the digits of single cells from the other cells of their boxes.
    #[inline(always)]
    fn leave_boxes(&self, board: &mut Board<D>, single: Board<D>) {
        let boxes = self.down(self.in_whole_box(self.minicols_of(&single)));
        for band in 0..3 {
            board[band] = board[band] & (!boxes[band] | single[band]);
        }
    }

    /// Returns the flags of the minirows that have a place.
    #[inline(always)]
    pub(super) fn minirows_of(&self, board: &Board<D>) -> D {
        let [first, second, third] = *board;
        (first | first.right::<1>() | first.right::<2>()) & self.minirows[0]
            | (second.left::<1>() | second | second.right::<1>()) & self.minirows[1]
            | (third.left::<2>() | third.left::<1>() | third) & self.minirows[2]
    }

    /// Returns the flags of the minicols that have a place.
    #[inline(always)]
    pub(super) fn minicols_of(&self, board: &Board<D>) -> D {
        let [first, second, third] = *board;
        (first | first.right::<9>() | first.right::<18>()) & self.minicols[0]
            | (second.left::<9>() | second | second.right::<9>()) & self.minicols[1]
            | (third.left::<18>() | third.left::<9>() | third) & self.minicols[2]
    }

    /// Expands flags to the cells of minirows.
    #[inline(always)]
    pub(super) fn across(&self, flags: D) -> Board<D> {
        let bands = self.minirows;
        let (first, second, third) = (flags & bands[0], flags & bands[1], flags & bands[2]);
        [
            first | first.left::<1>() | first.left::<2>(),
            second.right::<1>() | second | second.left::<1>(),
            third.right::<2>() | third.right::<1>() | third,
        ]
    }

    /// Expands flags to the cells of minicols.
    #[inline(always)]
    pub(super) fn down(&self, flags: D) -> Board<D> {
        let bands = self.minicols;
        let (first, second, third) = (flags & bands[0], flags & bands[1], flags & bands[2]);
        [
            first | first.left::<9>() | first.left::<18>(),
            second.right::<9>() | second | second.left::<9>(),
            third.right::<18>() | third.right::<9>() | third,
        ]
    }

    /// Sets all minicols of the boxes that have a flag set.
    #[inline(always)]
    fn in_whole_box(&self, minicols: D) -> D {
        let corner = (minicols | minicols.right::<1>() | minicols.right::<2>()) & self.minirows[0];
        corner | corner.left::<1>() | corner.left::<2>()
    }

    /// Moves to each minirow the flag of the next box (the first after the last), and that of the box after it.
    #[inline(always)]
    pub(super) fn other_boxes(&self, minirows: D) -> (D, D) {
        (
            minirows.left::<6>() & self.right_boxes | minirows.right::<3>() & !self.right_boxes,
            minirows.right::<6>() & self.left_boxes | minirows.left::<3>() & !self.left_boxes,
        )
    }

    /// Moves to each minicol the flag of the next column of its box (the first after the last), and that of the column
    /// after it.
    #[inline(always)]
    pub(super) fn other_columns(&self, minicols: D) -> (D, D) {
        (
            minicols.left::<2>() & self.right_columns | minicols.right::<1>() & !self.right_columns,
            minicols.right::<2>() & self.left_columns | minicols.left::<1>() & !self.left_columns,
        )
    }

    /// Moves to each row of minirows (or band of minicols) the flags of the next (the first after the last), and those
    /// of the one after it. Bits above the band are undefined.
    #[inline(always)]
    pub(super) fn other_nines(&self, flags: D) -> (D, D) {
        (flags.right::<9>() | flags.left::<18>(), flags.right::<18>() | flags.left::<9>())
    }

    /// Keeps the minirows (or minicols) that some configuration uses: the other two of their line must exist in either
    /// order. `others` are the flags of these two.
    #[inline(always)]
    fn used(&self, flags: D, others: (D, D)) -> D {
        let (next, last) = (self.other_nines(others.0), self.other_nines(others.1));
        flags & (next.0 & last.1 | next.1 & last.0)
    }

    /// Keeps the minirows that some configuration uses. Returns the boxes with one minirow left, as flags of their left
    /// minicols.
    #[inline(always)]
    fn filter_rows(&self, board: &mut Board<D>) -> D {
        let flags = self.minirows_of(board);
        let used = self.used(flags, self.other_boxes(flags));
        let kept = self.across(used);
        for band in 0..3 {
            board[band] = board[band] & kept[band];
        }
        let rows = [used, used.right::<9>(), used.right::<18>()];
        let one = exactly_one(rows) & self.minicols[0];
        one & self.minirows[0] | (one & self.minirows[1]).left::<8>() | (one & self.minirows[2]).left::<16>()
    }

    /// Keeps the minicols that some configuration uses. Returns the cells of digits known in their box: one minicol is
    /// left and, by `one_minirow`, one minirow. Returns `None` if some digit has no place in a box.
    #[inline(always)]
    fn filter_columns(&self, board: &mut Board<D>, one_minirow: D) -> Option<Board<D>> {
        let flags = self.minicols_of(board);
        let used = self.used(flags, self.other_columns(flags));
        let columns = [used, used.right::<1>(), used.right::<2>()];
        let absent = self.minirows[0] & !(columns[0] | columns[1] | columns[2]);
        if !absent.is_zero() {
            return None;
        }
        let kept = self.down(used);
        let corner = exactly_one(columns) & one_minirow;
        let boxes = self.down(corner | corner.left::<1>() | corner.left::<2>());
        let mut known = *board;
        for band in 0..3 {
            board[band] = board[band] & kept[band];
            known[band] = board[band] & boxes[band];
        }
        Some(known)
    }
}

/// Returns the bits set in exactly one of three words.
#[inline(always)]
fn exactly_one<D: Digits>([first, second, third]: [D; 3]) -> D {
    (first ^ second ^ third) & !(first & second & third)
}
