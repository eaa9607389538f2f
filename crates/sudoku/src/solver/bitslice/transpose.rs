//! Converts between the state (a word per flag, a bit per lane) and rows (a bit per flag, eight words per lane).
//!
//! Each of the N elements of a word is a column. In each column, 63 words of the state and one word of zeros form a 64x64 matrix of bits:
//! line `k` is the element of word `k` in this column. After the transposition, line `i` holds the 64 bits of lane `i` of the column:
//! ```text
//!              lane 63 .. 0                            flag 63 .. 0
//!       flag 0 [ ......x. ]              lane 0  [ ........ ]
//!            1 [ ........ ]      ->           1  [ .......x ]
//!           .. [ ........ ]                  ..  [ ........ ]
//! ```
//!
//! The transposition swaps squares of 32 x 32, 16 x 16, 8 x 8, 4 x 4, 2 x 2 and 1 x 1 bits across the diagonal. The sizes can be processed
//! in any order. Each half of the transposition processes three of the six sizes, on eight words in registers. The sizes 32, 16 and 8 are
//! processed while words move between the state and the blocks of [`LaneRows`]; the sizes 4, 2 and 1 are processed within a block, before
//! and after its lanes are processed. So the rows of a block stay in the first-level cache.

use super::lane_rows::{BLOCKS, LaneRows, PLANES_A_WORD, ROW_WORDS, RowBlock};
use super::state::{CHOICE_PLANES, FLAGS, State};
use crate::simd::{Kernel, Simd, Word};

/// Returns a mask of every second group of `size` bits, starting with the lowest group.
const fn low_groups(size: i32) -> u64 {
    !0 / ((1 << size) + 1)
}

/// For each pair of words `k` and `k + step` among the eight words, and each pair of neighbouring groups of `SIZE` bits: swaps the upper
/// group of word `k` with the lower group of word `k + step`. Over several words, these groups are the off-diagonal squares.
#[inline(always)]
fn swap_squares<S: Simd<N>, const N: usize, const SIZE: i32>(simd: S, words: &mut [S::Word; 8], step: usize) {
    let low = simd.word([low_groups(SIZE); N]);
    for upper in 0..8 {
        if upper & step == 0 {
            let (x, y) = (words[upper], words[upper + step]);
            words[upper] = x & low | y.shifted_left::<SIZE>() & !low;
            words[upper + step] = x.shifted_right::<SIZE>() & low | y & !low;
        }
    }
}

/// Writes the flags and choices of all lanes to the blocks. Afterwards, [`turn`] must turn each block into the rows of its lanes.
pub(super) struct BlocksOfState<'s, S, W, const N: usize> {
    pub(super) simd: S,
    pub(super) state: &'s State<W>,
    pub(super) rows: &'s mut LaneRows<N>,
}

impl<S: Simd<N>, const N: usize> Kernel for BlocksOfState<'_, S, S::Word, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let BlocksOfState { simd, state, rows } = self;
        let flags = state.bands.as_flattened().as_flattened().as_flattened();
        for word in 0..ROW_WORDS {
            to_blocks(simd, rows, word, |bit| {
                let plane = PLANES_A_WORD * word + bit;
                match flags.get(plane) {
                    _ if bit == PLANES_A_WORD => simd.zero(),
                    Some(flag) => *flag,
                    None => state.choice[(plane - FLAGS) % CHOICE_PLANES],
                }
            });
        }
    }
}

/// Performs the first half of the transposition for word number `word` of each lane's row. `source(k)` returns line `k` of the matrix: a
/// word with one bit for each lane.
#[inline(always)]
pub(super) fn to_blocks<S: Simd<N>, const N: usize>(
    simd: S,
    rows: &mut LaneRows<N>,
    word: usize,
    source: impl Fn(usize) -> S::Word,
) {
    for start in 0..8 {
        let mut eight: [S::Word; 8] = std::array::from_fn(|block| source(start + 8 * block));
        swap_large(simd, &mut eight);
        for block in 0..BLOCKS {
            rows.block_mut(block).words[word][start] = eight[block].bits();
        }
    }
}

/// Swaps the squares of 32, 16 and 8 bits. The eight words are every eighth line of the matrix.
#[inline(always)]
fn swap_large<S: Simd<N>, const N: usize>(simd: S, eight: &mut [S::Word; 8]) {
    swap_squares::<S, N, 32>(simd, eight, 4);
    swap_squares::<S, N, 16>(simd, eight, 2);
    swap_squares::<S, N, 8>(simd, eight, 1);
}

