//! From what was typed to contestants, datasets and the question: shared by the commands that measure.

use std::num::NonZeroU64;
use std::path::PathBuf;

use super::UsageError;
use crate::bench::{Contestant, Dataset, Engine, InProcess, Plan, Selection, disambiguate};
use crate::cli::{BenchArgs, BenchOutputArgs, ContestantArgs, QuestionArgs, SelectionArgs};
use sudobench_batch::{Budget, Budgets};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Question, Variant};

/// The question to the solvers and the budgets to hold them against.
struct Asked {
    question: Question,
    budgets: Vec<Budget>,
}

impl Asked {
    /// What the typed options mean together: a preset sets budgets and the judge's question.
    fn of(typed: &QuestionArgs) -> anyhow::Result<Asked> {
        let mut budgets = typed.budgets.clone();
        if let Some(name) = &typed.preset {
            let named: Budgets = name.parse()?;
            budgets.list.extend(named.list);
            budgets.list.sort_by_key(|budget| budget.limit);
            budgets.list.dedup_by_key(|budget| budget.limit);
            budgets.preset = named.preset;
        }
        let question = Question {
            max_nodes: typed.max_nodes.map(NonZeroU64::get),
            max_time: typed.max_time_per_puzzle,
            ..budgets.question(typed.max_solutions)
        };
        Ok(Asked { question, budgets: budgets.list })
    }
}

/// All that `bench` and `serve` measure: what, on what, and how.
pub(super) struct Prepared {
    pub(super) contestants: Vec<Box<dyn Contestant>>,
    pub(super) datasets: Vec<Dataset>,
    pub(super) plan: Plan,
    pub(super) sample: Option<u64>,
    pub(super) output: BenchOutputArgs,
}

impl Prepared {
    pub(super) fn of(typed: BenchArgs, level: Level) -> anyhow::Result<Prepared> {
        let BenchArgs { datasets, contestants, measuring, question, output } = typed;
        let asked = Asked::of(&question)?;
        let plan = Plan {
            question: asked.question,
            budgets: asked.budgets,
            rounds: measuring.rounds.get(),
            min_time: measuring.min_time,
            max_time: measuring.max_time,
            seed: measuring.seed,
            keep_puzzles: output.keep_puzzles,
        };
        let sample = measuring.sample.map(u64::from);
        let contestants = build(&contestants, level, measuring.threads.get(), &plan)?;
        let datasets = load(&datasets, measuring.seed, sample)?;
        Ok(Prepared { contestants, datasets, plan, sample, output })
    }
}

/// The variants that were chosen.
pub(super) fn variants(typed: &SelectionArgs) -> anyhow::Result<Vec<&'static Variant>> {
    let SelectionArgs { solvers, include, exclude } = typed;
    let selection = Selection { names: solvers.clone(), include: include.clone(), exclude: exclude.clone() };
    Ok(selection.variants().map_err(|fault| UsageError(fault.to_string()))?)
}

/// Builds the variants and engines that were named.
fn build(
    typed: &ContestantArgs,
    level: Level,
    threads: usize,
    plan: &Plan,
) -> anyhow::Result<Vec<Box<dyn Contestant>>> {
    let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
    for variant in variants(&typed.selection)? {
        contestants.push(Box::new(InProcess::new(variant, level, threads, plan.question.clone())?));
    }
    for engine in &typed.engines {
        contestants.push(Box::new(
            Engine::parse(engine, typed.blank, plan.max_time)
                .map_err(|fault| UsageError(fault.to_string()))?,
        ));
    }
    for (at, contestant) in contestants.iter().enumerate() {
        if contestants[..at].iter().any(|other| other.name() == contestant.name()) {
            let name = contestant.name();
            return Err(UsageError(format!("two solvers are called `{name}`: rename the engine")).into());
        }
    }
    match contestants.is_empty() {
        true => Err(UsageError("no solver is left to measure: see `sudobench solvers`".to_owned()).into()),
        false => Ok(contestants),
    }
}

/// Loads the datasets.
pub(super) fn load(paths: &[PathBuf], seed: u64, sample: Option<u64>) -> anyhow::Result<Vec<Dataset>> {
    let mut datasets = Vec::with_capacity(paths.len());
    for (at, path) in paths.iter().enumerate() {
        if paths[..at].contains(path) {
            return Err(UsageError(format!("{} is named twice", path.display())).into());
        }
        datasets.push(Dataset::load(path, seed, sample)?);
    }
    disambiguate(&mut datasets);
    Ok(datasets)
}
