//! `sudobench minimals`: puzzles in, a row out for every minimal puzzle inside them.

use sudobench_batch::{Find, verb};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Question, solver};

use super::rows::{Ran, RowsConfig};
use super::{Exit, interrupt};
use crate::cli::{MinimalsArgs, MinimalsFindingArgs};

/// Finds what was asked for, and says how that went.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output.
pub(super) fn run(typed: MinimalsArgs, level: Level) -> anyhow::Result<Exit> {
    let MinimalsArgs { rows, finding: MinimalsFindingArgs { limit_per_puzzle, random, seed } } = typed;
    let interrupt = interrupt::flags()?;
    let rows = RowsConfig::new(rows, verb::MINIMALS, false)?;
    let find = match random {
        Some(count) => Find::RandomMinimals { count, seed },
        None => Find::Minimals { limit: limit_per_puzzle },
    };
    let source = rows.open(&interrupt)?;
    let variant = solver::default_variant();
    let Some(Ran { finished, exit }) = rows.run_and_tell(source, &interrupt, |run| {
        run.find(find).solver(variant, level).question(Question::unique())
    })?
    else {
        return Ok(Exit::Fine);
    };
    // Who asks for random ones knows that there are more.
    rows.print_found(&finished, "minimals", random.is_none().then_some(limit_per_puzzle));
    exit
}
