//! Finds where a series of noisy values shifts, by E-divisive with a permutation test (Matteson and James, "A nonparametric approach for
//! multiple change point analysis of multivariate data", JASA 2014; used on benchmarks by Daly et al., ICPE 2020, and by Fleming et al.,
//! ICPE 2023).
//!
//! ```text
//! find the best split of the series: the place with the largest weighted energy distance between the values before and after the place
//! shuffle the series 999 times, and find the best split of each shuffled series
//! p-value = share of these 1000 series (the original and the shuffled ones) whose best split is at least as good as the original's
//! if p-value <= LEVEL: report a shift at the best split, and search both parts in the same way
//! otherwise: report no (further) shift
//! ```
//! The energy distance of two samples is twice the mean distance between values of different samples, minus the mean distance within each
//! of the two samples. Its weight is the product of the two sizes divided by their sum. The noise may have any distribution. The test only
//! requires that, without a shift, all orders of the values are equally likely.

use sudobench_sudoku::random::Random;

use crate::statistics::order_and_ranks;

/// Maximum probability that a shift is reported for a series that has no shift.
pub const LEVEL: f64 = 0.01;

/// Minimum length of a series. In a shorter series, a shift with only `LEAST_SIDE` values on one side cannot be found: there are so few
/// ways to choose these values that too many shuffled series have an equally good split, and the p-value is larger than [`LEVEL`].
pub const LEAST_VALUES: usize = 12;

/// Minimum number of values on either side of a shift.
const LEAST_SIDE: usize = 3;

/// Number of random permutations of a part that are made to test whether the best split of the part is significant.
const PERMUTATIONS: usize = 999;

/// A place where a series shifts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChangePoint {
    /// Position of the first value after the shift.
    pub(super) at: usize,
    /// The p-value: the share of all tested orders of the values (the original order and the random permutations) whose best split is at
    /// least as good as this split.
    pub(super) p_value: f64,
}

/// Returns the places where the values shift, in order. The seed decides the permutations.
pub(super) fn change_points(values: &[f64], seed: u64) -> Vec<ChangePoint> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    let mut parts = vec![(0, values.len())];
    while let Some((start, end)) = parts.pop() {
        if let Some(change) = test(&values[start..end], &mut random) {
            let at = start + change.at;
            found.push(ChangePoint { at, ..change });
            parts.extend([(start, at), (at, end)]);
        }
    }
    found.sort_by_key(|change| change.at);
    found
}

/// Returns the best split of one part of the series. `None` if the split is not significant, or the part has fewer than [`LEAST_VALUES`]
/// values.
fn test(values: &[f64], random: &mut Random) -> Option<ChangePoint> {
    if values.len() < LEAST_VALUES {
        return None;
    }
    let energy = Energy::new(values);
    let (_, mut ranks) = order_and_ranks(values);
    let (at, observed) = energy.best_place(&ranks);
    // The sums are rounded, so splits that differ only in the last digits count as equally good.
    let as_large = observed * (1.0 - 1e-9);
    let most = (LEVEL * (PERMUTATIONS + 1) as f64) as usize - 1;
    let mut larger = 0;
    for _ in 0..PERMUTATIONS {
        random.shuffle(&mut ranks);
        larger += usize::from(energy.best_place(&ranks).1 >= as_large);
        if larger > most {
            return None;
        }
    }
    Some(ChangePoint { at, p_value: (larger + 1) as f64 / (PERMUTATIONS + 1) as f64 })
}

/// The sorted values of one part of the series, and for each value the sum of its distances to all other values of the part.
struct Energy {
    sorted: Vec<f64>,
    distances: Vec<f64>,
}

impl Energy {
    fn new(values: &[f64]) -> Energy {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        // Subtracts the middle value from all values. The distances stay the same, and if all values are equal, all sums are exactly 0.
        let middle = sorted[sorted.len() / 2];
        sorted.iter_mut().for_each(|value| *value -= middle);
        let mut all = Placed::none_of(sorted.len());
        (0..sorted.len()).for_each(|rank| all.add(rank, sorted[rank]));
        let distances = (0..sorted.len()).map(|rank| all.distances(rank, sorted[rank])).collect();
        Energy { sorted, distances }
    }

    /// Returns the place of the best split of a series, and the weighted energy distance there.
    ///
    /// ```text
    /// for each value, from the first on:
    ///     move the value from the part after the place to the part before the place
    ///     the distances from the value to the part before the place   were between the parts, and are now within this part
    ///     the distances from the value to the part after the place    were within this part, and are now between the parts
    /// ```
    fn best_place(&self, ranks: &[usize]) -> (usize, f64) {
        let total: f64 = self.distances.iter().sum::<f64>() / 2.0;
        let (mut between, mut within) = (0.0, 0.0);
        let mut before = Placed::none_of(ranks.len());
        let mut best = (0, f64::NEG_INFINITY);
        for (at, &rank) in ranks.iter().enumerate() {
            let value = self.sorted[rank];
            let to_before = before.distances(rank, value);
            between += self.distances[rank] - 2.0 * to_before;
            within += to_before;
            before.add(rank, value);
            let (count, rest) = (at + 1, ranks.len() - at - 1);
            if count < LEAST_SIDE || rest < LEAST_SIDE {
                continue;
            }
            let (a, b) = (count as f64, rest as f64);
            let pairs = |of: f64| of * (of - 1.0) / 2.0;
            let energy = 2.0 * between / (a * b) - within / pairs(a) - (total - within - between) / pairs(b);
            let divergence = energy * a * b / (a + b);
            if divergence > best.1 {
                best = (count, divergence);
            }
        }
        best
    }
}

