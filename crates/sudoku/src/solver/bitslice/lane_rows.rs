//! One puzzle as a row of bits, and the rows of all lanes.
//!
//! ```text
//!  word 0 to 8     digit 1 to 9: bit i = cell i may hold it, for the cells 0 to 63
//!  word 9 to 11    three digits each: 17 bits a digit for the cells 64 to 80, then 13 spare bits, in
//!                  which the choice of a branch rides along
//!
//!    63       51 50        34 33        17 16         0
//!    [ choice   |  digit 3   |  digit 2   |  digit 1   ]  word 9
//! ```
//!
//! So a digit's cells are one word and a piece of another, and a decision about one digit touches no more.

use super::state::LaneMask;
use crate::puzzle::{Puzzle, Solution};
use crate::simd::{CellSet, Simd};

/// The words that hold the first 64 cells of a digit.
pub(super) const HEADS: usize = 9;
/// All words of a row.
pub(super) const ROW_WORDS: usize = 12;
/// The digits in each word after the heads.
pub(super) const TAIL_DIGITS: usize = 3;
/// The cells from 64 on.
pub(super) const TAIL_CELLS: usize = 17;
/// The first spare bit of a tail word.
const SPARE: usize = TAIL_DIGITS * TAIL_CELLS;

/// The candidates of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneRow(pub(super) [u64; ROW_WORDS]);

/// The word and the shift of a digit's cells from 64 on.
pub(super) const fn tail_of(digit: usize) -> (usize, usize) {
    (HEADS + digit / TAIL_DIGITS, digit % TAIL_DIGITS * TAIL_CELLS)
}

impl LaneRow {
    /// Everything is possible.
    pub(super) const FULL: LaneRow = LaneRow([!0; ROW_WORDS]);

    /// The candidates that the clues leave in their own cells: one for a clue, nine for a blank.
    #[inline(always)]
    pub(super) fn of_puzzle<const N: usize>(simd: impl Simd<N>, puzzle: &Puzzle) -> LaneRow {
        let sets = simd.cells_by_value(puzzle.values());
        let mut words = [0; ROW_WORDS];
        for digit in 0..9 {
            let (tail, shift) = tail_of(digit);
            words[digit] = sets[digit + 1].low | sets[0].low;
            words[tail] |= (sets[digit + 1].high | sets[0].high) << shift;
        }
        LaneRow(words)
    }

    /// Writes the grid of a row in which each cell has one candidate. In place: to move it on at once would wait
    /// for the vector stores.
    #[inline(always)]
    pub(super) fn write_solution<const N: usize>(&self, simd: impl Simd<N>, to: &mut Solution) {
        let mut cells = [CellSet::default(); 9];
        for (digit, cells) in cells.iter_mut().enumerate() {
            *cells = self.cells(digit);
        }
        simd.values_of_cells(&cells, to.values_mut());
    }

    /// The cells that may hold a digit.
    #[inline(always)]
    pub(super) fn cells(&self, digit: usize) -> CellSet {
        let (tail, shift) = tail_of(digit);
        CellSet { low: self.0[digit], high: self.0[tail] >> shift & ((1 << TAIL_CELLS) - 1) }
    }

    /// The digits that a cell may hold, as bits 0 to 8.
    #[inline(always)]
    pub(super) fn digits(&self, cell: usize) -> u16 {
        (0..9).fold(0, |digits, digit| {
            let (word, bit) = bit_of(digit, cell);
            digits | ((self.0[word] >> bit & 1) as u16) << digit
        })
    }
}

/// The word and bit of a candidate.
pub(super) const fn bit_of(digit: usize, cell: usize) -> (usize, usize) {
    let (tail, shift) = tail_of(digit);
    if cell < 64 { (digit, cell) } else { (tail, shift + cell - 64) }
}

/// One word of the rows of all lanes, by line.
pub(super) type Matrix<const N: usize> = [LaneMask<N>; 64];

/// The rows of all lanes, word by word: what the transposition reads and writes.
///
/// A lane is one column of one line. Lane numbers go `line % N`, then `line / N`, then the column, so that the
/// lanes of a line, which share cache lines, follow each other (see [`super::transpose::lane_order`]).
pub(super) struct LaneRows<const N: usize> {
    words: [Padded<N>; ROW_WORDS],
}

/// One word of every lane. The odd line keeps the words of a lane from falling on the same cache set: without
/// it they would be 4 KiB apart.
#[repr(C, align(64))]
struct Padded<const N: usize> {
    matrix: Matrix<N>,
    _gap: LaneMask<N>,
}

/// Where a lane is in [`LaneRows`].
#[derive(Clone, Copy)]
pub(super) struct LanePlace {
    line: usize,
    column: usize,
}

impl LanePlace {
    /// The place of the lane with that number.
    #[inline(always)]
    pub(super) fn of_lane<const N: usize>(lane: usize) -> LanePlace {
        let (residue, rest) = (lane / 64, lane % 64);
        LanePlace { line: (rest / N * N + residue) % 64, column: rest % N }
    }

    /// The element and the bit that stand for the lane in a [`LaneMask`].
    #[inline(always)]
    pub(super) fn bit(self) -> (usize, u64) {
        (self.column, 1 << self.line)
    }
}

impl<const N: usize> LaneRows<N> {
    pub(super) fn new() -> Box<LaneRows<N>> {
        let word = || Padded { matrix: [[!0; N]; 64], _gap: [0; N] };
        Box::new(LaneRows { words: std::array::from_fn(|_| word()) })
    }

    /// One word of all lanes.
    pub(super) fn matrix(&self, word: usize) -> &Matrix<N> {
        &self.words[word].matrix
    }

    /// One word of all lanes, to write.
    pub(super) fn matrix_mut(&mut self, word: usize) -> &mut Matrix<N> {
        &mut self.words[word].matrix
    }

    /// The row of a lane.
    #[inline(always)]
    pub(super) fn row(&self, place: LanePlace) -> LaneRow {
        let mut row = LaneRow([0; ROW_WORDS]);
        self.copy_row(place, &mut row);
        row
    }

    /// Copies the row of a lane.
    #[inline(always)]
    pub(super) fn copy_row(&self, place: LanePlace, to: &mut LaneRow) {
        for (bits, word) in to.0.iter_mut().zip(&self.words) {
            *bits = word.matrix[place.line][place.column];
        }
    }

    /// Replaces the row of a lane.
    #[inline(always)]
    pub(super) fn set_row(&mut self, place: LanePlace, row: &LaneRow) {
        for (word, &bits) in self.words.iter_mut().zip(&row.0) {
            word.matrix[place.line][place.column] = bits;
        }
    }

    /// The choice that rides in the row of a lane: its first or second word.
    #[inline(always)]
    pub(super) fn choice<const WORD: usize>(&self, place: LanePlace) -> usize {
        (self.words[HEADS + WORD].matrix[place.line][place.column] >> SPARE) as usize
    }

    /// One word of a lane, to change.
    #[inline(always)]
    pub(super) fn word_mut(&mut self, word: usize, place: LanePlace) -> &mut u64 {
        &mut self.words[word].matrix[place.line][place.column]
    }
}
