//! Verdicts on two builds that ran in turn.
//!
//! A trial runs a pair in new processes of the base (A) and the head (B), in the order ABBA or BAAB, once or several times. For each pair
//! and figure, a trial gives one ratio of head to base, which is one observation. The bootstrap resamples trials and not puzzles:
//! neighbouring puzzles run in the same state of the machine, so their times are not independent. The idea of paired, interleaved runs
//! comes from the tango harness (Bystrov 2024); the correction for several pairs is Holm's (1979).

use super::{Check, Gate, GateVerdict, PairedFigures};
use crate::figures::{counted, plural};
use crate::record::registry::{Figure, Unit};
use crate::statistics::{
    ALPHA, CONFIDENCE, ENOUGH_VALUES, HolmStep, Interval, holm_steps, median, medians_of_resamples,
    quantile_of_sorted, resamples_for,
};

/// A figure of a pair, and how much it may rise.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedFigure {
    /// The solver.
    pub solver: String,
    /// The dataset.
    pub dataset: String,
    /// The figure.
    pub figure: &'static Figure,
    /// By how many percent the figure may rise.
    pub percent: f64,
}

impl ComparedFigure {
    /// Returns the largest allowed ratio.
    pub fn limit(&self) -> f64 {
        1.0 + self.percent / 100.0
    }
}

/// The ratios of one pair's trials: the figure of the head divided by the figure of the base.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PairTrials {
    /// The figure and its limit.
    pub compared: ComparedFigure,
    /// One ratio for each trial.
    pub ratios: Vec<f64>,
}

/// The result of a look (an interim test) at the trials of a pair.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    /// The median ratio and the bounds that decide the verdict. The lower bound is corrected for the number of pairs and looks.
    pub ratio: Interval,
    /// The share of resamples whose median is within the limit. One more such resample is counted, so the share is never 0.
    pub p_value: f64,
    /// The verdict.
    pub verdict: GateVerdict,
    /// Estimated number of further trials that would lead to a verdict; 0 if the pair already passes or fails.
    pub more_trials: usize,
}

/// Tests the trials of all pairs. `looks` is the maximum number of looks (interim tests) of the series; it is 1 if the series measures the
/// failing pairs of an earlier series again. Each look can raise a false alarm, so the allowed probability of a false alarm is divided by
/// `looks`.
///
/// A pair fails if Holm's procedure rejects the hypothesis "the figure rose by at most the limit". Holm's procedure tests each pair at a
/// certain level. The lower bound of the interval is computed at the same level, so it exceeds the limit if the pair fails. A pair passes
/// if the upper bound of the interval at [`CONFIDENCE`] is within the limit. With fewer than [`ENOUGH_VALUES`] trials, the verdict is
/// always "inconclusive". The result for a pair without trials is `None`.
pub(super) fn look(pairs: &[PairTrials], looks: usize, seed: u64) -> Vec<Option<Look>> {
    let resamples = resamples_for(pairs.len().saturating_mul(looks));
    let medians: Vec<Vec<f64>> =
        pairs.iter().map(|pair| medians_of_resamples(&pair.ratios, seed, resamples)).collect();
    let p_value = |(pair, medians): (&PairTrials, &Vec<f64>)| {
        let within = medians.partition_point(|&median| median <= pair.compared.limit());
        (!medians.is_empty()).then(|| (within + 1) as f64 / (resamples + 1) as f64)
    };
    let p_values: Vec<Option<f64>> = pairs.iter().zip(&medians).map(p_value).collect();
    let steps = holm_steps(&p_values, ALPHA / looks.max(1) as f64);
    let all = pairs.iter().zip(&medians).zip(p_values).zip(steps);
    all.map(|(((pair, medians), p_value), step)| look_at(pair, medians, p_value?, step?)).collect()
}

