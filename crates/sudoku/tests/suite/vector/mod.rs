//! Tests of the vector solvers at every SIMD level that the CPU supports, compared with a naive oracle and a plain solver.

mod answers;
mod batches;
mod enumeration;
mod interpreted;
mod limits;
mod order;
mod pool;

use std::num::NonZeroU64;

use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Auto, Bitboard, Bitslice};
use sudobench_sudoku::{Answer, Outcome, Puzzle, Question, Solver};

use crate::common::grids::{random_clues, random_pattern};
use crate::common::oracle::Truth;

/// Returns every vector solver at every level, with its name.
fn vector_solvers() -> Vec<(String, Box<dyn Solver>)> {
    let mut vector_solvers: Vec<(String, Box<dyn Solver>)> = Vec::new();
    for level in Level::supported() {
        vector_solvers.push((format!("bitslice {level}"), Box::new(Bitslice::new(level).unwrap())));
        vector_solvers.push((format!("bitboard {level}"), Box::new(Bitboard::new(level).unwrap())));
        vector_solvers.push((format!("auto {level}"), Box::new(Auto::new(level).unwrap())));
    }
    vector_solvers
}

fn asking_for(max_solutions: u64, answer: Answer) -> Question {
    Question { max_solutions: NonZeroU64::new(max_solutions).unwrap(), answer, ..Question::unique() }
}

fn solve_all(solver: &mut dyn Solver, puzzles: &[Puzzle], question: &Question) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
    solver.solve_batch(puzzles, question, &mut outcomes);
    outcomes
}

/// Compares an outcome other than [`sudobench_sudoku::Status::Aborted`] with the known facts.
#[track_caller]
fn check_outcome(puzzle: &Puzzle, truth: &Truth, outcome: &Outcome, question: &Question, context: &str) {
    let (status, count, solution) = truth.answer(question);
    assert_eq!((outcome.status, outcome.count), (status, count), "{context}: {puzzle}");
    assert_eq!(outcome.solution.is_some(), count > 0, "{context}: {puzzle}");
    assert!(solution.is_none_or(|solution| outcome.solution == Some(solution)), "{context}: {puzzle}");
    let fault = outcome.solution.and_then(|solution| solution.check(puzzle).err());
    assert_eq!(fault, None, "{context}: {puzzle}");
}

/// Returns a puzzle with `clues` random cells of a grid from [`random_pattern`].
fn random_puzzle(random: &mut Random, clues: usize) -> Puzzle {
    let grid = random_pattern(random);
    random_clues(random, &grid, clues)
}

/// Number up to which the oracle counts solutions. Most tests ask for fewer solutions.
const MOST: usize = 201;

/// Well-known puzzles for the tests of this module. Most of them are hard.
const HARD: [&str; 4] = [
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
];

fn hard() -> Vec<Puzzle> {
    HARD.iter().map(|text| text.parse().unwrap()).collect()
}
