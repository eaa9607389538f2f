//! Reports a history: which commits changed the counters, where times shifted, and the trend of each pair.

use super::figure_cell::shown;
use super::grid::{Cell, Grid, texts};
use super::{count, counted, duration_ns, escape, number, units, wrapped};
use crate::analysis::{CountChange, LEAST_VALUES, LEVEL, PairTrend, TimeShift};
use crate::figures::{listed, pair_name};
use crate::record::registry::COUNTED;
use crate::record::registry::{FIGURES, Figure};
use crate::record::{History, HistoryEntry};
use crate::statistics::{Interval, extent};

/// Maximum number of characters of a small chart.
const SPARKS: usize = 16;

/// Number of digits of a commit's hash that tables show.
const HASH_DIGITS: usize = 10;

/// Returns the history as text, in lines of at most `width` columns.
pub fn history_text(history: &History, trends: &[PairTrend], width: usize) -> String {
    let head = escape::lines(&wrapped(&escape::visible(&sentence(history)), width, "", "  "));
    format!("{head}\n{}", texts(&grids(history, trends, sparkline), width))
}

/// Returns the number of runs, and the starts of the first and the last run.
pub(super) fn sentence(history: &History) -> String {
    let entries = &history.entries;
    let runs = counted(entries.len() as u64, "run");
    match (entries.first(), entries.last()) {
        (Some(first), Some(last)) => format!("{runs}, {} to {}", first.second(), last.second()),
        _ => runs,
    }
}

/// Returns all tables: changes of counts, shifts of times, the trend of each pair and, if there are any, counters other than nodes and
/// guesses. `draw` makes a small chart of numbers. A cell for several numbers shows their chart, and after the chart the last number.
pub(super) fn grids(history: &History, trends: &[PairTrend], draw: fn(&[f64]) -> String) -> Vec<Grid> {
    let mut grids = vec![changes(history, trends), shifts(history, trends), pairs(history, trends, draw)];
    grids.extend(counters(history, trends, draw));
    grids
}

/// Makes the table of the counters other than nodes and guesses, such as the numbers that commands print. Each row shows which run last
/// changed the counter. `None` if there are no such counters.
fn counters(history: &History, trends: &[PairTrend], draw: fn(&[f64]) -> String) -> Option<Grid> {
    let headers =
        ["pair or command", "counter", "runs", "value", "last change", "commit", "compared with", "subject"];
    let mut grid = Grid::new("Other counters, up to the last run", &headers);
    grid.left = 2;
    for trend in trends {
        for counter in &trend.counters {
            let values: Vec<f64> = counter.points.iter().map(|(_, value)| *value).collect();
            let Some(&last) = values.last() else { continue };
            let mut row = vec![
                Cell::from(pair_name(&trend.solver, &trend.dataset)),
                Cell::from(counter.name.as_str()),
                Cell::count(values.len() as u64),
                Cell::number(last, format!("{} {}", draw(&values), number(last)).trim()),
            ];
            match counter.last_change() {
                None => row.resize(headers.len(), Cell::none()),
                Some([(before, old), (run, new)]) => {
                    row.push(Cell::from(format!("{} -> {}", number(old), number(new))));
                    row.extend(run_cells(history, run, before));
                }
            }
            grid.rows.push(row);
        }
    }
    grid.if_any()
}

/// Returns the name of a run: its commit or, if the run has no commit, its start time.
pub(super) fn run_name(entry: &HistoryEntry) -> String {
    let Some(commit) = &entry.commit else { return entry.second() };
    let (hash, dirty) = commit.strip_suffix("-dirty").map_or((commit.as_str(), ""), |hash| (hash, "-dirty"));
    hash.chars().take(HASH_DIGITS).collect::<String>() + dirty
}

