//! Measures the puzzles per second of `Walker`, which solves a puzzle step by step with the techniques of human solvers. The `Walker`
//! stops if no technique helps. The puzzles are generated and minimal. `to-6.2` uses the puzzles that the techniques solve completely with
//! a rating of at most 6.2; `all` uses all puzzles.
#![allow(missing_docs, reason = "criterion's macros make public functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::generate::TopDown;
use sudobench_sudoku::techniques::Walker;

const SEED: u64 = 4711;
const PUZZLES: u64 = 2_000;

fn walks(criterion: &mut Criterion) {
    let mut made = Vec::new();
    TopDown::default().make(SEED, 0..PUZZLES, &mut made);
    let all: Vec<Puzzle> = made.iter().map(|made| made.puzzle).collect();
    let walker = Walker::default();
    let is_easy =
        |puzzle: &&Puzzle| walker.walk(puzzle).is_some_and(|walk| !walk.is_unfinished && walk.rating <= 62);
    let easy: Vec<Puzzle> = all.iter().filter(is_easy).copied().collect();
    let mut group = criterion.benchmark_group("techniques");
    group.sample_size(10);
    for (name, puzzles) in [("to-6.2", &easy), ("all", &all)] {
        group.throughput(Throughput::Elements(puzzles.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                puzzles.iter().filter_map(|puzzle| walker.walk(puzzle)).map(|walk| walk.steps).sum::<u32>()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, walks);
criterion_main!(benches);
