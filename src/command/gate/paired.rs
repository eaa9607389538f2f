//! Gate B: two binaries in turn.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use sudobench_sudoku::random::Random;

use super::config::{Measured, PairedConfig};
use crate::bench::{HeadPairs, ServedPair, Trials};
use crate::command::progress::Progress;
use crate::figures::counted;
use crate::gate::{Check, Gate, GateVerdict, Series};

/// Runs trials until every pair that both binaries have is decided.
pub(super) fn check(
    config: &PairedConfig,
    measured: &Measured,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Check>> {
    let binaries = config.binaries(&measured.paths(), measured.level, stop)?;
    let mut trials = Trials { sides: &binaries, leg: config.leg, random: Random::new(config.plan.seed) };
    let HeadPairs { common, new } = trials.pairs()?;
    let names: Vec<(String, String)> =
        common.iter().map(|pair| (pair.solver.clone(), pair.dataset.clone())).collect();
    let mut series = Series::new(config.plan, &names);
    let start = Instant::now();
    while !series.wanted().is_empty() {
        let (done, due) = series.progress();
        let pairs = counted(series.wanted().len() as u64, "pair");
        let words = format!("gate B: trial {} of {pairs}", done + 1);
        progress.tell((done, due), left(start, done, due), &words);
        let ratios = trials.run(series.wanted())?;
        series.take(ratios);
    }
    let (mut checks, compares) = (series.checks(), !names.is_empty());
    anyhow::ensure!(compares || !new.is_empty(), "the head serves no pair: there is nothing to compare");
    checks.extend(new.into_iter().map(|pair| new_pair(pair, compares)));
    Ok(checks)
}

/// What the trials until the next verdicts take, if they take as long as those before.
fn left(start: Instant, done: usize, due: usize) -> Option<Duration> {
    let each = start.elapsed().checked_div(u32::try_from(done).ok()?)?;
    Some(each * u32::try_from(due.saturating_sub(done)).ok()?)
}

/// A pair that the base does not have: none the worse where others were compared.
fn new_pair(pair: ServedPair, compares: bool) -> Check {
    let (verdict, reason) = match compares {
        true => (GateVerdict::Pass, "new: the base binary does not have it"),
        false => (GateVerdict::Broken, "nothing was compared: the base binary has none of these pairs"),
    };
    Check {
        gate: Gate::Paired,
        solver: pair.solver,
        dataset: pair.dataset,
        verdict,
        reason: reason.to_owned(),
        figures: None,
        work: None,
    }
}
