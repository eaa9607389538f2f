//! `sudobench solve`: writes a row with the solution for each input row, and reports the times.

use std::path::PathBuf;

use sudobench_rows::verbs::SolveOptions;
use sudobench_rows::{Finished, PassResults};
use sudobench_sudoku::simd::Level;

use super::export::{Exports, Kind};
use super::rows::{Ran, RowsConfig};
use super::rows_record::open_exports;
use super::{Exit, interrupt, say};
use crate::cli::{RecordArgs, ReportingArgs, RowsArgs};
use sudobench_harness::record::{Build, InputRecord, Machine, RunRecord, RunSetup, write_json};
use sudobench_harness::report::RunSummary;
use sudobench_harness::started;

/// Solves the puzzles and reports the result.
///
/// # Errors
///
/// If the command line is invalid, an input can't be read, or an output can't be written.
pub(super) fn run(
    options: SolveOptions,
    reporting: &ReportingArgs,
    recorded: &RecordArgs,
    rows: RowsArgs,
    level: Level,
) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flags()?;
    let force = rows.output.force;
    let asked = Asked { options: options.clone(), level };
    let rows = RowsConfig::new(rows, options, recorded.hash, level)?;
    let exports = open_exports(asked_exports(reporting, recorded), &rows, force)?;
    let description = || Ok(serde_json::to_value(description(&rows, &asked))?);
    let write = |finished: &Finished, _: &PassResults| export(&exports, &rows, &asked, finished);
    let ran = rows.run(&interrupt, description, None, &write)?;
    let exported = ran.export(&exports, &write);
    let Ran { finished, exit, .. } = ran;
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    if !rows.quiet && !rows.draws {
        let summary = RunSummary {
            rows: rows.summary(&finished, asked.options.solver.name),
            latency: &finished.measures.latency,
            budgets_were_typed: asked.options.budgets.is_some(),
        };
        say::show(summary.text());
    }
    exported.and(exit)
}

/// The question for each puzzle, and the solver.
struct Asked {
    options: SolveOptions,
    level: Level,
}

fn asked_exports<'t>(typed: &'t ReportingArgs, recorded: &'t RecordArgs) -> [(Kind, &'t Option<PathBuf>); 3] {
    [
        (Kind::Json, &recorded.export_json),
        (Kind::Percentiles, &typed.export_hgrm),
        (Kind::HistogramLog, &typed.export_histogram_log),
    ]
}

/// Writes the requested exports.
fn export(exports: &Exports, rows: &RowsConfig, asked: &Asked, finished: &Finished) -> anyhow::Result<()> {
    let latency = &finished.measures.latency;
    exports.write(Kind::Json, |out| Ok(write_json(out, &record(rows, asked, finished)?)?))?;
    exports.write(Kind::Percentiles, |out| Ok(latency.write_percentiles(out)?))?;
    exports.write(Kind::HistogramLog, |out| Ok(latency.write_log(out, finished.started, finished.wall)?))
}

/// Returns the fields that this program adds to the record of a shard: everything that is known before the run starts. The entries of the
/// inputs have no hashes yet.
fn description(rows: &RowsConfig, asked: &Asked) -> RunSetup {
    setup(rows, asked, rows.stored_inputs(), false)
}

fn setup(rows: &RowsConfig, asked: &Asked, inputs: Vec<InputRecord>, interrupted: bool) -> RunSetup {
    RunSetup {
        arguments: started::arguments(),
        solver: asked.options.solver.name.to_owned(),
        max_solutions: asked.options.question().max_solutions.get(),
        threads: rows.threads.get(),
        inputs,
        interrupted,
        machine: Machine::detect(),
        simd_level: Some(asked.level.name().to_owned()),
        build: Build::current(),
        shards: Vec::new(),
    }
}

/// Returns the record of the run.
fn record(rows: &RowsConfig, asked: &Asked, finished: &Finished) -> anyhow::Result<RunRecord> {
    let inputs =
        finished.inputs.iter().map(|read| InputRecord::of(&read.input, read.bytes, read.sha256.clone()));
    let setup = setup(rows, asked, inputs.collect(), finished.interrupted);
    Ok(RunRecord::new(setup, &finished.measures, finished.started, finished.wall)?)
}
