//! Blocks: two binaries in turn, so that both meet the same weather.
//!
//! Each block starts both binaries afresh, since a process keeps its luck with memory layout for its life, and
//! runs each pair in the order ABBA or BAAB: a drift that is linear in time cancels out.

use std::time::Duration;
use sudobench_sudoku::nanoseconds;

use super::{Fault, Request, ServedPair};
use sudobench_sudoku::random::Random;

/// Passes of one leg: enough for a median, not so many that a leg of a fast solver takes forever.
const PASSES: std::ops::RangeInclusive<u64> = 1..=2_000;

/// Whoever serves passes.
pub trait Passes {
    /// What can be asked for.
    fn pairs(&self) -> &[ServedPair];

    /// The median time of the passes that are asked for, in nanoseconds.
    ///
    /// # Errors
    /// [`Fault`] where there is none.
    fn run(&mut self, request: Request) -> Result<u64, Fault>;
}

/// The base and the head, running.
pub type BothSides = (Box<dyn Passes>, Box<dyn Passes>);

/// Runs blocks.
pub struct Blocks<'s> {
    /// Starts the base and the head, in this order.
    pub start: &'s mut dyn FnMut() -> Result<BothSides, Fault>,
    /// How long one leg of a block takes, about.
    pub leg: Duration,
    /// Decides the order of pairs and of legs.
    pub random: Random,
}

/// One pair's outcome in one block: its position among the head's pairs, with the time of head over that of
/// base.
pub type BlockRatio = (usize, Result<f64, Fault>);

impl Blocks<'_> {
    /// The pairs of the head, each with the base's position of the same pair.
    fn common(base: &dyn Passes, head: &dyn Passes) -> Vec<(usize, usize)> {
        let same = |a: &ServedPair, b: &ServedPair| a.solver == b.solver && a.dataset == b.dataset;
        let position = |pair: &ServedPair| base.pairs().iter().position(|other| same(other, pair));
        head.pairs().iter().enumerate().filter_map(|(at, pair)| Some((at, position(pair)?))).collect()
    }

    /// Starts both binaries for a look at what they have: the head's pairs, and of each whether the base has
    /// it too.
    ///
    /// # Errors
    /// [`Fault`] where one of them cannot be started.
    pub fn pairs(&mut self) -> Result<Vec<(ServedPair, bool)>, Fault> {
        let (base, head) = (self.start)()?;
        let common = Blocks::common(base.as_ref(), head.as_ref());
        let known = |at| common.iter().any(|(of_head, _)| *of_head == at);
        Ok(head.pairs().iter().cloned().enumerate().map(|(at, pair)| (pair, known(at))).collect())
    }

    /// One block of those pairs that `wanted` names by their position among the head's pairs.
    ///
    /// # Errors
    /// [`Fault`] where a binary cannot be started.
    pub fn run(&mut self, wanted: &[usize]) -> Result<Vec<BlockRatio>, Fault> {
        let (mut base, mut head) = (self.start)()?;
        let mut common = Blocks::common(base.as_ref(), head.as_ref());
        common.retain(|(of_head, _)| wanted.contains(of_head));
        self.random.shuffle(&mut common);
        let mut ratios = Vec::with_capacity(common.len());
        for (of_head, of_base) in common {
            let flip = self.random.below(2) == 1;
            ratios.push((of_head, self.abba(base.as_mut(), head.as_mut(), (of_base, of_head), flip)));
        }
        Ok(ratios)
    }

    /// The ratio of one pair: base, head, head, base, or the other way about.
    fn abba(
        &self,
        base: &mut dyn Passes,
        head: &mut dyn Passes,
        (of_base, of_head): (usize, usize),
        flip: bool,
    ) -> Result<f64, Fault> {
        let (a, b) = (&base.pairs()[of_base], &head.pairs()[of_head]);
        for (side, pair) in [("base", a), ("head", b)] {
            if let Some(error) = &pair.error {
                return Err(Fault(format!("{side}: {error}")));
            }
        }
        let puzzles = a.puzzles.min(b.puzzles);
        let pass_ns = (a.pass_ns / a.puzzles.max(1)).max(b.pass_ns / b.puzzles.max(1)) * puzzles;
        let passes = nanoseconds(self.leg).div_ceil(pass_ns.max(1)).clamp(*PASSES.start(), *PASSES.end());
        let mut leg = |of_head_now: bool| match of_head_now {
            true => head.run(Request { pair: of_head, puzzles, passes }),
            false => base.run(Request { pair: of_base, puzzles, passes }),
        };
        let legs = [leg(flip)?, leg(!flip)?, leg(!flip)?, leg(flip)?];
        let (outer, inner) = (legs[0] + legs[3], legs[1] + legs[2]);
        let (base_ns, head_ns) = if flip { (inner, outer) } else { (outer, inner) };
        Ok(head_ns as f64 / base_ns.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    /// Serves one pair on a machine that becomes slower with every leg.
    struct Drifting {
        pairs: Vec<ServedPair>,
        pass_ns: u64,
        legs: Rc<Cell<u64>>,
    }

    impl Passes for Drifting {
        fn pairs(&self) -> &[ServedPair] {
            &self.pairs
        }

        fn run(&mut self, request: Request) -> Result<u64, Fault> {
            assert_eq!((request.puzzles, request.passes), (5, 20));
            self.legs.set(self.legs.get() + 1);
            Ok(self.pass_ns * (100 + self.legs.get()))
        }
    }

    fn served(solver: &str, puzzles: u64) -> ServedPair {
        ServedPair {
            solver: solver.to_owned(),
            dataset: "d".to_owned(),
            puzzles,
            pass_ns: 10 * puzzles,
            error: None,
        }
    }

    fn ratios(head_pairs: Vec<ServedPair>, head_ns: u64, wanted: &[usize]) -> Vec<BlockRatio> {
        let legs = Rc::new(Cell::new(0));
        let mut start = || {
            let base =
                Drifting { pairs: vec![served("b", 5), served("a", 5)], pass_ns: 1_000, legs: legs.clone() };
            let head = Drifting { pairs: head_pairs.clone(), pass_ns: head_ns, legs: legs.clone() };
            Ok((Box::new(base) as Box<dyn Passes>, Box::new(head) as Box<dyn Passes>))
        };
        let mut blocks =
            Blocks { start: &mut start, leg: Duration::from_nanos(1_000), random: Random::new(1) };
        (0..4).flat_map(|_| blocks.run(wanted).unwrap()).collect()
    }

    #[test]
    fn a_linear_drift_cancels_out() {
        for (at, ratio) in ratios(vec![served("a", 9)], 1_100, &[0]) {
            assert_eq!((at, ratio), (0, Ok(1.1)));
        }
    }

    #[test]
    fn only_common_and_wanted_pairs_run_and_a_broken_one_is_told() {
        let broken = ServedPair { error: Some("wrong answer".to_owned()), ..served("b", 5) };
        let found = ratios(vec![served("new", 5), broken, served("a", 5)], 1_000, &[0, 1]);
        assert!(found.iter().all(|it| *it == (1, Err(Fault("head: wrong answer".to_owned())))), "{found:?}");
    }
}
