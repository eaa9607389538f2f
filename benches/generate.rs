//! Measures the generator on puzzles that are made from a seed: the number of probes, minimality tests, searches for redundant clues,
//! full grids, reductions and new puzzles per second. A probe finds out whether a clue is redundant. A reduction removes groups of clues
//! until no group can be removed. New puzzles are made by three methods: `top-down`, `bottom-up` and `controlled-bias`.
//!
//! The group `sparse` uses minimal puzzles; the group `easy` uses the same puzzles with twelve more clues.
#![allow(missing_docs, reason = "criterion's macros make public functions")]

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::generate::{BottomUp, ControlledBias, Grids, Made, Reducer, Reduction, TopDown};
use sudobench_sudoku::minimal::Minimality;
use sudobench_sudoku::probe::{Probe, Prober};
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::random::Random;

const SEED: u64 = 2580;
const PUZZLES: u64 = 5_000;

fn made() -> Vec<Made> {
    let mut made = Vec::new();
    TopDown::default().make(SEED, 0..PUZZLES, &mut made);
    made
}

/// Returns the puzzle with `more` additional clues at random cells.
fn with_more(made: &Made, more: usize, random: &mut Random) -> Puzzle {
    let mut cells: Vec<usize> = (0..81).filter(|&cell| made.puzzle[cell] == 0).collect();
    random.shuffle(&mut cells);
    let mut values = *made.puzzle.values();
    cells[..more].iter().for_each(|&cell| values[cell] = made.solution[cell]);
    Puzzle::try_from(values).unwrap_or_default()
}

fn questions(criterion: &mut Criterion) {
    let made = made();
    let mut random = Random::new(SEED);
    let sparse: Vec<Puzzle> = made.iter().map(|made| made.puzzle).collect();
    let easy: Vec<Puzzle> = made.iter().map(|made| with_more(made, 12, &mut random)).collect();
    for (name, puzzles) in [("sparse", sparse), ("easy", easy)] {
        let of_puzzle = |puzzle: &Puzzle| {
            let puzzle = *puzzle;
            puzzle.clue_cells().iter().map(move |cell| Probe { puzzle, cell: cell as u8 }).collect::<Vec<_>>()
        };
        let probes: Vec<Probe> = puzzles.iter().flat_map(of_puzzle).collect();
        let mut group = criterion.benchmark_group(name);
        let (mut prober, mut minimality) = (Prober::default(), Minimality::default());
        group.throughput(Throughput::Elements(probes.len() as u64));
        let mut have_other = vec![false; probes.len()];
        group.bench_function("probes", |bencher| bencher.iter(|| prober.probe(&probes, &mut have_other)));
        group.throughput(Throughput::Elements(PUZZLES));
        let mut are_minimal = vec![false; puzzles.len()];
        group.bench_function("are-minimal", |bencher| {
            bencher.iter(|| minimality.are_minimal(&puzzles, &[], &mut are_minimal));
        });
        let mut redundant = vec![Cells::EMPTY; puzzles.len()];
        group.bench_function("redundant", |bencher| {
            bencher.iter(|| minimality.redundant(&puzzles, &[], &mut redundant))
        });
        group.finish();
    }
}

fn making(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    group.sample_size(10);
    group.throughput(Throughput::Elements(PUZZLES));
    let mut grids = Grids::default();
    group.bench_function("grids", |bencher| {
        bencher.iter(|| {
            for number in 0..PUZZLES {
                black_box(grids.grid(&mut Random::from_stream(SEED, number)));
            }
        });
    });
    // Opposite cells are removed together, as for symmetric puzzles.
    let pairs: Vec<Cells> = (0..41).map(|cell| [cell, 80 - cell].into_iter().collect()).collect();
    let reduction =
        |made: &Made| Reduction { puzzle: made.solution.into(), groups: pairs.clone(), least_clues: 0 };
    let reductions: Vec<Reduction> = made().iter().map(reduction).collect();
    let mut reducer = Reducer::default();
    group.bench_function("reduce", |bencher| bencher.iter(|| reducer.reduce(&mut reductions.clone())));
    let (mut top_down, mut bottom_up) = (TopDown::default(), BottomUp::default());
    measure(&mut group, "top-down", |made| top_down.make(SEED, 0..PUZZLES, made));
    measure(&mut group, "bottom-up", |made| bottom_up.make(SEED, 0..PUZZLES, made));
    let mut controlled_bias = ControlledBias::default();
    group.throughput(Throughput::Elements(4));
    measure(&mut group, "controlled-bias", |made| controlled_bias.make(SEED, 0..4, made));
    group.finish();
}

fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    mut make: impl FnMut(&mut Vec<Made>) -> bool,
) {
    let mut made = Vec::new();
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            made.clear();
            make(&mut made)
        });
    });
}

criterion_group!(benches, questions, making);
criterion_main!(benches);
