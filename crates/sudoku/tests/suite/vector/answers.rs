//! Compares status, count and solution of every vector solver with the oracle, for several kinds of puzzles.

use proptest::prelude::*;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::{Answer, Outcome, Puzzle, Question, Status};

use super::{MOST, asking_for, check_outcome, random_puzzle, solve_all, vector_solvers};
use crate::common::oracle::{self, Truth};

/// Compares every vector solver with the oracle on these puzzles, with limits of 1, 2 and 200 solutions and for both kinds of answer.
fn check(puzzles: &[Puzzle]) {
    let truths: Vec<_> = puzzles.iter().map(|puzzle| Truth::new(puzzle, MOST)).collect();
    for max_solutions in [1, 2, 200] {
        for answer in [Answer::Smallest, Answer::First] {
            let question = asking_for(max_solutions, answer);
            for (name, mut solver) in vector_solvers() {
                let outcomes = solve_all(&mut *solver, puzzles, &question);
                for ((puzzle, outcome), truth) in puzzles.iter().zip(&outcomes).zip(&truths) {
                    let context = format!("{name}, limit {max_solutions}, {answer:?}");
                    check_outcome(puzzle, truth, outcome, &question, &context);
                }
            }
        }
    }
}

#[test]
fn random_clue_subsets_have_the_counts_and_solutions_of_the_oracle() {
    let mut random = Random::new(1);
    let clues = [81, 80, 60, 40, 32, 30, 29, 28, 27, 26, 25, 24, 23, 22];
    let puzzles: Vec<_> = (0..140).map(|at| random_puzzle(&mut random, clues[at % clues.len()])).collect();
    check(&puzzles);
}

#[test]
fn contradictions_are_unsolvable_without_a_node() {
    let mut random = Random::new(2);
    let mut puzzles = Vec::new();
    for clues in [2, 20, 40, 81] {
        for cell in [0, 40, 80] {
            // `other` is usually a cell in the row, the column or the box of `cell`, so this unit has the digit 5 twice. Puzzles without
            // two equal clues in a unit are filtered out.
            for other in [cell / 9 * 9 + (cell + 1) % 9, (cell + 9) % 81, cell / 27 * 27 + 10] {
                let mut values = *random_puzzle(&mut random, clues).values();
                values[cell] = 5;
                values[other] = 5;
                puzzles.extend(Puzzle::try_from(values).ok().filter(|puzzle| puzzle.conflict().is_some()));
            }
        }
    }
    assert!(puzzles.len() > 20);
    for (name, mut solver) in vector_solvers() {
        for outcome in solve_all(&mut *solver, &puzzles, &Question::unique()) {
            assert_eq!(Outcome { elapsed_ns: 0, ..outcome }, Outcome::CONTRADICTORY, "{name}");
        }
    }
}

#[test]
fn full_grids_are_their_own_solution_and_one_wrong_digit_is_found() {
    let mut random = Random::new(3);
    let right: Vec<_> = (0..20).map(|_| random_puzzle(&mut random, 81)).collect();
    let wrong = right.iter().enumerate().map(|(cell, puzzle)| {
        let mut values = *puzzle.values();
        values[cell * 4] = values[cell * 4] % 9 + 1;
        Puzzle::try_from(values).unwrap()
    });
    let puzzles: Vec<_> = right.iter().copied().chain(wrong).collect();
    for (name, mut solver) in vector_solvers() {
        let outcomes = solve_all(&mut *solver, &puzzles, &Question::unique());
        for (outcome, puzzle) in outcomes[..20].iter().zip(&right) {
            assert_eq!(outcome.solution.map(|solution| *solution.values()), Some(*puzzle.values()), "{name}");
        }
        assert!(outcomes[20..].iter().all(|outcome| outcome.status == Status::Unsolvable), "{name}");
    }
}

#[test]
fn the_empty_grid_has_as_many_solutions_as_requested() {
    let smallest = oracle::smallest(&Puzzle::EMPTY);
    for (name, mut solver) in vector_solvers() {
        for max in [1, 2, 200, 5000] {
            let outcome = solver.solve(&Puzzle::EMPTY, &asking_for(max, Answer::Smallest));
            assert_eq!(outcome.count, max, "{name}");
            assert_eq!(outcome.solution, smallest, "{name}");
            assert_eq!(outcome.elapsed_ns, 0, "{name}");
        }
    }
}

#[test]
fn thousands_of_solutions_are_counted_and_the_smallest_is_returned() {
    let mut random = Random::new(4);
    for clues in [28, 26, 25, 24] {
        let puzzle = random_puzzle(&mut random, clues);
        let truth = Truth::new(&puzzle, 20_000);
        let max = if truth.count < 20_000 { u64::MAX } else { 20_000 };
        for answer in [Answer::Smallest, Answer::First] {
            let question = asking_for(max, answer);
            for (name, mut solver) in vector_solvers() {
                let outcome = solver.solve(&puzzle, &question);
                check_outcome(&puzzle, &truth, &outcome, &question, &format!("{name}, {answer:?}"));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Solves puzzles that have random clues of a grid. Up to two cells are changed. Such a puzzle can have any number of solutions, or a
    /// contradiction at any depth of the search.
    #[test]
    fn changed_clues(seed: u64, clues in 22usize..50, changes in 0usize..3) {
        let mut random = Random::new(seed);
        let mut values = *random_puzzle(&mut random, clues).values();
        for _ in 0..changes {
            values[random.below(81)] = random.below(10) as u8;
        }
        let puzzle = Puzzle::try_from(values).unwrap();
        let question = asking_for(2, Answer::Smallest);
        let wanted = Truth::new(&puzzle, MOST).answer(&question);
        for (name, mut solver) in vector_solvers() {
            let outcome = solver.solve(&puzzle, &question);
            prop_assert_eq!((outcome.status, outcome.count, outcome.solution), wanted, "{}: {}", name, puzzle);
        }
    }
}
