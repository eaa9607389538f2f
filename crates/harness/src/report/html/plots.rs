//! The plots of one dataset of a record.

use super::plot::{Axis, Plot, Series, log_time, repetition};
use crate::analysis::distinct;
use crate::record::{
    BenchRecord, BudgetRecord, DatasetRecord, KeptPuzzles, Kind, Measurement, PairRecord, histogram_from_text,
};
use crate::report::count;
use crate::report::units::batch_caption;

/// Maximum number of points in a scatter plot. More points could not be distinguished and would be slow to draw.
const CLOUD: usize = 2_000;

/// Maximum number of points of a cactus curve.
const CACTUS_POINTS: u64 = 200;

struct PlotTexts {
    title: &'static str,
    description: &'static str,
    x: &'static str,
    y: &'static str,
}

const PERCENTILES: PlotTexts = PlotTexts {
    title: "latency by percentile",
    description: "For each share of all timed solves: the latency (time from entering the solver to the answer) that this share does not exceed; lower is better. \
                  Dotted lines are budgets.",
    x: "share of the solves",
    y: "time from entering the solver to the answer",
};

const PERCENTILES_JUDGED: PlotTexts = PlotTexts {
    title: "processor time by percentile",
    description: "For each share of the puzzles, accepted or not, the fastest first: the longest processor time in this share (the median \
                  over the runs, start-up included); lower is better. Dotted lines are the reference times (of the judge's own programs) \
                  and other budgets.",
    x: "share of the puzzles",
    y: "processor time of a run",
};

const CACTUS: PlotTexts = PlotTexts {
    title: "puzzles solved within a time",
    description: "Cactus plot: for each time, the share of the puzzles whose own time (the median over the rounds) is at most this time; \
                  further right and lower is better.",
    x: "share of the puzzles solved",
    y: "own time of a puzzle",
};

const CACTUS_JUDGED: PlotTexts = PlotTexts {
    title: "puzzles accepted within a processor time",
    description: "Cactus plot: for each processor time, the share of the puzzles that were accepted within this time (the median over \
                  the runs), start-up included; further right and lower is better. Dotted lines are the reference times (of the judge's own programs) and other budgets.",
    x: "share of the puzzles accepted",
    y: "processor time of a run",
};

/// Returns the style of a solver: its position among the solvers of the record.
fn style(record: &BenchRecord, solver: &str) -> usize {
    let names = distinct(record.pairs.iter().map(|pair| pair.solver.as_str()));
    names.iter().position(|name| *name == solver).unwrap_or(0)
}

/// Returns a description of a plot of times. If there are batch solvers or engines among the pairs, it also explains their times.
fn captioned(description: &str, pairs: &[&PairRecord]) -> String {
    let names = |kind: Kind| -> Vec<String> {
        pairs.iter().filter(|pair| pair.kind == kind).map(|pair| pair.solver.clone()).collect()
    };
    let (batches, engines) = (names(Kind::Batch), names(Kind::Engine));
    let mut sentences = vec![description.to_owned()];
    sentences.extend((!batches.is_empty()).then(|| batch_caption(&batches)));
    sentences.extend((!engines.is_empty()).then(|| {
        format!(
            "{}: the puzzles, or only the first of them, were timed one at a time, each once.",
            engines.join(" and ")
        )
    }));
    sentences.join(" ")
}

/// Returns the positions of the lines for budgets, with their labels.
fn lines<'b>(budgets: impl IntoIterator<Item = &'b BudgetRecord>) -> Vec<(f64, String)> {
    let line = |budget: &BudgetRecord| (log_time(budget.limit_ns as f64), budget.label.clone());
    budgets.into_iter().map(line).collect()
}

/// Returns an axis with room for all points and budgets.
fn time_axis(label: &str, series: &[Series], budgets: &[(f64, String)]) -> Axis {
    let points = series.iter().flat_map(|series| series.points.iter().map(|&(_, y)| y));
    Axis::from_times(label, points.chain(budgets.iter().map(|&(y, _)| y)).map(|log| 10_f64.powf(log)))
}

