//! `sudobench gate`: typed -> validated -> exact counts, paired trials, budgets -> checks -> reports.

mod budgets;
mod config;
mod exact;
mod paired;
mod show;

use sudobench_sudoku::simd::Level;

use self::config::GateConfig;
use super::Exit;
use super::export::takes_stdout;
use super::progress::Progress;
use crate::cli::GateArgs;
use crate::figures::counted;
use crate::gate::{Check, GateReport, GateVerdict};
use crate::record::look_for_noise;

/// Runs the gates that were asked for, reports, and then says how it ended.
///
/// # Errors
/// Where a file cannot be read or written, or a binary does not run.
pub(super) fn run(typed: GateArgs, level: Level) -> anyhow::Result<Exit> {
    let mut config = GateConfig::new(typed, level)?;
    // Every gate and both binaries read the datasets for themselves. The file lives as long as the folder.
    let _folder = config.measured.keep_standard_input()?;
    takes_stdout(show::exports(&config.output))?;
    let mut progress = Progress::new(config.output.quiet);
    if let Some(exact) = config.exact.as_ref().filter(|_| config.update_baseline) {
        let pairs = exact::update(exact, &config.measured, &mut progress)?;
        let pairs = counted(pairs as u64, "pair");
        progress.say(&format!("{} holds {pairs}", exact.baseline.display()));
        return Ok(Exit::Fine);
    }
    let checks = checks(&config, &mut progress)?;
    drop(progress);
    let report = GateReport::new(&config.limits, checks);
    show::show(&report, &config.output)?;
    Ok(exit(&report, config.output.fail_inconclusive))
}

/// The checks of every gate that was asked for.
fn checks(config: &GateConfig, progress: &mut Progress) -> anyhow::Result<Vec<Check>> {
    let measured = &config.measured;
    let mut checks = Vec::new();
    if config.times_something() {
        progress.tell_noise(&look_for_noise());
    }
    if let Some(exact) = &config.exact {
        checks.extend(exact::check(exact, measured, &config.limits, progress)?);
    }
    if let Some(paired) = &config.paired {
        checks.extend(paired::check(paired, measured, progress)?);
    }
    if let Some(budgets) = &config.budgets {
        checks.extend(budgets::check(budgets, measured, progress)?);
    }
    Ok(checks)
}

/// What is broken weighs most, then what fails.
fn exit(report: &GateReport, fail_inconclusive: bool) -> Exit {
    match report.verdict {
        GateVerdict::Broken => Exit::PuzzleFailed,
        GateVerdict::Fail => Exit::Regression,
        GateVerdict::Inconclusive if fail_inconclusive => Exit::Inconclusive,
        GateVerdict::Inconclusive | GateVerdict::Pass => Exit::Fine,
    }
}
