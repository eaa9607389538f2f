//! Limits on nodes and time, cancelling, and batches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sudobench_sudoku::random::Random;
use sudobench_sudoku::solver::Class;
use sudobench_sudoku::{Answer, Outcome, Puzzle, Question, Status};

use super::agreement::asking_for;
use super::variants::variants;
use crate::common::grids::{random_clues, random_grid, with_value};

/// Every variant finishes this puzzle within a few thousand nodes.
const WITHIN_REACH: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Maximum time of a test whose search should stop within a few milliseconds. The limit is generous, so that the tests pass on slow
/// machines.
const GENEROUS: Duration = Duration::from_secs(60);

/// Returns a question that no solver finishes for the empty puzzle: the number of all filled grids.
fn endless() -> Question {
    asking_for(u64::MAX)
}

#[test]
fn a_node_limit_is_exact() {
    let several = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8....";
    for (text, question) in [
        (WITHIN_REACH, Question::unique()),
        (WITHIN_REACH, Question::first()),
        (several, Question::unique()),
        (several, asking_for(200)),
    ] {
        let puzzle: Puzzle = text.parse().unwrap();
        for variant in variants() {
            let mut solver = variant.build(crate::common::level()).unwrap();
            let whole = solver.solve(&puzzle, &question);
            assert_ne!(whole.status, Status::Aborted, "{}", variant.name);
            // A variant that solves the puzzle by inference has no nodes, so no node limit aborts it.
            let too_few = [0, 1, whole.nodes / 2, whole.nodes.saturating_sub(1)];
            for most in too_few.into_iter().filter(|&most| most < whole.nodes) {
                let outcome = solver.solve(&puzzle, &Question { max_nodes: Some(most), ..question.clone() });
                assert_eq!((outcome.status, outcome.nodes), (Status::Aborted, most), "{}", variant.name);
                assert_eq!(outcome.solution, None, "{}", variant.name);
                assert!(outcome.guesses <= whole.guesses, "{}", variant.name);
            }
            let just_enough = Question { max_nodes: Some(whole.nodes), ..question.clone() };
            assert_eq!(solver.solve(&puzzle, &just_enough), whole, "{}", variant.name);
        }
    }
}

#[test]
fn a_deadline_ends_an_endless_search() {
    for variant in variants() {
        let start = Instant::now();
        let question = Question { max_time: Some(Duration::from_millis(5)), ..endless() };
        let outcome = variant.build(crate::common::level()).unwrap().solve(&Puzzle::EMPTY, &question);
        assert_eq!((outcome.status, outcome.solution), (Status::Aborted, None), "{}", variant.name);
        assert!(outcome.nodes > 0 && start.elapsed() < GENEROUS, "{}", variant.name);
    }
}

#[test]
fn a_flag_cancels_an_endless_search() {
    for variant in variants() {
        let cancel = Arc::new(AtomicBool::new(false));
        let question = Question { cancel: Some(Arc::clone(&cancel)), ..endless() };
        let start = Instant::now();
        let search = thread::spawn(move || {
            variant.build(crate::common::level()).unwrap().solve(&Puzzle::EMPTY, &question)
        });
        thread::sleep(Duration::from_millis(2));
        cancel.store(true, Ordering::Relaxed);
        assert_eq!(search.join().unwrap().status, Status::Aborted, "{}", variant.name);
        assert!(start.elapsed() < GENEROUS, "{}", variant.name);
    }
}

#[test]
fn an_aborted_search_leaves_no_trace() {
    let puzzle: Puzzle = WITHIN_REACH.parse().unwrap();
    for variant in variants() {
        let mut solver = variant.build(crate::common::level()).unwrap();
        let fresh = solver.solve(&puzzle, &Question::unique());
        assert_eq!(fresh.status, Status::Unique, "{}", variant.name);
        for most in [0, 7, 300] {
            solver.solve(&Puzzle::EMPTY, &Question { max_nodes: Some(most), ..endless() });
            assert_eq!(solver.solve(&puzzle, &Question::unique()), fresh, "{}", variant.name);
        }
    }
}

/// Returns puzzles of several kinds. There are more puzzles than `bitslice` has lanes at the level `baseline`.
fn mixed_puzzles() -> Vec<Puzzle> {
    let mut random = Random::new(21);
    let mut puzzles = vec![Puzzle::EMPTY, WITHIN_REACH.parse().unwrap()];
    for round in 0..150 {
        let grid = random_grid(&mut random);
        let puzzle = random_clues(&mut random, &grid, 22 + round % 60);
        puzzles.push(match round % 5 {
            0 => with_value(&puzzle, random.below(81), 1 + random.below(9) as u8),
            _ => puzzle,
        });
    }
    puzzles
}

#[test]
fn a_batch_overwrites_previous_outcomes() {
    let puzzles = mixed_puzzles();
    let solution = Some([7; 81].try_into().unwrap());
    let stale =
        Outcome { status: Status::Multiple, count: 9, solution, nodes: 8, guesses: 7, elapsed_ns: u64::MAX };
    for variant in variants() {
        for is_cancelled in [false, true] {
            for max_nodes in [1, 3_000] {
                let cancel = Some(Arc::new(AtomicBool::new(is_cancelled)));
                let question = Question { max_nodes: Some(max_nodes), cancel, ..Question::unique() };
                let solve = |before| {
                    let mut outcomes = vec![before; puzzles.len()];
                    let mut solver = variant.build(crate::common::level()).unwrap();
                    solver.solve_batch(&puzzles, &question, &mut outcomes);
                    assert!(outcomes.iter().all(|outcome| outcome.elapsed_ns < u64::MAX), "{}", variant.name);
                    outcomes.iter_mut().for_each(|outcome| outcome.elapsed_ns = 0);
                    outcomes
                };
                assert_eq!(solve(stale), solve(Outcome::ABORTED), "{}", variant.name);
            }
        }
    }
}

#[test]
fn a_batch_agrees_with_single_puzzles() {
    let puzzles = mixed_puzzles();
    for variant in variants() {
        let max_nodes = (variant.class == Class::Naive).then_some(3_000);
        for question in [Question::unique(), Question::first(), asking_for(20)] {
            let question = Question { max_nodes, ..question };
            let mut solver = variant.build(crate::common::level()).unwrap();
            for length in [0, 1, 2, 37, puzzles.len()] {
                let mut outcomes = vec![Outcome::ABORTED; length];
                solver.solve_batch(&puzzles[..length], &question, &mut outcomes);
                for (puzzle, outcome) in puzzles.iter().zip(outcomes) {
                    assert!(outcome.elapsed_ns > 0, "{} {puzzle}", variant.name);
                    let alone = solver.solve(puzzle, &question);
                    // If many puzzles are solved together, the search differs, but the status and the count are the same.
                    if solver.batch_size() > 1 {
                        let verdict = |outcome: &Outcome| (outcome.status, outcome.count);
                        assert_eq!(verdict(&outcome), verdict(&alone), "{} {puzzle}", variant.name);
                        let same = outcome.solution == alone.solution || question.answer == Answer::First;
                        assert!(same, "{} {puzzle}", variant.name);
                    } else {
                        assert_eq!(Outcome { elapsed_ns: 0, ..outcome }, alone, "{} {puzzle}", variant.name);
                    }
                }
            }
        }
    }
}
