//! docs/TECHNIQUES.md shows an example of each technique, from the boards in `crates/sudoku/tests/data/techniques/steps.csv`. The drawings are
//! in docs/techniques/.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use sudobench_sudoku::techniques::{Technique, drawing, next_step, tenths};

use super::common::board;

const HEAD: &str = "\
# Techniques

The steps of `sudobench explain`, in the order in which the techniques are tried. Names and ratings are from Sudoku Explainer 1.2.1 (N. Juillerat, 2007). Rows are numbered from the top, columns
from the left, boxes row by row: `r4c15` are the first and the fifth cell of row 4. `r4c1=9` fills a cell, `r4c2<>3` takes a candidate away.

In the drawings, the step rests on the blue candidates, places the green one, and takes struck ones away. In chains, a filled circle says
that the cell is the digit, an empty one that the cell is another digit. `sudobench explain FILE --export-html PAGE.html` draws the steps of your puzzles.

How ratings are made: [Ratings of Sudoku Explainer](REFERENCE.md#ratings-of-sudoku-explainer). This page is made by a test, from boards on which the technique is the next step.
";

/// Returns the page and its drawings, by their paths in docs/.
fn pages() -> BTreeMap<String, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/sudoku/tests/data/techniques/steps.csv");
    let rows: Vec<_> = csv::Reader::from_path(path).unwrap().into_records().map(|row| row.unwrap()).collect();
    let (mut page, mut pages) = (HEAD.to_owned(), BTreeMap::new());
    for technique in Technique::ALL {
        write!(page, "\n## {technique}\n\n{}\n\n", technique.about()).unwrap();
        match rows.iter().find(|row| &row[0] == technique.name()) {
            Some(row) => {
                let board = board(&row[1]);
                let step = next_step(&board).unwrap();
                let rating = f64::from(tenths(step.rating)) / 10.0;
                let path = format!("techniques/{}.svg", technique.name().to_lowercase().replace(' ', "-"));
                let svg = drawing::svg(&board, &step, board.filled().clue_cells());
                write!(page, "Rated {rating:.1} here: `{step}`\n\n![{technique}]({path})\n").unwrap();
                pages.insert(path, svg);
            }
            None => page += "No puzzle that needs it is known here.\n",
        }
    }
    pages.insert("TECHNIQUES.md".to_owned(), page);
    pages
}

#[test]
fn the_page_of_techniques_and_its_drawings_are_current() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let pages = pages();
    if std::env::var_os("SUDOBENCH_WRITE_DOCS").is_some() {
        // A technique that got another name leaves no drawing behind.
        let _ = std::fs::remove_dir_all(docs.join("techniques"));
        std::fs::create_dir(docs.join("techniques")).unwrap();
        pages.iter().for_each(|(path, text)| std::fs::write(docs.join(path), text).unwrap());
    }
    for (path, text) in &pages {
        let stored = std::fs::read_to_string(docs.join(path)).unwrap_or_default();
        assert!(
            stored == *text,
            "{path}: SUDOBENCH_WRITE_DOCS=1 cargo test --test harness techniques writes it"
        );
        assert!(path.ends_with(".md") || text.len() < 15_000, "{path}: {} bytes", text.len());
    }
    assert_eq!(
        docs.join("techniques").read_dir().unwrap().count(),
        pages.len() - 1,
        "files in docs/techniques"
    );
}
