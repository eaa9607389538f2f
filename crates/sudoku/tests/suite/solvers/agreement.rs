//! Compares status, count and smallest solution of every variant with the oracle.

use std::num::NonZeroU64;

use proptest::prelude::*;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::solver::{Class, Variant};
use sudobench_sudoku::{Puzzle, Question, Solution, Status};

use super::variants::variants;
use crate::common::grids::{random_clues, random_grid, renamed_pattern, with_value, without};
use crate::common::oracle::Truth;

/// The lexicographically smallest filled grid: the answer to the empty puzzle.
const SMALLEST_GRID: &[u8; 81] =
    b"123456789456789123789123456214365897365897214897214365531642978642978531978531642";

/// The largest number of solutions that the tests ask for.
const MOST: usize = 200;

/// With at least this many clues, every variant finishes the search. With fewer clues, naive variants may be aborted.
const CLUES_FOR_NAIVE: usize = 38;

pub(crate) fn asking_for(max_solutions: u64) -> Question {
    Question { max_solutions: NonZeroU64::new(max_solutions).unwrap(), ..Question::unique() }
}

/// Compares the outcomes of a variant with the facts of the oracle, for limits of 1, 2 and 200 solutions.
fn check(variant: &Variant, puzzle: &Puzzle, truth: &Truth) {
    let may_abort = variant.class == Class::Naive && puzzle.clue_count() < CLUES_FOR_NAIVE;
    let mut solver = variant.build(crate::common::level()).unwrap();
    for asked in [1, 2, MOST] {
        let question = Question { max_nodes: may_abort.then_some(30_000), ..asking_for(asked as u64) };
        let outcome = solver.solve(puzzle, &question);
        let context = format!("{} asked for {asked} solutions of {puzzle}: {outcome:?}", variant.name);
        if may_abort && outcome.status == Status::Aborted {
            assert_eq!((outcome.nodes, outcome.solution), (30_000, None), "{context}");
            continue;
        }
        let answer = (outcome.status, outcome.count, outcome.solution);
        assert_eq!(answer, truth.answer(&question), "{context}");
        let checked = outcome.solution.map(|solution| solution.check(puzzle));
        assert!(checked.is_none_or(|checked| checked.is_ok()), "{context}");
        assert_eq!(outcome.elapsed_ns, 0, "{context}");
    }
}

fn check_all(puzzle: &Puzzle) {
    let truth = Truth::new(puzzle, MOST + 1);
    for variant in variants() {
        check(variant, puzzle, &truth);
    }
}

#[test]
fn random_clues_of_random_grids() {
    let mut random = Random::new(1);
    for clues in (20..=80).step_by(2).chain([36, 40, 44, 48]) {
        let grid = random_grid(&mut random);
        check_all(&random_clues(&mut random, &grid, clues));
    }
}

#[test]
fn a_wrong_clue_that_contradicts_no_other() {
    let mut random = Random::new(2);
    let mut checked = 0;
    while checked < 25 {
        let grid = random_grid(&mut random);
        let clues = CLUES_FOR_NAIVE + random.below(20);
        let puzzle = random_clues(&mut random, &grid, clues);
        let wrong = with_value(&puzzle, random.below(81), 1 + random.below(9) as u8);
        if wrong != puzzle && wrong.conflict().is_none() {
            check_all(&wrong);
            checked += 1;
        }
    }
}

#[test]
fn clues_that_contradict_each_other() {
    let mut random = Random::new(3);
    for _ in 0..20 {
        let grid = random_grid(&mut random);
        let (row, column) = (random.below(9), random.below(9));
        let other_column = (column + 1 + random.below(8)) % 9;
        let puzzle = random_clues(&mut random, &grid, 30);
        let puzzle = with_value(&with_value(&puzzle, row * 9 + column, 5), row * 9 + other_column, 5);
        for variant in variants() {
            let outcome = variant.build(crate::common::level()).unwrap().solve(&puzzle, &Question::unique());
            assert_eq!((outcome.status, outcome.count), (Status::Unsolvable, 0), "{} {puzzle}", variant.name);
            assert_eq!((outcome.nodes, outcome.solution), (0, None), "{} {puzzle}", variant.name);
        }
    }
}

#[test]
fn full_grids_right_and_wrong_and_all_but_one_clue() {
    let mut random = Random::new(4);
    for _ in 0..5 {
        let grid = random_grid(&mut random);
        check_all(&without(&grid, &[]));
        for _ in 0..5 {
            let cell = random.below(81);
            check_all(&without(&grid, &[cell]));
            check_all(&with_value(&without(&grid, &[]), cell, 1 + grid.values()[cell] % 9));
            let other = random.below(81);
            check_all(&with_value(&without(&grid, &[cell, other]), other, 1 + grid.values()[other] % 9));
        }
    }
}

#[test]
fn the_empty_grid() {
    let smallest = Solution::from_text(SMALLEST_GRID).ok();
    for variant in variants() {
        let mut solver = variant.build(crate::common::level()).unwrap();
        for asked in [1, 2, MOST as u64] {
            let outcome = solver.solve(&Puzzle::EMPTY, &asking_for(asked));
            assert_eq!((outcome.count, outcome.solution), (asked, smallest), "{}", variant.name);
        }
    }
}

#[test]
fn the_first_solution_is_a_solution() {
    let mut random = Random::new(5);
    for clues in [17, 24, 40] {
        let grid = random_grid(&mut random);
        let puzzle = random_clues(&mut random, &grid, clues);
        for variant in variants() {
            let max_nodes = (variant.class == Class::Naive).then_some(30_000);
            let first = variant
                .build(crate::common::level())
                .unwrap()
                .solve(&puzzle, &Question { max_nodes, ..Question::first() });
            let smallest = variant
                .build(crate::common::level())
                .unwrap()
                .solve(&puzzle, &Question { max_nodes, ..asking_for(1) });
            if first.status != Status::Aborted {
                assert_eq!(first.solution.unwrap().check(&puzzle), Ok(()), "{} {puzzle}", variant.name);
                assert!(smallest.solution <= first.solution, "{} {puzzle}", variant.name);
            }
        }
    }
}

/// Generates orders of the rows (or columns) of a grid that keep bands (or stacks) together.
fn line_order() -> impl Strategy<Value = Vec<usize>> {
    let three = || Just([0, 1, 2]).prop_shuffle();
    (three(), [three(), three(), three()]).prop_map(|(bands, within)| {
        bands.iter().flat_map(|&band| within[band].map(|line| band * 3 + line)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_clues_of_any_renamed_grid(
        digits in Just([1, 2, 3, 4, 5, 6, 7, 8, 9]).prop_shuffle(),
        rows in line_order(),
        columns in line_order(),
        kept in (0.25..0.95).prop_flat_map(|share| prop::collection::vec(prop::bool::weighted(share), 81)),
    ) {
        let grid = renamed_pattern(&digits, &rows, &columns);
        let blanks: Vec<usize> = (0..81).filter(|&cell| !kept[cell]).collect();
        check_all(&without(&grid, &blanks));
    }
}
