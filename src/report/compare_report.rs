//! Records side by side, for a terminal and as Markdown.

use super::grid::{Cell, Grid};
use super::{count, duration_ns, plural, units};
use crate::analysis::{Change, Compared, Comparison, JudgedChange, OtherLevel};
use crate::record::PuzzleName;

/// How many puzzles a note names.
const NAMED: usize = 10;

/// Why a difference in time may mean nothing.
const MACHINE_STATE: &str = "runs of different times do not share the machine's state";

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

/// Where the first record is of `judge`, none is of anything else that can be compared with it.
fn grid(comparisons: &[Comparison], levels: &[OtherLevel], names: &[String]) -> Grid {
    let is_judged = |comparison: &Comparison| matches!(comparison.outcome, Compared::Judged(_));
    let mut grid = match comparisons.iter().any(is_judged) {
        true => judged_grid(comparisons, names),
        false => measured_grid(comparisons, names),
    };
    grid.notes.splice(0..0, levels.iter().map(|other| level_note(other, names)));
    grid
}

/// Programs under the judge. Who was accepted and is not any more comes first, and so does what is said of them.
fn judged_grid(comparisons: &[Comparison], names: &[String]) -> Grid {
    let headers = ["program", "dataset", "record", "verdict", "accepted", "p50", "mean"];
    let first = names.first().map_or("", String::as_str);
    let mut grid = Grid::new(format!("Against {first}: verdicts, and processor time of a run"), &headers);
    grid.left = 3;
    let mut sorted: Vec<&Comparison> = comparisons.iter().collect();
    sorted.sort_by_key(|comparison| match &comparison.outcome {
        Compared::Judged(change) => (!change.is_lost(), change.verdict.1 <= change.verdict.0),
        _ => (true, true),
    });
    for comparison in sorted {
        let mut row = identity(comparison, names);
        match &comparison.outcome {
            Compared::Judged(change) => {
                row.extend(judged_cells(change));
                grid.notes.extend(judged_notes(comparison, change));
            }
            Compared::Not(reason) => {
                row.push(Cell::from("not compared"));
                row.extend((1..4).map(|_| Cell::none()));
                grid.notes.push(format!("{} on {}: {reason}", comparison.solver, comparison.dataset));
            }
            Compared::Both(_) => continue,
        }
        grid.rows.push(row);
    }
    grid.notes.push(MACHINE_STATE.to_owned());
    grid
}

/// Who on what in which record.
fn identity(comparison: &Comparison, names: &[String]) -> Vec<Cell> {
    let name = names.get(comparison.record).map_or("", String::as_str);
    [comparison.solver.as_str(), &comparison.dataset, name].map(Cell::from).to_vec()
}

fn judged_cells(change: &JudgedChange) -> [Cell; 4] {
    let arrow = |before: String, now: String| {
        Cell::from(if before == now { now } else { format!("{before} -> {now}") })
    };
    let (verdict, accepted, p50) = (change.verdict, change.accepted, change.p50_ns);
    let of = |(part, all): (u64, u64)| format!("{}/{}", count(part), count(all));
    let ratio = change.mean_ns.1 / change.mean_ns.0.max(1.0);
    [
        arrow(verdict.0.letters().to_owned(), verdict.1.letters().to_owned()),
        arrow(of(accepted.0), of(accepted.1)),
        arrow(duration_ns(p50.0 as f64), duration_ns(p50.1 as f64)),
        Cell::number(ratio, percent(ratio)),
    ]
}

fn judged_notes(comparison: &Comparison, change: &JudgedChange) -> Vec<String> {
    let who = format!("{} on {}", comparison.solver, comparison.dataset);
    let mut notes = Vec::new();
    if change.is_lost() {
        notes.push(format!("{who}: was accepted and is not: {}", change.verdict.1.words()));
    }
    if let Some((before, now)) = &change.limits {
        notes.push(format!("{who}: other limits: {before} before, {now} now"));
    }
    if !change.puzzles.is_empty() {
        let named: Vec<String> = (change.puzzles.iter())
            .map(|it| format!("{} ({} -> {})", it.number, it.before.letters(), it.now.letters()))
            .collect();
        notes.push(format!("{who}: {}", list("puzzle", &named)));
    }
    let ((before, of_before), (now, of_now)) = change.accepted;
    if !change.puzzles_are_all && (before, now) != (of_before, of_now) {
        notes.push(format!(
            "{who}: not all puzzles that changed are known: records name the first failures, and other samples hold \
             other puzzles"
        ));
    }
    let within = (change.within.iter())
        .map(|(label, before, now)| format!("within {label} {} -> {}", count(*before), count(*now)));
    let within: Vec<String> = within.collect();
    if !within.is_empty() {
        notes.push(format!("{who}: {}", within.join(", ")));
    }
    notes
}

