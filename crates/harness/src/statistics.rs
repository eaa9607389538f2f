//! Statistics of small samples, such as medians, bootstrap intervals and tests.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
pub(crate) use sudobench_rows::quantile_of_sorted;
use sudobench_sudoku::random::Random;

/// Number of resamples of a bootstrap. With 4,000 resamples, the bounds of a 95% interval vary between seeds by much less than a tenth of
/// its width.
pub const RESAMPLES: usize = 4_000;

/// The confidence of an interval in a report, unless Holm's procedure sets another level.
pub const CONFIDENCE: f64 = 0.95;

/// An estimate, with bounds that contain the true value with a stated confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The estimate, such as a median or a ratio of two samples.
    pub median: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// Returns the median. If the number of values is even, it is the mean of the two middle values. `None` if there are no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let (lower, upper) = middle_values(&mut values.to_vec(), f64::total_cmp)?;
    Some(lower + (upper - lower) * 0.5)
}

/// Returns the median of integers, rounded down. `None` if there are no values. Changes the order of `values`.
pub(crate) fn median_u64(values: &mut [u64]) -> Option<u64> {
    let (lower, upper) = middle_values(values, u64::cmp)?;
    Some(lower + (upper - lower) / 2)
}

/// Returns the two middle values; if the number of values is odd, they are the same value. `None` if there are no values. Changes the order
/// of `values`.
fn middle_values<T: Copy>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) -> Option<(T, T)> {
    let middle = values.len() / 2;
    let even = values.len().is_multiple_of(2);
    if values.is_empty() {
        return None;
    }
    // Only the middle values are needed, and selecting them is much faster than sorting.
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, &compare);
    let lower = if even { below.iter().copied().max_by(compare).unwrap_or(upper) } else { upper };
    Some((lower, upper))
}

/// Returns the smallest and the largest value. `None` if there are no values.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.map(|value| (value, value)).reduce(|(least, most), (low, high)| (least.min(low), most.max(high)))
}

/// Returns the arithmetic mean. `None` if there are no values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the standard deviation of a sample, or `None` for fewer than two values.
pub(crate) fn standard_deviation(values: &[f64]) -> Option<f64> {
    let squares = squared_distances(values)?;
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

fn squared_distances(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    Some(values.iter().map(|value| (value - mean).powi(2)).sum())
}

pub(crate) fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logs / values.len() as f64).exp())
}

/// If there are more values than this, the medians of resamples are drawn from an approximate distribution, because it would take
/// long to resample thousands of values 4,000 times.
const MANY: usize = 200;

/// Returns the sorted medians of `resamples` bootstrap resamples of `values`. Empty if there are no values.
pub(crate) fn medians_of_resamples(values: &[f64], seed: u64, resamples: usize) -> Vec<f64> {
    match values.len() {
        0..=MANY => resampled_medians(values, seed, resamples),
        _ => drawn_medians(values, seed, resamples),
    }
}

/// Draws medians of resamples from an approximate distribution. The median of a resample is one of the values, or the mean of two of them.
/// If there are n values and n is large, the rank of this median has a nearly normal distribution: its mean is the middle rank, and its
/// standard deviation is half the square root of n.
fn drawn_medians(values: &[f64], seed: u64, resamples: usize) -> Vec<f64> {
    let mut random = Random::new(seed);
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut uniform = || random.next_u64() as f64 / u64::MAX as f64;
    // The sum of twelve uniform numbers has the variance 1.
    let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
    let deviation = 0.5 / (sorted.len() as f64).sqrt();
    let mut medians: Vec<f64> =
        (0..resamples).filter_map(|_| quantile_of_sorted(&sorted, 0.5 + deviation * normal())).collect();
    medians.sort_unstable_by(f64::total_cmp);
    medians
}

/// Returns the medians of resamples, in ascending order. The values are sorted only once. For each resample, only the number of times that
/// each value was drawn is counted, and the median is found by adding up these numbers.
fn resampled_medians(values: &[f64], seed: u64, resamples: usize) -> Vec<f64> {
    let mut random = Random::new(seed);
    let (order, ranks) = order_and_ranks(values);
    let mut drawn = vec![0_usize; values.len()];
    let mut medians: Vec<f64> = (0..if values.is_empty() { 0 } else { resamples })
        .map(|_| {
            drawn.fill(0);
            for _ in 0..values.len() {
                drawn[ranks[random.below(values.len())]] += 1;
            }
            let value_at = |place: usize| {
                let mut up_to = 0;
                let rank = drawn.iter().position(|&times| {
                    up_to += times;
                    up_to > place
                });
                values[order[rank.unwrap_or(0)]]
            };
            let upper = value_at(values.len() / 2);
            let lower = value_at((values.len() - 1) / 2);
            lower + (upper - lower) * 0.5
        })
        .collect();
    medians.sort_unstable_by(f64::total_cmp);
    medians
}

