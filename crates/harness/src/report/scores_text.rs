//! The result of `score`, for a terminal and as Markdown: the accuracies of predictions.

use sudobench_rows::{Accuracy, number};
use sudobench_sudoku::rate::Difficulty;

use super::grid::{Cell, Grid, markdown_report, texts};
use super::{count, counted};
use crate::record::{RowsRecord, ScoreRecord, ScoresRecord};

/// Returns the accuracies as text, in lines of at most `width` columns.
pub fn scores_text(scores: &ScoresRecord, width: usize) -> String {
    texts(&grids(scores), width)
}

/// Returns the accuracies of a run as Markdown. If the run has none, the text has only the heading and the description of the run.
pub fn scores_markdown(record: &RowsRecord) -> String {
    let grids = record.scores.as_ref().map(grids).unwrap_or_default();
    markdown_report("sudobench score", &source(record), &grids)
}

/// Says what was scored, when and by which version.
pub(super) fn source(record: &RowsRecord) -> String {
    let names: String = record.inputs.iter().map(|input| format!("{}, ", input.path)).collect();
    let interrupted = if record.interrupted { "; interrupted before the last row" } else { "" };
    let (started, version) = (&record.started, &record.build.version);
    format!("{names}{started}; sudobench {version}{interrupted}")
}

pub(super) fn grids(scores: &ScoresRecord) -> Vec<Grid> {
    let mut grids = vec![all_rows(&scores.all)];
    grids.extend((!scores.pass_at.is_empty()).then(|| pass_at(scores)));
    grids.extend(scores.bucket_by.as_ref().map(|column| buckets(scores, column)));
    grids
}

/// Returns the name and the accuracies of each bucket: first ranges or numbers by size, then difficulties from easy to hard, then other
/// values.
pub(super) fn ordered(scores: &ScoresRecord) -> Vec<(String, &ScoreRecord)> {
    let name = |value: &str| if value.is_empty() { "(empty)".to_owned() } else { value.to_owned() };
    let ranges = scores.ranges.iter().map(|range| {
        let name = if range.from == range.to {
            range.from.to_string()
        } else {
            format!("{} to {}", range.from, range.to)
        };
        (name, &range.score)
    });
    let has_ranges = !scores.ranges.is_empty();
    let shown = scores.buckets.iter().filter(|(value, _)| !(has_ranges && number(value).is_some()));
    let mut values: Vec<(&String, &ScoreRecord)> = shown.collect();
    values.sort_by(|(one, _), (other, _)| match (number(one), number(other)) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (None, None) => rank(one).cmp(&rank(other)),
        (one, other) => other.is_some().cmp(&one.is_some()),
    });
    ranges.chain(values.into_iter().map(|(value, score)| (name(value), score))).collect()
}

/// Returns a key that sorts difficulties from easy to hard, before other values.
fn rank(value: &str) -> (bool, Option<Difficulty>) {
    let difficulty = value.parse().ok();
    (difficulty.is_none(), difficulty)
}

fn all_rows(all: &ScoreRecord) -> Grid {
    let title = format!("Scores of {}", counted(all.puzzles, "prediction"));
    let mut grid = Grid::new(title, &["measure", "meaning", "mean", "95 % interval"]);
    grid.left = 2;
    let measures = [
        ("exact", "it is the solution", all.exact),
        ("valid", "it is complete, keeps the clues and obeys the rules", all.valid),
        ("cell accuracy", "right cells / 81, clues included", all.cell_accuracy),
        ("blank accuracy", "right blanks / blanks of the puzzle", all.blank_accuracy),
    ];
    for (name, about, accuracy) in measures {
        let [mean, interval] = cells(accuracy);
        grid.rows.push(vec![name.into(), about.into(), mean, interval]);
    }
    if let Some(pooled) = all.blank_accuracy_pooled {
        let name = "blank accuracy, pooled".into();
        grid.rows.push(vec![name, "all right blanks / all blanks".into(), percent(pooled), Cell::default()]);
    }
    let (long, uncompared) = (all.overlong, all.puzzles - all.overlong - all.compared);
    if uncompared > 0 {
        let others = counted(uncompared, "prediction");
        grid.note(format!(
            "{others} for puzzles without exactly one solution: not in the cell and blank accuracies"
        ));
    }
    if long > 0 {
        let rows = counted(long, "row");
        grid.note(format!(
            "{rows} too long to be read: counted as wrong, but not in the cell and blank accuracies"
        ));
    }
    if all.malformed_predictions > 0 {
        let unread = counted(all.malformed_predictions, "prediction");
        grid.note(format!("{unread} cannot be read: counted as wrong"));
    }
    if all.wrong_expected > 0 {
        let wrong = counted(all.wrong_expected, "expected solution");
        grid.note(format!("{wrong} that did not solve the puzzle: the puzzle was solved instead"));
    }
    grid
}

