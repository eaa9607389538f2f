//! Decides which pairs the paired gate measures in each trial, and makes the checks after the last trial. A look
//! (an interim test) follows when a planned number of trials is reached. After a look, only undecided pairs continue.
//!
//! ```text
//! while pairs are wanted     series.wanted()
//!     run a trial of them
//!     add its ratios         series.take(ratios)
//! a check for each pair      series.checks()
//! ```
//!
//! A first series runs over all pairs. It divides the allowed probability of a false alarm among its looks. A pair that fails in the first
//! series is measured again in a confirming series, in which the trials of the first series do not count. If the confirming series is
//! undecided, it continues up to the maximum number of trials. The first series already limits the probability of a false alarm, so the
//! confirming series does not divide this probability among its looks.

use super::paired::{Look, PairTrials, conclude, look};
use super::{Check, ComparedFigure, Gate, GateVerdict};
use crate::record::registry::Figure;
use crate::statistics::ENOUGH_VALUES;

/// Number of blocks (ABBA or BAAB) in each trial that follows an undecided look (an interim test). The median of the blocks' ratios is much
/// less noisy than the ratio of one block. Clear cases are decided at the first look, so they do not need the additional blocks.
const MORE_BLOCKS: usize = 3;

/// Settings of a series: how many trials it makes, and the seed of the bootstrap.
#[derive(Clone, Copy, Debug)]
pub struct TrialPlan {
    /// Number of trials before the first look, for [`Series::new`]. A number below [`ENOUGH_VALUES`] is raised to [`ENOUGH_VALUES`], or to
    /// `max_trials` if that is smaller.
    pub min_trials: usize,
    /// Maximum number of trials of a series. The first series and the confirming series each have this limit.
    pub max_trials: usize,
    /// The seed of the bootstrap.
    pub seed: u64,
}

impl TrialPlan {
    /// Returns the numbers of trials after which a series has a look (an interim test). They double from `first` up to the maximum. With
    /// fewer than [`ENOUGH_VALUES`] trials, every verdict is "inconclusive", so there is no look before this number, unless the maximum is
    /// smaller.
    fn looks_from(&self, first: usize) -> Vec<usize> {
        let mut looks = vec![first.max(ENOUGH_VALUES).min(self.max_trials).max(1)];
        while let Some(&last) = looks.last().filter(|last| **last < self.max_trials) {
            looks.push((last * 2).min(self.max_trials));
        }
        looks
    }
}

/// The trials of all pairs so far, and the verdicts on them. In a series, a pair is a solver, a dataset and a figure. A pair is identified
/// by its position.
pub struct Series {
    plan: TrialPlan,
    first: Trialled,
    /// The confirming series over the pairs that fail in the first series.
    second: Trialled,
    /// Whether failures of the first series are measured again, in the confirming series.
    confirms: bool,
}

/// The reason why a pair is not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmeasured {
    /// The verdict: broken or missing.
    pub verdict: GateVerdict,
    /// The reason.
    pub reason: String,
    /// Whether the base is at fault.
    pub base_failed: bool,
}

impl Unmeasured {
    /// The pair is not measured because of a fault that makes the gate fail, such as a fault of the head.
    pub fn broken(fault: impl ToString) -> Unmeasured {
        Unmeasured { verdict: GateVerdict::Broken, reason: fault.to_string(), base_failed: false }
    }

    /// The pair is not measured because a figure is unknown.
    pub fn missing(reason: &str) -> Unmeasured {
        Unmeasured { verdict: GateVerdict::Missing, reason: reason.to_owned(), base_failed: false }
    }

    /// The pair is not measured because the base failed, so there is nothing to compare the head with.
    pub fn base_failed(fault: impl ToString) -> Unmeasured {
        Unmeasured { verdict: GateVerdict::Missing, reason: fault.to_string(), base_failed: true }
    }

    /// Returns the check of a figure, for a pair that could not be measured.
    pub fn check(self, figure: &Figure, pair: (&str, &str)) -> Check {
        let check = Check::new(Gate::Paired, figure.limit_name(), pair, self.verdict, self.reason);
        Check { base_failed: self.base_failed, ..check }
    }
}

