//! Boards of many kinds, from a seed. Many kinds are special cases for methods of finding canonical forms.

use std::array;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::random::Random;

use crate::common::grids::{random_clues, random_grid, random_pattern, renamed, with_value};

/// Maps the row and column of a cell to those of another cell.
type Turn = fn(usize, usize) -> (usize, usize);
/// Returns the value of a cell.
type Rule = fn(usize) -> usize;

/// Symmetries: half turn, quarter turn, reflection, shift of the bands, shift of the rows within each band, and shift of bands and stacks.
/// Each has a map of the cells and, for each value from 0 to 9, its new value. Only the last symmetry keeps all values.
const SYMMETRIES: [(Turn, [u8; 10]); 6] = [
    (|row, column| (8 - row, 8 - column), [0, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
    (|row, column| (column, 8 - row), [0, 2, 3, 4, 1, 6, 7, 8, 5, 9]),
    (|row, column| (column, row), [0, 2, 1, 4, 3, 6, 5, 7, 8, 9]),
    (|row, column| ((row + 3) % 9, column), [0, 2, 3, 1, 5, 6, 4, 8, 9, 7]),
    (|row, column| (row / 3 * 3 + (row + 1) % 3, column), [0, 2, 3, 1, 4, 5, 6, 7, 8, 9]),
    (|row, column| ((row + 3) % 9, (column + 3) % 9), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
];

/// Filled grids without swapped digits. Digits would be swapped if one line of a band or stack had, for example, 1 and 2 in two places, and
/// another line of the band or stack had 2 and 1 in the same places. The first two grids were found among 700,000 random grids; the third
/// is the largest of all canonical forms.
const WITHOUT_SWAPPED_DIGITS: [&str; 3] = [
    "954281763827346591631579284185632947249715638376894152512463879498157326763928415",
    "572914836861732945439856721983261457147598362625347189354679218296183574718425693",
    "123456789457893612986217354274538196531964827698721435342685971715349268869172543",
];

pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) boards: Vec<Puzzle>,
}

/// Returns boards of all kinds. Each board is replaced by a random isomorphic board. The boards include puzzles with no, one and many
/// solutions.
pub(crate) fn all_kinds(random: &mut Random) -> Vec<Kind> {
    let mut kinds = vec![
        drawn("full grids", 24, random, |random| random_grid(random).into()),
        drawn("full grids of a pattern", 6, random, |random| random_pattern(random).into()),
        drawn("17 clues", 12, random, |random| clues_of_grid(17, random)),
        drawn("16 clues", 6, random, |random| clues_of_grid(16, random)),
        drawn("18 to 40 clues", 40, random, |random| clues_of_grid(18 + random.below(23), random)),
        drawn("41 to 70 clues", 20, random, |random| clues_of_grid(41 + random.below(30), random)),
        drawn("71 to 80 clues", 20, random, |random| clues_of_grid(71 + random.below(10), random)),
        drawn("1 clue", 2, random, |random| clues_of_grid(1, random)),
        drawn("2 clues", 8, random, |random| clues_of_grid(2, random)),
        drawn("3 to 9 clues", 12, random, |random| clues_of_grid(3 + random.below(7), random)),
        drawn("symmetric", 30, random, symmetric),
        drawn("full grid with two cells changed", 4, random, |random| {
            let mut board = random_grid(random).into();
            for _ in 0..2 {
                board = with_value(&board, random.below(81), 1 + random.below(9) as u8);
            }
            board
        }),
        drawn("any values", 12, random, |random| {
            let (digits, blanks) = (1 + random.below(9), random.below(20));
            from_values(|_| {
                let value = 1 + random.below(digits + blanks);
                if value <= digits { value } else { 0 }
            })
        }),
        drawn("some full rows", 6, random, |random| {
            let (grid, rows) = (random_grid(random), random.below(512));
            from_values(|cell| usize::from(grid.values()[cell]) * (rows >> (cell / 9) & 1))
        }),
        drawn("some full boxes", 6, random, |random| {
            let (grid, boxes) = (random_grid(random), random.below(512));
            from_values(|cell| usize::from(grid.values()[cell]) * (boxes >> box_of(cell) & 1))
        }),
    ];
    for (name, board) in plain_boards() {
        kinds.push(Kind { name, boards: vec![renamed(random, &board)] });
    }
    let grids = WITHOUT_SWAPPED_DIGITS.map(|text| renamed(random, &text.parse().unwrap()));
    kinds.push(Kind { name: "full grids without swapped digits", boards: grids.to_vec() });
    kinds
}

/// Returns boards that each follow a simple rule. Such boards have many automorphisms.
fn plain_boards() -> impl Iterator<Item = (&'static str, Puzzle)> {
    let rules: [(&'static str, Rule); 20] = [
        ("no clue", |_| 0),
        ("a full row", |cell| if cell < 9 { cell + 1 } else { 0 }),
        ("two full rows", |cell| if cell < 18 { pattern(cell) } else { 0 }),
        ("a full band", |cell| if cell < 27 { pattern(cell) } else { 0 }),
        ("a full band and a full row", |cell| if cell < 36 { pattern(cell) } else { 0 }),
        (
            "a full row and a full column",
            |cell| if cell < 9 || cell.is_multiple_of(9) { pattern(cell) } else { 0 },
        ),
        ("a full box", |cell| if box_of(cell) == 0 { pattern(cell) } else { 0 }),
        ("full boxes on the diagonal", |cell| if box_of(cell).is_multiple_of(4) { pattern(cell) } else { 0 }),
        ("a minirow in each box", |cell| if cell / 9 % 3 == cell / 27 { cell % 3 + 1 } else { 0 }),
        ("one digit everywhere", |cell| usize::from(pattern(cell) == 1)),
        ("eight digits everywhere", |cell| pattern(cell) % 9),
        ("different clues on the diagonal", |cell| if cell.is_multiple_of(10) { cell / 10 + 1 } else { 0 }),
        ("all ones", |_| 1),
        ("every row the same", |cell| cell % 9 + 1),
        ("every row of one digit", |cell| cell / 9 + 1),
        ("the box alone decides", |cell| box_of(cell) + 1),
        ("the band alone decides", |cell| cell / 27 + 1),
        ("the place in the box alone decides", |cell| cell / 9 % 3 * 3 + cell % 3 + 1),
        ("a chessboard", |cell| cell % 2),
        ("a chessboard of two digits", |cell| cell % 2 + 1),
    ];
    rules.into_iter().map(|(name, rule)| (name, from_values(rule)))
}

/// Returns boards made by `draw`, each replaced by a random isomorphic board.
fn drawn(
    name: &'static str,
    count: usize,
    random: &mut Random,
    mut draw: impl FnMut(&mut Random) -> Puzzle,
) -> Kind {
    let mut board = |_| {
        let board = draw(random);
        renamed(random, &board)
    };
    Kind { name, boards: (0..count).map(&mut board).collect() }
}

/// Returns a puzzle with `clues` random cells of a random grid.
fn clues_of_grid(clues: usize, random: &mut Random) -> Puzzle {
    let grid = random_grid(random);
    random_clues(random, &grid, clues)
}

/// Returns a board that one of the symmetries maps to itself. Its clues may contradict each other.
fn symmetric(random: &mut Random) -> Puzzle {
    let (turned, digits) = SYMMETRIES[random.below(SYMMETRIES.len())];
    let share = 1 + random.below(9);
    let mut values = [0; 81];
    for first in 0..81 {
        let digit = if random.below(9) < share { 1 + random.below(9) as u8 } else { 0 };
        // Follows the orbit until it returns to the first cell. The clues are used only if the digit is then the same as at the start.
        let (mut orbit, mut cell, mut value) = (vec![], first, digit);
        while orbit.is_empty() || cell != first {
            orbit.push((cell, value));
            let (row, column) = turned(cell / 9, cell % 9);
            (cell, value) = (row * 9 + column, digits[usize::from(value)]);
        }
        if value == digit {
            orbit.into_iter().for_each(|(cell, value)| values[cell] = value);
        }
    }
    Puzzle::try_from(values).unwrap()
}

fn from_values(mut value: impl FnMut(usize) -> usize) -> Puzzle {
    Puzzle::try_from(array::from_fn(|cell| value(cell) as u8)).unwrap()
}

/// Returns the digit of a cell in a filled grid with many symmetries.
fn pattern(cell: usize) -> usize {
    (cell / 9 * 3 + cell / 27 + cell % 9) % 9 + 1
}

fn box_of(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}
