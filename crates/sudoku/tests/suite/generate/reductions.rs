//! Tests of reductions, compared with a greedy walk that tries to remove one group of clues after the other.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::generate::{Reducer, Reduction};
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Puzzle, count};

use super::{grid, one, unique_puzzle};

/// Reduces a puzzle by the definition, group by group. A cell in two groups belongs to the first group.
fn walk(reduction: &Reduction) -> Puzzle {
    let (mut puzzle, mut seen) = (reduction.puzzle, Cells::EMPTY);
    for group in &reduction.groups {
        let without = puzzle.without(group.without(seen));
        seen = seen.or(*group);
        if without.clue_count() >= reduction.least_clues && count(&without, 2) == 1 {
            puzzle = without;
        }
    }
    puzzle
}

/// Returns reductions of full and sparse puzzles. The groups are single cells, pairs of opposite cells, groups that cover only some of the
/// cells, or groups that share cells. Some reductions have a minimum number of clues.
fn reductions(seed: u64, number: usize) -> Vec<Reduction> {
    let mut random = Random::new(seed);
    let reduction = |at: usize| {
        let puzzle = match at % 3 {
            0 => Puzzle::from(grid(&mut random)),
            1 => unique_puzzle(&mut random, 30),
            _ => unique_puzzle(&mut random, 5),
        };
        let mut cells: Vec<usize> = (0..81).collect();
        random.shuffle(&mut cells);
        let groups: Vec<Cells> = match at % 5 {
            0 | 1 => cells.iter().map(|&cell| one(cell)).collect(),
            2 => cells.iter().map(|&cell| [cell, 80 - cell].into_iter().collect()).collect(),
            3 => cells[..40].chunks(3).map(|group| group.iter().copied().collect()).collect(),
            _ => cells.windows(2).map(|group| group.iter().copied().collect()).collect(),
        };
        Reduction { puzzle, groups, least_clues: if at % 4 == 3 { 25 + at % 9 } else { 0 } }
    };
    (0..number).map(reduction).collect()
}

#[test]
fn reductions_agree_with_the_greedy_walk_at_every_level() {
    let reductions = reductions(16, 150);
    let expected: Vec<Puzzle> = reductions.iter().map(walk).collect();
    for level in Level::supported() {
        let mut left = reductions.clone();
        assert!(Reducer::new(level).unwrap().reduce(&mut left));
        for (at, (left, expected)) in left.iter().zip(&expected).enumerate() {
            assert_eq!(left.puzzle, *expected, "{level}: {:?}", reductions[at]);
        }
    }
}

#[test]
fn other_and_earlier_puzzles_change_nothing() {
    let reductions = reductions(17, 40);
    let mut together = reductions.clone();
    assert!(Reducer::default().reduce(&mut together));
    let mut reducer = Reducer::default();
    for (alone, together) in reductions.iter().zip(&together).rev() {
        let mut alone = [alone.clone()];
        assert!(reducer.reduce(&mut alone));
        assert_eq!(alone[0].puzzle, together.puzzle);
    }
}

#[test]
fn puzzles_without_exactly_one_solution_stay_unchanged() {
    let groups: Vec<Cells> = (0..81).map(one).collect();
    let twice = format!("{:.<81}", "11").parse().unwrap();
    let mut reductions =
        [Puzzle::EMPTY, twice].map(|puzzle| Reduction { puzzle, groups: groups.clone(), least_clues: 0 });
    assert!(Reducer::default().reduce(&mut reductions));
    assert_eq!(reductions.map(|reduction| reduction.puzzle), [Puzzle::EMPTY, twice]);
    assert!(Reducer::default().reduce(&mut []));
}

#[test]
fn a_flag_cancels() {
    let mut reductions = reductions(18, 3);
    assert!(!Reducer::default().cancel(Arc::new(AtomicBool::new(true))).reduce(&mut reductions));
}
