//! `sudobench merge`: joins the outputs of all shards, and prints a summary of all rows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use serde::de::DeserializeOwned;
use sudobench_rows::columns::Column;
use sudobench_rows::sink::{DestinationError, Existing, Target};
use sudobench_rows::verbs::{SCORE, SOLVE, ScoreOptions, VERBS};
use sudobench_rows::{
    MergeError, Merging, RunMeasures, ShardOutput, ShardOutputs, ShardRecord, check_apart, is_standard,
    target,
};
use sudobench_sudoku::nanoseconds;

use super::export::{Exports, Kind, check_stdout};
use super::progress::RowsProgress;
use super::rows::{ROWS_REMEDY, check_terminal, exit_of_whole, print_notices};
use super::rows_record::{print_scores, write_latency, write_reports};
use super::say::say;
use super::{Exit, UsageError, first_error, interrupt, say, terminal};
use crate::cli::MergeArgs;
use sudobench_harness::record::{
    RowsRecord, RowsSetup, RunRecord, RunSetup, ScoresRecord, ShardTimeRecord, SolveSetup, write_json,
};
use sudobench_harness::report::{RowsSummary, RunSummary, counted};

pub(super) fn run(typed: &MergeArgs) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flags()?;
    let target = target(typed.output.as_deref());
    let exports = open_exports(typed, &target)?;
    let parts = match ShardOutputs::read(&typed.parts) {
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
    let runs = Runs::new(&parts)?;
    check_exports(typed, runs.command())?;
    let merging = Merging {
        target,
        existing: if typed.force { Existing::Overwrite } else { Existing::Refuse },
        sync: !typed.no_sync,
        cancel: Arc::clone(&interrupt.reading),
    };
    let mut display = RowsProgress::new(typed.progress, typed.quiet, Some(&merging.target), String::new());
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
    let setups = runs.setups();
    let run = merged_setup(&parts, &setups)?;
    let (exported, scores) = match &runs {
        Runs::Solve(runs) => {
            let setup = SolveSetup { run: run.clone(), ..first_of(runs)? };
            let (started, wall) = (parts.started(), parts.wall());
            let record = RunRecord::new(setup, &measures, started, wall)?;
            let written = first_error([
                exports.write(Kind::Json, |out| Ok(write_json(out, &record)?)),
                write_latency(&exports, &measures.latency, started, wall),
            ]);
            (written, None)
        }
        Runs::Others(runs) => {
            let setup = RowsSetup { run: run.clone(), ..first_of(runs)? };
            let record = rows_record(&parts, setup, &measures);
            let scores = record.scores.clone();
            (write_reports(&exports, || record), scores)
        }
    };
    if !typed.quiet {
        tell_differences(&setups);
        let inputs: Vec<&str> = run.inputs.iter().map(|input| input.path.as_str()).collect();
        print_notices(&parts.notices(), &inputs, &measures.tally, None);
        print_summary(&parts, &runs, &run, &measures);
    }
    if let Some(scores) = &scores {
        let takes_stdout = merging.target == Target::Stdout;
        print_scores(scores, &exports, takes_stdout, typed.quiet, false)?;
    }
    let solves = VERBS.iter().any(|verb| verb.name == runs.command() && verb.solves);
    exported.map(|()| exit_of_whole(&measures.tally, solves))
}

/// Returns the record of a run of a command other than `solve`.
fn rows_record(parts: &ShardOutputs, setup: RowsSetup, measures: &RunMeasures) -> RowsRecord {
    let score = (setup.command == SCORE.name)
        .then(|| ScoreOptions { bucket_by: setup.bucket_by.clone(), ..ScoreOptions::default() });
    let columns = columns_of(parts, &setup.command);
    RowsRecord {
        scores: score.map(|score| ScoresRecord::new(&measures.scores, &score)),
        ..RowsRecord::new(setup, &columns, &measures.tally, parts.started(), parts.wall())
    }
}

fn first_of<S: Clone>(setups: &[S]) -> anyhow::Result<S> {
    setups.first().cloned().context("there is no shard")
}

