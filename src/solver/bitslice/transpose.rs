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
#![forbid(unsafe_code)]

use super::row::{HEADS, ROW_WORDS, Rows, TAIL_CELLS, TAIL_DIGITS};
use super::state::{CHOICE_BITS, Plane, State, Word, cell_at, place_of};

/// Sixty-four words: a 64x64 matrix in each column.
pub(super) type Matrix<const N: usize> = [Word<N>; 64];

/// The bits of the lower block of each pair of neighbouring blocks, by block size.
const fn low_blocks(size: u32) -> u64 {
    !0 / ((1 << size) + 1)
}

/// Swaps the off-diagonal blocks of the words `pair` and `pair + STEP` for each pair among eight words.
#[inline(always)]
fn swap_blocks<const STEP: usize>(words: &mut [u64; 8], size: u32) {
    let mask = low_blocks(size);
    for upper in 0..8 {
        if upper & STEP == 0 {
            let (x, y) = (words[upper], words[upper + STEP]);
            words[upper] = x & mask | (y << size) & !mask;
            words[upper + STEP] = (x >> size) & mask | y & !mask;
        }
    }
}

/// Transposes the matrix of each column: `words(k)` is word `k` of the source.
#[inline(always)]
pub(super) fn transpose<'w, const N: usize>(
    words: impl Fn(usize) -> &'w Word<N>,
    to: &mut Matrix<N>,
) {
    let mut halfway: Matrix<N> = [[0; N]; 64];
    for start in 0..8 {
        let source: [&Word<N>; 8] = std::array::from_fn(|k| words(start + 8 * k));
        for at in 0..N {
            let mut eight: [u64; 8] = std::array::from_fn(|k| source[k][at]);
            swap_blocks::<4>(&mut eight, 32);
            swap_blocks::<2>(&mut eight, 16);
            swap_blocks::<1>(&mut eight, 8);
            for k in 0..8 {
                halfway[start + 8 * k][at] = eight[k];
            }
        }
    }
    for (source, to) in halfway.as_chunks::<8>().0.iter().zip(to.as_chunks_mut::<8>().0) {
        for at in 0..N {
            let mut eight: [u64; 8] = std::array::from_fn(|k| source[k][at]);
            swap_blocks::<4>(&mut eight, 4);
            swap_blocks::<2>(&mut eight, 2);
            swap_blocks::<1>(&mut eight, 1);
            for k in 0..8 {
                to[k][at] = eight[k];
            }
        }
    }
}

/// Writes the candidates and choices of all lanes to `rows`.
#[inline(always)]
pub(super) fn rows_of_state<const N: usize>(state: &State<N>, rows: &mut Rows<N>) {
    let cell_plane = |digit: usize, cell: usize| {
        let (in_box, place) = place_of(cell);
        &state.boxes[in_box][digit].cells[place]
    };
    for word in 0..HEADS {
        transpose(|cell| cell_plane(word, cell), rows.matrix_mut(word));
    }
    for word in HEADS..ROW_WORDS {
        let source = |bit: usize| match bit.checked_sub(TAIL_DIGITS * TAIL_CELLS) {
            Some(bit) => &state.choice[bit % CHOICE_BITS],
            None => cell_plane((word - HEADS) * TAIL_DIGITS + bit / TAIL_CELLS, 64 + bit % TAIL_CELLS),
        };
        transpose(source, rows.matrix_mut(word));
    }
}

/// Reads the candidates of all lanes from `rows`, and computes the flags.
#[inline(always)]
pub(super) fn state_of_rows<const N: usize>(rows: &Rows<N>, state: &mut State<N>) {
    let (mut head, mut tail): (Matrix<N>, Matrix<N>) = ([[0; N]; 64], [[0; N]; 64]);
    for digit in 0..9 {
        if digit % TAIL_DIGITS == 0 {
            let matrix = rows.matrix(HEADS + digit / TAIL_DIGITS);
            transpose(|lane| &matrix[lane], &mut tail);
        }
        let matrix = rows.matrix(digit);
        transpose(|lane| &matrix[lane], &mut head);
        let tail_of_digit = &tail[digit % TAIL_DIGITS * TAIL_CELLS..];
        for in_box in 0..9 {
            let cells: [&Word<N>; 9] = std::array::from_fn(|place| match cell_at(in_box, place) {
                cell @ 0..64 => &head[cell],
                cell => &tail_of_digit[cell - 64],
            });
            load_plane(cells, &mut state.boxes[in_box][digit]);
        }
    }
}

/// Copies nine cells to a plane and computes its flags.
#[inline(always)]
fn load_plane<const N: usize>(from: [&Word<N>; 9], plane: &mut Plane<N>) {
    let Plane { cells, lines: [rows, cols] } = plane;
    for at in 0..N {
        let x: [u64; 9] = std::array::from_fn(|place| from[place][at]);
        for place in 0..9 {
            cells[place][at] = x[place];
        }
        for line in 0..3 {
            rows[line][at] = x[3 * line] | x[3 * line + 1] | x[3 * line + 2];
            cols[line][at] = x[line] | x[line + 3] | x[line + 6];
        }
    }
}

/// The lanes of a mask, numbered as [`super::row::Rows`] numbers them: lanes that are neighbours in memory
/// become neighbouring bits.
#[inline(always)]
pub(super) fn lane_order<const N: usize>(mask: &Word<N>) -> Word<N> {
    let mut words = *mask;
    let mut size = N / 2;
    while size > 0 {
        let low = low_blocks(size as u32);
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
