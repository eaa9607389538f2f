//! Reports the result of `overlap`: how many rows of one dataset are also in another dataset.

use sudobench_rows::overlap::Overlap;

use super::grid::{Cell, Grid};
use super::{count, counted, share};
use crate::record::{DatasetRowsRecord, OverlapRecord};

/// Returns the counts as text, in lines of at most `width` columns.
pub fn overlap_text(record: &OverlapRecord, width: usize) -> String {
    grid(record).text(width)
}

fn grid(record: &OverlapRecord) -> Grid {
    let OverlapRecord { train, test, overlaps, .. } = record;
    let title = format!("TEST has {}, TRAIN {}", counted(test.rows, "row"), counted(train.rows, "row"));
    let mut grid = Grid::new(title, &["overlap", "TRAIN has", "rows of TEST", "share", "distinct in TRAIN"]);
    grid.left = 2;
    for counts in overlaps {
        let about = counts.overlap.parse().map_or("", Overlap::about);
        grid.rows.push(vec![
            Cell::from(&counts.overlap),
            Cell::from(about),
            Cell::from(count(counts.rows)),
            Cell::from(share(counts.rows, test.rows)),
            Cell::from(count(counts.distinct_in_train)),
        ]);
    }
    if overlaps.len() > 1 {
        let cells = [count(record.overlapping), share(record.overlapping, test.rows)].map(Cell::from);
        let [rows, share] = cells;
        grid.rows.push(vec!["any".into(), "one of these".into(), rows, share, Cell::default()]);
    }
    grid.notes = vec![
        "distinct in TRAIN: the number of different puzzles or grids; equal or equivalent ones count once"
            .to_owned(),
    ];
    grid.notes.extend(notes("TEST", test).into_iter().chain(notes("TRAIN", train)));
    if record.interrupted {
        grid.note("interrupted: there are more rows in TEST");
    }
    grid
}

/// Returns notes about puzzles that were not compared by their solution, and about malformed rows.
fn notes(name: &str, dataset: &DatasetRowsRecord) -> Vec<String> {
    let puzzles = dataset.rows - dataset.malformed;
    let others = dataset.unique.map_or(0, |unique| puzzles - unique);
    let mut notes = Vec::new();
    if others > 0 {
        let (has, solutions) = if others == 1 { ("has", "its") } else { ("have", "their") };
        notes.push(format!(
            "{name}: {} {has} no unique solution and {} not compared by {solutions} solution",
            counted(others, "puzzle"),
            if others == 1 { "is" } else { "are" },
        ));
    }
    if dataset.malformed > 0 {
        let rows = counted(dataset.malformed, "malformed row");
        notes.push(format!("{name}: {rows} without a puzzle"));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn counts_as_text() {
        let mut record = fixtures::overlap_record();
        let text = overlap_text(&record, usize::MAX);
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
        insta::assert_snapshot!(text);
        record.overlaps.truncate(1);
        record.interrupted = true;
        insta::assert_snapshot!(overlap_text(&record, 60));
    }
}
