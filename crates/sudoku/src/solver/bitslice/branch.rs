//! Splits the row of a lane in two disjoint alternatives, and takes up what was left for later.

use super::choose::CONFIGURATIONS;
use super::lane_rows::{LanePlace, LaneRow, PUT, ROW_WORDS, RowBlock, flags_of};
use crate::puzzle::CELLS;

/// By band (three bands, then three stacks) and set of configurations: all flags but those of the band that none
/// of them uses.
static KEPT: [[u64; 64]; 6] = {
    let mut table = [[!0; 64]; 6];
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
            if !used {
                let (minirow, minicol) = flags_of(cell);
                table[band][set] &= !(1 << if band < 3 { minirow } else { minicol });
            }
            set += 1;
        }
        index += 1;
    }
    table
};

/// All six configurations of a digit in a band.
const ALL_SIX: usize = 0b11_1111;

/// Keeps one configuration of the chosen digit in the row of a lane, and writes the row with the others to `rest`.
/// `false`: there is nothing to choose, so the row is a contradiction.
///
/// Rows are copied word by word, to the place where they stay: a vector load that follows narrower stores has to
/// wait for them, at a cost above that of the whole split.
#[inline(always)]
pub(super) fn split_configuration<const N: usize>(
    rows: &mut RowBlock<N>,
    place: LanePlace,
    rest: &mut LaneRow,
) -> bool {
    let (open, digit) = (rows.choice::<0>(place) & ALL_SIX, rows.choice::<0>(place) >> 6);
    let band = rows.choice::<1>(place) & 7;
    rows.copy_row(place, rest);
    if open == ALL_SIX || band > 5 || digit >= ROW_WORDS {
        // Nothing is known of the digit here: a cell says more.
        let Some((cell, digits)) = open_cell(rest) else { return false };
        split_cell(rows, place, rest, cell, digits);
        return true;
    }
    rest.set_alternatives(0, 0);
    let first = open & open.wrapping_neg();
    *rows.word_mut(digit, place) &= KEPT[band][first];
    rest.0[digit] &= KEPT[band][open & !first];
    true
}

/// Puts the smallest of the digits of a cell into the row of a lane, and writes the row with the others left to `rest`.
#[inline(always)]
pub(super) fn split_cell<const N: usize>(
    rows: &mut RowBlock<N>,
    place: LanePlace,
    rest: &mut LaneRow,
    cell: usize,
    digits: usize,
) {
    rows.copy_row(place, rest);
    rest.set_alternatives(cell, digits & digits.wrapping_sub(1));
    put(rows, place, cell, digits);
}

/// Takes up the next alternative of `rest` in a lane. `true`: it was the last one.
#[inline(always)]
pub(super) fn take_up<const N: usize>(rows: &mut RowBlock<N>, place: LanePlace, rest: &mut LaneRow) -> bool {
    rows.set_row(place, rest);
    let (cell, digits) = rest.alternatives();
    if digits == 0 {
        return true;
    }
    put(rows, place, cell, digits);
    let others = digits & digits.wrapping_sub(1);
    rest.set_alternatives(cell, others);
    others == 0
}

/// Puts the smallest of some digits into a cell.
#[inline(always)]
fn put<const N: usize>(rows: &mut RowBlock<N>, place: LanePlace, cell: usize, digits: usize) {
    if let (Some(kept), digit @ 0..ROW_WORDS) = (PUT.get(cell), digits.trailing_zeros() as usize) {
        *rows.word_mut(digit, place) &= kept;
    }
}

/// The first cell with two digits, or without one the first with more; and its digits.
fn open_cell(row: &LaneRow) -> Option<(usize, usize)> {
    let (mut some, mut several, mut more) = (0, 0, 0);
    for cells in row.cells() {
        more |= several & cells;
        several |= some & cells;
        some |= cells;
    }
    let first_of = |mut cells: u128| {
        while cells != 0 {
            let cell = cells.trailing_zeros() as usize;
            let digits = row.open_digits(cell);
            if digits != 0 {
                return Some((cell, digits));
            }
            cells &= cells - 1;
        }
        None
    };
    first_of(several & !more).or_else(|| first_of(more))
}
