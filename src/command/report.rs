//! `sudobench report`: every report from records alone.

use std::io::Write;

use super::export::{print, takes_stdout, write_file};
use super::records::read_records;
use super::{Exit, terminal};
use crate::cli::ReportArgs;
use crate::record::BenchRecord;
use crate::report;

/// Writes the reports that were asked for, or prints the tables.
///
/// # Errors
/// Where a record cannot be read or a report written.
pub(super) fn run(typed: &ReportArgs) -> anyhow::Result<Exit> {
    let exports = [&typed.export_html, &typed.export_markdown, &typed.export_csv, &typed.export_junit];
    takes_stdout(exports)?;
    let (records, names) = read_records(&typed.records)?;
    let joined = |render: &dyn Fn(&BenchRecord) -> String| {
        records.iter().map(render).collect::<Vec<String>>().join("\n")
    };
    if let Some(path) = &typed.export_html {
        write_file(path, |out| Ok(out.write_all(report::html_page(&records, &names).as_bytes())?))?;
    }
    if let Some(path) = &typed.export_markdown {
        let markdown = report::truncated(&joined(&report::bench_markdown));
        write_file(path, |out| Ok(out.write_all(markdown.as_bytes())?))?;
    }
    if let Some(path) = &typed.export_csv {
        write_file(path, |out| Ok(report::write_bench_csv(out, &records)?))?;
    }
    if let Some(path) = &typed.export_junit {
        write_file(path, |out| Ok(out.write_all(report::bench_junit(&records)?.as_bytes())?))?;
    }
    if exports.iter().all(|export| export.is_none()) {
        let width = terminal::width().unwrap_or(usize::MAX);
        print(&joined(&|record| report::bench_text(record, width)))?;
    }
    Ok(Exit::Fine)
}
