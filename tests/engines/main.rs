//! The vector engines, at every width that the CPU has, against a naive oracle.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod oracle;

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use oracle::{Random, expected};
use proptest::prelude::*;
use sudobench::simd::Level;
use sudobench::solver::{Auto, Bitboard, Bitslice};
use sudobench::{Answer, Limits, Outcome, Puzzle, Solver, Status};

/// Every engine at every level, with its name.
fn engines() -> Vec<(String, Box<dyn Solver>)> {
    let mut engines: Vec<(String, Box<dyn Solver>)> = Vec::new();
    for level in Level::supported() {
        engines.push((format!("bitslice {level}"), Box::new(Bitslice::at(level).unwrap())));
        engines.push((format!("bitboard {level}"), Box::new(Bitboard::at(level).unwrap())));
        engines.push((format!("auto {level}"), Box::new(Auto::at(level).unwrap())));
    }
    engines
}

fn limits(max_solutions: u64, answer: Answer) -> Limits {
    Limits { max_solutions: NonZeroU64::new(max_solutions).unwrap(), answer, ..Limits::unique() }
}

fn solve_all(solver: &mut dyn Solver, puzzles: &[Puzzle], limits: &Limits) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
    solver.solve_batch(puzzles, limits, &mut outcomes);
    outcomes
}

/// Holds every engine against the oracle on these puzzles, at limits 1, 2 and 200, for both kinds of answer.
fn check(puzzles: &[Puzzle]) {
    for max_solutions in [1, 2, 200] {
        for answer in [Answer::Smallest, Answer::First] {
            let limits = limits(max_solutions, answer);
            let wanted: Vec<_> = puzzles.iter().map(|puzzle| expected(puzzle, &limits)).collect();
            for (name, mut engine) in engines() {
                let outcomes = solve_all(&mut *engine, puzzles, &limits);
                for ((puzzle, outcome), wanted) in puzzles.iter().zip(&outcomes).zip(&wanted) {
                    let context = format!("{name}, limit {max_solutions}, {answer:?}: {puzzle}");
                    assert_eq!((outcome.status, outcome.count), (wanted.0, wanted.1), "{context}");
                    assert_eq!(outcome.solution.is_some(), wanted.1 > 0, "{context}");
                    if let Some(solution) = &outcome.solution {
                        assert_eq!(solution.check(puzzle), Ok(()), "{context}");
                        assert!(wanted.2.is_none_or(|smallest| smallest == *solution), "{context}");
                    }
                }
            }
        }
    }
}

/// Puzzles that any test of this file can use: minimal and hard ones, none of them from a collection.
const HARD: [&str; 4] = [
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
];