fn print_summary(parts: &ShardOutputs, runs: &Runs, run: &RunSetup, measures: &RunMeasures) {
    let rows = RowsSummary {
        tally: &measures.tally,
        wall: parts.wall(),
        threads: run.threads,
        by: runs.command(),
        shards: parts.parts().len(),
        resumed_after: 0,
        left_out_by: "--only",
        columns: &[],
        width: terminal::stderr_width().unwrap_or(usize::MAX),
    };
    say::show(match runs {
        Runs::Solve(runs) => {
            let rows = RowsSummary { by: runs.first().map_or("", |run| &run.solver), ..rows };
            let budgets_were_typed = run.arguments.iter().any(|word| word.starts_with("--budgets"));
            RunSummary { rows, latency: &measures.latency, budgets_were_typed }.text()
        }
        Runs::Others(_) => RowsSummary { columns: &columns_of(parts, runs.command()), ..rows }.text(),
    });
}

/// Returns the columns that the command added to the parts.
fn columns_of(parts: &ShardOutputs, command: &str) -> Vec<Column> {
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
        let message = format!(
            "{export} is only for runs of `{only}`, but these are parts of `{command}`: leave it out"
        );
        Err(UsageError(message))
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
        let message = "standard output is for rows: name a file for this export";
        return Err(UsageError(message.to_owned()).into());
    }
    Ok(exports)
}

/// For each part, the description of the run that wrote it, read from the part's record.
enum Runs {
    Solve(Vec<SolveSetup>),
    /// Runs of a command other than `solve`.
    Others(Vec<RowsSetup>),
}

impl Runs {
    fn new(parts: &ShardOutputs) -> anyhow::Result<Runs> {
        let first = parts.parts().first().map(|part| &part.record.description);
        Ok(match first.and_then(|description| description.get("command")) {
            Some(_) => Runs::Others(descriptions(parts)?),
            None => Runs::Solve(descriptions(parts)?),
        })
    }

    /// Returns, for each part, the fields that the descriptions of all commands share.
    fn setups(&self) -> Vec<&RunSetup> {
        match self {
            Runs::Solve(runs) => runs.iter().map(|run| &run.run).collect(),
            Runs::Others(runs) => runs.iter().map(|run| &run.run).collect(),
        }
    }

    fn command(&self) -> &str {
        match self {
            Runs::Solve(_) => SOLVE.name,
            Runs::Others(runs) => runs.first().map_or("", |run| &run.command),
        }
    }
}

fn descriptions<T: DeserializeOwned>(parts: &ShardOutputs) -> anyhow::Result<Vec<T>> {
    let run_of = |ShardOutput { path, record }: &ShardOutput| {
        serde_json::from_value(record.description.clone()).with_context(|| {
            let record = ShardRecord::path_of(path);
            format!("{} does not have the fields that this program writes; run all shards again with this version", record.display())
        })
    };
    parts.parts().iter().map(run_of).collect()
}

/// Returns the setup of the merged run: the setup of the first shard, but with the total number of threads and with the time of each shard.
/// `setups` has the setup of each part.
fn merged_setup(parts: &ShardOutputs, setups: &[&RunSetup]) -> anyhow::Result<RunSetup> {
    let first = first_of(setups)?;
    let time = |(part, setup): (&ShardOutput, &&RunSetup)| ShardTimeRecord {
        shard: part.record.shard.to_string(),
        rows: part.record.answered.tally.rows(),
        wall_ns: nanoseconds(part.record.answered.elapsed),
        threads: setup.threads,
        cpu: setup.machine.cpu.clone(),
    };
    let shards: Vec<ShardTimeRecord> = parts.parts().iter().zip(setups).map(time).collect();
    let threads = shards.iter().fold(0, |threads: usize, shard| threads.saturating_add(shard.threads));
    // The record of each shard lists all inputs of the run, so the inputs of the first record are enough.
    Ok(RunSetup { threads, shards, ..first.clone() })
}

/// Warns if the shards had different machines, SIMD levels or builds. The merged record has only the values of the first shard, and the CPU
/// of each shard.
fn tell_differences(setups: &[&RunSetup]) {
    let [first, others @ ..] = setups else { return };
    let differing = [
        ("machines", others.iter().any(|run| run.machine != first.machine)),
        ("SIMD levels", others.iter().any(|run| run.simd_level != first.simd_level)),
        ("builds", others.iter().any(|run| run.build != first.build)),
    ];
    let differing: Vec<&str> =
        differing.into_iter().filter(|(_, differ)| *differ).map(|(what, _)| what).collect();
    if !differing.is_empty() {
        let shards = counted(setups.len() as u64, "shard");
        say(format_args!(
            "the {shards} had different {}; the record of --export-json contains the values of the first shard",
            differing.join(", ")
        ));
    }
}
