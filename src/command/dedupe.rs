//! `sudobench dedupe`: keeps the first puzzle of each class of equal or isomorphic puzzles, and counts the occurrences.

use sudobench_rows::verbs::{DEDUPE, DedupeOptions};
use sudobench_rows::{Finished, Groups, ListGroups, PassResults, RunError};
use sudobench_sudoku::simd::Level;

use super::export::{Exports, Kind};
use super::rows::{Ran, RowsConfig};
use super::rows_record::{open_exports, write_record};
use super::{Exit, interrupt, say};
use crate::cli::{DuplicatesArgs, RecordArgs, RowsArgs};
use sudobench_harness::report::{DuplicatesCsv, dedupe_text};

/// Keeps the first puzzle of each class, and reports the result.
///
/// # Errors
///
/// If the command line is invalid, an input can't be read, an output can't be written, or the memory is not enough.
pub(super) fn run(
    options: DedupeOptions,
    DuplicatesArgs { report_duplicates }: DuplicatesArgs,
    record: &RecordArgs,
    rows: RowsArgs,
    level: Level,
) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flags()?;
    let (isomorph, force) = (options.isomorph, rows.output.force);
    let rows = RowsConfig::new(rows, options, record.hash, level)?;
    let asked = [(Kind::Duplicates, &report_duplicates), (Kind::Json, &record.export_json)];
    let exports = open_exports(asked, &rows, force)?;
    let list: ListGroups<'_> = Box::new(|groups| write_groups(groups, &exports, &rows, isomorph));
    let list = report_duplicates.is_some().then_some(list);
    let write = |finished: &Finished, passes: &PassResults| write_record(&exports, &rows, finished, passes);
    let ran = rows.run(&interrupt, || rows.description(), list, &write)?;
    let exported = ran.export(&exports, &write);
    let Ran { finished, exit, passes, .. } = ran;
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    match passes.duplicates.filter(|_| !rows.quiet) {
        Some(found) => say::show(dedupe_text(&rows.summary(&finished, DEDUPE.name), &found, isomorph)),
        // If the output was complete before, the duplicates are not counted again.
        None => rows.print_summary(&finished),
    }
    exported.and(exit)
}

/// Writes the rows of each class with several rows.
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
