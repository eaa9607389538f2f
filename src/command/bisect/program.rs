//! What is counted and timed at each commit: engines, or a binary of this program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sudobench_sudoku::simd::{self, Level};
use sudobench_sudoku::solver::Question;

use crate::bench::{Binaries, Dataset, EngineBuild, EngineBuilds, EngineProtocol, Launch, Sides};
use crate::cli::SelectionArgs;
use crate::command::counting::Counting;
use crate::command::measuring::contestants_of;
use crate::command::progress::Progress;
use crate::command::serving::Serving;
use crate::command::trials::{BINARY_WARM_UP, ENGINE_WARM_UP, Trialling, run_trials};
use crate::gate::{Baseline, BaselineTerms, Check, Counted, Figure, TrialPlan};
use crate::process::{Children, Fault, NamedCommand};

/// Trials before the first look at them and at most, as of `gate`, and the time of each leg.
const TRIALS: (usize, usize, Duration) = (10, 40, Duration::from_millis(30));

/// How long a binary may be silent beyond the time that its work takes.
const SILENCE: Duration = Duration::from_secs(60);

/// What is measured.
pub(super) enum Program {
    /// Engines.
    Engines { commands: Vec<(NamedCommand, EngineProtocol)>, blank: char },
    /// Variants of a binary that is at this path in each work tree; all where none is named.
    Binary { path: PathBuf, solvers: Vec<String>, level: Level },
}

/// How it is measured.
pub(super) struct Measuring {
    pub(super) program: Program,
    pub(super) paths: Vec<PathBuf>,
    pub(super) datasets: Rc<[Dataset]>,
    pub(super) terms: BaselineTerms,
    pub(super) question: Question,
    pub(super) max_time: Duration,
    pub(super) children: Arc<Children>,
    pub(super) stop: Arc<AtomicBool>,
}

impl Measuring {
    /// Counts what is built in a folder.
    ///
    /// # Errors
    /// Where it cannot be run, or was interrupted.
    pub(super) fn count(&self, folder: &Path, progress: &mut Progress) -> anyhow::Result<Vec<Counted>> {
        match &self.program {
            Program::Engines { .. } => {
                let counting =
                    Counting { datasets: &self.datasets, question: self.question.clone(), stop: &self.stop };
                let mut engines = self.engines(folder, None)?;
                counting.engines(&mut engines, self.max_time, progress)
            }
            Program::Binary { path, solvers, level } => {
                Ok(self.count_binary(&folder.join(path), solvers, *level)?)
            }
        }
    }

    /// The engines in a folder; those of these names, where names are given.
    fn engines(
        &self,
        folder: &Path,
        names: Option<&[String]>,
    ) -> anyhow::Result<Vec<Box<dyn crate::bench::Contestant>>> {
        let Program::Engines { commands, blank } = &self.program else { return Ok(Vec::new()) };
        let chosen =
            commands.iter().filter(|(command, _)| names.is_none_or(|names| names.contains(&command.name)));
        let there: Vec<_> =
            chosen.map(|(command, protocol)| (command.clone().within(folder), *protocol)).collect();
        contestants_of(&there, *blank, None, &self.children)
    }

