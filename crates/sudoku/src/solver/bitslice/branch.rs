//! Splits the search of a lane into two disjoint alternatives, and resumes stored alternatives. A lane has one puzzle, stored as a row of
//! bits: see `lane_rows.rs`.

use super::choose::CONFIGURATIONS;
use super::lane_rows::{LanePlace, LaneRow, RowBlock, nine_of, put, striking};

/// For each set of configurations of a digit in a band: the flags of the digit, out of nine, that no configuration of the set uses. Bit `i`
/// of the index is configuration `i`. Bit `3 * box + line` of the value is the flag of a line in a box.
static UNUSED: [u16; 64] = {
    let mut table = [0o777; 64];
    let mut set = 0;
    while set < 64 {
        let mut configuration = 0;
        while configuration < 6 {
            if (set >> configuration) & 1 == 1 {
                let [first, second, third] = CONFIGURATIONS[configuration];
                table[set] &= !(1 << first | 1 << (3 + second) | 1 << (6 + third));
            }
            configuration += 1;
        }
        set += 1;
    }
    table
};

/// All six configurations of a digit in a band.
const ALL_SIX: usize = 0b11_1111;

/// Splits the row of a lane at the digit that the lane chose (see `choose.rs`): the lane's row keeps one configuration of the digit, and
/// `rest` gets the row with the other configurations. If no digit was chosen, or the digit still has all six configurations, splits a cell
/// instead. Returns false if there is no cell to split; then the row is a contradiction.
///
/// Rows are copied word by word to their final place. A vector load after narrower stores would wait for these stores,
/// which costs more than the whole split.
#[inline(always)]
pub(super) fn split_configuration<const N: usize>(
    rows: &mut RowBlock<N>,
    place: LanePlace,
    rest: &mut LaneRow,
) -> bool {
    let choice = rows.choice(place);
    let (open, digit, band) = (choice & ALL_SIX, choice >> 6 & 15, choice >> 10 & 7);
    rows.copy_row(place, rest);
    if open == ALL_SIX || band > 5 || digit > 8 {
        // If all six configurations are left, nothing is known about the digit in this band, so it is better to guess a digit of a cell.
        let Some((cell, digits)) = open_cell(rest) else { return false };
        split_cell(rows, place, rest, cell, digits);
        return true;
    }
    rest.set_alternatives(0, 0);
    let first = open & open.wrapping_neg();
    let (word, bit) = nine_of(band, digit);
    *rows.word_mut(word, place) &= striking(UNUSED[first], bit);
    rest.0[word] &= striking(UNUSED[open & !first], bit);
    true
}

/// Fills the smallest of `digits` into `cell` in the row of a lane. Copies the old row to `rest`, with the remaining digits as its
/// alternatives.
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
    put_smallest(rows, place, cell, digits);
}

/// Copies `rest` to the row of a lane. If `rest` has stored alternatives (digits of a cell), fills the smallest digit into the cell in the
/// row of the lane, and removes this digit from the alternatives. Returns true if no alternative is left.
#[inline(always)]
pub(super) fn resume<const N: usize>(rows: &mut RowBlock<N>, place: LanePlace, rest: &mut LaneRow) -> bool {
    rows.set_row(place, rest);
    let (cell, digits) = rest.alternatives();
    if digits == 0 {
        return true;
    }
    put_smallest(rows, place, cell, digits);
    let others = digits & digits.wrapping_sub(1);
    rest.set_alternatives(cell, others);
    others == 0
}

#[inline(always)]
fn put_smallest<const N: usize>(rows: &mut RowBlock<N>, place: LanePlace, cell: usize, digits: usize) {
    for (word, kept) in put(cell, digits.trailing_zeros() as usize) {
        *rows.word_mut(word, place) &= kept;
    }
}

/// Returns the first open cell with exactly two possible digits, and these digits as bits. If no open cell has exactly two, returns the
/// first open cell with more. A cell is open if its digit is not known.
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
