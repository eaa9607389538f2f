//! Gate A: counts now against counts stored.

use std::io::Write;
use std::num::NonZeroU64;
use std::path::Path;

use anyhow::Context as _;

use crate::bench::{self, Dataset};
use crate::cli::GateArgs;
use crate::command::export::write_file;
use crate::command::{Exit, contestants};
use crate::gate::{Baseline, BaselinePair, BaselineQuestion, Check, Counted, Counts, check_exact};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Question, Variant};

/// Counts under the question that was typed and stores the counts.
pub(super) fn update(typed: &GateArgs, level: Level) -> anyhow::Result<Exit> {
    let question = BaselineQuestion {
        max_solutions: typed.max_solutions.get(),
        max_nodes: typed.max_nodes.get(),
        seed: typed.seed,
        sample: typed.sample.get(),
    };
    let mut pairs = Vec::new();
    for counted in count_all(typed, level, question)? {
        let (pair, _) = counted.counted.map_err(|fault| {
            anyhow::anyhow!("{} on {}: {fault}; nothing is stored", counted.solver, counted.dataset)
        })?;
        pairs.push(pair);
    }
    let baseline = Baseline { question, pairs };
    let path = typed.baseline.as_deref().unwrap_or(Path::new("baseline.txt"));
    write_file(path, |out| Ok(write!(out, "{baseline}")?))?;
    if !typed.output.quiet {
        anstream::eprintln!("sudobench: {} holds {} pairs", path.display(), baseline.pairs.len());
    }
    Ok(Exit::Fine)
}

/// Counts under the baseline's own question and compares.
pub(super) fn check(typed: &GateArgs, level: Level, path: &Path) -> anyhow::Result<Vec<Check>> {
    let text = std::fs::read_to_string(path).with_context(|| {
        format!("cannot read the baseline {}: make one with --update-baseline", path.display())
    })?;
    let mut baseline: Baseline = text.parse().with_context(|| format!("{}", path.display()))?;
    let counted = count_all(typed, level, baseline.question)?;
    // A pair fails for being gone, not for being left out of this run.
    let chosen = contestants::variants(&typed.selection)?;
    let left_out =
        |name: &str| solver::find(name).is_some() && chosen.iter().all(|variant| variant.name != name);
    baseline.pairs.retain(|pair| !left_out(&pair.solver));
    Ok(check_exact(&baseline, &counted, &typed.limits))
}

/// Every chosen variant on every dataset.
fn count_all(typed: &GateArgs, level: Level, question: BaselineQuestion) -> anyhow::Result<Vec<Counted>> {
    let datasets = contestants::load(&typed.datasets, question.seed, Some(question.sample))?;
    let variants = contestants::variants(&typed.selection)?;
    let max_solutions = NonZeroU64::new(question.max_solutions).unwrap_or(NonZeroU64::MIN);
    let asked = Question { max_nodes: Some(question.max_nodes), ..Question::up_to(max_solutions) };
    let mut counted = Vec::new();
    for dataset in &datasets {
        counted.extend(variants.iter().map(|variant| count(variant, level, dataset, &asked)));
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
