//! Runs trials of two builds until every figure is decided or has the maximum number of trials.

use std::time::{Duration, Instant};

use sudobench_sudoku::random::Random;

use crate::cli::PairedArgs;
use crate::command::UsageError;
use crate::command::progress::MeasurementProgress;
use sudobench_harness::bench::{EngineBuilds, HeadPairs, Ratios, ServedPair, Side, SideFault, Sides, Trials};
use sudobench_harness::figures::counted;
use sudobench_harness::gate::{
    Check, ComparedFigure, GateLimits, LeftOutResult, Series, TimedPuzzles, TrialPlan, Unmeasured, cover,
};
use sudobench_harness::record::registry::{Figure, FoundBy, Limit, TRIAL_STARTUP, rising_figures};

#[derive(Clone, Copy, Debug)]
pub(super) struct Trialling {
    /// Number of trials, and the seed of their order.
    pub(super) plan: TrialPlan,
    /// Duration of each leg of a trial. In a leg, one of the two builds is measured. A trial has four legs. If a test of the trials so far
    /// (a look) does not decide all figures, each further trial has twelve legs.
    pub(super) leg: Duration,
}

impl Trialling {
    /// Makes the settings from the command line. `seed` decides the order of the trials.
    ///
    /// # Errors
    ///
    /// [`UsageError`] if the maximum number of trials is below the minimum.
    pub(super) fn new(typed: &PairedArgs, seed: u64) -> Result<Trialling, UsageError> {
        let PairedArgs { min_trials, max_trials, leg, .. } = typed;
        if max_trials < min_trials {
            let message =
                format!("--max-trials {max_trials} is below --min-trials {min_trials}: raise --max-trials");
            return Err(UsageError(message));
        }
        let plan = TrialPlan { min_trials: min_trials.get(), max_trials: max_trials.get(), seed };
        Ok(Trialling { plan, leg: *leg })
    }
}

pub(super) struct Trialled {
    /// The figures of each pair of solver and dataset that both sides (base and head) have.
    pub(super) figures: Vec<TrialledFigure>,
    /// The pairs that only the head has.
    pub(super) new: Vec<ServedPair>,
}

/// A figure of a pair of solver and dataset. Both the base and the head have this pair.
pub(super) struct TrialledFigure {
    pub(super) pair: ServedPair,
    pub(super) figure: &'static Figure,
    pub(super) percent: f64,
    pub(super) check: Check,
    /// Smallest number of puzzles that a trial timed.
    pub(super) timed: u64,
}

/// Returns the figures that trials measure and that have a limit, with the percentages by which they may rise.
pub(super) fn limited(limits: &GateLimits, is_external: bool) -> Vec<(&'static Figure, f64)> {
    let is_measured = |figure: &&'static Figure| match figure.limit {
        Some(Limit::Rise { found_by: FoundBy::Trials { only_external, .. }, .. }) => {
            is_external || !only_external
        }
        _ => false,
    };
    let figures = rising_figures().filter(is_measured);
    figures.filter_map(|figure| Some((figure, limits.percent(figure)?))).collect()
}

