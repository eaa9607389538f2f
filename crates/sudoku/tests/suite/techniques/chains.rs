//! Ratings of puzzles that need chains. Their ratings are 6.5 or higher.
//!
//! The puzzles in `tests/data/techniques/chains.csv` with a rating up to 8.9 are from `sudobench generate --minimal --seed 4711`; those
//! with a higher rating are from `generate --pattern`. The puzzles in `from_9.csv` have ratings of 9.0 or higher. They are from
//! `generate --minimal --seed 4711` and from `generate` with the methods `climb` and `tridagon`. The ratings (ER/EP/ED) are from Sudoku
//! Explainer.

use sudobench_sudoku::techniques::{Board, PlayedStep, Technique, Walker, next_step};
use sudobench_sudoku::{Puzzle, solve};

use super::files::parse_ratings;

/// The puzzles of `chains.csv` with their ratings in tenths.
pub(super) fn rows() -> Vec<(Puzzle, [u8; 3])> {
    rows_of("chains.csv")
}

fn rows_of(file: &str) -> Vec<(Puzzle, [u8; 3])> {
    let path = format!("{}/tests/data/techniques/{file}", env!("CARGO_MANIFEST_DIR"));
    let rows = csv::Reader::from_path(path).unwrap().into_records();
    rows.map(|row| row.unwrap()).map(|row| (row[0].parse().unwrap(), parse_ratings(&row[1]))).collect()
}

#[test]
fn puzzles_with_chains_have_the_ratings_of_sudoku_explainer() {
    for (puzzle, ratings) in ["chains.csv", "from_9.csv"].into_iter().flat_map(rows_of) {
        let walk = Walker::default().walk(&puzzle).unwrap();
        assert!(!walk.is_unfinished, "{puzzle}");
        assert_eq!([walk.rating, walk.pearl, walk.diamond], ratings, "{puzzle}");
    }
}

/// A walk remembers where its finders found nothing, and looks only at the changes since. [`next_step`] looks at the whole board.
#[test]
fn a_walk_takes_the_steps_that_the_whole_board_has() {
    for (puzzle, [rating, ..]) in rows() {
        if rating > 78 {
            continue;
        }
        let (_, steps) = Walker::default().walk_with_steps(&puzzle).unwrap();
        let mut board = Board::new(&puzzle);
        for PlayedStep { step, .. } in steps {
            assert_eq!(Some(&step), next_step(&board).as_ref(), "{puzzle}");
            step.apply(&mut board);
        }
    }
}

#[test]
fn no_step_removes_a_digit_of_the_solution() {
    let mut chains = 0;
    for (puzzle, _) in rows() {
        let solution = solve(&puzzle).solution.unwrap();
        let digit = |cell: u8| solution[cell.into()];
        for PlayedStep { step, .. } in Walker::default().walk_with_steps(&puzzle).unwrap().1 {
            for &(cell, digits) in &step.eliminations {
                assert_eq!(digits >> (digit(cell) - 1) & 1, 0, "{puzzle} {step:?}");
            }
            if let Some((cell, value)) = step.placement {
                assert_eq!(value, digit(cell), "{puzzle} {step:?}");
            }
            let is_chain = step.technique >= Technique::TurbotFish
                && step.technique != Technique::AlignedTripletExclusion;
            assert_eq!(is_chain, !step.chain.is_empty(), "{puzzle} {step:?}");
            chains += u32::from(is_chain);
        }
    }
    assert!(chains > 500, "{chains}");
}