fn measured_grid(comparisons: &[Comparison], names: &[String]) -> Grid {
    let headers =
        ["solver", "dataset", "record", "puzzles/s before", "now", "time", "95% interval", "verdict"];
    let first = names.first().map_or("", String::as_str);
    let mut grid = Grid::new(format!("Against {first}"), &headers);
    grid.left = 3;
    for comparison in comparisons {
        let mut row = identity(comparison, names);
        match &comparison.outcome {
            Compared::Both(change) => {
                row.extend(cells(change));
                grid.notes.extend(notes(comparison, change));
            }
            Compared::Judged(_) => continue,
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
        Compared::Judged(_) | Compared::Not(_) => true,
    });
    if !all_kept {
        grid.notes.push(
            "which puzzles changed is known where both records were made with --keep-puzzles".to_owned(),
        );
    }
    let machine = format!("{MACHINE_STATE}: `sudobench gate --base` compares binaries");
    grid.notes.push(machine);
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
    for (budget, names) in &change.newly_beyond {
        let named: Vec<String> = names.iter().map(in_list).collect();
        notes.push(format!("{who}: newly beyond {budget}: {}", list("puzzle", &named)));
    }
    if !change.more_nodes.is_empty() {
        let named: Vec<String> = (change.more_nodes.iter())
            .map(|(name, before, now)| format!("{} ({} -> {})", in_list(name), count(*before), count(*now)))
            .collect();
        notes.push(format!("{who}: more nodes on {}", list("puzzle", &named)));
    }
    notes
}

/// A puzzle among others.
fn in_list(name: &PuzzleName) -> String {
    let form = name.form.map_or(String::new(), |form| format!(" form {form}"));
    format!("{}{form}", name.number)
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
    use crate::analysis::compare;
    use crate::record::fixtures;
    use crate::statistics::Interval;

    fn comparisons() -> Vec<Comparison> {
        let name = |number| PuzzleName { number, form: None };
        let change = Change {
            throughput: (1e6, 8e5),
            time_ratio: Interval { median: 1.25, low: 1.2, high: 1.3 },
            significant: true,
            enough_rounds: true,
            counters: vec![("nodes".to_owned(), 1_000, 1_100)],
            newly_beyond: vec![("80ms (C++14)".to_owned(), vec![name(7)])],
            more_nodes: (1..=12).map(|number| (name(number), 10, 20)).collect(),
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
    fn judged_comparisons_as_text() {
        let before = fixtures::judge_record();
        let mut now = before.clone();
        let of_slow = now.pairs[1].measurement.clone().unwrap().judge.unwrap();
        let measurement = now.pairs[0].measurement.as_mut().unwrap();
        measurement.budgets[1].within = 3;
        let judge = measurement.judge.as_mut().unwrap();
        (judge.verdict, judge.verdicts) = (of_slow.verdict, of_slow.verdicts.clone());
        (judge.failures, judge.cpu_ns) = (of_slow.failures.clone(), of_slow.cpu_ns);
        let slow = now.pairs[1].measurement.as_mut().unwrap().judge.as_mut().unwrap();
        slow.time_limit_ns = 5_000_000_000;
        slow.failures.pop();
        now.pairs.reverse();
        let mut missing = now.pairs[0].clone();
        missing.solver = "new".to_owned();
        now.pairs.push(missing);
        let names = ["before.json".to_owned(), "now.json".to_owned()];
        let comparisons = compare(&[before, now]);
        insta::assert_snapshot!(compare_text(&comparisons, &[], &names, 80));
        let markdown = compare_markdown(&comparisons, &[], &names);
        assert!(markdown.contains("| quick | easy.txt | now.json | AC -> TLE |"), "{markdown}");
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
