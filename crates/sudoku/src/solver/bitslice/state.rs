//! The candidates of all lanes, one bit a lane.

use crate::simd::Word;

/// A set of lanes: bit `i` of element `q` is the lane in line `i` and column `q` of [`super::lane_rows::LaneRows`].
pub(super) type LaneMask<const N: usize> = [u64; N];

/// One digit in one box, in every lane.
///
/// ```text
///   cells        minirows     minicols
///   0 1 2        0: 0|1|2     0: 0|3|6
///   3 4 5        1: 3|4|5     1: 1|4|7
///   6 7 8        2: 6|7|8     2: 2|5|8
/// ```
#[derive(Clone, Copy)]
pub(super) struct Plane<W> {
    /// Where the digit may be.
    pub(super) cells: [W; 9],
    /// The three minirows and the three minicols that still have a place for it. Between passes they are the
    /// OR of their cells, or less where the triple rule has struck one out.
    pub(super) lines: [[W; 3]; 2],
}

/// The index of the minirows in [`Plane::lines`].
pub(super) const MINIROWS: usize = 0;
/// The index of the minicols in [`Plane::lines`].
pub(super) const MINICOLS: usize = 1;

/// The nine digits in one box.
pub(super) type BoxPlanes<W> = [Plane<W>; 9];

/// What a pass found out about the lanes.
#[derive(Clone, Copy)]
pub(super) struct Report<W> {
    /// A contradiction: some cell has no candidate, or some digit no place.
    pub(super) bad: W,
    /// Some cell has several candidates.
    pub(super) unsolved: W,
    /// Some minirow or minicol lost a digit.
    pub(super) changed: W,
}

impl<W: Copy> Report<W> {
    /// Nothing found yet.
    pub(super) fn blank(zero: W) -> Report<W> {
        Report { bad: zero, unsolved: zero, changed: zero }
    }
}

/// The bits in each of the words that ride along from the lanes' choice of a branch to the code that pushes it. The
/// first: six for the configurations, three for the band, four for the digit; or seven for a cell. The
/// second: nine for the digits that the cell may hold. The third is spare.
pub(super) const CHOICE_BITS: usize = 13;

/// The candidates of every lane.
pub(super) struct State<W> {
    pub(super) boxes: [BoxPlanes<W>; 9],
    pub(super) choice: [[W; CHOICE_BITS]; 3],
}

impl<W: Copy> State<W> {
    /// A state in which every candidate is `full`.
    pub(super) fn new(full: W) -> Box<State<W>> {
        let plane = Plane { cells: [full; 9], lines: [[full; 3]; 2] };
        Box::new(State { boxes: [[plane; 9]; 9], choice: [[full; CHOICE_BITS]; 3] })
    }
}

/// The box of a cell, and its place in it.
pub(super) const fn place_of(cell: usize) -> (usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
}

/// At least two of three.
#[inline(always)]
pub(super) fn majority<W: Word>(a: W, b: W, c: W) -> W {
    a & b | c & (a | b)
}

/// Exactly one of three.
#[inline(always)]
pub(super) fn one_of<W: Word>(a: W, b: W, c: W) -> W {
    (a ^ b ^ c) & !(a & b & c)
}

/// The count of set bits among nine: ones, twos, and four or more.
#[inline(always)]
pub(super) fn count_nine<W: Word>(x: [W; 9]) -> [W; 3] {
    let sums = [x[0] ^ x[1] ^ x[2], x[3] ^ x[4] ^ x[5], x[6] ^ x[7] ^ x[8]];
    let carries = [majority(x[0], x[1], x[2]), majority(x[3], x[4], x[5]), majority(x[6], x[7], x[8])];
    let carry = majority(sums[0], sums[1], sums[2]);
    let twos = carries[0] ^ carries[1] ^ carries[2];
    let fours = majority(carries[0], carries[1], carries[2]) | twos & carry;
    [sums[0] ^ sums[1] ^ sums[2], twos ^ carry, fours]
}
