//! Measures how many rows per second `sudobench_rows::source` reads and parses. The rows are generated from a seed.
//!
//! `parse/<format>/direct` parses rows without quotes; `parse/csv/quoted` parses rows in which every field is quoted.
//! `parse/lines/labelled` parses lines with a label before the puzzle. `read/<format>/<direct or quoted>` measures only the reader, which
//! cuts the text into blocks; with `/skip` at the end of the name, the reader skips all rows.
#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

use std::hint::black_box;
use std::io::Cursor;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sudobench_rows::source::{Block, InputFormat, Options, ParsedBlock, Source};

const ROWS: usize = 4096;

/// A random generator that gives the same digits on every machine.
struct Digits(u64);

impl Digits {
    fn next(&mut self, below: u64) -> char {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'0' + ((self.0 >> 33) % below) as u8)
    }

    fn puzzle(&mut self) -> String {
        (0..81).map(|_| self.next(10)).collect()
    }

    fn solution(&mut self) -> String {
        (0..81).map(|_| (self.next(9) as u8 + 1) as char).collect()
    }
}

fn input(kind: &str) -> (InputFormat, String) {
    let mut digits = Digits(2580);
    let mut rows = |row: &mut dyn FnMut(&mut Digits) -> String| -> String {
        (0..ROWS).map(|_| row(&mut digits)).collect()
    };
    match kind {
        "csv/direct" => (
            InputFormat::CSV,
            "puzzle,solution\n".to_owned() + &rows(&mut |d| format!("{},{}\n", d.puzzle(), d.solution())),
        ),
        "csv/quoted" => (
            InputFormat::CSV,
            "puzzle,solution\n".to_owned()
                + &rows(&mut |d| format!("\"{}\",\"{}\"\n", d.puzzle(), d.solution())),
        ),
        "lines/direct" => (InputFormat::LINES, rows(&mut |d| d.puzzle() + "\n")),
        "lines/labelled" => (InputFormat::LINES, rows(&mut |d| format!("0123456789ab {} 1.2\n", d.puzzle()))),
        _ => {
            let lines =
                |text: String| text.as_bytes().chunks(9).map(|r| String::from_utf8_lossy(r) + "\n").collect();
            (InputFormat::BOJ2239, rows(&mut |d| lines(d.puzzle())))
        }
    }
}

fn blocks(format: InputFormat, text: &str) -> (Source, Vec<Block>) {
    let options = Options { format: Some(format), ..Options::default() };
    let mut source = Source::from_reader("puzzles", Cursor::new(text.to_owned()), options).unwrap();
    let mut blocks = Vec::new();
    while let Some(block) = source.next_block(Vec::new()).unwrap() {
        blocks.push(block);
    }
    (source, blocks)
}

fn parse(criterion: &mut Criterion) {
    for kind in ["csv/direct", "csv/quoted", "lines/direct", "lines/labelled", "grid/direct"] {
        let (format, text) = input(kind);
        let (source, mut blocks) = blocks(format, &text);
        let mut group = criterion.benchmark_group("parse");
        group.throughput(Throughput::Elements(ROWS as u64));
        let mut rows = ParsedBlock::default();
        group.bench_function(kind, |bencher| {
            bencher.iter(|| {
                let mut puzzles = 0;
                for block in &mut blocks {
                    source.layout().parse(black_box(block), &mut rows);
                    puzzles += rows.puzzles.len();
                }
                assert_eq!(puzzles, ROWS);
            });
        });
    }
}

fn read(criterion: &mut Criterion) {
    for kind in ["csv/direct", "csv/quoted", "lines/direct", "grid/direct"] {
        let (format, text) = input(kind);
        let text = text.repeat(32);
        let mut group = criterion.benchmark_group("read");
        group.throughput(Throughput::Elements(32 * ROWS as u64));
        group.sample_size(20);
        let bytes: &'static [u8] = Box::leak(text.into_bytes().into_boxed_slice());
        for (name, skip) in [(kind.to_owned(), 0), (format!("{kind}/skip"), u64::MAX)] {
            let options = Options { format: Some(format), skip, ..Options::default() };
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    let mut source = Source::from_reader("puzzles", bytes, options.clone()).unwrap();
                    let mut buffer = Vec::new();
                    while let Some(block) = source.next_block(buffer).unwrap() {
                        buffer = black_box(block.bytes);
                    }
                });
            });
        }
    }
}

criterion_group!(benches, parse, read);
criterion_main!(benches);
