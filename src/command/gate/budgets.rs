//! Budgets: a record, or a short measurement, held against limits of time.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::config::{BudgetConfig, BudgetSource, Measured};
use crate::command::measuring::{contestants_of, supervisor};
use crate::command::progress::Progress;
use sudobench_harness::bench::{self, Contestant, Dataset, InProcess, Plan};
use sudobench_harness::gate::{Check, check_budgets, check_record};
use sudobench_harness::record::PairRecord;

/// Checks the record that was named, or measures.
pub(super) fn check(
    config: &BudgetConfig,
    measured: &Measured,
    datasets: &[Dataset],
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Check>> {
    let checks = match &config.source {
        BudgetSource::Record(record) => check_record(record, &config.limits),
        BudgetSource::Measure(plan) => {
            check_budgets(&measure(plan, measured, datasets, stop, progress)?, &config.limits)
        }
    };
    anyhow::ensure!(!checks.is_empty(), "there is no pair of solver and dataset to check");
    Ok(checks)
}

/// Measures everything that was chosen on every dataset.
fn measure(
    plan: &Plan,
    measured: &Measured,
    datasets: &[Dataset],
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<PairRecord>> {
    let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
    for variant in &measured.variants {
        contestants.push(Box::new(InProcess::new(variant, measured.level, 1, plan.question.clone())?));
    }
    if !measured.engines.is_empty() {
        contestants.extend(contestants_of(
            &measured.engines,
            measured.engine_setting(),
            None,
            &supervisor(stop)?,
        )?);
    }
    Ok(bench::measure(&mut contestants, datasets, plan, &mut |step| {
        progress.tell_step(&step, "budgets, ");
        true
    })
    .pairs)
}