/// Plots a curve for each measured pair of the dataset, unless `points` returns no points for the pair. `ticks` are the grid lines of the
/// horizontal axis. The axis ends at 1 or, if a point is further to the right, at the last point.
fn curves(
    record: &BenchRecord,
    dataset: &DatasetRecord,
    texts: &PlotTexts,
    ticks: impl IntoIterator<Item = (f64, String)>,
    points: impl Fn(&Measurement) -> Option<Vec<(f64, f64)>>,
) -> Option<Plot> {
    let (pairs, series): (Vec<&PairRecord>, Vec<Series>) = record
        .measured(&dataset.name)
        .filter_map(|(pair, measurement)| {
            let points = points(measurement).filter(|points| !points.is_empty())?;
            Some((pair, Series { name: pair.solver.clone(), style: style(record, &pair.solver), points }))
        })
        .unzip();
    let most = series.iter().flat_map(|series| &series.points).map(|point| point.0).fold(1.0, f64::max);
    let budgets = lines(record.budgets(&dataset.name));
    (!series.is_empty()).then(|| Plot {
        title: format!("{}: {}", dataset.name, texts.title),
        description: captioned(texts.description, &pairs),
        x: Axis {
            label: texts.x.to_owned(),
            min: 0.0,
            max: most,
            ticks: ticks.into_iter().filter(|(at, _)| *at <= most).collect(),
        },
        y: time_axis(texts.y, &series, &budgets),
        series,
        budgets,
        cloud: false,
    })
}

/// Plots latency over percentiles. The axis of percentiles is logarithmic: 90%, 99%, 99.9% and so on have equal distances.
pub(super) fn percentiles(record: &BenchRecord, dataset: &DatasetRecord) -> Option<Plot> {
    let stretched = |quantile: f64| -(1.0 - quantile).max(1e-9).log10();
    let texts = if record.is_judged() { &PERCENTILES_JUDGED } else { &PERCENTILES };
    let names = ["0%", "90%", "99%", "99.9%", "99.99%", "99.999%", "99.9999%"];
    let ticks = names.iter().enumerate().map(|(power, name)| (power as f64, (*name).to_owned()));
    curves(record, dataset, texts, ticks, |measurement| {
        let one_by_one = measurement.one_by_one_times().map(|times| &times.histogram);
        let histogram = histogram_from_text(measurement.histogram.as_ref().or(one_by_one)?).ok()?;
        let last = stretched(1.0 - 0.5 / histogram.len().max(1) as f64);
        let steps = histogram.iter_quantiles(4).map(|step| {
            let at = stretched(step.quantile_iterated_to()).min(last);
            (at, log_time(step.value_iterated_to() as f64))
        });
        Some(steps.collect())
    })
}

/// Makes a cactus plot: the share of the puzzles that are solved within a time. Solver competitions plot the number of puzzles instead of
/// the share. In a record, an engine may have times of only the first puzzles, so numbers of puzzles could not be compared.
pub(super) fn cactus(record: &BenchRecord, dataset: &DatasetRecord) -> Option<Plot> {
    let texts = if record.is_judged() { &CACTUS_JUDGED } else { &CACTUS };
    let ticks = (0..=5).map(|fifths| (f64::from(fifths) / 5.0, format!("{}%", fifths * 20)));
    curves(record, dataset, texts, ticks, |measurement| {
        let one_by_one = measurement.one_by_one_times();
        let (text, puzzles) = match (&measurement.verdict_histogram, one_by_one) {
            (Some(text), _) => (text, measurement.puzzles),
            (None, Some(times)) => (&times.histogram, times.latency_ns.puzzles),
            (None, None) => return None,
        };
        let histogram = histogram_from_text(text).ok()?;
        let solved = histogram.len();
        let steps = (1..=CACTUS_POINTS.min(solved)).map(|step| {
            let within = (step * solved).div_ceil(CACTUS_POINTS.min(solved));
            let at = histogram.value_at_quantile(within as f64 / solved as f64);
            (within as f64 / puzzles.max(within) as f64, log_time(at as f64))
        });
        Some(steps.collect())
    })
}