/// Returns the positions of the values, from the smallest value to the largest, and the rank of each value. Equal values have neighbouring
/// ranks.
pub(crate) fn order_and_ranks(values: &[f64]) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    order.iter().enumerate().for_each(|(rank, &at)| ranks[at] = rank);
    (order, ranks)
}

/// Returns the median with its percentile bootstrap interval (Efron 1979) at [`CONFIDENCE`], or `None` if there are no values.
///
/// The bounds are percentiles of the resampled medians. They are too narrow for fewer than [`ENOUGH_VALUES`] values.
pub(crate) fn median_interval(values: &[f64], seed: u64) -> Option<Interval> {
    let medians = medians_of_resamples(values, seed, RESAMPLES);
    let tail = (1.0 - CONFIDENCE) / 2.0;
    Some(Interval {
        median: median(values)?,
        low: quantile_of_sorted(&medians, tail)?,
        high: quantile_of_sorted(&medians, 1.0 - tail)?,
    })
}

/// Minimum number of values for a verdict. With fewer values, bootstrap intervals are too narrow.
pub const ENOUGH_VALUES: usize = 6;

/// Allowed probability of a false alarm over all tests of a run.
pub const ALPHA: f64 = 0.05;

/// Returns the ratio of the medians of two independent samples, with its bootstrap interval at `1 - ALPHA`. `None` if a sample is empty or
/// the median of the denominator is 0.
pub(crate) fn ratio_interval(numerator: &[f64], denominator: &[f64], seed: u64) -> Option<Interval> {
    let ratio = median(numerator)? / median(denominator)?;
    let above = medians_of_resamples(numerator, seed, RESAMPLES);
    let mut below = medians_of_resamples(denominator, seed ^ 1, RESAMPLES);
    // Each median of one sample is divided by a median of the other. Both lists of medians are sorted, so one list is shuffled first, to
    // make the two medians of each ratio independent.
    Random::new(seed).shuffle(&mut below);
    let mut ratios: Vec<f64> = above.iter().zip(&below).map(|(above, below)| above / below).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let tail = (RESAMPLES as f64 * ALPHA / 2.0) as usize;
    let (low, high) = (*ratios.get(tail - 1)?, *ratios.get(ratios.len().checked_sub(tail)?)?);
    ratio.is_finite().then_some(Interval { median: ratio, low, high })
}

/// Minimum number of runs for a verdict. Fewer runs don't show how much runs vary.
pub const ENOUGH_RUNS: usize = 3;

/// The ratio of the geometric means of two groups of runs, with Student's test on the logarithms. The variances of both groups are pooled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RatioOfRuns {
    log_ratio: f64,
    /// The standard error of `log_ratio`.
    error: f64,
    /// Degrees of freedom: the number of runs in both groups together, minus 2.
    freedom: u32,
}

impl RatioOfRuns {
    /// Computes the ratio from the runs of both groups. `None` if a group has fewer than [`ENOUGH_RUNS`] runs, or if a value is not
    /// positive and finite.
    pub(crate) fn new(numerator: &[f64], denominator: &[f64]) -> Option<RatioOfRuns> {
        let is_sound = |values: &[f64]| {
            values.len() >= ENOUGH_RUNS && values.iter().all(|value| value.is_finite() && *value > 0.0)
        };
        if ![numerator, denominator].into_iter().all(is_sound) {
            return None;
        }
        let [above, below] = [numerator, denominator]
            .map(|values| values.iter().map(|value| value.ln()).collect::<Vec<f64>>());
        let runs = above.len() + below.len();
        let freedom = u32::try_from(runs - 2).ok()?;
        let variance = (squared_distances(&above)? + squared_distances(&below)?) / f64::from(freedom);
        let error = (variance * (1.0 / above.len() as f64 + 1.0 / below.len() as f64)).sqrt();
        Some(RatioOfRuns { log_ratio: mean(&above)? - mean(&below)?, error, freedom })
    }

    pub(crate) fn ratio(&self) -> f64 {
        self.log_ratio.exp()
    }

