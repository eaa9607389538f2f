//! Paired checks: two builds in turn.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::solver::Question;

use super::config::{BuildsConfig, Command, Measured, PairedConfig, solutions};
use super::trials::{Trialled, cover_all, run_trials};
use crate::command::measuring::{contestants_of, supervisor};
use crate::command::progress::Progress;
use sudobench_harness::bench::{Dataset, EngineBuild, EngineBuilds, ServedPair, Side, Sides as _};
use sudobench_harness::figures::{counted, duration_ns};
use sudobench_harness::gate::{Check, Gate, GateLimits, GateVerdict, LeftOut};
use sudobench_harness::record::registry::{
    Figure, FoundBy, Limit, TRIAL_STARTUP, TRIAL_TIME, rising_figures,
};

/// Runs trials of two binaries until every pair that both have is decided.
pub(super) fn check_binaries(
    config: &PairedConfig,
    measured: &Measured,
    limits: &GateLimits,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Check>> {
    let binaries = config.binaries(&measured.paths(), measured.level, stop)?;
    let figures = limited(limits, false);
    let Trialled { figures: mut trialled, new } =
        match run_trials(&binaries, config.trialling, &figures, progress) {
            Ok(trialled) => trialled,
            Err(fault) if fault.side == Side::Base => {
                let missing = Check::all_missing(Gate::Paired, "", fault.to_string());
                let mut checks = vec![Check { base_failed: true, ..missing }];
                checks.extend(binaries.start_head()?.pairs().iter().map(alone));
                return Ok(checks);
            }
            Err(fault) => return Err(fault.fault.into()),
        };
    let compares = !trialled.is_empty();
    anyhow::ensure!(
        compares || !new.is_empty(),
        "the new build has no pair of solver and dataset: there is nothing to compare"
    );
    let remedy = LeftOut::NeverTimed("raise --warm-up-time, or use fewer puzzles with --sample");
    trialled.iter_mut().for_each(|it| it.cover(remedy.clone()));
    let mut checks: Vec<Check> = Vec::new();
    for it in trialled {
        // The head is checked once, however many figures are missing.
        let alone = alone(&it.pair);
        if it.check.base_failed && !checks.contains(&alone) {
            checks.push(alone);
        }
        checks.push(it.check);
    }
    checks.extend(new.into_iter().map(|pair| new_pair(pair, compares)));
    Ok(checks)
}

/// The check of a pair of the head without a base: all answers of its warm-up have to be right.
fn alone(pair: &ServedPair) -> Check {
    let (verdict, reason) = match &pair.error {
        Some(error) => (GateVerdict::Broken, format!("head: {error}")),
        None => {
            let of = pair.sample.unwrap_or(pair.puzzles);
            let verdict = if pair.puzzles < of { GateVerdict::Missing } else { GateVerdict::Pass };
            let (reached, of) = (pair.puzzles, counted(of, "puzzle"));
            (
                verdict,
                format!("only the new build: it answers {reached} of {of} correctly within --warm-up-time"),
            )
        }
    };
    Check::new(Gate::Paired, "alone", (&pair.solver, &pair.dataset), verdict, reason)
}

/// Runs trials of two builds of engines until every pair is decided.
pub(super) fn check_builds(
    config: &BuildsConfig,
    measured: &Measured,
    datasets: &Rc<[Dataset]>,
    limits: &GateLimits,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Check>> {
    let supervisor = supervisor(stop)?;
    let question = Question { cancel: Some(Arc::clone(stop)), ..Question::up_to(solutions(measured.terms)) };
    let figures = limited(limits, true);
    let start_up =
        figures.iter().any(|(figure, _)| *figure == &TRIAL_STARTUP).then_some(measured.max_silence);
    progress.tell((0, 1), None, "paired: engines answer all puzzles once");
    let build = |commands: &[Command]| -> anyhow::Result<EngineBuild> {
        let engines = contestants_of(commands, measured.engine_setting(), None, &supervisor)?;
        let (datasets, question) = (Rc::clone(datasets), question.clone());
        Ok(EngineBuild::new(engines, datasets, question, measured.max_silence, start_up))
    };
    let is_based = |(head, _): &&Command| config.base.iter().any(|(base, _)| base.name == head.name);
    let heads: Vec<Command> = measured.engines.iter().filter(is_based).cloned().collect();
    let builds = EngineBuilds::new(build(&config.base)?, build(&heads)?);
    let Trialled { figures: mut trialled, .. } =
        run_trials(&builds, config.trialling, &figures, progress).map_err(|fault| fault.fault)?;
    cover_all(&builds.cut_away(), config.trialling, &mut trialled, progress);
    let mut checks: Vec<Check> = trialled.into_iter().map(|it| it.check).collect();
    for check in checks.iter_mut().filter(|check| is_of_time(check)) {
        if let Some(startup_ns) = builds.startup_ns(&check.solver) {
            check.reason += &format!("; start-up {}", duration_ns(startup_ns as f64));
        }
    }
    Ok(checks)
}

fn is_of_time(check: &Check) -> bool {
    check.figures.as_ref().is_some_and(|figures| figures.figure == &TRIAL_TIME)
}

/// The figures that trials measure and that are limited, with the percentages by which they may rise.
pub(super) fn limited(limits: &GateLimits, of_engines: bool) -> Vec<(&'static Figure, f64)> {
    let is_measured = |figure: &&'static Figure| match figure.limit {
        Some(Limit::Rise { found_by: FoundBy::Trials { of_engines: only_engines, .. }, .. }) => {
            of_engines || !only_engines
        }
        _ => false,
    };
    let figures = rising_figures().filter(is_measured);
    figures.filter_map(|figure| Some((figure, limits.percent(figure)?))).collect()
}

/// A pair that the base does not have: none the worse where others were compared.
fn new_pair(pair: ServedPair, compares: bool) -> Check {
    let (verdict, reason) = match compares {
        true => (GateVerdict::Pass, "new: the base binary does not have it"),
        false => (GateVerdict::Missing, "nothing was compared: the base binary has none of these pairs"),
    };
    Check::new(Gate::Paired, "new", (&pair.solver, &pair.dataset), verdict, reason.to_owned())
}
