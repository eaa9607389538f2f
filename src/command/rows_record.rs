//! The exports of verbs: the record of a run, the times of `solve`, and the accuracies of `score`.

use std::cell::LazyCell;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use sudobench_rows::verbs::{SolveOptions, VerbOptions};
use sudobench_rows::{Dedupe, Finished, Latency};

use super::export::{Exports, Kind};
use super::rows::{RowsConfig, check_recordable};
use super::say::show;
use super::{UsageError, first_error, terminal};
use sudobench_harness::record::{
    DuplicatesRecord, HistogramTextError, InputRecord, RowsRecord, RunRecord, RunSetup, ScoresRecord,
    write_json,
};
use sudobench_harness::report::{scores_markdown, scores_page, scores_text};

/// Opens the exports of a run, such as `--export-json`.
///
/// # Errors
/// [`UsageError`] if an export goes to standard output, which is for rows, or if a record cannot name an input, because its name is not
/// UTF-8. Also the errors of [`RowsConfig::open_exports`].
pub(super) fn open_exports(asked: &[(Kind, &Option<PathBuf>)], rows: &RowsConfig) -> anyhow::Result<Exports> {
    if asked.iter().any(|(kind, path)| *kind == Kind::Json && path.is_some()) {
        check_recordable(&rows.job.inputs)?;
    }
    let exports = rows.open_exports(asked)?;
    if exports.take_stdout() {
        let message =
            format!("standard output is for rows: name a file for each export of {}", rows.job.verb.name);
        return Err(UsageError(message).into());
    }
    Ok(exports)
}

/// Writes the requested reports of a run. `scores` is called only if a report of a [`RowsRecord`] was requested.
pub(super) fn write_record(
    exports: &Exports,
    rows: &RowsConfig,
    finished: &Finished,
    scores: impl FnOnce() -> Option<ScoresRecord>,
) -> anyhow::Result<()> {
    match &rows.job.options {
        VerbOptions::Solve(options) => first_error([
            exports.write(Kind::Json, |out| Ok(write_json(out, &solve_record(rows, options, finished)?)?)),
            write_latency(exports, &finished.measures.latency, finished.started, finished.wall),
        ]),
        _ => write_reports(exports, || record(rows, finished, scores())),
    }
}

pub(super) fn write_latency(
    exports: &Exports,
    latency: &Latency,
    started: SystemTime,
    wall: Duration,
) -> anyhow::Result<()> {
    first_error([
        exports.write(Kind::Percentiles, |out| Ok(latency.write_percentiles(out)?)),
        exports.write(Kind::HistogramLog, |out| Ok(latency.write_log(out, started, wall)?)),
    ])
}

/// Writes the requested reports of a record. The record is made only if a report was requested.
pub(super) fn write_reports(exports: &Exports, record: impl FnOnce() -> RowsRecord) -> anyhow::Result<()> {
    let record = LazyCell::new(record);
    first_error([
        exports.write(Kind::Json, |out| Ok(write_json(out, &*record)?)),
        exports.write_text(Kind::Html, || scores_page(&record)),
        exports.write_text(Kind::Markdown, || scores_markdown(&record)),
    ])
}

pub(super) fn scores(rows: &RowsConfig, finished: &Finished) -> Option<ScoresRecord> {
    let VerbOptions::Score(score) = &rows.job.options else { return None };
    Some(ScoresRecord::new(&finished.measures.scores, score))
}

/// Prints the accuracies on standard output. If the rows go there, prints the accuracies on standard error instead, unless `quiet`.
pub(super) fn print_scores(
    scores: &ScoresRecord,
    exports: &Exports,
    takes_stdout: bool,
    quiet: bool,
    are_only_result: bool,
) -> anyhow::Result<()> {
    if !takes_stdout {
        let text = scores_text(scores, terminal::stdout_width().unwrap_or(usize::MAX));
        exports.print(&text, are_only_result)?;
    } else if !quiet {
        show(scores_text(scores, terminal::stderr_width().unwrap_or(usize::MAX)));
    }
    Ok(())
}

fn run_setup(rows: &RowsConfig, finished: &Finished) -> RunSetup {
    rows.run_setup(finished.inputs.iter().map(InputRecord::from).collect(), finished.interrupted)
}

fn solve_record(
    rows: &RowsConfig,
    options: &SolveOptions,
    finished: &Finished,
) -> Result<RunRecord, HistogramTextError> {
    let setup = rows.solve_setup(options, run_setup(rows, finished));
    RunRecord::new(setup, &finished.measures, finished.started, finished.wall)
}

fn record(rows: &RowsConfig, finished: &Finished, scores: Option<ScoresRecord>) -> RowsRecord {
    let setup = rows.rows_setup(run_setup(rows, finished));
    let (columns, tally) = (&rows.job.output.columns, &finished.measures.tally);
    RowsRecord {
        duplicates: rows.job.passes().and_then(Dedupe::found).map(|found| DuplicatesRecord {
            distinct: found.classes,
            duplicates: found.duplicates(),
            groups: found.groups,
            largest: found.largest,
        }),
        scores,
        ..RowsRecord::new(setup, columns, tally, finished.started, finished.wall)
    }
}
