//! One puzzle as a row of bits, and the rows of all lanes.
//!
//! ```text
//!  a word a digit     bits 0 to 26: its minirows, row by row; 27 to 53: its minicols, band by band, column by column;
//!                     ten spare bits, in which the choice of a branch rides along
//!
//!    63      54 53            27 26             0
//!    [ choice  |    minicols    |    minirows    ]
//! ```
//!
//! So a decision about one digit touches one word.

use super::state::LaneMask;
use crate::puzzle::{CELLS, Puzzle, Solution};
use crate::simd::Simd;

/// The words of a row, one for each digit.
pub(super) const ROW_WORDS: usize = 9;
/// The flags in each.
pub(super) const FLAGS: usize = 54;
/// The bits of each that are not flags.
pub(super) const SPARE_BITS: usize = 64 - FLAGS;
/// The flags, as a mask.
pub(super) const FLAG_MASK: u64 = (1 << FLAGS) - 1;

/// The bits of the minirow and of the minicol of a cell.
pub(super) const fn flags_of(cell: usize) -> (usize, usize) {
    (cell / 3, 27 + cell / 27 * 9 + cell % 9)
}

/// By cell: what a word keeps when its digit is put there, all but the other minirows and minicols of the box.
pub(super) static PUT: [u64; CELLS] = {
    let mut table = [!0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, col) = flags_of(cell);
        let corner = cell / 27 * 27 + cell % 9 / 3 * 3;
        let mut line = 0;
        while line < 3 {
            let (other_row, other_col) = (flags_of(corner + 9 * line).0, flags_of(corner + line).1);
            if other_row != row {
                table[cell] &= !(1 << other_row);
            }
            if other_col != col {
                table[cell] &= !(1 << other_col);
            }
            line += 1;
        }
        cell += 1;
    }
    table
};

/// What is left of the digits of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneRow(pub(super) [u64; ROW_WORDS]);

impl LaneRow {
    /// Everything is possible.
    pub(super) const FULL: LaneRow = LaneRow([!0; ROW_WORDS]);

    /// What the clues leave of their digits in their boxes. Two equal clues in a box leave that digit no minirow or no
    /// minicol: a contradiction.
    #[inline(always)]
    pub(super) fn of_puzzle<const N: usize>(simd: impl Simd<N>, puzzle: &Puzzle) -> LaneRow {
        let values = puzzle.values();
        let blank = simd.cells_by_value(values)[0];
        let mut words = [!0; ROW_WORDS + 1];
        for (clues, first) in [(!blank.low, 0), (!blank.high & ((1 << (CELLS - 64)) - 1), 64)] {
            let mut clues = clues;
            while clues != 0 {
                let cell = first + clues.trailing_zeros() as usize;
                words[usize::from(values[cell]) % (ROW_WORDS + 1)] &= PUT[cell % CELLS];
                clues &= clues - 1;
            }
        }
        let mut row = LaneRow([0; ROW_WORDS]);
        row.0.copy_from_slice(&words[1..]);
        row
    }

    /// By digit: the cells that its flags leave it, bit `i` for cell `i`.
    #[inline(always)]
    pub(super) fn cells(&self) -> [u128; ROW_WORDS] {
        /// Three minirows, spread to their nine cells.
        const SPREAD: [u16; 8] = [0o000, 0o007, 0o070, 0o077, 0o700, 0o707, 0o770, 0o777];
        self.0.map(|word| {
            let mut cells = 0;
            for row in 0..9 {
                let minirows = SPREAD[(word >> (3 * row) & 7) as usize];
                let minicols = (word >> (27 + row / 3 * 9)) as u16;
                cells |= u128::from(minirows & minicols) << (9 * row);
            }
            cells
        })
    }

    /// Writes the grid of a row in which each digit has one cell in each box.
    pub(super) fn write_solution(&self, to: &mut Solution) {
        for (value, mut cells) in (1..).zip(self.cells()) {
            while cells != 0 {
                to.values_mut()[cells.trailing_zeros() as usize % CELLS] = value;
                cells &= cells - 1;
            }
        }
    }

    /// The digits that a cell may hold, as bits 0 to 8; none where a digit is known to be there.
    pub(super) fn open_digits(&self, cell: usize) -> usize {
        let (row, col) = flags_of(cell);
        let mut digits = 0;
        for (digit, &word) in self.0.iter().enumerate() {
            if word >> row & word >> col & 1 == 1 {
                if word & FLAG_MASK == word & PUT[cell] & FLAG_MASK {
                    return 0;
                }
                digits |= 1 << digit;
            }
        }
        digits
    }

