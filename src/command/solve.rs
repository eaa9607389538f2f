//! `sudobench solve`: puzzles in, a row for every row out, and a report of the times.

use std::num::NonZeroU64;
use std::path::PathBuf;

use sudobench_batch::source::Input;
use sudobench_batch::{Budgets, Finished, columns};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::Variant;
use sudobench_sudoku::{Question, Status, nanoseconds};

use super::export::{Exports, Kind};
use super::rows::{Ran, RowsConfig};
use super::{Exit, UsageError, interrupt, say, terminal};
use crate::cli::{ReportingArgs, SolveArgs, SolvingArgs};
use crate::record::{
    BudgetRecord, Build, InputRecord, Machine, RunRecord, SCHEMA_VERSION, StatusRecord, histogram_to_text,
    write_json,
};
use crate::report::RunSummary;
use crate::started;

/// The times of a good answer to BOJ 2580 in C++, Java and PyPy3: what puzzles are held against where nothing is said.
const DEFAULT_BUDGETS: &str = "80ms,292ms,1172ms";

/// Solves what was asked for, and reports.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output.
pub(super) fn run(typed: SolveArgs, level: Level) -> anyhow::Result<Exit> {
    let SolveArgs { rows, solving, reporting } = typed;
    let interrupt = interrupt::flags()?;
    let force = rows.output.force;
    let rows = RowsConfig::new(rows, &columns::SOLVE, &columns::SOLVE_DEFAULT, reporting.hash)?;
    let asked = Asked::of(&solving, &reporting, level)?;
    let files = rows.files();
    let exports = Exports::open(asked_exports(&reporting), force, files.iter().map(PathBuf::as_path))?;
    if exports.take_stdout() {
        return Err(
            UsageError("an export of solve goes to a file: standard output is for rows".to_owned()).into()
        );
    }
    let source = rows.open(&interrupt)?;
    let Some(Ran { finished, exit }) = rows.run(source, &interrupt, |run| {
        run.solver(asked.variant, level).question(asked.question.clone()).budgets(asked.budgets.list.clone())
    })?
    else {
        return Ok(Exit::Fine);
    };
    let exported = export(&exports, &rows, &asked, &finished);
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
            max_nodes: solving.max_nodes.map(NonZeroU64::get),
            max_time: solving.max_time_per_puzzle,
            ..budgets.question(solving.max_solutions)
        };
        Ok(Asked { variant: solving.solver, level, question, budgets })
    }
}

fn asked_exports(typed: &ReportingArgs) -> [(Kind, &Option<PathBuf>); 3] {
    [
        (Kind::Json, &typed.export_json),
        (Kind::Percentiles, &typed.export_hgrm),
        (Kind::HistogramLog, &typed.export_histogram_log),
    ]
}

/// Writes what was asked for.
fn export(exports: &Exports, rows: &RowsConfig, asked: &Asked, finished: &Finished) -> anyhow::Result<()> {
    let latency = &finished.measures.latency;
    exports.write(Kind::Json, |out| Ok(write_json(out, &record(rows, asked, finished)?)?))?;
    exports.write(Kind::Percentiles, |out| Ok(latency.write_percentiles(out)?))?;
    exports.write(Kind::HistogramLog, |out| Ok(latency.write_log(out, finished.started, finished.wall)?))
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
        arguments: started::arguments(),
        solver: asked.variant.name.to_owned(),
        max_solutions: asked.question.max_solutions.get(),
        threads: rows.threads.get(),
        inputs: inputs.collect(),
        rows: tally.rows(),
        statuses: statuses.to_vec(),
        left_out: tally.left_out,
        restored: tally.restored,
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
