//! The page of a history: the changes, then the plots of each pair, then the runs.

use maud::{Markup, html};

use super::trend_plot::{Join, TrendLine, TrendPlot, TrendPoint};
use super::{page, table};
use crate::analysis::{CountTrend, PairTrend, RatioPoint};
use crate::figures::pair_name;
use crate::record::registry::COUNTED;
use crate::record::registry::{FIGURES, Figure};
use crate::record::{History, HistoryEntry};
use crate::report::figure_cell::shown;
use crate::report::grid::{Cell, Grid};
use crate::report::history_tables::{grids, run_name, sentence};
use crate::report::{count, duration_ns, units};

/// Returns the HTML page of a history. `name` is the name of the history that the page shows.
pub fn history_page(history: &History, trends: &[PairTrend], name: &str) -> String {
    // The tables have no small charts, because the plots show the figures over time.
    let body = html! {
        p.quiet { (name) ": " (sentence(history)) }
        @for grid in grids(history, trends, |_| String::new()) { (table(&grid)) }
        @for trend in trends {
            h2 { (pair_name(&trend.solver, &trend.dataset)) }
            @for plot in plots(history, trend) { (plot.html()) }
        }
        (runs(history))
    };
    page("sudobench history", "", &body)
}

/// Returns the plots of a pair: its counts, times, ratios and other figures, if it has them.
fn plots(history: &History, trend: &PairTrend) -> Vec<TrendPlot> {
    let runs: Vec<String> = history.entries.iter().map(run_name).collect();
    let plot = |what: &str, description: &str, label, shown, lines: Vec<TrendLine>, changes: Vec<usize>| {
        let is_there = lines.iter().any(|line| !line.points.is_empty());
        is_there.then(|| TrendPlot {
            title: format!("{}: {what}", pair_name(&trend.solver, &trend.dataset)),
            description: description.to_owned(),
            across: "run".to_owned(),
            label,
            shown,
            most: f64::INFINITY,
            join: Join::Straight,
            names: runs.clone(),
            lines,
            changes,
        })
    };
    let counts = |(at, figure): (usize, &&Figure)| {
        let (what, label) = (figure.label, figure.label);
        let lines = trend.counts.iter().map(|counts| count_line(history, counts, label, at));
        let exact =
            plot(what, EXACT, label, |value| count(value.round() as u64), lines.collect(), Vec::new())?;
        let changes = trend.counts.iter().flat_map(|counts| &counts.changes);
        Some(TrendPlot { join: Join::Steps, changes: changes.map(|change| change.run).collect(), ..exact })
    };
    let times = trend.times.iter().map(|times| {
        let point = |(run, time): &(usize, crate::record::TimeRecord)| {
            let interval = time.interval;
            let value_text = duration_ns(interval.median);
            point(history, *run, interval.median, Some((interval.low, interval.high)), &value_text)
        };
        TrendLine { name: times.machine.clone(), points: times.points.iter().map(point).collect() }
    });
    let shifts = trend.times.iter().flat_map(|times| &times.shifts).map(|shift| shift.run);
    let ratios = trend.ratios.iter().map(|RatioPoint { run, since_first, .. }| {
        let value_text = format!("{} of the time", units::multiple(since_first.median));
        point(history, *run, since_first.median, Some((since_first.low, since_first.high)), &value_text)
    });
    let ratios = TrendLine { name: "paired trials".to_owned(), points: ratios.collect() };
    let slower = trend.ratios.iter().filter(|point| point.is_shift()).map(|point| point.run);
    let figure_plot = |&figure: &&'static Figure| {
        let lines = trend.times.iter().map(|times| TrendLine {
            name: times.machine.clone(),
            points: (times.points_of(figure).iter())
                .map(|&(run, value)| point(history, run, value, None, &shown(figure.unit)(value)))
                .collect(),
        });
        let description = format!("{}; a line for each machine.", figure.meaning);
        plot(figure.label, &description, figure.label, shown(figure.unit), lines.collect(), Vec::new())
    };
    let exact = COUNTED.iter().enumerate().map(counts);
    let others = [
        plot("time", TIMES, "time of one core for a puzzle", duration_ns, times.collect(), shifts.collect()),
        plot(
            "time since the first base",
            RATIOS,
            "multiple of the time",
            units::multiple,
            vec![ratios],
            slower.collect(),
        ),
    ];
    exact.chain(others).chain(FIGURES.iter().map(figure_plot)).flatten().collect()
}

