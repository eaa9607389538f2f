//! `sudobench report`: every report from records alone.

use std::io::Write;

use super::Exit;
use super::export::write_file;
use crate::cli::ReportArgs;
use crate::record::{BenchRecord, RecordError};
use crate::report;

/// Writes the reports that were asked for, or prints the tables.
///
/// # Errors
/// Where a record cannot be read or a report written.
pub(super) fn run(typed: &ReportArgs) -> anyhow::Result<Exit> {
    let records: Vec<BenchRecord> =
        typed.records.iter().map(|path| BenchRecord::read(path)).collect::<Result<_, RecordError>>()?;
    let names: Vec<String> = typed.records.iter().map(|path| path.display().to_string()).collect();
    let joined =
        |render: fn(&BenchRecord) -> String| records.iter().map(render).collect::<Vec<String>>().join("\n");
    if let Some(path) = &typed.html {
        write_file(path, |out| Ok(out.write_all(report::html_page(&records, &names).as_bytes())?))?;
    }
    if let Some(path) = &typed.markdown {
        let markdown = report::truncated(&joined(report::bench_markdown));
        write_file(path, |out| Ok(out.write_all(markdown.as_bytes())?))?;
    }
    if let Some(path) = &typed.csv {
        write_file(path, |out| Ok(report::write_bench_csv(out, &records)?))?;
    }
    if let Some(path) = &typed.junit {
        write_file(path, |out| Ok(out.write_all(report::bench_junit(&records)?.as_bytes())?))?;
    }
    let outputs = [&typed.html, &typed.markdown, &typed.csv, &typed.junit];
    if outputs.iter().all(|output| output.is_none()) {
        std::io::stdout().lock().write_all(joined(report::bench_text).as_bytes())?;
    }
    Ok(Exit::Fine)
}
