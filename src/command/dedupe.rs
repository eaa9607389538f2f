//! `sudobench dedupe`: puzzles in, the first of each class of equal or isomorphic ones out, with how often it stands there.

use std::path::PathBuf;
use std::sync::Arc;

use sudobench_batch::{Dedupe, RunError, verb};
use sudobench_sudoku::Question;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver;

use super::export::{Exports, Kind};
use super::interrupt::Flags;
use super::rows::{Ran, RowsConfig};
use super::{Exit, UsageError, interrupt, say};
use crate::cli::{DedupeArgs, DuplicatesArgs};
use crate::report::{DedupeSummary, DuplicatesCsv};

/// Keeps the first of each class, and says how that went.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output, memory.
pub(super) fn run(typed: DedupeArgs, level: Level) -> anyhow::Result<Exit> {
    let DedupeArgs { rows, duplicates } = typed;
    let DuplicatesArgs { isomorph, report_duplicates, part } = duplicates;
    let interrupt = interrupt::flags()?;
    let (force, has_only) = (rows.output.force, !rows.output.only.is_empty());
    let mut rows = RowsConfig::new(rows, verb::DEDUPE, false)?;
    rows.read_again();
    let files = rows.files();
    let asked = [(Kind::Duplicates, &report_duplicates)];
    let exports = Exports::open(asked, force, files.iter().map(PathBuf::as_path))?;
    if exports.take_stdout() {
        let words = "--report-duplicates goes to a file: standard output is for rows";
        return Err(UsageError(words.to_owned()).into());
    }
    let dedupe = Dedupe::default().isomorph(isomorph).part(part).lists_groups(report_duplicates.is_some());
    let dedupe = Arc::new(dedupe);
    let passes = if report_duplicates.is_some() { 3 } else { 2 };
    let writing = rows.open(&interrupt)?;
    let counting = rows.look(rows.open_again(&interrupt)?, &interrupt, &format!("pass 1 of {passes}: "));
    let report = || match report_duplicates.is_some() {
        true => write_groups(&dedupe, &exports, &rows, isomorph, &interrupt),
        false => Ok(()),
    };
    let variant = solver::default_variant();
    let pass = format!("pass {passes} of {passes}: ");
    let Some(Ran { finished, exit }) = rows.run_pass(
        writing,
        &interrupt,
        &pass,
        || rows.description(),
        |run| dedupe.run(counting, run.solver(variant, level).question(Question::unique()), report),
    )?
    else {
        return Ok(Exit::Fine);
    };
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    if let Some(found) = dedupe.found().filter(|_| !rows.quiet) {
        say::show(DedupeSummary {
            rows: rows.summary(
                &finished,
                verb::DEDUPE.name,
                if has_only { "dedupe and --only" } else { verb::DEDUPE.name },
            ),
            found,
            isomorph,
        });
    }
    exit
}

/// Writes the rows of each class of several.
fn write_groups(
    dedupe: &Dedupe,
    exports: &Exports,
    rows: &RowsConfig,
    isomorph: bool,
    interrupt: &Flags,
) -> Result<(), RunError> {
    let source = rows.open_again(interrupt).map_err(unprepared)?;
    let mut groups = dedupe.groups(rows.look(source, interrupt, "pass 2 of 3: "))?;
    let written = exports.write_through(Kind::Duplicates, |out| {
        let mut csv = DuplicatesCsv::new(out, &rows.inputs, isomorph)?;
        groups.each(|row| csv.write(row))?;
        csv.finish()
    });
    written.map_err(unprepared)
}

fn unprepared(error: anyhow::Error) -> RunError {
    RunError::Unprepared(error.into())
}
