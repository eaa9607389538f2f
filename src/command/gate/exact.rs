//! Exact checks: counts now against stored counts, or against those of an old build of an engine.

#[cfg(unix)]
use std::fs::File;
use std::io::Write;
#[cfg(unix)]
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[cfg(unix)]
use anyhow::Context as _;
#[cfg(unix)]
use sudobench_rows::sink::folder_of;
use sudobench_sudoku::solver::Question;

use super::config::{BuildsConfig, Command, ExactConfig, Measured, Update, read_stored, solutions};
use super::counting::Counting;
use crate::command::export::{Exports, Kind};
use crate::command::measuring::{contestants_of, supervisor};
use crate::command::progress::Progress;
use sudobench_harness::bench::Dataset;
use sudobench_harness::gate::{Baseline, BaselineChange, Counted};
#[cfg(unix)]
use sudobench_harness::record::wait_for_lock;

/// Counts the engines, and with them the variants, which have no old builds to be held against.
pub(super) fn count_all(
    measured: &Measured,
    datasets: &[Dataset],
    with_variants: bool,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Counted>> {
    let counting = Counting { datasets, question: question(measured, stop), stop };
    let variants = if with_variants { measured.variants.as_slice() } else { &[] };
    let mut counted = counting.variants(variants, measured.level, progress)?;
    counted.extend(count_engines(&measured.engines, &counting, measured, stop, progress)?);
    Ok(counted)
}

/// Counts the old builds of engines.
pub(super) fn count_base(
    builds: &BuildsConfig,
    measured: &Measured,
    datasets: &[Dataset],
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Counted>> {
    let counting = Counting { datasets, question: question(measured, stop), stop };
    count_engines(&builds.base, &counting, measured, stop, progress)
}

fn count_engines(
    commands: &[Command],
    counting: &Counting,
    measured: &Measured,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Counted>> {
    if commands.is_empty() {
        return Ok(Vec::new());
    }
    let mut engines = contestants_of(commands, measured.engine_setting(), None, &supervisor(stop)?)?;
    counting.engines(&mut engines, measured.max_silence, progress)
}

fn question(measured: &Measured, stop: &Arc<AtomicBool>) -> Question {
    Question {
        max_nodes: Some(measured.terms.max_nodes),
        cancel: Some(Arc::clone(stop)),
        ..Question::up_to(solutions(measured.terms))
    }
}

/// Stores what was counted, and returns a line for each pair that it says something of.
pub(super) fn update(
    config: &ExactConfig,
    update: &Update,
    exports: &Exports,
    measured: &Measured,
    counted: Vec<Counted>,
) -> anyhow::Result<Vec<String>> {
    let mut pairs = Vec::new();
    for counted in counted {
        let (pair, _) = counted.counted.map_err(|fault| {
            anyhow::anyhow!("{} on {}: {fault}; nothing was stored", counted.solver, counted.dataset)
        })?;
        pairs.push(pair);
    }
    anyhow::ensure!(!pairs.is_empty(), "nothing was counted; nothing was stored");
    let shown = config.path.display();
    let untold = pairs.iter().filter(|pair| pair.tells_nothing()).map(|pair| {
        format!(
            "{} on {} prints no nodes and no guesses: only its answers are checked",
            pair.solver, pair.dataset
        )
    });
    let untold: Vec<String> = untold.collect();
    // Another update may have been written since this one began. The file is replaced by another one, so its folder is locked.
    #[cfg(unix)]
    let _locked =
        locked_folder(&config.path).with_context(|| format!("cannot lock the folder of {shown}"))?;
    let mut baseline =
        read_stored(&config.path)?.unwrap_or(Baseline { terms: measured.terms, pairs: Vec::new() });
    anyhow::ensure!(
        baseline.terms == measured.terms,
        "{shown} was changed by another run in the meantime: run the command again"
    );
    let changes = baseline.merge(pairs, update.prune);
    exports.write(Kind::Baseline, |out| Ok(write!(out, "{baseline}")?))?;
    Ok(changes.iter().map(BaselineChange::to_string).chain(untold).collect())
}

/// The folder of a file, which nobody else holds until it is dropped. Other systems do not open folders as files.
#[cfg(unix)]
fn locked_folder(path: &Path) -> std::io::Result<File> {
    let folder = File::open(folder_of(path))?;
    wait_for_lock(&folder)?;
    Ok(folder)
}