/// Judges one pair. `medians` has the medians of the pair's resampled ratios, in ascending order.
fn look_at(pair: &PairTrials, medians: &[f64], p_value: f64, step: HolmStep) -> Option<Look> {
    let limit = pair.compared.limit();
    // The p-value is at most the level if and only if fewer than `may_be_within` medians are within the limit. This is the case if and only
    // if the median with the rank `may_be_within` (from 1) exceeds the limit, so this median is the lower bound.
    let may_be_within = ((medians.len() + 1) as f64 * step.level) as usize;
    let ratio = Interval {
        median: median(&pair.ratios)?,
        low: *medians.get(may_be_within.saturating_sub(1))?,
        high: quantile_of_sorted(medians, 1.0 - (1.0 - CONFIDENCE) / 2.0)?,
    };
    let trials = pair.ratios.len();
    let (verdict, more_trials) = match (step.rejected, ratio.high <= limit) {
        _ if trials < ENOUGH_VALUES => (GateVerdict::Inconclusive, ENOUGH_VALUES - trials),
        (true, _) => (GateVerdict::Fail, 0),
        (false, true) => (GateVerdict::Pass, 0),
        (false, false) => (GateVerdict::Inconclusive, more_trials(trials, &ratio, limit)),
    };
    Some(Look { ratio, p_value, verdict, more_trials })
}

/// Estimates how many more trials make the interval so narrow that it is on one side of the limit. The width of the interval shrinks with
/// the square root of the number of trials. Returns at most 1,000, which means "too many".
fn more_trials(trials: usize, ratio: &Interval, limit: f64) -> usize {
    let half_width = if ratio.median > limit { ratio.median - ratio.low } else { ratio.high - ratio.median };
    let distance = (ratio.median - limit).abs().max(1e-9);
    let needed = trials as f64 * (half_width / distance).powi(2);
    ((needed.ceil() as usize).saturating_sub(trials)).clamp(1, 1_000)
}

/// Returns the check of a pair. `last` is the final look at the first series. If the pair did not fail there, this look gives the verdict.
/// If the pair failed there, the verdict is "fail" only if the pair also fails in the confirming series, or if there is no such series.
/// Otherwise the verdict is "inconclusive", even if the pair passed in the confirming series.
pub(super) fn conclude(pair: &PairTrials, last: &Look, confirming: Option<(&PairTrials, &Look)>) -> Check {
    let ComparedFigure { solver, dataset, figure, percent: limit } = &pair.compared;
    let first = format!("{} {}, limit +{limit}%", figure.label, figures(pair, last));
    let confirmed = confirming.map_or(last, |(_, look)| look);
    let second = confirming.map(|(trials, look)| figures(trials, look)).unwrap_or_default();
    let (verdict, reason) = match (last.verdict, confirmed.verdict) {
        (GateVerdict::Fail, GateVerdict::Fail) => (GateVerdict::Fail, format!("{}: {first}", worse(figure))),
        (GateVerdict::Fail, GateVerdict::Pass) => (
            GateVerdict::Inconclusive,
            format!("{first}: {}, but a second series is within the limit: {second}", worse(figure)),
        ),
        (GateVerdict::Fail, _) => (
            GateVerdict::Inconclusive,
            format!(
                "{first}: {}, but a second series does not decide: {second}; {}",
                worse(figure),
                remedy(confirming.map_or(0, |(trials, _)| trials.ratios.len()), confirmed)
            ),
        ),
        (GateVerdict::Pass, _) => (GateVerdict::Pass, first),
        (GateVerdict::Inconclusive | GateVerdict::Missing | GateVerdict::Broken, _) => {
            (GateVerdict::Inconclusive, format!("{first}; {}", remedy(pair.ratios.len(), last)))
        }
    };
    Check {
        figures: Some(PairedFigures {
            figure,
            ratio: last.ratio,
            p_value: last.p_value,
            trials: pair.ratios.clone(),
            confirming_trials: confirming.map(|(trials, _)| trials.ratios.clone()).unwrap_or_default(),
        }),
        ..Check::new(Gate::Paired, figure.limit_name(), (solver, dataset), verdict, reason)
    }
}

