//! Paired checks of engines: their old and new builds run in turn.

use std::rc::Rc;
use std::sync::Arc;

use super::measured::{Command, Measured, question};
use super::trials::{Trialled, Trialling, cover_all, limited, run_trials};
use crate::cli::PairedArgs;
use crate::command::UsageError;
use crate::command::measuring::{commands, contestants_of};
use crate::command::progress::MeasurementProgress;
use sudobench_harness::bench::{Dataset, EngineBuild, EngineBuilds};
use sudobench_harness::figures::duration_ns;
use sudobench_harness::gate::{Check, GateLimits};
use sudobench_harness::process::Supervisor;
use sudobench_harness::record::registry::{TRIAL_STARTUP, TRIAL_TIME};

/// Exact and paired checks against old builds of engines.
pub(super) struct BuildsConfig {
    /// Commands of the old builds. Each has the name of an engine in `--engine`; some engines may have no old build.
    pub(super) base: Vec<Command>,
    trialling: Trialling,
}

impl BuildsConfig {
    /// Returns the checks against the old builds in `typed`, the values of `--base-engine`; `None` if no old build was typed. Each old
    /// build gets the protocol and the kind of answers of its new build.
    ///
    /// # Errors
    ///
    /// [`UsageError`] if a command can't be parsed, if there is no new build with its name, if a name occurs twice, or if the numbers of
    /// trials contradict each other.
    pub(super) fn new(
        typed: &[String],
        engines: &[Command],
        paired: &PairedArgs,
        seed: u64,
    ) -> Result<Option<BuildsConfig>, UsageError> {
        if typed.is_empty() {
            return Ok(None);
        }
        let mut base = commands(typed, None)?;
        for (command, setup) in &mut base {
            let head = engines.iter().find(|(engine, _)| engine.name == command.name);
            *setup = head.map_or(*setup, |(_, setup)| *setup);
        }
        for (at, (command, _)) in base.iter().enumerate() {
            let name = &command.name;
            if !engines.iter().any(|(engine, _)| engine.name == *name) {
                let message = format!(
                    "--base-engine {name}: there is no engine of that name; name its new build with --engine"
                );
                return Err(UsageError(message));
            }
            if base[..at].iter().any(|(other, _)| other.name == *name) {
                return Err(UsageError(format!("--base-engine {name} occurs twice: leave one out")));
            }
        }
        Ok(Some(BuildsConfig { base, trialling: Trialling::new(paired, seed)? }))
    }
}

/// Runs trials of the old and the new builds of the engines.
pub(super) fn check(
    config: &BuildsConfig,
    measured: &Measured,
    datasets: &Rc<[Dataset]>,
    limits: &GateLimits,
    supervisor: &Arc<Supervisor>,
    progress: &mut MeasurementProgress,
) -> anyhow::Result<Vec<Check>> {
    let question = question(measured.terms, supervisor.interrupt_flag());
    let figures = limited(limits, true);
    let start_up =
        figures.iter().any(|(figure, _)| *figure == &TRIAL_STARTUP).then_some(measured.max_silence);
    progress.tell((0, 1), None, "paired: engines answer all puzzles once");
    let build = |commands: &[Command]| -> anyhow::Result<EngineBuild> {
        let engines = contestants_of(commands, measured.engine_setting(), None, supervisor)?;
        let (datasets, question) = (Rc::clone(datasets), question.clone());
        Ok(EngineBuild::new(engines, datasets, question, measured.max_silence, start_up))
    };
    let is_based = |(head, _): &&Command| config.base.iter().any(|(base, _)| base.name == head.name);
    let heads: Vec<Command> = measured.engines.iter().filter(is_based).cloned().collect();
    let builds = EngineBuilds::new(build(&config.base)?, build(&heads)?);
    let Trialled { figures: mut trialled, .. } =
        run_trials(&builds, config.trialling, &figures, progress).map_err(|fault| fault.fault)?;
    cover_all(&builds, config.trialling, &mut trialled, progress);
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