/// Plots the times of single puzzles, for the solvers for which the record has such times. Each plot compares one solver with the fastest.
pub(super) fn scatters(record: &BenchRecord, dataset: &DatasetRecord) -> Vec<Plot> {
    let mut kept: Vec<(&PairRecord, f64, &KeptPuzzles)> = record
        .measured(&dataset.name)
        .filter_map(|(pair, measurement)| {
            let kept = measurement.kept.as_ref().filter(|kept| !kept.elapsed_ns.is_empty())?;
            Some((pair, measurement.latency_ns?.mean, kept))
        })
        .collect();
    kept.sort_by(|a, b| a.1.total_cmp(&b.1));
    let Some(((best, _, best_kept), others)) = kept.split_first() else { return Vec::new() };
    others.iter().map(|(other, _, kept)| scatter(record, dataset, (best, best_kept), (other, kept))).collect()
}

fn scatter(
    record: &BenchRecord,
    dataset: &DatasetRecord,
    (best, best_kept): (&PairRecord, &KeptPuzzles),
    (other, other_kept): (&PairRecord, &KeptPuzzles),
) -> Plot {
    // All solvers have the same permutation, so the times at one position are for the same puzzle.
    let both = best_kept.elapsed_ns.iter().zip(&other_kept.elapsed_ns).take(CLOUD);
    let points: Vec<(f64, f64)> =
        both.map(|(&best, &other)| (log_time(best as f64), log_time(other as f64))).collect();
    let slower = points.iter().filter(|(best, other)| other > best).count();
    let all = points.iter().flat_map(|&(x, y)| [10_f64.powf(x), 10_f64.powf(y)]);
    let axis = Axis::from_times("", all);
    let time = if record.is_judged() { "processor time" } else { "own time" };
    let label = |name: &str| format!("{time} with {name}");
    let description = format!(
        "Each point is a puzzle ({} of them). Above the diagonal are the puzzles on which {} is slower ({} of them).",
        count(points.len() as u64),
        other.solver,
        count(slower as u64)
    );
    Plot {
        title: format!("{}: {} against {}", dataset.name, other.solver, best.solver),
        description: captioned(&description, &[best, other]),
        x: Axis { label: label(&best.solver), ..axis.clone() },
        y: Axis { label: label(&other.solver), ..axis },
        series: vec![Series { name: "a puzzle".to_owned(), style: style(record, &other.solver), points }],
        budgets: Vec::new(),
        cloud: true,
    }
}

