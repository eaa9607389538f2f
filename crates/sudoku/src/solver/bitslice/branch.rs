//! Splits the row of a lane in two disjoint alternatives.

use super::choose::CONFIGURATIONS;
use super::lane_rows::{LanePlace, LaneRow, LaneRows, TAIL_CELLS, bit_of, tail_of};
use crate::puzzle::CELLS;
use crate::simd::CellSet;

/// By band (three bands, then three stacks) and set of configurations: all cells but those of the band that none
/// of them uses.
static KEPT: [[CellSet; 64]; 6] = kept();

const fn kept() -> [[CellSet; 64]; 6] {
    let mut table = [[CellSet { low: 0, high: 0 }; 64]; 6];
    let mut index = 0;
    while index < 6 * CELLS {
        let (band, cell) = (index / CELLS, index % CELLS);
        // Seen from a stack, rows and columns change places.
        let (row, column) = if band < 3 { (cell / 9, cell % 9) } else { (cell % 9, cell / 9) };
        let mut set = 0;
        while set < 64 {
            let mut used = row / 3 != band % 3;
            let mut configuration = 0;
            while configuration < 6 {
                let uses = CONFIGURATIONS[configuration][column / 3] == row % 3;
                used |= (set >> configuration) & 1 == 1 && uses;
                configuration += 1;
            }
            if used && cell < 64 {
                table[band][set].low |= 1 << cell;
            } else if used {
                table[band][set].high |= 1 << (cell - 64);
            }
            set += 1;
        }
        index += 1;
    }
    table
}

/// All six configurations of a digit in a band.
const ALL_SIX: usize = 0b11_1111;
/// All digits of a cell.
const NINE_DIGITS: usize = 0b1_1111_1111;

/// Keeps one configuration of the chosen digit in the row of a lane, and writes the row with the others to `rest`.
///
/// LaneRows are copied word by word, to the place where they stay: a vector load that follows narrower stores has to
/// wait for them, at a cost above that of the whole split.
#[inline(always)]
pub(super) fn split_configuration<const N: usize>(
    rows: &mut LaneRows<N>,
    place: LanePlace,
    rest: &mut LaneRow,
) {
    rows.copy_row(place, rest);
    let choice = rows.choice::<0>(place);
    let (open, band, digit) = (choice & ALL_SIX, (choice >> 6) & 7, (choice >> 9) & 15);
    if open == ALL_SIX || band > 5 || digit > 8 {
        // Nothing is known of the digit here: a cell says more.
        if let Some(cell) = open_cell(rest) {
            split_cell(rows, place, rest, cell, usize::from(rest.digits(cell)));
        }
        return;
    }
    let first = open & open.wrapping_neg();
    let (kept, others) = (KEPT[band][first], KEPT[band][open & !first]);
    let (tail, shift) = tail_of(digit);
    let tail_mask = |set: CellSet| set.high << shift | !(((1 << TAIL_CELLS) - 1) << shift);
    *rows.word_mut(digit, place) &= kept.low;
    *rows.word_mut(tail, place) &= tail_mask(kept);
    rest.0[digit] &= others.low;
    rest.0[tail] &= tail_mask(others);
}

/// By digit and cell: the word and the bit.
static BITS: [[(u8, u8); 128]; 16] = {
    let mut table = [[(0, 0); 128]; 16];
    let mut index = 0;
    while index < 9 * CELLS {
        let (word, bit) = bit_of(index % 9, index / 9);
        table[index % 9][index / 9] = (word as u8, bit as u8);
        index += 1;
    }
    table
};

/// The word and the mask of a candidate.
#[inline(always)]
fn candidate(digit: u32, cell: usize) -> (usize, u64) {
    let (word, bit) = BITS[digit as usize % 16][cell % 128];
    (usize::from(word), 1 << (bit % 64))
}

/// Keeps the smallest of the digits of a cell in the row of a lane, and writes the row without it to `rest`.
#[inline(always)]
pub(super) fn split_cell<const N: usize>(
    rows: &mut LaneRows<N>,
    place: LanePlace,
    rest: &mut LaneRow,
    cell: usize,
    digits: usize,
) {
    rows.copy_row(place, rest);
    let (word, bit) = candidate(digits.trailing_zeros(), cell);
    rest.0[word] &= !bit;
    let mut others = digits & digits.wrapping_sub(1) & NINE_DIGITS;
    while others != 0 {
        let (word, bit) = candidate(others.trailing_zeros(), cell);
        *rows.word_mut(word, place) &= !bit;
        others &= others - 1;
    }
}

/// The first cell with two digits, or without one the first with more.
#[cold]
fn open_cell(row: &LaneRow) -> Option<usize> {
    let digits = |cell: &usize| row.digits(*cell).count_ones();
    let first_with_two = (0..CELLS).find(|cell| digits(cell) == 2);
    first_with_two.or_else(|| (0..CELLS).find(|cell| digits(cell) > 2))
}
