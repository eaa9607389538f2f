//! `sudobench compare`: records against each other.

use std::io::Write;

use super::export::{print, takes_stdout, write_file};
use super::records::read_records;
use super::{Exit, terminal};
use crate::analysis;
use crate::cli::CompareArgs;
use crate::report;

/// Compares and prints.
///
/// # Errors
/// Where a record cannot be read or an output written.
pub(super) fn run(typed: &CompareArgs) -> anyhow::Result<Exit> {
    let (records, names) = read_records(&typed.records)?;
    let (comparisons, levels) = (analysis::compare(&records), analysis::other_levels(&records));
    if let Some(path) = &typed.export_markdown {
        let markdown = report::truncated(&report::compare_markdown(&comparisons, &levels, &names));
        write_file(path, |out| Ok(out.write_all(markdown.as_bytes())?))?;
    }
    if !takes_stdout([&typed.export_markdown])? {
        let text =
            report::compare_text(&comparisons, &levels, &names, terminal::width().unwrap_or(usize::MAX));
        print(&text)?;
    }
    Ok(Exit::Fine)
}
