//! `sudobench gate`: exact counts, paired times and budgets, each to a list of checks.

mod budgets;
mod exact;
mod paired;

use std::io::Write;

use super::export::{append_file, write_file};
use super::{Exit, UsageError};
use crate::cli::{GateArgs, GateFormat, GateOutputArgs};
use crate::gate::{GateReport, Verdict};
use crate::record::write_json;
use crate::report;
use sudobench_sudoku::simd::Level;

/// Runs the gates that were asked for, reports, and then says how it ended.
///
/// # Errors
/// Where a file cannot be read or written, or a binary does not run.
pub(super) fn run(typed: GateArgs, level: Level) -> anyhow::Result<Exit> {
    if typed.baseline.is_none() && typed.base.is_none() && typed.limits.budgets.is_empty() {
        let words =
            "nothing to hold anything against: name a --baseline, a --base binary or a budget in --limits";
        return Err(UsageError(words.to_owned()).into());
    }
    if typed.datasets.is_empty()
        && (typed.record.is_none() || typed.baseline.is_some() || typed.base.is_some())
    {
        return Err(UsageError("name a dataset to measure with".to_owned()).into());
    }
    if typed.update_baseline {
        return exact::update(&typed, level);
    }
    let mut checks = Vec::new();
    if let Some(path) = &typed.baseline {
        checks.extend(exact::check(&typed, level, path)?);
    }
    if let Some(base) = &typed.base {
        checks.extend(paired::check(&typed, level, base)?);
    }
    if !typed.limits.budgets.is_empty() {
        checks.extend(budgets::check(&typed, level)?);
    }
    let report = GateReport::new(&typed.limits, checks);
    show(&report, &typed.output)?;
    Ok(exit(&report, typed.output.fail_inconclusive))
}

/// Writes every report.
fn show(gated: &GateReport, output: &GateOutputArgs) -> anyhow::Result<()> {
    if let Some(path) = &output.export_json {
        write_file(path, |out| Ok(write_json(out, gated)?))?;
    }
    if let Some(path) = &output.export_markdown {
        write_file(path, |out| Ok(out.write_all(report::gate_markdown(gated).as_bytes())?))?;
    }
    if let Some(path) = &output.export_junit {
        write_file(path, |out| Ok(out.write_all(report::gate_junit(gated).as_bytes())?))?;
    }
    let mut out = std::io::stdout().lock();
    match output.format {
        GateFormat::Text => out.write_all(report::gate_text(gated).as_bytes())?,
        GateFormat::Github => {
            out.write_all(report::gate_annotations(gated).as_bytes())?;
            if let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY") {
                append_file(path.as_ref(), &report::truncated(&report::gate_markdown(gated)))?;
            }
        }
    }
    Ok(())
}

/// What is broken weighs most, then what fails.
fn exit(report: &GateReport, fail_inconclusive: bool) -> Exit {
    match report.verdict {
        Verdict::Broken => Exit::PuzzleFailed,
        Verdict::Fail => Exit::Regression,
        Verdict::Inconclusive if fail_inconclusive => Exit::Inconclusive,
        Verdict::Inconclusive | Verdict::Pass => Exit::Fine,
    }
}
