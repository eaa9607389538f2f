//! `sudobench solve`: puzzles in, a row for every row out, and a report of the times.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sudobench_batch::source::Input;
use sudobench_batch::{Budgets, Finished, columns};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::Variant;
use sudobench_sudoku::{Question, Status, nanoseconds};

use super::export::is_standard;
use super::rows::{Ran, RowsConfig, check_outputs};
use super::{Exit, UsageError, interrupt, say, terminal};
use crate::cli::{ReportingArgs, SolveArgs, SolvingArgs};
use crate::record::{
    BudgetRecord, Build, InputRecord, Machine, RunRecord, SCHEMA_VERSION, StatusRecord, histogram_to_text,
    write_json,
};
use crate::report::RunSummary;

/// The times of a good answer to BOJ 2580 in C++, Java and PyPy3: what puzzles are held against where nothing is said.
const DEFAULT_BUDGETS: &str = "80ms,292ms,1172ms";

/// Solves what was asked for, and reports.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output.
pub(super) fn run(typed: SolveArgs, level: Level) -> anyhow::Result<Exit> {
    let SolveArgs { rows, solving, reporting } = typed;
    let interrupt = interrupt::flags()?;
    let rows = RowsConfig::new(rows, &columns::SOLVE, &columns::SOLVE_DEFAULT, reporting.hash)?;
    let exports = [&reporting.export_json, &reporting.export_hgrm, &reporting.export_histogram_log];
    if exports.into_iter().flatten().any(|path| is_standard(path)) {
        return Err(
            UsageError("an export of solve goes to a file: standard output is for rows".to_owned()).into()
        );
    }
    check_outputs(rows.output_file().into_iter().chain(exports.into_iter().flatten()))?;
    let asked = Asked::of(&solving, &reporting, level)?;
    let source = rows.open(&interrupt)?;
    // Report files are opened before the work, so that a wrong path does not cost a night.
    let exports = Exports::create(&reporting)?;
    let Ran { finished, exit } = rows.run(source, &interrupt, |run| {
        run.solver(asked.variant, level).question(asked.question.clone()).budgets(asked.budgets.list.clone())
    })?;
    let exported = exports.write(&rows, &asked, &finished);
    rows.print_words(&finished);
    if !rows.quiet {
        let summary = RunSummary {
            measures: &finished.measures,
            wall: finished.wall,
            threads: rows.threads.get(),
            solver: asked.variant.name,
            resumed_after: finished.resumed_after,
            budgets_were_typed: reporting.budgets.is_some(),
            width: terminal::words_width().unwrap_or(usize::MAX),
        };
        say::show(&summary);
    }
    exported.and(exit)
}

/// What is asked of each puzzle, and of whom.
struct Asked {
    variant: &'static Variant,
    level: Level,
    question: Question,
    budgets: Budgets,
}

impl Asked {
    fn of(solving: &SolvingArgs, reporting: &ReportingArgs, level: Level) -> anyhow::Result<Asked> {
        let budgets = match &reporting.budgets {
            Some(budgets) => budgets.clone(),
            None => DEFAULT_BUDGETS.parse()?,
        };
        let question = Question {
            max_nodes: solving.max_nodes,
            max_time: solving.max_time_per_puzzle,
            ..budgets.question(solving.max_solutions)
        };
        Ok(Asked { variant: solving.solver, level, question, budgets })
    }
}

/// The files that reports go to, open.
struct Exports {
    json: Option<Export>,
    hgrm: Option<Export>,
    histogram_log: Option<Export>,
}

struct Export {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Exports {
    /// Creates the files that were asked for.
    ///
    /// # Errors
    /// Where one cannot be created.
    fn create(typed: &ReportingArgs) -> anyhow::Result<Exports> {
        let create = |path: &Option<PathBuf>| path.as_deref().map(Export::create).transpose();
        Ok(Exports {
            json: create(&typed.export_json)?,
            hgrm: create(&typed.export_hgrm)?,
            histogram_log: create(&typed.export_histogram_log)?,
        })
    }

    /// Writes and closes them.
    ///
    /// # Errors
    /// Where one cannot be written.
    fn write(self, rows: &RowsConfig, asked: &Asked, finished: &Finished) -> anyhow::Result<()> {
        let latency = &finished.measures.latency;
        if let Some(export) = self.json {
            let record = record(rows, asked, finished)?;
            export.write(|file| Ok(write_json(file, &record)?))?;
        }
        if let Some(export) = self.hgrm {
            export.write(|file| Ok(latency.write_percentiles(file)?))?;
        }
        if let Some(export) = self.histogram_log {
            export.write(|file| Ok(latency.write_log(file, finished.started, finished.wall)?))?;
        }
        Ok(())
    }
}

impl Export {
    fn create(path: &Path) -> anyhow::Result<Export> {
        // What an earlier run left there stays until there is something to replace it.
        let file = File::options().write(true).create(true).truncate(false).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Export { path: path.to_owned(), file: BufWriter::new(file) })
    }

    fn write(mut self, fill: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<()>) -> anyhow::Result<()> {
        // Pipes and devices have no length to set.
        let _ = self.file.get_ref().set_len(0);
        fill(&mut self.file)
            .and_then(|()| Ok(self.file.flush()?))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// The record of the run, as it is stored.
fn record(rows: &RowsConfig, asked: &Asked, finished: &Finished) -> anyhow::Result<RunRecord> {
    let Finished { measures, started, wall, .. } = finished;
    let (tally, summary) = (&measures.tally, measures.latency.summary());
    let statuses =
        Status::ALL.map(|status| StatusRecord { status: status.name().to_owned(), rows: tally.of(status) });
    let budgets = measures.latency.within().iter().map(|within| BudgetRecord {
        label: within.budget.label(),
        limit_ns: within.budget.limit_ns(),
        within: within.puzzles,
        of: summary.puzzles,
    });
    let inputs = finished.inputs.iter().map(|read| InputRecord {
        path: match &read.input {
            Input::Stdin => "-".to_owned(),
            input => input.to_string(),
        },
        bytes: read.bytes,
        sha256: read.sha256.clone(),
    });
    Ok(RunRecord {
        schema_version: SCHEMA_VERSION,
        kind: "solve".to_owned(),
        started: humantime::format_rfc3339_seconds(*started).to_string(),
        arguments: std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect(),
        solver: asked.variant.name.to_owned(),
        max_solutions: asked.question.max_solutions.get(),
        threads: rows.threads.get(),
        inputs: inputs.collect(),
        rows: tally.rows(),
        statuses: statuses.to_vec(),
        left_out: tally.left_out,
        compared: tally.compared,
        mismatches: tally.mismatches,
        refused: tally.refused,
        interrupted: finished.interrupted,
        nodes: tally.nodes,
        guesses: tally.guesses,
        without_guess: tally.without_guess,
        wall_ns: nanoseconds(*wall),
        solving_ns: tally.solving_ns,
        puzzles_per_second: tally.puzzles() as f64 / wall.as_secs_f64().max(1e-9),
        latency_ns: summary,
        histogram: histogram_to_text(measures.latency.histogram())?,
        budgets: budgets.collect(),
        machine: Machine::detect(),
        simd_level: Some(asked.level.name().to_owned()),
        build: Build::current(),
    })
}
