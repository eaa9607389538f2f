//! The record of a run over rows, for verbs that have no record of their own.

use std::path::{Path, PathBuf};

use sudobench_rows::columns::word_counts;
use sudobench_rows::verbs::VerbOptions;
use sudobench_rows::{Duplicates, Finished, Tally};
use sudobench_sudoku::{Status, nanoseconds};

use super::UsageError;
use super::export::{Exports, Kind};
use super::rows::{Ran, RowsConfig, check_recordable};
use sudobench_harness::record::{
    Build, DuplicatesRecord, InputRecord, Machine, RowsRecord, SCHEMA_VERSION, ScoresRecord, StatusRecord,
    WordsRecord, write_json,
};
use sudobench_harness::started;

/// Opens the exports of a run, such as `--export-json`.
///
/// # Errors
/// [`UsageError`] if one goes to standard output, which is for rows, or cannot be written.
pub(super) fn open_exports<const N: usize>(
    asked: [(Kind, &Option<PathBuf>); N],
    rows: &RowsConfig,
    force: bool,
) -> anyhow::Result<Exports> {
    if asked.iter().any(|(kind, path)| *kind == Kind::Json && path.is_some()) {
        check_recordable(&rows.job.inputs)?;
    }
    let files = rows.files();
    let exports = Exports::open(asked, force, files.iter().map(|file| -> &Path { file }))?;
    if exports.take_stdout() {
        let words =
            format!("standard output is for rows: name a file for each export of {}", rows.job.verb.name);
        return Err(UsageError(words).into());
    }
    Ok(exports)
}

/// Writes the record, if one was requested and the run did something.
///
/// # Errors
///
/// The error of the system.
pub(super) fn write_record(exports: &Exports, rows: &RowsConfig, ran: &Ran) -> anyhow::Result<()> {
    match ran.finished.complete_before {
        // The earlier run that made the output also wrote the record.
        Some(_) => Ok(()),
        None => exports.write(Kind::Json, |out| {
            Ok(write_json(out, &record(rows, &ran.finished, ran.duplicates.as_ref()))?)
        }),
    }
}

/// Returns the accuracies of a run of `score`.
pub(super) fn scores(rows: &RowsConfig, finished: &Finished) -> Option<ScoresRecord> {
    let VerbOptions::Score(score) = &rows.job.options else { return None };
    Some(ScoresRecord::new(&finished.measures.scores, score))
}

fn record(rows: &RowsConfig, finished: &Finished, duplicates: Option<&Duplicates>) -> RowsRecord {
    let tally: &Tally = &finished.measures.tally;
    let inputs =
        finished.inputs.iter().map(|read| InputRecord::of(&read.input, read.bytes, read.sha256.clone()));
    let statuses = Status::ALL.map(|status| (status.name(), tally.of(status)));
    let words = word_counts(&rows.job.output.columns, tally).map(|(column, counts)| WordsRecord {
        column: column.name.to_owned(),
        rows: counts.into_iter().map(|(word, rows)| (word.to_owned(), rows)).collect(),
    });
    RowsRecord {
        schema_version: SCHEMA_VERSION,
        kind: "rows".to_owned(),
        command: rows.job.verb.name.to_owned(),
        started: humantime::format_rfc3339_seconds(finished.started).to_string(),
        arguments: started::arguments(),
        threads: rows.threads.get(),
        inputs: inputs.collect(),
        rows: tally.rows(),
        statuses: statuses
            .into_iter()
            .filter(|(_, rows)| *rows > 0)
            .map(|(status, rows)| StatusRecord { status: status.to_owned(), rows })
            .collect(),
        words: words.collect(),
        left_out: tally.left_out,
        left_out_expanded: tally.left_out_expanded,
        found: tally.found,
        compared: tally.compared,
        mismatches: tally.mismatches,
        restored: tally.restored,
        duplicates: duplicates.map(|found| DuplicatesRecord {
            distinct: found.classes,
            duplicates: found.duplicates(),
            groups: found.groups,
            largest: found.largest,
        }),
        scores: scores(rows, finished),
        interrupted: finished.interrupted,
        wall_ns: nanoseconds(finished.wall),
        machine: Machine::detect(),
        build: Build::current(),
    }
}
