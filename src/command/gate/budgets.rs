//! Budgets: a record, or a short measurement, held against limits of time.

use super::config::{BudgetConfig, BudgetSource, Measured};
use crate::bench::{self, Contestant, InProcess, Plan};
use crate::command::measuring::load;
use crate::command::progress::Progress;
use crate::gate::{Check, check_budgets};
use crate::record::{BenchRecord, PairRecord};

/// Checks the record that was named, or measures.
pub(super) fn check(
    config: &BudgetConfig,
    measured: &Measured,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Check>> {
    let pairs = match &config.source {
        BudgetSource::Record(path) => BenchRecord::read(path)?.pairs,
        BudgetSource::Measure { plan, sample } => measure(plan, *sample, measured, progress)?,
    };
    anyhow::ensure!(!pairs.is_empty(), "there is no pair to hold against the limits");
    Ok(check_budgets(&pairs, &config.limits))
}

/// Measures every chosen variant on every dataset.
fn measure(
    plan: &Plan,
    sample: u64,
    measured: &Measured,
    progress: &mut Progress,
) -> anyhow::Result<Vec<PairRecord>> {
    let datasets = load(&measured.inputs, plan.seed, Some(sample))?;
    let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
    for variant in &measured.variants {
        contestants.push(Box::new(InProcess::new(variant, measured.level, 1, plan.question.clone())?));
    }
    Ok(bench::measure(&mut contestants, &datasets, plan, &mut |step| {
        progress.tell_step(&step, "budgets, ");
        true
    }))
}
