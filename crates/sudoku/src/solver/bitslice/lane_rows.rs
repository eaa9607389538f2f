//! One puzzle as a row of bits, and the rows of all lanes.
//!
//! ```text
//!  eight words, each with seven groups of nine flags: a group has the flags of a digit in a band or in a stack, by box and line. The
//!  last word needs only five groups, so its other two groups hold the choice of a branch; the highest bit of each word is not used
//!
//!    63 62      54                 17       9 8        0
//!    [ | band 1   |               | band 1   | band 1   ]    word 0
//!    [ | digit 7  |      ..       | digit 2  | digit 1  ]
//!    ..
//!    [ | choice   | choice  | ..  | stack 3  | stack 3  ]    word 7
//!    [ |          |         | ..  | digit 6  | digit 5  ]
//! ```
//!
//! A configuration of a digit in a band or stack (see `choose.rs`) concerns only one group, so a decision about it changes one word. A row
//! is one cache line.

use super::state::{CHOICE_PLANES, FLAGS, LaneMask};
use crate::puzzle::{CELLS, Puzzle, Solution};
use crate::simd::{CellSet, Simd};

pub(super) const ROW_WORDS: usize = 8;
/// Number of flags of a digit in a band.
const FLAGS_OF_BAND: usize = 9;
/// The nine flags as a mask.
const ALL_NINE: u64 = (1 << FLAGS_OF_BAND) - 1;
/// Number of planes that a word of a row is made from. Each plane supplies one bit of the word.
pub(super) const PLANES_A_WORD: usize = 63;
/// Position of the first bit of the choice in the last word.
const CHOICE_BIT: usize = FLAGS - (ROW_WORDS - 1) * PLANES_A_WORD;
/// Mask of all bits of a choice that starts at bit 0.
const CHOICE_MASK: u64 = (1 << CHOICE_PLANES) - 1;

/// The results of [`nine_of`], indexed by nine times the band plus the digit. Bands 3 to 5 are the stacks.
static NINES: [(u8, u8); 64] = {
    let mut table = [(0, 0); 64];
    let mut nine = 0;
    while nine < FLAGS / FLAGS_OF_BAND {
        table[nine] = ((nine / 7) as u8, (nine % 7 * FLAGS_OF_BAND) as u8);
        nine += 1;
    }
    table
};

/// Returns the position of the nine flags of a digit in a band: the index of their word in the row, and their first bit in this word.
#[inline(always)]
pub(super) fn nine_of(band: usize, digit: usize) -> (usize, u32) {
    place_of_nine(9 * band + digit)
}

/// Returns the same as [`nine_of`], but takes the band and the digit as one number: `9 * band + digit`.
#[inline(always)]
fn place_of_nine(nine: usize) -> (usize, u32) {
    let (word, bit) = NINES[nine % 64];
    (usize::from(word) % ROW_WORDS, u32::from(bit) % 64)
}

/// Returns a mask that clears `flags` and keeps all other bits. The nine flags start at the bit `bit`.
#[inline(always)]
pub(super) fn striking(flags: u16, bit: u32) -> u64 {
    !(u64::from(flags) << bit)
}

/// Each cell has two entries: one for its band and one for its stack. The first number of an entry is the index in [`NINES`] of digit 1 in
/// this band or stack. The second number is a mask of the flags (out of a digit's nine) that are cleared if the digit is filled into the
/// cell.
static PUT: [[(u8, u16); 2]; 128] = {
    let mut table = [[(0, 0); 2]; 128];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (cell / 9, cell % 9);
        // In a stack, rows and columns are exchanged.
        let seen = [(row / 3, column / 3, row % 3), (3 + column / 3, row / 3, column % 3)];
        let mut way = 0;
        while way < 2 {
            let (band, in_band, line) = seen[way];
            table[cell][way] = (9 * band as u8, (7 & !(1 << line)) << (3 * in_band));
            way += 1;
        }
        cell += 1;
    }
    table
};

/// Filling a digit into a cell changes two words of a row: one for the cell's band and one for its stack. Returns, for each of the two, the
/// number of the word and a mask of the bits that remain.
#[inline(always)]
pub(super) fn put(cell: usize, digit: usize) -> [(usize, u64); 2] {
    let kept = |(first, struck): (u8, u16)| {
        let (word, bit) = place_of_nine(usize::from(first) + digit);
        (word, striking(struck, bit))
    };
    let [of_band, of_stack] = PUT[cell % 128];
    [kept(of_band), kept(of_stack)]
}