/// Turns a block into the rows of its lanes, or back.
#[inline(always)]
pub(super) fn turn<S: Simd<N>, const N: usize>(simd: S, block: &mut RowBlock<N>) {
    for lines in &mut block.words {
        let mut eight: [S::Word; 8] = std::array::from_fn(|line| simd.word(lines[line]));
        swap_squares::<S, N, 4>(simd, &mut eight, 4);
        swap_squares::<S, N, 2>(simd, &mut eight, 2);
        swap_squares::<S, N, 1>(simd, &mut eight, 1);
        for line in 0..8 {
            lines[line] = eight[line].bits();
        }
    }
}

/// The rows of the lanes. They are made only when some lane needs its own row.
///
/// If puzzles need no guess, a whole round may need no rows: puzzles enter the state and solutions leave it directly.
pub(super) struct RowsOnDemand<'s, S: Simd<N>, const N: usize> {
    simd: S,
    state: &'s State<S::Word>,
    rows: &'s mut LaneRows<N>,
    are_made: bool,
    block: usize,
    is_turned: bool,
}

impl<'s, S: Simd<N>, const N: usize> RowsOnDemand<'s, S, N> {
    /// Starts a round. No rows are made yet.
    pub(super) fn new(
        simd: S,
        state: &'s State<S::Word>,
        rows: &'s mut LaneRows<N>,
    ) -> RowsOnDemand<'s, S, N> {
        RowsOnDemand { simd, state, rows, are_made: false, block: 0, is_turned: false }
    }

    pub(super) fn are_made(&self) -> bool {
        self.are_made
    }

    #[inline(always)]
    pub(super) fn start_block(&mut self, block: usize) {
        (self.block, self.is_turned) = (block, false);
    }

    /// Ends the block. If its rows were made, turns them back.
    #[inline(always)]
    pub(super) fn end_block(&mut self) {
        if self.is_turned {
            turn(self.simd, self.rows.block_mut(self.block));
        }
    }

    /// Returns the rows of the block, making them if necessary.
    #[inline(always)]
    pub(super) fn lanes(&mut self) -> &mut RowBlock<N> {
        if !self.is_turned {
            self.turn();
        }
        self.rows.block_mut(self.block)
    }

    #[inline(never)]
    fn turn(&mut self) {
        let RowsOnDemand { simd, state, rows, are_made, block, is_turned } = self;
        if !std::mem::replace(are_made, true) {
            simd.call(BlocksOfState { simd: *simd, state, rows });
        }
        simd.call(Turn { simd: *simd, blocks: std::slice::from_mut(rows.block_mut(*block)) });
        *is_turned = true;
    }
}

/// Calls [`turn`] for each block.
pub(super) struct Turn<'s, S, const N: usize> {
    pub(super) simd: S,
    pub(super) blocks: &'s mut [RowBlock<N>],
}

impl<S: Simd<N>, const N: usize> Kernel for Turn<'_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for block in self.blocks {
            turn(self.simd, block);
        }
    }
}

/// Reads the flags of all lanes from the blocks. Before that, [`turn`] must turn the rows of each block back.
pub(super) struct StateOfBlocks<'s, S, W, const N: usize> {
    pub(super) simd: S,
    pub(super) rows: &'s LaneRows<N>,
    pub(super) state: &'s mut State<W>,
}

impl<S: Simd<N>, const N: usize> Kernel for StateOfBlocks<'_, S, S::Word, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let StateOfBlocks { simd, rows, state } = self;
        let flags = state.bands.as_flattened_mut().as_flattened_mut().as_flattened_mut();
        for word in 0..ROW_WORDS {
            from_blocks(simd, rows, word, |bit, plane| {
                if let (0..PLANES_A_WORD, Some(flag)) = (bit, flags.get_mut(PLANES_A_WORD * word + bit)) {
                    *flag = plane;
                }
            });
        }
    }
}

/// Performs the second half of the transposition from rows back to the state, for one word of the rows. For each line `k` of the matrix,
/// calls `put` with `k` and the line, which is a word with one bit for each lane.
#[inline(always)]
pub(super) fn from_blocks<S: Simd<N>, const N: usize>(
    simd: S,
    rows: &LaneRows<N>,
    word: usize,
    mut put: impl FnMut(usize, S::Word),
) {
    for start in 0..8 {
        let mut eight: [S::Word; 8] =
            std::array::from_fn(|block| simd.word(rows.block(block).words[word][start]));
        swap_large(simd, &mut eight);
        for block in 0..BLOCKS {
            put(start + 8 * block, eight[block]);
        }
    }
}
