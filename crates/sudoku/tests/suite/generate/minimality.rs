//! Probes and redundant clues, compared with counts of solutions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::minimal::Minimality;
use sudobench_sudoku::probe::{Probe, Prober};
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Puzzle, Solution, count, solve};

use super::{redundant, unique_puzzle};

/// Answers a probe by its definition: whether the puzzle with another digit in the cell has a solution.
fn has_other(Probe { puzzle, cell }: &Probe) -> bool {
    let cell = usize::from(*cell);
    let mut others = (1..=9).filter(|&digit| puzzle[cell] != 0 && digit != puzzle[cell]);
    let with = |digit| {
        let mut values = *puzzle.values();
        values[cell] = digit;
        count(&Puzzle::try_from(values).unwrap(), 1) == 1
    };
    others.any(with)
}

/// Returns probes of every cell of some puzzles: puzzles with one solution, contradictory puzzles with two or three clues, and the empty
/// puzzle.
fn probes() -> Vec<Probe> {
    let mut random = Random::new(16);
    let mut puzzles: Vec<Puzzle> = [0, 0, 3, 9, 30].map(|back| unique_puzzle(&mut random, back)).into();
    let texts = ["11", "1........1", "1........2........1", "12..1", "1.......2.1......."];
    puzzles.extend(texts.map(|text| format!("{text:.<81}").parse::<Puzzle>().unwrap()));
    puzzles.push(Puzzle::EMPTY);
    puzzles.iter().flat_map(|&puzzle| (0..81).map(move |cell| Probe { puzzle, cell })).collect()
}

#[test]
fn probes_agree_with_counting_in_batches_of_any_size() {
    let probes = probes();
    let expected: Vec<bool> = probes.iter().map(has_other).collect();
    for level in Level::supported() {
        let mut prober = Prober::new(level).unwrap();
        for size in [1, 50, probes.len()] {
            let mut answers = vec![true; probes.len()];
            for (probes, answers) in probes.chunks(size).zip(answers.chunks_mut(size)) {
                assert!(prober.probe(probes, answers));
            }
            for ((probe, answer), expected) in probes.iter().zip(answers).zip(&expected) {
                assert_eq!(answer, *expected, "{level}, {size} at once: {probe:?}");
            }
        }
    }
}

#[test]
fn removing_a_redundant_clue_leaves_one_solution() {
    let mut random = Random::new(17);
    let puzzles: Vec<Puzzle> = (0..60).map(|at| unique_puzzle(&mut random, at % 6 * at % 7)).collect();
    let expected: Vec<Cells> = puzzles.iter().map(redundant).collect();
    assert!(expected.iter().any(|redundant| redundant.is_empty()));
    let solutions: Vec<Solution> = puzzles.iter().map(|puzzle| solve(puzzle).solution.unwrap()).collect();
    for level in Level::supported() {
        let mut minimality = Minimality::new(level).unwrap();
        let (mut found, mut minimal) = (vec![Cells::ALL; puzzles.len()], vec![false; puzzles.len()]);
        for solutions in [&[], &solutions[..]] {
            assert!(minimality.redundant(&puzzles, solutions, &mut found));
            assert_eq!(found, expected, "{level}");
            assert!(minimality.are_minimal(&puzzles, solutions, &mut minimal));
            for (is_minimal, expected) in minimal.iter().zip(&expected) {
                assert_eq!(*is_minimal, expected.is_empty(), "{level}");
            }
        }
    }
}

#[test]
fn a_flag_cancels() {
    let cancelled = || Arc::new(AtomicBool::new(true));
    let puzzle = unique_puzzle(&mut Random::new(18), 3);
    let probes = vec![Probe { puzzle, cell: puzzle.clue_cells().iter().next().unwrap() as u8 }; 200];
    assert!(!Prober::default().cancel(cancelled()).probe(&probes, &mut [false; 200]));
    let mut minimality = Minimality::default().cancel(cancelled());
    assert!(!minimality.are_minimal(&[puzzle; 200], &[], &mut [false; 200]));
    assert!(!minimality.redundant(&[puzzle; 200], &[], &mut [Cells::EMPTY; 200]));
}