/// The row of one puzzle: its flags, and the choice of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct LaneRow(pub(super) [u64; ROW_WORDS]);

impl LaneRow {
    /// All flags are set.
    pub(super) const FULL: LaneRow = LaneRow([!0; ROW_WORDS]);

    /// Makes the `LaneRow` of a puzzle. Each clue clears the flags of its digit in its box, except those of its own minirow and minicol. If
    /// two clues of a box are equal, the digit has no minirow or no minicol left: a contradiction.
    #[inline(always)]
    pub(super) fn from_puzzle<const N: usize>(simd: impl Simd<N>, puzzle: &Puzzle) -> LaneRow {
        let values = puzzle.values();
        let blank = simd.cells_by_value(values)[0];
        let mut row = LaneRow::FULL;
        for (clues, first) in [(!blank.low, 0), (!blank.high & ((1 << (CELLS - 64)) - 1), 64)] {
            let mut clues = clues;
            while clues != 0 {
                let cell = (first + clues.trailing_zeros() as usize) % CELLS;
                for (word, kept) in put(cell, usize::from(values[cell]).wrapping_sub(1)) {
                    row.0[word] &= kept;
                }
                clues &= clues - 1;
            }
        }
        row
    }

    /// Returns the nine flags of a digit in a band: bit `3 * box + line`.
    #[inline(always)]
    pub(super) fn nine(&self, band: usize, digit: usize) -> u64 {
        let (word, bit) = nine_of(band, digit);
        self.0[word] >> bit & ALL_NINE
    }

    /// Returns for each digit the cells that the flags still allow: bit `i` stands for cell `i`.
    #[inline(always)]
    pub(super) fn cells(&self) -> [u128; 9] {
        let mut cells = [0; 9];
        for (digit, cells) in cells.iter_mut().enumerate() {
            *cells = self.cells_of(digit);
        }
        cells
    }

    /// Returns the cells that the flags still allow for a digit: bit `i` stands for cell `i`.
    #[inline(always)]
    fn cells_of(&self, digit: usize) -> u128 {
        let mut cells = 0;
        let stacks = [3, 4, 5].map(|stack| self.nine(stack, digit));
        for band in 0..3 {
            let minirows = self.nine(band, digit);
            let minicols = (0..3).map(|stack| (stacks[stack] >> (3 * band) & 7) << (3 * stack)).sum::<u64>();
            for line in 0..3 {
                // Expands each minirow to its three cells.
                let minirow = (minirows >> line & 0o111) * 7;
                cells |= u128::from(minirow & minicols) << (27 * band + 9 * line);
            }
        }
        cells
    }

    /// Returns whether this is the row of `solution`. The flags must allow each digit in exactly one cell of each box.
    #[inline(never)]
    pub(super) fn holds<const N: usize>(&self, simd: impl Simd<N>, solution: &Solution) -> bool {
        let sets = simd.cells_by_value(solution.values());
        (0..9).all(|digit| {
            let CellSet { low, high } = sets[digit + 1];
            self.cells_of(digit) == (u128::from(low) | u128::from(high) << 64)
        })
    }

    /// Writes the solution to `to`. The flags must allow each digit in exactly one cell of each box.
    pub(super) fn write_solution(&self, to: &mut Solution) {
        for (value, mut cells) in (1..).zip(self.cells()) {
            while cells != 0 {
                to.values_mut()[cells.trailing_zeros() as usize % CELLS] = value;
                cells &= cells - 1;
            }
        }
    }

    /// Returns the digits that a cell may hold, as bits 0 to 8, or 0 if the digit of the cell is already known.
    pub(super) fn open_digits(&self, cell: usize) -> usize {
        let (row, column) = (cell / 9, cell % 9);
        let mut digits = 0;
        for digit in 0..9 {
            let minirows = self.nine(row / 3, digit) >> (column / 3 * 3) & 7;
            let minicols = self.nine(3 + column / 3, digit) >> (row / 3 * 3) & 7;
            if minirows >> (row % 3) & minicols >> (column % 3) & 1 == 1 {
                if minirows.is_power_of_two() && minicols.is_power_of_two() {
                    return 0;
                }
                digits |= 1 << digit;
            }
        }
        digits
    }

    /// Stores in the row how to resume it later: one of `digits`, given as bits, is filled into `cell`. If there are no digits, the row is
    /// resumed unchanged.
    #[inline(always)]
    pub(super) fn set_alternatives(&mut self, cell: usize, digits: usize) {
        let choice = (cell | digits << CELL_BITS) as u64;
        let last = &mut self.0[ROW_WORDS - 1];
        *last = *last & ((1 << CHOICE_BIT) - 1) | choice << CHOICE_BIT;
    }

