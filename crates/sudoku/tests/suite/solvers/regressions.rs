//! Known answers: the rows of `tests/data/regressions.csv`. Each bug in a solver becomes a row there.

use sudobench_sudoku::solver::Class;
use sudobench_sudoku::{Puzzle, Question, Solution, Status};

use super::variants::variants;
use crate::common::oracle;

/// One row: a puzzle, its status, its smallest solution, and the reason for the row.
pub(crate) struct Row {
    pub(crate) puzzle: Puzzle,
    pub(crate) status: Status,
    pub(crate) smallest: Option<Solution>,
    pub(crate) why: String,
}

pub(crate) fn rows() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/regressions.csv");
    csv::Reader::from_path(path).unwrap().records().map(|record| row(&record.unwrap())).collect()
}

fn row(record: &csv::StringRecord) -> Row {
    let status = match &record[1] {
        "0" => Status::Unsolvable,
        "1" => Status::Unique,
        "2+" => Status::Multiple,
        other => panic!("{other} is no solution count"),
    };
    Row {
        puzzle: record[0].parse().unwrap(),
        status,
        smallest: (!record[2].is_empty()).then(|| Solution::from_text(record[2].as_bytes()).unwrap()),
        why: record[3].to_owned(),
    }
}

#[test]
fn rows_are_consistent() {
    for Row { puzzle, status, smallest, why } in rows() {
        assert_eq!(smallest.is_none(), status == Status::Unsolvable, "{why}");
        assert!(smallest.is_none_or(|smallest| smallest.check(&puzzle).is_ok()), "{why}");
        if status == Status::Multiple {
            assert_eq!(oracle::smallest(&puzzle), smallest, "{why}");
        }
    }
}

#[test]
fn every_variant_gives_the_known_answer() {
    for variant in variants() {
        let max_nodes = (variant.class == Class::Naive).then_some(200_000);
        let mut solver = variant.build(crate::common::level()).unwrap();
        for Row { puzzle, status, smallest, why } in rows() {
            let outcome = solver.solve(&puzzle, &Question { max_nodes, ..Question::unique() });
            if max_nodes.is_some() && outcome.status == Status::Aborted {
                assert_eq!(Some(outcome.nodes), max_nodes, "{}: {why}", variant.name);
                continue;
            }
            assert_eq!((outcome.status, outcome.solution), (status, smallest), "{}: {why}", variant.name);
        }
    }
}
