//! Trends of each solver on each dataset over the runs of a history.
//!
//! ```text
//! counts   exact: a run is compared with the previous run that counted the same puzzles; every difference is a change
//! times    noisy: only times from the same machine are compared, and a test finds where the times shift (change_points)
//! ratios   the time of the new build (head) divided by the time of the old build (base): may come from any machine
//! ```

use std::collections::BTreeSet;

use super::change_points::{LEAST_VALUES, change_points};
use super::distinct;
use crate::record::registry::{COUNTED, CountedValues};
use crate::record::registry::{FIGURES, Figure};
use crate::record::{HistoryEntry, HistoryPair, Machine, RatioRecord, TimeRecord};
use crate::statistics::{Interval, ratio_interval};

/// Seed of permutations and resamples, so that the same history gives the same report.
const SEED: u64 = 1;

/// The trends of a solver on a dataset, over the runs of the history. A run is identified by its position in the history.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTrend {
    /// The solver.
    pub solver: String,
    /// The dataset.
    pub dataset: String,
    /// The counts of the pair: a series for each combination of puzzles, settings and SIMD level.
    pub counts: Vec<CountTrend>,
    /// The times of the pair: a series for each combination of puzzles, settings, machine and SIMD level.
    pub times: Vec<TimeTrend>,
    /// The ratios of the new build's time to the old build's time.
    pub ratios: Vec<RatioPoint>,
    /// Other counters, such as the numbers that a command prints.
    pub counters: Vec<CounterTrend>,
}

/// The values of one counter of a command or solver over the runs. Nodes and guesses are in [`CountTrend`].
#[derive(Clone, Debug, PartialEq)]
pub struct CounterTrend {
    /// The counter.
    pub name: String,
    /// The runs that have the counter, each with the value of the counter.
    pub points: Vec<(usize, f64)>,
}

impl CounterTrend {
    /// Returns the most recent change: two neighbouring points whose values differ.
    pub fn last_change(&self) -> Option<[(usize, f64); 2]> {
        let differ = |two: &&[(usize, f64)]| two[0].1 != two[1].1;
        self.points.windows(2).rfind(differ).map(|two| [two[0], two[1]])
    }
}

/// Counts from runs with the same puzzles, settings and SIMD level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CountTrend {
    /// Each run that has counts.
    pub points: Vec<CountPoint>,
    /// The changes from one run in `points` to the next run in `points`.
    pub changes: Vec<CountChange>,
}

/// The counts of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountPoint {
    /// The run.
    pub run: usize,
    /// The exact counts.
    pub counts: CountedValues,
    digest: Option<String>,
}

/// A change of the counts from one run to the next. If no sum over the puzzles changed, only the counts of single puzzles did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountChange {
    /// The first run with the new counts.
    pub run: usize,
    /// The last run with the old counts.
    pub before: usize,
    /// For each kind of count in [`COUNTED`], the old and the new sum over the puzzles if they differ.
    pub counts: [Option<(u64, u64)>; COUNTED.len()],
}

/// Times of runs with the same puzzles and settings on one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeTrend {
    /// The machine and the SIMD level, in words.
    pub machine: String,
    /// The runs that were timed on this machine, each with its time.
    pub points: Vec<(usize, TimeRecord)>,
    /// The figures of [`HistoryPair::figures`]. Each figure has a list of runs with their values.
    pub figures: Vec<(&'static Figure, Vec<(usize, f64)>)>,
    /// Shifts of the times.
    pub shifts: Vec<TimeShift>,
}

/// A shift of times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeShift {
    /// The first run after the shift.
    pub run: usize,
    /// The last run before the shift.
    pub before: usize,
    /// Ratio of the time after the shift to the time before the shift, with its 95% interval. The time before the shift is the median of
    /// the runs since the previous shift (or since the first run), and the time after the shift is the median of the runs up to the next
    /// shift (or to the last run).
    pub ratio: Interval,
    /// The p-value: how probable it is that a series without a shift can be split into two parts that differ at least as clearly as these.
    pub p_value: f64,
}

/// The ratio of one run: the time of the new build (head) divided by the time of the old build (base).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioPoint {
    /// The run.
    pub run: usize,
    /// The measured ratio.
    pub ratio: RatioRecord,
    /// Product of all ratios up to this run. If the base of each run is the head of the previous run, the product is the head time of this
    /// run divided by the base time of the first run. The interval becomes wider with every factor.
    pub since_first: Interval,
}

