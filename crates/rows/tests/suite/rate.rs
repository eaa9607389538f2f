//! Tests of ratings, and of drawing rows of each difficulty.

use std::fs;
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use sudobench_rows::columns::{Column, DIFFICULTY, RATE, parse};
use sudobench_rows::facts::Ratings;
use sudobench_rows::sink::OutputFormat;
use sudobench_rows::source::{Input, Options, Source};
use sudobench_rows::{Isomorphs, PassError, Run, RunError, Sink, Strata, Stratify};
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::rate::{Difficulty, Rater};
use sudobench_sudoku::{Puzzle, Status};

/// Puzzles of the difficulties singles, locked and depth1.
const PUZZLES: [&str; 3] = [
    "..12...4.3..1...869..45.3...4....8.........5..379.4...6.........12....7.......9.5",
    "...4.6.59..41.....5..7....2..7.85......6..71..4........2....37.3....1..8...9.....",
    ".4..2...76........9.2..84..2......7......7..3.69.......136........9..5....78.53.2",
];

/// Returns rows whose puzzles have the three difficulties in turn, then one row with many solutions and one malformed row.
fn text(rows: usize) -> String {
    let mut random = Random::new(5);
    let rows = (0..rows).map(|row| {
        let puzzle: Puzzle = PUZZLES[row % 3].parse().unwrap();
        format!("{}\n", Transformation::random(&mut random).apply(&puzzle))
    });
    rows.collect::<String>() + &format!("{}\nnone\n", Puzzle::EMPTY)
}

fn source(text: &str) -> Source {
    Source::from_reader("the test", Cursor::new(text.to_owned()), Options::default()).unwrap()
}

fn run<'r>(text: &str, threads: usize) -> Run<'r> {
    Run::over(source(text)).threads(NonZeroUsize::new(threads).unwrap())
}

fn chosen(names: &str) -> Vec<Column> {
    parse(names, &RATE).unwrap()
}

/// Returns the line numbers of the drawn rows, and the numbers of rows found and drawn for each difficulty.
fn drawn(text: &str, rows: usize, seed: u64, threads: usize) -> (Vec<u64>, Strata) {
    let stratify = Arc::new(Stratify::new(rows.try_into().unwrap(), seed));
    let mut lines = Vec::new();
    let writing = stratify.run(run(text, threads), run(text, threads).columns([DIFFICULTY]));
    let finished = writing.to(Sink::blocks(|block| {
        for row in block.rows() {
            assert!(row.fact::<Ratings>().is_some_and(|rated| rated.rating.difficulty.is_some()));
            lines.push(row.row.line);
        }
        ControlFlow::Continue(())
    }));
    let tally = finished.unwrap().measures.tally;
    assert_eq!(tally.rows() - tally.left_out, lines.len() as u64);
    (lines, stratify.strata().unwrap().clone())
}

#[test]
fn rows_are_drawn_evenly_and_each_once() {
    const SEEDS: u64 = 400;
    let text = text(30);
    let mut times = [0_u64; 33];
    for seed in 0..SEEDS {
        let (lines, strata) = drawn(&text, 3, seed, 1);
        assert!(lines.is_sorted_by(|one, next| one < next));
        assert_eq!((strata.rows, strata.others()), (32, 2));
        let strata =
            strata.strata.iter().map(|stratum| (stratum.value.as_str(), stratum.found, stratum.drawn));
        assert!(strata.eq([("singles", 10, 3), ("locked", 10, 3), ("depth1", 10, 3)]));
        for class in 0..3 {
            assert_eq!(lines.iter().filter(|&&line| (line - 1) % 3 == class).count(), 3);
        }
        lines.iter().for_each(|&line| times[line as usize] += 1);
    }
    // Each row is drawn 120 times on average, with a standard deviation of 9.
    assert!(times[1..31].iter().all(|&times| (80..160).contains(&times)), "{times:?}");
    assert_eq!(times[31..], [0, 0]);
}

#[test]
fn threads_and_blocks_draw_the_same() {
    let text = text(3000);
    let one = drawn(&text, 50, 7, 1);
    assert_eq!(one.0.len(), 150);
    assert_eq!(one, drawn(&text, 50, 7, 4));
}

#[test]
fn an_input_replaced_between_passes_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.txt");
    fs::write(&path, text(10)).unwrap();
    let open = || Source::open(&[Input::File(path.clone())], Options::default()).unwrap();
    let stratify = Arc::new(Stratify::new(NonZeroUsize::MIN, 1));
    let run = stratify.run(Run::over(open()), Run::over(open()).columns([DIFFICULTY]));
    let out = folder.path().join("out.csv");
    // The input that is already open keeps its content, so only a check of the path can notice that the file was replaced.
    let other = folder.path().join("other.txt");
    fs::write(&other, text(11)).unwrap();
    let run = run.progress(move |_| drop(fs::rename(&other, &path)));
    let error = match run.to(Sink::file(&out)).unwrap_err() {
        RunError::Halfway { error, .. } => *error,
        error => error,
    };
    assert!(matches!(error, RunError::Pass(PassError::Changed { .. })), "{error}");
    assert!(!out.exists());
}

#[test]
fn ratings_do_not_depend_on_the_number_of_threads() {
    let text = text(700);
    let rated = |threads: usize, isomorphs: Isomorphs| {
        let mut out = Vec::new();
        let run = run(&text, threads).columns(RATE).isomorphs(isomorphs);
        run.to(Sink::writer(&mut out).format(OutputFormat::CSV)).unwrap();
        String::from_utf8(out).unwrap()
    };
    let isomorphs = Isomorphs { forms: 2.try_into().unwrap(), seed: 9 };
    let one = rated(1, isomorphs);
    assert!(one == rated(3, isomorphs));
    assert!(one != rated(1, Isomorphs { seed: 10, ..isomorphs }));
    for (line, text) in one.lines().skip(1).zip(text.lines()) {
        let difficulty = text.parse().ok().and_then(|puzzle| Rater::default().difficulty(&puzzle));
        let expected = difficulty.map_or("", Difficulty::name);
        assert_eq!(line.split(',').nth(1), Some(expected), "{line}");
    }
}

#[test]
fn only_needed_measures_are_computed() {
    let text = text(6);
    let mut seen = 0;
    let finished = run(&text, 1).columns(chosen("singles,status")).to(Sink::blocks(|block| {
        for row in block.rows() {
            assert_eq!(row.fact::<Ratings>().is_some(), row.status() == Some(Status::Unique));
            let Some(rated) = row.fact::<Ratings>() else { continue };
            assert_eq!((rated.rating.difficulty, rated.rating.depth, rated.guesses), (None, None, None));
            seen += usize::from(rated.rating.singles.is_some());
        }
        ControlFlow::Continue(())
    }));
    finished.unwrap();
    assert_eq!(seen, 6);
}
