//! Measures how long it takes to solve puzzles in memory, compared with the solver alone.
//!
//! `table/alone` runs only a solver on each thread. The other benchmarks also make the arrays `solution` and `status`. `table/values` reads
//! the puzzles from plain memory. `table/fixed size list` and `table/large utf8` read them from an Arrow array of the named type.
#![allow(clippy::expect_used, reason = "a bench that cannot run should say so and end")]

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::sync::Arc;

use arrow_array::{ArrayRef, FixedSizeListArray, LargeStringArray, UInt8Array};
use arrow_schema::{DataType, Field};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sudobench_rows::columns::SOLVE_DEFAULT;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::default_variant;
use sudobench_sudoku::{Outcome, Puzzle, Question, Solver};
use sudobench_tables::{Puzzles, TableSolver};

const ROWS: usize = 1_000_000;

/// Returns [`ROWS`] puzzles: the puzzles of the sample in the repository, repeated. If `SUDOBENCH_PUZZLES` is set, uses the puzzles of that
/// file instead (a puzzle at the start of each line).
fn puzzles() -> Vec<Puzzle> {
    let text = match std::env::var_os("SUDOBENCH_PUZZLES") {
        Some(path) => std::fs::read_to_string(path).expect("a file of puzzles"),
        None => include_str!("../datasets/sample.csv").replace(',', "\n"),
    };
    let puzzle = |line: &str| line.get(..81)?.parse().ok().filter(|puzzle: &Puzzle| puzzle.clue_count() < 81);
    let found: Vec<Puzzle> = text.lines().filter_map(puzzle).collect();
    found.into_iter().cycle().take(ROWS).collect()
}

/// Runs only the solvers, each on its share of the puzzles.
fn alone(solvers: &mut [Box<dyn Solver>], puzzles: &[Puzzle], outcomes: &mut [Outcome]) {
    const BATCH: usize = 4096;
    let share = puzzles.len().div_ceil(solvers.len());
    std::thread::scope(|scope| {
        let shares = puzzles.chunks(share).zip(outcomes.chunks_mut(share));
        for (solver, (puzzles, outcomes)) in solvers.iter_mut().zip(shares) {
            scope.spawn(move || {
                for (puzzles, outcomes) in puzzles.chunks(BATCH).zip(outcomes.chunks_mut(BATCH)) {
                    solver.solve_batch(puzzles, &Question::unique(), outcomes);
                }
            });
        }
    });
}

fn table(criterion: &mut Criterion) {
    let puzzles = puzzles();
    let values: Vec<[u8; 81]> = puzzles.iter().map(|puzzle| *puzzle.values()).collect();
    let field = Arc::new(Field::new("item", DataType::UInt8, false));
    let cells = Arc::new(UInt8Array::from(values.as_flattened().to_vec()));
    let lists: ArrayRef = Arc::new(FixedSizeListArray::new(field, 81, cells, None));
    let strings: ArrayRef =
        Arc::new(LargeStringArray::from_iter_values(puzzles.iter().map(Puzzle::to_string)));

    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut solvers: Vec<_> = (0..threads.get())
        .map(|_| default_variant().build(Level::widest()).expect("the widest level"))
        .collect();
    let mut outcomes = vec![Outcome::ABORTED; ROWS];
    let solver = TableSolver::new(default_variant(), Level::widest(), threads).expect("threads");
    let solve = |puzzles: &Puzzles| {
        black_box(solver.solve(puzzles, None, &Question::unique(), &SOLVE_DEFAULT).expect("answers"))
    };

    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(ROWS as u64)).sample_size(20);
    group.bench_function("alone", |bencher| bencher.iter(|| alone(&mut solvers, &puzzles, &mut outcomes)));
    group.bench_function("values", |bencher| bencher.iter(|| solve(&Puzzles::from_values(&values))));
    for (name, array) in [("fixed size list", &lists), ("large utf8", &strings)] {
        let puzzles = Puzzles::from_array(array).expect("puzzles");
        group.bench_function(name, |bencher| bencher.iter(|| solve(&puzzles)));
    }
    group.finish();
}

criterion_group!(benches, table);
criterion_main!(benches);
