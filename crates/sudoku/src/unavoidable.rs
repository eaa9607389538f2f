//! Finds small unavoidable sets of a solution, and the clues that a puzzle needs because of these sets. An unavoidable set is the set of
//! cells in which another valid grid differs from the solution.
//!
//! A puzzle with one solution has a clue in every unavoidable set of the solution. The sets in two lines of a band or
//! stack are found without a search:
//! ```text
//!   row 1   . 4 . . 7 . . 2 .        columns 2, 5 and 8 are a cycle: both rows have the same digits there. If the two digits of each of
//!   row 2   . 7 . . 2 . . 4 .        these columns are swapped, every row, column and box keeps its digits
//! ```
//! The sets of two digits are found in the same way. Suppose that the two digits are swapped in one row. If one of them then occurs twice
//! in a column or box, the two digits must also be swapped in the row of its other occurrence:
//! ```text
//!   row 1   . 4 . | . 7 .
//!   row 5   . 7 . | . . 4
//! ```

use crate::puzzle::{CELLS, Cells, Puzzle, Solution};

/// Largest number of sets that [`small_sets`] finds: four cycles for each pair of lines.
pub(crate) const MOST_SMALL_SETS: usize = 18 * 4;

/// Finds each minimal unavoidable set in two lines of a band or stack. Writes the union of the `masks` of each set's cells to `sets`, and
/// returns the part of `sets` that was written.
pub(crate) fn small_sets<'s>(
    grid: &Solution,
    masks: &[u128; CELLS],
    sets: &'s mut [u128; MOST_SMALL_SETS],
) -> &'s mut [u128] {
    let rows: [[u8; 9]; 9] = std::array::from_fn(|row| std::array::from_fn(|at| grid[9 * row + at] - 1));
    let columns = std::array::from_fn(|column| std::array::from_fn(|at| rows[at][column]));
    let mut found = 0;
    for (lines, across, along) in [(&rows, 9, 1), (&columns, 1, 9)] {
        for (first, second) in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (6, 7), (6, 8), (7, 8)] {
            let masks = std::array::from_fn(|place| {
                masks[first * across + place * along] | masks[second * across + place * along]
            });
            found = add_cycles((&lines[first], &lines[second]), &masks, sets, found);
        }
    }
    &mut sets[..found]
}

/// Finds the cycles of two lines. A cycle is a minimal set of places in which the lines have the same digits in different orders. Writes
/// the union of the masks of each cycle's places to `sets`, which already has `found` sets, and returns the new number of sets.
#[inline]
fn add_cycles(
    (first, second): (&[u8; 9], &[u8; 9]),
    masks: &[u128; 9],
    sets: &mut [u128; MOST_SMALL_SETS],
    mut found: usize,
) -> usize {
    let mut place_of = [0; 16];
    for (place, &digit) in first.iter().enumerate() {
        place_of[usize::from(digit & 15)] = place;
    }
    let next = second.map(|digit| place_of[usize::from(digit & 15)]);
    let mut left = 0x1ff_u16;
    while left != 0 {
        let (mut place, mut set) = (left.trailing_zeros() as usize, 0);
        while left >> place & 1 == 1 {
            left &= !(1 << place);
            set |= masks[place];
            place = next[place];
        }
        sets[found] = set;
        found += 1;
    }
    found
}

/// Returns clues that are certainly needed: each is the only clue in some unavoidable set of the puzzle's only solution, so without this
/// clue, the puzzle has another solution. Other clues may be needed too, because only the unavoidable sets of two lines and of two digits
/// are checked.
pub(crate) fn needed_clues(puzzle: &Puzzle, solution: &Solution) -> Cells {
    let mut swaps = Swaps::new(puzzle, solution);
    swaps.close();
    let needed = swaps.only_clues();
    let (mut of_line, mut of_digit) = ([0; 18], [0; 9]);
    for (pair, [first, second]) in LINES.into_iter().enumerate() {
        of_line[first] |= needed[0][pair];
        of_line[second] |= needed[1][pair];
    }
    for (pair, [first, second]) in (LINES.len()..).zip(DIGITS) {
        of_digit[first] |= needed[0][pair];
        of_digit[second] |= needed[1][pair];
    }
    let is_needed = |cell: usize| {
        let (row, column) = (cell / 9, cell % 9);
        let digit = usize::from(solution[cell] - 1);
        (of_line[row] >> column | of_line[9 + column] >> row | of_digit[digit] >> row) & 1 == 1
    };
    puzzle.clue_cells().iter().filter(|&cell| is_needed(cell)).collect()
}

