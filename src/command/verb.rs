//! Runs the verbs over rows, and prints their reports. Verbs with larger reports have their own files.

use std::num::NonZeroU64;
use std::sync::{Arc, OnceLock};

use sudobench_rows::verbs::{CheckOptions, DedupeOptions, FailOn, TransformOptions, VerbOptions};
use sudobench_rows::{CheckedRows, Finished, ListGroups, StopFlags, Tally};
use sudobench_sudoku::Status;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::SolverFactory;

use super::export::{Exports, Kind};
use super::rows::{RowsConfig, RunResult, with_partial};
use super::rows_record::{open_exports, print_scores, scores, write_record};
use super::say::{say, show};
use super::{Exit, dedupe, explain, generate, interrupt, overlap, split};
use crate::cli::{Extras, SplittingArgs, VerbArgs};
use sudobench_harness::report::{RowsSummary, RunSummary, count, counted, rate};

pub(super) fn run(typed: VerbArgs, level: Level) -> anyhow::Result<Exit> {
    let VerbArgs { options, extras, record, rows } = typed;
    let interrupt = interrupt::flags()?;
    let json = (Kind::Json, &record.export_json);
    match (options, extras) {
        (VerbOptions::Overlap(options), Extras::Comparing(comparing)) => {
            overlap::run(options, comparing, record, rows, level, &interrupt)
        }
        (
            VerbOptions::Split(options),
            Extras::Splitting(SplittingArgs { test_output: Some(test_output) }),
        ) => split::run(options, test_output, rows, level, &interrupt),
        (VerbOptions::Explain(options), Extras::Page(page)) => {
            let rows = RowsConfig::new(rows, options, record.hash, level)?;
            if page.export_html.is_some() {
                return explain::write_page(rows, &interrupt, &page.export_html);
            }
            if let Some(folder) = &page.export_svg {
                return explain::write_drawings(rows, &interrupt, folder);
            }
            let exports = open_exports(&[json], &rows)?;
            match rows.draws {
                true => explain::draw(&rows, &interrupt, &exports),
                false => run_and_tell(&rows, &interrupt, &exports, || None),
            }
        }
        (VerbOptions::Generate(mut options), Extras::HardestEngine(typed)) => {
            let engine = generate::engine(typed, &interrupt)?;
            options.engine = engine.clone().map(|engine| engine as Arc<dyn SolverFactory>);
            let rows = RowsConfig::new(rows, options, record.hash, level)?;
            if let Some(engine) = &engine {
                generate::try_out(engine)?;
            }
            let exports = open_exports(&[json], &rows)?;
            run_and_tell(&rows, &interrupt, &exports, || generate::failure(engine.as_ref()?))
        }
        (mut options, extras) => {
            if let (VerbOptions::Dedupe(dedupe), Extras::Duplicates(list)) = (&mut options, &extras) {
                dedupe.lists_groups = list.report_duplicates.is_some();
            }
            let rows = RowsConfig::new(rows, options, record.hash, level)?;
            let asked = match &extras {
                Extras::Reporting(times) => vec![
                    json,
                    (Kind::Percentiles, &times.export_hgrm),
                    (Kind::HistogramLog, &times.export_histogram_log),
                ],
                Extras::Duplicates(list) => vec![(Kind::Duplicates, &list.report_duplicates), json],
                Extras::Scores(scores) => {
                    vec![json, (Kind::Html, &scores.export_html), (Kind::Markdown, &scores.export_markdown)]
                }
                _ => vec![json],
            };
            run_and_tell(&rows, &interrupt, &open_exports(&asked, &rows)?, || None)
        }
    }
}

/// Runs a verb and prints its report. `failure` returns the reason if a failed program, not an interrupt, ended the run.
fn run_and_tell(
    rows: &RowsConfig,
    interrupt: &StopFlags,
    exports: &Exports,
    failure: impl Fn() -> Option<anyhow::Error>,
) -> anyhow::Result<Exit> {
    // Some verbs, such as `score`, write rows only if an output is named. Without an output, the printed counts are the only result.
    let counts_are_only_result = !rows.job.has_rows;
    exports.check_print(counts_are_only_result)?;
    let list: Option<ListGroups<'_>> = match &rows.job.options {
        VerbOptions::Dedupe(DedupeOptions { isomorph, lists_groups: true, .. }) => {
            Some(Box::new(|groups| dedupe::write_groups(groups, exports, rows, *isomorph)))
        }
        _ => None,
    };
    // It takes a while to compute the confidence intervals of the accuracies, so the reports and the summary share them.
    let shared_scores = OnceLock::new();
    let scores_of = |finished: &Finished| shared_scores.get_or_init(|| scores(rows, finished)).clone();
    let write = |finished: &Finished| write_record(exports, rows, finished, || scores_of(finished));
    let ran = rows.run(interrupt, list, &write);
    let mut ran = ran.map_err(|error| failure().unwrap_or(error))?;
    if let Some(failure) = failure() {
        ran.finished.interrupted = false;
        ran.exit = Err(with_partial(failure, &ran.finished, "remove the cause and continue with --resume"));
    }
    let exported = ran.export(exports, &write);
    let RunResult { finished, exit, .. } = ran;
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    if !rows.quiet {
        print_summary(rows, &finished);
    }
    if let Some(scores) = scores_of(&finished) {
        print_scores(&scores, exports, rows.takes_stdout(), rows.quiet, counts_are_only_result)?;
    }
    match &rows.job.options {
        VerbOptions::Check(check) => return exported.and(tell_checked(check, &finished, exit)),
        _ if rows.quiet => {}
        VerbOptions::Transform(transform) => tell_forms(rows, transform, &finished),
        options => {
            if let Some(expansion) = options.expansion() {
                let limit = expansion.is_limited().then_some(expansion.most());
                tell_found(rows, &finished, expansion.name(), limit);
            }
            if let VerbOptions::Explain(_) = options {
                tell_unexplained(&finished);
            }
        }
    }
    exported.and(exit)
}

