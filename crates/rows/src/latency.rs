//! The times of puzzles: a histogram, and exact counters for budgets.

use std::io::{self, Write};
use std::time::{Duration, SystemTime};

use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::IntervalLogWriterBuilder;
use serde::{Deserialize, Serialize};

use crate::Budget;

/// The histogram's range: one nanosecond to an hour, three significant digits (0.1%).
const HIGHEST_NS: u64 = 3_600_000_000_000;
const SIGNIFICANT_DIGITS: u8 = 3;

/// Latencies of puzzles, in nanoseconds.
///
/// The histogram rounds to three digits; sum, maximum and the count within each budget are exact.
#[derive(Clone, Debug)]
pub struct Latency {
    histogram: Histogram<u64>,
    within: Vec<Within>,
    total_ns: u128,
    max_ns: u64,
}

/// Number of puzzles with a verdict within a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// The budget.
    pub budget: Budget,
    /// Number of puzzles with a verdict within this time. An aborted puzzle has no verdict.
    pub puzzles: u64,
    /// The budget in nanoseconds. Stored, so that it is not computed again for each puzzle.
    limit_ns: u64,
}

/// Figures of a distribution of latencies, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencySummary {
    /// Number of timed puzzles.
    pub puzzles: u64,
    /// The exact mean.
    pub mean: f64,
    /// Median time of a puzzle, to three digits. The other percentiles have the same precision.
    pub p50: u64,
    /// Time that 90% of the puzzles don't exceed.
    pub p90: u64,
    /// Time that 99% of the puzzles don't exceed.
    pub p99: u64,
    /// Time that 99.9% of the puzzles don't exceed.
    pub p99_9: u64,
    /// The exact time of the slowest puzzle.
    pub max: u64,
}

/// The times of the puzzles of a block, until they are added to a [`Latency`]. They are added when the block is written, so the counts
/// agree with the output.
///
/// Each short time has counters of its own, because solvers that solve one puzzle after the other often need the same short times. Longer
/// times are stored in a list. Consecutive equal times are one entry (the time and the number of puzzles), because the puzzles of a batch
/// often end at the same moment.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Number of puzzles for each time below [`SHORT`]: first the counters for puzzles without a verdict, then those for puzzles with a
    /// verdict. Empty until the first such time is added.
    short: Vec<u32>,
    long: Vec<(u64, u64)>,
}

/// Times below this number of nanoseconds are short. Each has two counters: for puzzles without and with a verdict. All these counters
/// take 8 KiB. Many more counters would push other data out of the first-level cache.
const SHORT: usize = 1024;

/// The bit of a time in [`Times`] that marks a puzzle without a verdict. The bit is free, because a time of 2⁶³ ns would be 292 years.
const UNDECIDED: u64 = 1 << 63;

impl Times {
    #[inline]
    pub(crate) fn record(&mut self, elapsed_ns: u64, decided: bool) {
        if elapsed_ns < SHORT as u64 {
            let at = elapsed_ns as usize + if decided { SHORT } else { 0 };
            return match self.short.get_mut(at) {
                Some(puzzles) => *puzzles += 1,
                None => self.record_first(at),
            };
        }
        let time = elapsed_ns & !UNDECIDED | if decided { 0 } else { UNDECIDED };
        match self.long.last_mut() {
            Some((last, puzzles)) if *last == time => *puzzles += 1,
            _ => self.long.push((time, 1)),
        }
    }

    #[cold]
    fn record_first(&mut self, at: usize) {
        self.short.resize(2 * SHORT, 0);
        self.short[at] += 1;
    }

    /// Removes all times, but keeps the allocated memory.
    pub fn clear(&mut self) {
        self.short.fill(0);
        self.long.clear();
    }

    /// Passes all times to `each`: the time in nanoseconds, whether there was a verdict, and the number of puzzles.
    fn each(&self, mut each: impl FnMut(u64, bool, u64)) {
        for (number, counts) in self.short.as_chunks::<16>().0.iter().enumerate() {
            // Nearly all counters are zero.
            if *counts == [0; 16] {
                continue;
            }
            for (at, &puzzles) in counts.iter().enumerate().filter(|(_, puzzles)| **puzzles > 0) {
                let at = 16 * number + at;
                each((at % SHORT) as u64, at >= SHORT, puzzles.into());
            }
        }
        for &(time, puzzles) in &self.long {
            each(time & !UNDECIDED, time & UNDECIDED == 0, puzzles);
        }
    }
}

/// The form in which a [`Latency`] is stored: the same figures, but without the empty buckets of the histogram.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatencyCounts {
    /// For each bucket with puzzles, its highest value in nanoseconds and the number of puzzles.
    pub histogram: Vec<(u64, u64)>,
    /// Number of puzzles within each budget, in the order of the budgets.
    pub within: Vec<u64>,
    /// The sum of all times in nanoseconds.
    pub total_ns: u128,
    /// The longest time in nanoseconds.
    pub max_ns: u64,
}

