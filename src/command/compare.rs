//! `sudobench compare`: records against each other.

use std::io::Write;

use super::Exit;
use super::export::{Exports, Kind};
use super::records::{files_of, read_records};
use crate::analysis;
use crate::cli::CompareArgs;
use crate::report;

/// Compares and prints.
///
/// # Errors
/// Where a record cannot be read or an output written.
pub(super) fn run(typed: &CompareArgs) -> anyhow::Result<Exit> {
    let exports =
        Exports::open([(Kind::Markdown, &typed.export_markdown)], typed.force, files_of(&typed.records))?;
    let (records, names) = read_records(&typed.records)?;
    let (comparisons, levels) = (analysis::compare(&records), analysis::other_levels(&records));
    exports.write(Kind::Markdown, |out| {
        let markdown = report::truncated(&report::compare_markdown(&comparisons, &levels, &names));
        Ok(out.write_all(markdown.as_bytes())?)
    })?;
    if !exports.take_stdout() {
        let text = report::compare_text(&comparisons, &levels, &names);
        std::io::stdout().lock().write_all(text.as_bytes())?;
    }
    Ok(Exit::Fine)
}
