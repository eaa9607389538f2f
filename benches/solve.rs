//! Measures the puzzles per second of every listed solver (`Variant`), and of the solvers that you add to `OWN`, on each of the datasets
//! below.
//!
//! `solve/<variant>/<dataset>` uses the same puzzles for all variants: the puzzles that every variant finishes within a limit on nodes.
//! `solve/<variant>/<dataset>-all` uses the whole dataset. It is measured only for variants that finish all its puzzles within a larger
//! limit.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "the rows of the datasets are tested elsewhere")]

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Variant, listed};
use sudobench_sudoku::{Outcome, Puzzle, Question, Status};

/// The datasets: name, text, and the column of the puzzle.
const DATASETS: [(&str, &str, usize); 3] = [
    ("sample", include_str!("../datasets/sample.csv"), 1),
    ("statuses", include_str!("../datasets/statuses.csv"), 0),
    ("regressions", include_str!("../crates/sudoku/tests/data/regressions.csv"), 0),
];

/// `solve/<variant>/<dataset>` uses a puzzle only if no variant needs more than this number of nodes.
const EASY_NODES: u64 = 10_000;

/// A variant is measured on a whole dataset only if it needs at most this number of nodes for each puzzle.
const MOST_NODES: u64 = 200_000;

/// Returns the puzzles of a dataset without the malformed rows.
fn puzzles(text: &str, column: usize) -> Vec<Puzzle> {
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    rows.records().filter_map(|row| row.unwrap()[column].parse().ok()).collect()
}

fn finishes(variant: &Variant, puzzle: &Puzzle, max_nodes: u64) -> bool {
    let question = Question { max_nodes: Some(max_nodes), ..Question::unique() };
    variant.build(Level::widest()).unwrap().solve(puzzle, &question).status != Status::Aborted
}

/// Your own solvers, which are measured together with the solvers of the library. Add them here.
static OWN: &[Variant] = &[];

fn variants() -> impl Iterator<Item = &'static Variant> {
    listed().chain(OWN)
}

fn solve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    for (dataset, text, column) in DATASETS {
        let all = puzzles(text, column);
        let is_easy = |puzzle: &&Puzzle| variants().all(|variant| finishes(variant, puzzle, EASY_NODES));
        let easy: Vec<Puzzle> = all.iter().filter(is_easy).copied().collect();
        for variant in variants() {
            measure(&mut group, variant, dataset, &easy);
            if all.iter().all(|puzzle| finishes(variant, puzzle, MOST_NODES)) {
                measure(&mut group, variant, &format!("{dataset}-all"), &all);
            }
        }
    }
    group.finish();
}

fn measure(group: &mut BenchmarkGroup<WallTime>, variant: &Variant, set: &str, puzzles: &[Puzzle]) {
    let (mut solver, mut outcomes) =
        (variant.build(Level::widest()).unwrap(), vec![Outcome::ABORTED; puzzles.len()]);
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.bench_function(format!("{}/{set}", variant.name), |bencher| {
        bencher.iter(|| {
            solver.solve_batch(black_box(puzzles), &Question::unique(), &mut outcomes);
            black_box(&mut outcomes);
        });
    });
}

criterion_group!(benches, solve);
criterion_main!(benches);
