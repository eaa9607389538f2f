//! Puzzles of many kinds, each with the answer of a plain solver. Some puzzles are read from files of the repository, others are made from
//! a seed.

use std::path::Path;
use std::sync::LazyLock;

use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::find;
use sudobench_sudoku::{Answer, Puzzle};

use super::{MOST, asking_for};
use crate::common::grids::{random_clues, random_grid, random_pattern, renamed, with_value, without};
use crate::common::oracle::Truth;

/// A puzzle and the facts about it.
pub(crate) struct Known {
    pub(crate) puzzle: Puzzle,
    pub(crate) truth: Truth,
}

/// The pool, made once for all tests. The facts come from the solver `mrv`, which shares no inference or search code with the vector
/// solvers. The tests in `solvers` compare `mrv` with the oracle. The oracle itself would take hours for some of these puzzles.
pub(crate) fn pool() -> &'static [Known] {
    static POOL: LazyLock<Vec<Known>> = LazyLock::new(|| {
        let mut plain = find("mrv").unwrap().build(Level::widest()).unwrap();
        let question = asking_for(MOST as u64, Answer::Smallest);
        let mut truth = |puzzle: &Puzzle| {
            let outcome = plain.solve(puzzle, &question);
            Truth { count: outcome.count as usize, smallest: outcome.solution }
        };
        puzzles().into_iter().map(|puzzle| Known { truth: truth(&puzzle), puzzle }).collect()
    });
    &POOL
}

fn puzzles() -> Vec<Puzzle> {
    let mut random = Random::new(41);
    let committed = committed();
    let mut puzzles = vec![Puzzle::EMPTY];
    for puzzle in &committed {
        let mut other = renamed(&mut random, puzzle);
        puzzles.extend([*puzzle, other]);
        // If one or two clues of a minimal puzzle are removed, the puzzle has a few more solutions.
        for _ in 0..2 {
            other = with_value(&other, random.below(81), 0);
            puzzles.push(other);
        }
    }
    for round in 0..300 {
        let structured = round % 3 == 0;
        let grid = if structured { random_pattern(&mut random) } else { random_grid(&mut random) };
        let clues = [18, 24, 27, 28, 29, 30, 32, 36, 45, 60][round % 10];
        let puzzle = random_clues(&mut random, &grid, clues);
        // With one digit changed or added, most puzzles have no solution, and many have two equal clues in a unit.
        let changed = with_value(&puzzle, random.below(81), 1 + random.below(9) as u8);
        puzzles.extend([puzzle, changed]);
        if round % 30 == 0 {
            let cell = random.below(81);
            let full = without(&grid, &[]);
            puzzles.extend([full, with_value(&full, cell, 1 + grid.values()[cell] % 9)]);
        }
    }
    puzzles
}

/// Returns the puzzles in the repository: easy, minimal and unusual puzzles, and some of the hardest known puzzles.
fn committed() -> Vec<Puzzle> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut puzzles = Vec::new();
    for (file, column) in [
        ("datasets/sample.csv", 1),
        ("datasets/statuses.csv", 0),
        ("crates/sudoku/tests/data/regressions.csv", 0),
    ] {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(root.join(file)).unwrap();
        let records = reader.byte_records().map(|record| record.unwrap());
        puzzles.extend(records.filter_map(|record| Puzzle::from_text(record.get(column)?).ok()));
    }
    assert!(puzzles.len() > 90, "{} puzzles were read", puzzles.len());
    puzzles
}

type IsKind = fn(&Known) -> bool;

#[test]
fn the_pool_has_puzzles_of_every_kind() {
    let kinds: [(&str, IsKind); 8] = [
        ("contradictory", |known| known.puzzle.conflict().is_some()),
        ("unsolvable", |known| known.truth.count == 0 && known.puzzle.conflict().is_none()),
        ("17 clues, one solution", |known| known.truth.count == 1 && known.puzzle.clue_count() == 17),
        ("easy", |known| known.truth.count == 1 && known.puzzle.clue_count() >= 34),
        ("full", |known| known.truth.count == 1 && known.puzzle.clue_count() == 81),
        ("full and wrong", |known| known.truth.count == 0 && known.puzzle.clue_count() == 81),
        ("a few solutions", |known| (2..20).contains(&known.truth.count)),
        ("very many solutions", |known| known.truth.count == MOST),
    ];
    for (kind, is_kind) in kinds {
        assert!(pool().iter().any(is_kind), "{kind}");
    }
}
