//! Checks docs/techniques/README.md. The page explains how ratings are made and shows an example of each technique. The examples are boards
//! of `crates/sudoku/tests/data/techniques/steps.csv`, and their drawings are in the same folder as the page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use sudobench_sudoku::techniques::{Technique, drawing, next_step, tenths};

use super::common::board;

const HEAD: &str = "\
# Techniques and ratings

`sudobench explain`, and the columns `se`, `se_pearl`, `se_diamond`, `hardest_technique`, `techniques` and `steps` of `sudobench rate`, follow Sudoku Explainer 1.2.1 (N. Juillerat, 2007). Its ratings
(ER/EP/ED) are the ratings that the puzzle lists of Sudoku forums contain.

## Ratings

- At first, the candidates of a cell are the digits that no clue in its units has. Then the techniques are tried in the order of the table. The first step that is found is applied, and the first
  technique is tried again.
- `se` (ER) is the rating of the hardest step, `se_pearl` (EP) the highest rating up to the first step that fills a cell, and `se_diamond` (ED) the rating of the first step.
- A puzzle that is rated 10.5 or higher may need a technique that sudobench does not know (nested dynamic forcing chains). Its columns are then empty, and `note` says `beyond`.
- Some techniques (unique rectangles and loops, BUG) assume that there is only one solution. Puzzles without exactly one solution have no rating.

| technique | rating | text of the step names |
|---|---|---|
| Hidden Single | 1.0 last in its unit, 1.2 box, 1.5 row or column | unit |
| Direct Pointing, Direct Claiming | 1.7, 1.9 | two units: the eliminations leave one place for the digit in another unit |
| Direct Hidden Pair | 2.0 | cells; the eliminations leave one place for another digit in the unit |
| Naked Single | 2.3 | cell |
| Direct Hidden Triplet | 2.5 | cells |
| Pointing, Claiming | 2.6, 2.8 | two units |
| Naked Pair, Hidden Pair | 3.0, 3.4 | cells |
| X-Wing, Swordfish, Jellyfish | 3.2, 3.8, 5.2 | rows and columns |
| Naked Triplet, Hidden Triplet | 3.6, 4.0 | cells |
| XY-Wing, XYZ-Wing | 4.2, 4.4 | the three cells |
| Unique Rectangle, Unique Loop, types 1 to 4 | 4.5 to 5.3 | cells of the loop |
| Naked Quad, Hidden Quad | 5.0, 5.4 | cells |
| BUG (bivalue universal grave), types 1 to 4 | 5.6 to 6.2 | cells with more than two candidates |
| Aligned Pair Exclusion | 6.2 | the two cells |
| Bidirectional X-Cycle, Y-Cycle, Cycle | 6.5 to 7.5 and more | chain |
| Turbot Fish, Forcing X-Chain, Forcing Chain | 6.6 to 7.9 | chain |
| Aligned Triplet Exclusion | 7.5 | the three cells |
| Nishio Forcing Chain | 7.5 to 8.4 | the assumption |
| Region Forcing Chains, Cell Forcing Chains | 8.0 to 8.9 | digit and unit, or cell |
| Dynamic Contradiction, Double, Region and Cell Forcing Chains | 8.5 and more | the assumption, unit or cell |
| Dynamic Plus Contradiction, Double, Region and Cell Forcing Chains: Dynamic Forcing Chains (+) in Sudoku Explainer | 9.0 and more | the assumption, unit or cell |
| Nested Contradiction, Double, Region and Cell Forcing Chains | 9.5 and more with inner forcing chains, 10.0 and more with inner cell and region chains | the assumption, unit or cell |

[notes/rating.md](../notes/rating.md#sudoku-explainer) describes how the ratings were compared with the original.

## Notation

Rows are numbered from the top, columns from the left, boxes row by row: `r4c15` are the first and the fifth cell of row 4. `r4c1=9` fills a cell, `r4c2<>3` takes a candidate away. A chain is
written as its nodes: `r1c2=5` if the cell holds the digit, `r1c2<>5` if it does not.

In the drawings, the step follows from the blue candidates. It places the green candidate and removes the struck-out candidates. In chains, a filled circle means
that the cell has the digit, and an empty circle that the cell has another digit. `sudobench explain FILE --export-html PAGE.html` draws the steps of your puzzles.

A test writes this page, from boards on which the technique is the next step.
";

/// Returns the page and its drawings, by file name.
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
                assert!(technique.ratings().contains(&tenths(step.rating)), "{technique}: {}", step.rating);
                let rating = f64::from(tenths(step.rating)) / 10.0;
                let path = format!("{}.svg", technique.name().to_lowercase().replace(' ', "-"));
                let svg = drawing::svg(&board, &step, board.filled().clue_cells());
                write!(page, "Rated {rating:.1} here: `{step}`\n\n![{technique}]({path})\n").unwrap();
                pages.insert(path, svg);
            }
            None => page += "There is no example here.\n",
        }
    }
    pages.insert("README.md".to_owned(), page);
    pages
}

#[test]
fn the_page_of_techniques_and_its_drawings_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/techniques");
    let pages = pages();
    if std::env::var_os("SUDOBENCH_WRITE_DOCS").is_some() {
        // The folder is removed first, so that no drawing of a renamed technique is left.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        pages.iter().for_each(|(path, text)| std::fs::write(folder.join(path), text).unwrap());
    }
    for (path, text) in &pages {
        let stored = std::fs::read_to_string(folder.join(path)).unwrap_or_default();
        assert!(
            stored == *text,
            "{path}: SUDOBENCH_WRITE_DOCS=1 cargo test --test harness techniques writes it"
        );
        assert!(path.ends_with(".md") || text.len() < 15_000, "{path}: {} bytes", text.len());
    }
    assert_eq!(folder.read_dir().unwrap().count(), pages.len(), "files in docs/techniques");
}
