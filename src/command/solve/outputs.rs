//! The reports of a run: on the terminal, and in files.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context as _;

use super::config::Config;
use crate::record::{
    BudgetRecord, Build, InputRecord, Machine, RunRecord, SCHEMA_VERSION, StatusRecord, write_json,
};
use crate::report::RunSummary;
use sudobench_batch::Measures;
use sudobench_batch::source::{Input, Source};
use sudobench_sudoku::solver::Status;

/// A run that is over.
pub(super) struct Run<'r> {
    pub(super) config: &'r Config,
    pub(super) measures: &'r Measures,
    pub(super) wall: Duration,
    pub(super) started: SystemTime,
    pub(super) interrupted: bool,
    pub(super) resumed_after: u64,
}

/// The files that reports go to, open.
pub(super) struct Outputs {
    report: Option<Output>,
    hgrm: Option<Output>,
    histogram_log: Option<Output>,
}

struct Output {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Outputs {
    /// Creates the files that were asked for.
    ///
    /// # Errors
    /// Where one cannot be created.
    pub(super) fn create(config: &Config) -> anyhow::Result<Outputs> {
        let create = |path: &Option<PathBuf>| path.as_deref().map(Output::create).transpose();
        Ok(Outputs {
            report: create(&config.report)?,
            hgrm: create(&config.hgrm)?,
            histogram_log: create(&config.histogram_log)?,
        })
    }

    /// Writes and closes them.
    ///
    /// # Errors
    /// Where one cannot be written.
    pub(super) fn write(self, run: &Run, source: &Source) -> anyhow::Result<()> {
        let latency = &run.measures.latency;
        if let Some(output) = self.report {
            output.write(|file| Ok(write_json(file, &record(run, source))?))?;
        }
        if let Some(output) = self.hgrm {
            output.write(|file| Ok(latency.write_percentiles(file)?))?;
        }
        if let Some(output) = self.histogram_log {
            output.write(|file| Ok(latency.write_log(file, run.started, run.wall)?))?;
        }
        Ok(())
    }
}

impl Output {
    fn create(path: &Path) -> anyhow::Result<Output> {
        // What an earlier run left there stays until there is something to replace it.
        let file = File::options().write(true).create(true).truncate(false).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Output { path: path.to_owned(), file: BufWriter::new(file) })
    }

    fn write(mut self, fill: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<()>) -> anyhow::Result<()> {
        // Pipes and devices have no length to set.
        let _ = self.file.get_ref().set_len(0);
        fill(&mut self.file)
            .and_then(|()| Ok(self.file.flush()?))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Prints the summary on standard error.
pub(super) fn print_summary(run: &Run) {
    let summary = RunSummary {
        measures: run.measures,
        wall: run.wall,
        threads: run.config.threads,
        solver: run.config.variant.name,
        resumed_after: run.resumed_after,
    };
    anstream::eprint!("{summary}");
}

/// The record of the run, as it is stored.
fn record(run: &Run, source: &Source) -> RunRecord {
    let Run { config, measures, .. } = run;
    let (tally, summary) = (&measures.tally, measures.latency.summary());
    let seconds = run.wall.as_secs_f64().max(1e-9);
    let statuses =
        Status::ALL.map(|status| StatusRecord { status: status.name().to_owned(), rows: tally.of(status) });
    let budgets = measures.latency.within().iter().map(|within| BudgetRecord {
        label: within.budget.label(),
        limit_ns: within.budget.limit_ns(),
        within: within.puzzles,
        of: summary.puzzles,
    });
    let inputs = source.inputs_read().into_iter().map(|read| InputRecord {
        path: match &read.input {
            Input::Stdin => "-".to_owned(),
            named => named.to_string(),
        },
        bytes: read.bytes,
        sha256: read.sha256,
    });
    RunRecord {
        schema_version: SCHEMA_VERSION,
        kind: "solve".to_owned(),
        started: humantime::format_rfc3339_seconds(run.started).to_string(),
        arguments: std::env::args().skip(1).collect(),
        solver: config.variant.name.to_owned(),
        max_solutions: config.question.max_solutions.get(),
        threads: config.threads,
        inputs: inputs.collect(),
        rows: tally.rows(),
        statuses: statuses.to_vec(),
        compared: tally.compared,
        mismatches: tally.mismatches,
        refused: tally.refused,
        interrupted: run.interrupted,
        nodes: tally.nodes,
        guesses: tally.guesses,
        without_guess: tally.without_guess,
        wall_ns: sudobench_sudoku::nanoseconds(run.wall),
        solving_ns: tally.solving_ns,
        puzzles_per_second: tally.puzzles() as f64 / seconds,
        latency_ns: summary,
        budgets: budgets.collect(),
        machine: Machine::detect(),
        simd_level: Some(config.level.name().to_owned()),
        build: Build::current(),
    }
}