impl RatioPoint {
    /// Returns whether the whole interval is beyond the limit of the gate. If so, this run alone shows that the solver became slower or
    /// faster.
    pub fn is_shift(&self) -> bool {
        let limit = 1.0 + self.ratio.limit_percent / 100.0;
        let Interval { low, high, .. } = self.ratio.interval;
        low > limit || high < 1.0 / limit
    }
}

impl TimeTrend {
    /// Returns the runs that have a value of a figure, each with the value.
    pub(crate) fn points_of(&self, figure: &Figure) -> &[(usize, f64)] {
        let found = self.figures.iter().find(|(other, _)| *other == figure);
        found.map_or(&[], |(_, points)| points)
    }

    /// Returns whether there are enough runs to look for shifts.
    pub fn is_long_enough(&self) -> bool {
        self.points.len() >= LEAST_VALUES
    }
}

/// Returns the trends of all pairs, in the order in which the pairs first appear.
pub fn trends(entries: &[HistoryEntry]) -> Vec<PairTrend> {
    let pairs = entries.iter().flat_map(|entry| &entry.pairs);
    let names = distinct(pairs.map(|pair| (pair.solver.as_str(), pair.dataset.as_str())));
    names.into_iter().map(|name| trend(entries, name)).collect()
}

fn trend(entries: &[HistoryEntry], (solver, dataset): (&str, &str)) -> PairTrend {
    let is_of = |pair: &&HistoryPair| pair.solver == solver && pair.dataset == dataset;
    let found: Vec<(usize, &HistoryPair)> = (entries.iter().enumerate())
        .flat_map(|(run, entry)| entry.pairs.iter().filter(is_of).map(move |pair| (run, pair)))
        .collect();
    let counted = found.iter().filter(|(_, pair)| pair.counts().iter().any(Option::is_some));
    let counts = grouped(counted.copied(), |_, pair| settings(pair));
    let timed = found.iter().filter_map(|&(run, pair)| Some((run, (pair, pair.time_ns?))));
    let times = grouped(timed, |run, (pair, _)| {
        (settings(pair), machine_in_words(&entries[run].machine, &entries[run].simd_level))
    });
    PairTrend {
        solver: solver.to_owned(),
        dataset: dataset.to_owned(),
        counts: counts.into_iter().map(|(_, points)| count_trend(&points)).collect(),
        times: (times.into_iter())
            .map(|((_, machine), found)| {
                let figures = figures(&found);
                let points = found.into_iter().map(|(run, (_, time))| (run, time)).collect();
                TimeTrend { figures, ..time_trend(machine, points) }
            })
            .collect(),
        ratios: multiplied(found.iter().filter_map(|&(run, pair)| Some((run, pair.ratio?)))),
        counters: counters(&found),
    }
}

/// Returns the settings that must be equal for counts and times to be comparable.
fn settings(pair: &HistoryPair) -> impl PartialEq {
    (&pair.sha256, pair.puzzles, &pair.simd, &pair.terms)
}

/// Returns the text that identifies a machine and the SIMD level. Memory size and kernel are not part of the text, because the machine
/// stays the same if they change.
fn machine_in_words(machine: &Machine, simd_level: &str) -> String {
    let Machine { cpu, cores, architecture, .. } = machine;
    // Some systems do not report the name of the processor.
    let cpu = if cpu.is_empty() { architecture } else { cpu };
    format!("{cpu}, {cores} cores, {simd_level}")
}

/// Groups the points by their `key`, in the order in which each key first appears.
fn grouped<T: Copy, K: PartialEq>(
    points: impl Iterator<Item = (usize, T)>,
    key: impl Fn(usize, T) -> K,
) -> Vec<(K, Vec<(usize, T)>)> {
    let mut groups: Vec<(K, Vec<(usize, T)>)> = Vec::new();
    for (run, point) in points {
        let key = key(run, point);
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, points)) => points.push((run, point)),
            None => groups.push((key, vec![(run, point)])),
        }
    }
    groups
}

fn count_trend(found: &[(usize, &HistoryPair)]) -> CountTrend {
    let point = |&(run, pair): &(usize, &HistoryPair)| CountPoint {
        run,
        counts: pair.counts(),
        digest: pair.digest.clone(),
    };
    let points: Vec<CountPoint> = found.iter().map(point).collect();
    let changes = points.windows(2).filter_map(|two| change(&two[0], &two[1])).collect();
    CountTrend { points, changes }
}

/// Returns the differences between two runs, or `None` if the runs do not differ. Counts that one of the runs lacks are not compared. If
/// the counts of single puzzles differ, but not their sums, only the digests differ; this is a change, too.
fn change(old: &CountPoint, new: &CountPoint) -> Option<CountChange> {
    let differ = |at: usize| Some((old.counts[at]?, new.counts[at]?)).filter(|(old, new)| old != new);
    let counts = std::array::from_fn(differ);
    let other_puzzles = old.digest.is_some() && new.digest.is_some() && old.digest != new.digest;
    let change = CountChange { run: new.run, before: old.run, counts };
    (counts.iter().any(Option::is_some) || other_puzzles).then_some(change)
}

