//! The views of `sudobench explain` for people: a page, and steps in the terminal. Rows are written by `verb.rs`.

use std::path::PathBuf;

use sudobench_harness::report::{ExplainedPuzzle, steps_page, steps_text};
use sudobench_rows::{AnsweredRow, Found, StopFlags};
use sudobench_sudoku::Status;

use super::export::{Exports, Kind, print_result};
use super::rows::{RowsConfig, RunResult};
use super::rows_record::write_record;
use super::{Exit, say};

/// Maximum number of puzzles on a page.
const MOST_PUZZLES: u64 = 20;

/// Writes the page of the first puzzles.
///
/// # Errors
///
/// If an input can't be read, or the page can't be written.
pub(super) fn write_page(
    mut rows: RowsConfig,
    interrupt: &StopFlags,
    path: &Option<PathBuf>,
) -> anyhow::Result<Exit> {
    let exports = rows.open_exports(&[(Kind::Html, path)])?;
    // After an interrupt, --skip would replace the page instead of continuing it.
    rows.job.has_rows = false;
    let limit = rows.job.input.limit.replace(rows.job.input.limit.unwrap_or(u64::MAX).min(MOST_PUZZLES));
    let (puzzles, RunResult { finished, exit, .. }) = explained(&rows, interrupt)?;
    let is_cut = limit != rows.job.input.limit && puzzles.len() as u64 == MOST_PUZZLES;
    let remark = is_cut.then(|| {
        let next = rows.job.input.skip + MOST_PUZZLES;
        format!(
            "A page has at most {MOST_PUZZLES} puzzles. If there are more, --skip {next} shows the next ones"
        )
    });
    let written = exports.write_text(Kind::Html, || steps_page(&puzzles, remark.as_deref()));
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    if let Some(remark) = remark.filter(|_| !rows.quiet) {
        say::say(remark);
    }
    written.and(exit)
}

/// Draws the puzzles in the terminal and lists their steps.
///
/// # Errors
///
/// If an input can't be read, or standard output or the record can't be written.
pub(super) fn draw(rows: &RowsConfig, interrupt: &StopFlags, exports: &Exports) -> anyhow::Result<Exit> {
    let (puzzles, ran) = explained(rows, interrupt)?;
    let exported = write_record(exports, rows, &ran.finished);
    let RunResult { finished, exit, .. } = ran;
    let printed = print_result(&steps_text(&puzzles));
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    printed.and(exported).and(exit)
}

/// Returns all rows with their steps, and how the run ended.
fn explained(rows: &RowsConfig, interrupt: &StopFlags) -> anyhow::Result<(Vec<ExplainedPuzzle>, RunResult)> {
    let mut puzzles = Vec::new();
    let add = |input: usize, row: &AnsweredRow| {
        let name = rows.job.inputs.get(input).map(ToString::to_string).unwrap_or_default();
        puzzles.push(explained_row(&name, row));
    };
    let ran = rows.look(interrupt, add)?;
    Ok((puzzles, ran))
}

fn explained_row(input: &str, row: &AnsweredRow) -> ExplainedPuzzle {
    let (steps, is_complete) = match row.found.map(|found| found.all) {
        Some(Found::Steps { steps, is_complete }) => {
            (steps.iter().map(|played| played.step.clone()).collect(), *is_complete)
        }
        _ => (Vec::new(), false),
    };
    let refusal =
        row.status().filter(|status| *status != Status::Unique).map(|status| match row.note_text() {
            note if note.is_empty() => status.name().to_owned(),
            note => format!("{}: {note}", status.name()),
        });
    ExplainedPuzzle {
        place: format!("{input}:{}", row.row.line),
        puzzle: row.puzzle.copied(),
        steps,
        is_complete,
        refusal,
    }
}
