//! Candidates of puzzles, compared with plain implementations of their definitions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::candidates::{CandidateFinder, CandidateLevel, CellDigits};
use sudobench_sudoku::random::Random;

use super::naive;
use crate::common::grids::{random_clues, random_grid, with_value};
use crate::common::{level, oracle};

/// Returns puzzles with no solution, with one solution and with several solutions. Some of the puzzles have two equal clues in a unit.
fn puzzles() -> Vec<Puzzle> {
    let mut random = Random::new(1);
    let mut puzzles = Vec::new();
    for number in 0..120 {
        let grid = random_grid(&mut random);
        let puzzle = random_clues(&mut random, &grid, 26 + number % 20);
        puzzles.push(puzzle);
        let cell = random.below(81);
        puzzles.push(with_value(&puzzle, cell, grid[cell] % 9 + 1));
    }
    puzzles
}

fn found(puzzles: &[Puzzle], level_of: CandidateLevel) -> Vec<CellDigits> {
    let mut found = vec![[0; 81]; puzzles.len()];
    assert!(CandidateFinder::new(level()).unwrap().find(puzzles, level_of, &mut found));
    found
}

/// Returns, for each cell, the digits for which `may_hold` returns true.
fn digits(mut may_hold: impl FnMut(usize, u8) -> bool) -> CellDigits {
    std::array::from_fn(|cell| {
        (1..=9).filter(|&digit| may_hold(cell, digit)).map(|digit| 1 << (digit - 1)).sum()
    })
}

#[test]
fn candidates_of_each_level_match_their_definition() {
    let puzzles = puzzles();
    let by_clues = found(&puzzles, CandidateLevel::Clues);
    let by_singles = found(&puzzles, CandidateLevel::Singles);
    let by_locked = found(&puzzles, CandidateLevel::Locked);
    let mut kinds = [0; 3];
    for (number, puzzle) in puzzles.iter().enumerate() {
        let sees = |a: usize, b: usize| {
            a != b && (a / 9 == b / 9 || a % 9 == b % 9 || (a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3))
        };
        let may_hold = |cell: usize, digit| match puzzle[cell] {
            0 => !(0..81).any(|other| sees(cell, other) && puzzle[other] == digit),
            clue => clue == digit,
        };
        assert_eq!(by_clues[number], digits(may_hold), "{puzzle}");
        for (with_locked, candidates) in [(false, by_singles[number]), (true, by_locked[number])] {
            let expected = naive::candidates(puzzle, with_locked).map(|digits| digits >> 1);
            assert_eq!(candidates, expected, "{puzzle}");
        }
        kinds[if by_locked[number][0] == 0 {
            0
        } else {
            1 + usize::from(by_locked[number] != by_singles[number])
        }] += 1;
    }
    assert!(kinds.iter().all(|&count| count > 10), "{kinds:?}");
}

#[test]
fn exact_candidates_are_the_digits_of_all_solutions() {
    const MOST: usize = 3_000;
    let mut solved: Vec<(Puzzle, CellDigits)> = Vec::new();
    let mut kinds = [0; 3];
    for puzzle in puzzles() {
        let solutions = oracle::solutions(&puzzle, MOST);
        if solutions.len() < MOST {
            solved.push((
                puzzle,
                digits(|cell, digit| solutions.iter().any(|solution| solution[cell] == digit)),
            ));
            kinds[solutions.len().min(2)] += 1;
        }
    }
    assert!(kinds.iter().all(|&count| count > 10), "{kinds:?}");
    // In the empty grid every cell may hold every digit.
    solved.push((Puzzle::EMPTY, [0x1ff; 81]));
    let puzzles: Vec<Puzzle> = solved.iter().map(|(puzzle, _)| *puzzle).collect();
    let expected: Vec<CellDigits> = solved.iter().map(|(_, digits)| *digits).collect();
    assert_eq!(found(&puzzles, CandidateLevel::Exact), expected);
    // Puzzles are also passed one at a time, because a single puzzle is searched in another way.
    for (puzzle, expected) in &solved[..20] {
        assert_eq!(found(&[*puzzle], CandidateLevel::Exact), [*expected], "{puzzle}");
    }
    // A cancelled search returns false.
    let mut finder = CandidateFinder::new(level()).unwrap().cancel(Arc::new(AtomicBool::new(true)));
    assert!(!finder.find(&puzzles, CandidateLevel::Exact, &mut vec![[0; 81]; puzzles.len()]));
}
