//! What a history keeps of a gate's checks.

use super::config::GateConfig;
use crate::gate::{Check, PairedFigures, Work};
use crate::record::{HistoryPair, RatioRecord};

/// The counters and ratios of the checks, a pair for each solver and dataset that has any.
pub(super) fn pairs(checks: &[Check], config: &GateConfig) -> Vec<HistoryPair> {
    let mut pairs: Vec<HistoryPair> = Vec::new();
    for check in checks.iter().filter(|check| check.work.is_some() || check.figures.is_some()) {
        let is_of = |pair: &HistoryPair| pair.solver == check.solver && pair.dataset == check.dataset;
        let at = pairs.iter().position(is_of).unwrap_or_else(|| {
            let (solver, dataset) = (check.solver.clone(), check.dataset.clone());
            pairs.push(HistoryPair { solver, dataset, ..HistoryPair::default() });
            pairs.len() - 1
        });
        if let Some(Work { puzzles, sha256, simd, nodes, guesses, digest }) = check.work.clone() {
            let known = std::mem::take(&mut pairs[at]);
            pairs[at] = HistoryPair {
                terms: terms(config),
                sha256: Some(sha256),
                puzzles: Some(puzzles),
                digest: Some(digest),
                simd,
                nodes,
                guesses,
                ..known
            };
        }
        if let Some(PairedFigures { ratio, trials, .. }) = &check.figures {
            pairs[at].ratio = Some(RatioRecord {
                interval: *ratio,
                trials: trials.len() as u64,
                limit_percent: config.limits.time_percent,
            });
        }
    }
    pairs
}

/// What was asked, in the words of a baseline.
fn terms(config: &GateConfig) -> String {
    let terms = config.exact.as_ref().map(|exact| exact.terms);
    terms.map_or_else(String::new, |terms| {
        format!("max_solutions={} max_nodes={} seed={}", terms.max_solutions, terms.max_nodes, terms.seed)
    })
}
