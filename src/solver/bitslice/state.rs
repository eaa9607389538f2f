//! The candidates of all lanes, one bit a lane.
#![forbid(unsafe_code)]

/// One bit for every lane: bit `i` of element `q` belongs to the lane in row `i` and column `q` of the
/// transposed state (see [`super::row::Rows`]).
pub(super) type Word<const N: usize> = [u64; N];

/// One digit in one box, in every lane.
///
/// ```text
///   cells        minirows     minicols
///   0 1 2        0: 0|1|2     0: 0|3|6
///   3 4 5        1: 3|4|5     1: 1|4|7
///   6 7 8        2: 6|7|8     2: 2|5|8
/// ```
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Plane<const N: usize> {
    /// Where the digit may be.
    pub(super) cells: [Word<N>; 9],
    /// The three minirows and the three minicols that still have a place for it. Between passes they are the
    /// OR of their cells, or less where the triple rule has struck one out.
    pub(super) lines: [[Word<N>; 3]; 2],
}

/// The index of the minirows in [`Plane::lines`].
pub(super) const MINIROWS: usize = 0;
/// The index of the minicols in [`Plane::lines`].
pub(super) const MINICOLS: usize = 1;

/// The nine digits in one box.
pub(super) type BoxPlanes<const N: usize> = [Plane<N>; 9];

/// What a pass found out about the lanes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Report<const N: usize> {
    /// A contradiction: some cell has no candidate, or some digit no place.
    pub(super) bad: Word<N>,
    /// Some cell has several candidates.
    pub(super) unsolved: Word<N>,
    /// Some minirow or minicol lost a digit.
    pub(super) changed: Word<N>,
}

impl<const N: usize> Report<N> {
    pub(super) const BLANK: Report<N> = Report { bad: [0; N], unsolved: [0; N], changed: [0; N] };
}

/// The bits that ride along from the lanes' choice of a branch to the code that pushes it: six for the
/// configurations, three for the band, four for the digit; or seven for a cell.
pub(super) const CHOICE_BITS: usize = 13;

/// The candidates of every lane.
pub(super) struct State<const N: usize> {
    pub(super) boxes: [BoxPlanes<N>; 9],
    pub(super) choice: [Word<N>; CHOICE_BITS],
}

impl<const N: usize> State<N> {
    /// A state in which everything is possible.
    pub(super) fn new() -> Box<State<N>> {
        let plane = Plane { cells: [[!0; N]; 9], lines: [[[!0; N]; 3]; 2] };
        Box::new(State { boxes: [[plane; 9]; 9], choice: [[0; N]; CHOICE_BITS] })
    }
}

/// The box of a cell, and its place in it.
pub(super) const fn place_of(cell: usize) -> (usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
}

/// The cell at a place of a box.
pub(super) const fn cell_at(in_box: usize, place: usize) -> usize {
    (in_box / 3 * 3 + place / 3) * 9 + in_box % 3 * 3 + place % 3
}

/// At least two of three.
#[inline(always)]
pub(super) fn majority(a: u64, b: u64, c: u64) -> u64 {
    a & b | c & (a | b)
}

/// Exactly one of three.
#[inline(always)]
pub(super) fn one_of(a: u64, b: u64, c: u64) -> u64 {
    (a ^ b ^ c) & !(a & b & c)
}

/// One lane column of three words.
#[inline(always)]
pub(super) fn column<const N: usize>(words: &[Word<N>; 3], at: usize) -> [u64; 3] {
    [words[0][at], words[1][at], words[2][at]]
}
