//! Means and shares, with their 95 % confidence intervals.
//!
//! The interval of a share is Wilson's interval. The interval of a mean is computed by a bootstrap or, for many values, from a normal
//! distribution. The intervals depend only on how often each value occurs, so they are the same for any number of threads and shards, and
//! for any order of the rows.

use std::iter::repeat_n;

use serde::{Deserialize, Serialize};
use sudobench_sudoku::random::Random;

/// A mean or a share, with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// The mean or the share, from 0 to 1.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// 95 % of a normal distribution are within this number of standard deviations.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// Returns the share of `hits` among `trials`, with its Wilson score interval (Wilson 1927). `None` if there are no trials.
pub(crate) fn wilson(hits: u64, trials: u64) -> Option<Accuracy> {
    if trials == 0 {
        return None;
    }
    let (hits, trials, square) = (hits as f64, trials as f64, DEVIATIONS * DEVIATIONS);
    let share = hits / trials;
    let centre = (hits + square / 2.0) / (trials + square);
    let spread = share * (1.0 - share) / trials + square / (4.0 * trials * trials);
    let half = DEVIATIONS * spread.sqrt() / (1.0 + square / trials);
    Some(Accuracy {
        mean: share,
        low: (centre - half).clamp(0.0, share),
        high: (centre + half).clamp(share, 1.0),
    })
}

/// The bootstrap that computes the confidence intervals of means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bootstrap {
    /// Number of resamples. Each of them has as many values as the sample, drawn from the sample with replacement.
    pub resamples: u32,
    /// The seed of the draws.
    pub seed: u64,
}

impl Bootstrap {
    /// If a mean is taken over fewer rows than this, its interval is computed by a bootstrap, otherwise from a normal distribution. With
    /// 100,000 rows, the two intervals differ by less than the random error of a bootstrap, and a bootstrap would take more than
    /// 0.1 seconds for each mean.
    pub const BELOW: u64 = 100_000;

    /// The seed is fixed, so that the same scores have the same intervals.
    const OF_MEANS: Bootstrap = Bootstrap { resamples: 1_000, seed: 1 };

    /// Returns the bootstrap for means over this many rows. Returns `None` from [`Bootstrap::BELOW`] rows on, because the intervals are
    /// then computed from a normal distribution.
    pub fn for_rows(rows: u64) -> Option<Bootstrap> {
        (rows < Bootstrap::BELOW).then_some(Bootstrap::OF_MEANS)
    }

    /// Returns the interval of the mean by the percentile method (Efron 1979): 95 % of the means of resamples are inside. `values` has the
    /// different values in ascending order, with the number of times that each occurs. `None` if there are no values.
    fn interval(self, values: &[(f64, u64)]) -> Option<[f64; 2]> {
        let sample: Vec<f64> =
            values.iter().flat_map(|&(value, times)| repeat_n(value, times as usize)).collect();
        let mut random = Random::new(self.seed);
        let mut resample = || (0..sample.len()).map(|_| sample[random.below(sample.len())]).sum();
        let mut sums: Vec<f64> = (0..self.resamples).map(|_| resample()).collect();
        sums.sort_unstable_by(f64::total_cmp);
        let bound = |share| Some(quantile_of_sorted(&sums, share)? / sample.len() as f64);
        Some([bound(0.025)?, bound(0.975)?])
    }
}

/// Returns the quantile of sorted values by linear interpolation (R's type 7). `None` if there are no values.
pub fn quantile_of_sorted(sorted: &[f64], quantile: f64) -> Option<f64> {
    let position = quantile.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (below, share) = (position.floor() as usize, position.fract());
    let lower = *sorted.get(below)?;
    let upper = *sorted.get(below + 1).unwrap_or(&lower);
    Some(lower + (upper - lower) * share)
}

