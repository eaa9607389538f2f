//! Counts the nodes and guesses of solvers for the exact checks.

use std::sync::Arc;

use sudobench_sudoku::solver::{Question, Variant};

use super::measured::{Command, Measured, question};
use crate::command::measuring::contestants_of;
use crate::command::progress::MeasurementProgress;
use sudobench_harness::bench::{self, CountedAnswer, Dataset};
use sudobench_harness::gate::{BaselinePair, Counted, Counts};
use sudobench_harness::process::{Fault, Supervisor};

/// Counts the nodes and guesses of the given built-in solvers (`variants`) and engines on every dataset. An engine runs twice on a
/// dataset, and each of the two runs may take at most `--max-silence`.
pub(super) fn count(
    measured: &Measured,
    (variants, engines): (&[&'static Variant], &[Command]),
    datasets: &[Dataset],
    supervisor: &Arc<Supervisor>,
    progress: &mut MeasurementProgress,
) -> anyhow::Result<Vec<Counted>> {
    // Built-in solvers get this question. Engines get only the puzzles, and their answers must be right answers to this question.
    let question = Question {
        max_nodes: Some(measured.terms.max_nodes),
        ..question(measured.terms, supervisor.interrupt_flag())
    };
    let level = measured.level;
    let count_variant = |variant: &mut &Variant, dataset: &Dataset| {
        // The nodes of a batch solver depend on the number of vector lanes, so the SIMD level is stored with the counts.
        let is_batch = variant.build(level).is_ok_and(|solver| solver.batch_size() > 1);
        let simd = is_batch.then(|| level.name().to_owned());
        counted_pair(variant.name, dataset, simd, bench::count(variant, level, dataset, &question))
    };
    let mut counted = count_each(datasets, &mut variants.to_vec(), supervisor, progress, count_variant)?;
    let mut engines = contestants_of(engines, measured.engine_setting(), None, supervisor)?;
    counted.extend(count_each(datasets, &mut engines, supervisor, progress, |engine, dataset| {
        let answers = bench::count_printed(engine.as_mut(), dataset, &question, measured.max_silence);
        counted_pair(engine.name(), dataset, None, answers)
    })?);
    Ok(counted)
}

fn count_each<S>(
    datasets: &[Dataset],
    solvers: &mut [S],
    supervisor: &Supervisor,
    progress: &mut MeasurementProgress,
    mut count: impl FnMut(&mut S, &Dataset) -> Counted,
) -> anyhow::Result<Vec<Counted>> {
    let pairs = datasets.len() * solvers.len();
    let mut counted = Vec::with_capacity(pairs);
    for dataset in datasets {
        for solver in &mut *solvers {
            progress.tell((counted.len(), pairs), None, &format!("exact: {}", dataset.name()));
            counted.push(count(solver, dataset));
            anyhow::ensure!(!supervisor.is_interrupted(), "interrupted");
        }
    }
    Ok(counted)
}

fn counted_pair(
    solver: &str,
    dataset: &Dataset,
    simd: Option<String>,
    answers: Result<Vec<CountedAnswer>, Fault>,
) -> Counted {
    let (solver, name) = (solver.to_owned(), dataset.name().to_owned());
    let stored = |answers: Vec<CountedAnswer>| {
        let numbers = (0..answers.len()).map(|index| dataset.number(index)).collect();
        let counts =
            answers.iter().map(|it| Counts::with_counters(&it.outcome, it.nodes, it.guesses)).collect();
        let (solver, dataset, sha256) = (solver.clone(), name.clone(), dataset.record().sha256.clone());
        (BaselinePair { solver, dataset, sha256, simd, counts }, numbers)
    };
    let counted = answers.map(stored).map_err(|fault| fault.to_string());
    Counted { solver, dataset: name, counted }
}
