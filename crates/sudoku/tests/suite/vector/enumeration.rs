//! Tests that list every solution of a puzzle.

use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Answer, Puzzle, Question, Solution, Solutions, Solver};

use super::pool::{Known, pool};
use super::{MOST, asking_for, solve_all, vector_solvers};
use crate::common::grids::with_value;
use crate::common::oracle;

/// Returns, for every supported SIMD level, the level and an iterator over the puzzle's solutions.
fn at_every_level(puzzle: &Puzzle) -> impl Iterator<Item = (Level, Solutions)> {
    Level::supported().map(|level| (level, Solutions::new(level, puzzle).unwrap()))
}

/// One subset of the solutions that [`enumerate`] looks for: the solutions of `puzzle`, which has all clues of the puzzle given to
/// `enumerate` and some more. All cells before `open` are clues.
struct Part {
    puzzle: Puzzle,
    open: usize,
}

/// Returns all solutions of a puzzle, although the solver returns only one solution of each puzzle that it solves.
///
/// Every other solution has the same digits as the returned solution before some cell, and another digit in this cell. So the other
/// solutions are divided into subsets, one for each such cell and digit. No two subsets share a solution.
fn enumerate(solver: &mut dyn Solver, puzzle: &Puzzle, question: &Question) -> Vec<Solution> {
    let mut solutions = Vec::new();
    let mut parts = vec![Part { puzzle: *puzzle, open: 0 }];
    while !parts.is_empty() {
        let puzzles: Vec<_> = parts.iter().map(|part| part.puzzle).collect();
        let outcomes = solve_all(solver, &puzzles, question);
        let solved = parts.iter().zip(outcomes).filter_map(|(part, outcome)| Some((part, outcome.solution?)));
        let mut next = Vec::new();
        for (part, solution) in solved {
            solutions.push(solution);
            split(part, &solution, &mut next);
        }
        parts = next;
    }
    solutions.sort();
    solutions
}

/// Divides the solutions of `part` into subsets, leaving out `solution`, and adds these subsets to `parts`.
fn split(part: &Part, solution: &Solution, parts: &mut Vec<Part>) {
    let mut agreeing = part.puzzle;
    for cell in part.open..81 {
        let returned = solution.values()[cell];
        if agreeing.values()[cell] == 0 {
            let others = (1..=9).filter(|&digit| digit != returned);
            let puzzles = others.map(|digit| with_value(&agreeing, cell, digit));
            let sound = puzzles.filter(|puzzle| puzzle.conflict().is_none());
            parts.extend(sound.map(|puzzle| Part { puzzle, open: cell + 1 }));
        }
        agreeing = with_value(&agreeing, cell, returned);
    }
}

/// Returns whether the oracle finds all solutions quickly. With few clues, the oracle may search for hours before it knows that there are
/// no more solutions.
fn is_quick(known: &Known) -> bool {
    known.puzzle.clue_count() >= 24
}

#[test]
fn every_solution_is_found_once() {
    let several = pool().iter().filter(|known| (2..40).contains(&known.truth.count) && is_quick(known));
    let puzzles: Vec<_> = several.map(|known| known.puzzle).step_by(3).collect();
    assert!(puzzles.len() > 20, "{} puzzles", puzzles.len());
    for puzzle in puzzles {
        let wanted = oracle::solutions(&puzzle, usize::MAX);
        for (name, mut solver) in vector_solvers() {
            for answer in [Answer::Smallest, Answer::First] {
                let question = asking_for(1, answer);
                let found = enumerate(&mut *solver, &puzzle, &question);
                assert!(found == wanted, "{name}, {answer:?}: {} solutions of {puzzle}", found.len());
            }
        }
    }
}

#[test]
fn hundreds_of_solutions_are_found_once() {
    let many = pool().iter().filter(|known| (100..200).contains(&known.truth.count) && is_quick(known));
    let puzzles: Vec<_> = many.map(|known| known.puzzle).take(2).collect();
    assert_eq!(puzzles.len(), 2);
    for puzzle in puzzles {
        let wanted = oracle::solutions(&puzzle, usize::MAX);
        for (name, mut solver) in vector_solvers() {
            let question = asking_for(2, Answer::First);
            assert!(enumerate(&mut *solver, &puzzle, &question) == wanted, "{name}: {puzzle}");
        }
    }
}

#[test]
fn the_iterator_yields_all_solutions_in_order_and_stays_finished() {
    let few = pool().iter().filter(|known| known.truth.count < 200 && is_quick(known));
    for Known { puzzle, truth } in few.step_by(2) {
        let wanted = oracle::solutions(puzzle, usize::MAX);
        assert_eq!(wanted.len(), truth.count, "{puzzle}");
        for (level, mut solutions) in at_every_level(puzzle) {
            assert!(solutions.by_ref().eq(wanted.iter().copied()), "{level}: {puzzle}");
            assert!([solutions.next(), solutions.next()] == [None, None], "{level}: {puzzle}");
        }
    }
}

#[test]
fn the_iterator_does_not_wait_for_billions() {
    let many = pool().iter().filter(|known| known.truth.count == MOST);
    for Known { puzzle, truth } in many {
        for (level, solutions) in at_every_level(puzzle) {
            let first: Vec<_> = solutions.take(500).collect();
            assert_eq!(first.first(), truth.smallest.as_ref(), "{level}: {puzzle}");
            assert!(first.len() >= MOST && first.is_sorted_by(|a, b| a < b), "{level}: {puzzle}");
            assert!(first.iter().all(|solution| solution.check(puzzle).is_ok()), "{level}: {puzzle}");
        }
    }
}

#[test]
fn the_iterator_is_empty_for_contradictory_clues() {
    let in_a_box = format!("{:.<81}", "1.........1");
    for puzzle in [in_a_box.parse().unwrap(), with_value(&with_value(&Puzzle::EMPTY, 0, 1), 72, 1)] {
        for (level, mut solutions) in at_every_level(&puzzle) {
            assert!([solutions.next(), solutions.next()] == [None, None], "{level}: {puzzle}");
        }
    }
}
