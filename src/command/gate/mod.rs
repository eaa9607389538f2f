//! `sudobench gate`: typed -> validated -> exact counts, paired trials, budgets -> checks -> reports.

mod budgets;
mod config;
mod exact;
mod history;
mod paired;
mod show;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use sudobench_sudoku::simd::Level;

use self::config::GateConfig;
use super::export::{Exports, Kind};
use super::kept_history::KeptHistory;
use super::progress::Progress;
use super::{Exit, interrupt};
use crate::cli::{GateArgs, GateOutputArgs};
use crate::figures::counted;
use crate::gate::{Check, GateReport, GateVerdict};
use crate::record::look_for_noise;

/// Runs the gates that were asked for, reports, and then says how it ended.
///
/// # Errors
/// Where a file cannot be read or written, or a binary does not run.
pub(super) fn run(typed: GateArgs, level: Level) -> anyhow::Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    let history = KeptHistory::open(typed.output.history.as_deref(), inputs(&typed))?;
    let others = inputs(&typed).chain(typed.output.history.as_deref());
    let exports = Exports::open(asked_exports(&typed), typed.output.force, others)?;
    let mut config = GateConfig::new(typed, level, &stop)?;
    // Every gate and both binaries read the datasets for themselves. The file lives as long as the folder.
    let _folder = config.measured.keep_standard_input()?;
    // Until here nothing would look at the flag, and the signal itself ends the process.
    interrupt::raise(&stop)?;
    let outputs = Outputs { exports, history };
    let gated = gate(&config, &outputs, &stop, Progress::new(config.output.quiet));
    if stop.load(Ordering::Relaxed) {
        Progress::new(config.output.quiet).say("interrupted: there is no verdict");
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

/// All files that this run reads; `-` where that is standard input.
fn inputs(typed: &GateArgs) -> impl Iterator<Item = &Path> {
    let baseline = typed.exact.baseline.as_ref().filter(|_| !typed.exact.update_baseline);
    let others =
        [baseline, typed.paired.base.as_ref(), typed.paired.head.as_ref(), typed.budgets.record.as_ref()];
    typed.datasets.iter().chain(others.into_iter().flatten()).map(PathBuf::as_path)
}

/// Where what a gate finds goes, besides standard output.
struct Outputs {
    exports: Exports,
    history: Option<KeptHistory>,
}

/// Stores a baseline, or holds what there is against the limits and reports.
fn gate(
    config: &GateConfig,
    Outputs { exports, history }: &Outputs,
    stop: &Arc<AtomicBool>,
    mut progress: Progress,
) -> anyhow::Result<Exit> {
    let started = SystemTime::now();
    if let Some(exact) = config.exact.as_ref().filter(|_| config.update_baseline) {
        let pairs = exact::update(exact, exports, &config.measured, stop, &mut progress)?;
        let pairs = counted(pairs as u64, "pair");
        progress.say(&format!("{} holds {pairs}", exact.baseline.display()));
        return Ok(Exit::Fine);
    }
    let checks = checks(config, stop, &mut progress)?;
    drop(progress);
    let report = GateReport::new(&config.limits, checks);
    show::show(&report, config.output.format, exports)?;
    if let Some(history) = history.as_ref().filter(|_| !stop.load(Ordering::Relaxed)) {
        history.append(started, config.measured.level, history::pairs(&report.checks, config), stop)?;
    }
    Ok(exit(&report, config.output.fail_inconclusive))
}

/// The checks of every gate that was asked for.
fn checks(
    config: &GateConfig,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Check>> {
    let measured = &config.measured;
    let mut checks = Vec::new();
    if config.times_something() {
        progress.tell_noise(&look_for_noise());
    }
    if let Some(exact) = &config.exact {
        checks.extend(exact::check(exact, measured, &config.limits, stop, progress)?);
    }
    if let Some(paired) = &config.paired {
        checks.extend(paired::check(paired, measured, stop, progress)?);
    }
    if let Some(budgets) = &config.budgets {
        checks.extend(budgets::check(budgets, measured, progress)?);
    }
    Ok(checks)
}

/// What is broken weighs most, then what fails.
fn exit(report: &GateReport, fail_inconclusive: bool) -> Exit {
    match report.verdict {
        GateVerdict::Missing | GateVerdict::Broken => Exit::PuzzleFailed,
        GateVerdict::Fail => Exit::Regression,
        GateVerdict::Inconclusive if fail_inconclusive => Exit::Inconclusive,
        GateVerdict::Inconclusive | GateVerdict::Pass => Exit::Fine,
    }
}