/// Returns three cells: the name of the run `run`, the name of the run `before`, and the subject of the commit of `run`.
fn run_cells(history: &History, run: usize, before: usize) -> [Cell; 3] {
    let entry = &history.entries[run];
    let subject = entry.subject.as_deref().unwrap_or("-");
    [Cell::from(run_name(entry)), Cell::from(run_name(&history.entries[before])), Cell::from(subject)]
}

/// Makes the table of the commits that changed the exact counts: nodes and guesses.
fn changes(history: &History, trends: &[PairTrend]) -> Grid {
    let headers = ["commit", "compared with", "subject", "solver", "dataset"];
    let headers: Vec<&str> = headers.into_iter().chain(COUNTED.map(|figure| figure.label)).collect();
    let mut grid = Grid::new("Commits that changed the exact counters", &headers);
    grid.left = 5;
    let mut found: Vec<(&CountChange, &PairTrend)> = Vec::new();
    for trend in trends {
        found.extend(trend.counts.iter().flat_map(|counts| &counts.changes).map(|change| (change, trend)));
    }
    found.sort_by_key(|(change, _)| change.run);
    let (mut same_commit, mut same_sums) = (false, false);
    for (change, trend) in found {
        let names = run_cells(history, change.run, change.before);
        same_commit |= names[0] == names[1];
        let is_same = change.counts.iter().all(Option::is_none);
        same_sums |= is_same;
        let sums = change.counts.map(|sum| match sum {
            Some((before, now)) => Cell::number(now as f64, arrow(before, now)),
            None if is_same => Cell::from("same sum"),
            None => Cell::none(),
        });
        let pair = [&trend.solver, &trend.dataset].map(|name| Cell::from(name.as_str()));
        grid.rows.push(names.into_iter().chain(pair).chain(sums).collect());
    }
    if grid.rows.is_empty() {
        grid.note("No count of any pair changed.");
    }
    if same_sums {
        grid.note("same sum: the puzzles' counts changed, and their sums did not.");
    }
    if same_commit {
        grid.note("If a row has the same commit twice, two runs of this commit have different counts: the counts are not exact, or the two builds used different files.");
    }
    grid
}

/// Formats the change of a count: `51 -> 60 (+17.6%)`.
fn arrow(before: u64, now: u64) -> String {
    let rise =
        if before > 0 { format!(" ({})", units::rise(now as f64 / before as f64)) } else { String::new() };
    format!("{} -> {}{rise}", count(before), count(now))
}

/// Makes the table of the shifts of times that the change-point test or the trials of the gate found.
fn shifts(history: &History, trends: &[PairTrend]) -> Grid {
    let headers = ["commit", "compared with", "subject", "solver", "dataset", "on", "time", "p"];
    let mut grid = Grid::new("Where times shifted", &headers);
    grid.left = 6;
    let mut rows: Vec<(usize, Vec<Cell>)> = Vec::new();
    for trend in trends {
        let pair = || [&trend.solver, &trend.dataset].map(|name| Cell::from(name.as_str()));
        for times in &trend.times {
            for TimeShift { run, before, ratio, p_value } in &times.shifts {
                let names = run_cells(history, *run, *before).into_iter().chain(pair());
                let p = Cell::number(*p_value, format!("{p_value:.3}"));
                let found = [Cell::from(times.machine.as_str()), rise_cell(ratio), p];
                rows.push((*run, names.chain(found).collect()));
            }
        }
        for point in trend.ratios.iter().filter(|point| point.is_shift()) {
            let [name, _, subject] = run_cells(history, point.run, point.run);
            let names = [name, Cell::from("its base"), subject].into_iter().chain(pair());
            let found = [Cell::from("paired trials"), rise_cell(&point.ratio.interval), Cell::none()];
            rows.push((point.run, names.chain(found).collect()));
        }
    }
    rows.sort_by_key(|(run, _)| *run);
    grid.rows = rows.into_iter().map(|(_, row)| row).collect();
    if grid.rows.is_empty() {
        grid.note("No shift was found.");
    }
    let series: Vec<bool> =
        trends.iter().flat_map(|trend| &trend.times).map(|times| times.is_long_enough()).collect();
    let short = series.iter().filter(|&&is_long| !is_long).count() as u64;
    if short > 0 {
        let message = format!(
            "Series of times of one machine that are too short to be searched for shifts (fewer than {LEAST_VALUES} runs): {} of {}.",
            count(short),
            count(series.len() as u64)
        );
        grid.note(message);
    }
    grid.note(format!(
        "Times of one machine: shifts found by the change-point method E-divisive, with a permutation test at {}% for each series; the place of a shift is an estimate. \
         Paired trials: a shift is a ratio whose whole interval is beyond the gate's limit.",
        LEVEL * 100.0
    ));
    grid
}

