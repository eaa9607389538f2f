//! Two builds of the same engines in turn: the sides of a trial where each pass is a process of its own anyhow.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::Question;

use super::pair::Pair;
use super::passes::{Leg, Passes, Request, ServedPair};
use super::serve::{describe, run_passes};
use super::trials::{BothSides, Sides};
use super::warm_up::{WARM_UP_SHARE, warm_up_all};
use super::{Contestant, Dataset, Fault, Plan};

/// A pass that takes longer is shortened: a trial has four, and a verdict ten trials or more.
const PASS_NS: u64 = 1_000_000_000;

/// Of one that takes less, the start-up would be much: it gets more puzzles.
const SHORT_PASS_NS: u64 = PASS_NS / 2;

/// The longest that more puzzles may make a pass: the next ones may be hard.
const LONG_PASS_NS: u64 = 3 * PASS_NS;

/// Keeps as many of the first puzzles as an engine takes about a second for. Which those are is measured, for a few may take most
/// of the time.
fn shorten(pair: &mut Pair, engine: &mut dyn Contestant, puzzles: &[Puzzle]) {
    let all = pair.first.len();
    if pair.first_pass_ns <= PASS_NS || all == 0 {
        return;
    }
    let share = all as u128 * u128::from(PASS_NS) / u128::from(pair.first_pass_ns);
    let mut tried = usize::try_from(share).unwrap_or(all).clamp(1, all);
    let (mut outcomes, mut kept) = (pair.first.clone(), None);
    let allowance = Duration::from_nanos(pair.first_pass_ns).saturating_mul(2);
    // A fault shows again where it is told.
    while let Ok(Some(pass)) = engine.pass(&puzzles[..tried], &mut outcomes[..tried], allowance) {
        if kept.is_some() && pass.elapsed_ns > LONG_PASS_NS {
            break;
        }
        kept = Some((tried, pass.elapsed_ns));
        if pass.elapsed_ns >= SHORT_PASS_NS || tried == all {
            break;
        }
        tried = (tried * 2).min(all);
    }
    if let Some((puzzles, pass_ns)) = kept {
        pair.keep(puzzles, pass_ns);
    }
}

/// Some engines, warmed up on some datasets.
pub struct EngineBuild {
    engines: Vec<Box<dyn Contestant>>,
    datasets: Rc<[Dataset]>,
    plan: Plan,
    pairs: Vec<Result<Pair, Fault>>,
    served: Rc<[ServedPair]>,
    /// How long a start-up may take, where it is measured.
    start_up: Option<Duration>,
}

impl EngineBuild {
    /// Warms the engines up on the datasets, each pair for so long at most. With `start_up` each leg has a start-up as well, which may
    /// take so long.
    pub fn new(
        mut engines: Vec<Box<dyn Contestant>>,
        datasets: Rc<[Dataset]>,
        question: Question,
        warm_up: Duration,
        start_up: Option<Duration>,
    ) -> EngineBuild {
        // Whoever asks for passes decides how many and in which order.
        let plan = Plan {
            question,
            budgets: Vec::new(),
            rounds: 1,
            min_time: Duration::ZERO,
            max_time: warm_up.saturating_mul(WARM_UP_SHARE),
            warm_up_limit: "the warm-up's share of --warm-up-time",
            seed: 0,
            fresh_forms: false,
            keep_puzzles: false,
            single_sample: None,
        };
        let mut pairs = warm_up_all(&mut engines, &datasets, &plan, &mut |_| true);
        for pair in pairs.iter_mut().flatten() {
            let (contestant, dataset) = (pair.contestant, pair.dataset);
            shorten(pair, engines[contestant].as_mut(), datasets[dataset].puzzles());
        }
        let served =
            pairs.iter().enumerate().map(|(at, pair)| describe(&engines, &datasets, at, pair)).collect();
        EngineBuild { engines, datasets, plan, pairs, served, start_up }
    }

    fn run(&mut self, request: Request) -> Result<Leg, Fault> {
        let mut leg = run_passes(&mut self.engines, &self.datasets, &self.plan, &self.pairs, request)?;
        let engine = match self.pairs.get(request.pair) {
            Some(Ok(pair)) => &mut self.engines[pair.contestant],
            _ => return Ok(leg),
        };
        if let Some(allowance) = self.start_up {
            let pass = engine.start_up(allowance)?;
            leg.startup_ns = pass.map_or(0, |pass| pass.cpu_ns);
        }
        Ok(leg)
    }
}

/// Two builds that are held against each other.
pub struct EngineBuilds {
    base: Rc<RefCell<EngineBuild>>,
    head: Rc<RefCell<EngineBuild>>,
}

impl EngineBuilds {
    /// What was, and what is judged.
    pub fn new(base: EngineBuild, head: EngineBuild) -> EngineBuilds {
        EngineBuilds { base: Rc::new(RefCell::new(base)), head: Rc::new(RefCell::new(head)) }
    }

    /// Wall time of a start-up of the head's engine of this name, in nanoseconds.
    pub fn startup_ns(&self, name: &str) -> Option<u64> {
        let head = self.head.borrow();
        let engine = head.engines.iter().find(|engine| engine.name() == name)?;
        Some(engine.engine()?.startup_ns)
    }
}

impl Sides for EngineBuilds {
    fn start(&self) -> Result<BothSides, Fault> {
        let side = |build: &Rc<RefCell<EngineBuild>>| -> Box<dyn Passes> {
            Box::new(Turns { served: Rc::clone(&build.borrow().served), build: Rc::clone(build) })
        };
        Ok((side(&self.base), side(&self.head)))
    }
}

/// A build for the time of a trial.
struct Turns {
    build: Rc<RefCell<EngineBuild>>,
    served: Rc<[ServedPair]>,
}

impl Passes for Turns {
    fn pairs(&self) -> &[ServedPair] {
        &self.served
    }

    fn run(&mut self, request: Request) -> Result<Leg, Fault> {
        self.build.borrow_mut().run(request)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Scripted, puzzle, right};
    use super::*;

    #[test]
    fn a_slow_engine_is_compared_on_the_puzzles_of_a_second() {
        let datasets: Rc<[Dataset]> = vec![Dataset::from_puzzles("four", vec![puzzle(); 4])].into();
        let served = |pass_ms: &[u64]| {
            let pass_ns: Vec<u64> = pass_ms.iter().map(|ms| ms * 1_000_000).collect();
            // The first is that of the warm-up, the others those of the passes behind it.
            let mut engine = Scripted::new("a", vec![right(1); 4], &pass_ns[1..]);
            engine.warm_up_ns = Some(pass_ns[0]);
            let (question, warm_up) = (Question::unique(), Duration::from_secs(15));
            let build =
                EngineBuild::new(vec![Box::new(engine)], Rc::clone(&datasets), question, warm_up, None);
            let pair = build.served[0].clone();
            assert_eq!(pair.error, None);
            (pair.puzzles, pair.pass_ns / 1_000_000)
        };
        assert_eq!(served(&[900, 7]), (4, 900), "not at all");
        assert_eq!(served(&[2_000, 950]), (2, 950), "by its share");
        assert_eq!(served(&[60_000, 15_000]), (1, 15_000), "one at least");
        assert_eq!(served(&[4_000, 100, 600]), (2, 600), "the first was easy");
        assert_eq!(served(&[40_000, 100, 200, 39_000]), (2, 200), "the third is hard");
        assert_eq!(served(&[40_000, 100, 200, 2_500]), (4, 2_500), "not too hard");
    }
}
