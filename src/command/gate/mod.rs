//! `sudobench gate`: validates the options, makes exact counts, paired trials and budget measurements, turns the results into checks, and
//! reports the checks.

mod budgets;
mod builds;
mod commands;
mod config;
mod counting;
mod exact;
mod history;
mod instructions;
mod measured;
mod paired;
mod show;
mod trials;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::SystemTime;

use sudobench_sudoku::simd::Level;

use self::budgets::BudgetConfig;
use self::config::GateConfig;
use self::exact::ExactConfig;
use self::instructions::InstructionCounter;
use super::export::{Exports, Kind};
use super::kept_history::KeptHistory;
use super::progress::MeasurementProgress;
use super::{Exit, UsageError, first_error, interrupt};
use crate::cli::{GateArgs, GateOutputArgs};
use sudobench_harness::gate::{Check, Gate, GateReport, GateVerdict, check_builds, check_exact};
use sudobench_harness::process::Supervisor;
use sudobench_harness::record::look_for_noise;
use sudobench_harness::record::registry::{FoundBy, INSTRUCTIONS, Limit};

pub(super) fn run(typed: GateArgs, level: Level) -> anyhow::Result<Exit> {
    let supervisor = Arc::new(Supervisor::new(Arc::default()));
    let GateOutputArgs { history, commit, .. } = &typed.output;
    let history = KeptHistory::open(history.as_deref(), commit.as_deref(), inputs(&typed))?;
    let others = inputs(&typed).chain(typed.output.history.as_deref());
    let exports = Exports::open(asked_exports(&typed), typed.output.force, others)?;
    let mut config = GateConfig::new(typed, level, supervisor.interrupt_flag())?;
    let has_counts_or_ratios = config.exact.is_some()
        || config.paired.is_some()
        || config.builds.is_some()
        || config.commands.is_some();
    if history.is_some() && !has_counts_or_ratios {
        let message = "--history stores counters and ratios, but this run has none: name a --baseline, a --base, a --base-engine or a \
        --command";
        return Err(UsageError(message.to_owned()).into());
    }
    // Stores standard input in a file, because the datasets may be read several times. The file is deleted when `_folder` is dropped.
    let _folder = config.measured.keep_standard_input()?;
    // Installs the signal handler only after the preparation. The preparation does not check the flag that the handler sets, so a signal
    // during the preparation must end the process.
    interrupt::raise_on_signal(supervisor.interrupt_flag())?;
    let empty = config.measured.take_empty()?;
    let outputs = Outputs { exports, history };
    let gated = gate(&config, &empty, &outputs, &supervisor, MeasurementProgress::new(config.output.quiet));
    if supervisor.is_interrupted() {
        MeasurementProgress::new(config.output.quiet).say("interrupted: there is no verdict");
        return Ok(Exit::Interrupted);
    }
    gated
}

fn asked_exports(typed: &GateArgs) -> Vec<(Kind, &Option<PathBuf>)> {
    let GateOutputArgs { export_json, export_markdown, export_junit, .. } = &typed.output;
    let reports = [(Kind::Json, export_json), (Kind::Markdown, export_markdown), (Kind::Junit, export_junit)];
    let baseline = typed.exact.update_baseline.then_some((Kind::Baseline, &typed.exact.baseline));
    reports.into_iter().chain(baseline).collect()
}

/// Returns the paths on the command line that this run only reads; `-` is standard input.
fn inputs(typed: &GateArgs) -> impl Iterator<Item = &Path> {
    let baseline = typed.exact.baseline.as_ref().filter(|_| !typed.exact.update_baseline);
    let others =
        [baseline, typed.paired.base.as_ref(), typed.paired.head.as_ref(), typed.budgets.record.as_ref()];
    typed.datasets.iter().chain(others.into_iter().flatten()).map(PathBuf::as_path)
}

struct Outputs {
    exports: Exports,
    history: Option<KeptHistory>,
}

/// Updates the baseline, if this is requested. Otherwise makes the requested checks and reports them.
fn gate(
    config: &GateConfig,
    empty: &[String],
    Outputs { exports, history }: &Outputs,
    supervisor: &Arc<Supervisor>,
    mut progress: MeasurementProgress,
) -> anyhow::Result<Exit> {
    let started = SystemTime::now();
    let measured = &config.measured;
    if let Some(exact) = config.exact.as_ref().filter(|exact| exact.updates) {
        anyhow::ensure!(empty.is_empty(), "there is no puzzle in {}; nothing was stored", empty.join(", "));
        let solvers = (measured.variants.as_slice(), measured.engines.as_slice());
        let counted = counting::count(measured, solvers, &measured.load()?, supervisor, &mut progress)?;
        let lines = exact::update(exact, exports, measured, counted)?;
        lines.iter().for_each(|line| progress.say(&format!("{}: {line}", exact.path.display())));
        return Ok(Exit::Fine);
    }
    let mut checks = checks(config, supervisor, &mut progress)?;
    drop(progress);
    if supervisor.is_interrupted() {
        return Ok(Exit::Interrupted);
    }
    checks.extend(
        empty
            .iter()
            .map(|name| Check::missing(Gate::Exact, "", name, "this dataset has no puzzle".to_owned())),
    );
    let report = GateReport::new(config.limits_in_force(), config.allow_missing, checks);
    first_error([
        show::show(&report, config.output.format, exports),
        history.as_ref().map_or(Ok(()), |history| {
            history.append(started, measured.level, history::pairs(&report.checks, config), supervisor)
        }),
    ])?;
    Ok(exit(&report, config.output.fail_inconclusive))
}