fn time_trend(machine: String, points: Vec<(usize, TimeRecord)>) -> TimeTrend {
    let medians: Vec<f64> = points.iter().map(|(_, time)| time.interval.median).collect();
    // Logarithms turn a change by a factor into a step of constant height.
    let logs: Vec<f64> = medians.iter().map(|median| median.ln()).collect();
    let changes = change_points(&logs, SEED);
    let ends: Vec<usize> = changes.iter().map(|change| change.at).chain([points.len()]).collect();
    let starts: Vec<usize> = [0].into_iter().chain(ends.iter().copied()).collect();
    let shifts = changes.iter().enumerate().filter_map(|(nth, change)| {
        let (before, behind) = (&medians[starts[nth]..change.at], &medians[change.at..ends[nth + 1]]);
        Some(TimeShift {
            run: points[change.at].0,
            before: points[change.at - 1].0,
            ratio: ratio_interval(behind, before, SEED)?,
            p_value: change.p_value,
        })
    });
    let shifts = shifts.collect();
    TimeTrend { machine, points, figures: Vec::new(), shifts }
}

/// Returns the figures of [`HistoryPair::figures`], each with the runs that have the figure. Figures that no run has are left out.
fn figures(found: &[(usize, (&HistoryPair, TimeRecord))]) -> Vec<(&'static Figure, Vec<(usize, f64)>)> {
    let points = |figure: &Figure| {
        let value = |(run, (pair, _)): &(usize, (&HistoryPair, TimeRecord))| {
            Some((*run, *pair.figures.get(figure.key)?))
        };
        found.iter().filter_map(value).collect::<Vec<_>>()
    };
    let all = FIGURES.iter().map(|&figure| (figure, points(figure)));
    all.filter(|(_, points)| !points.is_empty()).collect()
}

/// Returns the counters of a command or solver, sorted by name.
fn counters(found: &[(usize, &HistoryPair)]) -> Vec<CounterTrend> {
    let names: BTreeSet<&String> = found.iter().flat_map(|(_, pair)| pair.counters.keys()).collect();
    let trend = |name: &String| {
        let point = |(run, pair): &(usize, &HistoryPair)| Some((*run, *pair.counters.get(name)?));
        CounterTrend { name: name.clone(), points: found.iter().filter_map(point).collect() }
    };
    names.into_iter().map(trend).collect()
}

