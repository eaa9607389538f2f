//! Nodes and guesses: all row-major backtrackers must count the same, and every listed variant must have the counts of the snapshot.

use std::fmt::Write;

use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Bitslice, Class, Variant, listed};
use sudobench_sudoku::{Outcome, Puzzle, Question, Solver};

use super::agreement::asking_for;
use super::regressions;
use super::variants::variants;
use crate::common::grids::{random_clues, random_grid, with_value};

/// Returns the outcome on which all row-major backtrackers agree, including counters.
fn naive_outcome(puzzle: &Puzzle, question: &Question) -> Outcome {
    let mut naive = variants().filter(|variant| variant.class == Class::Naive);
    let first = naive.next().unwrap();
    let expected = first.build(crate::common::level()).unwrap().solve(puzzle, question);
    for variant in naive {
        let outcome = variant.build(crate::common::level()).unwrap().solve(puzzle, question);
        assert_eq!(outcome, expected, "{} and {} on {puzzle} {question:?}", variant.name, first.name);
    }
    expected
}

#[test]
fn row_major_backtrackers_count_alike_under_every_limit() {
    let mut random = Random::new(31);
    for round in 0..60 {
        let grid = random_grid(&mut random);
        let mut puzzle = random_clues(&mut random, &grid, 17 + round);
        if round % 4 == 0 {
            puzzle = with_value(&puzzle, random.below(81), 1 + random.below(9) as u8);
        }
        for question in
            [asking_for(1), asking_for(2), asking_for(200), asking_for(u64::MAX), Question::first()]
        {
            for most in [0, 1, 10, 257, 4_000] {
                naive_outcome(&puzzle, &Question { max_nodes: Some(most), ..question.clone() });
            }
        }
    }
}

#[test]
fn nodes_and_guesses_counted_by_hand() {
    // Row 1 has one blank, which must be 4. Row 4 has two blanks, for the digits 4 and 5. The first of these blanks is below the 4 of row
    // 1, so it must be 5, and the other blank must be 4. So each blank has one possible digit.
    let forced = ".83921657967345821251876493..8132976729564138136798245372689514814253769695417382";
    let outcome = naive_outcome(&forced.parse().unwrap(), &Question::unique());
    assert_eq!((outcome.count, outcome.nodes, outcome.guesses), (1, 3, 0));

    // The blanks are an unavoidable rectangle: 1 2 above 2 1. The first blank can hold 1 or 2; this decides the other blanks.
    let rectangle = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";
    let outcome = naive_outcome(&rectangle.parse().unwrap(), &Question::unique());
    assert_eq!((outcome.count, outcome.nodes, outcome.guesses), (2, 8, 1));
    let outcome = naive_outcome(&rectangle.parse().unwrap(), &Question::first());
    assert_eq!((outcome.count, outcome.nodes, outcome.guesses), (1, 4, 0));
}

/// Makes a solver of the variant, set up so that its counters are the same on every machine. For this, `bitslice` gets the lowest SIMD
/// level: if it stops at a limit, its counters depend on the number of lanes.
fn build(variant: &Variant) -> Box<dyn Solver> {
    match variant.name {
        "bitslice" => Box::new(Bitslice::new(Level::Baseline).unwrap()),
        _ => variant.build(crate::common::level()).unwrap(),
    }
}

#[test]
fn counters_are_as_stored() {
    let mut table = String::new();
    for variant in listed() {
        writeln!(table, "{}", variant.name).unwrap();
        for row in regressions::rows() {
            let max_nodes = (variant.class == Class::Naive).then_some(50_000);
            let outcome = build(variant).solve(&row.puzzle, &Question { max_nodes, ..Question::unique() });
            let status = outcome.status.name();
            writeln!(
                table,
                "{status:>12} {:>8} nodes {:>7} guesses  {}",
                outcome.nodes, outcome.guesses, row.why
            )
            .unwrap();
        }
    }
    insta::assert_snapshot!(table);
}
