//! Runs trials. A trial runs two builds in turn, so that other work on the machine affects both in the same way.
//!
//! Each trial starts new processes of both builds, because a process keeps its memory layout, which affects its speed. A trial runs each
//! pair in the order ABBA or BAAB, so that a drift that is linear in time cancels out. Each letter is a leg: some passes of one build, the
//! base (A) or the head (B). The four legs are a block. Several blocks make a trial less noisy than longer legs do: the speed of a busy
//! machine jumps between levels that last for several passes, and a short block is more often within one level.

use std::fmt;
use std::time::Duration;

use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::random::Random;

use super::Fault;
use super::passes::{Leg, Passes, Request, ServedPair, position};
use crate::record::registry::{Figure, INSTRUCTIONS, PEAK_MEMORY, TRIAL_STARTUP, TRIAL_TIME, TRIAL_WALL};
use crate::statistics::median;

/// Maximum number of passes of a leg. Without this limit, a very short pass would be repeated too many times.
const MOST_PASSES: u64 = 2_000;

/// A figure, and the function that reads it from a leg.
type OfLeg = (&'static Figure, fn(&Leg) -> u64);

/// The figures of legs. A value of 0 means that the figure is unknown, except for time.
const FIGURES_OF_LEGS: [OfLeg; 5] = [
    (&TRIAL_TIME, |leg| leg.time_ns),
    (&TRIAL_WALL, |leg| leg.wall_ns),
    (&PEAK_MEMORY, |leg| leg.memory_bytes),
    (&TRIAL_STARTUP, |leg| leg.startup_ns),
    (&INSTRUCTIONS, |leg| leg.instructions),
];

/// The ratios of head to base in one trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratios {
    /// Number of puzzles that the trial timed.
    pub puzzles: u64,
    /// The figures with their ratios. A figure is included only if at least one block has its value for all four legs.
    figures: Vec<(&'static Figure, f64)>,
}

impl Ratios {
    /// Returns the ratio of a figure.
    pub fn of(&self, figure: &Figure) -> Option<f64> {
        self.figures.iter().find(|(other, _)| *other == figure).map(|(_, ratio)| *ratio)
    }
}

/// A way to start the base and the head. Both are started again for every trial.
pub trait Sides {
    /// Starts one of the sides.
    ///
    /// # Errors
    /// [`Fault`] if it can't be started.
    fn start(&self, side: Side) -> Result<Box<dyn Passes>, Fault>;
}

/// One of the two builds under comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The old build.
    Base,
    /// The new build.
    Head,
}

/// A fault of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideFault {
    /// The side.
    pub side: Side,
    /// The fault.
    pub fault: Fault,
}

impl fmt::Display for SideFault {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let side = if self.side == Side::Base { "old build" } else { "new build" };
        write!(out, "{side}: {}", self.fault)
    }
}

impl std::error::Error for SideFault {}

type BothSides = (Box<dyn Passes>, Box<dyn Passes>);

fn start(sides: &dyn Sides) -> Result<BothSides, SideFault> {
    let start = |side| sides.start(side).map_err(|fault| SideFault { side, fault });
    Ok((start(Side::Base)?, start(Side::Head)?))
}

/// Runs trials.
pub struct Trials<'s> {
    /// The two sides under comparison.
    pub sides: &'s dyn Sides,
    /// Planned duration of one leg of a trial. A leg has at least one pass, so it may take longer.
    pub leg: Duration,
    /// Decides the order of pairs and of legs.
    pub random: Random,
}

/// The pairs of the head.
#[derive(Clone, Debug, Default)]
pub struct HeadPairs {
    /// The pairs that both sides have.
    pub common: Vec<ServedPair>,
    /// The pairs that only the head has.
    pub new: Vec<ServedPair>,
}

/// One pair's outcome in one trial: its position among the common pairs, with its ratios.
pub type TrialRatio = (usize, Result<Ratios, SideFault>);