/// Returns the mean of values from 0 to 1, with its confidence interval: of the bootstrap, or of a normal distribution if there is no
/// bootstrap. A single value has the interval from 0 to 1. Each value comes with the number of times that it occurs. Returns `None` if
/// there are no values.
pub(crate) fn mean(mut values: Vec<(f64, u64)>, bootstrap: Option<Bootstrap>) -> Option<Accuracy> {
    values.retain(|(_, times)| *times > 0);
    // Sorted, because the order of the values decides how sums are rounded, and which value a random number draws.
    values.sort_unstable_by(|(one, _), (other, _)| one.total_cmp(other));
    values.dedup_by(|(value, times), (before, all)| {
        let is_equal = value == before;
        *all += if is_equal { *times } else { 0 };
        is_equal
    });
    let count: u64 = values.iter().map(|(_, times)| times).sum();
    if count == 0 {
        return None;
    }
    let sum_of = |term: &dyn Fn(f64) -> f64| -> f64 {
        values.iter().map(|&(value, times)| term(value) * times as f64).sum()
    };
    let mean = sum_of(&|value| value) / count as f64;
    let [low, high] = match (&values[..], bootstrap) {
        // One value that occurs once says nothing about the spread.
        ([(_, 1)], _) => [0.0, 1.0],
        ([_], _) => [mean, mean],
        (_, Some(bootstrap)) => bootstrap.interval(&values)?,
        (_, None) => {
            let variance = sum_of(&|value| (value - mean).powi(2)) / (count - 1) as f64;
            let half = DEVIATIONS * (variance / count as f64).sqrt();
            [mean - half, mean + half]
        }
    };
    Some(Accuracy { mean, low: low.min(mean).max(0.0), high: high.max(mean).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates a model that solves most puzzles and has many wrong cells in the others. Returns each share of right cells, with the
    /// number of rows that have this share.
    fn right_cells(random: &mut Random, rows: usize) -> Vec<(f64, u64)> {
        let mut counts = vec![0; 82];
        for _ in 0..rows {
            let cells = if random.below(10) < 7 { 81 } else { 30 + random.below(45) };
            counts[cells] += 1;
        }
        counts.into_iter().enumerate().map(|(cells, times)| (cells as f64 / 81.0, times)).collect()
    }

    #[test]
    fn intervals_contain_the_true_mean_in_19_of_20_samples() {
        let truth = (0.7 * 81.0 + 0.3 * (30.0 + 22.0)) / 81.0;
        for bootstrap in [Bootstrap::for_rows(0), None] {
            let mut random = Random::new(5);
            let (samples, mut containing) = (400, 0);
            for _ in 0..samples {
                let found = mean(right_cells(&mut random, 150), bootstrap).unwrap();
                assert!(found.low < found.mean && found.mean < found.high, "{found:?}");
                containing += u32::from(found.low <= truth && truth <= found.high);
            }
            let share = f64::from(containing) / f64::from(samples);
            assert!((0.92..0.98).contains(&share), "{bootstrap:?}: {share}");
        }
    }

    #[test]
    fn both_intervals_are_nearly_equal_for_many_rows() {
        let values = right_cells(&mut Random::new(1), 10_000);
        let [ours, normal] =
            [Bootstrap::for_rows(0), None].map(|bootstrap| mean(values.clone(), bootstrap).unwrap());
        assert_eq!(ours.mean, normal.mean);
        let width = normal.high - normal.low;
        assert!((ours.low - normal.low).abs() < 0.06 * width, "{ours:?} {normal:?}");
        assert!((ours.high - normal.high).abs() < 0.06 * width, "{ours:?} {normal:?}");
    }

    #[test]
    fn intervals_do_not_depend_on_the_order_and_the_split_of_values() {
        let values = vec![(0.25, 2), (0.5, 30), (0.75, 1), (1.0, 90)];
        let mut other = vec![(1.0, 80), (0.75, 1), (0.25, 2), (0.5, 30), (1.0, 10)];
        let found = mean(values, Bootstrap::for_rows(0)).unwrap();
        assert_eq!(mean(other.clone(), Bootstrap::for_rows(0)), Some(found));
        assert!(found.low < found.mean && found.mean < found.high, "{found:?}");
        other.push((0.0, 0));
        assert_eq!(mean(other, Bootstrap::for_rows(0)), Some(found));
    }

    #[test]
    fn equal_values_and_single_values() {
        for bootstrap in [Bootstrap::for_rows(0), None] {
            assert_eq!(mean(vec![(0.5, 0)], bootstrap), None);
            assert_eq!(mean(vec![(0.5, 1)], bootstrap), Some(Accuracy { mean: 0.5, low: 0.0, high: 1.0 }));
            assert_eq!(mean(vec![(1.0, 9)], bootstrap), Some(Accuracy { mean: 1.0, low: 1.0, high: 1.0 }));
            let equal = mean(vec![(0.0, 0), (0.1, 9)], bootstrap).unwrap();
            assert_eq!([equal.low, equal.high], [equal.mean; 2]);
        }
        // For very many rows there is no bootstrap, because it would need memory for each row.
        assert!(Bootstrap::for_rows(Bootstrap::BELOW).is_none());
        assert!(mean(vec![(0.0, 1 << 40), (1.0, 1 << 40)], Bootstrap::for_rows(1 << 41)).is_some());
    }
}
