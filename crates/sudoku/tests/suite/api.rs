//! Tests which traits the public types implement, and the `Debug` and `Display` texts of some types.

use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;
use std::iter::FusedIterator;

use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::{Auto, Bitboard, Bitslice, BoolTable, Class, Variant};
use sudobench_sudoku::{
    Answer, Outcome, Puzzle, PuzzleError, Question, RefereeError, Solution, SolutionError, Solutions, Solver,
    Status, StatusError,
};

fn crosses_threads<T: Send>() {}
fn is_shared<T: Send + Sync + Debug + Clone>() {}
fn is_a_value<T: Send + Sync + Debug + Copy + Hash + Eq>() {}
fn is_an_error<T: Error + Send + Sync + Clone + PartialEq + 'static>() {}
fn is_a_solver<T: Solver + Debug + Default>() {}
fn is_fused<T: FusedIterator<Item = Solution> + Send + Debug>() {}

#[test]
fn types_have_the_expected_traits() {
    is_a_value::<Puzzle>();
    is_a_value::<Solution>();
    is_a_value::<Outcome>();
    is_a_value::<Transformation>();
    is_a_value::<Status>();
    is_a_value::<Answer>();
    is_a_value::<Level>();
    is_a_value::<Class>();
    is_shared::<Question>();
    is_shared::<Variant>();
    is_shared::<Random>();
    is_an_error::<PuzzleError>();
    is_an_error::<SolutionError>();
    is_an_error::<RefereeError>();
    is_an_error::<LevelError>();
    is_an_error::<StatusError>();
    is_a_solver::<Auto>();
    is_a_solver::<Bitboard>();
    is_a_solver::<Bitslice>();
    is_a_solver::<BoolTable>();
    is_fused::<Solutions>();
    crosses_threads::<Box<dyn Solver>>();
}

#[test]
fn debug_texts_name_the_type() {
    let text = format!("{:?}", Puzzle::EMPTY);
    assert_eq!(text, format!("Puzzle({:.<81})", ""));
    assert_eq!(format!("{:?}", Bitboard::default()), "Bitboard { .. }");
    assert_eq!(format!("{:>9}|", Status::Unique), "   unique|");
}
