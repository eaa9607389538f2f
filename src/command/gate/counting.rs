//! Counts the nodes and guesses of solvers for the exact checks.

use std::time::Duration;

use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Question, Variant};

use crate::command::progress::Progress;
use sudobench_harness::bench::{self, Contestant, CountedAnswer, Dataset};
use sudobench_harness::gate::{BaselinePair, Counted, Counts};
use sudobench_harness::process::{Fault, Supervisor};

/// Counts the nodes and guesses of solvers on these datasets.
pub(super) struct Counting<'c> {
    pub(super) datasets: &'c [Dataset],
    /// The question that built-in solvers answer. Engines don't get it, but their answers are checked against it.
    pub(super) question: Question,
    pub(super) supervisor: &'c Supervisor,
}

impl Counting<'_> {
    /// Counts the nodes and guesses of every variant on every dataset.
    ///
    /// # Errors
    /// If the run was interrupted.
    pub(super) fn variants(
        &self,
        variants: &[&Variant],
        level: Level,
        progress: &mut Progress,
    ) -> anyhow::Result<Vec<Counted>> {
        self.each(variants.len(), progress, |at, dataset| {
            let variant = variants[at];
            let simd = match variant.build(level).map(|solver| solver.batch_size() > 1) {
                // The nodes of a batch solver depend on the number of vector lanes, so the SIMD level is stored with the counts.
                Ok(true) => Some(level.name().to_owned()),
                Ok(false) | Err(_) => None,
            };
            (variant.name.to_owned(), simd, bench::count(variant, level, dataset, &self.question))
        })
    }

    /// Reads the nodes and guesses that every engine prints, on every dataset. An engine runs twice on a dataset, and each of the two runs
    /// may take at most `allowance`.
    ///
    /// # Errors
    /// If the run was interrupted.
    pub(super) fn engines(
        &self,
        engines: &mut [Box<dyn Contestant>],
        allowance: Duration,
        progress: &mut Progress,
    ) -> anyhow::Result<Vec<Counted>> {
        self.each(engines.len(), progress, |at, dataset| {
            let engine = engines[at].as_mut();
            let counted = bench::count_printed(engine, dataset, &self.question, allowance);
            (engine.name().to_owned(), None, counted)
        })
    }

    /// Calls `count` for each dataset and each solver. The number that `count` gets is the position of the solver.
    fn each(
        &self,
        solvers: usize,
        progress: &mut Progress,
        mut count: impl FnMut(usize, &Dataset) -> (String, Option<String>, Result<Vec<CountedAnswer>, Fault>),
    ) -> anyhow::Result<Vec<Counted>> {
        let pairs = self.datasets.len() * solvers;
        let mut counted = Vec::with_capacity(pairs);
        for dataset in self.datasets {
            for at in 0..solvers {
                progress.tell((counted.len(), pairs), None, &format!("exact: {}", dataset.name()));
                let (solver, simd, answers) = count(at, dataset);
                counted.push(counted_pair(solver, dataset, simd, answers));
                anyhow::ensure!(!self.supervisor.is_stopped(), "interrupted");
            }
        }
        Ok(counted)
    }
}

fn counted_pair(
    solver: String,
    dataset: &Dataset,
    simd: Option<String>,
    answers: Result<Vec<CountedAnswer>, Fault>,
) -> Counted {
    let name = dataset.name().to_owned();
    let stored = |answers: Vec<CountedAnswer>| {
        let numbers = (0..answers.len()).map(|index| dataset.number(index)).collect();
        let counts = answers.iter().map(|it| Counts::told(&it.outcome, it.nodes, it.guesses)).collect();
        let (solver, dataset, sha256) = (solver.clone(), name.clone(), dataset.record().sha256.clone());
        (BaselinePair { solver, dataset, sha256, simd, counts }, numbers)
    };
    let counted = answers.map(stored).map_err(|fault| fault.to_string());
    Counted { solver, dataset: name, counted }
}