impl Latency {
    /// Makes latencies in which no puzzle is counted yet. When a puzzle is added, its time is compared with `budgets`.
    pub fn new(budgets: &[Budget]) -> Latency {
        let within =
            |budget: &Budget| Within { budget: budget.clone(), puzzles: 0, limit_ns: budget.limit_ns() };
        let within = budgets.iter().map(within).collect();
        Latency { histogram: empty_histogram(), within, total_ns: 0, max_ns: 0 }
    }

    /// Adds one puzzle. `decided`: whether the puzzle has a verdict. If so, the puzzle is within each budget of at least `elapsed_ns`.
    #[inline]
    pub fn record(&mut self, elapsed_ns: u64, decided: bool) {
        self.record_many(elapsed_ns, decided, 1);
    }

    #[inline]
    fn record_many(&mut self, elapsed_ns: u64, decided: bool, puzzles: u64) {
        self.histogram.saturating_record_n(elapsed_ns, puzzles);
        self.total_ns += u128::from(elapsed_ns) * u128::from(puzzles);
        self.max_ns = self.max_ns.max(elapsed_ns);
        for within in &mut self.within {
            within.puzzles += puzzles * u64::from(decided && elapsed_ns <= within.limit_ns);
        }
    }

    pub(crate) fn take_in(&mut self, times: &Times) {
        times.each(|elapsed_ns, decided, puzzles| self.record_many(elapsed_ns, decided, puzzles));
    }

    /// Adds the latencies in `other`, which must have the same budgets.
    pub fn merge(&mut self, other: &LatencyCounts) {
        for &(value_ns, puzzles) in &other.histogram {
            self.histogram.saturating_record_n(value_ns, puzzles);
        }
        self.total_ns += other.total_ns;
        self.max_ns = self.max_ns.max(other.max_ns);
        for (within, more) in self.within.iter_mut().zip(&other.within) {
            within.puzzles += more;
        }
    }

    /// Returns these latencies in the form in which they are stored.
    pub fn counts(&self) -> LatencyCounts {
        let buckets = self.histogram.iter_recorded();
        LatencyCounts {
            histogram: buckets.map(|step| (step.value_iterated_to(), step.count_at_value())).collect(),
            within: self.within.iter().map(|within| within.puzzles).collect(),
            total_ns: self.total_ns,
            max_ns: self.max_ns,
        }
    }

    /// Returns the histogram, in nanoseconds.
    pub fn histogram(&self) -> &Histogram<u64> {
        &self.histogram
    }

    /// Returns the exact number of puzzles within each budget.
    pub fn within(&self) -> &[Within] {
        &self.within
    }

    /// Returns mean, percentiles and maximum; all 0 if nothing was timed.
    pub fn summary(&self) -> LatencySummary {
        let puzzles = self.histogram.len();
        // A percentile is the highest value of its bucket. This value can be larger than the time of the slowest puzzle.
        let at = |quantile| self.histogram.value_at_quantile(quantile).min(self.max_ns);
        LatencySummary {
            puzzles,
            mean: if puzzles == 0 { 0.0 } else { self.total_ns as f64 / puzzles as f64 },
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            p99_9: at(0.999),
            max: self.max_ns,
        }
    }

    /// Writes the percentile distribution in the text form that HdrHistogram's plotter reads: columns `Value`
    /// (here microseconds), `Percentile`, `TotalCount`, `1/(1-Percentile)`.
    ///
    /// # Errors
    /// If `out` can't be written.
    pub fn write_percentiles(&self, out: &mut impl Write) -> std::io::Result<()> {
        const NS_PER_US: f64 = 1e3;
        writeln!(
            out,
            "{:>12} {:>14} {:>10} {:>14}\n",
            "Value", "Percentile", "TotalCount", "1/(1-Percentile)"
        )?;
        let mut total = 0;
        for step in self.histogram.iter_quantiles(5) {
            total += step.count_since_last_iteration();
            let (value, quantile) =
                (step.value_iterated_to() as f64 / NS_PER_US, step.quantile_iterated_to());
            write!(out, "{value:12.3} {quantile:2.12} {total:10}")?;
            if quantile < 1.0 { writeln!(out, " {:14.2}", 1.0 / (1.0 - quantile))? } else { writeln!(out)? }
        }
        let (mean, deviation) = (self.summary().mean / NS_PER_US, self.histogram.stdev() / NS_PER_US);
        writeln!(out, "#[Mean    = {mean:12.3}, StdDeviation   = {deviation:12.3}]")?;
        writeln!(out, "#[Max     = {:12.3}, Total count    = {total:12}]", self.max_ns as f64 / NS_PER_US)?;
        // For three significant digits, HdrHistogram uses 2048 = 2^11 sub-buckets. Each bucket after the first one doubles the range.
        let buckets = (HIGHEST_NS.ilog2() + 1).saturating_sub(11) + 1;
        writeln!(out, "#[Buckets = {buckets:12}, SubBuckets     = {:12}]", 2048)
    }

