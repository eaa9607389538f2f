//! `sudobench serve`: passes on request, for the `gate` of another binary.
#![forbid(unsafe_code)]

use super::Exit;
use super::contestants::{self, Asked};
use crate::bench::{self, Plan};
use crate::cli::BenchArgs;

/// Serves passes over standard input and output until the input ends.
///
/// # Errors
/// Where a solver is unknown or a dataset cannot be read.
pub(super) fn run(typed: BenchArgs) -> anyhow::Result<Exit> {
    let BenchArgs { datasets, contestants, measuring, question, output } = typed;
    let asked = Asked::of(&question)?;
    let plan = Plan {
        limits: asked.limits,
        budgets: asked.budgets,
        rounds: measuring.rounds.get(),
        min_time: measuring.min_time,
        max_time: measuring.max_time,
        seed: measuring.seed,
        keep_puzzles: output.keep_puzzles,
    };
    let mut contestants = contestants::build(&contestants, measuring.threads.get(), &plan)?;
    let datasets = contestants::load(&datasets, measuring.seed, measuring.sample.map(u64::from))?;
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    bench::serve(&mut contestants, &datasets, &plan, &mut input, &mut output)?;
    Ok(Exit::Fine)
}
