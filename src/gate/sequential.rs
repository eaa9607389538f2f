//! Gate B from the first block to the verdicts: look, go on where it is undecided, confirm what fails.

use super::{Check, Look, PairBlocks, Verdict, conclude, look};

/// How blocks are asked for and judged.
#[derive(Clone, Copy, Debug)]
pub struct BlockPlan {
    /// Blocks before the first look.
    pub min_blocks: usize,
    /// Blocks after which it ends, decided or not.
    pub max_blocks: usize,
    /// By how many percent the time may rise.
    pub time_percent: f64,
    /// The seed of the bootstrap.
    pub seed: u64,
}

/// One block's ratios, each with its pair's position, or what makes the pair impossible.
pub type Ratios<F> = Vec<(usize, Result<f64, F>)>;

/// Whoever runs blocks: one block of the pairs that are wanted, as ratios by the pair's position.
pub trait BlockSource {
    /// What makes a pair or the whole impossible.
    type Fault: ToString;

    /// Runs one block.
    ///
    /// # Errors
    /// Where no block can be run at all.
    fn block(&mut self, wanted: &[usize]) -> Result<Ratios<Self::Fault>, Self::Fault>;
}

/// The state of one run over all pairs.
struct Run {
    pairs: Vec<PairBlocks>,
    broken: Vec<Option<String>>,
}

impl BlockPlan {
    /// The numbers of blocks at which the run looks: doubling from the least to the most.
    fn looks(&self) -> Vec<usize> {
        let mut looks = vec![self.min_blocks.min(self.max_blocks).max(1)];
        while let Some(&last) = looks.last().filter(|last| **last < self.max_blocks) {
            looks.push((last * 2).min(self.max_blocks));
        }
        looks
    }

    /// Runs blocks until all pairs are decided or the most is reached, confirms failures in a second run, and
    /// returns a check for each pair. `names` are solver and dataset of each position.
    ///
    /// # Errors
    /// Where no block can be run.
    pub fn decide<S: BlockSource>(
        &self,
        names: &[(String, String)],
        source: &mut S,
    ) -> Result<Vec<Check>, S::Fault> {
        let mut run = Run::new(names);
        let looks = self.looks();
        let mut found: Vec<Option<Look>> = vec![None; names.len()];
        let mut wanted: Vec<usize> = (0..names.len()).collect();
        for &blocks in &looks {
            run.extend(source, &wanted, blocks)?;
            found = look(&run.pairs, self.time_percent, looks.len(), self.seed);
            wanted.retain(|&at| {
                let undecided = |look: &Look| look.verdict == Verdict::Inconclusive;
                run.broken[at].is_none() && found[at].as_ref().is_some_and(undecided)
            });
            if wanted.is_empty() {
                break;
            }
        }
        let confirming = self.confirm(names, source, &run, &found)?;
        Ok((0..names.len()).map(|at| self.check(at, &run, &found, &confirming)).collect())
    }

    /// A second run of as many blocks over the pairs that fail, judged by itself.
    fn confirm<S: BlockSource>(
        &self,
        names: &[(String, String)],
        source: &mut S,
        first: &Run,
        found: &[Option<Look>],
    ) -> Result<(Run, Vec<Option<Look>>), S::Fault> {
        let failing: Vec<usize> = (0..names.len())
            .filter(|&at| found[at].as_ref().is_some_and(|look| look.verdict == Verdict::Fail))
            .collect();
        let blocks = failing.iter().map(|&at| first.pairs[at].ratios.len()).max().unwrap_or(0);
        let mut second = Run::new(names);
        second.extend(source, &failing, blocks)?;
        let looked = look(&second.pairs, self.time_percent, 1, self.seed ^ 1);
        Ok((second, looked))
    }

