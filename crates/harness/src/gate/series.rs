//! Gate B from the first trial to the verdicts: look, go on where it is undecided, confirm what fails.
//!
//! ```text
//! while pairs are wanted     series.wanted()
//!     run a trial of them
//!     take its ratios in     series.take(ratios)
//! a check for each pair      series.checks()
//! ```

use super::{Check, Compared, Gate, GateVerdict, Look, PairTrials, conclude, look};

/// How many trials are run, and how they are judged.
#[derive(Clone, Copy, Debug)]
pub struct TrialPlan {
    /// Trials before the first look.
    pub min_trials: usize,
    /// Trials after which it ends, decided or not.
    pub max_trials: usize,
    /// The seed of the bootstrap.
    pub seed: u64,
}

impl TrialPlan {
    /// The numbers of trials at which the series looks: doubling from the least to the most.
    fn looks(&self) -> Vec<usize> {
        let mut looks = vec![self.min_trials.min(self.max_trials).max(1)];
        while let Some(&last) = looks.last().filter(|last| **last < self.max_trials) {
            looks.push((last * 2).min(self.max_trials));
        }
        looks
    }
}

/// The trials of all that is compared so far, and what they say. A pair here is a solver, a dataset and a figure, and goes by its position.
pub struct Series {
    plan: TrialPlan,
    first: Trialled,
    /// A second series over the pairs that fail, judged by itself.
    second: Trialled,
    looks: Vec<usize>,
    stage: Stage,
}

/// Which trials come next.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    /// Those before the look of this position.
    Looking(usize),
    /// So many that confirm.
    Confirming(usize),
    /// None.
    Done,
}

/// Why a pair is not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmeasured {
    /// Whether it is broken or missing.
    pub verdict: GateVerdict,
    /// Why, in words.
    pub reason: String,
}

impl Unmeasured {
    /// What a fault makes impossible.
    pub fn broken(fault: impl ToString) -> Unmeasured {
        Unmeasured { verdict: GateVerdict::Broken, reason: fault.to_string() }
    }

    /// What is not told.
    pub fn missing(reason: &str) -> Unmeasured {
        Unmeasured { verdict: GateVerdict::Missing, reason: reason.to_owned() }
    }
}

/// Some trials of all pairs, and the last look at them.
struct Trialled {
    pairs: Vec<PairTrials>,
    unmeasured: Vec<Option<Unmeasured>>,
    found: Vec<Option<Look>>,
    /// The pairs that the next trial is to run.
    wanted: Vec<usize>,
    done: usize,
}

impl Series {
    /// A series over these pairs.
    pub fn new(plan: TrialPlan, pairs: &[Compared]) -> Series {
        let trialled = |wanted| Trialled {
            pairs: (pairs.iter())
                .map(|compared| PairTrials { compared: compared.clone(), ratios: Vec::new() })
                .collect(),
            unmeasured: vec![None; pairs.len()],
            found: vec![None; pairs.len()],
            wanted,
            done: 0,
        };
        let first = trialled((0..pairs.len()).collect());
        let stage = if pairs.is_empty() { Stage::Done } else { Stage::Looking(0) };
        Series { plan, first, second: trialled(Vec::new()), looks: plan.looks(), stage }
    }

    /// The pairs that the next trial is to run; none where all is decided.
    pub fn wanted(&self) -> &[usize] {
        match self.stage {
            Stage::Looking(_) => &self.first.wanted,
            Stage::Confirming(_) => &self.second.wanted,
            Stage::Done => &[],
        }
    }

    /// Trials that were taken in, and those after which the next verdicts fall.
    pub fn progress(&self) -> (usize, usize) {
        let done = self.first.done + self.second.done;
        match self.stage {
            Stage::Looking(at) => (done, self.looks[at]),
            Stage::Confirming(trials) => (done, self.first.done + trials),
            Stage::Done => (done, done),
        }
    }

    /// Takes in one trial of the wanted pairs: the ratio of each by its position, or what makes the pair impossible.
    pub fn take(&mut self, ratios: impl IntoIterator<Item = (usize, Result<f64, Unmeasured>)>) {
        match self.stage {
            Stage::Looking(at) => {
                self.first.take(ratios);
                if self.first.done >= self.looks[at] || self.first.wanted.is_empty() {
                    self.look(at);
                }
            }
            Stage::Confirming(trials) => {
                self.second.take(ratios);
                if self.second.done >= trials || self.second.wanted.is_empty() {
                    self.second.look(1, self.plan.seed ^ 1);
                    self.stage = Stage::Done;
                }
            }
            Stage::Done => {}
        }
    }

