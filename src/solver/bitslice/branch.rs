//! Splits the row of a lane in two disjoint alternatives.
#![forbid(unsafe_code)]

use super::choose::CONFIGURATIONS;
use super::row::{Place, Row, Rows, TAIL_CELLS, bit_of, choice_of, tail_of};
use crate::puzzle::CELLS;
use crate::simd::CellSet;

/// By band (three bands, then three stacks) and configuration: all cells but those of the band that the
/// configuration does not use.
const KEPT: [[CellSet; 6]; 6] = kept();

const fn kept() -> [[CellSet; 6]; 6] {
    let mut table = [[CellSet { low: 0, high: 0 }; 6]; 6];
    let mut index = 0;
    while index < 36 * CELLS {
        let (band, configuration, cell) = (index / CELLS / 6, index / CELLS % 6, index % CELLS);
        // Seen from a stack, rows and columns change places.
        let (row, column) = if band < 3 { (cell / 9, cell % 9) } else { (cell % 9, cell / 9) };
        if row / 3 != band % 3 || CONFIGURATIONS[configuration][column / 3] == row % 3 {
            let set = &mut table[band][configuration];
            if cell < 64 {
                set.low |= 1 << cell;
            } else {
                set.high |= 1 << (cell - 64);
            }
        }
        index += 1;
    }
    table
}

/// All six configurations of a digit in a band.
const ALL_SIX: usize = 0b11_1111;

/// Keeps one configuration of the chosen digit in the row of a lane, and returns the row with the others.
#[inline(always)]
pub(super) fn split_configuration<const N: usize>(rows: &mut Rows<N>, place: Place) -> Row {
    let mut rest = rows.row(place);
    let choice = choice_of(&rest);
    let (open, band, digit) = (choice & ALL_SIX, (choice >> 6) & 7, (choice >> 9) & 15);
    if open == ALL_SIX || band > 5 || digit > 8 {
        // Nothing is known of the digit here: a cell says more.
        return match open_cell(&rest) {
            Some(cell) => split_cell_of(rows, place, rest, cell),
            None => rest,
        };
    }
    let first = open.trailing_zeros() as usize % 6;
    let mut others = CellSet::default();
    let mut left = open & open.wrapping_sub(1);
    while left != 0 {
        let kept = KEPT[band][left.trailing_zeros() as usize % 6];
        others = CellSet { low: others.low | kept.low, high: others.high | kept.high };
        left &= left - 1;
    }
    let (tail, shift) = tail_of(digit);
    let tail_mask = |set: CellSet| set.high << shift | !(((1 << TAIL_CELLS) - 1) << shift);
    let kept = KEPT[band][first];
    *rows.word_mut(digit, place) &= kept.low;
    *rows.word_mut(tail, place) &= tail_mask(kept);
    rest.0[digit] &= others.low;
    rest.0[tail] &= tail_mask(others);
    rest
}

/// Keeps the smallest digit of the chosen cell in the row of a lane, and returns the row without it.
#[inline(always)]
pub(super) fn split_cell<const N: usize>(rows: &mut Rows<N>, place: Place) -> Row {
    let rest = rows.row(place);
    let cell = choice_of(&rest) & 127;
    split_cell_of(rows, place, rest, cell.min(CELLS - 1))
}

/// [`split_cell`] for a given cell of `rest`, the row at `place`.
#[inline(always)]
fn split_cell_of<const N: usize>(rows: &mut Rows<N>, place: Place, mut rest: Row, cell: usize) -> Row {
    let digits = rest.digits(cell);
    let smallest = digits.trailing_zeros() as usize;
    for digit in 0..9 {
        let (word, bit) = bit_of(digit, cell);
        if digit == smallest {
            rest.0[word] &= !(1 << bit);
        } else {
            *rows.word_mut(word, place) &= !(1 << bit);
        }
    }
    rest
}

/// The first cell with two digits, or without one the first with more.
#[cold]
fn open_cell(row: &Row) -> Option<usize> {
    let digits = |cell: &usize| row.digits(*cell).count_ones();
    let first_with_two = (0..CELLS).find(|cell| digits(cell) == 2);
    first_with_two.or_else(|| (0..CELLS).find(|cell| digits(cell) > 2))
}
