//! Filled grids and puzzles from a seed.

use sudobench_sudoku::random::Random;
use sudobench_sudoku::{Puzzle, Solution};

/// Returns a filled grid without structure: one of 20 solutions of a puzzle whose boxes on the diagonal are filled at random.
pub(crate) fn random_grid(random: &mut Random) -> Solution {
    let mut values = [0; 81];
    for corner in [0, 30, 60] {
        let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        random.shuffle(&mut digits);
        for (place, digit) in digits.into_iter().enumerate() {
            values[corner + place / 3 * 9 + place % 3] = digit;
        }
    }
    let boxes_on_the_diagonal = Puzzle::try_from(values).unwrap();
    let answers = super::oracle::solutions(&boxes_on_the_diagonal, 20);
    answers[random.below(answers.len())]
}

/// Returns the filled grid of a simple pattern with digits renamed, and rows and columns reordered. `digits` holds 1 to 9. `rows` has, for
/// each row of the result, the row of the pattern that it comes from; `columns` has the same for the columns.
pub(crate) fn renamed_pattern(digits: &[u8], rows: &[usize], columns: &[usize]) -> Solution {
    let values = std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        digits[(row * 3 + row / 3 + column) % 9]
    });
    Solution::try_from(values).unwrap()
}

/// Returns rows or columns in a random order that keeps bands or stacks together.
fn random_lines(random: &mut Random) -> [usize; 9] {
    let mut bands = [0, 1, 2];
    random.shuffle(&mut bands);
    let mut lines = [0; 9];
    for (place, band) in bands.into_iter().enumerate() {
        let mut within = [0, 1, 2].map(|line| band * 3 + line);
        random.shuffle(&mut within);
        lines[place * 3..place * 3 + 3].copy_from_slice(&within);
    }
    lines
}

fn random_digits(random: &mut Random) -> [u8; 9] {
    let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    random.shuffle(&mut digits);
    digits
}

/// Returns the filled grid of [`renamed_pattern`] with digits, rows and columns in a random order. The grid is made quickly. It has so much
/// structure that its puzzles have many more solutions than the puzzles of other grids.
pub(crate) fn random_pattern(random: &mut Random) -> Solution {
    renamed_pattern(&random_digits(random), &random_lines(random), &random_lines(random))
}

/// Returns the puzzle with digits renamed at random, rows and columns reordered at random, and possibly transposed. The new puzzle is
/// equally hard and has the same number of solutions.
pub(crate) fn renamed(random: &mut Random, puzzle: &Puzzle) -> Puzzle {
    let (digits, rows, columns) = (random_digits(random), random_lines(random), random_lines(random));
    let turned = random.below(2) == 1;
    let values = std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        match puzzle.values()[if turned { column * 9 + row } else { row * 9 + column }] {
            0 => 0,
            digit => digits[usize::from(digit) - 1],
        }
    });
    Puzzle::try_from(values).unwrap()
}

/// Returns a puzzle with `clues` random cells of a grid.
pub(crate) fn random_clues(random: &mut Random, grid: &Solution, clues: usize) -> Puzzle {
    let mut cells: Vec<usize> = (0..81).collect();
    random.shuffle(&mut cells);
    without(grid, &cells[clues..])
}

/// Returns a puzzle with all cells of a grid except `blanks`.
pub(crate) fn without(grid: &Solution, blanks: &[usize]) -> Puzzle {
    let mut values = *grid.values();
    for &cell in blanks {
        values[cell] = 0;
    }
    Puzzle::try_from(values).unwrap()
}

/// Returns the puzzle with `value` (0 to 9; 0 for a blank) in one cell.
pub(crate) fn with_value(puzzle: &Puzzle, cell: usize, value: u8) -> Puzzle {
    let mut values = *puzzle.values();
    values[cell] = value;
    Puzzle::try_from(values).unwrap()
}
