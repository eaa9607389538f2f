//! Small unavoidable sets of a full grid: cells whose digits differ in some other full grid that agrees in all other
//! cells.
//!
//! A puzzle with one solution has a clue in every unavoidable set of the solution. The sets in two lines of a band or
//! stack are found without a search:
//! ```text
//!   row 1   . 4 . . 7 . . 2 .        columns 2, 5 and 8 are a cycle: both rows have the same digits there. If they are swapped in each of
//!   row 2   . 7 . . 2 . . 4 .        these columns, every row, column and box keeps its digits
//! ```

use crate::puzzle::{CELLS, Solution};

/// Largest number of sets that [`small_sets`] finds: four cycles for each pair of lines.
pub(super) const MOST_SMALL_SETS: usize = 18 * 4;

/// Calls `found` with the unavoidable sets of two lines of a band or stack, as the union of `masks` over their cells.
pub(super) fn small_sets(grid: &Solution, masks: &[u128; CELLS], mut found: impl FnMut(u128)) {
    let rows: [[u8; 9]; 9] = std::array::from_fn(|row| std::array::from_fn(|at| grid[9 * row + at] - 1));
    let columns = std::array::from_fn(|column| std::array::from_fn(|at| rows[at][column]));
    for (lines, across, along) in [(&rows, 9, 1), (&columns, 1, 9)] {
        for (first, second) in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (6, 7), (6, 8), (7, 8)] {
            let mask =
                |place: usize| masks[first * across + place * along] | masks[second * across + place * along];
            cycles(&lines[first], &lines[second], mask, &mut found);
        }
    }
}

/// Returns the cycles of two lines: places where both lines have the same set of digits.
#[inline]
fn cycles(first: &[u8; 9], second: &[u8; 9], mask: impl Fn(usize) -> u128, found: &mut impl FnMut(u128)) {
    let mut place_of = [0; 16];
    for (place, &digit) in first.iter().enumerate() {
        place_of[usize::from(digit & 15)] = place;
    }
    let mut left = 0x1ff_u16;
    while left != 0 {
        let (mut place, mut set) = (left.trailing_zeros() as usize, 0);
        while left >> place & 1 == 1 {
            left &= !(1 << place);
            set |= mask(place);
            place = place_of[usize::from(second[place] & 15)];
        }
        found(set);
    }
}
