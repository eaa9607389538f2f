//! Measures the vector solvers and the parts of `bitslice` one by one, at every SIMD level that the CPU has. Also measures reading a
//! puzzle, writing and checking a solution, and the library's functions `solve`, `count`, `solutions` and `solve_all`.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Bitboard, Bitslice, Part};
use sudobench_sudoku::{Outcome, Puzzle, Question, Solution, Solver, count, solutions, solve, solve_all};

const PUZZLE: &[u8; 81] =
    b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// An easy puzzle: singles alone solve it, without guesses. Solving takes so little time that the overhead of a call can be measured.
const EASY: &[u8; 81] = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLVED: &[u8; 81] =
    b"483921657967345821251876493548132976729564138136798245372689514814253769695417382";

/// Measures reading a puzzle, and writing and checking a solution.
fn text(criterion: &mut Criterion) {
    let solution = Solution::from_text(SOLVED).unwrap();
    criterion.bench_function("text/parse", |bencher| bencher.iter(|| Puzzle::from_text(black_box(PUZZLE))));
    criterion.bench_function("text/format", |bencher| bencher.iter(|| black_box(&solution).text()));
    criterion.bench_function("text/referee", |bencher| {
        bencher.iter(|| black_box(&solution).check(black_box(&Puzzle::EMPTY)));
    });
}

/// Measures parts of a round of the solver `bitslice`. A part works on all lanes at once; each lane has one puzzle.
fn parts(criterion: &mut Criterion) {
    let parts = [Part::Pass, Part::Triple, Part::Choose, Part::ToBlocks, Part::Turn, Part::FromBlocks];
    for level in Level::supported() {
        let mut solver = Bitslice::new(level).unwrap();
        for part in parts {
            let name = format!("{part:?}/{level}").to_lowercase();
            criterion.bench_function(&name, |bencher| bencher.iter(|| solver.run_part(part)));
        }
    }
}

/// Measures the solving of a hard puzzle: one puzzle at a time with `bitboard`, and a batch of copies with `bitslice`.
fn solvers(criterion: &mut Criterion) {
    let puzzles = vec![Puzzle::from_text(PUZZLE).unwrap(); 2048];
    let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
    for level in Level::supported() {
        let mut one = Bitboard::new(level).unwrap();
        criterion.bench_function(&format!("bitboard/kept/{level}"), |bencher| {
            bencher.iter(|| one.solve(&puzzles[0], &Question::unique()));
        });
        let mut many = Bitslice::new(level).unwrap();
        let mut group = criterion.benchmark_group("bitslice");
        group.throughput(Throughput::Elements(puzzles.len() as u64));
        group.bench_function(level.name(), |bencher| {
            bencher.iter(|| many.solve_batch(&puzzles, &Question::unique(), &mut outcomes));
        });
        group.finish();
    }
}

/// Measures the functions of the library. `library/solve` and `library/solve-kept` solve the same puzzle, once with the function `solve`
/// and once with a solver directly. The difference is the overhead of the function.
fn functions(criterion: &mut Criterion) {
    let puzzle = Puzzle::from_text(PUZZLE).unwrap();
    let easy = Puzzle::from_text(EASY).unwrap();
    let mut kept = Bitboard::default();
    criterion.bench_function("library/solve-kept", |bencher| {
        bencher.iter(|| kept.solve(black_box(&easy), &Question::unique()));
    });
    criterion.bench_function("library/solve", |bencher| bencher.iter(|| solve(black_box(&easy))));
    criterion.bench_function("library/count", |bencher| bencher.iter(|| count(black_box(&puzzle), 2)));
    criterion.bench_function("library/first-solution", |bencher| {
        bencher.iter(|| solutions(black_box(&puzzle)).next());
    });
    let puzzles = [puzzle; 2048];
    let mut group = criterion.benchmark_group("library");
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.bench_function("solve-all", |bencher| bencher.iter(|| solve_all(black_box(&puzzles))));
    group.finish();
}

criterion_group!(benches, text, parts, solvers, functions);
criterion_main!(benches);