    fn check(
        &self,
        at: usize,
        run: &Run,
        found: &[Option<Look>],
        (second, confirmed): &(Run, Vec<Option<Look>>),
    ) -> Check {
        let pair = &run.pairs[at];
        let fault = run.broken[at].as_ref().or(second.broken[at].as_ref());
        match (fault, &found[at]) {
            (None, Some(last)) => {
                let confirming = confirmed[at].as_ref().map(|look| (&second.pairs[at], look));
                conclude(pair, last, confirming, self.time_percent)
            }
            (fault, _) => Check {
                gate: "paired".to_owned(),
                solver: pair.solver.clone(),
                dataset: pair.dataset.clone(),
                verdict: Verdict::Broken,
                reason: fault.cloned().unwrap_or_else(|| "no block was measured".to_owned()),
                figures: None,
            },
        }
    }
}

impl Run {
    fn new(names: &[(String, String)]) -> Run {
        let pair = |(solver, dataset): &(String, String)| PairBlocks {
            solver: solver.clone(),
            dataset: dataset.clone(),
            ratios: Vec::new(),
        };
        Run { pairs: names.iter().map(pair).collect(), broken: vec![None; names.len()] }
    }

    /// Runs blocks until the wanted pairs have so many each.
    fn extend<S: BlockSource>(
        &mut self,
        source: &mut S,
        wanted: &[usize],
        blocks: usize,
    ) -> Result<(), S::Fault> {
        let most = |run: &Run| wanted.iter().map(|&at| run.pairs[at].ratios.len()).max().unwrap_or(blocks);
        for _ in most(self)..blocks {
            let sound: Vec<usize> = wanted.iter().copied().filter(|&at| self.broken[at].is_none()).collect();
            if sound.is_empty() {
                break;
            }
            for (at, ratio) in source.block(&sound)? {
                match ratio {
                    Ok(ratio) => self.pairs[at].ratios.push(ratio),
                    Err(fault) => self.broken[at] = Some(fault.to_string()),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ratios from a function of the pair and the number of the block.
    struct Canned<F> {
        ratio: F,
        blocks: usize,
    }

    impl<F: Fn(usize, usize) -> Result<f64, String>> BlockSource for Canned<F> {
        type Fault = String;

        fn block(&mut self, wanted: &[usize]) -> Result<Ratios<String>, String> {
            self.blocks += 1;
            Ok(wanted.iter().map(|&at| (at, (self.ratio)(at, self.blocks))).collect())
        }
    }

    const PLAN: BlockPlan = BlockPlan { min_blocks: 10, max_blocks: 40, time_percent: 5.0, seed: 1 };

    fn decided(ratio: impl Fn(usize, usize) -> Result<f64, String>) -> (Vec<Verdict>, usize) {
        let names = ["a", "b"].map(|name| (name.to_owned(), "d".to_owned()));
        let mut source = Canned { ratio, blocks: 0 };
        let checks = PLAN.decide(&names, &mut source).unwrap();
        (checks.iter().map(|check| check.verdict).collect(), source.blocks)
    }

    #[test]
    fn what_is_clear_is_decided_at_the_first_look_and_failures_are_confirmed() {
        assert_eq!(PLAN.looks(), [10, 20, 40]);
        assert_eq!(decided(|_, _| Ok(1.0)), (vec![Verdict::Pass; 2], 10));
        let slow = |at, _| Ok(if at == 0 { 1.1 } else { 1.0 });
        assert_eq!(decided(slow), (vec![Verdict::Fail, Verdict::Pass], 20), "ten blocks more to confirm");
    }

    #[test]
    fn what_is_not_confirmed_does_not_fail() {
        let at_first = |_, block| Ok(if block <= 10 { 1.2 } else { 1.0 });
        assert_eq!(decided(at_first).0, [Verdict::Inconclusive; 2]);
    }

    #[test]
    fn noise_is_measured_to_the_end() {
        let noisy = |_, block| Ok(if block % 2 == 0 { 0.8 } else { 1.3 });
        assert_eq!(decided(noisy), (vec![Verdict::Inconclusive; 2], 40));
    }

    #[test]
    fn a_broken_pair_is_told_and_the_others_go_on() {
        let broken = |at, _| if at == 1 { Err("wrong answer".to_owned()) } else { Ok(1.0) };
        assert_eq!(decided(broken).0, [Verdict::Pass, Verdict::Broken]);
    }
}
