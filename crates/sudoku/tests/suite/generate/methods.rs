//! The generation methods make minimal puzzles. The same seed and number always give the same puzzle.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::generate::{BottomUp, ControlledBias, Made, TopDown};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Status, solve};

use super::redundant;

type Make = Box<dyn FnMut(u64, Range<u64>) -> Option<Vec<Made>>>;

/// Turns a generator into a function that makes puzzles from a seed and a range of numbers.
macro_rules! method {
    ($built:expr) => {{
        let mut method = $built;
        Box::new(move |seed, numbers| {
            let mut made = Vec::new();
            method.make(seed, numbers, &mut made).then_some(made)
        }) as Make
    }};
}

fn methods(level: Level) -> [(Make, u64); 3] {
    [
        (method!(TopDown::new(level).unwrap()), 120),
        (method!(BottomUp::new(level).unwrap()), 120),
        (method!(ControlledBias::new(level).unwrap()), 1),
    ]
}

#[test]
fn puzzles_are_minimal_and_have_their_solutions() {
    for (mut make, number) in methods(Level::supported().last().unwrap()) {
        let made = make(16, 0..number).unwrap();
        assert_eq!(made.len() as u64, number);
        for Made { puzzle, solution, .. } in made {
            let outcome = solve(&puzzle);
            assert_eq!((outcome.status, outcome.solution), (Status::Unique, Some(solution)), "{puzzle}");
            assert!(redundant(&puzzle).is_empty(), "{puzzle}");
        }
    }
}

#[test]
fn a_number_of_a_seed_is_the_same_in_every_range_and_at_every_level() {
    let widest = Level::supported().last().unwrap();
    for (at, (mut make, number)) in methods(widest).into_iter().enumerate().take(2) {
        let together = make(17, 0..number).unwrap();
        for range in [0..1, 3..5, 50..number] {
            let part = &together[range.start as usize..range.end as usize];
            assert_eq!(make(17, range).unwrap(), part);
        }
        assert_ne!(make(18, 0..number).unwrap(), together);
        for level in Level::supported() {
            assert_eq!(methods(level)[at].0(17, 0..number).unwrap(), together, "{level}");
        }
    }
}

#[test]
fn weights_are_proportional_to_the_number_of_clue_sets() {
    let (mut make, _) = methods(Level::supported().last().unwrap()).into_iter().next_back().unwrap();
    let made = make(19, 0..2).unwrap();
    for Made { puzzle, weight, .. } in made {
        // The expected weight of a puzzle with n clues is C(81, n) / C(81, 26), computed factor by factor.
        let mut expected = 1.0;
        for clues in 26..puzzle.clue_count() {
            expected *= (81 - clues) as f64 / (clues + 1) as f64;
        }
        for clues in puzzle.clue_count()..26 {
            expected *= (clues + 1) as f64 / (81 - clues) as f64;
        }
        assert!((weight.unwrap() / expected - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_cancelled_method_appends_nothing() {
    let cancel = || Arc::new(AtomicBool::new(true));
    let mut made = Vec::new();
    assert!(!TopDown::default().cancel(cancel()).make(1, 0..9, &mut made));
    assert!(!BottomUp::default().cancel(cancel()).make(1, 0..9, &mut made));
    assert!(!ControlledBias::default().cancel(cancel()).make(1, 0..9, &mut made));
    assert!(made.is_empty());
}
