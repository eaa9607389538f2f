//! Reports the comparisons of records, for a terminal and as Markdown.

use super::figure_cell::{shown, unit_cell};
use super::grid::{Cell, Grid};
use super::{count, counted, plural};
use crate::analysis::{
    Caveat, CaveatKind, Change, Comparison, ComparisonOutcome, Difference, JudgedChange, RatioInterval,
    TimeVerdict,
};
use crate::figures::{MOST_NAMED, listed};
use crate::record::registry::{MEAN, P50, THROUGHPUT};
use crate::record::{Clock, PuzzleName};
use crate::statistics::ENOUGH_RUNS;

/// A note that explains why a difference in time may have no meaning.
const MACHINE_STATE: &str = "runs at different times find the machine in different states, so their times may differ for this reason alone";

/// Returns the comparisons and the `caveats` as text, in lines of at most `width` columns. `names` are the names of the records. Each later
/// record is compared with the first record.
pub fn compare_text(
    comparisons: &[Comparison],
    caveats: &[Caveat],
    names: &[String],
    width: usize,
) -> String {
    grid(comparisons, caveats, names).text(width)
}

/// Returns the comparisons as Markdown.
pub fn compare_markdown(comparisons: &[Comparison], caveats: &[Caveat], names: &[String]) -> String {
    format!("## sudobench compare\n\n{}", grid(comparisons, caveats, names).markdown())
}

/// Returns the comparisons in one table. Its notes list changed counters, puzzles newly beyond a budget, and puzzles with more nodes.
fn grid(comparisons: &[Comparison], caveats: &[Caveat], names: &[String]) -> Grid {
    let mut grid = overview(comparisons, caveats, names);
    let details = measured_in_both(comparisons).flat_map(|(comparison, change)| notes(comparison, change));
    let at = level_notes(caveats, names).count();
    grid.notes.splice(at..at, details);
    grid
}

/// Returns the comparisons in tables: an overview, then tables of changed counters, of puzzles newly beyond a budget, and of puzzles with
/// more nodes.
pub(super) fn compare_grids(comparisons: &[Comparison], caveats: &[Caveat], names: &[String]) -> Vec<Grid> {
    let details = [changed_counters, newly_beyond, more_nodes].map(|table| table(comparisons, names));
    let details = details.into_iter().filter(|grid| !grid.rows.is_empty());
    std::iter::once(overview(comparisons, caveats, names)).chain(details).collect()
}

/// Makes the overview. If any pair was judged, the table is about verdicts, because a record of `judge` can be compared only with records
/// of `judge`.
fn overview(comparisons: &[Comparison], caveats: &[Caveat], names: &[String]) -> Grid {
    let is_judged = |comparison: &Comparison| matches!(comparison.outcome, ComparisonOutcome::Judged(_));
    let mut grid = match comparisons.iter().any(is_judged) {
        true => judged_grid(comparisons, names),
        false => measured_grid(comparisons, names),
    };
    grid.notes.splice(0..0, level_notes(caveats, names));
    grid.lead = leads(caveats, names);
    grid
}

/// Makes the table of programs under the judge. Programs that are accepted in the first record and not in a later record come first.
fn judged_grid(comparisons: &[Comparison], names: &[String]) -> Grid {
    let headers = ["program", "dataset", "record", "verdict", "accepted", P50.label, MEAN.label];
    let first = record_name(names, 0);
    let mut grid = Grid::new(format!("Against {first}: verdicts, and processor time of a run"), &headers);
    grid.left = 3;
    let mut sorted: Vec<&Comparison> = comparisons.iter().collect();
    sorted.sort_by_key(|comparison| match &comparison.outcome {
        ComparisonOutcome::Judged(change) => (!change.is_lost(), change.verdict.1 <= change.verdict.0),
        _ => (true, true),
    });
    for comparison in sorted {
        let mut row = identity(comparison, names);
        match &comparison.outcome {
            ComparisonOutcome::Judged(change) => {
                row.extend(judged_cells(change));
                grid.notes.extend(judged_notes(comparison, change));
            }
            ComparisonOutcome::Not(_) | ComparisonOutcome::Gone => {
                row.push(Cell::from("not compared"));
                row.resize(headers.len(), Cell::none());
            }
            ComparisonOutcome::Both(_) => continue,
        }
        grid.notes.extend(reason_note(comparison));
        grid.rows.push(row);
    }
    grid.notes.push(MACHINE_STATE.to_owned());
    grid
}

