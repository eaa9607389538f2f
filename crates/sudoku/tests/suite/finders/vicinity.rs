//! Neighbours of puzzles, compared with a search that tries every set of removed and added clues.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::minimals::PuzzleList;
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::vicinity::{Distance, Vicinity};
use sudobench_sudoku::{Puzzle, solve};

use super::{EASY, is_minimal, is_unique};

fn distance(text: &str) -> Distance {
    text.parse().unwrap()
}

/// Returns all subsets with `size` members.
fn parts<T: Copy>(all: &[T], size: usize) -> Vec<Vec<T>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with = |at: usize| parts(&all[at + 1..], size - 1).into_iter().map(move |part| (at, part));
    (0..all.len()).flat_map(with).map(|(at, part)| [&[all[at]][..], &part].concat()).collect()
}

/// Returns the canonical forms of all neighbours. Tries every set of removed and added clues, as in the definition of a neighbour.
fn by_definition(puzzle: &Puzzle, distance: &str, minimal: bool) -> HashSet<Puzzle> {
    let [removed, added] = [1, 3].map(|at| usize::from(distance.as_bytes()[at] - b'0'));
    let mut canonicalizer = Canonicalizer::default();
    let clues: Vec<usize> = puzzle.clue_cells().iter().collect();
    let mut tried = HashSet::new();
    for gone in parts(&clues, removed) {
        let base = puzzle.without(gone.into_iter().collect());
        let blanks: Vec<usize> = Cells::ALL.without(base.clue_cells()).iter().collect();
        for cells in parts(&blanks, added) {
            for code in 0..9_usize.pow(added as u32) {
                let mut neighbour = *base.values();
                for (at, &cell) in cells.iter().enumerate() {
                    neighbour[cell] = (code / 9_usize.pow(at as u32) % 9) as u8 + 1;
                }
                tried.insert(Puzzle::try_from(neighbour).unwrap());
            }
        }
    }
    let own = canonicalizer.canonical(puzzle).form;
    let found = tried.iter().filter(|&one| one.conflict().is_none() && is_unique(one));
    let found = found.filter(|one| !minimal || is_minimal(one));
    found.map(|one| canonicalizer.canonical(one).form).filter(|form| *form != own).collect()
}

#[track_caller]
fn assert_as_defined(text: &str, distances: &[&str], minimal: &[bool]) {
    let puzzle: Puzzle = text.parse().unwrap();
    for (&asked, &minimal) in distances.iter().flat_map(|asked| minimal.iter().map(move |only| (asked, only)))
    {
        let expected = by_definition(&puzzle, asked, minimal);
        let found = Vicinity::default().neighbours(&puzzle, distance(asked), minimal, usize::MAX).unwrap();
        let mut canonicalizer = Canonicalizer::default();
        let forms: HashSet<Puzzle> =
            found.puzzles.iter().map(|one| canonicalizer.canonical(one).form).collect();
        assert_eq!(forms.len(), found.puzzles.len(), "{asked} of {puzzle}: isomorphic ones");
        assert!(forms == expected, "{asked} of {puzzle}: {} and {}", forms.len(), expected.len());
        assert!(found.is_complete);
    }
}

const FEW_CLUES: &str = "........1.....2.....3....45.....62....5.7.....1.....8.....5....62....8..9..4.....";

/// Returns the solution of [`EASY`] with `count` blanks. The blanks are the first cells in a random order, which is the same in every run.
fn with_blanks(count: usize) -> String {
    let solution: Puzzle = solve(&EASY.parse().unwrap()).solution.unwrap().into();
    let mut cells: Vec<usize> = (0..81).collect();
    Random::new(3).shuffle(&mut cells);
    solution.without(cells.into_iter().take(count).collect()).to_string()
}

#[test]
fn several_clues_agree_with_the_definition() {
    // The first two boards have too many clues for minimal neighbours, so the restriction to minimal neighbours is not tested here.
    let any = [false];
    assert_as_defined(&with_blanks(4), &["-2+1", "-1+2", "-0+2", "-0+3"], &any);
    assert_as_defined(&with_blanks(30), &["-2+0", "-1+1", "-0+2"], &any);
    // Puzzles with several solutions, without a solution, and without a clue to remove.
    let several = EASY.replacen("53", "..", 1);
    assert_as_defined(&several, &["-0+1", "-0+2"], &any);
    assert_as_defined(&EASY.replacen("53", "51", 1), &["-1+0", "-1+1"], &any);
    assert_as_defined(&".".repeat(81), &["-1+1", "-0+1"], &any);
}

#[test]
fn the_size_of_lists_changes_nothing() {
    let found = |vicinity: Vicinity, text: &str, asked: &str, minimal: bool| {
        let mut vicinity = vicinity;
        vicinity.neighbours(&text.parse().unwrap(), distance(asked), minimal, 500).unwrap()
    };
    for (text, asked, minimal) in
        [(FEW_CLUES, "-1+1", false), (FEW_CLUES, "-1+1", true), (&with_blanks(45), "-1+2", false)]
    {
        let expected = found(Vicinity::default(), text, asked, minimal);
        for sizes in [[1, 1, 1], [2, 3, 2], [10_000, 10_000, 1]] {
            let vicinity = Vicinity::default().with_list_sizes(sizes);
            assert_eq!(found(vicinity, text, asked, minimal), expected, "{asked} of {text}");
        }
    }
}

#[test]
fn the_first_are_returned_and_more_are_reported() {
    let puzzle: Puzzle = EASY.parse().unwrap();
    let of = |limit| Vicinity::default().neighbours(&puzzle, distance("-1+1"), false, limit).unwrap();
    let all = of(usize::MAX);
    for limit in [0, 1, 20, all.puzzles.len() - 1] {
        assert_eq!(of(limit), PuzzleList { puzzles: all.puzzles[..limit].to_vec(), is_complete: false });
    }
    assert_eq!(of(all.puzzles.len()), all);
    let baseline =
        Vicinity::new(Level::Baseline).unwrap().neighbours(&puzzle, distance("-1+1"), false, usize::MAX);
    assert_eq!(baseline, Some(all));
    // Neighbours at smaller distances are included and come first.
    let further = Vicinity::default().neighbours(&puzzle, distance("-2+1"), false, usize::MAX).unwrap();
    let nearer = Vicinity::default().neighbours(&puzzle, distance("-1+0"), false, usize::MAX).unwrap();
    assert_eq!(further.puzzles[..nearer.puzzles.len()], nearer.puzzles);
}

#[test]
fn a_cancelled_search_returns_nothing() {
    let mut vicinity = Vicinity::default().cancel(Arc::new(AtomicBool::new(true)));
    assert_eq!(vicinity.neighbours(&EASY.parse().unwrap(), distance("-1+1"), false, 10), None);
}

#[test]
fn replacing_one_clue_agrees_with_the_definition() {
    assert_as_defined(EASY, &["-1+0", "-0+1", "-1+1"], &[false, true]);
    assert_as_defined(FEW_CLUES, &["-1+0", "-1+1"], &[false, true]);
}