/// Runs trials of the pairs that both sides have, until each figure of each pair is decided or has the maximum number of trials. `figures`
/// has each figure with the percentage by which it may rise.
///
/// # Errors
///
/// If a side can't be started.
pub(super) fn run_trials(
    sides: &dyn Sides,
    trialling: Trialling,
    figures: &[(&'static Figure, f64)],
    progress: &mut MeasurementProgress,
) -> Result<Trialled, SideFault> {
    let Trialling { plan, leg } = trialling;
    let mut trials = Trials { sides, leg, random: Random::new(plan.seed) };
    let HeadPairs { common, new } = trials.pairs()?;
    let compared = compared(&common, figures);
    let mut series = Series::new(plan, &compared);
    let mut timed: Vec<u64> = common.iter().map(|pair| pair.puzzles).collect();
    run_series(&mut series, &mut trials, &common, figures, progress, &mut |pair, puzzles| {
        timed[pair] = timed[pair].min(puzzles);
    });
    let figure = |(at, (check, compared)): (usize, (Check, ComparedFigure))| TrialledFigure {
        pair: common[at / figures.len()].clone(),
        figure: compared.figure,
        percent: compared.percent,
        timed: timed[at / figures.len()],
        check,
    };
    let figures = series.checks().into_iter().zip(compared).enumerate().map(figure).collect();
    Ok(Trialled { figures, new })
}

/// Returns every figure of every pair. The figures of a pair are consecutive. So the index of an element, divided by the number of figures,
/// is the index of the pair.
fn compared(pairs: &[ServedPair], figures: &[(&'static Figure, f64)]) -> Vec<ComparedFigure> {
    let of_pair = |pair: &ServedPair| {
        let (solver, dataset) = (pair.solver.clone(), pair.dataset.clone());
        let compared = |&(figure, percent)| ComparedFigure {
            solver: solver.clone(),
            dataset: dataset.clone(),
            figure,
            percent,
        };
        figures.iter().map(compared).collect::<Vec<_>>()
    };
    pairs.iter().flat_map(of_pair).collect()
}

/// Runs trials of `all` pairs until the series is over. After each trial, calls `timed` for each pair that the trial measured, with the
/// position of the pair in `all` and the number of puzzles that were timed.
fn run_series(
    series: &mut Series,
    trials: &mut Trials,
    all: &[ServedPair],
    figures: &[(&'static Figure, f64)],
    progress: &mut MeasurementProgress,
    timed: &mut dyn FnMut(usize, u64),
) {
    let start = Instant::now();
    while !series.wanted().is_empty() {
        let wanted = series.wanted().to_vec();
        let mut pairs: Vec<usize> = wanted.iter().map(|at| at / figures.len()).collect();
        pairs.dedup();
        let (done, due) = series.progress();
        let message = format!("paired: trial {} of {}", done + 1, counted(pairs.len() as u64, "pair"));
        progress.tell((done, due), left(start, done, due), &message);
        let found = trials.run(all, &pairs, series.blocks());
        for (pair, ratios) in &found {
            ratios.iter().for_each(|ratios| timed(*pair, ratios.puzzles));
        }
        let ratio = |at: usize| {
            let ratios = &found.iter().find(|(pair, _)| *pair == at / figures.len())?.1;
            Some((at, ratio_of(ratios, figures[at % figures.len()].0)))
        };
        series.take(wanted.into_iter().filter_map(ratio).collect::<Vec<_>>());
    }
}

/// Completes the checks of engines: names the puzzle that makes a build slower, if one is found, and adds trials on the puzzles that the
/// earlier trials left out.
///
/// On these puzzles, first a single trial measures all figures that depend on the puzzles. If a figure exceeds its limit there, a series of
/// trials must confirm this.
pub(super) fn cover_all(
    builds: &EngineBuilds,
    trialling: Trialling,
    trialled: &mut [TrialledFigure],
    progress: &mut MeasurementProgress,
) {
    let Trialling { plan, leg } = trialling;
    let (timed, cut_away) = (builds.timed(), builds.cut_away());
    for it in trialled.iter_mut().filter(|it| it.check.is_slower()) {
        let puzzle = timed.find_cause(&it.pair.solver, &it.pair.dataset);
        it.check.blame(puzzle);
    }
    let mut figures: Vec<(&'static Figure, f64)> = Vec::new();
    for it in trialled.iter().filter(|it| depends_on_puzzles(it.figure)) {
        if !figures.iter().any(|(figure, _)| *figure == it.figure) {
            figures.push((it.figure, it.percent));
        }
    }
    let pairs = cut_away.pairs();
    let mut trials = Trials { sides: &cut_away, leg, random: Random::new(plan.seed ^ 2) };
    let message = format!(
        "paired: the puzzles that the other trials left out ({})",
        counted(pairs.len() as u64, "pair")
    );
    if !pairs.is_empty() {
        progress.tell((0, 1), None, &message);
    }
    let first = trials.run(pairs, &(0..pairs.len()).collect::<Vec<_>>(), 1);
    let compared = compared(pairs, &figures);
    let ratios: Vec<Result<f64, Unmeasured>> = (0..compared.len())
        .map(|at| match first.iter().find(|(pair, _)| *pair == at / figures.len()) {
            Some((_, ratios)) => ratio_of(ratios, compared[at].figure),
            None => Err(Unmeasured::broken("no trial was measured")),
        })
        .collect();
    let is_suspect = |&at: &usize| ratios[at].as_ref().is_ok_and(|&ratio| ratio > compared[at].limit());
    let suspects: Vec<usize> = (0..compared.len()).filter(is_suspect).collect();
    let mut series = Series::confirming(plan, &compared, suspects.clone());
    run_series(&mut series, &mut trials, pairs, &figures, progress, &mut |_, _| ());
    for it in trialled.iter_mut().filter(|it| depends_on_puzzles(it.figure)) {
        let is_same = |other: &ComparedFigure| {
            (&other.solver, &other.dataset, other.figure) == (&it.pair.solver, &it.pair.dataset, it.figure)
        };
        let at = compared.iter().position(is_same);
        let part = at.map(|at| &pairs[at / figures.len()]);
        let is_whole = part.is_some_and(|part| Some(it.timed + part.puzzles) == it.pair.sample);
        let left_out = match at.filter(|_| is_whole) {
            None => LeftOutResult::NeverTimed("raise --max-silence, or use fewer puzzles with --sample"),
            Some(at) => match &ratios[at] {
                Err(unmeasured) => LeftOutResult::Unmeasured(unmeasured.clone()),
                Ok(ratio) if !suspects.contains(&at) => LeftOutResult::WithinLimit(*ratio),
                Ok(_) => {
                    let mut check = series.check(at);
                    if check.is_slower() {
                        check.blame(cut_away.find_cause(&it.pair.solver, &it.pair.dataset));
                    }
                    LeftOutResult::MoreTrials(Box::new(check))
                }
            },
        };
        it.cover(left_out);
    }
}

/// Returns whether the figure depends on the puzzles of a pass; only the start-up time does not.
fn depends_on_puzzles(figure: &Figure) -> bool {
    figure != &TRIAL_STARTUP
}

impl TrialledFigure {
    /// Adds the number of timed puzzles, and the result for the puzzles that were not timed, to the check. Does nothing if the figure was
    /// not measured, if it does not depend on the puzzles, or if the number of puzzles in the sample is not known.
    pub(super) fn cover(&mut self, left_out: LeftOutResult) {
        let is_measured = self.check.figures.is_some();
        if let Some(of) = self.pair.sample.filter(|_| is_measured && depends_on_puzzles(self.figure)) {
            cover(&mut self.check, TimedPuzzles { timed: self.timed, of }, left_out);
        }
    }
}

/// Returns the ratio of a figure, or the reason why it was not measured.
fn ratio_of(ratios: &Result<Ratios, SideFault>, figure: &Figure) -> Result<f64, Unmeasured> {
    let ratios = ratios.as_ref().map_err(|fault| match fault.side {
        Side::Base => Unmeasured::base_failed(fault),
        Side::Head => Unmeasured::broken(fault),
    })?;
    let unknown = match figure.limit {
        Some(Limit::Rise { found_by: FoundBy::Trials { unknown, .. }, .. }) => unknown,
        _ => "trials don't measure it",
    };
    ratios.of(figure).ok_or_else(|| Unmeasured::missing(unknown))
}

/// Estimates the time until `due` trials are done, from the time that the first `done` trials took. `start` is the start of the first
/// trial.
fn left(start: Instant, done: usize, due: usize) -> Option<Duration> {
    let each = start.elapsed().checked_div(u32::try_from(done).ok()?)?;
    Some(each * u32::try_from(due.saturating_sub(done)).ok()?)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use sudobench_harness::bench::{Allowance, Contestant, Dataset, EngineBuild, EngineBuilds, Pass, WarmUp};
    use sudobench_harness::gate::GateVerdict;
    use sudobench_harness::process::Fault;
    use sudobench_harness::record::Kind;
    use sudobench_harness::record::registry::TRIAL_TIME;
    use sudobench_sudoku::puzzle::Puzzle;
    use sudobench_sudoku::solver::{self, Outcome, Question};

    /// A contestant that takes a millisecond for each puzzle, and `burn_ms` more for the puzzle `slow`. It doesn't really wait: it only
    /// reports these times.
    struct Burning {
        slow: Puzzle,
        burn_ms: u64,
    }

    impl Burning {
        fn time_ns(&self, puzzles: &[Puzzle]) -> u64 {
            let burn = |puzzle: &Puzzle| if *puzzle == self.slow { self.burn_ms } else { 0 };
            puzzles.iter().map(|puzzle| (1 + burn(puzzle)) * 1_000_000).sum()
        }
    }

    impl Contestant for Burning {
        fn name(&self) -> &str {
            "mine"
        }

        fn kind(&self) -> Kind {
            Kind::Engine
        }

        fn threads(&self) -> usize {
            1
        }

        fn warm_up(&mut self, puzzles: &[Puzzle], allowance: Allowance) -> Result<WarmUp, Fault> {
            let reaches =
                |count: &usize| u128::from(self.time_ns(&puzzles[..*count])) <= allowance.time.as_nanos();
            let reached = (0..=puzzles.len()).rev().find(reaches).unwrap_or(0);
            let pass_ns = self.time_ns(&puzzles[..reached]);
            let outcomes = puzzles[..reached].iter().map(solver::solve).collect();
            Ok(WarmUp { outcomes, pass_ns, elapsed_ns: pass_ns })
        }

        fn pass(
            &mut self,
            puzzles: &[Puzzle],
            outcomes: &mut [Outcome],
            _: Duration,
        ) -> Result<Option<Pass>, Fault> {
            puzzles.iter().zip(outcomes).for_each(|(puzzle, outcome)| *outcome = solver::solve(puzzle));
            let elapsed_ns = self.time_ns(puzzles);
            Ok(Some(Pass { elapsed_ns, cpu_ns: elapsed_ns, ..Pass::default() }))
        }
    }

    /// Compares the times of a base and a head on 20 puzzles. For the 14th puzzle, the base takes `base_ms` longer than for the others, and
    /// the head takes `head_ms` longer than for the others. Returns the verdict and its reason.
    fn checked(base_ms: u64, head_ms: u64) -> (GateVerdict, String) {
        let text = include_str!("../../../datasets/sample.csv");
        let boards = text.lines().skip(1).filter_map(|row| row.split(',').nth(1));
        let puzzles: Vec<Puzzle> = boards.take(20).map(|board| board.parse().unwrap()).collect();
        let datasets: Rc<[Dataset]> = vec![Dataset::from_puzzles("p", puzzles, 1).unwrap()].into();
        let build = |burn_ms| {
            let engine = Burning { slow: datasets[0].puzzles()[13], burn_ms };
            let minute = Duration::from_secs(60);
            EngineBuild::new(vec![Box::new(engine)], Rc::clone(&datasets), Question::unique(), minute, None)
        };
        let builds = EngineBuilds::new(build(base_ms), build(head_ms));
        let plan = TrialPlan { min_trials: 10, max_trials: 40, seed: 1 };
        let trialling = Trialling { plan, leg: Duration::from_millis(30) };
        let mut progress = MeasurementProgress::new(true);
        let figures = [(&TRIAL_TIME, 10.0)];
        let mut trialled = run_trials(&builds, trialling, &figures, &mut progress).unwrap().figures;
        cover_all(&builds, trialling, &mut trialled, &mut progress);
        let number = datasets[0].puzzle_name(13).to_string();
        let check = trialled.remove(0).check;
        (check.verdict, check.reason.replace(&format!("puzzle {number}"), "puzzle NUMBER"))
    }

    #[test]
    fn a_slowdown_on_one_puzzle_is_found_and_the_puzzle_named() {
        let cases = [(0, 0), (0, 30), (4_000, 4_000), (0, 4_000), (4_000, 0), (4_000, 4_800), (0, 100_000)];
        let shown = cases.map(|(base_ms, head_ms)| {
            let (verdict, reason) = checked(base_ms, head_ms);
            format!("{base_ms} ms -> {head_ms} ms: {}: {reason}", verdict.name())
        });
        insta::assert_snapshot!(shown.join("\n"));
    }
}
