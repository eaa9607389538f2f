//! Budgets: compares a record or a short measurement with time limits.

use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_rows::Budget;

use super::measured::{Measured, question};
use crate::cli::{BudgetArgs, PuzzleArgs, SelectionArgs};
use crate::command::UsageError;
use crate::command::measuring::contestants_of;
use crate::command::progress::MeasurementProgress;
use sudobench_harness::bench::{self, Contestant, Dataset, InProcess, Plan};
use sudobench_harness::gate::{BaselineTerms, BudgetLimit, Check, GateLimits, check_budgets, check_record};
use sudobench_harness::process::Supervisor;
use sudobench_harness::record::{BenchRecord, PairRecord};

/// Number of rounds of a measurement that is made only to check budgets.
const BUDGET_ROUNDS: usize = 5;

pub(super) struct BudgetConfig {
    limits: Vec<BudgetLimit>,
    source: BudgetSource,
}

/// The measurement that is compared with the budgets.
enum BudgetSource {
    /// A record of `bench` or `judge`.
    Record(Box<BenchRecord>),
    /// A new measurement with this plan.
    Measure(Plan),
}

impl BudgetConfig {
    /// Makes the checks of the budgets in `limits`. If `--record` names a record, reads it. Returns `None` if there is neither a budget nor
    /// a record.
    ///
    /// # Errors
    ///
    /// If the record can't be read. [`UsageError`] if the record was measured with other options than the command line has, or if a record
    /// but no budget is named.
    pub(super) fn new(
        limits: &GateLimits,
        typed: BudgetArgs,
        puzzles: &PuzzleArgs,
        selection: &SelectionArgs,
        terms: BaselineTerms,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Option<BudgetConfig>> {
        let source = match typed.record {
            Some(path) => {
                let record = BenchRecord::read(&path)?;
                check_same_question(&path, &record, puzzles, selection)?;
                if limits.budgets.is_empty() {
                    let message = "there is nothing to check in the --record: write a limit such as p99=80ms in --limits";
                    return Err(UsageError(message.to_owned()).into());
                }
                BudgetSource::Record(Box::new(record))
            }
            None => {
                // Sets no node limit, because it would end the long searches that a budget is meant to find.
                let plan = Plan::new(question(terms, stop), typed.max_time_per_pair);
                let (budgets, seed) = (counted_within(&limits.budgets), terms.seed);
                BudgetSource::Measure(Plan { budgets, seed, rounds: BUDGET_ROUNDS, ..plan })
            }
        };
        let limits = limits.budgets.clone();
        Ok((!limits.is_empty()).then_some(BudgetConfig { limits, source }))
    }

    /// Returns whether the checks make a measurement, instead of reading a record.
    pub(super) fn measures(&self) -> bool {
        matches!(self.source, BudgetSource::Measure(_))
    }
}

/// Checks that the record fits the typed options, such as `--sample` and `--solvers`. Otherwise figures of other puzzles or solvers would
/// be compared with the limits.
fn check_same_question(
    path: &Path,
    record: &BenchRecord,
    puzzles: &PuzzleArgs,
    selection: &SelectionArgs,
) -> Result<(), UsageError> {
    let number = |typed: Option<NonZeroU64>| typed.map(NonZeroU64::get);
    let max_solutions = record.pairs.first().map(|pair| pair.max_solutions);
    for (option, typed, recorded) in [
        ("--sample", number(puzzles.sample), record.settings.sample),
        ("--max-nodes", number(puzzles.max_nodes), record.settings.max_nodes),
        ("--max-solutions", number(puzzles.max_solutions), max_solutions),
        ("--seed", puzzles.seed, Some(record.seed)),
    ] {
        if let Some(typed) = typed.filter(|_| typed != recorded) {
            return Err(UsageError(format!(
                "{option} {typed} does not fit --record {}, which was measured {}: leave out the option, or measure again",
                path.display(),
                recorded.map_or(format!("without {option}"), |recorded| format!("with {option} {recorded}"))
            )));
        }
    }
    let patterns = [("--include", &selection.include), ("--exclude", &selection.exclude)];
    if let Some((option, _)) = patterns.iter().find(|(_, pattern)| pattern.is_some()) {
        return Err(UsageError(format!(
            "{option} does not fit --record {}: all solvers of a record are checked; leave out the option",
            path.display()
        )));
    }
    if selection.takes_all() {
        return Ok(());
    }
    let names = &selection.solvers;
    let recorded = |name: &String| record.pairs.iter().any(|pair| pair.solver == *name);
    let is_left_out = |name: &str| !names.iter().any(|other| other == name);
    let left_out = record.pairs.iter().find(|pair| is_left_out(&pair.solver)).map(|pair| &pair.solver);
    match names.iter().find(|name| !recorded(name)).or(left_out) {
        None => Ok(()),
        Some(name) => Err(UsageError(format!(
            "--solvers {} does not fit --record {}, because only one of the two contains {name}: all solvers of a record are checked; \
             leave out --solvers, or measure again",
            names.join(","),
            path.display()
        ))),
    }
}

/// Returns the time limits of the `within` budgets, in ascending order and without repeats.
fn counted_within(limits: &[BudgetLimit]) -> Vec<Budget> {
    let mut budgets: Vec<Budget> = limits
        .iter()
        .filter_map(|limit| match limit {
            BudgetLimit::Within { limit, .. } => Some(Budget { origin: "", limit: *limit }),
            BudgetLimit::AtMost { .. } => None,
        })
        .collect();
    budgets.sort_by_key(|budget| budget.limit);
    budgets.dedup();
    budgets
}

pub(super) fn check(
    config: &BudgetConfig,
    measured: &Measured,
    datasets: &[Dataset],
    supervisor: &Arc<Supervisor>,
    progress: &mut MeasurementProgress,
) -> anyhow::Result<Vec<Check>> {
    let checks = match &config.source {
        BudgetSource::Record(record) => check_record(record, &config.limits),
        BudgetSource::Measure(plan) => {
            check_budgets(&measure(plan, measured, datasets, supervisor, progress)?, &config.limits)
        }
    };
    anyhow::ensure!(!checks.is_empty(), "there is no pair of solver and dataset to compare with the limits");
    Ok(checks)
}

fn measure(
    plan: &Plan,
    measured: &Measured,
    datasets: &[Dataset],
    supervisor: &Arc<Supervisor>,
    progress: &mut MeasurementProgress,
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
