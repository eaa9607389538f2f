//! What is left of every digit in every box, of all lanes: one bit a lane.

use crate::simd::Word;

/// A set of lanes: bit `i` of element `q` is the lane in line `i % 8` and column `q` of block `i / 8` of [`super::lane_rows::LaneRows`].
pub(super) type LaneMask<const N: usize> = [u64; N];

/// One digit in one band, in every lane: by box, left to right, the minirows that still have a place for it. Or in one
/// stack: by box, top to bottom, the minicols.
///
/// ```text
///   cells of a box   minirows     minicols        a cell may hold the digit if both of its minilines may,
///   0 1 2            0: 0|1|2     0: 0|3|6        and no digit whose cell is known is known to be there
///   3 4 5            1: 3|4|5     1: 1|4|7
///   6 7 8            2: 6|7|8     2: 2|5|8
/// ```
///
/// Nothing is kept of the cells: all that rules strike from them follows from the flags. A naked single leaves its digit
/// one minirow and one minicol, and a digit with one of each is known, so its cell is closed to the others.
pub(super) type Minilines<W> = [[W; 3]; 3];

/// The nine digits in one band or stack.
pub(super) type BandPlanes<W> = [Minilines<W>; 9];

/// The bands, and then the stacks.
pub(super) const BANDS: usize = 6;
/// The flags of a puzzle.
pub(super) const FLAGS: usize = BANDS * 9 * 9;

/// What a pass found out about the lanes.
#[derive(Clone, Copy)]
pub(super) struct Report<W> {
    /// A contradiction: some cell has no candidate, or some digit no place.
    pub(super) bad: W,
    /// The cell of some digit is not known.
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

/// The planes that ride along from the lanes' choice of a branch to the code that splits the row. For a configuration six
/// for those that are left, four for the digit, three for the band. For a cell seven for its number, then nine for its
/// digits.
pub(super) const CHOICE_PLANES: usize = 18;

/// What a pass finds of one box on its way: by digit the permitted minirows and minicols, and whether its cell is known.
/// Kept between boxes only so that nothing has to be cleared.
pub(super) struct Scratch<W> {
    pub(super) lines: [[[W; 3]; 2]; 9],
    pub(super) unknown: [W; 9],
}

/// What is left in every lane.
pub(super) struct State<W> {
    pub(super) bands: [BandPlanes<W>; BANDS],
    pub(super) choice: [W; CHOICE_PLANES],
    pub(super) scratch: Scratch<W>,
}

impl<W: Copy> State<W> {
    /// The minirows of a digit in a box, and its minicols.
    #[inline(always)]
    pub(super) fn lines(&self, in_box: usize, digit: usize) -> [&[W; 3]; 2] {
        let (band, stack) = (in_box / 3 % 3, in_box % 3);
        [&self.bands[band][digit][stack], &self.bands[3 + stack][digit][band]]
    }

    /// A state in which every flag is `full`.
    pub(super) fn new(full: W) -> Box<State<W>> {
        let lines = [[full; 3]; 2];
        Box::new(State {
            bands: [[[[full; 3]; 3]; 9]; BANDS],
            choice: [full; CHOICE_PLANES],
            scratch: Scratch { lines: [lines; 9], unknown: [full; 9] },
        })
    }
}

/// The candidates that a question strikes beforehand: by box, digit and place in the box a bit for each lane, set where
/// the digit is allowed.
pub(super) struct Allowed<const N: usize>(pub(super) [[[LaneMask<N>; 9]; 9]; 9]);

impl<const N: usize> Allowed<N> {
    /// Everything is.
    pub(super) fn new() -> Box<Allowed<N>> {
        Box::new(Allowed([[[[!0; N]; 9]; 9]; 9]))
    }

    /// The lanes in which a digit is allowed in a cell, to change.
    pub(super) fn lanes_mut(&mut self, cell: usize, digit: usize) -> &mut LaneMask<N> {
        let (in_box, place) = place_of(cell);
        &mut self.0[in_box][digit][place]
    }
}

/// The box of a cell, and its place in it.
pub(super) const fn place_of(cell: usize) -> (usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
}

/// Where the digit of a plane has more than one minirow or more than one minicol: its cell is not known.
#[inline(always)]
pub(super) fn is_unknown<W: Word>(rows: [W; 3], cols: [W; 3]) -> W {
    majority(rows[0], rows[1], rows[2]) | majority(cols[0], cols[1], cols[2])
}

/// At least two of three.
#[inline(always)]
pub(super) fn majority<W: Word>(a: W, b: W, c: W) -> W {
    a.majority(b, c)
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
