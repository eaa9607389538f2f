//! The page of `score`: the accuracies, a plot of the accuracies by bucket, and a map of the cells that are often wrong.

use maud::{Markup, html};
use sudobench_rows::{CellCounts, number};

use super::plot::{line, short, text};
use super::trend_plot::{Join, TrendLine, TrendPlot, TrendPoint};
use super::{page, table};
use crate::record::{RowsRecord, ScoreRecord, ScoresRecord};
use crate::report::scores_text::{grids, ordered, percent_of, percent_text, source};
use crate::report::{count, counted};

const STYLE: &str = include_str!("scores.css");

/// The side of a cell of a map, and the space around the map, in the units of the SVG file.
const CELL: f64 = 38.0;
const MARGIN: f64 = 20.0;

/// Opacity of the colour of the cell that is wrong most often. With a higher opacity, the colour would hide the cell's number.
const STRONGEST: f64 = 0.6;

/// Returns the page of a run of `score`. If the run has no scores, the page has no tables.
pub fn scores_page(record: &RowsRecord) -> String {
    let body = html! {
        p.quiet { (source(record)) }
        @if let Some(scores) = &record.scores {
            @for grid in grids(scores) { (table(&grid)) }
            @if let Some(plot) = by_bucket(scores) { (plot.html()) }
            (maps(scores))
        }
        h2 { "Conditions" }
        dl {
            @if !record.arguments.is_empty() {
                dt { "command" }
                dd { code { "sudobench " (record.arguments.join(" ")) } }
            }
            dt { "build" }
            dd { (record.build.commit) ", " (record.build.target) }
        }
    };
    page("sudobench score", STYLE, &body)
}

fn by_bucket(scores: &ScoresRecord) -> Option<TrendPlot> {
    let column = scores.bucket_by.as_ref()?;
    let buckets = ordered(scores);
    let point = |(place, (value, score)): (usize, &(String, &ScoreRecord))| {
        let exact = score.exact?;
        let label =
            format!("{value}: {} of {}", percent_text(exact.mean), counted(score.puzzles, "prediction"));
        Some(TrendPoint { place, value: exact.mean, interval: Some((exact.low, exact.high)), label })
    };
    let points: Vec<TrendPoint> = buckets.iter().enumerate().filter_map(point).collect();
    let are_numbers = scores.buckets.keys().all(|value| number(value).is_some());
    (!points.is_empty()).then(|| TrendPlot {
        title: format!("Exact predictions by {column}"),
        description:
            "Share of the predictions that are the solution, with its 95 % interval; higher is better."
                .to_owned(),
        across: column.clone(),
        label: "exact predictions",
        shown: percent_text,
        most: 1.0,
        join: if are_numbers { Join::Straight } else { Join::Apart },
        names: buckets.iter().map(|(value, _)| value.clone()).collect(),
        lines: vec![TrendLine { name: "exact".to_owned(), points }],
        changes: Vec::new(),
    })
}

/// If any prediction was compared with a solution, draws the map of the blanks and, if any clue is wrong, the map of the clues.
fn maps(scores: &ScoresRecord) -> Markup {
    let cells = &scores.cells;
    let clues_are_wrong = cells.wrong_clues.0.iter().any(|&wrong| wrong > 0);
    html! {
        @if scores.all.compared > 0 {
            h2 { "Errors by cell" }
            div.plots {
                (map("Wrong blanks", "blank", &cells.wrong_blanks, &cells.blanks))
                @if clues_are_wrong { (map("Wrong clues", "clue", &cells.wrong_clues, &cells.clues)) }
            }
            p.note {
                "Each number is the percentage of puzzles in which the cell is wrong. Only puzzles that are compared with a solution and in which the cell is a blank (on the map of wrong clues: a clue) are counted. "
                @if !clues_are_wrong { "All clues of the puzzles compared with a solution are kept. " }
                @if scores.all.malformed_predictions > 0 { "A prediction that cannot be read is wrong in all cells." }
            }
        }
    }
}

