//! General properties of canonical forms.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;

use super::boards::all_kinds;
use crate::common::grids::{random_clues, random_grid, with_value};

/// Generates boards: some cells of a random grid, or any values, many of them blank.
fn board() -> impl Strategy<Value = Puzzle> {
    let of_grid = (any::<u64>(), 0..=81_usize).prop_map(|(seed, clues)| {
        let mut random = Random::new(seed);
        let grid = random_grid(&mut random);
        random_clues(&mut random, &grid, clues)
    });
    let values = prop::collection::vec(prop_oneof![3 => Just(0_u8), 2 => 1..=9_u8], 81);
    let of_any = values.prop_map(|values| Puzzle::try_from(<[u8; 81]>::try_from(values).unwrap()).unwrap());
    prop_oneof![3 => of_grid, 1 => of_any]
}

fn check(canonicalizer: &mut Canonicalizer, board: &Puzzle, seed: u64) -> Result<(), TestCaseError> {
    let canonical = canonicalizer.canonical(board);
    prop_assert!(canonical.form <= *board);
    prop_assert_eq!(canonical.transformation.apply(board), canonical.form);
    let again = canonicalizer.canonical(&canonical.form);
    prop_assert_eq!(again.form, canonical.form);
    prop_assert_eq!(again.automorphisms, canonical.automorphisms);
    let isomorph = Transformation::random(&mut Random::new(seed)).apply(board);
    let of_isomorph = canonicalizer.canonical(&isomorph);
    prop_assert_eq!(of_isomorph.form, canonical.form);
    prop_assert_eq!(of_isomorph.automorphisms, canonical.automorphisms);
    prop_assert_eq!(of_isomorph.transformation.apply(&isomorph), canonical.form);
    Ok(())
}

/// Returns the number of times that each digit occurs, sorted. Boards whose sorted numbers differ are not isomorphic.
fn counts(board: &Puzzle) -> [usize; 9] {
    let mut counts = std::array::from_fn(|at| {
        board.values().iter().filter(|&&value| usize::from(value) == at + 1).count()
    });
    counts.sort_unstable();
    counts
}

proptest! {
    #[test]
    fn isomorphs_have_one_form_and_a_form_is_its_own(board in board(), seed: u64) {
        check(&mut Canonicalizer::default(), &board, seed)?;
    }

    #[test]
    fn boards_of_different_classes_have_different_forms(board in board(), cell in 0..81_usize, value in 0..=9_u8) {
        let other = with_value(&board, cell, value);
        let mut canonicalizer = Canonicalizer::default();
        let [form, of_other] = [&board, &other].map(|board| canonicalizer.canonical(board).form);
        prop_assert!(form != of_other || counts(&board) == counts(&other), "{}", form);
    }
}

/// Uses one canonicalizer for all boards, so the test fails if a board leaves state that changes the next result.
#[test]
fn isomorphs_of_every_kind_have_one_form() {
    let (mut canonicalizer, mut random) = (Canonicalizer::default(), Random::new(81));
    for kind in all_kinds(&mut random) {
        for board in &kind.boards {
            let checked = check(&mut canonicalizer, board, random.next_u64());
            assert!(checked.is_ok(), "{}: {board}: {checked:?}", kind.name);
        }
    }
}

/// Checks that the time for one board is bounded, so that a file of the worst boards can't block a run. For some of these boards, a plain
/// search takes a thousand times as long.
#[test]
fn boards_with_many_automorphisms_are_fast() {
    const FORMS: usize = 100;
    let (mut canonicalizer, mut random) = (Canonicalizer::default(), Random::new(1));
    let start = Instant::now();
    for kind in all_kinds(&mut random) {
        for board in kind.boards.iter().take(2) {
            for _ in 0..FORMS {
                let isomorph = Transformation::random(&mut random).apply(board);
                canonicalizer.canonical(&isomorph);
            }
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{}", kind.name);
    }
}