/// Returns each ratio with the product of all ratios up to its run. The logarithm of the product is the sum of the ratios' logarithms. The
/// ratios were measured independently, so the squares of the half-widths of their intervals (in logarithms) are added, too.
fn multiplied(ratios: impl Iterator<Item = (usize, RatioRecord)>) -> Vec<RatioPoint> {
    let (mut sum, mut below, mut above) = (0.0, 0.0, 0.0);
    let point = |(run, ratio): (usize, RatioRecord)| {
        let Interval { median, low, high } = ratio.interval;
        sum += median.ln();
        below += (median / low).ln().powi(2);
        above += (high / median).ln().powi(2);
        let at = |log: f64| log.exp();
        let since_first =
            Interval { median: at(sum), low: at(sum - below.sqrt()), high: at(sum + above.sqrt()) };
        RatioPoint { run, ratio, since_first }
    };
    ratios.map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures::history_entry;

    fn runs(count: u64, change: impl Fn(u64, &mut HistoryEntry)) -> Vec<HistoryEntry> {
        let run = |at| {
            let mut entry = history_entry(at);
            change(at, &mut entry);
            entry
        };
        (0..count).map(run).collect()
    }

    fn interval(median: f64) -> Interval {
        Interval { median, low: median * 0.98, high: median * 1.03 }
    }

    #[test]
    fn the_run_that_changes_a_count_is_named() {
        let entries = runs(6, |run, entry| {
            let pair = &mut entry.pairs[0];
            pair.nodes = Some(if run >= 2 { 60 } else { 51 });
            pair.guesses = Some(if run >= 4 { 2 } else { 1 });
            pair.digest = Some(format!("{}", run / 5));
        });
        let found = &trends(&entries)[0].counts[0].changes;
        let change = |run, nodes, guesses| CountChange { run, before: run - 1, counts: [nodes, guesses] };
        let expected =
            [change(2, Some((51, 60)), None), change(4, None, Some((1, 2))), change(5, None, None)];
        assert_eq!(found, &expected);
    }

    #[test]
    fn counts_of_other_puzzles_questions_or_levels_are_not_compared() {
        let changes: [fn(&mut HistoryPair); 4] = [
            |pair| pair.sha256 = Some("other".to_owned()),
            |pair| pair.puzzles = Some(1),
            |pair| pair.simd = Some("avx2".to_owned()),
            |pair| pair.terms = "max_solutions=1 max_nodes=- seed=1".to_owned(),
        ];
        for change in changes {
            // Every second run has the change, so each run is comparable with the run two places before it, not with the previous run.
            let entries = runs(4, |run, entry| {
                let pair = &mut entry.pairs[0];
                pair.nodes = Some(50 + run % 2 + u64::from(run == 3));
                if run % 2 == 1 {
                    change(pair);
                }
            });
            let counts = &trends(&entries)[0].counts;
            let found: Vec<_> = counts.iter().flat_map(|counts| &counts.changes).collect();
            assert_eq!((counts.len(), found.len()), (2, 1));
            assert_eq!((found[0].run, found[0].before, found[0].counts[0]), (3, 1, Some((51, 52))));
        }
    }

    #[test]
    fn the_last_change_of_a_counter_is_found() {
        let entries = runs(4, |run, entry| {
            let counters = &mut entry.pairs[0].counters;
            counters.insert("same".to_owned(), 7.0);
            if run != 1 {
                counters.insert("allocs".to_owned(), if run < 2 { 12.0 } else { 13.5 });
            }
        });
        let found = &trends(&entries)[0].counters;
        let [allocs, same] = &found[..] else { panic!("{found:?}") };
        assert_eq!((allocs.name.as_str(), allocs.points.len()), ("allocs", 3));
        assert_eq!(allocs.last_change(), Some([(0, 12.0), (2, 13.5)]));
        assert_eq!((same.points.len(), same.last_change()), (4, None));
    }

    #[test]
    fn runs_without_counts_are_skipped() {
        let entries = runs(3, |run, entry| {
            entry.pairs[0].nodes = (run != 1).then_some(51 + run);
            entry.pairs[0].guesses = None;
        });
        let found = trends(&entries)[0].counts[0].changes.clone();
        assert_eq!(found, [CountChange { run: 2, before: 0, counts: [Some((51, 53)), None] }]);
    }

    #[test]
    fn times_of_each_machine_are_tested_separately() {
        let entries = runs(40, |run, entry| {
            // One machine takes twice as long as the other; from run 24 on, both take a fifth more time.
            let slow = run % 2 == 1;
            entry.machine.cpu = if slow { "slow" } else { "fast" }.to_owned();
            let noise = 1.0 + 0.01 * ((run * 7 % 5) as f64 - 2.0);
            let time = 1_000.0 * noise * (1.0 + f64::from(slow)) * if run >= 24 { 1.2 } else { 1.0 };
            entry.pairs[0].time_ns = Some(TimeRecord { interval: interval(time), rounds: 5 });
        });
        let times = &trends(&entries)[0].times;
        assert_eq!(times.iter().map(|times| times.points.len()).collect::<Vec<_>>(), [20, 20]);
        assert!(times[0].machine.starts_with("fast, 2 cores, avx2"));
        for (times, run) in times.iter().zip([24, 25]) {
            let [shift] = times.shifts[..] else { panic!("{:?}", times.shifts) };
            assert_eq!((shift.run, shift.before), (run, run - 2));
            assert!(shift.ratio.low < 1.2 && 1.2 < shift.ratio.high, "{shift:?}");
        }
        assert!(!trends(&entries[..22])[0].times[0].is_long_enough());
    }

    #[test]
    fn ratios_multiply_up_with_intervals_that_grow() {
        let entries = runs(3, |run, entry| {
            let interval = interval(if run == 1 { 1.2 } else { 1.0 });
            entry.pairs[0].ratio = Some(RatioRecord { interval, trials: 10, limit_percent: 5.0 });
        });
        let ratios = &trends(&entries)[0].ratios;
        assert_eq!(ratios.iter().map(RatioPoint::is_shift).collect::<Vec<_>>(), [false, true, false]);
        assert!((ratios[2].since_first.median - 1.2).abs() < 1e-9);
        let width = |at: usize| ratios[at].since_first.high / ratios[at].since_first.low;
        assert!(width(0) < width(1) && width(1) < width(2));
        let faster = RatioRecord { interval: interval(0.9), ..ratios[0].ratio };
        assert!(RatioPoint { ratio: faster, ..ratios[0] }.is_shift());
    }
}