/// Draws the board with the share of wrong predictions for each cell. Only the puzzles in which the cell is a `kind` (`blank` or `clue`)
/// are counted.
fn map(title: &str, kind: &str, wrong: &CellCounts, of: &CellCounts) -> Markup {
    let shares: Vec<Option<f64>> =
        wrong.0.iter().zip(of.0).map(|(&wrong, of)| (of > 0).then(|| wrong as f64 / of as f64)).collect();
    let most = shares.iter().flatten().copied().fold(0.0, f64::max);
    let worst = shares.iter().position(|share| *share == Some(most)).filter(|_| most > 0.0);
    let worst = worst.map_or("none".to_owned(), |cell| format!("{}, {}", name(cell), percent_text(most)));
    let side = 9.0 * CELL;
    html! {
        figure {
            h3 { (title) }
            svg.map viewBox={ "0 0 " (side + 2.0 * MARGIN) " " (side + 2.0 * MARGIN) } role="img"
                aria-label={ (title) ". Most often wrong: " (worst) } {
                @for number in 0..9 {
                    @let middle = MARGIN + CELL * (f64::from(number) + 0.5);
                    (text("tick", (middle, MARGIN - 6.0), "middle", &(number + 1).to_string()))
                    (text("tick", (MARGIN - 10.0, middle + 4.0), "middle", &(number + 1).to_string()))
                }
                @for (cell, share) in shares.iter().enumerate() {
                    @if let Some(share) = *share {
                        @let (x, y) = (MARGIN + CELL * (cell % 9) as f64, MARGIN + CELL * (cell / 9) as f64);
                        g {
                            title {
                                (name(cell)) ": wrong in " (count(wrong.0[cell])) " of " (counted(of.0[cell], "puzzle")) " with a " (kind) " there"
                            }
                            rect.heat x=(short(x)) y=(short(y)) width=(short(CELL)) height=(short(CELL))
                                fill-opacity=(format!("{:.3}", STRONGEST * share / most.max(f64::MIN_POSITIVE))) {}
                            (text("share", (x + CELL / 2.0, y + CELL / 2.0 + 4.0), "middle", &short_percent(share)))
                        }
                    }
                }
                @for number in 0..=9 {
                    @let (class, at) = (if number % 3 == 0 { "box" } else { "grid" }, MARGIN + CELL * f64::from(number));
                    (line(class, (at, MARGIN), (at, MARGIN + side)))
                    (line(class, (MARGIN, at), (MARGIN + side, at)))
                }
            }
            figcaption { "Most often wrong: " (worst) "." }
        }
    }
}

/// Returns the name of a cell, such as `r1c9`.
fn name(cell: usize) -> String {
    format!("r{}c{}", cell / 9 + 1, cell % 9 + 1)
}

/// Formats a share in percent, short enough for a cell of the map.
fn short_percent(share: f64) -> String {
    match percent_of(share, 10.0) {
        0.0 if share > 0.0 => "<0.1".to_owned(),
        0.0 => "0".to_owned(),
        percent if percent < 10.0 => format!("{percent:.1}"),
        _ => percent_of(share, 1.0).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn the_page_has_tables_a_plot_and_a_map() {
        let mut record = fixtures::score_record();
        let page = scores_page(&record);
        for part in [
            "<h3>Exact predictions by level</h3>",
            "<h3>Wrong blanks</h3>",
            "Most often wrong: r1c2, 50.00%.",
            "r1c2: wrong in 1 of 2 puzzles with a blank there",
            "All clues of the puzzles compared with a solution are kept.",
            "&lt;b&gt;: 100.00% of 1 prediction",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        // The buckets are named by words, not by numbers, so no curve joins their points.
        assert_eq!((page.matches("role=\"img\"").count(), page.matches("<polyline").count()), (2, 0));
        assert_eq!(page.matches("<rect").count(), 2, "cells that are blank in a puzzle");
        for word in ["http:", "https:", "<script", "url(", "@import", "src=", "<b>"] {
            assert!(!page.contains(word), "{word}");
        }
        let scores = record.scores.as_mut().unwrap();
        scores.cells.wrong_clues.0[80] = 1;
        scores.bucket_by = None;
        let page = scores_page(&record);
        assert!(page.contains("<h3>Wrong clues</h3>") && !page.contains("by level"), "{page}");
        record.scores.as_mut().unwrap().all.compared = 0;
        assert!(!scores_page(&record).contains("Errors by cell"));
    }

    #[test]
    fn shares_fit_in_a_cell() {
        let shown = [0.0, 0.0001, 0.0123, 0.0994, 0.0996, 0.1, 0.29, 299.0 / 300.0, 1.0].map(short_percent);
        assert_eq!(shown, ["0", "<0.1", "1.2", "9.9", "10", "10", "29", "99", "100"]);
    }
}