impl Trials<'_> {
    /// Starts both sides to list their pairs.
    ///
    /// # Errors
    /// [`SideFault`] if one of the sides can't be started.
    pub fn pairs(&self) -> Result<HeadPairs, SideFault> {
        let (base, head) = start(self.sides)?;
        let is_common = |pair: &ServedPair| position(base.pairs(), &pair.solver, &pair.dataset).is_some();
        let (common, new) = head.pairs().iter().cloned().partition(is_common);
        Ok(HeadPairs { common, new })
    }

    /// Runs one trial of some of the `pairs`; `wanted` has their positions. Each pair runs in `blocks` blocks (ABBA or BAAB), and the ratio
    /// of a pair is the median of the ratios of its blocks. If a side can't be started, the result of each wanted pair is the error of that
    /// side.
    pub fn run(&mut self, pairs: &[ServedPair], wanted: &[usize], blocks: usize) -> Vec<TrialRatio> {
        let (mut base, mut head) = match start(self.sides) {
            Ok(sides) => sides,
            Err(fault) => return wanted.iter().map(|&at| (at, Err(fault.clone()))).collect(),
        };
        let mut order = wanted.to_vec();
        self.random.shuffle(&mut order);
        let mut ratios = Vec::with_capacity(order.len());
        for at in order {
            let ratio = places(base.as_ref(), head.as_ref(), &pairs[at])
                .and_then(|places| self.blocks(base.as_mut(), head.as_mut(), places, blocks));
            ratios.push((at, ratio));
        }
        ratios
    }

    /// Measures one pair in this number of blocks. The ratio of each figure is the median over the blocks.
    fn blocks(
        &mut self,
        base: &mut dyn Passes,
        head: &mut dyn Passes,
        places: (usize, usize),
        blocks: usize,
    ) -> Result<Ratios, SideFault> {
        let measured: Vec<Ratios> = (0..blocks)
            .map(|_| {
                let flip = self.random.below(2) == 1;
                self.abba(base, head, places, flip)
            })
            .collect::<Result<_, _>>()?;
        let median_of = |figure: &'static Figure| {
            let ratios: Vec<f64> = measured.iter().filter_map(|ratios| ratios.of(figure)).collect();
            Some((figure, median(&ratios)?))
        };
        Ok(Ratios {
            puzzles: measured.first().map_or(0, |ratios| ratios.puzzles),
            figures: FIGURES_OF_LEGS.into_iter().filter_map(|(figure, _)| median_of(figure)).collect(),
        })
    }

    /// Measures one pair in one block (four legs), and returns the ratios of its figures. The sides run in the order base, head, head, base
    /// or, with `flip`, head, base, base, head.
    fn abba(
        &self,
        base: &mut dyn Passes,
        head: &mut dyn Passes,
        (of_base, of_head): (usize, usize),
        flip: bool,
    ) -> Result<Ratios, SideFault> {
        let (a, b) = (&base.pairs()[of_base], &head.pairs()[of_head]);
        // If both sides have an error, the head's error is reported.
        for (side, pair) in [(Side::Head, b), (Side::Base, a)] {
            if let Some(error) = &pair.error {
                return Err(SideFault { side, fault: Fault(error.clone()) });
            }
        }
        let puzzles = a.puzzles.min(b.puzzles);
        let pass_ns = (a.pass_ns / a.puzzles.max(1)).max(b.pass_ns / b.puzzles.max(1)) * puzzles;
        let passes = nanoseconds(self.leg).div_ceil(pass_ns.max(1)).clamp(1, MOST_PASSES);
        let mut leg = |side| {
            let leg = match side {
                Side::Base => base.run(Request { pair: of_base, puzzles, passes }),
                Side::Head => head.run(Request { pair: of_head, puzzles, passes }),
            };
            leg.map_err(|fault| SideFault { side, fault })
        };
        let (outer, inner) = if flip { (Side::Head, Side::Base) } else { (Side::Base, Side::Head) };
        let legs = [leg(outer)?, leg(inner)?, leg(inner)?, leg(outer)?];
        let (outer, inner) = ([legs[0], legs[3]], [legs[1], legs[2]]);
        let (base, head) = if flip { (inner, outer) } else { (outer, inner) };
        let ratio = |(figure, of): OfLeg| {
            let is_known = figure == &TRIAL_TIME || base.iter().chain(&head).all(|leg| of(leg) > 0);
            is_known.then(|| (figure, of_both_legs(&head, of) / of_both_legs(&base, of).max(1.0)))
        };
        Ok(Ratios { puzzles, figures: FIGURES_OF_LEGS.into_iter().filter_map(ratio).collect() })
    }
}

/// Returns the positions of a pair among the pairs of the base and of the head.
///
/// # Errors
/// [`SideFault`] if a side does not have the pair.
fn places(base: &dyn Passes, head: &dyn Passes, pair: &ServedPair) -> Result<(usize, usize), SideFault> {
    let place = |side, passes: &dyn Passes| {
        position(passes.pairs(), &pair.solver, &pair.dataset).ok_or_else(|| {
            let message = "it offers other pairs of solver and dataset than when it was first started";
            SideFault { side, fault: Fault(message.to_owned()) }
        })
    };
    let head = place(Side::Head, head)?;
    Ok((place(Side::Base, base)?, head))
}