fn hard() -> Vec<Puzzle> {
    HARD.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn random_clue_subsets_have_the_counts_and_solutions_of_the_oracle() {
    let mut random = Random(1);
    let clues = [81, 80, 60, 40, 32, 30, 29, 28, 27, 26, 25, 24, 23, 22];
    let puzzles: Vec<_> = (0..140).map(|at| random.puzzle(clues[at % clues.len()])).collect();
    check(&puzzles);
}

#[test]
fn contradictions_are_unsolvable_and_cost_no_node() {
    let mut random = Random(2);
    let mut puzzles = Vec::new();
    for clues in [2, 20, 40, 81] {
        for cell in [0, 40, 80] {
            // The same digit twice in the row, the column or the box of a cell.
            for other in [cell / 9 * 9 + (cell + 1) % 9, (cell + 9) % 81, cell / 27 * 27 + 10] {
                let mut values = *random.puzzle(clues).values();
                values[cell] = 5;
                values[other] = 5;
                puzzles.extend(Puzzle::from_values(values).filter(|puzzle| puzzle.conflict().is_some()));
            }
        }
    }
    assert!(puzzles.len() > 20);
    for (name, mut engine) in engines() {
        for outcome in solve_all(&mut *engine, &puzzles, &Limits::unique()) {
            assert_eq!(Outcome { elapsed_ns: 0, ..outcome }, Outcome::CONTRADICTORY, "{name}");
        }
    }
}

#[test]
fn full_grids_are_their_own_solution_and_one_wrong_digit_is_found() {
    let mut random = Random(3);
    let right: Vec<_> = (0..20).map(|_| random.puzzle(81)).collect();
    let wrong = right.iter().enumerate().map(|(cell, puzzle)| {
        let mut values = *puzzle.values();
        values[cell * 4] = values[cell * 4] % 9 + 1;
        Puzzle::from_values(values).unwrap()
    });
    let puzzles: Vec<_> = right.iter().copied().chain(wrong).collect();
    for (name, mut engine) in engines() {
        let outcomes = solve_all(&mut *engine, &puzzles, &Limits::unique());
        for (outcome, puzzle) in outcomes[..20].iter().zip(&right) {
            assert_eq!(outcome.solution.map(|solution| *solution.values()), Some(*puzzle.values()), "{name}");
        }
        assert!(outcomes[20..].iter().all(|outcome| outcome.status == Status::Unsolvable), "{name}");
    }
}

#[test]
fn the_empty_grid_has_as_many_solutions_as_are_asked_for() {
    let smallest = oracle::smallest(&Puzzle::EMPTY).unwrap();
    for (name, mut engine) in engines() {
        for max in [1, 2, 200, 5000] {
            let outcome = engine.solve(&Puzzle::EMPTY, &limits(max, Answer::Smallest));
            assert_eq!(outcome.count, max, "{name}");
            assert_eq!(*outcome.solution.unwrap().values(), smallest, "{name}");
            assert_eq!(outcome.elapsed_ns, 0, "{name}");
        }
    }
}

#[test]
fn thousands_of_solutions_are_counted_without_a_limit() {
    let mut random = Random(4);
    for clues in [28, 26, 25, 24] {
        let puzzle = random.puzzle(clues);
        let all = oracle::solutions(&puzzle, 20_000);
        for (name, mut engine) in engines() {
            let max = if all.len() < 20_000 { u64::MAX } else { 20_000 };
            let outcome = engine.solve(&puzzle, &limits(max, Answer::Smallest));
            assert_eq!(outcome.count, all.len() as u64, "{name}: {puzzle}");
        }
    }
}

#[test]
fn batches_of_every_size_have_an_outcome_for_every_puzzle() {
    let mut random = Random(5);
    let mut pool: Vec<_> = (0..200).map(|_| random.puzzle(30)).collect();
    pool.extend(hard());
    let limits = Limits::unique();
    let wanted: Vec<_> = pool.iter().map(|puzzle| expected(puzzle, &limits)).collect();
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
    let solution = expected(&puzzle, &Limits::unique()).2;
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
    let mut puzzles: Vec<_> = (0..2000).map(|_| random.puzzle(24)).collect();
    puzzles.extend(hard());
    for (name, mut engine) in engines() {
        let timeless = |outcomes: Vec<Outcome>| -> Vec<_> {
            outcomes.into_iter().map(|outcome| Outcome { elapsed_ns: 0, ..outcome }).collect()
        };
        let first = timeless(solve_all(&mut *engine, &puzzles, &Limits::unique()));
        solve_all(&mut *engine, &puzzles[..700], &limits(200, Answer::First));
        let again = timeless(solve_all(&mut *engine, &puzzles, &Limits::unique()));
        assert!(first == again, "{name}");
        assert!(first.iter().any(|outcome| outcome.guesses > 0), "{name}");
        assert!(first.iter().all(|outcome| outcome.nodes >= outcome.guesses), "{name}");
    }
}

#[test]
fn node_limits_abort_exactly_and_leave_the_others_alone() {
    let mut puzzles = hard();
    puzzles.push(Random(7).puzzle(40));
    for (name, mut engine) in engines() {
        let free: Vec<_> =
            puzzles.iter().map(|puzzle| engine.solve(puzzle, &Limits::unique()).nodes).collect();
        for (puzzle, &nodes) in puzzles.iter().zip(&free) {
            let limited = |max| Limits { max_nodes: Some(max), ..Limits::unique() };
            assert_ne!(engine.solve(puzzle, &limited(nodes)).status, Status::Aborted, "{name}: {puzzle}");
            for max in [0, nodes / 2, nodes.saturating_sub(1)] {
                let outcome = engine.solve(puzzle, &limited(max));
                if max < nodes {
                    assert_eq!((outcome.status, outcome.nodes), (Status::Aborted, max), "{name}: {puzzle}");
                    assert_eq!(outcome.solution, None, "{name}: {puzzle}");
                }
            }
        }
        assert!(free.iter().any(|&nodes| nodes > 10), "{name}");
    }
}

#[test]
fn time_limits_and_cancelling_abort() {
    let puzzles: Vec<_> = (0..600).map(|_| Puzzle::EMPTY).collect();
    let endless = limits(u64::MAX, Answer::First);
    let late = Limits { max_time: Some(Duration::from_millis(2)), ..endless.clone() };
    let cancelled = Limits { cancel: Some(Arc::new(AtomicBool::new(true))), ..endless };
    for (name, mut engine) in engines() {
        for outcome in solve_all(&mut *engine, &puzzles[..5], &late) {
            assert_eq!((outcome.status, outcome.solution), (Status::Aborted, None), "{name}");
            assert!(outcome.elapsed_ns >= 2_000_000, "{name}");
        }
        for outcome in solve_all(&mut *engine, &puzzles, &cancelled) {
            assert_eq!(outcome.status, Status::Aborted, "{name}");
        }
        assert_eq!(engine.solve(&hard()[0], &Limits::unique()).status, Status::Unique, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Clues of a grid, some of them changed: any number of solutions, and contradictions of every depth.
    #[test]
    fn changed_clues(seed: u64, clues in 22usize..50, changes in 0usize..3) {
        let mut random = Random(seed);
        let mut values = *random.puzzle(clues).values();
        for _ in 0..changes {
            values[random.below(81)] = random.below(10) as u8;
        }
        let puzzle = Puzzle::from_values(values).unwrap();
        let limits = limits(2, Answer::Smallest);
        let wanted = expected(&puzzle, &limits);
        for (name, mut engine) in engines() {
            let outcome = engine.solve(&puzzle, &limits);
            prop_assert_eq!((outcome.status, outcome.count, outcome.solution), wanted, "{}: {}", name, puzzle);
        }
    }
}