    /// Writes a histogram log of one interval (V2, deflate) for the tools of HdrHistogram, which can merge the logs of several runs. The
    /// values of the histogram are in nanoseconds, but the maximum of the interval is written in milliseconds.
    ///
    /// # Errors
    ///
    /// Any error of the writer or the encoder.
    pub fn write_log(&self, out: &mut impl Write, start: SystemTime, wall: Duration) -> io::Result<()> {
        let fault = |error: String| io::Error::other(format!("cannot write the histogram log: {error}"));
        let since_epoch = start.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mut serializer = V2DeflateSerializer::new();
        let mut log = IntervalLogWriterBuilder::new()
            .add_comment("per-puzzle latency in nanoseconds, by sudobench")
            .with_start_time(start)
            .with_max_value_divisor(1e6)
            .begin_log_with(out, &mut serializer)
            .map_err(|error| fault(error.to_string()))?;
        log.write_histogram(&self.histogram, since_epoch, wall, None)
            .map_err(|error| fault(format!("{error:?}")))
    }
}

fn empty_histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, HIGHEST_NS, SIGNIFICANT_DIGITS).unwrap_or_else(|error| {
        unreachable!("the constant range 1..={HIGHEST_NS} with {SIGNIFICANT_DIGITS} digits is valid: {error}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budgets;
    use base64::Engine as _;
    use hdrhistogram::serialization::Deserializer;
    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
    use proptest::prelude::*;

    fn timed() -> Latency {
        let budgets: Budgets = "80ms,1s".parse().unwrap();
        let mut latency = Latency::new(&budgets.list);
        for elapsed_ns in [1_000, 2_000, 80_000_000, 80_000_001, 900_000_000] {
            latency.record(elapsed_ns, true);
        }
        latency.record(70_000_000, false);
        latency
    }

    #[test]
    fn budgets_are_counted_exactly_and_aborted_puzzles_meet_none() {
        let mut latency = timed();
        let stored = serde_json::to_string(&timed().counts()).unwrap();
        latency.merge(&serde_json::from_str(&stored).unwrap());
        let twice = timed()
            .histogram()
            .iter_recorded()
            .all(|step| latency.histogram().count_at(step.value_iterated_to()) == 2 * step.count_at_value());
        assert!(twice, "{stored}");
        let counts: Vec<u64> = latency.within().iter().map(|within| within.puzzles).collect();
        assert_eq!(counts, [6, 10]);
        let summary = latency.summary();
        assert_eq!((summary.puzzles, summary.max), (12, 900_000_000));
        assert!((summary.mean - 1_130_003_001.0 / 6.0).abs() < 1e-3, "{summary:?}");
    }

    proptest! {
        #[test]
        fn times_of_blocks_give_the_same_figures_as_single_times(
            blocks in prop::collection::vec(
                prop::collection::vec((prop::sample::select(vec![0, 1, 15, 16, 1_022, 1_023, 1_024, 1_025, 2_049, 80_000_000, u64::MAX >> 1]), any::<bool>()), 0..40),
                0..4,
            ),
        ) {
            let budgets: Budgets = "16ns,1024ns,80ms".parse().unwrap();
            let (mut alone, mut together) = (Latency::new(&budgets.list), Latency::new(&budgets.list));
            let mut times = Times::default();
            for block in &blocks {
                // The same `Times` is used for all blocks, as in a run.
                times.clear();
                for &(elapsed_ns, decided) in block {
                    alone.record(elapsed_ns, decided);
                    times.record(elapsed_ns, decided);
                }
                together.take_in(&times);
            }
            prop_assert_eq!(alone.counts(), together.counts());
        }
    }

    #[test]
    fn percentiles_have_the_format_of_the_plotter() {
        let mut text = Vec::new();
        timed().write_percentiles(&mut text).unwrap();
        insta::assert_snapshot!(String::from_utf8(text).unwrap());
    }

    #[test]
    fn a_log_is_read_back_whole() {
        let mut text = Vec::new();
        timed().write_log(&mut text, SystemTime::UNIX_EPOCH, Duration::from_secs(1)).unwrap();
        let entries: Vec<_> = IntervalLogIterator::new(&text).map(|entry| entry.unwrap()).collect();
        let Some(LogEntry::Interval(interval)) = entries.last() else { panic!("no interval in {entries:?}") };
        let encoded = base64::engine::general_purpose::STANDARD.decode(interval.encoded_histogram()).unwrap();
        let read: Histogram<u64> = Deserializer::new().deserialize(&mut encoded.as_slice()).unwrap();
        assert_eq!(read, *timed().histogram());
    }
}
