//! The state: the remaining minirows and minicols of every digit in every box, one bit per lane.

use std::ops::{Deref, DerefMut, Index, IndexMut};

use crate::simd::Word;

/// A set of lanes: bit `i` of element `q` is the lane in line `i % 8` and column `q` of block `i / 8` of
/// [`super::lane_rows::LaneRows`].
pub(super) type LaneMask<const N: usize> = [u64; N];

/// One digit in one band, in every lane: for each box, left to right, the minirows that still have a place for the digit. Or one digit in
/// one stack: for each box, top to bottom, the minicols that still have a place.
///
/// ```text
///   cells of a box   minirows     minicols        a cell may hold the digit if both of its minilines may,
///   0 1 2            0: 0|1|2     0: 0|3|6        and the cell is not known to hold another digit
///   3 4 5            1: 3|4|5     1: 1|4|7
///   6 7 8            2: 6|7|8     2: 2|5|8
/// ```
///
/// The candidates of single cells aren't stored, because everything that the rules remove from a cell follows from these bits. Only two
/// rules concern a single cell. After a naked single, the digit of the cell has only one minirow and one minicol left in the box. And if a
/// digit has only one minirow and one minicol left in a box, its cell there is known, so all other digits are excluded from this cell.
pub(super) type Minilines<W> = [[W; 3]; 3];

/// The nine digits in one band or stack.
pub(super) type BandPlanes<W> = [Minilines<W>; 9];

/// Number of bands and stacks. In the code, a stack is also called a band: numbers 0 to 2 are bands, 3 to 5 are stacks.
pub(super) const BANDS: usize = 6;
/// Number of flags of a puzzle: one for each digit in each minirow and in each minicol.
pub(super) const FLAGS: usize = BANDS * 9 * 9;

/// Results of a pass, as sets of lanes.
#[derive(Clone, Copy)]
pub(super) struct Report<W> {
    /// Lanes with a contradiction, such as a cell without a candidate or a digit without a place.
    pub(super) bad: W,
    /// Lanes where the cell of some digit in some box isn't known.
    pub(super) unsolved: W,
    /// Lanes where some minirow or minicol lost a digit.
    pub(super) changed: W,
}

impl<W: Copy> Report<W> {
    pub(super) fn blank(zero: W) -> Report<W> {
        Report { bad: zero, unsolved: zero, changed: zero }
    }
}

/// Number of planes (words with one bit for each lane) that store where each lane branches. A row of [`super::lane_rows::LaneRows`] has 18
/// bits for them, but two planes are never used. The choice of a configuration uses 13 planes: six for the remaining configurations, four
/// for the digit, and three for the band. The choice of a cell uses 16 planes: seven for the number of the cell, then nine for its digits.
pub(super) const CHOICE_PLANES: usize = 18;

/// Intermediate results of a pass for one box: for each digit the permitted minirows and minicols, and the lanes in which its cell is
/// unknown. The memory is kept between boxes, so that it doesn't have to be cleared.
pub(super) struct Scratch<W> {
    pub(super) lines: [[[W; 3]; 2]; 9],
    pub(super) unknown: [W; 9],
}

/// For every lane, its flags and the place where it branches. Also has scratch memory for a pass.
pub(super) struct State<W> {
    pub(super) bands: [BandPlanes<W>; BANDS],
    pub(super) choice: [W; CHOICE_PLANES],
    pub(super) scratch: Scratch<W>,
}

impl<W: Copy> State<W> {
    /// Returns the minirows of a digit in a box, and its minicols.
    #[inline(always)]
    pub(super) fn lines(&self, in_box: usize, digit: usize) -> [&[W; 3]; 2] {
        let (band, stack) = (in_box / 3 % 3, in_box % 3);
        [&self.bands[band][digit][stack], &self.bands[3 + stack][digit][band]]
    }

    /// Makes a state in which every word is `full`.
    pub(super) fn new(full: W) -> Box<State<W>> {
        let lines = [[full; 3]; 2];
        Box::new(State {
            bands: [[[[full; 3]; 3]; 9]; BANDS],
            choice: [full; CHOICE_PLANES],
            scratch: Scratch { lines: [lines; 9], unknown: [full; 9] },
        })
    }
}

/// A table with one entry for each lane. In `table[index]`, the index wraps around at the number of lanes, so no check is needed.
pub(super) struct PerLane<T, const N: usize>(pub(super) [[T; 64]; N]);

impl<T, const N: usize> Index<usize> for PerLane<T, N> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        &self.0.as_flattened()[index % (64 * N)]
    }
}

impl<T, const N: usize> IndexMut<usize> for PerLane<T, N> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.0.as_flattened_mut()[index % (64 * N)]
    }
}

impl<T, const N: usize> Deref for PerLane<T, N> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.0.as_flattened()
    }
}

impl<T, const N: usize> DerefMut for PerLane<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_flattened_mut()
    }
}

/// The candidates that a search may use: for each box, digit and place in the box, a bit per lane.
pub(super) struct Allowed<const N: usize>(pub(super) [[[LaneMask<N>; 9]; 9]; 9]);

impl<const N: usize> Allowed<N> {
    /// Makes a table that allows each digit in each cell.
    pub(super) fn new() -> Box<Allowed<N>> {
        Box::new(Allowed([[[[!0; N]; 9]; 9]; 9]))
    }

    /// Allows each digit in each cell.
    pub(super) fn allow_all(&mut self) {
        self.0 = [[[[!0; N]; 9]; 9]; 9];
    }

    /// Returns the index of a candidate in the table.
    pub(super) fn index(cell: usize, digit: usize) -> u16 {
        let (in_box, place) = place_of(cell);
        (81 * in_box + 9 * digit + place) as u16
    }

    /// Returns the lanes in which the candidate with this index is allowed, for writing.
    pub(super) fn lanes_mut(&mut self, candidate: u16) -> &mut LaneMask<N> {
        &mut self.0.as_flattened_mut().as_flattened_mut()[usize::from(candidate)]
    }
}

/// Returns the box of a cell, and the place of the cell in the box.
pub(super) const fn place_of(cell: usize) -> (usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
}

/// Returns the lanes where the digit has more than one minirow or more than one minicol: its cell isn't known.
#[inline(always)]
pub(super) fn is_unknown<W: Word>(rows: [W; 3], cols: [W; 3]) -> W {
    majority(rows[0], rows[1], rows[2]) | majority(cols[0], cols[1], cols[2])
}

#[inline(always)]
pub(super) fn majority<W: Word>(a: W, b: W, c: W) -> W {
    a.majority(b, c)
}

/// Counts the set bits of nine words, separately for each lane. Returns the lowest two bits of the count, and whether the count is four or
/// more.
#[inline(always)]
pub(super) fn count_nine<W: Word>(x: [W; 9]) -> [W; 3] {
    let sums = [x[0] ^ x[1] ^ x[2], x[3] ^ x[4] ^ x[5], x[6] ^ x[7] ^ x[8]];
    let carries = [majority(x[0], x[1], x[2]), majority(x[3], x[4], x[5]), majority(x[6], x[7], x[8])];
    let carry = majority(sums[0], sums[1], sums[2]);
    let twos = carries[0] ^ carries[1] ^ carries[2];
    let fours = majority(carries[0], carries[1], carries[2]) | twos & carry;
    [sums[0] ^ sums[1] ^ sums[2], twos ^ carry, fours]
}