fn pass_at(scores: &ScoresRecord) -> Grid {
    let groups = scores.pass_at.first().map_or(0, |found| found.groups);
    let title = match &scores.group_by {
        Some(column) => format!("pass@k over {} by {column}", counted(groups, "group")),
        None => format!("pass@k over {}", counted(groups, "different puzzle")),
    };
    let mut grid = Grid::new(title, &["k", "mean", "95 % interval"]);
    for found in &scores.pass_at {
        let [mean, interval] = cells(found.accuracy);
        grid.rows.push(vec![found.k.to_string().into(), mean, interval]);
        if found.too_small > 0 {
            let groups = counted(found.too_small, "group");
            grid.note(format!("{groups} of fewer than {0} predictions: pass@{0} has no value", found.k));
        }
    }
    if scores.all.overlong > 0 {
        grid.note(format!("{} too long to be read: in no group", counted(scores.all.overlong, "row")));
    }
    if groups < scores.all.puzzles - scores.all.overlong {
        grid.note("These intervals are over groups. The intervals above take each prediction as a sample of its own.".to_owned());
    }
    grid
}

fn buckets(scores: &ScoresRecord, column: &str) -> Grid {
    let mut grid = Grid::new(
        format!("By {column}"),
        &[column, "predictions", "exact", "95 % interval", "valid", "cell accuracy", "blank accuracy"],
    );
    for (value, score) in ordered(scores) {
        let [exact, interval] = cells(score.exact);
        let [[valid, _], [right, _], [blanks, _]] =
            [score.valid, score.cell_accuracy, score.blank_accuracy].map(cells);
        grid.rows.push(vec![
            value.as_str().into(),
            count(score.puzzles).into(),
            exact,
            interval,
            valid,
            right,
            blanks,
        ]);
    }
    if scores.buckets.is_empty() && scores.all.puzzles > 0 {
        grid.note(format!("{column} has too many different values to list"));
    }
    grid
}

fn cells(accuracy: Option<Accuracy>) -> [Cell; 2] {
    match accuracy {
        Some(Accuracy { mean, low, high }) => {
            [percent(mean), format!("{} - {}", percent_text(low), percent_text(high)).into()]
        }
        None => [Cell::none(), Cell::none()],
    }
}

fn percent(share: f64) -> Cell {
    Cell::number(share, percent_text(share))
}

pub(super) fn percent_text(share: f64) -> String {
    format!("{:.2}%", percent_of(share, 100.0))
}

/// Returns a share in percent, rounded to a multiple of 1 / `parts`. A share below 1 stays below 100, so that 100% means all.
pub(super) fn percent_of(share: f64, parts: f64) -> f64 {
    let most = if share < 1.0 { 100.0 * parts - 1.0 } else { 100.0 * parts };
    (share * 100.0 * parts).round().min(most) / parts
}

#[cfg(test)]
mod tests {
    use sudobench_rows::PredictionGroups;

    use super::*;
    use crate::record::fixtures;

    #[test]
    fn only_several_predictions_in_a_group_have_a_note() {
        let mut scores = fixtures::score_record().scores.unwrap();
        let mut groups = PredictionGroups::default();
        (0..scores.all.puzzles).for_each(|row| groups.add(row.into(), true));
        scores.pass_at = vec![groups.pass_at(std::num::NonZeroU32::MIN)];
        let has_note =
            |scores: &ScoresRecord| scores_text(scores, 200).contains("These intervals are over groups");
        assert!(!has_note(&scores));
        // A row that is too long is in no group.
        scores.all.puzzles += 1;
        scores.all.overlong = 1;
        assert!(
            !has_note(&scores)
                && scores_text(&scores, 200).contains("1 row too long to be read: in no group")
        );
        scores.all.puzzles += 1;
        assert!(has_note(&scores));
    }

    #[test]
    fn only_all_is_a_hundred_percent() {
        for (hits, of, text) in [
            (57, 100, "57.00%"),
            (29, 100, "29.00%"),
            (1, 3, "33.33%"),
            (2, 3, "66.67%"),
            (99_999, 100_000, "99.99%"),
            (7, 7, "100.00%"),
        ] {
            assert_eq!(percent(f64::from(hits) / f64::from(of)).text, text);
        }
    }
}