/// Formats a ratio as a rise with its interval: `+20.1% [+18.9%, +21.2%]`.
fn rise_cell(ratio: &Interval) -> Cell {
    let Interval { median, low, high } = *ratio;
    Cell::number(median, format!("{} [{}, {}]", units::rise(median), units::rise(low), units::rise(high)))
}

/// Makes the table of all pairs, with their latest figures and the trend of these figures.
fn pairs(history: &History, trends: &[PairTrend], draw: fn(&[f64]) -> String) -> Grid {
    let has = |figure: &Figure| {
        let mut times = trends.iter().flat_map(|trend| &trend.times);
        times.any(|times| !times.points_of(figure).is_empty())
    };
    let figures: Vec<&Figure> = FIGURES.iter().copied().filter(|&figure| has(figure)).collect();
    let headers: Vec<&str> = (["solver", "dataset", "runs"].into_iter())
        .chain(COUNTED.map(|figure| figure.label))
        .chain(["time"])
        .chain(figures.iter().map(|figure| figure.label))
        .chain(["since the first base"])
        .collect();
    let mut grid = Grid::new("Trends, up to the last run of each pair", &headers);
    grid.left = 2;
    for trend in trends {
        let counts = trend.counts.last().map(|counts| counts.points.as_slice()).unwrap_or_default();
        let sums = |at: usize| -> Vec<f64> {
            counts.iter().filter_map(|point| Some(point.counts[at]? as f64)).collect()
        };
        // Only the times of one machine are shown: the machine of the last run that has times.
        let timed = trend.times.iter().max_by_key(|times| times.points.last().map(|(run, _)| *run));
        let times = timed.map(|times| times.points.as_slice()).unwrap_or_default();
        let medians: Vec<f64> = times.iter().map(|(_, time)| time.interval.median).collect();
        let runs = history.entries.iter().filter(|entry| {
            entry.pairs.iter().any(|pair| pair.solver == trend.solver && pair.dataset == trend.dataset)
        });
        let drawn = |values: &[f64], shown: fn(f64) -> String| {
            let cell = |&value| Cell::number(value, format!("{} {}", draw(values), shown(value)).trim());
            values.last().map_or_else(Cell::none, cell)
        };
        let whole = |value: f64| count(value as u64);
        let since_first = trend.ratios.last().map(|point| rise_cell(&point.since_first));
        let mut row = vec![
            Cell::from(trend.solver.as_str()),
            Cell::from(trend.dataset.as_str()),
            Cell::count(runs.count() as u64),
        ];
        row.extend((0..COUNTED.len()).map(|at| drawn(&sums(at), whole)));
        row.push(drawn(&medians, duration_ns));
        row.extend(figures.iter().map(|figure| {
            let points = timed.map_or(&[][..], |times| times.points_of(figure));
            let values: Vec<f64> = points.iter().map(|(_, value)| *value).collect();
            drawn(&values, shown(figure.unit))
        }));
        row.push(since_first.unwrap_or_else(Cell::none));
        grid.rows.push(row);
    }
    grid.note(
        "time: the time of one core for a puzzle, on the machine of the last run; since the first base: the change since the old build of \
         the first run, as the product of all ratios of paired trials; its interval grows with every ratio."
            .to_owned(),
    );
    if !history.skipped_lines.is_empty() {
        let numbers: Vec<String> = history.skipped_lines.iter().map(usize::to_string).collect();
        let lines = listed(&numbers);
        grid.note(format!("Skipped (incomplete, not a run, or with impossible numbers): lines {lines}."));
    }
    grid
}