/// One series of trials, and the latest look at each pair. `pairs`, `unmeasured` and `found` have one element for each pair.
struct Trialled {
    pairs: Vec<PairTrials>,
    unmeasured: Vec<Option<Unmeasured>>,
    found: Vec<Option<Look>>,
    /// Positions of the pairs for the next trial. Empty at the end of the series.
    wanted: Vec<usize>,
    done: usize,
    /// The numbers of trials after which the verdicts are computed: the looks.
    looks: Vec<usize>,
}

impl Series {
    /// Makes a series over these pairs.
    pub fn new(plan: TrialPlan, pairs: &[ComparedFigure]) -> Series {
        let first = Trialled::new(pairs, (0..pairs.len()).collect(), plan.looks_from(plan.min_trials));
        Series { plan, first, second: Trialled::new(pairs, Vec::new(), Vec::new()), confirms: true }
    }

    /// Makes a series over the pairs that seemed to be slower in an earlier trial. `suspects` are the positions of these pairs in `pairs`.
    /// Failures of this series are final.
    pub fn confirming(plan: TrialPlan, pairs: &[ComparedFigure], suspects: Vec<usize>) -> Series {
        let first = Trialled::new(pairs, suspects, plan.looks_from(ENOUGH_VALUES));
        Series { plan, first, second: Trialled::new(pairs, Vec::new(), Vec::new()), confirms: false }
    }

    /// Returns the positions of the pairs for the next trial. Empty if each pair is decided, can't be measured, or has the maximum number
    /// of trials.
    pub fn wanted(&self) -> &[usize] {
        if self.first.is_over() { &self.second.wanted } else { &self.first.wanted }
    }

    /// Returns the number of blocks (ABBA or BAAB) of the next trial.
    pub fn blocks(&self) -> usize {
        let was_undecided = self.first.was_undecided() || self.second.was_undecided();
        if was_undecided { MORE_BLOCKS } else { 1 }
    }

    /// Returns the number of trials so far, and the number of trials after which there is the next look.
    pub fn progress(&self) -> (usize, usize) {
        let before = if self.first.is_over() { self.first.done } else { 0 };
        let current = if self.first.is_over() { &self.second } else { &self.first };
        (before + current.done, before + current.next_look())
    }

    /// Adds one trial of the wanted pairs: the position of each pair with its ratio, or with the reason why the pair can't be measured.
    pub fn take(&mut self, ratios: impl IntoIterator<Item = (usize, Result<f64, Unmeasured>)>) {
        if self.first.is_over() {
            self.second.take(ratios, 1, self.plan.seed ^ 1);
            return;
        }
        let looks = self.first.looks.len();
        self.first.take(ratios, looks, self.plan.seed);
        if self.first.is_over() && self.confirms {
            self.confirm();
        }
    }

    /// Begins the confirming series over the failing pairs. Its first look is after as many trials as these pairs had in the first series;
    /// if the pairs had different numbers of trials, the largest number counts.
    fn confirm(&mut self) {
        let first = &self.first;
        let failing: Vec<usize> =
            (0..first.pairs.len()).filter(|&pair| first.is(pair, GateVerdict::Fail)).collect();
        let trials = failing.iter().map(|&pair| first.pairs[pair].ratios.len()).max();
        self.second.looks = trials.map(|trials| self.plan.looks_from(trials)).unwrap_or_default();
        self.second.wanted = failing;
    }

    /// Returns the check of each pair. Call this only when no more trials follow.
    pub fn checks(&self) -> Vec<Check> {
        (0..self.first.pairs.len()).map(|at| self.check(at)).collect()
    }

    /// Returns the check of the pair at this position. Call this only when no more trials follow.
    pub fn check(&self, at: usize) -> Check {
        let pair = &self.first.pairs[at];
        let unmeasured = self.first.unmeasured[at].as_ref().or(self.second.unmeasured[at].as_ref());
        match (unmeasured, &self.first.found[at]) {
            (None, Some(last)) => {
                let confirming = self.second.found[at].as_ref().map(|look| (&self.second.pairs[at], look));
                conclude(pair, last, confirming)
            }
            (unmeasured, _) => {
                let unmeasured =
                    unmeasured.cloned().unwrap_or_else(|| Unmeasured::broken("no trial was measured"));
                let ComparedFigure { solver, dataset, figure, .. } = &pair.compared;
                unmeasured.check(figure, (solver, dataset))
            }
        }
    }
}

