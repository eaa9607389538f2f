//! The list of duplicates that `sudobench dedupe` writes.

use sudobench_rows::{Groups, RunError};

use super::export::{Exports, Kind};
use super::rows::RowsConfig;
use sudobench_harness::report::DuplicatesCsv;

/// Writes the rows of puzzles that occur more than once, in groups of equal puzzles. `isomorph`: whether isomorphic puzzles count as equal.
pub(super) fn write_groups(
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
