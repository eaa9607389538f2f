//! `sudobench merge`: reads the outputs of all shards, writes the output of the run without shards, and reports as that run would.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use serde::de::DeserializeOwned;
use sudobench_rows::columns::Column;
use sudobench_rows::sink::{DestinationError, Existing, Target};
use sudobench_rows::verbs::VERBS;
use sudobench_rows::{
    Measures, MergeError, Merging, Part, Parts, ShardRecord, check_apart, is_standard, target,
};
use sudobench_sudoku::nanoseconds;

use super::export::{Exports, Kind, check_stdout};
use super::rows::{Display, ROWS_REMEDY, check_terminal, exit_of_whole, print_notices};
use super::say::say;
use super::{Exit, UsageError, interrupt, say, terminal};
use crate::cli::MergeArgs;
use sudobench_harness::record::{RowsSetup, RunRecord, RunSetup, ShardTimeRecord, write_json};
use sudobench_harness::report::{RowsSummary, RunSummary, counted};

/// Merges the named parts, and reports.
///
/// # Errors
///
/// For wrong usage, parts that are not a complete run, and an output that can't be written.
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
    if let (Runs::Others(runs), Some(export)) = (&runs, first_export(typed)) {
        let command = runs.first().map_or("", |run| &run.command);
        return Err(UsageError(format!(
            "{export} is only for runs of `solve`, but these are parts of `{command}`: leave it out"
        ))
        .into());
    }
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
        Runs::Others(runs) => return Ok(tell_others(typed, &parts, &runs, &measures)),
    };
    let record = record(&parts, &runs, &measures)?;
    let exported = export(&exports, &parts, &measures, &record);
    if !typed.quiet {
        tell_differences(&runs);
        let inputs: Vec<&str> = record.inputs.iter().map(|input| input.path.as_str()).collect();
        print_notices(&parts.notices(), &inputs, &measures.tally, None);
        let summary = RunSummary {
            rows: rows_summary(&parts, &measures, record.threads, &record.solver, &[]),
            latency: &measures.latency,
            budgets_were_typed: record.arguments.iter().any(|word| word.starts_with("--budgets")),
        };
        say::show(&summary);
    }
    exported.map(|()| exit_of_whole(&measures.tally, true))
}

/// Reports on the parts of a command that doesn't solve.
fn tell_others(typed: &MergeArgs, parts: &Parts, runs: &[RowsSetup], measures: &Measures) -> Exit {
    if !typed.quiet {
        let first = runs.first();
        print_notices(&parts.notices(), first.map_or(&[], |run| &run.inputs), &measures.tally, None);
        let threads = runs.iter().fold(0, |threads: usize, run| threads.saturating_add(run.threads));
        let command = first.map_or("", |run| &run.command);
        say::show(rows_summary(parts, measures, threads, command, &columns_of(parts, command)));
    }
    exit_of_whole(&measures.tally, false)
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

/// Returns the option of the first requested export.
fn first_export(typed: &MergeArgs) -> Option<&'static str> {
    let asked = [
        ("--export-json", &typed.export_json),
        ("--export-hgrm", &typed.export_hgrm),
        ("--export-histogram-log", &typed.export_histogram_log),
    ];
    asked.into_iter().find_map(|(flag, path)| path.as_ref().map(|_| flag))
}

/// Checks the exports. None of them may be a part or a record of a part.
fn open_exports(typed: &MergeArgs, target: &Target) -> anyhow::Result<Exports> {
    let asked = [
        (Kind::Json, &typed.export_json),
        (Kind::Percentiles, &typed.export_hgrm),
        (Kind::HistogramLog, &typed.export_histogram_log),
    ];
    let outputs = target.files();
    let written = asked.iter().filter_map(|(_, path)| path.as_deref()).filter(|path| !is_standard(path));
    let written: Vec<&Path> = outputs.iter().map(PathBuf::as_path).chain(written).collect();
    for named in &typed.parts {
        let part = ShardRecord::output_of(named).unwrap_or_else(|| named.clone());
        // Checks one part at a time, because the check keeps its files open, and there may be more parts than a process may have open
        // files.
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
    /// Runs of a command that doesn't solve.
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
    let shards = parts.parts().iter().zip(runs).map(|(part, run)| ShardTimeRecord {
        shard: part.record.shard.to_string(),
        rows: part.record.answered.tally.rows(),
        wall_ns: nanoseconds(part.record.answered.elapsed),
        threads: run.threads,
        cpu: run.machine.cpu.clone(),
    });
    // The record of each shard contains all stored inputs, so the first record has them too.
    let setup = RunSetup {
        threads: runs.iter().fold(0, |threads, run| threads.saturating_add(run.threads)),
        shards: shards.collect(),
        ..first
    };
    Ok(RunRecord::new(setup, measures, parts.started(), parts.wall())?)
}

/// Warns about differences between the shards that the merged record doesn't show.
fn tell_differences(runs: &[RunSetup]) {
    let [first, others @ ..] = runs else { return };
    let is_any = |differs: &dyn Fn(&RunSetup) -> bool| others.iter().any(differs);
    let differing = [
        ("machines", is_any(&|run| run.machine != first.machine)),
        ("vector levels", is_any(&|run| run.simd_level != first.simd_level)),
        ("builds", is_any(&|run| run.build != first.build)),
    ];
    let differing: Vec<&str> =
        differing.into_iter().filter_map(|(what, differs)| differs.then_some(what)).collect();
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
