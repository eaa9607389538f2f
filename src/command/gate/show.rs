//! The gate's reports: the files that were asked for, and standard output.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::{GateFormat, GateOutputArgs};
use crate::command::export::{append_file, print, takes_stdout, write_file};
use crate::command::terminal;
use crate::gate::GateReport;
use crate::record::write_json;
use crate::report;

/// The files that were asked for; `-` among them is standard output, which then has nothing else.
pub(super) fn exports(output: &GateOutputArgs) -> [&Option<PathBuf>; 3] {
    [&output.export_json, &output.export_markdown, &output.export_junit]
}

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
    let words = match output.format {
        GateFormat::Text => report::gate_text(gated, terminal::width().unwrap_or(usize::MAX)),
        GateFormat::Github => report::gate_annotations(gated),
    };
    if output.format == GateFormat::Github
        && let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY")
    {
        append_file(path.as_ref(), &report::truncated(&report::gate_markdown(gated)))?;
    }
    if !takes_stdout(exports(output))? {
        print(&words)?;
    }
    Ok(())
}
