//! pass@k: how often at least one of k predictions for a puzzle is the solution.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::accuracy::{Accuracy, Bootstrap, mean};

/// Groups of predictions. A group has, for example, all predictions for one puzzle. Each group takes 38 to 76 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PredictionGroups(HashMap<u128, GroupCounts>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct GroupCounts {
    predictions: u32,
    exact: u32,
}

/// The mean of pass@k over groups.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassAt {
    /// Number k of drawn predictions.
    pub k: NonZeroU32,
    /// Number of groups.
    pub groups: u64,
    /// Number of groups with fewer than k predictions.
    pub too_small: u64,
    /// The mean, with the 95 % interval over groups; `None` if there are no groups, or if a group is too small.
    pub accuracy: Option<Accuracy>,
    /// The bootstrap for the interval; each resample draws groups. `None` if there is no interval, if there is only one group, or if the
    /// interval comes from a normal distribution.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bootstrap: Option<Bootstrap>,
}

impl PredictionGroups {
    /// Adds a prediction to the group with this key.
    pub fn add(&mut self, key: u128, is_exact: bool) {
        let group = self.0.entry(key).or_default();
        group.predictions += 1;
        group.exact += u32::from(is_exact);
    }

    pub(crate) fn merge(&mut self, other: &PredictionGroups) {
        for (key, counts) in &other.0 {
            let group = self.0.entry(*key).or_default();
            group.predictions += counts.predictions;
            group.exact += counts.exact;
        }
    }

    /// Returns the mean of pass@k over the groups.
    ///
    /// For each group of n predictions, c of them exact, the value is 1 - C(n - c, k) / C(n, k): the probability that at least one of k
    /// predictions that are drawn from the group is exact. Chen et al. (2021), "Evaluating Large Language Models Trained on Code", section
    /// 2.1, show that this estimate is unbiased. As in their programs, there is no value for k if a group has fewer than k predictions.
    ///
    /// ```
    /// let mut groups = sudobench_rows::PredictionGroups::default();
    /// [true, false, false].into_iter().for_each(|is_exact| groups.add(1, is_exact));
    /// let pass_at_2 = groups.pass_at(2.try_into()?);
    /// assert!((pass_at_2.accuracy.unwrap().mean - 2.0 / 3.0).abs() < 1e-12);
    /// assert_eq!(groups.pass_at(4.try_into()?).too_small, 1);
    /// # Ok::<(), std::num::TryFromIntError>(())
    /// ```
    pub fn pass_at(&self, k: NonZeroU32) -> PassAt {
        // Groups with equal counts have equal values.
        let mut alike = BTreeMap::new();
        self.0.values().for_each(|counts| *alike.entry(*counts).or_insert(0_u64) += 1);
        let groups = self.0.len() as u64;
        let too_small =
            alike.iter().filter(|(counts, _)| counts.predictions < k.get()).map(|(_, number)| number).sum();
        let bootstrap = Bootstrap::for_rows(groups).filter(|_| too_small == 0 && groups > 1);
        let values = alike.iter().map(|(counts, &number)| (counts.pass_at(k.get()), number)).collect();
        let accuracy = if too_small == 0 { mean(values, bootstrap) } else { None };
        PassAt { k, groups, too_small, accuracy, bootstrap }
    }
}

impl GroupCounts {
    fn pass_at(self, k: u32) -> f64 {
        let wrong = self.predictions - self.exact;
        if wrong < k {
            return 1.0;
        }
        // C(wrong, k) / C(predictions, k), without large numbers.
        let none_exact = (wrong + 1..=self.predictions).map(|number| 1.0 - f64::from(k) / f64::from(number));
        1.0 - none_exact.product::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_agree_with_drawing_every_subset() {
        for predictions in 1..=8_u32 {
            for exact in 0..=predictions {
                for k in 1..=predictions {
                    let subsets = (0_u32..1 << predictions).filter(|subset| subset.count_ones() == k);
                    let passing = subsets.clone().filter(|subset| subset & ((1 << exact) - 1) != 0);
                    let share = passing.count() as f64 / subsets.count() as f64;
                    let found = GroupCounts { predictions, exact }.pass_at(k);
                    assert!((found - share).abs() < 1e-12, "{predictions} {exact} {k}: {found} {share}");
                }
            }
        }
    }

    #[test]
    fn means_are_over_groups_of_any_size_and_order() {
        let (mut groups, mut parts) = (PredictionGroups::default(), PredictionGroups::default());
        for (key, is_exact) in [(1, true), (1, false), (2, false), (2, false), (2, false), (3, true)] {
            groups.add(key, is_exact);
            let mut part = PredictionGroups::default();
            part.add(key, is_exact);
            part.merge(&parts);
            parts = part;
        }
        assert_eq!(groups, parts);
        let found = groups.pass_at(NonZeroU32::MIN);
        assert_eq!((found.groups, found.too_small), (3, 0));
        let accuracy = found.accuracy.unwrap();
        assert!((accuracy.mean - 0.5).abs() < 1e-12 && accuracy.low < 0.5 && accuracy.high > 0.5);
        let found = groups.pass_at(NonZeroU32::MIN.saturating_add(1));
        assert_eq!((found.too_small, found.accuracy), (1, None));
        assert_eq!(PredictionGroups::default().pass_at(NonZeroU32::MIN).accuracy, None);
    }
}