const EXACT: &str = "The exact sum over all puzzles, with a step where the sum changed. Dashed vertical lines are commits that changed the count of \
                     any puzzle.";
const TIMES: &str = "Median over the rounds of each run with its 95% interval, a line for each machine; lower is better. Dashed vertical \
                     lines are where a change-point test finds a shift.";
const RATIOS: &str = "The product of the ratios (time of the new build / time of the old build) of all runs so far, with an interval that grows with every ratio; lower is \
                      better. Dashed vertical lines are runs whose own interval is beyond the gate's limit.";

/// Makes the line of a plot from `counts`, a series of comparable runs. `at` is the index of the plotted count in [`COUNTED`]. The name of
/// the line contains the name of the first run of the series.
fn count_line(history: &History, counts: &CountTrend, label: &str, at: usize) -> TrendLine {
    let points: Vec<TrendPoint> = (counts.points.iter())
        .filter_map(|found| {
            let value = found.counts[at]?;
            Some(point(history, found.run, value as f64, None, &format!("{} {label}", count(value))))
        })
        .collect();
    let first = counts.points.first().map(|point| run_name(&history.entries[point.run]));
    TrendLine { name: format!("from {} on", first.unwrap_or_default()), points }
}

fn point(
    history: &History,
    run: usize,
    value: f64,
    interval: Option<(f64, f64)>,
    value_text: &str,
) -> TrendPoint {
    let entry = &history.entries[run];
    let subject = entry.subject.as_deref().unwrap_or_default();
    TrendPoint { place: run, value, interval, label: format!("{} {subject}: {value_text}", run_name(entry)) }
}

fn runs(history: &History) -> Markup {
    let mut grid = Grid::new("Runs", &["started", "commit", "subject", "processor", "vectors", "version"]);
    grid.left = grid.headers.len();
    let row = |entry: &HistoryEntry| {
        let HistoryEntry { started, commit, subject, machine, simd_level, version, .. } = entry;
        let or_none = |text: &Option<String>| text.as_deref().map_or_else(Cell::none, Cell::from);
        let [started, simd_level, version] =
            [started, simd_level, version].map(|text| Cell::from(text.as_str()));
        vec![
            started,
            or_none(commit),
            or_none(subject),
            Cell::from(machine.cpu.as_str()),
            simd_level,
            version,
        ]
    };
    grid.rows = history.entries.iter().map(row).collect();
    html! {
        h2 { "All runs" }
        (table(&grid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::trends;
    use crate::report::history_tables::tests::history;

    #[test]
    fn a_page_has_a_plot_for_each_figure_and_a_line_at_each_change() {
        let history = history();
        let page = history_page(&history, &trends(&history.entries), "h.jsonl");
        for words in [
            "quick on easy.txt: nodes",
            "quick on easy.txt: guesses",
            "quick on easy.txt: time",
            "other on hard.txt: time since",
        ] {
            assert!(page.contains(&format!("<h3>{words}")), "{words}");
        }
        assert_eq!(page.matches("<svg viewBox=\"0 0 860 400\"").count(), 4);
        // There are six change lines: each of the two plots of counts has two, and the plots of the time and of the ratio have one each.
        assert_eq!(page.matches("class=\"change\"").count(), 6);
        for word in ["http:", "https:", "<script", "url(", "@import", "src="] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
