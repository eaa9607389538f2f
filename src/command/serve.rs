//! `sudobench serve`: measures passes (a pass solves all puzzles of a dataset once). Another process, which runs `sudobench gate`, requests
//! the passes.

use std::sync::Arc;
use std::time::Duration;

use sudobench_sudoku::simd::Level;

use super::measuring::Prepared;
use super::{Exit, UsageError};
use crate::cli::BenchArgs;
use sudobench_harness::bench::{self, Plan};
use sudobench_harness::process::Supervisor;

/// Reads requests from standard input, and writes the results of the requested passes to standard output, until the input ends.
pub(super) fn run(typed: BenchArgs, level: Level) -> anyhow::Result<Exit> {
    if typed.datasets.iter().any(|path| path.as_os_str() == "-") {
        let message = "standard input (`-`) is used for the requests: name the files of the datasets";
        return Err(UsageError(message.to_owned()).into());
    }
    let single_sample = std::env::var(bench::SINGLE_SAMPLE).ok().map(|text| text.parse()).transpose();
    let single_sample = single_sample.map_err(|_| {
        UsageError(format!("the value of {} is not a number of puzzles", bench::SINGLE_SAMPLE))
    })?;
    let supervisor = Arc::new(Supervisor::new(Arc::default()));
    let Prepared { mut contestants, datasets, plan, .. } = Prepared::new(typed, level, &supervisor)?;
    let warm_up_limit = "set by --warm-up-time";
    let plan = Plan { single_sample, warm_up_limit, check_time: Duration::ZERO, ..plan };
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    bench::serve(&mut contestants, &datasets, &plan, &mut input, &mut output)?;
    Ok(Exit::Fine)
}
