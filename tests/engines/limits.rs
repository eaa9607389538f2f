//! Giving up: at a number of nodes, at a time, on demand.
#![forbid(unsafe_code)]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sudobench::{Answer, Limits, Puzzle, Status};

use crate::common::grids::Random;
use crate::{asking_for, engines, hard, random_puzzle, solve_all};

#[test]
fn node_limits_abort_exactly_and_leave_the_others_alone() {
    let mut puzzles = hard();
    puzzles.push(random_puzzle(&mut Random(7), 40));
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
    let endless = asking_for(u64::MAX, Answer::First);
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
