//! Between the state (a word a candidate, a bit a lane) and rows (a bit a candidate, a word a lane).
//!
//! Sixty-four words of the state are, in each of their N columns, a 64x64 matrix of bits. Transposed, line `i`
//! holds the 64 candidates of the lane in row `i` of that column:
//!
//! ```text
//!              lane 63 .. 0                       candidate 63 .. 0
//!  candidate 0 [ ......x. ]              lane 0  [ ........ ]
//!            1 [ ........ ]      ->           1  [ .......x ]
//!           .. [ ........ ]                  ..  [ ........ ]
//! ```
//!
//! by swapping blocks of 32, 16, 8, 4, 2 and 1 across the diagonal. Three of the six sizes at a time are done
//! on eight words in registers.

use super::lane_rows::{HEADS, LaneRows, ROW_WORDS, TAIL_CELLS, TAIL_DIGITS};
use super::state::{CHOICE_BITS, LaneMask, MINICOLS, MINIROWS, Plane, State, place_of};
use crate::simd::{Kernel, Simd, Word};

/// The bits of the lower block of each pair of neighbouring blocks, by block size.
const fn low_blocks(size: i32) -> u64 {
    !0 / ((1 << size) + 1)
}

/// Swaps the off-diagonal blocks of `SIZE` bits between the words `k` and `k + step`, for each such pair of eight.
#[inline(always)]
fn swap_blocks<S: Simd<N>, const N: usize, const SIZE: i32>(simd: S, words: &mut [S::Word; 8], step: usize) {
    let low = simd.word([low_blocks(SIZE); N]);
    for upper in 0..8 {
        if upper & step == 0 {
            let (x, y) = (words[upper], words[upper + step]);
            words[upper] = x & low | y.shifted_left::<SIZE>() & !low;
            words[upper + step] = x.shifted_right::<SIZE>() & low | y & !low;
        }
    }
}

/// Transposes a 64x64 matrix in each column, by way of `halfway`; `word(k)` is word `k` of the source.
#[inline(always)]
pub(super) fn transpose<S: Simd<N>, const N: usize>(
    simd: S,
    halfway: &mut [S::Word; 64],
    word: impl Fn(usize) -> S::Word,
    mut put: impl FnMut(usize, S::Word),
) {
    for start in 0..8 {
        let mut eight: [S::Word; 8] = std::array::from_fn(|k| word(start + 8 * k));
        swap_blocks::<S, N, 32>(simd, &mut eight, 4);
        swap_blocks::<S, N, 16>(simd, &mut eight, 2);
        swap_blocks::<S, N, 8>(simd, &mut eight, 1);
        for k in 0..8 {
            halfway[start + 8 * k] = eight[k];
        }
    }
    for start in (0..64).step_by(8) {
        let mut eight: [S::Word; 8] = std::array::from_fn(|k| halfway[start + k]);
        swap_blocks::<S, N, 4>(simd, &mut eight, 4);
        swap_blocks::<S, N, 2>(simd, &mut eight, 2);
        swap_blocks::<S, N, 1>(simd, &mut eight, 1);
        for k in 0..8 {
            put(start + k, eight[k]);
        }
    }
}

/// Writes the candidates and choices of all lanes to `rows`.
pub(super) struct RowsOfState<'s, S, W, const N: usize> {
    pub(super) simd: S,
    pub(super) state: &'s State<W>,
    pub(super) rows: &'s mut LaneRows<N>,
}

impl<S: Simd<N>, const N: usize> Kernel for RowsOfState<'_, S, S::Word, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let RowsOfState { simd, state, rows } = self;
        let mut halfway = [simd.zero(); 64];
        let candidate = |digit: usize, cell: usize| {
            let (in_box, place) = PLACES[cell];
            state.boxes[usize::from(in_box)][digit].cells[usize::from(place)]
        };
        for word in 0..HEADS {
            let to = rows.matrix_mut(word);
            transpose(simd, &mut halfway, |cell| candidate(word, cell), |line, word| to[line] = word.bits());
        }
        for word in HEADS..ROW_WORDS {
            let to = rows.matrix_mut(word);
            let source = |bit: usize| match bit.checked_sub(TAIL_DIGITS * TAIL_CELLS) {
                Some(bit) => state.choice[word - HEADS][bit % CHOICE_BITS],
                None => candidate((word - HEADS) * TAIL_DIGITS + bit / TAIL_CELLS, 64 + bit % TAIL_CELLS),
            };
            transpose(simd, &mut halfway, source, |line, word| to[line] = word.bits());
        }
    }
}

/// Box and place of each cell.
const PLACES: [(u8, u8); 81] = {
    let mut places = [(0, 0); 81];
    let mut cell = 0;
    while cell < 81 {
        let (in_box, place) = place_of(cell);
        places[cell] = (in_box as u8, place as u8);
        cell += 1;
    }
    places
};

/// Reads the candidates of all lanes from `rows`, and computes the flags.
pub(super) struct StateOfRows<'s, S, W, const N: usize> {
    pub(super) simd: S,
    pub(super) rows: &'s LaneRows<N>,
    pub(super) state: &'s mut State<W>,
}

impl<S: Simd<N>, const N: usize> Kernel for StateOfRows<'_, S, S::Word, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let StateOfRows { simd, rows, state } = self;
        let mut halfway = [simd.zero(); 64];
        for tail in HEADS..ROW_WORDS {
            let matrix = rows.matrix(tail);
            transpose(
                simd,
                &mut halfway,
                |line| simd.word(matrix[line]),
                |bit, word| {
                    if bit < TAIL_DIGITS * TAIL_CELLS {
                        let digit = (tail - HEADS) * TAIL_DIGITS + bit / TAIL_CELLS;
                        *candidate_mut(state, digit, 64 + bit % TAIL_CELLS) = word;
                    }
                },
            );
        }
        for digit in 0..HEADS {
            let matrix = rows.matrix(digit);
            transpose(
                simd,
                &mut halfway,
                |line| simd.word(matrix[line]),
                |cell, word| {
                    *candidate_mut(state, digit, cell) = word;
                },
            );
            for planes in &mut state.boxes {
                compute_flags(&mut planes[digit]);
            }
        }
    }
}

/// The word of a candidate.
#[inline(always)]
fn candidate_mut<W>(state: &mut State<W>, digit: usize, cell: usize) -> &mut W {
    let (in_box, place) = PLACES[cell];
    &mut state.boxes[usize::from(in_box)][digit].cells[usize::from(place)]
}

/// Computes the flags of a plane from its cells.
#[inline(always)]
fn compute_flags<W: Word>(plane: &mut Plane<W>) {
    let x = &plane.cells;
    for line in 0..3 {
        plane.lines[MINIROWS][line] = x[3 * line] | x[3 * line + 1] | x[3 * line + 2];
        plane.lines[MINICOLS][line] = x[line] | x[line + 3] | x[line + 6];
    }
}

/// The lanes of a mask, numbered as [`super::lane_rows::LaneRows`] numbers them: lanes that are neighbours in memory
/// become neighbouring bits.
#[inline(always)]
pub(super) fn lane_order<const N: usize>(mask: &LaneMask<N>) -> LaneMask<N> {
    let mut words = *mask;
    let mut size = N / 2;
    while size > 0 {
        let low = low_blocks(size as i32);
        for upper in 0..N {
            if upper & size == 0 {
                let (x, y) = (words[upper], words[upper + size]);
                words[upper] = x & low | (y & low) << size;
                words[upper + size] = (x >> size) & low | y & !low;
            }
        }
        size /= 2;
    }
    words
}