/// A part of the values. Two Fenwick trees hold, for each rank, the number and the sum of the part's values up to this rank. With them,
/// the sum of the distances from a value to all values of the part takes logarithmic time.
struct Placed {
    counts: Vec<f64>,
    sums: Vec<f64>,
    count: f64,
    sum: f64,
}

impl Placed {
    fn none_of(values: usize) -> Placed {
        Placed { counts: vec![0.0; values + 1], sums: vec![0.0; values + 1], count: 0.0, sum: 0.0 }
    }

    fn add(&mut self, rank: usize, value: f64) {
        self.count += 1.0;
        self.sum += value;
        let mut node = rank + 1;
        while node < self.counts.len() {
            self.counts[node] += 1.0;
            self.sums[node] += value;
            node += node & node.wrapping_neg();
        }
    }

    /// Returns the sum of the distances between the value of this rank and all values of this part.
    fn distances(&self, rank: usize, value: f64) -> f64 {
        let (mut count, mut sum) = (0.0, 0.0);
        let mut node = rank + 1;
        while node > 0 {
            count += self.counts[node];
            sum += self.sums[node];
            node -= node & node.wrapping_neg();
        }
        (value * count - sum) + (self.sum - sum) - value * (self.count - count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns roughly normal noise with mean 0 and this standard deviation. Each value is a sum of twelve uniform numbers.
    fn noise(count: usize, deviation: f64, seed: u64) -> Vec<f64> {
        let mut random = Random::new(seed);
        let mut uniform = || random.next_u64() as f64 / u64::MAX as f64;
        (0..count).map(|_| ((0..12).map(|_| uniform()).sum::<f64>() - 6.0) * deviation).collect()
    }

    fn places(values: &[f64]) -> Vec<usize> {
        change_points(values, 1).iter().map(|change| change.at).collect()
    }

    /// Returns the weighted energy distance at a place, computed from its definition.
    fn plain_divergence(values: &[f64], at: usize) -> f64 {
        let (before, behind) = values.split_at(at);
        let mean = |a: &[f64], b: &[f64], pairs: f64| -> f64 {
            a.iter().flat_map(|x| b.iter().map(move |y| (x - y).abs())).sum::<f64>() / pairs
        };
        let within = |of: &[f64]| mean(of, of, (of.len() * (of.len() - 1)) as f64);
        let (a, b) = (before.len() as f64, behind.len() as f64);
        (2.0 * mean(before, behind, a * b) - within(before) - within(behind)) * a * b / (a + b)
    }

    #[test]
    fn a_planted_shift_is_found_at_its_place() {
        // A shift of 10% in noise of 3%.
        let missed = (0..100).filter(|&seed| {
            let mut values = noise(24, 0.03, seed);
            values[14..].iter_mut().for_each(|value| *value += 1.1_f64.ln());
            !places(&values).iter().any(|at| (13..=15).contains(at))
        });
        let missed = missed.count();
        assert!(missed <= 5, "{missed} of 100 were missed");
    }

    #[test]
    fn equal_noise_seldom_shifts() {
        let alarms = (0..300).filter(|&seed| !places(&noise(30, 0.03, seed + 1_000)).is_empty()).count();
        // About 3 false alarms are expected. More than 9 would happen only once in a thousand such tests.
        assert!(alarms <= 9, "{alarms} of 300 series without a shift were said to have one");
    }

    #[test]
    fn several_shifts_are_found_and_a_spike_is_not_a_shift() {
        let mut values = noise(60, 0.01, 3);
        values[20..].iter_mut().for_each(|value| *value += 0.2);
        values[45..].iter_mut().for_each(|value| *value -= 0.3);
        values[10] += 1.0;
        assert_eq!(places(&values), [20, 45]);
    }

    #[test]
    fn short_or_constant_series_have_no_shift() {
        let steps = |before, behind| [vec![1.0; before], vec![2.0; behind]].concat();
        assert!(places(&steps(5, 6)).is_empty());
        assert_eq!(places(&steps(6, 6)), [6]);
        assert!(places(&[1.234_567; 40]).is_empty());
        assert!(places(&[]).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_best_place_agrees_with_the_definition(
            values in prop::collection::vec(prop_oneof![-5.0..5.0, Just(1.0), Just(2.0)], 6..40)
        ) {
            let energy = Energy::new(&values);
            let (at, divergence) = energy.best_place(&order_and_ranks(&values).1);
            prop_assert!((divergence - plain_divergence(&values, at)).abs() < 1e-9);
            for other in LEAST_SIDE..=values.len() - LEAST_SIDE {
                prop_assert!(plain_divergence(&values, other) <= divergence + 1e-9);
            }
        }

        #[test]
        fn a_shift_does_not_depend_on_the_unit(
            values in prop::collection::vec(-1.0..1.0, 10..30), offset in -100.0..100.0
        ) {
            let moved: Vec<f64> = values.iter().map(|value| value + offset).collect();
            prop_assert_eq!(places(&moved), places(&values));
        }
    }
}
