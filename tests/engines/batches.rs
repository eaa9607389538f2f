//! Batches of every size and mixture.
#![forbid(unsafe_code)]

use sudobench::{Answer, Limits, Outcome, Puzzle};

use crate::common::grids::Random;
use crate::common::oracle::{self, Truth};
use crate::{HARD, MOST, asking_for, engines, hard, random_puzzle, solve_all};

#[test]
fn batches_of_every_size_have_an_outcome_for_every_puzzle() {
    let mut random = Random(5);
    let mut pool: Vec<_> = (0..200).map(|_| random_puzzle(&mut random, 30)).collect();
    pool.extend(hard());
    let limits = Limits::unique();
    let wanted: Vec<_> = pool.iter().map(|puzzle| Truth::of(puzzle, MOST).answer(&limits)).collect();
    for (name, mut engine) in engines() {
        for size in [0, 1, 2, 63, 64, 65, 127, 129, 511, 512, 513, 1500] {
            let picks: Vec<_> = (0..size).map(|_| random.below(pool.len())).collect();
            let puzzles: Vec<_> = picks.iter().map(|&pick| pool[pick]).collect();
            let outcomes = solve_all(&mut *engine, &puzzles, &limits);
            for (outcome, pick) in outcomes.iter().zip(picks) {
                let got = (outcome.status, outcome.count, outcome.solution);
                assert_eq!(got, wanted[pick], "{name}, batch of {size}: {}", pool[pick]);
            }
        }
    }
}

#[test]
fn a_hundred_thousand_duplicates_are_all_solved() {
    let puzzle: Puzzle = HARD[2].parse().unwrap();
    let solution = oracle::smallest(&puzzle);
    let puzzles = vec![puzzle; 100_000];
    for (name, mut engine) in engines() {
        let outcomes = solve_all(&mut *engine, &puzzles, &Limits::unique());
        assert!(outcomes.iter().all(|outcome| outcome.solution == solution), "{name}");
        assert!(outcomes.iter().all(|outcome| outcome.elapsed_ns > 0 || outcome.nodes == 0), "{name}");
    }
}

#[test]
fn counters_depend_on_the_batch_alone() {
    let mut random = Random(6);
    let mut puzzles: Vec<_> = (0..2000).map(|_| random_puzzle(&mut random, 24)).collect();
    puzzles.extend(hard());
    for (name, mut engine) in engines() {
        let timeless = |outcomes: Vec<Outcome>| -> Vec<_> {
            outcomes.into_iter().map(|outcome| Outcome { elapsed_ns: 0, ..outcome }).collect()
        };
        let first = timeless(solve_all(&mut *engine, &puzzles, &Limits::unique()));
        solve_all(&mut *engine, &puzzles[..700], &asking_for(200, Answer::First));
        let again = timeless(solve_all(&mut *engine, &puzzles, &Limits::unique()));
        assert!(first == again, "{name}");
        assert!(first.iter().any(|outcome| outcome.guesses > 0), "{name}");
        assert!(first.iter().all(|outcome| outcome.nodes >= outcome.guesses), "{name}");
    }
}
