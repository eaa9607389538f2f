//! Measures the whole way from input bytes to output bytes, with a solver that does nothing and with the default solver.
//!
//! `pipeline/null` and `pipeline/auto` measure the command with these solvers, including its start-up. For comparison, `pipeline/csv+rayon`
//! measures a simple program with the solver that does nothing: it reads CSV records one by one, passes them to the threads with
//! `par_bridge`, and sorts and joins the result rows. `pipeline/floor` does less than any program that reads the puzzles: it copies the
//! rows and adds the same answer to each. `pipeline/solver` is the time of the default solver for the puzzles in memory, in batches of
//! 4,096 on as many threads as the command uses.
#![allow(clippy::expect_used, reason = "a bench that cannot run should say so and end")]

use std::fs::File;
use std::hint::black_box;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Outcome, Puzzle, Question, solver};

const HEADER: &[u8] = b"quizzes,solutions\n";

/// Number of bytes of a row: a puzzle and its solution.
const ROW: usize = 2 * 82;

/// Number of bytes that a thread of [`floor`] reads at once. The command reads blocks of about this size, too.
const BLOCK: usize = 1600 * ROW;

/// The bytes that are added to a row: the solution and the status.
const ANSWER: &[u8; 90] =
    b",618792354927543861453861729586239147291457683734186295362975418875614932149328576,unique\n";

/// Returns rows in Kaggle's format: the easy puzzles of `datasets/easy.csv`, repeated. If the benches are only tested, there are few rows.
fn kaggle_rows() -> Vec<u8> {
    let rows = if std::env::args().any(|argument| argument == "--bench") { 1_000_000 } else { 1000 };
    let easy = include_str!("../datasets/easy.csv");
    let mut text = HEADER.to_vec();
    let lines: Vec<&str> = easy.lines().skip(1).collect();
    for line in lines.iter().cycle().take(rows) {
        text.extend_from_slice((line.replace('.', "0") + "\n").as_bytes());
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

/// Reads the file with as many threads as the command has, copies each row, adds [`ANSWER`], and writes the result to `/dev/null`.
fn floor(path: &Path) {
    let mut file = File::open(path).expect("the file is there");
    file.seek(SeekFrom::Start(HEADER.len() as u64)).expect("the file has a header");
    let file = Mutex::new(file);
    rayon::broadcast(|_| {
        let mut out = File::options().write(true).open("/dev/null").expect("a system with /dev/null");
        let (mut block, mut text) = (Vec::with_capacity(BLOCK), Vec::with_capacity(2 * BLOCK));
        loop {
            block.clear();
            let file = file.lock().expect("no thread panics");
            (&*file).take(BLOCK as u64).read_to_end(&mut block).expect("the file can be read");
            drop(file);
            if block.is_empty() {
                return;
            }
            text.clear();
            for row in block.chunks_exact(ROW) {
                text.extend_from_slice(&row[..ROW - 1]);
                text.extend_from_slice(ANSWER);
            }
            out.write_all(&text).expect("/dev/null takes everything");
        }
    });
}

/// Solves the puzzles in batches of 4,096, as the command does.
fn solver_alone(puzzles: &[Puzzle], outcomes: &mut [Outcome]) {
    let variant = solver::find("auto").expect("the registry has it");
    let batches = Mutex::new(puzzles.chunks(4096).zip(outcomes.chunks_mut(4096)));
    let next = || batches.lock().expect("no thread panics").next();
    rayon::broadcast(|_| {
        let mut solver = variant.build(Level::widest()).expect("the widest level");
        while let Some((puzzles, outcomes)) = next() {
            solver.solve_batch(puzzles, &Question::unique(), outcomes);
        }
    });
}

fn sudobench_solve(program: &Path, path: &Path, solver: &str) {
    let status = Command::new(program)
        .args(["solve", "--solver", solver, "--quiet", "-o", "/dev/null"])
        .arg(path)
        .stdin(Stdio::null())
        .status();
    black_box(status.expect("the command runs"));
}

fn pipeline(criterion: &mut Criterion) {
    let program = sudobench_benches::program();
    let input = kaggle_rows();
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(&input).expect("the temporary file can be written");
    let rows = input.len() / ROW;
    let texts = input[input.len() - rows * ROW..].chunks_exact(ROW).map(|row| &row[..81]);
    let puzzles: Vec<Puzzle> = texts.map(|text| Puzzle::from_text(text).expect("a puzzle")).collect();
    let mut outcomes = vec![Outcome::ABORTED; rows];
    let mut group = criterion.benchmark_group("pipeline");
    group.throughput(Throughput::Elements(rows as u64)).sample_size(10);
    group.bench_function("floor", |bencher| bencher.iter(|| floor(file.path())));
    group.bench_function("solver", |bencher| bencher.iter(|| solver_alone(&puzzles, &mut outcomes)));
    for solver in ["null", "auto"] {
        group.bench_function(solver, |bencher| {
            bencher.iter(|| sudobench_solve(&program, file.path(), solver))
        });
    }
    group.bench_function("csv+rayon", |bencher| bencher.iter(|| black_box(csv_and_rayon(&input))));
    group.finish();
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