    /// Has a binary write a baseline: what it counts by itself.
    fn count_binary(&self, binary: &Path, solvers: &[String], level: Level) -> Result<Vec<Counted>, Fault> {
        let folder = tempfile::tempdir().map_err(|error| Fault(format!("cannot make a folder: {error}")))?;
        let path = folder.path().join("baseline.txt");
        let BaselineTerms { max_solutions, max_nodes, seed, sample } = self.terms;
        let mut command = Command::new(binary);
        command.arg("gate").args(&self.paths).arg("--baseline").arg(&path).args(["--update-baseline", "-q"]);
        for (option, value) in [
            ("--max-solutions", max_solutions),
            ("--max-nodes", max_nodes),
            ("--seed", seed),
            ("--sample", sample),
        ] {
            command.args([option, &value.to_string()]);
        }
        if !solvers.is_empty() {
            command.args(["--solvers", &solvers.join(",")]);
        }
        // Not the option: a binary from before it would not start.
        command.env(simd::VARIABLE, level.name());
        let finished = self.children.finish(command, self.max_time)?;
        if !finished.status.success() {
            return Err(Fault(format!("it does not count: {}: {}", finished.status, finished.words)));
        }
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Fault(format!("it wrote no baseline: {error}")))?;
        let baseline: Baseline = text.parse().map_err(|error| Fault(format!("its baseline: {error}")))?;
        Ok(baseline.pairs.into_iter().map(|pair| self.numbered(pair)).collect())
    }

    /// What a binary counted, with the puzzles' numbers.
    fn numbered(&self, pair: crate::gate::BaselinePair) -> Counted {
        let dataset = self.datasets.iter().find(|dataset| dataset.name() == pair.dataset);
        let (solver, name) = (pair.solver.clone(), pair.dataset.clone());
        let counted = dataset.map(|dataset| {
            let numbers = (0..pair.counts.len()).map(|index| dataset.number(index)).collect();
            (pair, numbers)
        });
        let counted = counted.ok_or_else(|| "it knows this dataset by another name".to_owned());
        Counted { solver, dataset: name, counted }
    }

    /// Trials of what is built in the folder `good` against what is built in the folder `now`: how many percent its time may rise. With
    /// names, of these solvers alone.
    ///
    /// # Errors
    /// As [`Measuring::count`].
    pub(super) fn time(
        &self,
        (good, now): (&Path, &Path),
        names: Option<&[String]>,
        percent: f64,
        progress: &mut Progress,
    ) -> anyhow::Result<Vec<Check>> {
        let (min_trials, max_trials, leg) = TRIALS;
        let plan = TrialPlan { min_trials, max_trials, seed: self.terms.seed };
        let sides: Box<dyn Sides> = match &self.program {
            Program::Engines { .. } => {
                let build = |folder: &Path| -> anyhow::Result<EngineBuild> {
                    let engines = self.engines(folder, names)?;
                    let (datasets, question) = (Rc::clone(&self.datasets), self.question.clone());
                    Ok(EngineBuild::new(engines, datasets, question, ENGINE_WARM_UP, None))
                };
                Box::new(EngineBuilds::new(build(good)?, build(now)?))
            }
            Program::Binary { path, solvers, level } => {
                let solvers = names.map_or_else(|| solvers.clone(), <[String]>::to_vec);
                Box::new(self.binaries((&good.join(path), &now.join(path)), solvers, *level))
            }
        };
        let figures = [(Figure::Time, percent)];
        let checks = run_trials(sides.as_ref(), Trialling { plan, leg }, &figures, progress)?.checks;
        // The sides have other names here.
        let renamed = |check: Check| {
            let of_base = check.reason.strip_prefix("base: ").map(|fault| format!("good: {fault}"));
            let of_head = check.reason.strip_prefix("head: ").map(str::to_owned);
            let reason = of_base.or(of_head).unwrap_or(check.reason);
            Check { reason, ..check }
        };
        Ok(checks.into_iter().map(renamed).collect())
    }

    fn binaries(&self, (good, now): (&Path, &Path), solvers: Vec<String>, level: Level) -> Binaries {
        let selection = SelectionArgs { solvers, include: None, exclude: None };
        let serving =
            Serving { terms: self.terms, batch_sample: None, selection, warm_up_time: BINARY_WARM_UP };
        // Either may lack a solver that the other one has.
        let launch = |binary: &Path| Launch {
            binary: binary.to_owned(),
            arguments: serving.arguments(&self.paths, false),
        };
        Binaries {
            base: launch(good),
            head: launch(now),
            level,
            single_sample: None,
            warm_up: serving.warm_up_of_all(self.paths.len()),
            silence: SILENCE,
            children: Arc::clone(&self.children),
        }
    }
}