/// The pairs of lines in a band or stack. The first nine lines are the rows, the others are the columns.
const LINES: [[usize; 2]; 18] = {
    let mut pairs = [[0; 2]; 18];
    let mut at = 0;
    while at < pairs.len() {
        let (band, [first, second]) = (at / 3 * 3, [[0, 1], [0, 2], [1, 2]][at % 3]);
        pairs[at] = [band + first, band + second];
        at += 1;
    }
    pairs
};

/// All pairs of digits. 0 stands for the digit 1, and 8 for the digit 9.
const DIGITS: [[usize; 2]; 36] = {
    let (mut pairs, mut at) = ([[0; 2]; 36], 0);
    let mut first = 0;
    while first < 9 {
        let mut second = first + 1;
        while second < 9 {
            pairs[at] = [first, second];
            at += 1;
            second += 1;
        }
        first += 1;
    }
    pairs
};

/// Number of pairs: 18 pairs of lines, then 36 pairs of digits, and two unused pairs, which make the number a multiple of eight for the
/// vectors.
const PAIRS: usize = 56;

/// Swaps in a filled grid, for all pairs of lines in a band or stack, and all pairs of digits. The loops run over the pairs, so the compiler
/// can use vectors.
///
/// Two rows can exchange their digits in one column, two columns can exchange theirs in one row, and two digits can be swapped in one row.
/// This column or row is called the *place* of the swap.
struct Swaps {
    /// For each place and each pair: the places in which the pair must be swapped if it is swapped in this place, a bit each. This place is
    /// included. Indexed by the place and then by the pair.
    linked: [[u16; PAIRS]; 9],
    /// The places in which one line (or digit) of a pair has clues, a bit each. Indexed by 0 for the first or 1 for the second line (or
    /// digit) of the pair, and then by the pair.
    clues: [[u16; PAIRS]; 2],
}

impl Swaps {
    #[inline]
    fn new(puzzle: &Puzzle, solution: &Solution) -> Swaps {
        let mut swaps = Swaps { linked: [[0; PAIRS]; 9], clues: [[0; PAIRS]; 2] };
        // For each line: its digits, the place of each digit, and the places with clues.
        let (mut digits, mut place_of, mut clues) = ([[0_u8; 16]; 18], [[0_u8; 16]; 18], [0; 18]);
        // For each column and each box, the row of each digit, as a bit.
        let (mut of_columns, mut of_boxes) = ([[0_u16; 16]; 9], [[0_u16; 16]; 9]);
        let mut clues_of_digit = [0_u16; 16];
        for row in 0..9 {
            for column in 0..9 {
                let digit = (solution[9 * row + column] - 1) & 15;
                let at = usize::from(digit);
                (digits[row][column], digits[9 + column][row]) = (digit, digit);
                (place_of[row][at], place_of[9 + column][at]) = (column as u8, row as u8);
                (of_columns[column][at], of_boxes[row / 3 * 3 + column / 3][at]) = (1 << row, 1 << row);
                let clue = u16::from(puzzle[9 * row + column] != 0);
                clues[row] |= clue << column;
                clues[9 + column] |= clue << row;
                clues_of_digit[at] |= clue << row;
            }
        }
        for (pair, [first, second]) in LINES.into_iter().enumerate() {
            for place in 0..9 {
                let next = place_of[first][usize::from(digits[second][place] & 15)];
                swaps.linked[place][pair] = 1 << place | 1 << next;
            }
            (swaps.clues[0][pair], swaps.clues[1][pair]) = (clues[first], clues[second]);
        }
        for row in 0..9 {
            // `shared[first][second]` is about the cell of `row` that has the digit `first`. It has a bit for each row in which the digit
            // `second` is in the column or the box of this cell.
            let mut shared = [[0_u16; 16]; 16];
            for column in 0..9 {
                let (of_column, of_box) = (&of_columns[column], &of_boxes[row / 3 * 3 + column / 3]);
                let shared = &mut shared[usize::from(digits[row][column])];
                for digit in 0..16 {
                    shared[digit] = of_column[digit] | of_box[digit];
                }
            }
            for (pair, [first, second]) in (LINES.len()..).zip(DIGITS) {
                swaps.linked[row][pair] = 1 << row | shared[first][second] | shared[second][first];
            }
        }
        for (pair, [first, second]) in (LINES.len()..).zip(DIGITS) {
            (swaps.clues[0][pair], swaps.clues[1][pair]) = (clues_of_digit[first], clues_of_digit[second]);
        }
        swaps
    }

