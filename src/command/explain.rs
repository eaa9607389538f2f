//! What `sudobench explain` shows to people: a page, drawings, and steps in the terminal.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

use anyhow::Context as _;
use sudobench_harness::report::{ExplainedPuzzle, steps_page, steps_text};
use sudobench_rows::{AnsweredRow, Found, StopFlags};
use sudobench_sudoku::Status;
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::techniques::drawing;

use super::export::{Exports, Kind, print_result};
use super::rows::{RowsConfig, RunResult};
use super::rows_record::write_record;
use super::{Exit, UsageError, say};

/// Maximum number of puzzles on a page, and of puzzles whose drawings are written to a folder.
const MOST_PUZZLES: u64 = 20;

/// Writes an HTML page with the steps of the first [`MOST_PUZZLES`] puzzles.
pub(super) fn write_page(
    mut rows: RowsConfig,
    interrupt: &StopFlags,
    path: &Option<PathBuf>,
) -> anyhow::Result<Exit> {
    rows.job.has_rows = false;
    let exports = rows.open_exports(&[(Kind::Html, path)])?;
    let (puzzles, remark, ran) = first_puzzles(&mut rows, "A page has", interrupt)?;
    let written = exports.write_text(Kind::Html, || steps_page(&puzzles, remark.as_deref()));
    tell(&rows, remark, ran, written)
}

/// Writes a drawing of each step of the first [`MOST_PUZZLES`] puzzles to a folder. With `--force`, removes the drawings of an earlier run.
/// Without `--force`, refuses a folder that is not empty.
pub(super) fn write_drawings(
    mut rows: RowsConfig,
    interrupt: &StopFlags,
    folder: &Path,
) -> anyhow::Result<Exit> {
    rows.job.has_rows = false;
    let fault = || format!("cannot write {}", folder.display());
    let earlier = if folder.exists() { files_of(folder).with_context(fault)? } else { Vec::new() };
    if !rows.is_forced() && !earlier.is_empty() {
        let message = format!(
            "the folder {} is not empty; add --force to replace the drawings in it, or name another folder",
            folder.display()
        );
        return Err(UsageError(message).into());
    }
    let (puzzles, remark, mut ran) = first_puzzles(&mut rows, "A folder gets", interrupt)?;
    let mut is_cut = false;
    let mut write = || -> anyhow::Result<()> {
        fs::create_dir_all(folder).with_context(fault)?;
        for path in earlier.iter().filter(|path| is_drawing(path)) {
            fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
        for (number, explained) in (1..).zip(&puzzles) {
            let clues = explained.puzzle.map_or(Cells::EMPTY, |puzzle| puzzle.clue_cells());
            let width = explained.steps.len().to_string().len();
            for (step, played) in (1..).zip(&explained.steps) {
                if interrupt.solving.load(Relaxed) {
                    is_cut = true;
                    return Ok(());
                }
                let path = folder.join(format!("puzzle-{number}-step-{step:0width$}.svg"));
                let svg = drawing::svg(&played.board_before(), &played.step, clues);
                fs::write(&path, svg).with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        Ok(())
    };
    let written = write();
    if is_cut && ran.exit.is_ok() {
        ran.finished.interrupted = true;
        ran.exit = Ok(Exit::Interrupted);
    }
    tell(&rows, remark, ran, written)
}

fn files_of(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// Returns whether the file name looks like a name that [`write_drawings`] gives to a drawing.
fn is_drawing(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("puzzle-") && name.contains("-step-") && name.ends_with(".svg")
}

/// Returns the first [`MOST_PUZZLES`] puzzles with their steps; if there may be more puzzles, a remark that starts with `what`; and the
/// result of the run. The field `has_rows` of the job must be false: otherwise the message after an interrupt would suggest `--skip`, which
/// replaces the page or the drawings instead of continuing them.
fn first_puzzles(
    rows: &mut RowsConfig,
    what: &str,
    interrupt: &StopFlags,
) -> anyhow::Result<(Vec<ExplainedPuzzle>, Option<String>, RunResult)> {
    let limit = rows.job.input.limit.replace(rows.job.input.limit.unwrap_or(u64::MAX).min(MOST_PUZZLES));
    let (puzzles, ran) = explained(rows, interrupt)?;
    let is_cut = limit != rows.job.input.limit && puzzles.len() as u64 == MOST_PUZZLES;
    let remark = is_cut.then(|| {
        let next = rows.job.input.skip + MOST_PUZZLES;
        format!("{what} at most {MOST_PUZZLES} puzzles. If there are more, --skip {next} shows the next ones")
    });
    Ok((puzzles, remark, ran))
}

/// Reports how the run ended. `written` is the result of writing the page or the drawings.
fn tell(
    rows: &RowsConfig,
    remark: Option<String>,
    ran: RunResult,
    written: anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let RunResult { finished, exit, .. } = ran;
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    if let Some(remark) = remark.filter(|_| !rows.quiet) {
        say::say(remark);
    }
    written.and(exit)
}

/// Draws the puzzles in the terminal and lists their steps.
pub(super) fn draw(rows: &RowsConfig, interrupt: &StopFlags, exports: &Exports) -> anyhow::Result<Exit> {
    let (puzzles, ran) = explained(rows, interrupt)?;
    let exported = write_record(exports, rows, &ran.finished, || None);
    let RunResult { finished, exit, .. } = ran;
    let printed = print_result(&steps_text(&puzzles));
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    printed.and(exported).and(exit)
}

/// Returns all rows with their steps, and the result of the run.
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
        Some(Found::Steps { steps, is_complete }) => (steps.clone(), *is_complete),
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
