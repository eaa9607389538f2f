//! Minimal puzzles inside puzzles, compared with a search that tries all subsets of the clues.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::minimals::{Minimals, PuzzleList};
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Puzzle, solve};

use super::{EASY, is_minimal, is_unique};

const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn puzzle(text: &str) -> Puzzle {
    text.parse().unwrap()
}

/// Returns a minimal puzzle to which `more` clues of its solution were added.
fn thickened(random: &mut Random, more: usize) -> Puzzle {
    let solution: Puzzle = solve(&puzzle(EASY)).solution.unwrap().into();
    let minimal = Minimals::default().random(&[(solution, random.next_u64())], 1).unwrap().remove(0);
    let mut blanks: Vec<usize> = Cells::ALL.without(minimal.puzzles[0].clue_cells()).iter().collect();
    random.shuffle(&mut blanks);
    solution.without(blanks.into_iter().skip(more).collect())
}

fn redundant(puzzle: &Puzzle) -> Vec<usize> {
    let without = |cell| puzzle.without(Cells::from_iter([cell]));
    puzzle.clue_cells().iter().filter(|&cell| is_unique(&without(cell))).collect()
}

/// Finds all minimal puzzles inside a puzzle by brute force: tries to remove each set of redundant clues.
fn by_brute_force(puzzle: &Puzzle) -> Vec<Puzzle> {
    let redundant = redundant(puzzle);
    let part = |bits: u32| {
        let gone = redundant.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        puzzle.without(gone.map(|(_, &cell)| cell).collect())
    };
    let mut all: Vec<Puzzle> = (0..1 << redundant.len()).map(part).filter(is_minimal).collect();
    all.sort();
    all
}

#[test]
fn all_are_found_in_order_as_by_brute_force() {
    let mut random = Random::new(1);
    let mut several = 0;
    for more in [0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4] {
        let mut thick = || Some(thickened(&mut random, more));
        let puzzle = std::iter::from_fn(&mut thick).find(|puzzle| redundant(puzzle).len() <= 8).unwrap();
        let expected = by_brute_force(&puzzle);
        several += usize::from(expected.len() > 5);
        let found = Minimals::default().smallest(&puzzle, expected.len()).unwrap();
        assert_eq!(found, PuzzleList { puzzles: expected.clone(), is_complete: true }, "{puzzle}");
        for limit in [0, 1, expected.len() / 2].into_iter().filter(|&limit| limit < expected.len()) {
            let some = Minimals::default().smallest(&puzzle, limit).unwrap();
            assert_eq!(some, PuzzleList { puzzles: expected[..limit].to_vec(), is_complete: false });
        }
    }
    assert!(several > 1, "{several}");
}

#[test]
fn the_smallest_are_found_in_a_full_grid_with_too_many() {
    let found = Minimals::default().smallest(&puzzle(SOLUTION), 20).unwrap();
    assert!(found.puzzles.len() == 20 && !found.is_complete);
    assert!(found.puzzles.is_sorted() && found.puzzles.iter().all(is_minimal));
    assert_eq!(Minimals::new(Level::Baseline).unwrap().smallest(&puzzle(SOLUTION), 20), Some(found));
}

#[test]
fn a_puzzle_without_exactly_one_solution_has_none() {
    for text in
        [".".repeat(81), format!("11{}", ".".repeat(79)), EASY.replacen('5', ".", 1).replacen('3', ".", 1)]
    {
        assert!(!is_unique(&puzzle(&text)), "{text}");
        let none = PuzzleList { puzzles: Vec::new(), is_complete: true };
        assert_eq!(Minimals::default().smallest(&puzzle(&text), 10), Some(none), "{text}");
    }
}

#[test]
fn random_ones_are_minimal_distinct_and_independent_of_other_puzzles() {
    let puzzles = [(puzzle(EASY), 1), (puzzle(SOLUTION), 2), (puzzle(EASY), 3)];
    let found = Minimals::default().random(&puzzles, 30).unwrap();
    for (one, found) in puzzles.iter().zip(&found) {
        assert_eq!(Minimals::default().random(&[*one], 30).unwrap(), std::slice::from_ref(found));
        let different: HashSet<&Puzzle> = found.puzzles.iter().collect();
        assert!(different.len() == found.puzzles.len() && found.puzzles.iter().all(is_minimal));
        let first = Minimals::default().random(&[*one], 1).unwrap().remove(0);
        assert_eq!(first.puzzles[..], found.puzzles[..1]);
    }
    assert_eq!(found[1].puzzles.len(), 30);
    let all = Minimals::default().smallest(&puzzles[0].0, 100_000).unwrap();
    assert!(found[0].puzzles.iter().all(|one| all.puzzles.binary_search(one).is_ok()));
}

#[test]
fn a_cancelled_search_returns_nothing() {
    let cancelled = || Minimals::default().cancel(Arc::new(AtomicBool::new(true)));
    assert_eq!(cancelled().smallest(&puzzle(SOLUTION), 10), None);
    assert_eq!(cancelled().random(&[(puzzle(SOLUTION), 1)], 10), None);
}
