//! The inference of `bitboard`: the rules of a pass of `bitslice`, applied to the nine digits of one puzzle at once.
//!
//! ```text
//!   a lane (a digit) of a band's vector: 27 cells
//!      bit  0  1  2 |  3  4  5 |  6  7  8      row 1      minirow = three neighbouring bits
//!           9 10 11 | 12 13 14 | 15 16 17      row 2      minicol = three bits nine apart
//!          18 19 20 | 21 22 23 | 24 25 26      row 3
//! ```
//!
//! Rules about minirows and minicols (together: minilines) are applied to all bands together, in one vector of flags:
//!
//! ```text
//!   minirows    bit 9 * row + 3 * box + band      minicols    bit 9 * band + 3 * stack + column
//! ```
//!
//! All numbers start at 0. `row` and `box` are numbers within the band, and `column` is a number within the stack.
//!
//! - Rows: a configuration of a digit in a band has one minirow in each box, each in a different row. Keep each of the digit's nine
//!   minirows that some remaining configuration uses.
//! - Columns: the same for the minicols of a digit in a stack: one in each box, each in a different column.
//! - Naked singles: if a cell is set in only one lane, the digit of this lane is removed from the other cells of the box.
//! - Hidden singles: if a digit has one minirow and one minicol left in a box, they cross at the digit's cell, and the other digits are
//!   removed from that cell.
//!
//! The speed of a pass is limited by operations that wait for the results of earlier operations, so the chain of such operations is kept
//! short. A pass has two halves: `look` examines the cells, then `filter` removes minilines. Removals are detected in the flags, before the
//! cells are computed. `filter` doesn't remove the other digits from a known cell. The `look` of the next pass does that, and counts the
//! digits of each cell.

use crate::simd::{Digits, Simd};

/// All cells of a band.
pub(super) const BAND: u32 = (1 << 27) - 1;

/// The candidates of a grid: one vector for each band, with one lane for each digit.
pub(super) type Board<D> = [D; 3];

/// Result of the inference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardState {
    /// The board has no solution: for example, some cell has no candidate, or some digit has no place.
    Contradictory,
    /// Every cell has one candidate, and these candidates form a solution.
    Solved,
    /// The rules find nothing more, and some cells still have several candidates.
    Open,
}

/// The digits that are known in a box: a known digit has only one minirow and one minicol left in the box, which cross at the digit's cell.
#[derive(Clone, Copy)]
pub(super) struct KnownDigits<D> {
    /// In the lane of each digit, the boxes in which the digit is known. A box is given as the flag of its leftmost minicol.
    boxes: D,
    /// The cells of the known digits, each in the lane of its digit.
    cells: Board<D>,
}

/// Sets of cells of a board, by the number of digits that the cells may still hold. If `look` removes digits from a cell,
/// because another digit is known to be there, the cell is in none of the sets.
#[derive(Clone, Copy)]
pub(super) struct Cells<D> {
    /// The cells with one digit, each in the lane of its digit.
    pub(super) single: Board<D>,
    /// The cells with exactly two digits, the same in all lanes.
    pub(super) two: Board<D>,
    /// The cells with two digits or more, the same in all lanes.
    pub(super) several: Board<D>,
}

/// Constants, the same in every lane, and the operations on lanes that use these constants.
#[derive(Clone, Copy)]
pub(super) struct Rules<D> {
    /// For each band: a mask of the flags of its minirows, and a mask of the flags of its minicols.
    minirows: [D; 3],
    minicols: [D; 3],
    /// `left_boxes`: the flags of the minirows in the left boxes, and the unused bits above the band. `right_boxes`: the flags of the
    /// minirows in the right boxes.
    left_boxes: D,
    right_boxes: D,
    /// `left_columns`: the flags of the minicols at the left of a box, and the unused bits above the band. `right_columns`: the flags of
    /// the minicols at the right.
    left_columns: D,
    right_columns: D,
    band: D,
    nothing: D,
}

impl<D: Digits> Rules<D> {
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

    /// Infers until nothing changes, or until the board is known to be solved or contradictory. Returns the state of the board.
    #[inline(always)]
    pub(super) fn infer(&self, board: &mut Board<D>, known: &mut KnownDigits<D>) -> BoardState {
        loop {
            if let Some(state) = self.pass(board, known) {
                return state;
            }
        }
    }

    /// Returns the known digits before the first pass: none.
    #[inline(always)]
    pub(super) fn nothing_known(&self) -> KnownDigits<D> {
        KnownDigits { boxes: self.nothing, cells: [self.nothing; 3] }
    }

