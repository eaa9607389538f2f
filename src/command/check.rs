//! `sudobench check`: puzzles in, a row for every row out that says whether it is a proper puzzle, and whether it is minimal.

use std::sync::Arc;

use sudobench_batch::facts::{Minimality, Need};
use sudobench_batch::{CheckedRows, Tally, verb};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Question, Status, solver};

use super::rows::{Ran, RowsConfig};
use super::say::{say, show};
use super::{Exit, interrupt};
use crate::cli::{CheckArgs, CheckingArgs, FailOn};
use crate::report::{count, counted, share};

/// Checks what was asked for, and says how that went.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output.
pub(super) fn run(typed: CheckArgs, level: Level) -> anyhow::Result<Exit> {
    let CheckArgs { rows, checking: CheckingArgs { max_solutions, fail_on } } = typed;
    let interrupt = interrupt::flags()?;
    let mut rows = RowsConfig::new(rows, verb::CHECK, false)?;
    if fail_on.is_some() {
        // A gate that was given no puzzle must not pass.
        rows.refuse_empty();
    }
    let source = rows.open(&interrupt)?;
    let variant = solver::default_variant();
    let asked = match fail_on {
        None => None,
        Some(FailOn::NotUnique) => Some(Need::Outcome),
        Some(FailOn::NotMinimal) => Some(Need::of::<Minimality>()),
    };
    let marks = CheckedRows::new(rows.columns(), asked);
    let Some(Ran { finished, exit }) = rows.run_and_tell(source, &interrupt, |run| {
        run.solver(variant, level).question(Question::up_to(max_solutions)).marks(Arc::new(marks))
    })?
    else {
        return Ok(Exit::Fine);
    };
    let tally = &finished.measures.tally;
    if !rows.quiet && marks.has_minimal() {
        for (name, class) in [("minimal", CheckedRows::MINIMAL), ("not minimal", CheckedRows::NOT_MINIMAL)] {
            let puzzles = tally.marked[class];
            show(format_args!("  {name:<11} {:>13}  {:>8}\n", count(puzzles), share(puzzles, tally.rows())));
        }
    }
    let exit = exit?;
    let fails = fail_on.is_some_and(|fail_on| fails(fail_on, tally));
    Ok(if fails && exit == Exit::Fine { Exit::PuzzleFailed } else { exit })
}

/// Whether some puzzle is not what it should be, which is said then.
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
