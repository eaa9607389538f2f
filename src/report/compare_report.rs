//! Records side by side, for a terminal and as Markdown.

use super::grid::{Cell, Grid};
use super::{count, plural, units};
use crate::analysis::{Change, Compared, Comparison, OtherLevel};

/// How many puzzles a note names.
const NAMED: usize = 10;

/// The comparisons as text, with a warning of each of the `levels`. `names` are those of the records, the first that
/// of the one compared with. In lines of at most `width` columns.
pub fn compare_text(
    comparisons: &[Comparison],
    levels: &[OtherLevel],
    names: &[String],
    width: usize,
) -> String {
    grid(comparisons, levels, names).text(width)
}

/// The comparisons as Markdown.
pub fn compare_markdown(comparisons: &[Comparison], levels: &[OtherLevel], names: &[String]) -> String {
    format!("## sudobench compare\n\n{}", grid(comparisons, levels, names).markdown())
}

fn grid(comparisons: &[Comparison], levels: &[OtherLevel], names: &[String]) -> Grid {
    let headers =
        ["solver", "dataset", "record", "puzzles/s before", "now", "time", "95% interval", "verdict"];
    let first = names.first().map_or("", String::as_str);
    let mut grid = Grid::new(format!("Against {first}"), &headers);
    grid.left = 3;
    grid.notes.extend(levels.iter().map(|other| level_note(other, names)));
    for comparison in comparisons {
        let name = names.get(comparison.record).map_or("", String::as_str);
        let mut row: Vec<Cell> =
            [comparison.solver.as_str(), &comparison.dataset, name].map(Cell::from).to_vec();
        match &comparison.outcome {
            Compared::Both(change) => {
                row.extend(cells(change));
                grid.notes.extend(notes(comparison, change));
            }
            Compared::Not(reason) => {
                row.extend((0..4).map(|_| Cell::none()));
                row.push(Cell::from("not compared"));
                grid.notes.push(format!("{} on {}: {reason}", comparison.solver, comparison.dataset));
            }
        }
        grid.rows.push(row);
    }
    let all_kept = comparisons.iter().all(|comparison| match &comparison.outcome {
        Compared::Both(change) => change.kept,
        Compared::Not(_) => true,
    });
    if !all_kept {
        grid.notes.push(
            "which puzzles changed is known where both records were made with --keep-puzzles".to_owned(),
        );
    }
    grid.notes.push(
        "runs of different times do not share the machine's state: `sudobench gate --base` compares binaries"
            .to_owned(),
    );
    grid
}

fn level_note(other: &OtherLevel, names: &[String]) -> String {
    let name = |record: usize| names.get(record).map_or("", String::as_str);
    format!(
        "{} was measured at the vector level {}, {} at {}: times may differ for that alone, and so may the nodes and \
         guesses of bitslice and auto; measure with the same --simd",
        name(other.record),
        other.now,
        name(0),
        other.first
    )
}

fn cells(change: &Change) -> Vec<Cell> {
    let (before, now) = change.throughput;
    let ratio = &change.time_ratio;
    let verdict = match (change.significant, ratio.median > 1.0) {
        (false, _) if !change.enough_rounds => "too few rounds",
        (false, _) => "no difference shown",
        (true, true) => "slower",
        (true, false) => "faster",
    };
    vec![
        Cell::number(before, units::number(before)),
        Cell::number(now, units::number(now)),
        Cell::number(ratio.median, percent(ratio.median)),
        Cell::from(format!("{} to {}", percent(ratio.low), percent(ratio.high))),
        Cell::from(verdict),
    ]
}

fn percent(ratio: f64) -> String {
    format!("{:+.1}%", (ratio - 1.0) * 100.0)
}

fn notes(comparison: &Comparison, change: &Change) -> Vec<String> {
    let who = format!("{} on {}", comparison.solver, comparison.dataset);
    let counters = change
        .counters
        .iter()
        .map(|(name, before, now)| format!("{name} {} -> {}", count(*before), count(*now)));
    let counters: Vec<String> = counters.collect();
    let mut notes = Vec::new();
    if !counters.is_empty() {
        notes.push(format!("{who}: {}", counters.join(", ")));
    }
    for (budget, numbers) in &change.newly_beyond {
        let named: Vec<String> = numbers.iter().map(u64::to_string).collect();
        notes.push(format!("{who}: newly beyond {budget}: {}", list("puzzle", &named)));
    }
    if !change.more_nodes.is_empty() {
        let named: Vec<String> = (change.more_nodes.iter())
            .map(|(number, before, now)| format!("{number} ({} -> {})", count(*before), count(*now)))
            .collect();
        notes.push(format!("{who}: more nodes on {}", list("puzzle", &named)));
    }
    notes
}

/// `puzzle 1`, `puzzles 1, 2` or `puzzles 1, 2, ... and 5 more`.
fn list(noun: &str, named: &[String]) -> String {
    let shown = &named[..named.len().min(NAMED)];
    let rest = if named.len() > NAMED { format!(" and {} more", named.len() - NAMED) } else { String::new() };
    format!("{} {}{rest}", plural(named.len() as u64, noun), shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Interval;

    fn comparisons() -> Vec<Comparison> {
        let change = Change {
            throughput: (1e6, 8e5),
            time_ratio: Interval { median: 1.25, low: 1.2, high: 1.3 },
            significant: true,
            enough_rounds: true,
            counters: vec![("nodes".to_owned(), 1_000, 1_100)],
            newly_beyond: vec![("80ms (C++14)".to_owned(), vec![7])],
            more_nodes: (1..=12).map(|number| (number, 10, 20)).collect(),
            kept: true,
        };
        let same = Change {
            significant: false,
            counters: Vec::new(),
            newly_beyond: Vec::new(),
            more_nodes: Vec::new(),
            kept: false,
            ..change.clone()
        };
        let comparison = |solver: &str, outcome| Comparison {
            solver: solver.to_owned(),
            dataset: "a.txt".to_owned(),
            record: 1,
            outcome,
        };
        vec![
            comparison("mrv", Compared::Both(Box::new(change))),
            comparison("dlx", Compared::Both(Box::new(same))),
            comparison("new", Compared::Not("only in the later record".to_owned())),
        ]
    }

    #[test]
    fn comparisons_as_text() {
        let names = ["before.json".to_owned(), "now.json".to_owned()];
        let level = OtherLevel { record: 1, first: "avx2".to_owned(), now: "avx512".to_owned() };
        insta::assert_snapshot!(compare_text(&comparisons(), &[level], &names, usize::MAX));
        assert!(
            compare_markdown(&comparisons(), &[], &names).contains("| mrv | a.txt | now.json | 1,000,000 |")
        );
    }
}