    /// Returns the two-sided p-value of the hypothesis "the ratio and its inverse are at most `1 + margin`".
    pub(crate) fn p_value(&self, margin: f64) -> f64 {
        let beyond = self.log_ratio.abs() - margin.ln_1p();
        match beyond > 0.0 {
            true => 2.0 * student_tail(beyond / self.error, self.freedom),
            false => 1.0,
        }
    }

    /// Returns the interval with confidence `1 - level`. The whole interval is beyond a margin if and only if [`RatioOfRuns::p_value`] for
    /// this margin is at most `level`.
    pub(crate) fn interval(&self, level: f64) -> Interval {
        let half = student_quantile(level / 2.0, self.freedom) * self.error;
        let at = |log_ratio: f64| log_ratio.exp();
        Interval { median: self.ratio(), low: at(self.log_ratio - half), high: at(self.log_ratio + half) }
    }
}

/// Returns the probability that Student's t with `freedom` degrees of freedom exceeds a positive `t` (Abramowitz and Stegun 1964, 26.7.3
/// and 26.7.4).
fn student_tail(t: f64, freedom: u32) -> f64 {
    let angle = (t / f64::from(freedom).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let is_odd = freedom % 2 == 1;
    // The sum 1 + 1/2 cos^2 + (1 * 3)/(2 * 4) cos^4 + ... If the number of degrees of freedom is odd, the factors are 2/3, (2 * 4)/(3 * 5),
    // ...
    let (mut term, mut sum) = (1.0, 0.0);
    for at in 0..freedom / 2 {
        sum += term;
        let below = f64::from(2 * at + if is_odd { 2 } else { 1 });
        term *= below / (below + 1.0) * cosine * cosine;
    }
    let inside = match is_odd {
        true => (angle + sine * cosine * sum) * std::f64::consts::FRAC_2_PI,
        false => sine * sum,
    };
    ((1.0 - inside) / 2.0).max(0.0)
}

/// Returns the value that Student's t exceeds with the probability `tail`. `tail` must be below 1/2.
fn student_quantile(tail: f64, freedom: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while student_tail(high, freedom) > tail && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        match student_tail(middle, freedom) > tail {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

/// If there are n tests, each bootstrap makes at least n times this number of resamples. Then two or more resamples are beyond each bound
/// of an interval, even at the smallest level of Holm's procedure, [`ALPHA`] / n.
const RESAMPLES_A_TEST: usize = 100;

/// Returns the number of resamples of each bootstrap, if there are `tests` tests. With too few resamples, no hypothesis could be rejected
/// at [`ALPHA`].
pub(crate) fn resamples_for(tests: usize) -> usize {
    RESAMPLES.max(RESAMPLES_A_TEST.saturating_mul(tests))
}

/// The result of Holm's procedure for one hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HolmStep {
    /// Whether the hypothesis is rejected because its p-value is at most the level.
    pub rejected: bool,
    /// The level with which the p-value was compared. After the first hypothesis that is not rejected, no further hypothesis is tested. All
    /// further hypotheses get the level of this last test, because their p-values exceed this level, too.
    pub level: f64,
}

/// Returns the steps of Holm's step-down procedure, in which the probability of any false rejection is at most `alpha`. If there are m
/// p-values, the smallest is compared with `alpha / m`, the second smallest with `alpha / (m - 1)`, and so on until a p-value is too large.
/// Each hypothesis has a step, at the index of its p-value. The step of a hypothesis without a p-value is `None`.
pub(crate) fn holm_steps(p_values: &[Option<f64>], alpha: f64) -> Vec<Option<HolmStep>> {
    let mut order: Vec<(f64, usize)> =
        p_values.iter().enumerate().filter_map(|(at, p_value)| Some(((*p_value)?, at))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut steps = vec![None; p_values.len()];
    let hypotheses = order.len();
    let mut kept: Option<HolmStep> = None;
    for (before, (p_value, at)) in order.into_iter().enumerate() {
        let level = alpha / (hypotheses - before) as f64;
        let step = kept.unwrap_or(HolmStep { rejected: p_value <= level, level });
        kept = kept.or(Some(step).filter(|step| !step.rejected));
        steps[at] = Some(step);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn medians_and_quantiles_agree_with_the_textbook() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
        assert_eq!(median_u64(&mut [5, 1, 9]), Some(5));
        assert_eq!(median_u64(&mut [5, 1, 9, 8]), Some(6));
        assert_eq!(median_u64(&mut []), None);
        assert_eq!(median_u64(&mut [u64::MAX, u64::MAX]), Some(u64::MAX));
        assert_eq!(quantile_of_sorted(&[0.0, 10.0], 0.25), Some(2.5));
        assert_eq!(geometric_mean(&[1.0, 4.0]), Some(2.0));
    }

    proptest! {
        #[test]
        fn counting_draws_gives_the_median_of_a_resample(
            values in proptest::collection::vec((0_i8..5).prop_map(f64::from), 0..14), seed: u64,
        ) {
            let mut random = Random::new(seed);
            let mut resample = || -> Vec<f64> { values.iter().map(|_| values[random.below(values.len())]).collect() };
            let mut medians: Vec<f64> = (0..20).filter_map(|_| median(&resample())).collect();
            medians.sort_unstable_by(f64::total_cmp);
            prop_assert_eq!(resampled_medians(&values, seed, 20), medians);
        }
    }

    /// Returns a sample of roughly normal values: sums of twelve uniform numbers (mean 6, standard deviation 1).
    fn normal_sample(random: &mut Random, size: usize) -> Vec<f64> {
        let uniform = |random: &mut Random| random.next_u64() as f64 / u64::MAX as f64;
        (0..size).map(|_| (0..12).map(|_| uniform(random)).sum()).collect()
    }

    #[test]
    fn intervals_contain_the_true_median_as_often_as_stated() {
        let mut random = Random::new(7);
        let trials = 300;
        let held = (0..trials)
            .filter(|&trial| {
                let interval = median_interval(&normal_sample(&mut random, 20), trial).unwrap();
                interval.low <= 6.0 && 6.0 <= interval.high
            })
            .count();
        let share = held as f64 / trials as f64;
        assert!((0.91..=0.99).contains(&share), "95% intervals held the median in {share} of the trials");
    }

    #[test]
    fn for_many_values_drawn_medians_agree_with_resamples() {
        let mut random = Random::new(5);
        for size in [MANY, 1_001] {
            let sample = normal_sample(&mut random, size);
            let [drawn, resampled] =
                [drawn_medians, resampled_medians].map(|medians| medians(&sample, 1, RESAMPLES));
            let width = quantile_of_sorted(&resampled, 0.975).unwrap()
                - quantile_of_sorted(&resampled, 0.025).unwrap();
            for quantile in [0.025, 0.25, 0.5, 0.75, 0.975] {
                let [drawn, resampled] =
                    [&drawn, &resampled].map(|it| quantile_of_sorted(it, quantile).unwrap());
                assert!(
                    (drawn - resampled).abs() < 0.2 * width,
                    "{size}, {quantile}: {drawn}, {resampled}, {width}"
                );
            }
        }
    }

    #[test]
    fn the_ratio_is_about_one_for_equal_samples_and_about_two_for_a_doubled_sample() {
        let mut random = Random::new(3);
        let sample = normal_sample(&mut random, 30);
        let doubled: Vec<f64> = normal_sample(&mut random, 30).iter().map(|value| value * 2.0).collect();
        let equal = ratio_interval(&sample, &sample, 1).unwrap();
        assert!(equal.low < 1.0 && 1.0 < equal.high, "{equal:?}");
        let twice = ratio_interval(&doubled, &sample, 1).unwrap();
        assert!(twice.low < 2.0 && 2.0 < twice.high && twice.low > 1.5, "{twice:?}");
        assert_eq!(ratio_interval(&[], &sample, 1), None);
        assert_eq!(ratio_interval(&sample, &[0.0], 1), None);
    }

    #[test]
    fn the_t_distribution_agrees_with_tables() {
        // The values for two-sided 5% and 1% are from printed tables.
        for (freedom, five, one) in
            [(1, 12.706, 63.657), (4, 2.776, 4.604), (7, 2.365, 3.499), (8, 2.306, 3.355)]
        {
            let found = [0.025, 0.005].map(|tail| student_quantile(tail, freedom));
            assert!((found[0] - five).abs() < 1e-3 && (found[1] - one).abs() < 1e-3, "{freedom}: {found:?}");
        }
    }

    #[test]
    fn more_spread_between_runs_proves_less() {
        let ratio = |now: &[f64], before: &[f64]| RatioOfRuns::new(now, before);
        let close = ratio(&[1.10, 1.11, 1.09], &[1.0, 1.01, 0.99]).unwrap();
        let apart = ratio(&[1.10, 1.40, 0.80], &[1.0, 1.30, 0.70]).unwrap();
        assert!(close.p_value(0.01) < 0.01 && apart.p_value(0.01) > 0.5, "{close:?} {apart:?}");
        assert!(close.interval(ALPHA).low > 1.01 && apart.interval(ALPHA).low < 1.0);
        assert_eq!(ratio(&[1.0; 2], &[1.0; 3]), None, "two runs are too few");
        let equal = ratio(&[2.0; 3], &[2.0; 3]).unwrap();
        assert_eq!((equal.p_value(0.01), equal.interval(ALPHA).low), (1.0, 1.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn an_interval_contains_its_median_and_lies_within_the_sample(
            values in prop::collection::vec(1.0..1e9, 1..40), seed in any::<u64>()
        ) {
            let interval = median_interval(&values, seed).unwrap();
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(0.0, f64::max);
            prop_assert!(least <= interval.low && interval.low <= interval.median);
            prop_assert!(interval.median <= interval.high && interval.high <= most);
            prop_assert_eq!(median_interval(&values, seed), Some(interval), "the same seed gives the same interval");
        }

        #[test]
        fn a_verdict_on_runs_and_its_interval_agree_at_every_level(
            now in prop::collection::vec(0.8..1.3f64, 3..8), before in prop::collection::vec(0.9..1.1f64, 3..8),
            level in 0.0005..0.05f64, margin in 0.0..0.1f64
        ) {
            let test = RatioOfRuns::new(&now, &before).unwrap();
            let Interval { median, low, high } = test.interval(level);
            prop_assert!(low <= median && median <= high);
            let is_beyond = low > 1.0 + margin || high < 1.0 / (1.0 + margin);
            let p_value = test.p_value(margin);
            prop_assert!((p_value - level).abs() < 1e-9 || (p_value <= level) == is_beyond, "{p_value} at {level}: {low} to {high}");
        }

        #[test]
        fn holm_rejects_p_values_up_to_its_level(p_values in prop::collection::vec(0.0..0.1, 0..20)) {
            let p_values: Vec<Option<f64>> = p_values.into_iter().map(Some).collect();
            let steps = holm_steps(&p_values, ALPHA);
            for (p_value, step) in p_values.iter().zip(&steps) {
                let step = step.unwrap();
                prop_assert_eq!(step.rejected, p_value.unwrap() <= step.level);
                prop_assert!(step.level >= ALPHA / p_values.len() as f64 && step.level <= ALPHA);
            }
        }

        #[test]
        fn a_median_is_the_middle_quantile(values in prop::collection::vec(-1e9..1e9f64, 1..50)) {
            let mut sorted = values.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            prop_assert_eq!(median(&values), quantile_of_sorted(&sorted, 0.5));
        }

        #[test]
        fn integers_and_floats_agree_on_the_median(values in prop::collection::vec(0u64..1_000_000, 1..50)) {
            let floats: Vec<f64> = values.iter().map(|&value| value as f64).collect();
            prop_assert_eq!(median_u64(&mut values.clone()).unwrap() as f64, median(&floats).unwrap().floor());
        }
    }

    #[test]
    fn holm_steps_down() {
        let holm = |p_values: &[Option<f64>]| -> Vec<bool> {
            let steps = holm_steps(p_values, 0.05).into_iter();
            steps.map(|step| step.is_some_and(|step| step.rejected)).collect()
        };
        let rejected = |p_values: &[f64]| holm(&p_values.iter().map(|&p| Some(p)).collect::<Vec<_>>());
        assert_eq!(rejected(&[0.01, 0.04, 0.03]), [true, false, false]);
        assert_eq!(rejected(&[0.01, 0.04, 0.02]), [true, true, true]);
        assert_eq!(holm(&[None, Some(0.05), None]), [false, true, false]);
        assert!(holm(&[]).is_empty());
        let levels: Vec<f64> = holm_steps(&[Some(0.04), Some(0.01), Some(0.03)], 0.06)
            .into_iter()
            .map(|step| step.unwrap().level)
            .collect();
        assert_eq!(levels, [0.06, 0.02, 0.03]);
        let kept: Vec<f64> = holm_steps(&[Some(0.9), Some(0.01), Some(0.05)], 0.06)
            .into_iter()
            .map(|step| step.unwrap().level)
            .collect();
        assert_eq!(kept, [0.03, 0.02, 0.03], "no hypothesis is tested after the first that is not rejected");
    }
}