    /// Completes the links: if a place is linked to a second place, and the second to a third, then the first is linked to the third. After
    /// this, each place and the places linked to it form a minimal unavoidable set.
    #[inline]
    fn close(&mut self) {
        for middle in 0..9 {
            let of_middle = self.linked[middle];
            for linked in &mut self.linked {
                for pair in 0..PAIRS {
                    let through = (linked[pair] >> middle & 1).wrapping_neg();
                    linked[pair] |= of_middle[pair] & through;
                }
            }
        }
    }

    /// Finds the clues that are the only clue of an unavoidable set. Returns the places of these clues, in an array like `clues`.
    #[inline]
    fn only_clues(&self) -> [[u16; PAIRS]; 2] {
        let mut only = [[0; PAIRS]; 2];
        for linked in &self.linked {
            for pair in 0..PAIRS {
                let (first, second) =
                    (linked[pair] & self.clues[0][pair], linked[pair] & self.clues[1][pair]);
                let either = first | second;
                // Not zero if both lines (or digits) have a clue in the same place, or if there are clues in several places.
                let several = first & second | either & either.wrapping_sub(1);
                let mask = u16::from(several == 0).wrapping_neg();
                only[0][pair] |= first & mask;
                only[1][pair] |= second & mask;
            }
        }
        only
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the minimal unavoidable sets of two digits: cells with either digit that share a row, column or box, directly or through other
    /// such cells.
    fn sets_of_two_digits(solution: &Solution) -> Vec<u128> {
        let see_each_other = |a: usize, b: usize| {
            let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
            a / 9 == b / 9 || a % 9 == b % 9 || same_box
        };
        let mut sets = Vec::new();
        for [first, second] in DIGITS {
            let digits = [first, second].map(|digit| digit as u8 + 1);
            let mut left: Vec<usize> = (0..CELLS).filter(|&cell| digits.contains(&solution[cell])).collect();
            while let Some(start) = left.pop() {
                let mut set = vec![start];
                let mut next = 0;
                while next < set.len() {
                    let (linked, others) = left.iter().partition(|&&cell| see_each_other(cell, set[next]));
                    left = others;
                    set.extend::<Vec<usize>>(linked);
                    next += 1;
                }
                sets.push(set.iter().fold(0, |cells, cell| cells | 1 << cell));
            }
        }
        sets
    }

    #[test]
    fn needed_clues_are_the_only_clues_of_sets_of_two_lines_and_two_digits() {
        for row in include_str!("../../../datasets/sample.csv").lines().skip(1) {
            let [puzzle, solution] = [1, 2].map(|column| row.split(',').nth(column).unwrap());
            let (puzzle, solution): (Puzzle, Solution) = (puzzle.parse().unwrap(), solution.parse().unwrap());
            let mut sets = sets_of_two_digits(&solution);
            let cells: [u128; CELLS] = std::array::from_fn(|cell| 1 << cell);
            sets.extend_from_slice(small_sets(&solution, &cells, &mut [0; MOST_SMALL_SETS]));
            let clues = puzzle.clue_cells();
            let only = sets.iter().filter_map(|set| {
                let mut clues = clues.iter().filter(|cell| set >> cell & 1 == 1);
                clues.next().filter(|_| clues.next().is_none())
            });
            let expected: Cells = only.collect();
            assert!(!expected.is_empty());
            assert_eq!(needed_clues(&puzzle, &solution), expected, "{puzzle}");
        }
    }
}
