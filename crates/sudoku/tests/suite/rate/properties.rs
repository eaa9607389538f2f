//! Properties that the ratings of all puzzles must have.

use proptest::prelude::*;
use sudobench_sudoku::generate::{Reducer, Reduction};
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::rate::{Difficulty, SinglesPath};
use sudobench_sudoku::{Puzzle, solve};

use super::known::rated;
use super::naive;
use crate::common::grids::random_grid;

/// Makes a puzzle from a seed: removes clues of a random grid until no clue is redundant or only `least_clues` clues are left.
fn puzzle(seed: u64, least_clues: usize) -> Puzzle {
    let mut random = Random::new(seed);
    let grid = random_grid(&mut random);
    let mut cells: Vec<usize> = (0..81).collect();
    random.shuffle(&mut cells);
    let groups = cells.into_iter().map(|cell| [cell].into_iter().collect()).collect();
    let mut reductions = [Reduction { puzzle: grid.into(), groups, least_clues }];
    assert!(Reducer::default().reduce(&mut reductions));
    reductions[0].puzzle
}

#[test]
fn random_puzzles_are_rated_by_definition() {
    let mut kinds = [0; 6];
    for seed in 0..150 {
        let puzzle = puzzle(seed, seed as usize % 30);
        let rating = rated(&puzzle);
        assert_eq!(rating, naive::rate(&puzzle, &solve(&puzzle).solution.unwrap()), "{puzzle}");
        kinds[rating.difficulty.unwrap() as usize] += 1;
    }
    assert!(kinds[..=Difficulty::Depth1 as usize].iter().all(|&count| count > 5), "{kinds:?}");
}

fn path_of(puzzle: &Puzzle) -> [usize; 4] {
    let SinglesPath { rounds, naked, hidden, fewest_choices } = SinglesPath::follow(puzzle);
    [rounds, naked, hidden, fewest_choices].map(usize::from)
}

#[test]
fn singles_are_followed_by_definition() {
    let mut solved = [0; 2];
    for seed in 0..300 {
        // The puzzles range from a solved grid to minimal puzzles.
        let puzzle = puzzle(seed, 81 - seed as usize % 82);
        let path = path_of(&puzzle);
        assert_eq!(path, naive::singles_path(&puzzle), "{puzzle}");
        let by_singles = rated(&puzzle).singles.unwrap();
        assert_eq!(by_singles, path[1] + path[2] == 81 - puzzle.clue_count(), "{puzzle}");
        solved[usize::from(by_singles)] += 1;
        let form = Transformation::random(&mut Random::new(seed)).apply(&puzzle);
        assert_eq!(path_of(&form), path, "{puzzle}");
    }
    assert!(solved.iter().all(|&count| count > 20), "{solved:?}");
    assert_eq!(path_of(&Puzzle::EMPTY), [0; 4]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn all_forms_of_a_puzzle_are_as_hard(seed: u64, form: u64, least_clues in 0..28_usize) {
        let puzzle = puzzle(seed, least_clues);
        let form = Transformation::random(&mut Random::new(form)).apply(&puzzle);
        prop_assert_eq!(rated(&puzzle), rated(&form));
    }

    #[test]
    fn measures_agree(seed: u64, least_clues in 0..28_usize) {
        let rating = rated(&puzzle(seed, least_clues));
        let difficulty = rating.difficulty.unwrap();
        prop_assert_eq!(rating.singles, Some(difficulty == Difficulty::Singles));
        prop_assert_eq!(rating.locked, Some(difficulty <= Difficulty::Locked));
        prop_assert_eq!(rating.pairs, Some(difficulty <= Difficulty::Pairs));
        prop_assert_eq!(rating.backdoor == Some(0), rating.singles.unwrap());
        let depth = match difficulty {
            Difficulty::Singles => 0,
            Difficulty::Locked | Difficulty::Pairs | Difficulty::Depth1 => 1,
            Difficulty::Depth2 => 2,
            Difficulty::Depth3 => 3,
        };
        prop_assert_eq!(rating.depth, Some(depth));
    }
}

#[test]
fn forms_of_hard_puzzles_are_as_hard() {
    let rows = [
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
        "57....9..........8.1.........168..4......28.9..2.9416.....2.....6.9.82.4...41.6..",
    ];
    for puzzle in rows.map(|row| row.parse::<Puzzle>().unwrap()) {
        for seed in 0..3 {
            let form = Transformation::random(&mut Random::new(seed)).apply(&puzzle);
            assert_eq!(rated(&form), rated(&puzzle), "{form}");
        }
    }
}