/// Formats the median ratio of a pair's trials and its interval as changes in percent, and adds the number of trials.
fn figures(pair: &PairTrials, look: &Look) -> String {
    let percent = |ratio: f64| format!("{:+.1}%", (ratio - 1.0) * 100.0);
    let [median, low, high] = [look.ratio.median, look.ratio.low, look.ratio.high].map(percent);
    format!("{median} [{low}, {high}] over {}", counted(pair.ratios.len() as u64, "trial"))
}

/// Returns advice on how to get a verdict for an undecided pair.
fn remedy(trials: usize, look: &Look) -> String {
    if trials < ENOUGH_VALUES {
        return format!("a verdict needs at least {ENOUGH_VALUES} trials: raise --max-trials");
    }
    format!("about {} more {} would decide", look.more_trials, plural(look.more_trials as u64, "trial"))
}

/// Returns the word for a figure that rose, such as "slower".
fn worse(figure: &Figure) -> &'static str {
    if figure.unit == Unit::Nanoseconds { "slower" } else { "more" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::registry::TRIAL_TIME;
    use proptest::prelude::*;
    use sudobench_sudoku::random::Random;

    /// Makes trials with evenly spaced ratios from `center - spread` to `center + spread`.
    fn trials(center: f64, spread: f64, count: usize) -> PairTrials {
        let at = |index: usize| center + spread * (2.0 * index as f64 / (count - 1) as f64 - 1.0);
        PairTrials { compared: compared(5.0), ratios: (0..count).map(at).collect() }
    }

    fn compared(percent: f64) -> ComparedFigure {
        ComparedFigure { solver: "a".to_owned(), dataset: "d".to_owned(), figure: &TRIAL_TIME, percent }
    }

    fn verdict(center: f64, spread: f64, count: usize) -> Look {
        look(&[trials(center, spread, count)], 1, 1).remove(0).unwrap()
    }

    #[test]
    fn slow_fails_equal_passes_and_noise_is_inconclusive() {
        assert_eq!(verdict(1.10, 0.02, 10).verdict, GateVerdict::Fail);
        assert_eq!(verdict(1.00, 0.02, 10).verdict, GateVerdict::Pass);
        assert_eq!(verdict(0.80, 0.02, 10).verdict, GateVerdict::Pass);
        for few in [1.00, 1.10] {
            let few = verdict(few, 0.0, ENOUGH_VALUES - 1);
            assert_eq!((few.verdict, few.more_trials), (GateVerdict::Inconclusive, 1), "{few:?}");
        }
        let noisy = verdict(1.07, 0.20, 10);
        assert_eq!(noisy.verdict, GateVerdict::Inconclusive);
        assert!((50..1000).contains(&noisy.more_trials), "{noisy:?}");
    }

    #[test]
    fn more_pairs_and_looks_need_more_evidence() {
        // About 1% of the resampled medians are below the limit. This p-value is small enough for a failure if the pair is the only one,
        // but not if it is one of several.
        let mut one = trials(1.08, 0.02, 10);
        one.ratios[0] = 0.9;
        one.ratios[1] = 0.9;
        let alone = look(std::slice::from_ref(&one), 1, 1).remove(0).unwrap();
        assert!((0.003..0.04).contains(&alone.p_value), "{}", alone.p_value);
        assert_eq!(alone.verdict, GateVerdict::Fail);
        let more_looks = look(std::slice::from_ref(&one), 50, 1).remove(0).unwrap();
        assert_ne!(more_looks.verdict, GateVerdict::Fail, "{}", more_looks.p_value);
        let crowd: Vec<PairTrials> = std::iter::repeat_n(trials(1.0, 0.01, 10), 60).collect();
        let all = [vec![one], crowd].concat();
        for looks in [1, 3] {
            assert_ne!(look(&all, looks, 1)[0].as_ref().unwrap().verdict, GateVerdict::Fail, "{looks} looks");
        }
    }

    #[test]
    fn only_a_confirming_failure_confirms_and_only_a_confirming_pass_dismisses() {
        let (slow, equal) = (trials(1.10, 0.02, 10), trials(1.0, 0.02, 10));
        let [failed, passed] =
            [&slow, &equal].map(|pair| look(std::slice::from_ref(pair), 1, 1).remove(0).unwrap());
        let noisy = trials(1.07, 0.2, 40);
        let undecided = look(std::slice::from_ref(&noisy), 1, 1).remove(0).unwrap();
        let few = PairTrials { ratios: vec![1.1; 2], ..slow.clone() };
        let too_few = look(std::slice::from_ref(&few), 1, 1).remove(0).unwrap();
        let cases = [
            conclude(&slow, &failed, Some((&slow, &failed))),
            conclude(&slow, &failed, Some((&equal, &passed))),
            conclude(&slow, &failed, Some((&noisy, &undecided))),
            conclude(&few, &too_few, None),
        ];
        let shown = cases.map(|check| format!("{}: {}", check.verdict.name(), check.reason));
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn equal_binaries_hardly_ever_look_slower_than_the_limit() {
        // The ratios of equal binaries, with noise of several percent. The noise is a sum of uniform random numbers.
        let mut random = Random::new(11);
        let mut ratio = || {
            let sum: f64 = (0..6).map(|_| random.next_u64() as f64 / u64::MAX as f64).sum();
            1.0 + (sum - 3.0) * 0.05
        };
        let pair = |ratios| PairTrials { ratios, compared: compared(0.0) };
        let runs: Vec<PairTrials> = (0..200).map(|_| pair((0..10).map(|_| ratio()).collect())).collect();
        let alarms = runs
            .iter()
            .filter(|run| {
                look(std::slice::from_ref(*run), 3, 1)[0].as_ref().unwrap().verdict == GateVerdict::Fail
            })
            .count();
        assert!(alarms <= 10, "{alarms} of 200 runs of equal binaries raise an alarm");
    }

    #[test]
    fn a_slow_pair_among_very_many_is_found() {
        // The number of resamples must rise with the number of pairs: with too few resamples, no p-value can be small enough for 81 pairs
        // and three looks.
        let crowd = std::iter::repeat_n(trials(1.0, 0.01, 10), 80);
        let all: Vec<PairTrials> = std::iter::once(trials(1.10, 0.02, 10)).chain(crowd).collect();
        let found = look(&all, 3, 1);
        assert_eq!(found[0].as_ref().unwrap().verdict, GateVerdict::Fail);
        assert_eq!(found[1].as_ref().unwrap().verdict, GateVerdict::Pass);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn shown_intervals_agree_with_verdicts(
            centers in prop::collection::vec(0.95..1.15, 1..8), spread in 0.001..0.15, looks in 1usize..4
        ) {
            let pairs: Vec<PairTrials> = centers.iter().map(|&center| trials(center, spread, 9)).collect();
            for look in look(&pairs, looks, 5).into_iter().flatten() {
                let Interval { low, median, high } = look.ratio;
                prop_assert!(low <= median && median <= high, "{look:?}");
                let shown = match (low > 1.05, high <= 1.05) {
                    (true, _) => GateVerdict::Fail,
                    (false, true) => GateVerdict::Pass,
                    (false, false) => GateVerdict::Inconclusive,
                };
                prop_assert_eq!(shown, look.verdict, "{:?}", look);
            }
        }

        #[test]
        fn slower_trials_never_turn_a_failure_into_a_pass(
            ratios in prop::collection::vec(0.5..2.0, 3..20), factor in 1.0..3.0
        ) {
            let pair = |ratios: Vec<f64>| PairTrials { ratios, compared: compared(5.0) };
            let slower = ratios.iter().map(|ratio| ratio * factor).collect();
            let of = |pair: PairTrials| look(&[pair], 1, 9).remove(0).unwrap();
            let (before, after) = (of(pair(ratios)), of(pair(slower)));
            prop_assert!(before.verdict <= after.verdict, "{:?} became {:?}", before, after);
        }
    }
}
