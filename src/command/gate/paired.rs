//! Paired checks of two binaries of this program. The binaries run alternately, and each measures passes over the puzzles on request
//! (`sudobench serve`).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use regex_lite::Regex;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Variant};

use super::measured::Measured;
use super::trials::{Trialled, Trialling, limited, run_trials};
use crate::cli::{PairedArgs, SelectionArgs};
use crate::command::UsageError;
use crate::command::progress::MeasurementProgress;
use sudobench_harness::bench::{Binaries, Launch, ServedPair, Side, Sides as _, WARM_UP_SHARE};
use sudobench_harness::figures::counted;
use sudobench_harness::gate::{BaselineTerms, Check, Gate, GateLimits, GateVerdict, LeftOutResult};
use sudobench_harness::process::Supervisor;
use sudobench_harness::started;

/// If no sample was typed, batch solvers get a sample of at least this number of full batches. With fewer batches, much of the time would
/// be spent at the end of a batch, when only a few puzzles are still being solved together.
pub(super) const BATCHES: u64 = 4;

/// Factor by which the time limit for the warm-up is increased, because one of the two binaries may be another version with more built-in
/// solvers than this program.
const MORE_VARIANTS: usize = 2;

#[derive(Clone)]
pub(super) struct PairedConfig {
    trialling: Trialling,
    max_silence: Duration,
    base: PathBuf,
    /// Path of the new build. `None` if this program is the new build.
    head: Option<PathBuf>,
    terms: BaselineTerms,
    /// Number of puzzles of each dataset for batch solvers. `None` if `terms.sample` applies to them too.
    batch_sample: Option<u64>,
    selection: SelectionArgs,
    /// Maximum time to warm up each pair.
    warm_up_time: Duration,
}

impl PairedConfig {
    /// Makes the paired checks from the command line. Returns `None` if no base was named.
    ///
    /// # Errors
    /// [`UsageError`] if the numbers of trials contradict each other.
    pub(super) fn new(
        typed: PairedArgs,
        terms: BaselineTerms,
        batch_sample: Option<u64>,
        selection: SelectionArgs,
    ) -> Result<Option<PairedConfig>, UsageError> {
        let trialling = Trialling::new(&typed, terms.seed)?;
        let PairedArgs { base, head, warm_up_time, max_silence, .. } = typed;
        let config = |base| PairedConfig {
            trialling,
            max_silence,
            base,
            head,
            terms,
            batch_sample,
            selection,
            warm_up_time,
        };
        Ok(base.map(config))
    }

    /// Returns the two binaries for a single pair. If `sample` is given, they use only this number of puzzles. The warm-up may take as long
    /// as `--max-silence`, so that it answers all puzzles.
    pub(super) fn binaries_of_pair(
        &self,
        solver: &str,
        dataset: &Path,
        sample: Option<u64>,
        level: Level,
        supervisor: &Arc<Supervisor>,
    ) -> anyhow::Result<Binaries> {
        let mut of_pair = self.clone();
        of_pair.selection = SelectionArgs { solvers: vec![solver.to_owned()], include: None, exclude: None };
        of_pair.warm_up_time = self.max_silence;
        if let Some(sample) = sample {
            (of_pair.terms.sample, of_pair.batch_sample) = (sample, None);
        }
        of_pair.binaries(&[dataset.to_owned()], level, supervisor)
    }

    /// Returns the two binaries, each with the arguments that make it serve these datasets. `supervisor` starts them.
    ///
    /// # Errors
    ///
    /// If `supervisor` can't start external programs. Also if no head is named and the system does not report the path of this program.
    fn binaries(
        &self,
        datasets: &[PathBuf],
        level: Level,
        supervisor: &Arc<Supervisor>,
    ) -> anyhow::Result<Binaries> {
        supervisor.make_ready()?;
        let (head, arguments) = match &self.head {
            Some(head) => (head.clone(), Vec::new()),
            None => started::again()?,
        };
        let arguments =
            arguments.into_iter().map(OsString::from).chain(self.arguments(datasets, true)).collect();
        let pairs = datasets.len() * solver::VARIANTS.len() * MORE_VARIANTS;
        Ok(Binaries {
            base: Launch { binary: self.base.clone(), arguments: self.arguments(datasets, false) },
            head: Launch { binary: head, arguments },
            level,
            single_sample: self.single_sample(),
            warm_up: self.warm_up_time.saturating_mul(u32::try_from(pairs).unwrap_or(u32::MAX)),
            max_silence: self.max_silence,
            supervisor: Arc::clone(supervisor),
        })
    }

    /// Returns the sample size of each dataset for the solvers that solve one puzzle at a time. `None` if it is the same as the `--sample`
    /// in [`PairedConfig::arguments`].
    pub(super) fn single_sample(&self) -> Option<u64> {
        self.batch_sample.map(|_| self.terms.sample)
    }