fn identity(comparison: &Comparison, names: &[String]) -> Vec<Cell> {
    let name = record_name(names, comparison.record);
    [comparison.solver.as_str(), &comparison.dataset, name].map(Cell::from).to_vec()
}

fn pair(comparison: &Comparison) -> String {
    format!("{} on {}", comparison.solver, comparison.dataset)
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
        arrow(shown(P50.unit)(p50.0 as f64), shown(P50.unit)(p50.1 as f64)),
        Cell::number(ratio, percent(ratio)),
    ]
}

fn judged_notes(comparison: &Comparison, change: &JudgedChange) -> Vec<String> {
    let who = pair(comparison);
    let mut notes = Vec::new();
    if change.is_lost() {
        notes.push(format!(
            "{who}: was accepted before and is not accepted now: {}",
            change.verdict.1.description()
        ));
    }
    if let Some((before, now)) = &change.limits {
        notes.push(format!("{who}: the limits changed: {before} before, {now} now"));
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
            "{who}: not all puzzles with another verdict are known: records name only the first failures, and another sample \
             contains other puzzles"
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
    let throughput_before = format!("{} before", THROUGHPUT.label);
    let headers = [
        "solver",
        "dataset",
        "record",
        &throughput_before,
        "now",
        "time",
        "verdict",
        "interval",
        "confidence",
        "runs",
    ];
    let first = record_name(names, 0);
    let mut grid = Grid::new(format!("Against {first}"), &headers);
    grid.left = 3;
    for comparison in comparisons {
        let mut row = identity(comparison, names);
        match &comparison.outcome {
            ComparisonOutcome::Both(change) => {
                row.extend(cells(change));
                grid.notes.extend(common_puzzles(comparison, change));
            }
            ComparisonOutcome::Judged(_) => continue,
            ComparisonOutcome::Not(_) | ComparisonOutcome::Gone => {
                row.extend((0..3).map(|_| Cell::none()));
                row.push(Cell::from("not compared"));
                row.resize(headers.len(), Cell::none());
            }
        }
        grid.notes.extend(reason_note(comparison));
        grid.rows.push(row);
    }
    let changes = || comparisons.iter().filter_map(Comparison::change);
    grid.notes.extend(interval_note(changes()));
    if changes().any(|change| change.verdict == TimeVerdict::TooFewRuns) {
        grid.notes.push(format!(
            "a ratio without a verdict may be noise: two runs at different times can differ by more than the rounds of one run do; \
             `sudobench bench --runs {ENOUGH_RUNS}` (or more) for both records gives verdicts, and so does `sudobench gate --base`, \
             which runs two binaries in turn"
        ));
    }
    if changes().any(|change| change.verdict == TimeVerdict::UnequalRuns) {
        grid.notes.push(
            "unequal runs: the runs reached different numbers of puzzles, so there is no verdict: set a --sample that is small enough for \
             --max-time-per-pair"
                .to_owned(),
        );
    }
    if !changes().all(|change| change.kept) {
        grid.notes.push(
            "the puzzles whose results changed are known only if both records were made with --keep-puzzles"
                .to_owned(),
        );
    }
    grid
}

/// Explains the intervals and the verdicts on times. `None` if there is no interval.
fn interval_note<'c>(changes: impl Iterator<Item = &'c Change>) -> Option<String> {
    let intervals: Vec<RatioInterval> = changes.filter_map(|change| change.interval).collect();
    let clock = |clock: Clock| intervals.iter().any(|interval| interval.clock == clock);
    let clocks = match (clock(Clock::Processor), clock(Clock::Wall)) {
        (true, true) => "processor time for solvers of this program on one thread, wall time for all others",
        (true, false) => "processor time",
        (false, true) => "wall time",
        (false, false) => return None,
    };
    Some(format!(
        "times are {clocks}; each interval contains the true difference with the stated confidence (Student's test on the runs of both records, with \
         Holm's procedure over {}): `faster` and `slower` mean that the whole interval is beyond the threshold (--same-within), `same` that the measured \
         difference is within the threshold, and `no difference shown` that neither is true",
        counted(intervals.len() as u64, "pair")
    ))
}