    /// A look at the first trials: on with what is undecided, else to what has to be confirmed.
    fn look(&mut self, at: usize) {
        let first = &mut self.first;
        first.look(self.looks.len(), self.plan.seed);
        let undecided = |pair: &usize| first.is(*pair, GateVerdict::Inconclusive);
        first.wanted = first.wanted.iter().copied().filter(undecided).collect();
        if !first.wanted.is_empty() && at + 1 < self.looks.len() {
            self.stage = Stage::Looking(at + 1);
            return;
        }
        let failing = (0..first.pairs.len()).filter(|&pair| first.is(pair, GateVerdict::Fail));
        self.second.wanted = failing.collect();
        let trials = self.second.wanted.iter().map(|&pair| first.pairs[pair].ratios.len()).max();
        self.stage = trials.map_or(Stage::Done, Stage::Confirming);
    }

    /// The check of each pair, once no more are wanted.
    pub fn checks(&self) -> Vec<Check> {
        (0..self.first.pairs.len()).map(|at| self.check(at)).collect()
    }

    fn check(&self, at: usize) -> Check {
        let pair = &self.first.pairs[at];
        let unmeasured = self.first.unmeasured[at].as_ref().or(self.second.unmeasured[at].as_ref());
        match (unmeasured, &self.first.found[at]) {
            (None, Some(last)) => {
                let confirming = self.second.found[at].as_ref().map(|look| (&self.second.pairs[at], look));
                conclude(pair, last, confirming)
            }
            (unmeasured, _) => {
                let Unmeasured { verdict, reason } =
                    unmeasured.cloned().unwrap_or_else(|| Unmeasured::broken("no trial was measured"));
                let (solver, dataset) = (pair.compared.solver.clone(), pair.compared.dataset.clone());
                let gate = Gate::Paired;
                Check { gate, solver, dataset, verdict, reason, figures: None, work: None }
            }
        }
    }
}

impl Trialled {
    fn take(&mut self, ratios: impl IntoIterator<Item = (usize, Result<f64, Unmeasured>)>) {
        self.done += 1;
        for (at, ratio) in ratios {
            match ratio {
                Ok(ratio) => self.pairs[at].ratios.push(ratio),
                Err(unmeasured) => self.unmeasured[at] = Some(unmeasured),
            }
        }
        self.wanted.retain(|&at| self.unmeasured[at].is_none());
    }

    fn look(&mut self, looks: usize, seed: u64) {
        self.found = look(&self.pairs, looks, seed);
    }

    /// Whether the last look at a sound pair came to this verdict.
    fn is(&self, at: usize, verdict: GateVerdict) -> bool {
        self.unmeasured[at].is_none() && self.found[at].as_ref().is_some_and(|look| look.verdict == verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::registry::TRIAL_TIME;

    const PLAN: TrialPlan = TrialPlan { min_trials: 10, max_trials: 40, seed: 1 };

    /// The verdicts on two pairs whose ratios follow from the pair and the number of the trial, and how many trials
    /// were run.
    fn decided(ratio: impl Fn(usize, usize) -> Result<f64, String>) -> (Vec<GateVerdict>, usize) {
        let compared = |name: &str| Compared {
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
    fn what_is_clear_is_decided_at_the_first_look_and_failures_are_confirmed() {
        assert_eq!(PLAN.looks(), [10, 20, 40]);
        assert_eq!(decided(|_, _| Ok(1.0)), (vec![GateVerdict::Pass; 2], 10));
        let slow = |at, _| Ok(if at == 0 { 1.1 } else { 1.0 });
        let verdicts = vec![GateVerdict::Fail, GateVerdict::Pass];
        assert_eq!(decided(slow), (verdicts, 20), "ten trials more to confirm");
    }

    #[test]
    fn what_is_not_confirmed_does_not_fail() {
        let at_first = |_, trial| Ok(if trial <= 10 { 1.2 } else { 1.0 });
        assert_eq!(decided(at_first).0, [GateVerdict::Inconclusive; 2]);
    }

    #[test]
    fn noise_is_measured_to_the_end() {
        let noisy = |_, trial| Ok(if trial % 2 == 0 { 0.8 } else { 1.3 });
        assert_eq!(decided(noisy), (vec![GateVerdict::Inconclusive; 2], 40));
    }

    #[test]
    fn a_broken_pair_is_told_and_the_others_go_on() {
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

    #[test]
    fn without_pairs_nothing_is_wanted() {
        let series = Series::new(PLAN, &[]);
        assert_eq!((series.wanted(), series.checks()), (&[][..], Vec::new()));
    }
}
