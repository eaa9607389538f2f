//! docs/TECHNIQUES.md draws an example of each technique, from the boards in `crates/sudoku/tests/data/techniques/steps.csv`.

use std::fmt::Write as _;

use sudobench_sudoku::techniques::{Technique, next_step, tenths};

use super::common::board;

const HEAD: &str = "\
# Techniques

The steps of `sudobench explain`, in the order in which the techniques are tried. Names and ratings are from Sudoku Explainer 1.2.1 (N. Juillerat, 2007). Rows are numbered from the top, columns
from the left, boxes row by row: `r4c15` are the first and the fifth cell of row 4. `r4c1=9` fills a cell, `r4c2<>3` takes a candidate away. A blank is drawn with its candidates.

How ratings are made: [Ratings of Sudoku Explainer](REFERENCE.md#ratings-of-sudoku-explainer). This page is made by a test, from boards on which the technique is the next step.
";

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/sudoku/tests/data/techniques/steps.csv");
    let rows: Vec<_> = csv::Reader::from_path(path).unwrap().into_records().map(|row| row.unwrap()).collect();
    let mut page = HEAD.to_owned();
    for technique in Technique::ALL {
        write!(page, "\n## {technique}\n\n{}\n\n", technique.about()).unwrap();
        match rows.iter().find(|row| &row[0] == technique.name()) {
            Some(row) => {
                let board = board(&row[1]);
                let step = next_step(&board).unwrap();
                let rating = f64::from(tenths(step.rating)) / 10.0;
                write!(page, "Rated {rating:.1} here:\n\n```text\n{board}\n{step}\n```\n").unwrap();
            }
            None => page += "No puzzle that needs it is known here.\n",
        }
    }
    page
}

#[test]
fn the_page_of_techniques_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/TECHNIQUES.md");
    let page = page();
    if std::env::var_os("SUDOBENCH_WRITE_DOCS").is_some() {
        std::fs::write(path, page).unwrap();
    } else {
        let stored = std::fs::read_to_string(path).unwrap();
        assert_eq!(stored, page, "SUDOBENCH_WRITE_DOCS=1 cargo test --test harness techniques writes it");
    }
}
