//! `sudobench compare`: records against each other.

use std::io::Write;
use std::path::PathBuf;

use super::Exit;
use super::export::write_file;
use crate::analysis;
use crate::cli::CompareArgs;
use crate::record::{BenchRecord, RecordError};
use crate::report;

/// Compares and prints.
///
/// # Errors
/// Where a record cannot be read or an output written.
pub(super) fn run(typed: &CompareArgs) -> anyhow::Result<Exit> {
    let records: Vec<BenchRecord> =
        typed.records.iter().map(|path| BenchRecord::read(path)).collect::<Result<_, RecordError>>()?;
    let names: Vec<String> = typed.records.iter().map(|path: &PathBuf| path.display().to_string()).collect();
    let (comparisons, levels) = (analysis::compare(&records), analysis::other_levels(&records));
    if let Some(path) = &typed.markdown {
        let markdown = report::truncated(&report::compare_markdown(&comparisons, &levels, &names));
        write_file(path, |out| Ok(out.write_all(markdown.as_bytes())?))?;
    }
    std::io::stdout().lock().write_all(report::compare_text(&comparisons, &levels, &names).as_bytes())?;
    Ok(Exit::Fine)
}