    /// Returns the cell and the digits that [`LaneRow::set_alternatives`] has stored.
    #[inline(always)]
    pub(super) fn alternatives(&self) -> (usize, usize) {
        cell_of_choice((self.0[ROW_WORDS - 1] >> CHOICE_BIT & CHOICE_MASK) as usize)
    }
}

/// Number of bits of a cell's number.
pub(super) const CELL_BITS: usize = 7;

/// Returns the cell that a choice names, and its digits as bits.
#[inline(always)]
pub(super) fn cell_of_choice(choice: usize) -> (usize, usize) {
    (choice & ((1 << CELL_BITS) - 1), choice >> CELL_BITS & ALL_NINE as usize)
}

/// Number of blocks of [`LaneRows`].
pub(super) const BLOCKS: usize = 8;

/// The rows of all lanes, in blocks of lanes. The lanes are processed one block at a time.
///
/// For each of the eight words of a row, the lanes form a table of 64 lines and `N` columns (see `transpose.rs`). A block has eight of the
/// 64 lines. With 512 lanes, a block is 4 KB, so it stays in the first-level cache while its lanes are processed. Lanes are numbered by
/// block, then by column, then by line.
pub(super) struct LaneRows<const N: usize> {
    blocks: [RowBlock<N>; BLOCKS],
}

/// The rows of `8 * N` lanes, indexed by word, then by line and column of the table (see [`LaneRows`]).
#[repr(C, align(64))]
pub(super) struct RowBlock<const N: usize> {
    pub(super) words: [[[u64; N]; 8]; ROW_WORDS],
    /// Padding. Without it, the same word of different blocks would be in the same cache sets.
    _gap: [u64; N],
}

/// The position of a lane in its block.
#[derive(Clone, Copy)]
pub(super) struct LanePlace {
    line: usize,
    column: usize,
}

impl LanePlace {
    #[inline(always)]
    pub(super) fn from_lane<const N: usize>(lane: usize) -> LanePlace {
        LanePlace { line: lane % 8, column: lane / 8 % N }
    }
}

/// Returns the element and the bit of a lane in a [`LaneMask`].
#[inline(always)]
pub(super) fn bit_of_lane<const N: usize>(lane: usize) -> (usize, u64) {
    (lane / 8 % N, 1 << (lane / (8 * N) * 8 + lane % 8))
}

/// Returns the lanes of a mask that are in a block: bit `i` is lane `i` of the block.
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

    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> &RowBlock<N> {
        &self.blocks[block]
    }

    #[inline(always)]
    pub(super) fn block_mut(&mut self, block: usize) -> &mut RowBlock<N> {
        &mut self.blocks[block]
    }

    pub(super) fn blocks_mut(&mut self) -> &mut [RowBlock<N>] {
        &mut self.blocks
    }
}

impl<const N: usize> RowBlock<N> {
    #[inline(always)]
    pub(super) fn row(&self, place: LanePlace) -> LaneRow {
        let mut row = LaneRow([0; ROW_WORDS]);
        self.copy_row(place, &mut row);
        row
    }

    #[inline(always)]
    pub(super) fn copy_row(&self, place: LanePlace, to: &mut LaneRow) {
        for (bits, word) in to.0.iter_mut().zip(&self.words) {
            *bits = word[place.line][place.column];
        }
    }

    /// Replaces the row of a lane by the row of another lane.
    #[inline(always)]
    pub(super) fn take_row(&mut self, place: LanePlace, (from, other): (&RowBlock<N>, LanePlace)) {
        for (word, bits) in self.words.iter_mut().zip(&from.words) {
            word[place.line][place.column] = bits[other.line][other.column];
        }
    }

    #[inline(always)]
    pub(super) fn set_row(&mut self, place: LanePlace, row: &LaneRow) {
        for (word, &bits) in self.words.iter_mut().zip(&row.0) {
            word[place.line][place.column] = bits;
        }
    }

    /// Returns the choice stored in the row of a lane: bit `i` belongs to plane `i`.
    #[inline(always)]
    pub(super) fn choice(&self, place: LanePlace) -> usize {
        (self.words[ROW_WORDS - 1][place.line][place.column] >> CHOICE_BIT & CHOICE_MASK) as usize
    }

    #[inline(always)]
    pub(super) fn word_mut(&mut self, word: usize, place: LanePlace) -> &mut u64 {
        &mut self.words[word][place.line][place.column]
    }
}
