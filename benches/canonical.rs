//! Measures canonical forms per second, for boards that are made from a seed.
//!
//! `canonical/<clues>-clues` uses boards with this number of clues, at random cells of filled grids; they have one solution or many.
//! `canonical/grids` uses filled grids. Each other benchmark uses random equivalent forms of one board of `SYMMETRIC`. These boards have
//! many automorphisms, so a simple search would take extremely long.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a bench")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::{Puzzle, solve};

const BOARDS: usize = 1_000;

/// Boards with many automorphisms: name and cells. Cells after the end of the text are blank.
const SYMMETRIC: [(&str, &str); 6] = [
    ("no-clue", ""),
    ("one-clue", "1"),
    ("two-clues", "1..............................2"),
    ("full-row", "123456789"),
    ("full-band", "123456789456789123789123456"),
    (
        "648-automorphisms",
        "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
    ),
];

/// Makes a filled grid: fills the boxes on the diagonal at random, completes the grid, and transforms it at random.
fn grid(random: &mut Random) -> Puzzle {
    let mut values = [0; 81];
    for corner in [0, 30, 60] {
        let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        random.shuffle(&mut digits);
        (0..9).for_each(|place| values[corner + place / 3 * 9 + place % 3] = digits[place]);
    }
    let grid = solve(&Puzzle::try_from(values).unwrap()).solution.unwrap();
    Transformation::random(random).apply(&grid.into())
}

fn with_clues(clues: usize, random: &mut Random) -> Puzzle {
    let mut values = *grid(random).values();
    let mut cells: [usize; 81] = std::array::from_fn(|cell| cell);
    random.shuffle(&mut cells);
    cells[clues..].iter().for_each(|&cell| values[cell] = 0);
    Puzzle::try_from(values).unwrap()
}

fn canonical(criterion: &mut Criterion) {
    let mut random = Random::new(2580);
    for clues in [17, 24, 33, 50, 75] {
        let boards: Vec<_> = (0..BOARDS).map(|_| with_clues(clues, &mut random)).collect();
        measure(criterion, &format!("{clues}-clues"), &boards);
    }
    let grids: Vec<_> = (0..BOARDS).map(|_| grid(&mut random)).collect();
    measure(criterion, "grids", &grids);
    for (name, text) in SYMMETRIC {
        let board = format!("{text:.<81}").parse().unwrap();
        let boards = [(); 10].map(|()| Transformation::random(&mut random).apply(&board));
        measure(criterion, name, &boards);
    }
}

fn measure(criterion: &mut Criterion, name: &str, boards: &[Puzzle]) {
    let mut group = criterion.benchmark_group("canonical");
    group.throughput(Throughput::Elements(boards.len() as u64));
    let mut canonicalizer = Canonicalizer::default();
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for board in black_box(boards) {
                black_box(canonicalizer.canonical(board));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, canonical);
criterion_main!(benches);
