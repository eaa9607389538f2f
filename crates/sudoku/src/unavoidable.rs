//! Small unavoidable sets of a full grid. An unavoidable set is the set of cells in which another full grid differs from this grid.
//!
//! A puzzle with one solution has a clue in every unavoidable set of the solution. The sets in two lines of a band or
//! stack are found without a search:
//! ```text
//!   row 1   . 4 . . 7 . . 2 .        columns 2, 5 and 8 are a cycle: both rows have the same digits there. If the two digits of each of
//!   row 2   . 7 . . 2 . . 4 .        these columns are swapped, every row, column and box keeps its digits
//! ```
//! The sets of two digits are found in the same way. If the two digits of a row are swapped, each row where one of them would
//! then occur twice in a column or box must swap its two digits too:
//! ```text
//!   row 1   . 4 . | . 7 .
//!   row 5   . 7 . | . . 4
//! ```

use crate::puzzle::{CELLS, Cells, Puzzle, Solution};

/// Largest number of sets that [`small_sets`] finds: four cycles for each pair of lines.
pub(crate) const MOST_SMALL_SETS: usize = 18 * 4;

/// Calls `found` with each minimal unavoidable set in two lines of a band or stack. The argument is the union of the `masks` of its cells.
pub(crate) fn small_sets(grid: &Solution, masks: &[u128; CELLS], mut found: impl FnMut(u128)) {
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

/// Finds the cycles of two lines: places in which both lines have the same set of digits. Calls `found` with the union of the masks of each
/// cycle.
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

/// Returns clues that are certainly needed: each is the only clue in some unavoidable set of the puzzle's only solution, so without this
/// clue, the puzzle has another solution. Other clues may be needed too, because only the unavoidable sets of two lines and of two digits
/// are checked.
pub(crate) fn needed_clues(puzzle: &Puzzle, solution: &Solution) -> Cells {
    let mut masks = [0; CELLS];
    let mut digits = [DigitPlaces::default(); 9];
    for cell in 0..CELLS {
        let (row, column) = (cell / 9, cell % 9);
        let places = &mut digits[usize::from(solution[cell] - 1)];
        places.column_of_row[row] = column;
        places.row_of_column[column] = 1 << row;
        places.row_of_box[row / 3 * 3 + column / 3] = 1 << row;
        if puzzle[cell] != 0 {
            masks[cell] = 1 << cell;
            places.rows_with_clue |= 1 << row;
        }
    }
    let mut needed = 0_u128;
    small_sets(solution, &masks, |set| needed |= if set.is_power_of_two() { set } else { 0 });
    for first in 0..9 {
        for second in first + 1..9 {
            let [first, second] = [&digits[first], &digits[second]];
            rows_of_sets(first, second, |rows| {
                let (in_first, in_second) = (rows & first.rows_with_clue, rows & second.rows_with_clue);
                if in_first.count_ones() + in_second.count_ones() == 1 {
                    let row = (in_first | in_second).trailing_zeros() as usize;
                    let places = if in_first != 0 { first } else { second };
                    needed |= 1 << (row * 9 + places.column_of_row[row]);
                }
            });
        }
    }
    (0..CELLS).filter(|cell| needed >> cell & 1 == 1).collect()
}

/// The cells of a digit in a solution. As a value in these tables, a row is a bit; as an index, it is a number.
#[derive(Clone, Copy, Default)]
struct DigitPlaces {
    column_of_row: [usize; 9],
    row_of_column: [u16; 9],
    row_of_box: [u16; 9],
    rows_with_clue: u16,
}

/// Calls `found` with the rows of each minimal unavoidable set of two digits.
#[inline]
fn rows_of_sets(first: &DigitPlaces, second: &DigitPlaces, mut found: impl FnMut(u16)) {
    let mut swapped_with = [0; 9];
    for (row, swapped) in swapped_with.iter_mut().enumerate() {
        for (from, to) in [(first, second), (second, first)] {
            let column = from.column_of_row[row];
            *swapped |= to.row_of_column[column] | to.row_of_box[row / 3 * 3 + column / 3];
        }
    }
    let mut left = 0x1ff_u16;
    while left != 0 {
        let mut rows = 0;
        let mut open = left & left.wrapping_neg();
        while open != 0 {
            let row = open.trailing_zeros() as usize;
            rows |= 1 << row;
            open = (open | swapped_with[row]) & !rows;
        }
        left &= !rows;
        found(rows);
    }
}
