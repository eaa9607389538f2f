//! The gate's reports: the files that were asked for, and standard output.

use std::io::Write;

use crate::cli::{GateFormat, GateOutputArgs};
use crate::command::export::{append_file, write_file};
use crate::gate::GateReport;
use crate::record::write_json;
use crate::report;

/// Writes every report.
pub(super) fn show(gated: &GateReport, output: &GateOutputArgs) -> anyhow::Result<()> {
    if let Some(path) = &output.export_json {
        write_file(path, |out| Ok(write_json(out, gated)?))?;
    }
    if let Some(path) = &output.export_markdown {
        write_file(path, |out| Ok(out.write_all(report::gate_markdown(gated).as_bytes())?))?;
    }
    if let Some(path) = &output.export_junit {
        write_file(path, |out| Ok(out.write_all(report::gate_junit(gated)?.as_bytes())?))?;
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
