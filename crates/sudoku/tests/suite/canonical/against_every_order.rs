//! Compares the library's canonical forms with a search through all orders of the cells.

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::random::Random;

use super::boards::all_kinds;
use super::every_order::smallest_form;

fn check<'a>(kind: &str, boards: impl IntoIterator<Item = &'a Puzzle>) {
    let mut canonicalizer = Canonicalizer::default();
    for board in boards {
        let canonical = canonicalizer.canonical(board);
        let (form, orders) = smallest_form(board);
        assert_eq!(canonical.form, form, "{kind}: {board}");
        assert_eq!(canonical.automorphisms, orders, "{kind}: {board}");
        assert_eq!(canonical.transformation.apply(board), form, "{kind}: {board}");
    }
}

#[test]
fn boards_of_every_kind() {
    let kinds = all_kinds(&mut Random::new(15));
    assert!(kinds.iter().map(|kind| kind.boards.len()).sum::<usize>() > 200);
    kinds.iter().for_each(|kind| check(kind.name, &kind.boards));
}

#[test]
fn the_regressions_and_their_solutions() {
    let mut rows = csv::Reader::from_reader(include_str!("../../data/regressions.csv").as_bytes());
    for row in rows.records().map(Result::unwrap) {
        let boards = [&row[0], &row[2]].into_iter().filter(|text| !text.is_empty());
        let boards: Vec<Puzzle> = boards.map(|text| text.parse().unwrap()).collect();
        check(&row[3], &boards);
    }
}
