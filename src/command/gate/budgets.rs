//! Budgets: a record, or a short measurement, held against limits of time.

use crate::bench::{self, Contestant, InProcess, Plan};
use crate::cli::GateArgs;
use crate::command::contestants;
use crate::gate::{BudgetLimit, Check, check_budgets};
use crate::record::BenchRecord;
use sudobench_batch::Budget;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::Question;

/// Rounds of a measurement that is made for budgets alone.
const ROUNDS: usize = 5;

/// Checks the record that was named, or measures.
pub(super) fn check(typed: &GateArgs, level: Level) -> anyhow::Result<Vec<Check>> {
    let pairs = match &typed.record {
        Some(path) => BenchRecord::read(path)?.pairs,
        None => measure(typed, level)?,
    };
    Ok(check_budgets(&pairs, &typed.limits.budgets))
}

/// Measures every chosen variant on every dataset.
fn measure(typed: &GateArgs, level: Level) -> anyhow::Result<Vec<crate::record::PairRecord>> {
    let plan = Plan {
        // No limit of nodes: a puzzle that takes long is what a budget is there to find.
        question: Question::up_to(typed.max_solutions),
        budgets: budgets(&typed.limits.budgets),
        rounds: ROUNDS,
        min_time: std::time::Duration::ZERO,
        max_time: typed.max_time * 4,
        seed: typed.seed,
        keep_puzzles: false,
    };
    let datasets = contestants::load(&typed.datasets, typed.seed, Some(typed.sample.get()))?;
    let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
    for variant in contestants::variants(&typed.selection)? {
        contestants.push(Box::new(InProcess::new(variant, level, 1, plan.question.clone())?));
    }
    Ok(bench::measure(&mut contestants, &datasets, &plan, &mut |_| true))
}

/// The times that puzzles have to be counted within.
fn budgets(limits: &[BudgetLimit]) -> Vec<Budget> {
    let mut budgets: Vec<Budget> = limits
        .iter()
        .filter_map(|limit| match limit {
            BudgetLimit::Within { limit, .. } => Some(Budget { origin: "", limit: *limit }),
            BudgetLimit::Latency { .. } => None,
        })
        .collect();
    budgets.sort_by_key(|budget| budget.limit);
    budgets.dedup();
    budgets
}
