//! Two builds of the same engines, as the two sides of a trial. Each pass starts new processes.
//!
//! Before the trials, each engine answers the puzzles once, as many as it can within a time limit. If this pass is long, the trials time
//! only the first part of the puzzles. [`EngineBuilds::cut_away`] returns the other answered puzzles.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::Question;

use super::pair::Pair;
use super::passes::{Leg, Passes, Request, ServedPair, position};
use super::serve::{describe, run_passes};
use super::trials::{Side, Sides};
use super::warm_up::{WARM_UP_SHARE, warm_up_all};
use super::wrong::Failure;
use super::{Contestant, Dataset, Fault, Plan};

/// A pass that takes longer than this time is shortened, because a verdict needs many passes.
const PASS_NS: u64 = 1_000_000_000;

/// If a shortened pass takes less time than this, it gets more puzzles, because otherwise the start-up would be a large part of its time.
const SHORT_PASS_NS: u64 = PASS_NS / 2;

/// If a pass takes longer than this after it got more puzzles, some of the added puzzles are hard. Then the previous number of puzzles is
/// used.
const LONG_PASS_NS: u64 = 3 * PASS_NS;

/// Number of times that the difference between the builds on a puzzle is measured again before the puzzle is named as the cause.
const CONFIRMATIONS: usize = 3;

/// Finds how many puzzles an engine answers in about a second, counted from the first puzzle, and the time of a pass over these puzzles.
/// The number is found by test passes and not computed from the time of all puzzles, because a few puzzles may take most of that time.
/// `None` if a pass over all puzzles is short enough, or the first test pass fails or takes too long.
fn shortened(pair: &Pair, engine: &mut dyn Contestant, puzzles: &[Puzzle]) -> Option<(usize, u64)> {
    let all = pair.first.len();
    if pair.first_pass_ns <= PASS_NS || all == 0 {
        return None;
    }
    let share = all as u128 * u128::from(PASS_NS) / u128::from(pair.first_pass_ns);
    let mut tried = usize::try_from(share).unwrap_or(all).clamp(1, all);
    let (mut outcomes, mut kept) = (pair.first.clone(), None);
    let allowance = Duration::from_nanos(pair.first_pass_ns).saturating_mul(2);
    // If a pass fails, nothing is reported here, because the trials will report the fault.
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
    kept
}

/// One build of the engines, after their warm-up on the datasets.
pub struct EngineBuild {
    engines: Vec<Box<dyn Contestant>>,
    datasets: Rc<[Dataset]>,
    plan: Plan,
    /// For each pair, the answers of the warm-up, or the failure.
    pairs: Vec<Result<Pair, Failure>>,
    /// The pairs for the trials. Slow pairs have fewer puzzles than in the warm-up.
    served: Vec<ServedPair>,
    /// Time limit of a start-up; `None` if start-ups are not measured.
    start_up: Option<Duration>,
}

impl EngineBuild {
    /// Warms up each engine on each dataset: the engine answers as many puzzles as it can within `max_silence`. If this takes longer than a
    /// second, shorter passes over the first puzzles follow. If `start_up` is given, each leg of a trial (some passes of one build, see
    /// [`Leg`]) also measures one start-up, with `start_up` as the time limit.
    pub fn new(
        mut engines: Vec<Box<dyn Contestant>>,
        datasets: Rc<[Dataset]>,
        question: Question,
        max_silence: Duration,
        start_up: Option<Duration>,
    ) -> EngineBuild {
        // The rounds and times of this plan serve only the warm-up, because each request decides its own passes.
        let max_time = max_silence.saturating_mul(WARM_UP_SHARE);
        let plan = Plan { warm_up_limit: "--max-silence", ..Plan::new(question, max_time) };
        let pairs = warm_up_all(&mut engines, &datasets, &plan, &mut |_| true);
        let mut served = Vec::with_capacity(pairs.len());
        for (at, pair) in pairs.iter().enumerate() {
            let mut described = describe(&engines, &datasets, &plan, at, pair);
            if let Ok(pair) = pair {
                let puzzles = datasets[pair.dataset].puzzles();
                if let Some((kept, pass_ns)) = shortened(pair, engines[pair.contestant].as_mut(), puzzles) {
                    (described.puzzles, described.pass_ns) = (kept as u64, pass_ns);
                }
            }
            served.push(described);
        }
        EngineBuild { engines, datasets, plan, pairs, served, start_up }
    }