fn checks(
    config: &GateConfig,
    supervisor: &Arc<Supervisor>,
    progress: &mut MeasurementProgress,
) -> anyhow::Result<Vec<Check>> {
    let GateConfig { measured, limits, .. } = config;
    let percent = limits.percent(&INSTRUCTIONS).filter(|_| config.uses_callgrind);
    let counter = percent.map(|percent| InstructionCounter::new(percent, supervisor)).transpose()?;
    let trial_limits = match config.uses_callgrind {
        true => limits.clone().without(&INSTRUCTIONS),
        false => limits.clone(),
    };
    if config.times_something() {
        progress.tell_noise(&look_for_noise());
    }
    let mut checks = unanswered(config);
    if let Some(commands) = &config.commands {
        checks.extend(commands::check(commands, &trial_limits, counter.as_ref(), supervisor, progress)?);
        return Ok(checks);
    }
    let stored = config.exact.as_ref().and_then(ExactConfig::compared);
    // If no dataset has a puzzle, nothing can be measured. The pairs of the baseline are reported as not counted, and budgets are checked
    // only against a record.
    if measured.inputs.is_empty() {
        checks.extend(stored.map_or_else(Vec::new, |stored| check_exact(stored, &[], limits)));
        if let Some(budgets) = config.budgets.as_ref().filter(|budgets| !budgets.measures()) {
            checks.extend(budgets::check(budgets, measured, &[], supervisor, progress)?);
        }
        return Ok(checks);
    }
    let counts = config.exact.is_some() || config.builds.is_some();
    let reads = counts || config.budgets.as_ref().is_some_and(BudgetConfig::measures);
    let datasets = if reads { measured.load()? } else { Rc::default() };
    if counts {
        let variants = if config.exact.is_some() { measured.variants.as_slice() } else { &[] };
        let mut count = |variants, engines: &[_]| {
            counting::count(measured, (variants, engines), &datasets, supervisor, progress)
        };
        let head = count(variants, &measured.engines)?;
        checks.extend(stored.map_or_else(Vec::new, |stored| check_exact(stored, &head, limits)));
        if let Some(builds) = &config.builds {
            checks.extend(check_builds(&count(&[], &builds.base)?, &head, limits));
        }
    }
    if let Some(paired) = &config.paired {
        let timed = paired::check(paired, measured, &trial_limits, supervisor, progress)?;
        let counted = counter.as_ref().map(|it| it.binaries(paired, measured, &timed, progress));
        checks.extend(timed.into_iter().chain(counted.transpose()?.into_iter().flatten()));
    }
    if let Some(builds) = &config.builds {
        let timed = builds::check(builds, measured, &datasets, &trial_limits, supervisor, progress)?;
        let counted = counter.as_ref().map(|it| it.engines(builds, measured, &datasets, &timed, progress));
        checks.extend(timed.into_iter().chain(counted.transpose()?.into_iter().flatten()));
    }
    if let Some(budgets) = &config.budgets {
        checks.extend(budgets::check(budgets, measured, &datasets, supervisor, progress)?);
    }
    Ok(checks)
}

/// Returns a check with the verdict `Missing` for each limit on the command line whose figure or counter this run doesn't measure. Budgets
/// are not included.
fn unanswered(config: &GateConfig) -> Vec<Check> {
    let has_counter = |name: &str| config.counter_names().any(|other| other == name);
    let counters = config.limits.explicit_counters().filter(|(name, _)| !has_counter(name));
    let counters = counters.map(|(name, percent)| {
        let remedy = match config.commands {
            Some(_) => format!("add --counter {name}=REGEX"),
            None => "only a --command has counters, so leave the limit out".to_owned(),
        };
        let reason = format!("there is no measurement for the limit counter:{name}={percent}%: {remedy}");
        Check::all_missing(Gate::Exact, name, reason)
    });
    let written = config.limits.explicit_rises().filter(|(figure, _)| !config.finds(figure));
    let written = written.filter_map(|(figure, percent)| {
        let Some(Limit::Rise { name, found_by, .. }) = figure.limit else { return None };
        let (gate, remedy) = match found_by {
            FoundBy::Counts if config.commands.is_some() => {
                (Gate::Exact, "a --command has no such counts, so leave the limit out")
            }
            FoundBy::Counts => (Gate::Exact, "name a --baseline or a --base-engine"),
            FoundBy::Trials { only_external: false, .. } => {
                (Gate::Paired, "name a --base binary or a --base-engine")
            }
            FoundBy::Trials { only_external: true, .. } => (Gate::Paired, "name a --base-engine"),
        };
        let reason = format!("there is no measurement for the limit {name}={percent}%: {remedy}");
        Some(Check::all_missing(gate, name, reason))
    });
    written.chain(counters).collect()
}

fn exit(report: &GateReport, fail_inconclusive: bool) -> Exit {
    match report.verdict {
        GateVerdict::Missing | GateVerdict::Broken => Exit::BadResult,
        GateVerdict::Fail => Exit::Regression,
        GateVerdict::Inconclusive if fail_inconclusive => Exit::Inconclusive,
        GateVerdict::Inconclusive | GateVerdict::Pass => Exit::Fine,
    }
}
