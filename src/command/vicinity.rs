//! `sudobench vicinity`: puzzles in, a row out for every puzzle with one solution that lies next to them.

use sudobench_batch::{Find, verb};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Question, solver};

use super::rows::{Ran, RowsConfig};
use super::{Exit, interrupt};
use crate::cli::{VicinityArgs, VicinityFindingArgs};

/// Finds what was asked for, and says how that went.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output.
pub(super) fn run(typed: VicinityArgs, level: Level) -> anyhow::Result<Exit> {
    let VicinityArgs { distance, rows, finding: VicinityFindingArgs { minimal, limit_per_puzzle } } = typed;
    let interrupt = interrupt::flags()?;
    let rows = RowsConfig::new(rows, verb::VICINITY, false)?;
    let find = Find::Vicinity { distance, minimal, limit: limit_per_puzzle };
    let source = rows.open(&interrupt)?;
    let variant = solver::default_variant();
    let Some(Ran { finished, exit }) = rows.run_and_tell(source, &interrupt, |run| {
        run.find(find).solver(variant, level).question(Question::unique())
    })?
    else {
        return Ok(Exit::Fine);
    };
    rows.print_found(&finished, "neighbours", Some(limit_per_puzzle));
    exit
}
