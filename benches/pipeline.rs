//! Measures the whole way from input bytes to output bytes with a solver that does nothing. So the measured time is the cost of everything
//! except solving.
//!
//! `pipeline/sudobench` measures the command, including its start-up. For comparison, `pipeline/csv+rayon` measures a simple program: it
//! reads CSV records one by one, passes them to the threads with `par_bridge`, and sorts and joins the result rows.
#![allow(clippy::expect_used, reason = "a bench that cannot run should say so and end")]

use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Puzzle, Question, solver};

const ROWS: usize = 100_000;

/// Returns `ROWS` rows in Kaggle's format: the rows of `datasets/sample.csv`, repeated.
fn kaggle_rows() -> Vec<u8> {
    let sample = include_str!("../datasets/sample.csv");
    let mut text = b"quizzes,solutions\n".to_vec();
    let columns: Vec<Vec<&str>> = sample.lines().skip(1).map(|line| line.split(',').collect()).collect();
    for row in columns.iter().cycle().take(ROWS) {
        text.extend_from_slice(format!("{},{}\n", row[1].replace('.', "0"), row[2]).as_bytes());
    }
    text
}

/// The simple program for comparison. It uses as little of this project as possible.
fn csv_and_rayon(input: &[u8]) -> Vec<u8> {
    let variant = solver::find("null").expect("the registry has it");
    let mut rows: Vec<(usize, String)> = csv::Reader::from_reader(input)
        .into_records()
        .enumerate()
        .par_bridge()
        .map_init(
            || variant.build(Level::widest()).expect("the widest level"),
            |solver, (number, record)| {
                let record = record.expect("well-formed");
                let puzzle: Puzzle = record[0].parse().expect("a puzzle");
                let outcome = solver.solve(&puzzle, &Question::unique());
                (number, format!("{},{},,{}\n", &record[0], &record[1], outcome.status.name()))
            },
        )
        .collect();
    rows.sort_unstable_by_key(|row| row.0);
    let mut output = Vec::new();
    rows.iter().for_each(|row| output.extend_from_slice(row.1.as_bytes()));
    output
}

fn sudobench_solve(path: &std::path::Path) {
    let status = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["solve", "--solver", "null", "--quiet", "-o", "/dev/null"])
        .arg(path)
        .stdin(Stdio::null())
        .status();
    black_box(status.expect("the command runs"));
}

fn pipeline(criterion: &mut Criterion) {
    let input = kaggle_rows();
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(&input).expect("the temporary file can be written");
    let mut group = criterion.benchmark_group("pipeline");
    group.throughput(Throughput::Elements(ROWS as u64)).sample_size(20);
    group.bench_function("sudobench", |bencher| bencher.iter(|| sudobench_solve(file.path())));
    group.bench_function("csv+rayon", |bencher| bencher.iter(|| black_box(csv_and_rayon(&input))));
    group.finish();
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