/// If one record reached more puzzles than the other, states which puzzles the time ratio is about.
fn common_puzzles(comparison: &Comparison, change: &Change) -> Option<String> {
    let (before, now) = change.puzzles;
    (before != now).then(|| {
        format!(
            "{}: {} before, {} now; the time is for the {} that both records have; there is no verdict, because a shorter pass takes less \
             time for each puzzle",
            pair(comparison),
            counted(before, "puzzle"),
            count(now),
            count(before.min(now))
        )
    })
}

fn reason_note(comparison: &Comparison) -> Option<String> {
    Some(format!("{}: {}", pair(comparison), comparison.reason()?))
}

/// Returns a note for each record whose SIMD level differs from the level of the first record.
fn level_notes(caveats: &[Caveat], names: &[String]) -> impl Iterator<Item = String> {
    caveats.iter().filter_map(|caveat| match &caveat.kind {
        CaveatKind::Level(Difference { before, now, .. }) => Some(format!(
            "{} was measured at the SIMD level {now}, {} at {before}: this difference alone can change the times, and also the nodes and \
             guesses of bitslice and auto; measure with the same --simd",
            record_name(names, caveat.record),
            record_name(names, 0),
        )),
        CaveatKind::Machine(_) | CaveatKind::Interrupted(_) => None,
    })
}

/// Returns the sentences that are shown before the table.
fn leads(caveats: &[Caveat], names: &[String]) -> Vec<String> {
    let lead = |caveat: &Caveat| match &caveat.kind {
        CaveatKind::Level(_) => None,
        CaveatKind::Interrupted(message) => Some(format!("{}: {message}", record_name(names, caveat.record))),
        CaveatKind::Machine(differences) => {
            let differences = differences.iter().map(|it| format!("{} {} ({})", it.what, it.now, it.before));
            let differences: Vec<String> = differences.collect();
            Some(format!(
                "{} was made on another machine or with another build profile than {} (whose values are in parentheses): {}; times of different machines say \
                 nothing about solvers: `sudobench compare --across-machines` shows their ratios without verdicts",
                record_name(names, caveat.record),
                record_name(names, 0),
                differences.join(", ")
            ))
        }
    };
    caveats.iter().filter_map(lead).collect()
}

fn record_name(names: &[String], record: usize) -> &str {
    names.get(record).map_or("", String::as_str)
}

fn cells(change: &Change) -> Vec<Cell> {
    let (before, now) = change.throughput;
    let interval = change.interval.map_or(Cell::none(), |bounds| {
        Cell::from(format!("{} to {}", percent(bounds.low), percent(bounds.high)))
    });
    let runs = change.interval.map_or(Cell::none(), |bounds| {
        Cell::from(format!("{} / {}", count(bounds.runs.0 as u64), count(bounds.runs.1 as u64)))
    });
    let verdict = match change.verdict {
        TimeVerdict::TooFewRuns => Cell::none(),
        verdict => Cell::from(in_words(verdict)),
    };
    let confidence = change.interval.map_or(Cell::none(), |bounds| {
        let in_percent = format!("{:.2}", bounds.confidence * 100.0);
        let short = in_percent.trim_end_matches('0').trim_end_matches('.');
        Cell::number(bounds.confidence, format!("{short}%"))
    });
    vec![
        unit_cell(THROUGHPUT.unit, before),
        unit_cell(THROUGHPUT.unit, now),
        Cell::number(change.time_ratio, percent(change.time_ratio)),
        verdict,
        interval,
        confidence,
        runs,
    ]
}

