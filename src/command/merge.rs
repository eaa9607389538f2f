//! `sudobench merge`: reads the outputs of all shards. Writes the output, and prints the summary of all rows as a run without shards does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use serde::de::DeserializeOwned;
use sudobench_rows::columns::Column;
use sudobench_rows::sink::{DestinationError, Existing, Target};
use sudobench_rows::verbs::{SCORE, SOLVE, ScoreOptions, VERBS};
use sudobench_rows::{
    Measures, MergeError, Merging, Part, Parts, ShardRecord, check_apart, is_standard, target,
};
use sudobench_sudoku::nanoseconds;

use super::export::{Exports, Kind, check_stdout};
use super::rows::{Display, ROWS_REMEDY, check_terminal, exit_of_whole, print_notices};
use super::rows_record::{print_scores, write_reports};
use super::say::say;
use super::{Exit, UsageError, interrupt, say, terminal};
use crate::cli::MergeArgs;
use sudobench_harness::record::{
    Machine, RowsRecord, RowsSetup, RunRecord, RunSetup, ScoresRecord, ShardTimeRecord, write_json,
};
use sudobench_harness::report::{RowsSummary, RunSummary, counted};

/// Merges the named parts, and reports.
///
/// # Errors
///
/// If the command line is invalid, the parts can't be merged, or an output can't be written. Faults that `Parts::read` finds are printed
/// here, and the result is `Exit::Failed`.
pub(super) fn run(typed: &MergeArgs) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flags()?;
    let target = target(typed.output.as_deref());
    let exports = open_exports(typed, &target)?;
    let parts = match Parts::read(&typed.parts) {
        Ok(parts) => parts,
        Err(error) => {
            // Prints all errors, one per line, so that the user can fix all of them at once.
            error.0.iter().for_each(say);
            return Ok(Exit::Failed);
        }
    };
    check_terminal(parts.format(), &target)?;
    if target == Target::Stdout {
        check_stdout(ROWS_REMEDY)?;
    }
    let runs = Runs::of(&parts)?;
    check_exports(typed, runs.command())?;
    let merging = Merging {
        target,
        existing: if typed.force { Existing::Overwrite } else { Existing::Refuse },
        sync: !typed.no_sync,
        cancel: Arc::clone(&interrupt.reading),
    };
    let mut display = Display::new(typed.progress, typed.quiet, Some(&merging.target), "");
    let merged = parts.merge(&merging, |progress| display.show(progress));
    drop(display);
    match merged {
        Ok(()) => {}
        Err(interrupted @ MergeError::Interrupted) => {
            say(interrupted);
            return Ok(Exit::Interrupted);
        }
        Err(MergeError::Destination(DestinationError::Name(error))) => {
            return Err(UsageError(error.to_string()).into());
        }
        Err(error) => return Err(error.into()),
    }
    let measures = parts.measures();
    let runs = match runs {
        Runs::Solve(runs) => runs,
        Runs::Others(runs) => return end_others(typed, &parts, &runs, &measures, &exports),
    };
    let record = record(&parts, &runs, &measures)?;
    let exported = export(&exports, &parts, &measures, &record);
    if !typed.quiet {
        tell_differences(
            &runs,
            [
                ("machines", |run, first| run.machine != first.machine),
                ("vector levels", |run, first| run.simd_level != first.simd_level),
                ("builds", |run, first| run.build != first.build),
            ],
        );
        let inputs: Vec<&str> = record.inputs.iter().map(|input| input.path.as_str()).collect();
        print_notices(&parts.notices(), &inputs, &measures.tally, None);
        let summary = RunSummary {
            rows: rows_summary(&parts, &measures, record.threads, &record.solver, &[]),
            latency: &measures.latency,
            budgets_were_typed: record.arguments.iter().any(|word| word.starts_with("--budgets")),
        };
        say::show(summary.text());
    }
    exported.map(|()| exit_of_whole(&measures.tally, true))
}

