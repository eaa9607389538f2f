//! Searches that are aborted: at a node limit, at a time limit, or by the cancel flag.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::find;
use sudobench_sudoku::{Answer, Outcome, Puzzle, Question, Solver, Status};

use super::pool::{Known, pool};
use super::{MOST, asking_for, check_outcome, hard, random_puzzle, solve_all, vector_solvers};

#[test]
fn a_search_is_aborted_exactly_at_its_node_limit() {
    let mut puzzles = hard();
    puzzles.push(random_puzzle(&mut Random::new(7), 40));
    for (name, mut solver) in vector_solvers() {
        let free: Vec<_> =
            puzzles.iter().map(|puzzle| solver.solve(puzzle, &Question::unique()).nodes).collect();
        for (puzzle, &nodes) in puzzles.iter().zip(&free) {
            let limited = |max| Question { max_nodes: Some(max), ..Question::unique() };
            assert_ne!(solver.solve(puzzle, &limited(nodes)).status, Status::Aborted, "{name}: {puzzle}");
            for max in [0, nodes / 2, nodes.saturating_sub(1)] {
                let outcome = solver.solve(puzzle, &limited(max));
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
    let endless = asking_for(u64::MAX, Answer::First);
    let late = Question { max_time: Some(Duration::from_millis(2)), ..endless.clone() };
    let cancelled = Question { cancel: Some(Arc::new(AtomicBool::new(true))), ..endless };
    for (name, mut solver) in vector_solvers() {
        for outcome in solve_all(&mut *solver, &puzzles[..5], &late) {
            assert_eq!((outcome.status, outcome.solution), (Status::Aborted, None), "{name}");
            assert!(outcome.elapsed_ns >= 2_000_000, "{name}");
        }
        for outcome in solve_all(&mut *solver, &puzzles, &cancelled) {
            assert_eq!(outcome.status, Status::Aborted, "{name}");
        }
        assert_eq!(solver.solve(&hard()[0], &Question::unique()).status, Status::Unique, "{name}");
    }
}

/// Checks that the outcome of a puzzle is either aborted or correct.
#[track_caller]
fn check_or_aborted(known: &Known, outcome: &Outcome, question: &Question, context: &str) {
    let (truth, puzzle) = (&known.truth, &known.puzzle);
    if outcome.status == Status::Aborted {
        assert_eq!(outcome.solution, None, "{context}: {puzzle}");
        assert!(outcome.count <= question.max_solutions.get().min(truth.count as u64), "{context}: {puzzle}");
    } else {
        check_outcome(puzzle, truth, outcome, question, context);
    }
}

/// Solves the pool with a node limit per puzzle. Checks that each aborted puzzle stops exactly at the limit, independently of the other
/// puzzles in the batch. Returns the number of aborted puzzles.
fn given_up(name: &str, solver: &mut dyn Solver, question: &Question) -> usize {
    let puzzles: Vec<_> = pool().iter().map(|known| known.puzzle).collect();
    let max_nodes = question.max_nodes.unwrap();
    let outcomes = solve_all(solver, &puzzles, question);
    for (known, outcome) in pool().iter().zip(&outcomes) {
        let context = format!("{name}, {max_nodes} nodes");
        check_or_aborted(known, outcome, question, &context);
        assert!(outcome.nodes <= max_nodes, "{context}: {}", known.puzzle);
        let aborted = outcome.status == Status::Aborted;
        assert!(!aborted || outcome.nodes == max_nodes, "{context}, {}: {}", outcome.nodes, known.puzzle);
    }
    outcomes.iter().filter(|outcome| outcome.status == Status::Aborted).count()
}

#[test]
fn engines_and_a_plain_solver_abort_or_agree_under_node_limits() {
    let mut solvers = vector_solvers();
    solvers.push(("mrv".to_owned(), find("mrv").unwrap().build(Level::widest()).unwrap()));
    let questions = [(2, Answer::Smallest), (1, Answer::Smallest), (1, Answer::First), (200, Answer::First)];
    for (name, mut solver) in solvers {
        for (max_solutions, answer) in questions {
            let limited = |max| Question { max_nodes: Some(max), ..asking_for(max_solutions, answer) };
            let given_up = [0, 1, 5, 50, 1_000_000].map(|max| given_up(&name, &mut *solver, &limited(max)));
            assert!(given_up.is_sorted_by(|fewer, more| fewer >= more), "{name}: {given_up:?}");
            assert!(given_up[0] > 0 && given_up.last() == Some(&0), "{name}: {given_up:?}");
        }
    }
}

#[test]
fn a_short_time_limit_aborts_or_gives_the_right_answer() {
    let puzzles: Vec<_> = pool().iter().map(|known| known.puzzle).collect();
    for (name, mut solver) in vector_solvers() {
        for nanoseconds in [0, 1, 1_000, 50_000] {
            let max_time = Some(Duration::from_nanos(nanoseconds));
            let question = Question { max_time, ..Question::unique() };
            let outcomes = solve_all(&mut *solver, &puzzles, &question);
            for (known, outcome) in pool().iter().zip(&outcomes) {
                check_or_aborted(known, outcome, &question, &format!("{name}, {nanoseconds} ns"));
            }
        }
    }
}

#[test]
fn cancelling_ends_the_batch_and_keeps_finished_answers() {
    // The search of the last three puzzles would not end in practice, so only the flag can end the batch.
    let ending: Vec<_> = pool().iter().filter(|known| known.truth.count < MOST).collect();
    let mut puzzles: Vec<_> = ending.iter().map(|known| known.puzzle).collect();
    puzzles.extend([Puzzle::EMPTY; 3]);
    for (name, mut solver) in vector_solvers() {
        let cancel = Arc::new(AtomicBool::new(false));
        let question = Question { cancel: Some(Arc::clone(&cancel)), ..asking_for(u64::MAX, Answer::First) };
        let outcomes = thread::scope(|scope| {
            let batch = scope.spawn(|| solve_all(&mut *solver, &puzzles, &question));
            thread::sleep(Duration::from_millis(5));
            cancel.store(true, Ordering::Relaxed);
            batch.join().unwrap()
        });
        for (known, outcome) in ending.iter().zip(&outcomes) {
            check_or_aborted(known, outcome, &question, &name);
        }
        let endless = &outcomes[ending.len()..];
        assert!(endless.iter().all(|outcome| outcome.status == Status::Aborted), "{name}");
    }
}