pub(super) fn in_words(verdict: TimeVerdict) -> &'static str {
    match verdict {
        TimeVerdict::Slower => "slower",
        TimeVerdict::Faster => "faster",
        TimeVerdict::Same => "same",
        TimeVerdict::NotSignificant => "no difference shown",
        TimeVerdict::TooFewRuns => "too few runs",
        TimeVerdict::UnequalRuns => "unequal runs",
        TimeVerdict::OtherMachine => "other machine",
        TimeVerdict::OtherPuzzles => "other puzzles",
    }
}

/// Formats the difference of a ratio from 1: `+25.0%`. A small difference gets more decimals, up to six.
pub(super) fn percent(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    let mut texts = (1..=6).map(|decimals| format!("{percent:+.decimals$}%"));
    let says = |text: &String| text.contains(|digit: char| ('1'..='9').contains(&digit));
    texts.find(says).unwrap_or_else(|| "+0.0%".to_owned())
}

fn notes(comparison: &Comparison, change: &Change) -> Vec<String> {
    let who = pair(comparison);
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

fn changed_counters(comparisons: &[Comparison], names: &[String]) -> Grid {
    let headers = ["solver", "dataset", "record", "counter", "before", "now", "difference"];
    let mut grid = Grid::new("Counters that changed", &headers);
    grid.left = 4;
    for (comparison, change) in measured_in_both(comparisons) {
        grid.rows.extend(change.counters.iter().map(|(name, before, now)| {
            let cells =
                [Cell::from(name.as_str()), Cell::count(*before), Cell::count(*now), rise(*before, *now)];
            identity(comparison, names).into_iter().chain(cells).collect()
        }));
    }
    grid
}

/// Makes the table of the puzzles that are within a budget in the first record and exceed it in a later record.
fn newly_beyond(comparisons: &[Comparison], names: &[String]) -> Grid {
    let headers = ["solver", "dataset", "record", "budget", "puzzles", "number"];
    let mut grid = Grid::new("Puzzles newly beyond a budget", &headers);
    grid.left = 5;
    for (comparison, change) in measured_in_both(comparisons) {
        grid.rows.extend(change.newly_beyond.iter().map(|(budget, puzzles)| {
            let named: Vec<String> = puzzles.iter().map(in_list).collect();
            let cells = [budget.clone(), listed(&named)].map(Cell::from);
            let cells = cells.into_iter().chain([Cell::count(puzzles.len() as u64)]);
            identity(comparison, names).into_iter().chain(cells).collect()
        }));
    }
    grid
}

/// Makes the table of the puzzles that take more nodes in a later record than in the first. For each pair, the table lists only the puzzles
/// with the largest increase.
fn more_nodes(comparisons: &[Comparison], names: &[String]) -> Grid {
    let headers = ["solver", "dataset", "record", "puzzle", "nodes before", "now", "difference"];
    let mut grid = Grid::new("Puzzles with more nodes", &headers);
    grid.left = 3;
    for (comparison, change) in measured_in_both(comparisons) {
        grid.rows.extend(change.more_nodes.iter().take(MOST_NAMED).map(|&(name, before, now)| {
            let cells =
                [Cell::from(in_list(&name)), Cell::count(before), Cell::count(now), rise(before, now)];
            identity(comparison, names).into_iter().chain(cells).collect()
        }));
        let others = change.more_nodes.len().saturating_sub(MOST_NAMED) as u64;
        if others > 0 {
            grid.note(format!("{}: and {}", pair(comparison), counted(others, "more puzzle")));
        }
    }
    grid
}

fn measured_in_both(comparisons: &[Comparison]) -> impl Iterator<Item = (&Comparison, &Change)> {
    comparisons.iter().filter_map(|comparison| Some((comparison, comparison.change()?)))
}

fn rise(before: u64, now: u64) -> Cell {
    match before {
        0 => Cell::none(),
        _ => Cell::number(now as f64 / before as f64, percent(now as f64 / before as f64)),
    }
}

fn in_list(name: &PuzzleName) -> String {
    let form = name.form.map_or(String::new(), |form| format!(" form {form}"));
    format!("{}{form}", name.number)
}

/// Returns a list with its noun: `puzzle 1`, `puzzles 1, 2` or `puzzles 1, 2, ... and 5 more`.
fn list(noun: &str, named: &[String]) -> String {
    format!("{} {}", plural(named.len() as u64, noun), listed(named))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{CompareTerms, compare};
    use crate::record::fixtures;

    fn comparisons() -> Vec<Comparison> {
        let name = |number| PuzzleName { number, form: None };
        let change = Change {
            throughput: (1e6, 8e5),
            puzzles: (60, 60),
            time_ratio: 1.25,
            interval: Some(RatioInterval {
                low: 1.2,
                high: 1.3,
                confidence: 0.975,
                clock: Clock::Processor,
                runs: (3, 5),
            }),
            verdict: TimeVerdict::Slower,
            counters: vec![("nodes".to_owned(), 1_000, 1_100)],
            newly_beyond: vec![("80ms (C++14)".to_owned(), vec![name(7)])],
            more_nodes: (1..=12).map(|number| (name(number), 10, 20)).collect(),
            kept: true,
        };
        let same = Change {
            interval: change.interval.map(|bounds| RatioInterval { low: 0.9, confidence: 0.95, ..bounds }),
            verdict: TimeVerdict::NotSignificant,
            counters: Vec::new(),
            newly_beyond: Vec::new(),
            more_nodes: Vec::new(),
            kept: false,
            ..change.clone()
        };
        let close = Change { time_ratio: 1.004, verdict: TimeVerdict::Same, ..same.clone() };
        let few = Change { verdict: TimeVerdict::TooFewRuns, interval: None, ..same.clone() };
        let short = Change { puzzles: (60, 12), verdict: TimeVerdict::OtherPuzzles, ..few.clone() };
        let comparison = |solver: &str, outcome| Comparison {
            solver: solver.to_owned(),
            dataset: "a.txt".to_owned(),
            record: 1,
            outcome,
        };
        vec![
            comparison("mrv", ComparisonOutcome::Both(Box::new(change))),
            comparison("dlx", ComparisonOutcome::Both(Box::new(same))),
            comparison("close", ComparisonOutcome::Both(Box::new(close))),
            comparison("few", ComparisonOutcome::Both(Box::new(few))),
            comparison("short", ComparisonOutcome::Both(Box::new(short))),
            comparison("new", ComparisonOutcome::Not("not in the first record".to_owned())),
            comparison("gone", ComparisonOutcome::Gone),
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
        let comparisons = compare(&[before, now], CompareTerms::default());
        insta::assert_snapshot!(compare_text(&comparisons, &[], &names, 80));
        let markdown = compare_markdown(&comparisons, &[], &names);
        assert!(markdown.contains("| quick | easy.txt | now.json | AC -> TLE |"), "{markdown}");
    }

    #[test]
    fn small_differences_show_their_sign() {
        let shown = [1.25, 0.5, 1.0, 1.0004, 0.999_95, 1.000_000_07].map(percent);
        assert_eq!(shown, ["+25.0%", "-50.0%", "+0.0%", "+0.04%", "-0.005%", "+0.00001%"]);
    }

    #[test]
    fn comparisons_as_text() {
        let names = ["before.json".to_owned(), "now.json".to_owned()];
        let level = Difference { what: "SIMD level", before: "avx2".to_owned(), now: "avx512".to_owned() };
        let cores = Difference { what: "cores", before: "2".to_owned(), now: "8".to_owned() };
        let profile = Difference { what: "profile", before: "release".to_owned(), now: "debug".to_owned() };
        let caveats = [CaveatKind::Machine(vec![cores, profile]), CaveatKind::Level(level)]
            .map(|kind| Caveat { record: 1, kind });
        insta::assert_snapshot!(compare_text(&comparisons(), &caveats, &names, usize::MAX));
        assert!(
            compare_markdown(&comparisons(), &[], &names).contains("| mrv | a.txt | now.json | 1,000,000 |")
        );
    }
}