/// Reports on the parts of a command other than `solve`.
fn end_others(
    typed: &MergeArgs,
    parts: &Parts,
    runs: &[RowsSetup],
    measures: &Measures,
    exports: &Exports,
) -> anyhow::Result<Exit> {
    let record = rows_record(parts, runs, measures)?;
    let exported = write_reports(exports, || record.clone());
    if !typed.quiet {
        tell_differences(
            runs,
            [
                ("machines", |run, first| run.machine != first.machine),
                ("builds", |run, first| run.build != first.build),
            ],
        );
        let inputs: Vec<&str> = record.inputs.iter().map(|input| input.path.as_str()).collect();
        print_notices(&parts.notices(), &inputs, &measures.tally, None);
        let columns = columns_of(parts, &record.command);
        say::show(rows_summary(parts, measures, record.threads, &record.command, &columns).text());
    }
    if let Some(scores) = &record.scores {
        let takes_stdout = target(typed.output.as_deref()) == Target::Stdout;
        print_scores(scores, exports, takes_stdout, typed.quiet, false)?;
    }
    let solves = VERBS.iter().any(|verb| verb.name == record.command && verb.solves);
    exported.map(|()| exit_of_whole(&measures.tally, solves))
}

/// Returns the record of the run as it would be without shards, for a command other than `solve`.
fn rows_record(parts: &Parts, runs: &[RowsSetup], measures: &Measures) -> anyhow::Result<RowsRecord> {
    let first = runs.first().context("there is no shard")?.clone();
    let score = (first.command == SCORE.name)
        .then(|| ScoreOptions { bucket_by: first.bucket_by.clone(), ..ScoreOptions::default() });
    let (threads, shards) = shard_times(parts, runs.iter().map(|run| (run.threads, &run.machine)));
    let setup = RowsSetup { threads, shards, ..first };
    let columns = columns_of(parts, &setup.command);
    Ok(RowsRecord {
        scores: score.map(|score| ScoresRecord::new(&measures.scores, &score)),
        ..RowsRecord::new(setup, &columns, &measures.tally, parts.started(), parts.wall())
    })
}

fn rows_summary<'m>(
    parts: &Parts,
    measures: &'m Measures,
    threads: usize,
    by: &'m str,
    columns: &'m [Column],
) -> RowsSummary<'m> {
    RowsSummary {
        tally: &measures.tally,
        wall: parts.wall(),
        threads,
        by,
        shards: parts.parts().len(),
        resumed_after: 0,
        left_out_by: "--only",
        columns,
        width: terminal::words_width().unwrap_or(usize::MAX),
    }
}

/// Returns the columns that the command added to the parts.
fn columns_of(parts: &Parts, command: &str) -> Vec<Column> {
    let known = VERBS.iter().find(|verb| verb.name == command).map_or(&[][..], |verb| verb.columns);
    let names = parts.parts().first().and_then(|part| part.record.job["columns"].as_array());
    let names = names.into_iter().flatten().filter_map(|name| name.as_str());
    names.filter_map(|name| known.iter().find(|column| column.name == name)).copied().collect()
}

/// Checks that runs of `command` can have the requested exports.
fn check_exports(typed: &MergeArgs, command: &str) -> Result<(), UsageError> {
    let asked = [
        ("--export-hgrm", &typed.export_hgrm, SOLVE.name),
        ("--export-histogram-log", &typed.export_histogram_log, SOLVE.name),
        ("--export-html", &typed.scores.export_html, SCORE.name),
        ("--export-markdown", &typed.scores.export_markdown, SCORE.name),
    ];
    let wrong = asked.into_iter().find(|(_, path, only)| path.is_some() && *only != command);
    wrong.map_or(Ok(()), |(export, _, only)| {
        let words = format!(
            "{export} is only for runs of `{only}`, but these are parts of `{command}`: leave it out"
        );
        Err(UsageError(words))
    })
}

/// Opens the exports. Neither the exports nor the output may be a part or a record of a part.
fn open_exports(typed: &MergeArgs, target: &Target) -> anyhow::Result<Exports> {
    let asked = [
        (Kind::Json, &typed.export_json),
        (Kind::Percentiles, &typed.export_hgrm),
        (Kind::HistogramLog, &typed.export_histogram_log),
        (Kind::Html, &typed.scores.export_html),
        (Kind::Markdown, &typed.scores.export_markdown),
    ];
    let outputs = target.files();
    let written = asked.iter().filter_map(|(_, path)| path.as_deref()).filter(|path| !is_standard(path));
    let written: Vec<&Path> = outputs.iter().map(PathBuf::as_path).chain(written).collect();
    for named in &typed.parts {
        let part = ShardRecord::output_of(named).unwrap_or_else(|| named.clone());
        // Checks one part at a time, because the check keeps its files open, and the number of parts can be larger than the limit of open
        // files per process.
        let record = ShardRecord::path_of(&part);
        check_apart([part.as_path(), &record], written.iter().copied()).map_err(UsageError::from)?;
    }
    let exports = Exports::open(asked, typed.force, outputs.iter().map(PathBuf::as_path))?;
    if exports.take_stdout() {
        let words = "standard output is for rows: name a file for this export";
        return Err(UsageError(words.to_owned()).into());
    }
    Ok(exports)
}

