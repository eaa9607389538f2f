//! Runs the verbs over rows. Verbs with larger reports have their own files; this file contains the reports of all other verbs.

use std::num::NonZeroU64;
use std::sync::Arc;

use sudobench_rows::Tally;
use sudobench_rows::verbs::{CheckOptions, FailOn, RATE, TransformOptions, VerbOptions};
use sudobench_rows::{CheckedRows, Finished, PassResults};
use sudobench_sudoku::Status;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::SolverFactory;

use super::export::{Exports, Kind};
use super::interrupt::Flags;
use super::rows::{Ran, RowsConfig, with_partial};
use super::rows_record::{open_exports, print_scores, scores, write_record};
use super::say::{say, show};
use super::{Exit, dedupe, explain, generate, interrupt, overlap, solve, split};
use crate::cli::{Extras, SplittingArgs, VerbArgs};
use sudobench_harness::report::{RowsSummary, count, counted, rate, strata_text};

/// Runs a verb and reports the result.
///
/// # Errors
///
/// If the command line is invalid, an input can't be read, or an output can't be written.
pub(super) fn run(typed: VerbArgs, level: Level) -> anyhow::Result<Exit> {
    let VerbArgs { options, extras, record, rows } = typed;
    match (options, extras) {
        (VerbOptions::Solve(options), Extras::Reporting(reporting)) => {
            solve::run(options, &reporting, &record, rows, level)
        }
        (VerbOptions::Dedupe(options), Extras::Duplicates(duplicates)) => {
            dedupe::run(options, duplicates, &record, rows, level)
        }
        (VerbOptions::Overlap(options), Extras::Comparing(comparing)) => {
            overlap::run(options, comparing, record, rows, level)
        }
        (
            VerbOptions::Split(options),
            Extras::Splitting(SplittingArgs { test_output: Some(test_output) }),
        ) => split::run(options, test_output, rows, level),
        (VerbOptions::Explain(options), Extras::Page(page)) => {
            let force = rows.output.force;
            let interrupt = interrupt::flags()?;
            let rows = RowsConfig::new(rows, options, record.hash, level)?;
            match (&page.export_html, rows.draws) {
                (Some(_), _) => explain::write_page(rows, &interrupt, &page.export_html, force),
                (None, true) => explain::draw(&rows, &interrupt, &record, force),
                (None, false) => {
                    let exports = open_exports([(Kind::Json, &record.export_json)], &rows, force)?;
                    run_and_tell(&rows, &interrupt, &exports, || None)
                }
            }
        }
        (VerbOptions::Score(options), Extras::Scores(reports)) => {
            let force = rows.output.force;
            let rows = RowsConfig::new(rows, options, record.hash, level)?;
            let asked = [
                (Kind::Json, &record.export_json),
                (Kind::Html, &reports.export_html),
                (Kind::Markdown, &reports.export_markdown),
            ];
            run_and_tell(&rows, &interrupt::flags()?, &open_exports(asked, &rows, force)?, || None)
        }
        (VerbOptions::Generate(mut options), Extras::HardestEngine(typed)) => {
            let force = rows.output.force;
            let interrupt = interrupt::flags()?;
            let engine = generate::engine(typed, &interrupt)?;
            options.engine = engine.clone().map(|engine| engine as Arc<dyn SolverFactory>);
            let rows = RowsConfig::new(rows, options, record.hash, level)?;
            if let Some(engine) = &engine {
                generate::try_out(engine)?;
            }
            let exports = open_exports([(Kind::Json, &record.export_json)], &rows, force)?;
            run_and_tell(&rows, &interrupt, &exports, || generate::failure(engine.as_ref()?))
        }
        (options, _) => {
            let force = rows.output.force;
            let rows = RowsConfig::new(rows, options, record.hash, level)?;
            let exports = open_exports([(Kind::Json, &record.export_json)], &rows, force)?;
            run_and_tell(&rows, &interrupt::flags()?, &exports, || None)
        }
    }
}