fn of_both_legs(legs: &[Leg; 2], of: fn(&Leg) -> u64) -> f64 {
    legs.iter().map(|leg| of(leg) as f64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    /// The speed of a machine. The function gets the number of a leg and returns the time that this leg takes, in percent of its time on a
    /// quiet machine.
    type Speed = fn(u64) -> u64;

    /// A machine that becomes slower with every leg.
    const DRIFTING: Speed = |leg| 100 + leg;

    /// Serves one pair on a machine with this speed.
    struct Machine {
        pairs: Vec<ServedPair>,
        pass_ns: u64,
        speed: Speed,
        legs: Rc<Cell<u64>>,
    }

    impl Passes for Machine {
        fn pairs(&self) -> &[ServedPair] {
            &self.pairs
        }

        fn run(&mut self, request: Request) -> Result<Leg, Fault> {
            assert_eq!((request.puzzles, request.passes), (5, 20));
            self.legs.set(self.legs.get() + 1);
            let time_ns = self.pass_ns * (self.speed)(self.legs.get());
            Ok(Leg { time_ns, instructions: 2 * time_ns, ..Leg::default() })
        }
    }

    /// Both sides on the same machine. The base has the pairs `b` and `a`, in this order.
    struct SameMachine {
        head_pairs: Vec<ServedPair>,
        head_ns: u64,
        speed: Speed,
        legs: Rc<Cell<u64>>,
    }

    impl Sides for SameMachine {
        fn start(&self, side: Side) -> Result<Box<dyn Passes>, Fault> {
            let (pairs, pass_ns) = match side {
                Side::Base => (vec![served("b", 5), served("a", 5)], 1_000),
                Side::Head => (self.head_pairs.clone(), self.head_ns),
            };
            Ok(Box::new(Machine { pairs, pass_ns, speed: self.speed, legs: self.legs.clone() }))
        }
    }

    fn served(solver: &str, puzzles: u64) -> ServedPair {
        ServedPair {
            solver: solver.to_owned(),
            dataset: "d".to_owned(),
            puzzles,
            sample: None,
            pass_ns: 10 * puzzles,
            error: None,
        }
    }

    /// Returns the ratios of four trials: two trials of one block and two trials of three blocks.
    fn ratios(head_pairs: Vec<ServedPair>, head_ns: u64, wanted: &[usize]) -> Vec<TrialRatio> {
        let sides = SameMachine { head_pairs, head_ns, speed: DRIFTING, legs: Rc::default() };
        let mut trials = Trials { sides: &sides, leg: Duration::from_nanos(1_000), random: Random::new(1) };
        let common = trials.pairs().unwrap().common;
        [1, 3, 1, 3].into_iter().flat_map(|blocks| trials.run(&common, wanted, blocks)).collect()
    }

    #[test]
    fn a_disturbed_block_of_three_does_not_move_the_median() {
        let speed = |leg| if leg == 6 { 100_000 } else { 100 };
        let sides =
            SameMachine { head_pairs: vec![served("a", 5)], head_ns: 1_000, speed, legs: Rc::default() };
        let mut trials = Trials { sides: &sides, leg: Duration::from_nanos(1_000), random: Random::new(1) };
        let (_, ratios) = trials.run(&[served("a", 5)], &[0], 3).remove(0);
        assert_eq!(ratios.unwrap().of(&TRIAL_TIME), Some(1.0));
        assert_eq!(sides.legs.get(), 12, "three blocks of four legs");
    }

    #[test]
    fn a_linear_drift_cancels_out() {
        for (at, ratio) in ratios(vec![served("a", 9)], 1_100, &[0]) {
            let ratios = Ratios { puzzles: 5, figures: vec![(&TRIAL_TIME, 1.1), (&INSTRUCTIONS, 1.1)] };
            assert_eq!((at, ratio), (0, Ok(ratios)));
        }
    }

    #[test]
    fn pairs_are_found_by_name_and_the_side_that_lost_one_is_blamed() {
        let (a, b, new) = (
            served("a", 5),
            ServedPair { error: Some("broken".to_owned()), ..served("b", 5) },
            served("new", 5),
        );
        let head_pairs = vec![b.clone(), new.clone(), a.clone()];
        let sides = SameMachine { head_pairs, head_ns: 1_000, speed: DRIFTING, legs: Rc::default() };
        let mut trials = Trials { sides: &sides, leg: Duration::from_nanos(1_000), random: Random::new(1) };
        // The listed pairs are from an earlier start: their order differs, and neither side has the pair `gone` any more.
        let mut found = trials.run(&[a, new, served("gone", 5), b], &[0, 1, 2], 1);
        found.sort_by_key(|(at, _)| *at);
        let sides: Vec<Option<Side>> =
            found.iter().map(|(_, it)| it.as_ref().err().map(|it| it.side)).collect();
        assert_eq!(sides, [None, Some(Side::Base), Some(Side::Head)], "{found:?}");
    }

    #[test]
    fn only_common_and_wanted_pairs_run_and_faults_are_reported() {
        let broken = ServedPair { error: Some("wrong answer".to_owned()), ..served("b", 5) };
        let head_pairs = vec![served("new", 5), broken, served("a", 5)];
        let found = ratios(head_pairs.clone(), 1_000, &[0]);
        let fault = SideFault { side: Side::Head, fault: Fault("wrong answer".to_owned()) };
        assert!(found.iter().all(|it| *it == (0, Err(fault.clone()))), "{found:?}");
        assert_eq!(fault.to_string(), "new build: wrong answer");
        let sides = SameMachine { head_pairs, head_ns: 1_000, speed: DRIFTING, legs: Rc::default() };
        let trials = Trials { sides: &sides, leg: Duration::ZERO, random: Random::new(1) };
        let HeadPairs { common, new } = trials.pairs().unwrap();
        let names =
            |pairs: &[ServedPair]| -> Vec<String> { pairs.iter().map(|pair| pair.solver.clone()).collect() };
        assert_eq!(
            (names(&common), names(&new)),
            (vec!["b".to_owned(), "a".to_owned()], vec!["new".to_owned()])
        );
    }
}
