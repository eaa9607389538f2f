//! `sudobench compare`: records against each other.

use std::io::Write;
use std::path::PathBuf;

use super::export::{Exports, Kind, print};
use super::records::read_records;
use super::{Exit, terminal};
use crate::cli::CompareArgs;
use sudobench_harness::analysis;
use sudobench_harness::report;

/// Compares and prints.
///
/// # Errors
/// Where a record cannot be read or an output written.
pub(super) fn run(typed: &CompareArgs) -> anyhow::Result<Exit> {
    let exports = Exports::open(
        [(Kind::Markdown, &typed.export_markdown)],
        typed.force,
        typed.records.iter().map(PathBuf::as_path),
    )?;
    let (records, names) = read_records(&typed.records)?;
    let (comparisons, levels) = (analysis::compare(&records), analysis::other_levels(&records));
    exports.write(Kind::Markdown, |out| {
        let markdown = report::truncated(&report::compare_markdown(&comparisons, &levels, &names));
        Ok(out.write_all(markdown.as_bytes())?)
    })?;
    if !exports.take_stdout() {
        let width = terminal::width().unwrap_or(usize::MAX);
        print(&report::compare_text(&comparisons, &levels, &names, width))?;
    }
    Ok(Exit::Fine)
}