    /// Makes it an alternative to take up later: with one of these digits, as bits, in that cell; as it is if there are none.
    #[inline(always)]
    pub(super) fn set_alternatives(&mut self, cell: usize, digits: usize) {
        self.0[0] = self.0[0] & FLAG_MASK | (cell as u64) << FLAGS;
        self.0[1] = self.0[1] & FLAG_MASK | (digits as u64) << FLAGS;
    }

    /// The cell and the digits of that.
    #[inline(always)]
    pub(super) fn alternatives(&self) -> (usize, usize) {
        ((self.0[0] >> FLAGS) as usize, (self.0[1] >> FLAGS) as usize)
    }
}

/// The blocks of [`LaneRows`].
pub(super) const BLOCKS: usize = 8;

/// The rows of all lanes: what the transposition writes and reads, a block of lanes at a time.
///
/// Of the 64 lines of a word a block has eight, of all nine words: 4.5 KB with 512 lanes, which stay in the
/// first cache while their lanes are worked on. Lanes are numbered by block, then by column, then by line.
pub(super) struct LaneRows<const N: usize> {
    blocks: [RowBlock<N>; BLOCKS],
}

/// The rows of `8 * N` lanes: by word, line and column.
#[repr(C, align(64))]
pub(super) struct RowBlock<const N: usize> {
    pub(super) words: [[[u64; N]; 8]; ROW_WORDS],
    /// It keeps the same words of different blocks from falling on the same cache sets.
    _gap: [u64; N],
}

/// Where a lane is in its block.
#[derive(Clone, Copy)]
pub(super) struct LanePlace {
    line: usize,
    column: usize,
}

impl LanePlace {
    /// The place of the lane with that number.
    #[inline(always)]
    pub(super) fn of_lane<const N: usize>(lane: usize) -> LanePlace {
        LanePlace { line: lane % 8, column: lane / 8 % N }
    }
}

/// The element and the bit that stand for a lane in a [`LaneMask`].
#[inline(always)]
pub(super) fn bit_of_lane<const N: usize>(lane: usize) -> (usize, u64) {
    (lane / 8 % N, 1 << (lane / (8 * N) * 8 + lane % 8))
}

/// The lanes of a mask that are in a block: bit `i` is its lane `i`.
#[inline(always)]
pub(super) fn lanes_of_block<const N: usize>(mask: &LaneMask<N>, block: usize) -> u64 {
    let mut lanes = 0;
    for (column, &word) in mask.iter().enumerate() {
        lanes |= (word >> (8 * block) & 0xff) << (8 * column);
    }
    lanes
}

impl<const N: usize> LaneRows<N> {
    pub(super) fn new() -> Box<LaneRows<N>> {
        let block = || RowBlock { words: [[[!0; N]; 8]; ROW_WORDS], _gap: [0; N] };
        Box::new(LaneRows { blocks: std::array::from_fn(|_| block()) })
    }

    /// The rows of one block.
    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> &RowBlock<N> {
        &self.blocks[block]
    }

    /// The rows of one block, to write.
    #[inline(always)]
    pub(super) fn block_mut(&mut self, block: usize) -> &mut RowBlock<N> {
        &mut self.blocks[block]
    }

    /// The rows of all blocks, to write.
    pub(super) fn blocks_mut(&mut self) -> &mut [RowBlock<N>] {
        &mut self.blocks
    }
}

impl<const N: usize> RowBlock<N> {
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
            *bits = word[place.line][place.column];
        }
    }

    /// Replaces the row of a lane by that of another.
    #[inline(always)]
    pub(super) fn take_row(&mut self, place: LanePlace, (from, other): (&RowBlock<N>, LanePlace)) {
        for (word, bits) in self.words.iter_mut().zip(&from.words) {
            word[place.line][place.column] = bits[other.line][other.column];
        }
    }

    /// Replaces the row of a lane.
    #[inline(always)]
    pub(super) fn set_row(&mut self, place: LanePlace, row: &LaneRow) {
        for (word, &bits) in self.words.iter_mut().zip(&row.0) {
            word[place.line][place.column] = bits;
        }
    }

    /// The choice that rides in the row of a lane: its first or second word.
    #[inline(always)]
    pub(super) fn choice<const WORD: usize>(&self, place: LanePlace) -> usize {
        (self.words[WORD][place.line][place.column] >> FLAGS) as usize
    }

    /// One word of a lane, to change.
    #[inline(always)]
    pub(super) fn word_mut(&mut self, word: usize, place: LanePlace) -> &mut u64 {
        &mut self.words[word][place.line][place.column]
    }
}
