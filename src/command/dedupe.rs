//! `sudobench dedupe`: puzzles in, the first of each class of equal or isomorphic ones out, with how often it stands there.

use std::path::PathBuf;

use sudobench_rows::verbs::{DEDUPE, DedupeOptions};
use sudobench_rows::{Groups, ListGroups, RunError};
use sudobench_sudoku::simd::Level;

use super::export::{Exports, Kind};
use super::rows::{Ran, RowsConfig};
use super::{Exit, UsageError, interrupt, say};
use crate::cli::{DuplicatesArgs, RowsArgs};
use sudobench_harness::report::{DedupeSummary, DuplicatesCsv};

/// Keeps the first of each class, and says how that went.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output, memory.
pub(super) fn run(
    options: DedupeOptions,
    DuplicatesArgs { report_duplicates }: DuplicatesArgs,
    rows: RowsArgs,
    level: Level,
) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flags()?;
    let (isomorph, force) = (options.isomorph, rows.output.force);
    let rows = RowsConfig::new(rows, options, false, level)?;
    let files = rows.files();
    let asked = [(Kind::Duplicates, &report_duplicates)];
    let exports = Exports::open(asked, force, files.iter().map(PathBuf::as_path))?;
    if exports.take_stdout() {
        let words = "--report-duplicates goes to a file: standard output is for rows";
        return Err(UsageError(words.to_owned()).into());
    }
    let list: ListGroups<'_> = Box::new(|groups| write_groups(groups, &exports, &rows, isomorph));
    let list = report_duplicates.is_some().then_some(list);
    let Ran { finished, exit, duplicates, .. } = rows.run(&interrupt, || rows.description(), list)?;
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    if let Some(found) = duplicates.filter(|_| !rows.quiet) {
        say::show(DedupeSummary { rows: rows.summary(&finished, DEDUPE.name), found, isomorph });
    }
    exit
}

/// Writes the rows of each class of several.
fn write_groups(
    mut groups: Groups,
    exports: &Exports,
    rows: &RowsConfig,
    isomorph: bool,
) -> Result<(), RunError> {
    let written = exports.write_through(Kind::Duplicates, |out| {
        let mut csv = DuplicatesCsv::new(out, &rows.job.inputs, isomorph)?;
        groups.each(|row| csv.write(row))?;
        csv.finish()
    });
    written.map_err(|error| RunError::Unprepared(error.into()))
}