impl Trialled {
    fn new(pairs: &[ComparedFigure], wanted: Vec<usize>, looks: Vec<usize>) -> Trialled {
        Trialled {
            pairs: (pairs.iter())
                .map(|compared| PairTrials { compared: compared.clone(), ratios: Vec::new() })
                .collect(),
            unmeasured: vec![None; pairs.len()],
            found: vec![None; pairs.len()],
            wanted,
            done: 0,
            looks,
        }
    }

    fn is_over(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Returns whether the first look left a pair undecided.
    fn was_undecided(&self) -> bool {
        let first_look = self.looks.first().copied().unwrap_or(usize::MAX);
        self.done > first_look || (self.done == first_look && !self.is_over())
    }

    fn next_look(&self) -> usize {
        let next = self.looks.iter().copied().find(|&trials| trials > self.done);
        next.filter(|_| !self.is_over()).unwrap_or(self.done)
    }

    /// Adds one trial. If a look is due, only undecided pairs continue. After the last look, no pair continues. The allowed probability of
    /// a false alarm is divided among `looks` looks.
    fn take(
        &mut self,
        ratios: impl IntoIterator<Item = (usize, Result<f64, Unmeasured>)>,
        looks: usize,
        seed: u64,
    ) {
        self.done += 1;
        for (at, ratio) in ratios {
            match ratio {
                Ok(ratio) => self.pairs[at].ratios.push(ratio),
                Err(unmeasured) => self.unmeasured[at] = Some(unmeasured),
            }
        }
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.retain(|&at| self.unmeasured[at].is_none());
        if wanted.is_empty() || self.looks.contains(&self.done) {
            self.found = look(&self.pairs, looks, seed);
            wanted
                .retain(|&at| self.is(at, GateVerdict::Inconclusive) && self.looks.last() > Some(&self.done));
        }
        self.wanted = wanted;
    }

    /// Returns whether the pair could be measured and the latest look at it gave this verdict.
    fn is(&self, at: usize, verdict: GateVerdict) -> bool {
        self.unmeasured[at].is_none() && self.found[at].as_ref().is_some_and(|look| look.verdict == verdict)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::record::registry::TRIAL_TIME;
    use crate::statistics::median;
    use sudobench_sudoku::random::Random;

    const PLAN: TrialPlan = TrialPlan { min_trials: 10, max_trials: 40, seed: 1 };

    fn compared() -> ComparedFigure {
        ComparedFigure { solver: "a".to_owned(), dataset: "d".to_owned(), figure: &TRIAL_TIME, percent: 5.0 }
    }

    /// Returns the verdicts on two pairs, and the number of trials. `ratio` gives the ratio of a pair in a trial.
    fn decided(ratio: impl Fn(usize, usize) -> Result<f64, String>) -> (Vec<GateVerdict>, usize) {
        let compared = |name: &str| ComparedFigure {
            solver: name.to_owned(),
            dataset: "d".to_owned(),
            figure: &TRIAL_TIME,
            percent: 5.0,
        };
        let mut series = Series::new(PLAN, &["a", "b"].map(compared));
        let mut trials = 0;
        while !series.wanted().is_empty() {
            trials += 1;
            let ratio = |&at: &usize| (at, ratio(at, trials).map_err(Unmeasured::broken));
            let ratios: Vec<_> = series.wanted().iter().map(ratio).collect();
            series.take(ratios);
            assert_eq!(series.progress().0, trials);
            assert!(series.progress().1 >= trials);
        }
        (series.checks().iter().map(|check| check.verdict).collect(), trials)
    }

    #[test]
    fn clear_cases_are_decided_at_the_first_look_and_failures_are_confirmed() {
        assert_eq!(PLAN.looks_from(10), [10, 20, 40]);
        assert_eq!(decided(|_, _| Ok(1.0)), (vec![GateVerdict::Pass; 2], 10));
        let slow = |at, _| Ok(if at == 0 { 1.1 } else { 1.0 });
        let verdicts = vec![GateVerdict::Fail, GateVerdict::Pass];
        assert_eq!(decided(slow), (verdicts, 20), "ten more trials confirm the failure");
    }

    #[test]
    fn an_undecided_confirmation_continues_and_a_pass_dismisses_the_failure() {
        let dismissed = |_, trial| Ok(if trial <= 10 { 1.2 } else { 1.0 });
        assert_eq!(decided(dismissed), (vec![GateVerdict::Inconclusive; 2], 20));
        let noise = |trial| if trial % 2 == 0 { 0.8 } else { 1.3 };
        let late = |_, trial| Ok(if (11..=20).contains(&trial) { noise(trial) } else { 1.2 });
        assert_eq!(
            decided(late),
            (vec![GateVerdict::Fail; 2], 30),
            "confirmed at the second look, after 20 trials"
        );
        let never = |_, trial| Ok(if trial <= 10 { 1.2 } else { noise(trial) });
        assert_eq!(decided(never), (vec![GateVerdict::Inconclusive; 2], 50));
    }

    #[test]
    fn fewer_than_six_trials_give_no_verdict() {
        for (max_trials, verdict) in
            [(1, GateVerdict::Inconclusive), (5, GateVerdict::Inconclusive), (6, GateVerdict::Fail)]
        {
            let plan = TrialPlan { min_trials: 1, max_trials, seed: 1 };
            let mut series = Series::new(plan, &[compared()]);
            while !series.wanted().is_empty() {
                series.take([(0, Ok(1.5))]);
            }
            let check = series.checks().remove(0);
            assert_eq!(check.verdict, verdict, "{max_trials}: {}", check.reason);
        }
    }

    #[test]
    fn noisy_pairs_are_measured_to_the_maximum() {
        let noisy = |_, trial| Ok(if trial % 2 == 0 { 0.8 } else { 1.3 });
        assert_eq!(decided(noisy), (vec![GateVerdict::Inconclusive; 2], 40));
    }

    #[test]
    fn a_broken_pair_is_reported_and_others_continue() {
        let broken = |at, _| if at == 1 { Err("wrong answer".to_owned()) } else { Ok(1.0) };
        assert_eq!(decided(broken), (vec![GateVerdict::Pass, GateVerdict::Broken], 10));
        let all_broken = |_, _| Err("wrong answer".to_owned());
        assert_eq!(decided(all_broken), (vec![GateVerdict::Broken; 2], 1));
        let breaks_later = |at, trial| match (at, trial) {
            (0, ..=15) => Ok(1.2),
            (0, _) => Err("wrong answer".to_owned()),
            _ => Ok(1.0),
        };
        assert_eq!(decided(breaks_later), (vec![GateVerdict::Broken, GateVerdict::Pass], 16));
    }

    /// Returns in how many of 100 runs the first pair fails. In each run, there is one pair for each of the true ratios `ratios`.
    ///
    /// The noise is like the noise of a busy machine: the logarithms of the ratios vary by `spread`, and in one of ten trials they vary
    /// three times as much.
    fn simulated(ratios: &[f64], spread: f64) -> usize {
        let mut random = Random::new(17);
        simulated_trials(ratios, &mut |ratio, _| ratio * noise(&mut random, spread))
    }

    /// Returns a random factor by which a busy machine changes a time.
    fn noise(random: &mut Random, spread: f64) -> f64 {
        let mut uniform = || random.next_u64() as f64 / u64::MAX as f64;
        let width = if uniform() < 0.1 { 3.0 } else { 1.0 };
        // The sum of twelve uniform numbers has the variance 1.
        let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        (normal * width * spread).exp()
    }

    /// Like [`simulated`], but `trial` computes the ratio of a trial from the true ratio and the number of blocks (ABBA or
    /// BAAB).
    fn simulated_trials(ratios: &[f64], trial: &mut dyn FnMut(f64, usize) -> f64) -> usize {
        let mut failing = 0;
        for _ in 0..100 {
            let pair = |at: usize| ComparedFigure { solver: at.to_string(), ..compared() };
            let mut series = Series::new(PLAN, &(0..ratios.len()).map(pair).collect::<Vec<_>>());
            while !series.wanted().is_empty() {
                let blocks = series.blocks();
                let wanted = series.wanted().to_vec();
                series.take(wanted.into_iter().map(|at| (at, Ok(trial(ratios[at], blocks)))));
            }
            failing += usize::from(series.checks()[0].verdict == GateVerdict::Fail);
        }
        failing
    }

    /// A build that is 10% slower is found, and a build at the limit hardly ever raises an alarm. In an earlier version, a pair was not
    /// measured further after an undecided confirmation. That version found only 77 of the 100 slow builds, and 86 if there were also three
    /// pairs of equal builds.
    #[test]
    fn slow_builds_are_found_on_a_busy_machine_and_others_raise_no_alarm() {
        for (ratios, least, most) in
            [(&[1.1][..], 95, 100), (&[1.1, 1.0, 1.0, 1.0], 94, 100), (&[1.05], 0, 3), (&[1.0], 0, 0)]
        {
            let failing = simulated(ratios, 0.05);
            assert!((least..=most).contains(&failing), "{failing} of 100 runs with {ratios:?} fail");
        }
    }

    /// Processor times of an engine, in lines `busy loops,lane,microseconds`. The engine ran again and again on one pair of processors (a
    /// lane) while 0, 1 or 3 busy loops ran. The times with three loops come from eight lanes of one machine; the other times come from
    /// another machine, which has two processors. `scripts/gate-experiment --passes` makes such a file.
    const PASSES: &str = include_str!("passes.csv");

    /// Returns in how many of 100 runs a pair with this true ratio fails, with the noise of [`PASSES`]. With `more_blocks`, a trial has as
    /// many blocks as the series requests, otherwise one.
    fn failing_beside(busy_loops: usize, ratio: f64, more_blocks: bool) -> usize {
        let mut random = Random::new(17);
        let mut lanes: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for line in PASSES.lines() {
            let fields: Vec<&str> = line.split(',').collect();
            if fields[0] == busy_loops.to_string() {
                lanes.entry(fields[1]).or_default().push(fields[2].parse().unwrap());
            }
        }
        let lanes: Vec<Vec<f64>> = lanes.into_values().collect();
        // At the end of a lane, the simulation continues at a random pass of a random lane.
        let mut rest = lanes[0][..0].iter();
        let mut pass = || loop {
            match rest.next() {
                Some(pass) => return *pass,
                None => {
                    let lane = &lanes[random.below(lanes.len())];
                    rest = lane[random.below(lane.len())..].iter();
                }
            }
        };
        let mut order = Random::new(18);
        let mut trial = |ratio: f64, blocks| {
            let block = |_| {
                let is_flipped = order.below(2) == 1;
                let [first, second, third, fourth] = [(); 4].map(|()| pass());
                let (outer, inner) = (first + fourth, second + third);
                ratio * if is_flipped { outer / inner } else { inner / outer }
            };
            let blocks = if more_blocks { blocks } else { 1 };
            median(&(0..blocks).map(block).collect::<Vec<_>>()).unwrap()
        };
        simulated_trials(&[ratio], &mut trial)
    }

    /// The speed of a busy machine jumps between levels that last for several passes. A short block is more often within one level. So the
    /// blocks are short, and after an undecided look, the ratio of a trial is the median of three blocks.
    #[test]
    fn slow_builds_are_found_with_recorded_noise_and_others_raise_no_alarm() {
        let ratios = [1.0, 1.03, 1.05, 1.07, 1.1, 1.3];
        assert_eq!(ratios.map(|ratio| failing_beside(3, ratio, true)), [0, 0, 0, 60, 100, 100]);
        assert_eq!(failing_beside(3, 1.1, false), 90, "single blocks find fewer");
        for busy_loops in [0, 1] {
            assert_eq!([1.0, 1.1].map(|ratio| failing_beside(busy_loops, ratio, true)), [0, 100]);
        }
    }

    #[test]
    fn without_pairs_no_trial_is_needed() {
        let series = Series::new(PLAN, &[]);
        assert_eq!((series.wanted(), series.checks()), (&[][..], Vec::new()));
    }
}