    /// Returns the arguments that make a binary serve the gate's pairs. If `--solvers` names solvers, the base gets the names as a pattern,
    /// because the base must start even if it lacks a named solver, and unknown names in a pattern are not an error. The pattern has only
    /// the names that `--include` keeps. Without names, each binary chooses from all of its solvers, with the typed `--include` and
    /// `--exclude`.
    pub(super) fn arguments(&self, datasets: &[PathBuf], is_head: bool) -> Vec<OsString> {
        let mut arguments = vec![OsString::from("serve")];
        // The name of a file may begin like an option.
        arguments.extend(datasets.iter().map(|path| match path.as_os_str().as_encoded_bytes() {
            [b'-', _, ..] => Path::new(".").join(path).into(),
            _ => path.into(),
        }));
        let mut option = |name: &str, value: String| arguments.extend([name, &value].map(OsString::from));
        option("--sample", self.batch_sample.unwrap_or(self.terms.sample).to_string());
        option("--seed", self.terms.seed.to_string());
        option("--max-solutions", self.terms.max_solutions.to_string());
        option("--max-nodes", self.terms.max_nodes.to_string());
        // The warm-up gets a fixed share of this time. The rest of the time is never used up, because each request asks for only one leg of
        // a trial.
        let max_time = self.warm_up_time.saturating_mul(WARM_UP_SHARE);
        option("--max-time-per-pair", format!("{}ns", max_time.as_nanos()));
        let SelectionArgs { solvers, include, exclude } = &self.selection;
        let takes_all = self.selection.takes_all();
        match (is_head, takes_all) {
            (_, true) => (),
            (true, false) => option("--solvers", solvers.join(",")),
            (false, false) => {
                let kept = solvers.iter().filter(|name| self.selection.includes(name));
                let kept: Vec<String> = kept.map(|name| regex_lite::escape(name)).collect();
                option("--include", format!("^({})$", kept.join("|")));
            }
        }
        if let Some(pattern) = include.as_ref().filter(|_| is_head || takes_all) {
            option("--include", pattern.to_string());
        }
        if let Some(pattern) = exclude.as_ref().map(Regex::to_string) {
            option("--exclude", pattern);
        }
        arguments
    }
}

/// Returns the number of puzzles of each dataset on which the batch solvers among `variants` are timed. Returns `None` if there is no batch
/// solver, or if the sample in `terms` is large enough.
///
/// Exact counts still use the sample in `terms`: counts have no noise, so more puzzles are not necessary, and a baseline must stay small,
/// because it is meant to be committed to git.
pub(super) fn batch_sample(variants: &[&Variant], level: Level, terms: BaselineTerms) -> Option<u64> {
    let batch_size = |variant: &&Variant| variant.build(level).map_or(1, |solver| solver.batch_size());
    let largest = variants.iter().map(batch_size).filter(|&size| size > 1).max()?;
    Some(BATCHES.saturating_mul(largest as u64)).filter(|&sample| sample > terms.sample)
}

/// Runs trials of two binaries on the pairs of solver and dataset that both have.
pub(super) fn check(
    config: &PairedConfig,
    measured: &Measured,
    limits: &GateLimits,
    supervisor: &Arc<Supervisor>,
    progress: &mut MeasurementProgress,
) -> anyhow::Result<Vec<Check>> {
    let binaries = config.binaries(&measured.paths(), measured.level, supervisor)?;
    let figures = limited(limits, false);
    let Trialled { figures: mut trialled, new } =
        match run_trials(&binaries, config.trialling, &figures, progress) {
            Ok(trialled) => trialled,
            Err(fault) if fault.side == Side::Base => {
                let missing = Check::all_missing(Gate::Paired, "", fault.to_string());
                let mut checks = vec![Check { base_failed: true, ..missing }];
                checks.extend(binaries.start(Side::Head)?.pairs().iter().map(alone));
                return Ok(checks);
            }
            Err(fault) => return Err(fault.fault.into()),
        };
    let compares = !trialled.is_empty();
    anyhow::ensure!(
        compares || !new.is_empty(),
        "the new build has no pair of solver and dataset: there is nothing to compare"
    );
    let remedy = LeftOutResult::NeverTimed("raise --warm-up-time, or use fewer puzzles with --sample");
    trialled.iter_mut().for_each(|it| it.cover(remedy.clone()));
    let mut checks: Vec<Check> = Vec::new();
    for it in trialled {
        // The head is checked only once, even if the base failed for several figures.
        let alone = alone(&it.pair);
        if it.check.base_failed && !checks.contains(&alone) {
            checks.push(alone);
        }
        checks.push(it.check);
    }
    checks.extend(new.into_iter().map(|pair| new_pair(pair, compares)));
    Ok(checks)
}

/// Returns the check of a pair without a base: in its warm-up, the head must answer all puzzles of the sample, and all answers must be
/// right.
fn alone(pair: &ServedPair) -> Check {
    let (verdict, reason) = match &pair.error {
        Some(error) => (GateVerdict::Broken, format!("new build: {error}")),
        None => {
            let of = pair.sample.unwrap_or(pair.puzzles);
            let verdict = if pair.puzzles < of { GateVerdict::Missing } else { GateVerdict::Pass };
            let (reached, of) = (pair.puzzles, counted(of, "puzzle"));
            (
                verdict,
                format!("only the new build: it answers {reached} of {of} correctly within --warm-up-time"),
            )
        }
    };
    Check::new(Gate::Paired, "alone", (&pair.solver, &pair.dataset), verdict, reason)
}

/// Returns the check of a pair that the base doesn't have. The check passes if other pairs were compared.
fn new_pair(pair: ServedPair, compares: bool) -> Check {
    let (verdict, reason) = match compares {
        true => (GateVerdict::Pass, "new: the old build does not have this pair"),
        false => (GateVerdict::Missing, "nothing was compared: the old build has no such pair"),
    };
    Check::new(Gate::Paired, "new", (&pair.solver, &pair.dataset), verdict, reason.to_owned())
}