    /// Runs the requested passes over the puzzles from position `from` on. If start-ups are measured, also measures one start-up.
    fn run(&mut self, request: Request, from: usize) -> Result<Leg, Fault> {
        let mut leg = run_passes(&mut self.engines, &self.datasets, &self.plan, &self.pairs, request, from)?;
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

    /// Returns the number of puzzles that a pair answered in the warm-up, and the time that these answers took.
    fn warm_up(&self, pair: usize) -> (usize, u64) {
        self.pairs[pair].as_ref().map_or((0, 0), |pair| (pair.first.len(), pair.first_pass_ns))
    }
}

/// The two builds under comparison.
pub struct EngineBuilds {
    base: Rc<RefCell<EngineBuild>>,
    head: Rc<RefCell<EngineBuild>>,
}

impl EngineBuilds {
    /// Makes the two sides from the old and the new build.
    pub fn new(base: EngineBuild, head: EngineBuild) -> EngineBuilds {
        EngineBuilds { base: Rc::new(RefCell::new(base)), head: Rc::new(RefCell::new(head)) }
    }

    /// Returns how long the head's engine of this name takes to start, as wall time in nanoseconds.
    pub fn startup_ns(&self, name: &str) -> Option<u64> {
        let head = self.head.borrow();
        let engine = head.engines.iter().find(|engine| engine.name() == name)?;
        Some(engine.engine()?.startup_ns)
    }

    /// Returns the puzzles that the trials measure.
    pub fn timed(&self) -> PuzzlePart {
        self.part(true)
    }

    /// Returns the puzzles that both sides answered in the warm-up and that [`EngineBuilds::timed`] leaves out.
    pub fn cut_away(&self) -> PuzzlePart {
        self.part(false)
    }

    fn part(&self, is_timed: bool) -> PuzzlePart {
        let (base, head) = (self.base.borrow(), self.head.borrow());
        let (mut served, mut in_base, mut in_head) = (Vec::new(), Vec::new(), Vec::new());
        for (at, of_head) in head.served.iter().enumerate() {
            let place = position(&base.served, &of_head.solver, &of_head.dataset);
            let Some(base_at) = place else { continue };
            let timed = base.served[base_at].puzzles.min(of_head.puzzles);
            let ((base_reached, base_ns), (head_reached, head_ns)) =
                (base.warm_up(base_at), head.warm_up(at));
            let (from, puzzles) = match is_timed {
                true => (0, timed),
                false => (timed, (base_reached.min(head_reached) as u64).saturating_sub(timed)),
            };
            if puzzles == 0 {
                continue;
            }
            served.push(ServedPair { puzzles, pass_ns: base_ns.max(head_ns), ..of_head.clone() });
            let from = usize::try_from(from).unwrap_or(usize::MAX);
            in_base.push((base_at, from));
            in_head.push((at, from));
        }
        let served: Rc<[ServedPair]> = served.into();
        let turns = |build: &Rc<RefCell<EngineBuild>>, parts| Turns {
            build: Rc::clone(build),
            served: Rc::clone(&served),
            parts,
        };
        PuzzlePart { base: turns(&self.base, in_base), head: turns(&self.head, in_head) }
    }
}

impl Sides for EngineBuilds {
    fn start(&self, side: Side) -> Result<Box<dyn Passes>, Fault> {
        let build = match side {
            Side::Base => &self.base,
            Side::Head => &self.head,
        };
        let served: Rc<[ServedPair]> = build.borrow().served.clone().into();
        let parts = (0..served.len()).map(|pair| (pair, 0)).collect();
        Ok(Box::new(Turns { build: Rc::clone(build), served, parts }))
    }
}

/// The two builds, limited to a part of each pair's puzzles.
pub struct PuzzlePart {
    base: Turns,
    head: Turns,
}

impl PuzzlePart {
    /// Returns the pairs that have puzzles in this part.
    pub fn pairs(&self) -> &[ServedPair] {
        &self.head.served
    }

