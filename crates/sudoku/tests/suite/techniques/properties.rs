//! Properties of steps and ratings.

use sudobench_sudoku::generate::{Made, TopDown};
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::techniques::{PlayedStep, Walker};

use super::known::{Rated, rated, ratings_of};

#[test]
fn no_step_removes_a_digit_of_the_solution() {
    let mut made = Vec::new();
    TopDown::default().make(38, 0..1_000, &mut made);
    for Made { puzzle, solution, .. } in made {
        let (walk, steps) = Walker::default().walk_with_steps(&puzzle).unwrap();
        for PlayedStep { step, .. } in &steps {
            assert!(step.placement.is_some() || !step.eliminations.is_empty(), "{puzzle} {step}");
            for &(cell, digits) in &step.eliminations {
                assert_eq!(digits >> (solution[cell.into()] - 1) & 1, 0, "{puzzle} {step}");
            }
            let is_right = |(cell, digit): (u8, u8)| solution[cell.into()] == digit;
            assert!(step.placement.is_none_or(is_right), "{puzzle} {step}");
        }
        let filled = steps.iter().filter(|played| played.step.placement.is_some()).count();
        assert_eq!(walk.is_unfinished, puzzle.clue_count() + filled < 81, "{puzzle}");
    }
}

#[test]
fn isomorphs_have_the_same_ratings() {
    for (seed, Rated { puzzle, ratings, .. }) in rated().into_iter().enumerate() {
        for number in 0..5 {
            let mut random = Random::from_stream(seed as u64, number);
            let form = Transformation::random(&mut random).apply(&puzzle);
            let walk = Walker::default().walk(&form).unwrap();
            assert_eq!(ratings_of(&walk), ratings, "{puzzle} {form}");
        }
    }
}