/// Draws values as a row of blocks. If the values differ, the lowest block is the smallest value, and the highest block is the largest
/// value. If there are too many values, only some of them are drawn.
fn sparkline(values: &[f64]) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let shown = values.len().min(SPARKS);
    let chosen = (1..=shown).map(|at| values[(at * values.len()).div_ceil(shown) - 1]);
    let (least, most) = extent(values.iter().copied()).unwrap_or_default();
    let block = |value: f64| match most > least {
        true => BLOCKS[((value - least) / (most - least) * 7.0).round() as usize],
        false => BLOCKS[3],
    };
    chosen.map(block).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::analysis::trends;
    use crate::record::{HistoryPair, RatioRecord, TimeRecord, fixtures};

    /// Makes a history of 24 runs. Runs are numbered from 0. `quick` searches more from run 10 on and takes longer from run 16 on; `other`
    /// has ratios of the gate.
    pub(in crate::report) fn history() -> History {
        let run = |at: u64| {
            let mut entry = fixtures::history_entry(at);
            let noise = 1.0 + 0.01 * ((at * 7 % 5) as f64 - 2.0);
            let interval = |median: f64| Interval { median, low: median * 0.99, high: median * 1.01 };
            let pair = &mut entry.pairs[0];
            pair.nodes = Some(if at >= 10 { 60 } else { 51 });
            pair.digest = Some(if at >= 20 { "5a1f" } else { "5a1e" }.to_owned());
            let time = 1_000.0 * noise * if at >= 16 { 1.2 } else { 1.0 };
            pair.time_ns = Some(TimeRecord { interval: interval(time), rounds: 5 });
            let ratio = interval(if at == 12 { 1.3 } else { noise.sqrt() });
            entry.pairs.push(HistoryPair {
                solver: "other".to_owned(),
                dataset: "hard.txt".to_owned(),
                ratio: Some(RatioRecord { interval: ratio, trials: 10, limit_percent: 5.0 }),
                ..HistoryPair::default()
            });
            entry
        };
        let mut entries: Vec<HistoryEntry> = (0..24).map(run).collect();
        entries[12].commit = None;
        entries[9].commit.iter_mut().for_each(|commit| commit.push_str("-dirty"));
        History { entries, skipped_lines: vec![3, 7] }
    }

    #[test]
    fn a_history_as_text() {
        let history = history();
        let trends = trends(&history.entries);
        insta::assert_snapshot!([200, 60].map(|width| history_text(&history, &trends, width)).join("\n"));
    }

    #[test]
    fn sparklines_are_short_and_end_with_the_last_value() {
        assert_eq!(sparkline(&[]), "");
        assert_eq!(sparkline(&[5.0, 5.0]), "▄▄");
        assert_eq!(sparkline(&[0.0, 7.0, 3.0]), "▁█▄");
        let many: Vec<f64> = (0..100).map(f64::from).collect();
        let line = sparkline(&many);
        assert_eq!((line.chars().count(), line.chars().last()), (SPARKS, Some('█')));
    }

    #[test]
    fn figures_have_columns_if_a_run_has_them() {
        let mut history =
            History { entries: (0..3).map(fixtures::history_entry).collect(), ..History::default() };
        history.entries[2].pairs[0].figures.insert("page_faults".to_owned(), 12.5);
        let text = history_text(&history, &trends(&history.entries), 200);
        assert!(text.contains("page faults/pass") && text.contains("▄ 12.5"), "{text}");
        assert!(!text.contains("context switches"), "{text}");
    }
}