/// Descriptions of the runs in the records of the parts.
enum Runs {
    Solve(Vec<RunSetup>),
    /// Runs of a command other than `solve`.
    Others(Vec<RowsSetup>),
}

impl Runs {
    fn of(parts: &Parts) -> anyhow::Result<Runs> {
        let first = parts.parts().first().map(|part| &part.record.description);
        Ok(match first.and_then(|description| description.get("command")) {
            Some(_) => Runs::Others(said(parts)?),
            None => Runs::Solve(said(parts)?),
        })
    }

    /// Returns the name of the command.
    fn command(&self) -> &str {
        match self {
            Runs::Solve(_) => SOLVE.name,
            Runs::Others(runs) => runs.first().map_or("", |run| &run.command),
        }
    }
}

fn said<T: DeserializeOwned>(parts: &Parts) -> anyhow::Result<Vec<T>> {
    let run_of = |Part { path, record }: &Part| {
        serde_json::from_value(record.description.clone()).with_context(|| {
            let record = ShardRecord::path_of(path);
            format!("{} does not have the fields that this program writes", record.display())
        })
    };
    parts.parts().iter().map(run_of).collect()
}

/// Returns the record that the run would have without shards.
fn record(parts: &Parts, runs: &[RunSetup], measures: &Measures) -> anyhow::Result<RunRecord> {
    let first = runs.first().context("there is no shard")?.clone();
    // The record of each shard lists all inputs of the run, so the inputs of the first record are enough.
    let (threads, shards) = shard_times(parts, runs.iter().map(|run| (run.threads, &run.machine)));
    let setup = RunSetup { threads, shards, ..first };
    Ok(RunRecord::new(setup, measures, parts.started(), parts.wall())?)
}

/// Returns the total number of threads, and the time of each part. `runs` has the number of threads and the machine of each part.
fn shard_times<'r>(
    parts: &Parts,
    runs: impl Iterator<Item = (usize, &'r Machine)>,
) -> (usize, Vec<ShardTimeRecord>) {
    let time = |(part, (threads, machine)): (&Part, (usize, &Machine))| ShardTimeRecord {
        shard: part.record.shard.to_string(),
        rows: part.record.answered.tally.rows(),
        wall_ns: nanoseconds(part.record.answered.elapsed),
        threads,
        cpu: machine.cpu.clone(),
    };
    let times: Vec<ShardTimeRecord> = parts.parts().iter().zip(runs).map(time).collect();
    (times.iter().fold(0, |threads, time| threads.saturating_add(time.threads)), times)
}

/// The name of a field for messages, and a function that returns whether the field differs between two runs.
type Difference<R> = (&'static str, fn(&R, &R) -> bool);

/// Warns about differences between the shards that the merged record doesn't show.
fn tell_differences<R, const N: usize>(runs: &[R], kinds: [Difference<R>; N]) {
    let [first, others @ ..] = runs else { return };
    let is_any = |differs: fn(&R, &R) -> bool| others.iter().any(|run| differs(run, first));
    let differing: Vec<&str> =
        kinds.into_iter().filter_map(|(what, differs)| is_any(differs).then_some(what)).collect();
    if !differing.is_empty() {
        let shards = counted(runs.len() as u64, "shard");
        say(format_args!(
            "the {shards} had different {}; the record contains the values of the first shard",
            differing.join(", ")
        ));
    }
}

/// Writes the requested exports.
fn export(exports: &Exports, parts: &Parts, measures: &Measures, record: &RunRecord) -> anyhow::Result<()> {
    let latency = &measures.latency;
    exports.write(Kind::Json, |out| Ok(write_json(out, record)?))?;
    exports.write(Kind::Percentiles, |out| Ok(latency.write_percentiles(out)?))?;
    exports.write(Kind::HistogramLog, |out| Ok(latency.write_log(out, parts.started(), parts.wall())?))
}
