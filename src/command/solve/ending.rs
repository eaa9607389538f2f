//! How a run ends: the output finished or left, the words about it, the exit code.

use super::outputs::Run;
use super::worker::{Notice, NoticeKind};
use crate::command::{Exit, is_broken_pipe};
use crate::report::count;
use sudobench_batch::Tally;
use sudobench_batch::sink::Destination;
use sudobench_batch::source::Input;

/// Ends the output as the pipeline ended, and tells the exit code.
///
/// # Errors
/// The pipeline's error, with what is left of the output; or the output's own.
pub(super) fn end(destination: Destination, piped: anyhow::Result<()>, run: &Run) -> anyhow::Result<Exit> {
    if let Err(error) = piped {
        // A reader that went away has what it wanted.
        if is_broken_pipe(&error) {
            return Ok(Exit::Fine);
        }
        return Err(match destination.leave()? {
            Some(partial) => error.context(format!(
                "the rows before the fault are in {}; mend it and go on with --resume",
                partial.display()
            )),
            None => error,
        });
    }
    if run.interrupted {
        let rows = count(run.resumed_after + run.measures.tally.rows());
        match destination.leave()? {
            Some(partial) => anstream::eprintln!(
                "sudobench: interrupted after {rows} rows, all whole in {}; give the same command and --resume to go on",
                partial.display()
            ),
            None => anstream::eprintln!("sudobench: interrupted after {rows} rows; go on with --skip {rows}"),
        }
        return Ok(Exit::Interrupted);
    }
    destination.finish()?;
    Ok(if run.measures.tally.all_well() { Exit::Fine } else { Exit::PuzzleFailed })
}

/// Prints the first malformed rows, mismatches and refused grids, and how many there are in all.
pub(super) fn print_notices(notices: &[Notice], inputs: &[Input], tally: &Tally) {
    for kind in NoticeKind::ALL {
        let (total, what) = match kind {
            NoticeKind::Malformed => (tally.of(sudobench_sudoku::solver::Status::Malformed), "malformed"),
            NoticeKind::Mismatch => (tally.mismatches, "unlike the expected solution"),
            NoticeKind::Refused => (tally.refused, "refused by the referee"),
        };
        let shown = notices.iter().filter(|notice| notice.kind == kind);
        for Notice { input, line, text, .. } in shown.clone() {
            anstream::eprintln!("sudobench: {}:{line}: {what}: {text}", inputs[*input]);
        }
        let more = total.saturating_sub(shown.count() as u64);
        if more > 0 {
            anstream::eprintln!("sudobench: and {} more rows {what}", count(more));
        }
    }
}