/// Combines the curves of two plots into one plot. Only solvers for which `is_shown` returns true are in the plot. The letter of the record
/// is added to the name of each curve. A solver has the same colour and mark for both records, but its line for the second record has
/// another dash pattern. The plot has lines for these `budgets`.
pub(super) fn in_one(
    [first, second]: [Plot; 2],
    budgets: &[&BudgetRecord],
    letters: [&str; 2],
    is_shown: impl Fn(&str) -> bool,
) -> Option<Plot> {
    let other_dash = repetition(first.series.iter().map(|series| series.style + 1).max()?);
    let style = |of_second: &Series| {
        let same = first.series.iter().find(|series| series.name == of_second.name);
        same.map_or(of_second.style, |series| series.style)
    };
    let of = |plot: &Plot, letter: &str, shift: usize| -> Vec<Series> {
        let shown = plot.series.iter().filter(|series| is_shown(&series.name));
        let series = shown.map(|series| Series {
            name: format!("{} {letter}", series.name),
            style: style(series) + shift,
            points: series.points.clone(),
        });
        series.collect()
    };
    let series = [of(&first, letters[0], 0), of(&second, letters[1], other_dash)].concat();
    let x = if second.x.max > first.x.max { second.x } else { first.x };
    let budgets = lines(budgets.iter().copied());
    let y = time_axis(&first.y.label, &series, &budgets);
    (!series.is_empty()).then_some(Plot { x, y, series, budgets, ..first })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{OneByOneRecord, OneByOneTimes, fixtures};

    #[test]
    fn the_curve_of_an_engine_shows_shares_of_its_timed_puzzles() {
        let mut record = fixtures::bench_record();
        let measurement = record.pairs[0].measurement.as_mut().unwrap();
        let histogram = measurement.verdict_histogram.take().unwrap();
        measurement.histogram = None;
        let latency_ns = measurement.latency_ns.take().unwrap();
        measurement.puzzles = 4;
        let times = OneByOneTimes { latency_ns, histogram, budgets: Vec::new(), echo_ns: None };
        measurement.one_by_one = Some(OneByOneRecord::Times(times));
        let cactus = cactus(&record, &record.datasets[0]).unwrap();
        let last = |at: usize| cactus.series[at].points.last().unwrap().0;
        assert_eq!(
            [last(0), last(1)],
            [1.0, 1.0],
            "two of the engine's four puzzles were timed, the solver has a time for each puzzle"
        );
    }

    #[test]
    fn every_plot_has_its_points() {
        let record = fixtures::bench_record();
        let dataset = &record.datasets[0];
        let percentiles = percentiles(&record, dataset).unwrap();
        assert_eq!(percentiles.series.len(), 3);
        assert_eq!(percentiles.budgets.len(), 2);
        let cactus = cactus(&record, dataset).unwrap();
        assert_eq!(cactus.series[0].points.last().unwrap().0, 1.0);
        let scatters = scatters(&record, dataset);
        assert_eq!(scatters.len(), 1, "`naive` has no times of single puzzles");
        for plot in [&percentiles, &cactus, &scatters[0]] {
            assert!(plot.description.contains("steady takes puzzles in batches"), "{}", plot.description);
        }
        assert_eq!(scatters[0].series[0].points.len(), 2);
    }

    #[test]
    fn the_curves_of_two_records_have_one_colour_and_two_dashes() {
        let record = fixtures::bench_record();
        let mut later = record.clone();
        // The second record has the solvers in another order, and a solver that the first record does not have.
        later.pairs.reverse();
        later.pairs[0].solver = "new".to_owned();
        for pair in &mut later.pairs {
            let budgets = pair.measurement.iter_mut().flat_map(|measurement| &mut measurement.budgets);
            for budget in budgets.take(1) {
                (budget.limit_ns, budget.label) = (budget.limit_ns / 2, "of the second".to_owned());
            }
        }
        let plots = [&record, &later].map(|record| percentiles(record, &record.datasets[0]).unwrap());
        let budgets = BenchRecord::budgets_of_all([&record, &later], &record.datasets[0].name);
        let both = in_one(plots, &budgets, ["A", "B"], |name| name == "quick" || name == "steady").unwrap();
        let mut curves: Vec<(&str, usize)> =
            both.series.iter().map(|series| (series.name.as_str(), series.style)).collect();
        curves.sort_unstable();
        assert_eq!(curves, [("quick A", 0), ("quick B", 8), ("steady A", 1), ("steady B", 9)]);
        assert_eq!((both.x.max, both.y.max), (1.0, 6.0), "room for both, and for the budgets");
        let labels: Vec<&str> = both.budgets.iter().map(|(_, label)| label.as_str()).collect();
        assert_eq!((labels.len(), labels[2]), (3, "of the second"));
    }

    #[test]
    fn plots_of_programs_are_of_processor_time() {
        let record = fixtures::judge_record();
        let dataset = &record.datasets[0];
        let (percentiles, cactus) =
            (percentiles(&record, dataset).unwrap(), cactus(&record, dataset).unwrap());
        for plot in [&percentiles, &cactus] {
            assert_eq!((plot.series.len(), plot.budgets.len()), (2, 3));
            assert_eq!(plot.y.label, "processor time of a run");
        }
        let most: Vec<f64> = cactus.series.iter().map(|series| series.points.last().unwrap().0).collect();
        assert_eq!(most, [1.0, 0.5], "only accepted puzzles count");
        assert!(!cactus.description.contains("batch"), "{}", cactus.description);
        assert_eq!(scatters(&record, dataset)[0].x.label, "processor time with quick");
    }
}
