//! Budgets: a record, or a short measurement, held against limits of time.

use std::sync::Arc;

use super::config::{BudgetConfig, BudgetSource, Measured};
use crate::command::measuring::contestants_of;
use crate::command::progress::Progress;
use sudobench_harness::bench::{self, Contestant, Dataset, InProcess, Plan};
use sudobench_harness::gate::{Check, check_budgets, check_record};
use sudobench_harness::process::Supervisor;
use sudobench_harness::record::PairRecord;

/// Checks the record that was named, or measures.
pub(super) fn check(
    config: &BudgetConfig,
    measured: &Measured,
    datasets: &[Dataset],
    supervisor: &Arc<Supervisor>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Check>> {
    let checks = match &config.source {
        BudgetSource::Record(record) => check_record(record, &config.limits),
        BudgetSource::Measure(plan) => {
            check_budgets(&measure(plan, measured, datasets, supervisor, progress)?, &config.limits)
        }
    };
    anyhow::ensure!(!checks.is_empty(), "there is no pair to hold against the limits");
    Ok(checks)
}

/// Measures everything that was chosen on every dataset.
fn measure(
    plan: &Plan,
    measured: &Measured,
    datasets: &[Dataset],
    supervisor: &Arc<Supervisor>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<PairRecord>> {
    let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
    for variant in &measured.variants {
        contestants.push(Box::new(InProcess::new(variant, measured.level, 1, plan.question.clone())?));
    }
    contestants.extend(contestants_of(&measured.engines, measured.engine_setting(), None, supervisor)?);
    Ok(bench::measure(&mut contestants, datasets, plan, &mut |step| {
        progress.tell_step(&step, "budgets, ");
        true
    })
    .pairs)
}
