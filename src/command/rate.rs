//! `sudobench rate`: puzzles in, a row with how hard it is for every row out, or so many rows of each difficulty.

use std::sync::Arc;

use sudobench_batch::{Isomorphs, Run, Stratify, verb};
use sudobench_sudoku::Question;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver;

use super::rows::{Ran, RowsConfig};
use super::{Exit, interrupt, say};
use crate::cli::{RateArgs, RatingArgs};
use crate::report::StrataSummary;

/// Measures what was asked for, and says how that went.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output.
pub(super) fn run(typed: RateArgs, level: Level) -> anyhow::Result<Exit> {
    let RateArgs { rows, rating } = typed;
    let RatingArgs { stratify, isomorphs, seed } = rating;
    let interrupt = interrupt::flags()?;
    let mut rows = RowsConfig::new(rows, verb::RATE, false)?;
    let stratify = stratify.map(|count| Arc::new(Stratify::new(count, seed)));
    if stratify.is_some() {
        rows.read_again();
    }
    let isomorphs = Isomorphs { forms: isomorphs, seed };
    let asked = |run: Run<'static>| {
        run.solver(solver::default_variant(), level).question(Question::unique()).isomorphs(isomorphs)
    };
    let source = rows.open(&interrupt)?;
    let drawing = match &stratify {
        Some(stratify) => {
            let drawing = rows.look(rows.open_again(&interrupt)?, &interrupt, "pass 1 of 2: ");
            Some((stratify, asked(drawing)))
        }
        None => None,
    };
    let pass = if drawing.is_some() { "pass 2 of 2: " } else { "" };
    let Some(Ran { finished, exit }) = rows.run_pass(
        source,
        &interrupt,
        pass,
        || rows.description(),
        |run| match drawing {
            Some((stratify, drawing)) => stratify.run(drawing, asked(run)),
            None => asked(run),
        },
    )?
    else {
        return Ok(Exit::Fine);
    };
    rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    match stratify.and_then(|stratify| stratify.strata()).filter(|_| !rows.quiet) {
        Some(strata) => {
            say::show(StrataSummary { rows: rows.summary(&finished, verb::RATE.name, "--stratify"), strata })
        }
        None => rows.print_summary(&finished),
    }
    exit
}
