//! Gate A: counts now against counts stored.

use std::io::Write;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Question, Variant};

use super::config::{ExactConfig, Measured};
use crate::bench::{self, Dataset};
use crate::command::export::{Exports, Kind};
use crate::command::measuring::load;
use crate::command::progress::Progress;
use crate::gate::{Baseline, BaselinePair, BaselineTerms, Check, Counted, Counts, GateLimits, check_exact};

/// Counts under the terms that were typed and stores the counts. Returns how many pairs are stored.
pub(super) fn update(
    config: &ExactConfig,
    exports: &Exports,
    measured: &Measured,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<usize> {
    let mut pairs = Vec::new();
    for counted in count_all(measured, config.terms, stop, progress)? {
        let (pair, _) = counted.counted.map_err(|fault| {
            anyhow::anyhow!("{} on {}: {fault}; nothing is stored", counted.solver, counted.dataset)
        })?;
        pairs.push(pair);
    }
    let baseline = Baseline { terms: config.terms, pairs };
    exports.write(Kind::Baseline, |out| Ok(write!(out, "{baseline}")?))?;
    Ok(baseline.pairs.len())
}

/// Counts under the baseline's own terms and compares.
pub(super) fn check(
    config: &ExactConfig,
    measured: &Measured,
    limits: &GateLimits,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Check>> {
    let shown = config.baseline.display();
    let text = std::fs::read_to_string(&config.baseline)
        .with_context(|| format!("cannot read the baseline {shown}: make one with --update-baseline"))?;
    let mut baseline: Baseline = text.parse().with_context(|| shown.to_string())?;
    let counted = count_all(measured, baseline.terms, stop, progress)?;
    // A pair fails for being gone, not for being left out of this run.
    let left_out = |name: &str| {
        solver::find(name).is_some() && measured.variants.iter().all(|variant| variant.name != name)
    };
    baseline.pairs.retain(|pair| !left_out(&pair.solver));
    Ok(check_exact(&baseline, &counted, limits))
}

/// Every chosen variant on every dataset.
fn count_all(
    measured: &Measured,
    terms: BaselineTerms,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Counted>> {
    let datasets = load(&measured.inputs, terms.seed, Some(terms.sample))?;
    let max_solutions = NonZeroU64::new(terms.max_solutions).unwrap_or(NonZeroU64::MIN);
    let asked = Question {
        max_nodes: Some(terms.max_nodes),
        cancel: Some(Arc::clone(stop)),
        ..Question::up_to(max_solutions)
    };
    let pairs = datasets.len() * measured.variants.len();
    let mut counted = Vec::with_capacity(pairs);
    for dataset in &datasets {
        for variant in &measured.variants {
            let words = format!("gate A: {} on {}", variant.name, dataset.name());
            progress.tell((counted.len(), pairs), None, &words);
            counted.push(count(variant, measured.level, dataset, &asked));
            anyhow::ensure!(!stop.load(Ordering::Relaxed), "interrupted");
        }
    }
    Ok(counted)
}

fn count(variant: &Variant, level: Level, dataset: &Dataset, question: &Question) -> Counted {
    let (solver, name) = (variant.name.to_owned(), dataset.name().to_owned());
    let counted =
        bench::count(variant, level, dataset, question).map_err(|fault| fault.to_string()).map(|outcomes| {
            let numbers = (0..outcomes.len()).map(|index| dataset.number(index)).collect();
            let pair = BaselinePair {
                solver: solver.clone(),
                dataset: name.clone(),
                sha256: dataset.record().sha256.clone(),
                counts: outcomes.iter().map(Counts::of).collect(),
            };
            (pair, numbers)
        });
    Counted { solver, dataset: name, counted }
}
