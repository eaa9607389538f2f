//! `sudobench serve`: passes on request, for the `gate` of another binary.

use super::Exit;
use super::contestants::Prepared;
use crate::bench;
use crate::cli::BenchArgs;
use sudobench_sudoku::simd::Level;

/// Serves passes over standard input and output until the input ends.
///
/// # Errors
/// Where a solver is unknown or a dataset cannot be read.
pub(super) fn run(typed: BenchArgs, level: Level) -> anyhow::Result<Exit> {
    let Prepared { mut contestants, datasets, plan, .. } = Prepared::of(typed, level)?;
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    bench::serve(&mut contestants, &datasets, &plan, &mut input, &mut output)?;
    Ok(Exit::Fine)
}
