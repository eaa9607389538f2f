//! Puzzles a second of every listed variant, over the known answers in `tests/data/regressions.csv`.
//!
//! `solve/<variant>/easy` is the same set for all: what each variant finishes within a bound on its nodes.
//! `solve/<variant>/all` is the whole file, for the variants that finish it.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "the rows of the file are tested elsewhere")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sudobench::solver::{Variant, listed};
use sudobench::{Limits, Outcome, Puzzle, Status};

const ROWS: &str = include_str!("../tests/data/regressions.csv");

/// The most nodes that a variant may need for a puzzle of the easy set.
const EASY_NODES: u64 = 10_000;

/// The most nodes that a variant may need for a puzzle of the file, to be measured on all of it.
const MOST_NODES: u64 = 2_000_000;

fn puzzles() -> Vec<Puzzle> {
    let mut rows = csv::Reader::from_reader(ROWS.as_bytes());
    rows.records().map(|row| row.unwrap()[0].parse().unwrap()).collect()
}

fn finishes(variant: &Variant, puzzle: &Puzzle, max_nodes: u64) -> bool {
    let limits = Limits { max_nodes: Some(max_nodes), ..Limits::unique() };
    variant.build().solve(puzzle, &limits).status != Status::Aborted
}

fn solve(criterion: &mut Criterion) {
    let all = puzzles();
    let is_easy = |puzzle: &&Puzzle| listed().all(|variant| finishes(variant, puzzle, EASY_NODES));
    let easy: Vec<Puzzle> = all.iter().filter(is_easy).copied().collect();
    let mut group = criterion.benchmark_group("solve");
    for variant in listed() {
        let mut sets = vec![("easy", &easy)];
        if all.iter().all(|puzzle| finishes(variant, puzzle, MOST_NODES)) {
            sets.push(("all", &all));
        }
        let mut solver = variant.build();
        for (set, puzzles) in sets {
            let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
            group.throughput(Throughput::Elements(puzzles.len() as u64));
            group.bench_function(format!("{}/{set}", variant.name), |bencher| {
                bencher.iter(|| {
                    solver.solve_batch(black_box(puzzles), &Limits::unique(), &mut outcomes);
                    black_box(&mut outcomes);
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, solve);
criterion_main!(benches);
