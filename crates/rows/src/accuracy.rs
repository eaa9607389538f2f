//! Means and shares, with their 95 % confidence intervals.

use serde::{Deserialize, Serialize};

/// A mean over puzzles or a share of puzzles, with its 95 % confidence interval.
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

/// Returns the mean of `count` values from 0 to 1, with the confidence interval of a normal distribution. `sum` is the sum of the values,
/// and `squares` the sum of their squares. Returns `None` if there are no values.
pub(crate) fn mean(count: u64, sum: f64, squares: f64) -> Option<Accuracy> {
    if count == 0 {
        return None;
    }
    let number = count as f64;
    let mean = sum / number;
    // A single value says nothing about the spread, so the interval becomes 0 to 1.
    let variance = if count > 1 { ((squares - sum * mean) / (number - 1.0)).max(0.0) } else { f64::INFINITY };
    let half = DEVIATIONS * (variance / number).sqrt();
    Some(Accuracy { mean, low: (mean - half).max(0.0), high: (mean + half).min(1.0) })
}