    /// Applies every rule once, except the triple rule (`triple.rs`). Returns `None` if another pass may find more: a miniline was removed,
    /// or a digit became known in a box. Contradictions are detected as early as possible, because about half of all boards end in one.
    #[inline(always)]
    fn pass(&self, board: &mut Board<D>, known: &mut KnownDigits<D>) -> Option<BoardState> {
        let cells = match self.look(board, known) {
            Ok(cells) => cells,
            Err(state) => return Some(state),
        };
        let Some((now_known, removed)) = self.filter(board, &cells.single) else {
            return Some(BoardState::Contradictory);
        };
        let changed = removed | now_known.boxes & !known.boxes;
        *known = now_known;
        changed.is_zero().then_some(BoardState::Open)
    }

    /// Removes the other digits from known cells, and counts the digits of all cells. Returns an error if the board is
    /// solved or contradictory.
    #[inline(always)]
    pub(super) fn look(&self, board: &mut Board<D>, known: &KnownDigits<D>) -> Result<Cells<D>, BoardState> {
        let (mut missing, mut several) = (self.nothing, self.nothing);
        let mut cells = Cells { single: *board, two: *board, several: *board };
        for band in 0..3 {
            let (count, known) = (board[band].count(), known.cells[band]);
            // The sum is the union of the lanes, unless a cell is known in several lanes, which is a contradiction. If the lowest such cell
            // is known in exactly two lanes, its bit is 0 in the sum, so the contradiction is noticed here. Otherwise it is noticed later,
            // at the latest by `is_solution`.
            let taken = known.sum();
            missing = missing | (count.once ^ self.band) | known & !taken;
            cells.single[band] = board[band] & !count.twice;
            cells.several[band] = count.twice & !taken;
            cells.two[band] = cells.several[band] & !count.thrice;
            several = several | cells.several[band];
            board[band] = board[band] & (known | !taken);
        }
        if !missing.is_zero() {
            return Err(BoardState::Contradictory);
        }
        if several.is_zero() {
            let is_solved = self.is_solution(board);
            return Err(if is_solved { BoardState::Solved } else { BoardState::Contradictory });
        }
        Ok(cells)
    }

    /// Removes the candidates that rows, columns and boxes exclude. `single` are the cells with one digit. Returns the digits that are
    /// known afterwards, and the flags of the minilines that were removed. Returns `None` if some digit has no place in a box.
    #[inline(always)]
    pub(super) fn filter(&self, board: &mut Board<D>, single: &Board<D>) -> Option<(KnownDigits<D>, D)> {
        let possible_rows = self.minirows_of(board);
        let rows = possible_rows & !self.excluded_rows(self.minirows_of(single));
        let rows = self.used(rows, self.other_boxes(rows));
        let kept = self.across(rows);
        for band in 0..3 {
            board[band] = board[band] & kept[band];
        }
        let possible_columns = self.minicols_of(board);
        let columns = possible_columns & !self.excluded_columns(self.minicols_of(single));
        let columns = self.used(columns, self.other_columns(columns));
        let columns_of_box = [columns, columns.right::<1>(), columns.right::<2>()];
        let absent = self.minirows[0] & !(columns_of_box[0] | columns_of_box[1] | columns_of_box[2]);
        if !absent.is_zero() {
            return None;
        }
        let boxes = exactly_one(columns_of_box) & self.boxes_of_one_row(rows);
        let (kept, in_boxes) = (self.down(columns), self.down(boxes | boxes.left::<1>() | boxes.left::<2>()));
        let mut known = KnownDigits { boxes, cells: *board };
        for band in 0..3 {
            board[band] = board[band] & kept[band];
            known.cells[band] = board[band] & in_boxes[band];
        }
        Some((known, possible_rows & !rows | possible_columns & !columns))
    }

    /// Returns whether a board is a solution: no cell may have several candidates, and each digit must have a place in every row, column
    /// and box.
    #[inline(always)]
    fn is_solution(&self, board: &Board<D>) -> bool {
        let mut several = self.nothing;
        for band in board {
            several = several | band.count().twice;
        }
        let minirows = self.minirows_of(board);
        let boxes = minirows | minirows.right::<9>() | minirows.right::<18>();
        let rows = minirows | minirows.right::<3>() | minirows.right::<6>();
        let columns = self.minicols_of(board);
        let columns = columns | columns.right::<9>() | columns.right::<18>();
        let absent = self.minicols[0] & !(boxes & columns) | self.left_boxes & self.band & !rows;
        (absent | several).is_zero()
    }