/// Runs a verb and prints its report. `failure` returns the reason if a failed program, not an interrupt, ended the run.
fn run_and_tell(
    rows: &RowsConfig,
    interrupt: &Flags,
    exports: &Exports,
    failure: impl Fn() -> Option<anyhow::Error>,
) -> anyhow::Result<Exit> {
    // Some verbs, such as `score`, write rows only if an output is named. Without an output, the printed counts are the only result.
    let counts_are_only_result = !rows.job.has_rows;
    exports.check_print(counts_are_only_result)?;
    let write = |finished: &Finished, passes: &PassResults| write_record(exports, rows, finished, passes);
    let ran = rows.run(interrupt, || rows.description(), None, &write);
    let mut ran = ran.map_err(|error| failure().unwrap_or(error))?;
    if let Some(failure) = failure() {
        ran.finished.interrupted = false;
        ran.exit = Err(with_partial(failure, &ran.finished, "remove the cause and continue with --resume"));
    }
    let exported = ran.export(exports, &write);
    let Ran { finished, exit, passes, .. } = ran;
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    match passes.strata.filter(|_| !rows.quiet) {
        Some(strata) => {
            // The strata already show the number of rows of each value of their column.
            let columns = rows.job.output.columns.iter().copied();
            let columns: Vec<_> = columns.filter(|column| column.name != strata.by).collect();
            let summary = RowsSummary { columns: &columns, ..rows.summary(&finished, RATE.name) };
            show(strata_text(&summary, &strata));
        }
        None => rows.print_summary(&finished),
    }
    if let Some(scores) = scores(rows, &finished) {
        print_scores(&scores, exports, rows.takes_stdout(), rows.quiet, counts_are_only_result)?;
    }
    match &rows.job.options {
        VerbOptions::Check(check) => return exported.and(tell_checked(check, &finished, exit)),
        VerbOptions::Transform(transform) => tell_forms(rows, transform, &finished),
        options => {
            if let Some(expansion) = options.expansion() {
                let limit = expansion.is_limited().then_some(expansion.most());
                tell_found(rows, &finished, expansion.name(), limit);
            }
            if let VerbOptions::Explain(_) = options {
                tell_unexplained(rows, &finished);
            }
        }
    }
    exported.and(exit)
}

/// Reports the number of puzzles that fail the check of `--fail-on`, and returns the exit code.
fn tell_checked(
    check: &CheckOptions,
    finished: &Finished,
    exit: anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    let tally = &finished.measures.tally;
    let exit = exit?;
    let fails = check.fail_on.is_some_and(|fail_on| fails(fail_on, tally));
    Ok(if fails && exit == Exit::Fine { Exit::PuzzleFailed } else { exit })
}

/// Returns whether some puzzle fails the check, and reports the number of such puzzles.
fn fails(fail_on: FailOn, tally: &Tally) -> bool {
    let (name, good) = match fail_on {
        FailOn::NotUnique => ("not-unique", tally.of(Status::Unique)),
        FailOn::NotMinimal => ("not-minimal", tally.marked[CheckedRows::MINIMAL]),
    };
    let failed = tally.puzzles().saturating_sub(good);
    if failed > 0 {
        say(format_args!("--fail-on {name}: {}", counted(failed, "puzzle")));
    }
    failed > 0
}

/// Reports the number of found puzzles, called `what`, and the number of rows with more than `limit` of them.
fn tell_found(rows: &RowsConfig, finished: &Finished, what: &str, limit: Option<NonZeroU64>) {
    if rows.quiet {
        return;
    }
    let Tally { found, incomplete, .. } = finished.measures.tally;
    show(format_args!("  {what:<11} {:>13}  {}\n", count(found), per_second(found, finished)));
    tell_left_out_expanded(rows, finished);
    if let (Some(limit), 1..) = (limit, incomplete) {
        show(format_args!(
            "  {:<11} {:>13}  of these rows, with more than the {} of --limit-per-puzzle\n",
            "incomplete",
            count(incomplete),
            count(limit.get())
        ));
    }
}

/// Reports the number of puzzles that the steps of `explain` do not solve.
fn tell_unexplained(rows: &RowsConfig, finished: &Finished) {
    let incomplete = finished.measures.tally.incomplete;
    if incomplete > 0 && !rows.quiet {
        show(format_args!(
            "  {:<11} {:>13}  puzzles that the steps do not solve\n",
            "incomplete",
            count(incomplete)
        ));
    }
}

/// Reports the number of written forms.
fn tell_forms(rows: &RowsConfig, transform: &TransformOptions, finished: &Finished) {
    let tally = &finished.measures.tally;
    let each = transform.random.map_or(1, NonZeroU64::get);
    // The number of written forms is only known if no rows were left out.
    if !rows.quiet && each > 1 && tally.left_out == 0 {
        let forms = tally.puzzles().saturating_mul(each).saturating_add(finished.forms);
        show(format_args!(
            "  {:<11} {:>13}  {} of each puzzle: {}\n",
            "forms",
            count(forms),
            count(each),
            per_second(forms, finished)
        ));
    }
    tell_left_out_expanded(rows, finished);
}

/// Reports the number of expanded rows that were left out, if there are any.
fn tell_left_out_expanded(rows: &RowsConfig, finished: &Finished) {
    let left_out = finished.measures.tally.left_out_expanded;
    if left_out > 0 && !rows.quiet {
        let left_out = count(left_out);
        show(format_args!(
            "  {:<11} {left_out:>13}  of the resulting rows, by {}\n",
            "left out",
            rows.left_out_by()
        ));
    }
}

fn per_second(number: u64, finished: &Finished) -> String {
    rate(number as f64 / finished.wall.as_secs_f64().max(1e-9))
}