/// Reports the number of rows and the time, and the counts of the verb. Prints nothing if `solve` draws its solutions.
fn print_summary(rows: &RowsConfig, finished: &Finished) {
    let summary = rows.summary(finished, rows.job.verb.name);
    show(match &rows.job.options {
        VerbOptions::Solve(_) if rows.draws => return,
        VerbOptions::Solve(options) => {
            let rows = RowsSummary { by: options.solver.name, ..summary };
            let budgets_were_typed = options.budgets.is_some();
            RunSummary { rows, latency: &finished.measures.latency, budgets_were_typed }.text()
        }
        _ => summary.text_with_lines(&rows.job.pass_lines()),
    });
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
    Ok(if fails && exit == Exit::Fine { Exit::BadResult } else { exit })
}

/// Returns whether some puzzle fails the check, and reports the number of such puzzles.
fn fails(fail_on: FailOn, tally: &Tally) -> bool {
    let (name, good) = match fail_on {
        FailOn::NotUnique => ("not-unique", tally.rows_with(Status::Unique)),
        FailOn::NotMinimal => ("not-minimal", tally.marked[CheckedRows::MINIMAL]),
    };
    let failed = tally.puzzles().saturating_sub(good);
    if failed > 0 {
        say(format_args!("--fail-on {name}: {}", counted(failed, "puzzle")));
    }
    failed > 0
}

fn show_count(name: &str, number: u64, message: &str) {
    show(format_args!("  {name:<11} {:>13}  {message}\n", count(number)));
}

/// Reports the number of results that were found, such as solutions (`what` is their name), and the number of rows that have more than
/// `limit` results. Also reports how many of the resulting rows were left out.
fn tell_found(rows: &RowsConfig, finished: &Finished, what: &str, limit: Option<NonZeroU64>) {
    let Tally { found, incomplete, .. } = finished.measures.tally;
    show_count(what, found, &per_second(found, finished));
    tell_left_out_expanded(rows, finished);
    if let (Some(limit), 1..) = (limit, incomplete) {
        let message =
            format!("of these rows, with more results than --limit-per-puzzle {}", count(limit.get()));
        show_count("incomplete", incomplete, &message);
    }
}

/// Reports the number of puzzles that the steps of `explain` do not solve.
fn tell_unexplained(finished: &Finished) {
    let incomplete = finished.measures.tally.incomplete;
    if incomplete > 0 {
        show_count("incomplete", incomplete, "puzzles that the steps do not solve");
    }
}

/// Reports the number of equivalent forms that were made, if each puzzle has several and no input row was left out. Also reports how many
/// of the forms were left out of the output, if any were.
fn tell_forms(rows: &RowsConfig, transform: &TransformOptions, finished: &Finished) {
    let tally = &finished.measures.tally;
    let each = transform.random.map_or(1, NonZeroU64::get);
    // If input rows were left out, the number of forms is unknown.
    if each > 1 && tally.left_out == 0 {
        let forms = tally.puzzles().saturating_mul(each).saturating_add(finished.forms);
        let message = format!("{} of each puzzle: {}", count(each), per_second(forms, finished));
        show_count("forms", forms, &message);
    }
    tell_left_out_expanded(rows, finished);
}

/// Reports how many of the rows that the verb made from the input rows were left out. Prints nothing if no such row was left out.
fn tell_left_out_expanded(rows: &RowsConfig, finished: &Finished) {
    let left_out = finished.measures.tally.left_out_expanded;
    if left_out > 0 {
        show_count("left out", left_out, &format!("of the resulting rows, by {}", rows.left_out_by()));
    }
}

fn per_second(number: u64, finished: &Finished) -> String {
    rate(number as f64 / finished.wall.as_secs_f64().max(1e-9))
}
