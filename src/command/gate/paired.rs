//! Gate B: two builds in turn.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::solver::Question;

use super::config::{BuildsConfig, Command, Measured, PairedConfig, solutions};
use super::trials::{Trialled, run_trials};
use crate::command::measuring::{contestants_of, supervisor};
use crate::command::progress::Progress;
use sudobench_harness::bench::{Dataset, EngineBuild, EngineBuilds, ServedPair};
use sudobench_harness::figures::duration_ns;
use sudobench_harness::gate::{Check, Gate, GateLimits, GateVerdict};
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
    let Trialled { mut checks, new } = run_trials(&binaries, config.trialling, &figures, progress)?;
    let compares = !checks.is_empty();
    anyhow::ensure!(compares || !new.is_empty(), "the head serves no pair: there is nothing to compare");
    checks.extend(new.into_iter().map(|pair| new_pair(pair, compares)));
    Ok(checks)
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
    progress.tell((0, 1), None, "gate B: engines warm up");
    let build = |commands: &[Command]| -> anyhow::Result<EngineBuild> {
        let engines = contestants_of(commands, measured.blank, None, &supervisor)?;
        Ok(EngineBuild::new(engines, Rc::clone(datasets), question.clone(), config.warm_up, start_up))
    };
    let is_based = |(head, _): &&Command| config.base.iter().any(|(base, _)| base.name == head.name);
    let heads: Vec<Command> = measured.engines.iter().filter(is_based).cloned().collect();
    let builds = EngineBuilds::new(build(&config.base)?, build(&heads)?);
    let Trialled { mut checks, .. } = run_trials(&builds, config.trialling, &figures, progress)?;
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
fn limited(limits: &GateLimits, of_engines: bool) -> Vec<(&'static Figure, f64)> {
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
    Check {
        gate: Gate::Paired,
        solver: pair.solver,
        dataset: pair.dataset,
        verdict,
        reason: reason.to_owned(),
        figures: None,
        work: None,
    }
}