    /// Returns, in the lane of each digit, the flags of the minirows in which the digit has a place.
    #[inline(always)]
    pub(super) fn minirows_of(&self, board: &Board<D>) -> D {
        let [first, second, third] = *board;
        (first | first.right::<1>() | first.right::<2>()) & self.minirows[0]
            | (second.left::<1>() | second | second.right::<1>()) & self.minirows[1]
            | (third.left::<2>() | third.left::<1>() | third) & self.minirows[2]
    }

    /// Returns, in the lane of each digit, the flags of the minicols in which the digit has a place.
    #[inline(always)]
    pub(super) fn minicols_of(&self, board: &Board<D>) -> D {
        let [first, second, third] = *board;
        (first | first.right::<9>() | first.right::<18>()) & self.minicols[0]
            | (second.left::<9>() | second | second.right::<9>()) & self.minicols[1]
            | (third.left::<18>() | third.left::<9>() | third) & self.minicols[2]
    }

    /// Expands the flag of each minirow to the three cells of the minirow.
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

    /// Expands the flag of each minicol to the three cells of the minicol.
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

    /// Returns two sets of flags. At the position of each minirow, the first set has the flag of the minirow in the next box, and the
    /// second set has the flag of the minirow in the box after that. The order is cyclic: the left box of a band follows the right one.
    #[inline(always)]
    pub(super) fn other_boxes(&self, minirows: D) -> (D, D) {
        (
            self.right_boxes.select(minirows.left::<6>(), minirows.right::<3>()),
            self.left_boxes.select(minirows.right::<6>(), minirows.left::<3>()),
        )
    }

    /// Returns two sets of flags. At the position of each minicol, the first set has the flag of the next minicol in the box, and the
    /// second set has the flag of the minicol after that. The order is cyclic: the left minicol of a box follows the right one.
    #[inline(always)]
    pub(super) fn other_columns(&self, minicols: D) -> (D, D) {
        (
            self.right_columns.select(minicols.left::<2>(), minicols.right::<1>()),
            self.left_columns.select(minicols.right::<2>(), minicols.left::<1>()),
        )
    }

    /// Returns two sets of flags: at the position of each row of minirows (or band of minicols), the first has the flags of the next row
    /// (or band), and the second has the flags of the row (or band) after that. The first row (or band) follows the last. Bits 27 and above
    /// are undefined.
    #[inline(always)]
    pub(super) fn other_nines(&self, flags: D) -> (D, D) {
        (flags.right::<9>() | flags.left::<18>(), flags.right::<18>() | flags.left::<9>())
    }

    /// Keeps the minirows (or minicols) that some configuration uses. For a minirow, the other two boxes of the band must have minirows in
    /// the other two rows, one in each row. For a minicol, the other two columns must have minicols in the other two boxes of the stack,
    /// one in each box. `others` has the flags of the other two boxes (or columns).
    #[inline(always)]
    fn used(&self, flags: D, others: (D, D)) -> D {
        let (next, last) = (self.other_nines(others.0), self.other_nines(others.1));
        flags & (next.0 & last.1 | next.1 & last.0)
    }

    /// Returns, in the lane of each digit, the minirows that cannot hold the digit, because a cell that can only hold this digit is in
    /// another minirow of the same box. `single` are the minirows with such cells.
    #[inline(always)]
    fn excluded_rows(&self, single: D) -> D {
        let others = self.other_nines(single);
        (others.0 | others.1) & !single
    }

    /// Returns, in the lane of each digit, the minicols that cannot hold the digit, because a cell that can only hold this digit is in
    /// another minicol of the same box. `single` are the minicols with such cells.
    #[inline(always)]
    fn excluded_columns(&self, single: D) -> D {
        let others = self.other_columns(single);
        (others.0 | others.1) & !single
    }

    /// Returns, in the lane of each digit, the boxes in which the digit has only one remaining minirow. A box is given as the flag of its
    /// leftmost minicol.
    #[inline(always)]
    fn boxes_of_one_row(&self, minirows: D) -> D {
        let one = exactly_one([minirows, minirows.right::<9>(), minirows.right::<18>()]) & self.minicols[0];
        one & self.minirows[0] | (one & self.minirows[1]).left::<8>() | (one & self.minirows[2]).left::<16>()
    }
}

/// Returns the bits set in exactly one of three words.
#[inline(always)]
fn exactly_one<D: Digits>([first, second, third]: [D; 3]) -> D {
    (first ^ second ^ third) & !(first & second & third)
}