    /// Finds the puzzle that causes most of the difference in time between head and base. The search starts with the pair's puzzles in
    /// this part, and repeatedly halves their range. The difference on the found puzzle is then measured again, because noise may mislead
    /// the search. `None` if no single puzzle causes most of the difference, the head is not slower, or a pass fails.
    pub fn find_cause(&self, solver: &str, dataset: &str) -> Option<String> {
        let at = position(&self.head.served, solver, dataset)?;
        let start = self.head.parts[at].1;
        let (mut base, mut head) = (self.base.clone(), self.head.clone());
        let mut difference = |from: usize, puzzles: usize| -> Option<i128> {
            let time = |side: &mut Turns| {
                side.parts[at].1 = from;
                let leg = side.run(Request { pair: at, puzzles: puzzles as u64, passes: 1 });
                leg.ok().map(|leg| i128::from(leg.time_ns))
            };
            Some(time(&mut head)? - time(&mut base)?)
        };
        let whole_puzzles = usize::try_from(self.head.served[at].puzzles).ok()?;
        let (mut from, mut puzzles) = (start, whole_puzzles);
        let whole = difference(from, puzzles)?;
        let mut rest = whole;
        while puzzles > 1 {
            let half = puzzles / 2;
            let first = difference(from, half)?;
            match (first * 2 >= whole, (rest - first) * 2 >= whole) {
                (true, _) => (puzzles, rest) = (half, first),
                (false, true) => (from, puzzles, rest) = (from + half, puzzles - half, rest - first),
                (false, false) => return None,
            }
        }
        let whole = whole.max(difference(start, whole_puzzles)?);
        let mut is_confirmed = whole > 0;
        for _ in 0..CONFIRMATIONS {
            is_confirmed = is_confirmed && difference(from, 1)? * 2 >= whole;
        }
        let build = self.head.build.borrow();
        let dataset = build.pairs[self.head.parts[at].0].as_ref().ok()?.dataset;
        is_confirmed.then(|| build.datasets[dataset].puzzle_name(from).to_string())
    }
}

impl Sides for PuzzlePart {
    fn start(&self, side: Side) -> Result<Box<dyn Passes>, Fault> {
        Ok(Box::new(match side {
            Side::Base => self.base.clone(),
            Side::Head => self.head.clone(),
        }))
    }
}

/// Runs the passes of one build during a trial. A pass covers a part of a pair's puzzles.
#[derive(Clone)]
struct Turns {
    build: Rc<RefCell<EngineBuild>>,
    served: Rc<[ServedPair]>,
    /// For each served pair, the position of the pair in the build, and the position of the first puzzle of its part.
    parts: Vec<(usize, usize)>,
}

impl Passes for Turns {
    fn pairs(&self) -> &[ServedPair] {
        &self.served
    }

    fn run(&mut self, request: Request) -> Result<Leg, Fault> {
        let no_pair = || Fault("there is no such pair".to_owned());
        let &(pair, from) = self.parts.get(request.pair).ok_or_else(no_pair)?;
        self.build.borrow_mut().run(Request { pair, ..request }, from)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Scripted, puzzle, right};
    use super::*;

    #[test]
    fn a_puzzle_is_named_if_it_makes_up_most_of_the_difference_each_time() {
        let datasets: Rc<[Dataset]> = vec![Dataset::in_order("two", vec![puzzle(); 2])].into();
        let build = |pass_ns: &[u64]| {
            let mut engine = Scripted::new("a", vec![right(1); 2], pass_ns);
            engine.warm_up_ns = Some(100);
            let (question, warm_up) = (Question::unique(), Duration::from_secs(15));
            EngineBuild::new(vec![Box::new(engine)], Rc::clone(&datasets), question, warm_up, None)
        };
        // Times of the head's passes: over both puzzles, over the first puzzle, over both again, and three times over the first.
        let named = |head: &[u64]| {
            let builds = EngineBuilds::new(build(&[100, 50, 100, 50]), build(head));
            builds.timed().find_cause("a", "two")
        };
        assert_eq!(named(&[140, 80, 140, 85]).as_deref(), Some("1"));
        assert_eq!(named(&[140, 80, 140, 85, 65, 85]), None, "noise led the search astray");
        assert_eq!(
            named(&[140, 80, 200, 85]),
            None,
            "the puzzle makes up less than half of the total difference"
        );
        assert_eq!(named(&[90, 40, 90, 40]), None, "the head is faster");
    }

    #[test]
    fn a_slow_engine_is_compared_on_the_puzzles_of_a_second() {
        let datasets: Rc<[Dataset]> = vec![Dataset::in_order("four", vec![puzzle(); 4])].into();
        let served = |pass_ms: &[u64]| {
            let pass_ns: Vec<u64> = pass_ms.iter().map(|ms| ms * 1_000_000).collect();
            // The first time is the time of the warm-up; the others are times of the passes after it.
            let mut engine = Scripted::new("a", vec![right(1); 4], &pass_ns[1..]);
            engine.warm_up_ns = Some(pass_ns[0]);
            let (question, warm_up) = (Question::unique(), Duration::from_secs(15));
            let build =
                EngineBuild::new(vec![Box::new(engine)], Rc::clone(&datasets), question, warm_up, None);
            let pair = build.served[0].clone();
            assert_eq!(pair.error, None);
            (pair.puzzles, pair.pass_ns / 1_000_000)
        };
        assert_eq!(served(&[900, 7]), (4, 900), "a short pass keeps all puzzles");
        assert_eq!(served(&[2_000, 950]), (2, 950), "the number of puzzles is computed from the time");
        assert_eq!(served(&[60_000, 15_000]), (1, 15_000), "at least one puzzle is kept");
        assert_eq!(served(&[4_000, 100, 600]), (2, 600), "the first puzzle is easy, so a second is added");
        assert_eq!(served(&[40_000, 100, 200, 39_000]), (2, 200), "the third puzzle is too hard to be added");
        assert_eq!(
            served(&[40_000, 100, 200, 2_500]),
            (4, 2_500),
            "the third puzzle is hard, but not too hard"
        );
    }
}
