//! Writes the gate's reports: the requested files, and standard output.

use std::io::Write;

use crate::cli::GateFormat;
use crate::command::export::{Exports, Kind, append_file};
use crate::command::{first_error, terminal};
use sudobench_harness::gate::GateReport;
use sudobench_harness::record::write_json;
use sudobench_harness::report;

/// Writes the requested exports and prints the report. With `--format github`, also appends the report to the file that the variable
/// `GITHUB_STEP_SUMMARY` names, if it is set.
pub(super) fn show(gated: &GateReport, format: GateFormat, exports: &Exports) -> anyhow::Result<()> {
    let message = match format {
        GateFormat::Text => report::gate_text(gated, terminal::stdout_width().unwrap_or(usize::MAX)),
        GateFormat::Github => report::gate_annotations(gated),
    };
    let summary = std::env::var_os("GITHUB_STEP_SUMMARY")
        .filter(|path| format == GateFormat::Github && !path.is_empty());
    first_error([
        exports.write(Kind::Json, |out| Ok(write_json(out, gated)?)),
        exports.write_text(Kind::Markdown, || report::gate_markdown(gated)),
        exports.write(Kind::Junit, |out| Ok(out.write_all(report::gate_junit(gated)?.as_bytes())?)),
        summary.map_or(Ok(()), |path| {
            append_file(path.as_ref(), &report::truncated(&report::gate_markdown(gated)))
        }),
        // `is_only_result` is false, because the exit code is a result, too.
        exports.print(&message, false),
    ])
}
