//! Converts the checks of a gate to the form in which a history stores them.

use super::config::GateConfig;
use sudobench_harness::gate::{BaselineTerms, Check, ExactCounts, PairedFigures};
use sudobench_harness::record::registry::TRIAL_TIME;
use sudobench_harness::record::{HistoryPair, RatioRecord};

/// Returns the counters and ratios of the checks, by pair of solver and dataset.
pub(super) fn pairs(checks: &[Check], config: &GateConfig) -> Vec<HistoryPair> {
    let BaselineTerms { max_solutions, max_nodes, seed, .. } = config.measured.terms;
    let terms = format!("max_solutions={max_solutions} max_nodes={max_nodes} seed={seed}");
    let limit_percent = config.limits.percent(&TRIAL_TIME);
    let mut pairs: Vec<HistoryPair> = Vec::new();
    for check in checks
        .iter()
        .filter(|check| check.work.is_some() || check.figures.is_some() || check.counter.is_some())
    {
        let is_of = |pair: &HistoryPair| pair.solver == check.solver && pair.dataset == check.dataset;
        let at = pairs.iter().position(is_of).unwrap_or_else(|| {
            let (solver, dataset) = (check.solver.clone(), check.dataset.clone());
            pairs.push(HistoryPair { solver, dataset, ..HistoryPair::default() });
            pairs.len() - 1
        });
        let pair = &mut pairs[at];
        if let Some(ExactCounts { puzzles, sha256, simd, nodes, guesses, digest }) = check.work.clone() {
            pair.terms.clone_from(&terms);
            (pair.sha256, pair.puzzles, pair.digest) = (Some(sha256), Some(puzzles), Some(digest));
            (pair.simd, pair.nodes, pair.guesses) = (simd, nodes, guesses);
        }
        if let Some(values) = check.counter {
            pair.counters.insert(check.subject.clone(), values.head);
        }
        let is_time = |figures: &&PairedFigures| figures.figure == &TRIAL_TIME;
        if let (Some(found), Some(limit_percent)) = (check.figures.as_ref().filter(is_time), limit_percent) {
            let trials = found.trials.len() as u64;
            pair.ratio = Some(RatioRecord { interval: found.ratio, trials, limit_percent });
        }
    }
    pairs
}
