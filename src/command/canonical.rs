//! `sudobench canonical`: puzzles in, a row with the canonical form for every row out.

use sudobench_batch::verb;
use sudobench_sudoku::Question;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver;

use super::rows::{Ran, RowsConfig};
use super::{Exit, interrupt};
use crate::cli::CanonicalArgs;

/// Finds the forms that were asked for, and says how that went.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output.
pub(super) fn run(typed: CanonicalArgs, level: Level) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flags()?;
    let rows = RowsConfig::new(typed.rows, verb::CANONICAL, false)?;
    let source = rows.open(&interrupt)?;
    let variant = solver::default_variant();
    let Some(Ran { exit, .. }) =
        rows.run_and_tell(source, &interrupt, |run| run.solver(variant, level).question(Question::unique()))?
    else {
        return Ok(Exit::Fine);
    };
    exit
}
