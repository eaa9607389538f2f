//! The baseline file of exact checks: reads it, checks the chosen solvers against it, and updates it.

#[cfg(unix)]
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use anyhow::Context as _;
#[cfg(unix)]
use sudobench_rows::sink::folder_of;
use sudobench_sudoku::solver::{self, Variant};

use super::measured::Measured;
use crate::cli::{ExactArgs, SelectionArgs};
use crate::command::UsageError;
use crate::command::export::{Exports, Kind};
use crate::command::measuring::names_variants;
use sudobench_harness::gate::{Baseline, BaselineChange, Counted};
#[cfg(unix)]
use sudobench_harness::record::wait_for_lock;
use sudobench_harness::record::{read_stored_file, stored_text};

/// Settings of the exact checks against a baseline file.
pub(super) struct ExactConfig {
    pub(super) path: PathBuf,
    /// The content of the file. `None` if the file doesn't exist yet or is empty, and this run creates it.
    pub(super) stored: Option<Baseline>,
    /// Whether this run writes the baseline, instead of comparing with it.
    pub(super) updates: bool,
    /// Whether an update removes the pairs of solver and dataset that are not part of this run.
    prunes: bool,
}

impl ExactConfig {
    /// Reads the file of `--baseline`, and returns the settings. Returns `None` without `--baseline`.
    ///
    /// # Errors
    ///
    /// If the file can't be read or is not a baseline. Also if the file does not exist or is empty, unless this run creates the baseline.
    pub(super) fn new(typed: ExactArgs) -> anyhow::Result<Option<ExactConfig>> {
        let ExactArgs { baseline, update_baseline: updates, prune: prunes } = typed;
        let Some(path) = baseline else { return Ok(None) };
        let stored = read_stored(&path)?;
        if stored.is_none() && !updates {
            anyhow::bail!(
                "there is no baseline {}: the file does not exist or is empty; make one with --update-baseline",
                path.display()
            );
        }
        Ok(Some(ExactConfig { path, stored, updates, prunes }))
    }

    /// Returns the pairs to compare with. `None` if this run writes the baseline.
    pub(super) fn compared(&self) -> Option<&Baseline> {
        self.stored.as_ref().filter(|_| !self.updates)
    }

    /// If an option of `selection` chose the built-in solvers, checks that all built-in solvers of the baseline are chosen. A run without a
    /// solver of the baseline would not find the regressions of this solver.
    pub(super) fn check_selection(
        &self,
        selection: &SelectionArgs,
        chosen: &[&Variant],
    ) -> Result<(), UsageError> {
        let Some(stored) = self.compared().filter(|_| names_variants(selection)) else { return Ok(()) };
        let is_left_out = |name: &str| {
            solver::find(name).is_some_and(|stored| !chosen.iter().any(|variant| variant.name == stored.name))
        };
        let Some(pair) = stored.pairs.iter().find(|pair| is_left_out(&pair.solver)) else { return Ok(()) };
        let is_named = selection.takes_all() || selection.solvers.contains(&pair.solver);
        let remedy = match (is_named, selection.includes(&pair.solver)) {
            (false, _) => "add the solver to --solvers",
            (true, false) => "change --include",
            (true, true) => "change --exclude",
        };
        Err(UsageError(format!(
            "the baseline {} has the solver {}, which this run leaves out: {remedy}, remove the solver from the baseline with \
             --update-baseline --prune, or use --allow-missing",
            self.path.display(),
            pair.solver
        )))
    }
}

/// Reads the baseline from a file. Returns `None` if the file does not exist or is empty.
fn read_stored(path: &Path) -> anyhow::Result<Option<Baseline>> {
    let shown = path.display();
    match read_stored_file(path).and_then(stored_text) {
        Ok(text) if text.is_empty() => Ok(None),
        Ok(text) => Ok(Some(text.parse::<Baseline>().map_err(|error| anyhow::anyhow!("{shown}: {error}"))?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(anyhow::Error::new(error).context(format!("cannot read the baseline {shown}"))),
    }
}

/// Stores the counts. Returns a line for each changed pair, and for each pair whose engine prints no counts.
pub(super) fn update(
    config: &ExactConfig,
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
    let untold = pairs.iter().filter(|pair| pair.has_no_counters()).map(|pair| {
        format!(
            "{} on {} prints no nodes and no guesses: only its answers are checked",
            pair.solver, pair.dataset
        )
    });
    let untold: Vec<String> = untold.collect();
    // The baseline is read again, because another update may have changed it since this run began. The folder is locked instead of the
    // file, because an update replaces the file.
    #[cfg(unix)]
    let _locked =
        locked_folder(&config.path).with_context(|| format!("cannot lock the folder of {shown}"))?;
    let mut baseline =
        read_stored(&config.path)?.unwrap_or(Baseline { terms: measured.terms, pairs: Vec::new() });
    anyhow::ensure!(
        baseline.terms == measured.terms,
        "{shown} was changed by another run in the meantime: run the command again"
    );
    let changes = baseline.merge(pairs, config.prunes);
    exports.write_text(Kind::Baseline, || baseline.to_string())?;
    Ok(changes.iter().map(BaselineChange::to_string).chain(untold).collect())
}

/// Locks the folder of a file until the result is dropped, if the file system supports locks. Exists only on Unix, because Windows can't
/// open folders as files.
#[cfg(unix)]
fn locked_folder(path: &Path) -> std::io::Result<File> {
    let folder = File::open(folder_of(path))?;
    wait_for_lock(&folder)?;
    Ok(folder)
}
