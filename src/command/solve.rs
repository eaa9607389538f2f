//! `sudobench solve`: puzzles in, a row for every row out, and a report of the times.

use std::num::NonZeroU64;
use std::path::PathBuf;

use sudobench_batch::source::Input;
use sudobench_batch::{Budgets, Finished, verb};
use sudobench_sudoku::Question;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::Variant;

use super::export::{Exports, Kind};
use super::rows::{Ran, RowsConfig};
use super::{Exit, UsageError, interrupt, say};
use crate::cli::{ReportingArgs, SolveArgs, SolvingArgs};
use crate::record::{Build, InputRecord, Machine, RunRecord, RunSetup, write_json};
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
    let rows = RowsConfig::new(rows, verb::SOLVE, reporting.hash)?;
    let asked = Asked::of(&solving, &reporting, level)?;
    let files = rows.files();
    let exports = Exports::open(asked_exports(&reporting), force, files.iter().map(PathBuf::as_path))?;
    if exports.take_stdout() {
        return Err(
            UsageError("an export of solve goes to a file: standard output is for rows".to_owned()).into()
        );
    }
    let source = rows.open(&interrupt)?;
    let description = || Ok(serde_json::to_value(description(&rows, &asked))?);
    let Some(Ran { finished, exit }) = rows.run(source, &interrupt, description, |run| {
        run.solver(asked.variant, level).question(asked.question.clone()).budgets(asked.budgets.list.clone())
    })?
    else {
        return Ok(Exit::Fine);
    };
    let exported = export(&exports, &rows, &asked, &finished);
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    if !rows.quiet {
        let summary = RunSummary {
            rows: rows.summary(&finished, asked.variant.name, "--only"),
            latency: &finished.measures.latency,
            budgets_were_typed: reporting.budgets.is_some(),
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

/// What is known of the run before it starts, with the inputs as they are stored: what the record of a shard says of the program.
fn description(rows: &RowsConfig, asked: &Asked) -> RunSetup {
    let size = |input: &Input| match input {
        Input::File(path) => path.metadata().map_or(0, |found| found.len()),
        _ => 0,
    };
    let inputs = rows.inputs.iter().map(|input| InputRecord::of(input, size(input), None));
    setup(rows, asked, inputs.collect(), false)
}

fn setup(rows: &RowsConfig, asked: &Asked, inputs: Vec<InputRecord>, interrupted: bool) -> RunSetup {
    RunSetup {
        arguments: started::arguments(),
        solver: asked.variant.name.to_owned(),
        max_solutions: asked.question.max_solutions.get(),
        threads: rows.threads.get(),
        inputs,
        interrupted,
        machine: Machine::detect(),
        simd_level: Some(asked.level.name().to_owned()),
        build: Build::current(),
        shards: Vec::new(),
    }
}

/// The record of the run, as it is stored.
fn record(rows: &RowsConfig, asked: &Asked, finished: &Finished) -> anyhow::Result<RunRecord> {
    let inputs =
        finished.inputs.iter().map(|read| InputRecord::of(&read.input, read.bytes, read.sha256.clone()));
    let setup = setup(rows, asked, inputs.collect(), finished.interrupted);
    Ok(RunRecord::new(setup, &finished.measures, finished.started, finished.wall)?)
}
