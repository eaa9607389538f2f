//! `sudobench bisect`: typed -> two work trees -> what decides -> commit by commit -> the first bad one.
//!
//! ```text
//! good and bad    built and counted
//! counts differ   they decide: a commit is bad where its counts are worse than good's
//! counts missing  where only one of the two tells them, nothing decides
//! else            trials of good against bad decide, if bad is slower; so does each commit against good
//! each commit     that cannot be built or measured is skipped
//! ```

mod program;
mod trees;

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::Question;

use self::program::{Measuring, Program};
use self::trees::Trees;
use sudobench_rows::is_standard;

use super::export::print;
use super::measuring::{children, commands, inputs_of, load};
use super::progress::Progress;
use super::{Exit, UsageError, interrupt, terminal};
use crate::cli::BisectArgs;
use crate::gate::{Against, BaselineTerms, Check, Counted, GateLimits, GateVerdict, Rise, check_builds};
use crate::process::Fault;
use crate::report::{BisectReport, Ending, bisect_text};
use crate::repository::{Bisection, Repository};

/// What variants are asked: whether a solution is the only one.
const MAX_SOLUTIONS: NonZeroU64 = NonZeroU64::MIN.saturating_add(1);
/// The nodes after which they give a puzzle up.
const MAX_NODES: u64 = 1_000_000;

/// Finds the first bad commit.
///
/// # Errors
/// Where good or bad cannot be built or measured, or git fails.
pub(super) fn run(typed: BisectArgs, level: Level) -> anyhow::Result<Exit> {
    check_limits(&typed.limits)?;
    let stop = Arc::new(AtomicBool::new(false));
    let measuring = measuring(&typed, level, &stop)?;
    // Until here nothing would look at the flag, and the signal itself ends the process.
    interrupt::raise(&stop)?;
    let mut progress = Progress::new(typed.quiet);
    // The work trees go with it, whatever came of it.
    let found = Bisecting::begin(&typed, &measuring, &mut progress)
        .and_then(|bisecting| bisecting.finish(&mut progress));
    drop(progress);
    if stop.load(Ordering::Relaxed) {
        Progress::new(typed.quiet).say("interrupted: there is no answer");
        return Ok(Exit::Interrupted);
    }
    let report = found?;
    print(&bisect_text(&report, terminal::width().unwrap_or(usize::MAX)))?;
    Ok(match report.ending {
        Ending::Found(_) => Exit::Fine,
        Ending::Skipped(_) | Ending::NotWorse | Ending::Untold => Exit::PuzzleFailed,
    })
}

/// Only what is held against another build can be bisected.
fn check_limits(limits: &GateLimits) -> Result<(), UsageError> {
    let is_held = |rise: Rise| matches!(rise, Rise::Nodes | Rise::Guesses | Rise::Time);
    let other = limits.written().map(|(rise, _)| rise).find(|&rise| !is_held(rise));
    let other = other.map(|rise| rise.name().to_owned()).or(limits.budgets.first().map(ToString::to_string));
    other.map_or(Ok(()), |name| {
        Err(UsageError(format!("`{name}` in --limits: a bisection goes by nodes, guesses and time alone")))
    })
}

fn measuring(typed: &BisectArgs, level: Level, stop: &Arc<AtomicBool>) -> anyhow::Result<Measuring> {
    if typed.datasets.iter().any(|path| is_standard(path)) {
        return Err(UsageError("standard input cannot be read for each commit: name files".to_owned()).into());
    }
    let terms = BaselineTerms {
        max_solutions: MAX_SOLUTIONS.get(),
        max_nodes: MAX_NODES,
        seed: typed.seed,
        sample: typed.sample.get(),
    };
    let program = match &typed.binary {
        Some(path) => Program::Binary { path: path.clone(), solvers: typed.solvers.clone(), level },
        None => Program::Engines {
            commands: commands(&typed.engines, &typed.engine_protocols)?,
            blank: typed.blank,
        },
    };
    let datasets = load(&inputs_of(&typed.datasets)?, terms.seed, Some(terms.sample))?;
    let absolute = |path: &PathBuf| std::path::absolute(path);
    Ok(Measuring {
        program,
        paths: typed.datasets.iter().map(absolute).collect::<Result<_, _>>()?,
        datasets: datasets.into(),
        terms,
        question: Question { cancel: Some(Arc::clone(stop)), ..Question::up_to(MAX_SOLUTIONS) },
        max_time: typed.max_time,
        children: children(stop)?,
        stop: Arc::clone(stop),
    })
}

/// What tells a bad commit from a good one.
enum Decides {
    /// Counts: those of good.
    Counts(Vec<Counted>),
    /// Trials against good, of these solvers.
    Trials(Vec<String>),
}

/// A bisection on its way.
struct Bisecting<'b> {
    typed: &'b BisectArgs,
    measuring: &'b Measuring,
    trees: Trees,
    good: String,
    bad: String,
    /// What decides; `None` where bad is not worse, or that cannot be told.
    decides: Option<Decides>,
    /// The pairs that are worse at bad.
    watched: Vec<(String, String)>,
    /// What was found of each commit.
    found: HashMap<String, Vec<Check>>,
    builds: usize,
    skipped: usize,
}

impl<'b> Bisecting<'b> {
    /// Builds and measures good and bad.
    fn begin(
        typed: &'b BisectArgs,
        measuring: &'b Measuring,
        progress: &mut Progress,
    ) -> anyhow::Result<Bisecting<'b>> {
        let here = Repository::at(Path::new("."), Arc::clone(&measuring.children));
        let [good, bad] = [&typed.good, &typed.bad].map(|name| here.resolve(name));
        let (good, bad) = (good.map_err(usage)?, bad.map_err(usage)?);
        if good == bad {
            return Err(UsageError("--good and --bad are the same commit".to_owned()).into());
        }
        let trees = Trees::check_out(&good, &bad, &measuring.children)?;
        let mut bisecting = Bisecting {
            typed,
            measuring,
            trees,
            good,
            bad,
            decides: None,
            watched: Vec::new(),
            found: HashMap::new(),
            builds: 0,
            skipped: 0,
        };
        bisecting.decide(progress)?;
        Ok(bisecting)
    }

    /// Finds out what tells bad from good.
    fn decide(&mut self, progress: &mut Progress) -> anyhow::Result<()> {
        let whose =
            |name: &str, fault: anyhow::Error| anyhow::anyhow!("--{name} cannot be measured: {fault:#}");
        let (good, search) = (self.trees.good.folder.clone(), self.trees.search.folder.clone());
        progress.say("building and counting good");
        let (good_commit, bad_commit) = (self.good.clone(), self.bad.clone());
        self.build(true, &good_commit).map_err(|fault| whose("good", fault.into()))?;
        let counted_good = self.measuring.count(&good, progress).map_err(|fault| whose("good", fault))?;
        check_counted(&counted_good).map_err(|fault| whose("good", fault.into()))?;
        progress.say("building and counting bad");
        self.build(false, &bad_commit).map_err(|fault| whose("bad", fault.into()))?;
        let counted_bad = self.measuring.count(&search, progress).map_err(|fault| whose("bad", fault))?;
        check_counted(&counted_bad).map_err(|fault| whose("bad", fault.into()))?;
        let mut checks = check_builds(&counted_good, &counted_bad, &self.typed.limits, &Against::GOOD);
        let has = |verdict| checks.iter().any(|check| check.verdict == verdict);
        if has(GateVerdict::Fail) {
            self.decides = Some(Decides::Counts(counted_good));
        } else if !has(GateVerdict::Missing) {
            progress.say("no count is worse: trials decide");
            let percent = self.percent();
            let trials = self.measuring.time((&good, &search), None, percent, progress);
            checks = trials.map_err(|fault| whose("bad", fault))?;
            let slower = checks.iter().filter(|check| check.verdict == GateVerdict::Fail);
            let mut names: Vec<String> = slower.map(|check| check.solver.clone()).collect();
            names.dedup();
            self.decides = (!names.is_empty()).then_some(Decides::Trials(names));
        }
        let failing = checks.iter().filter(|check| check.verdict == GateVerdict::Fail);
        self.watched = failing.map(|check| (check.solver.clone(), check.dataset.clone())).collect();
        self.found.insert(self.bad.clone(), checks);
        Ok(())
    }

    /// By how many percent times may rise.
    fn percent(&self) -> f64 {
        self.typed.limits.percent(Rise::Time).unwrap_or_default()
    }

    fn build(&mut self, is_good: bool, commit: &str) -> Result<(), Fault> {
        self.builds += 1;
        let tree = if is_good { &self.trees.good } else { &self.trees.search };
        tree.build(commit, &self.typed.build, &self.measuring.children, self.measuring.max_time)
    }

    /// Goes from commit to commit.
    fn finish(mut self, progress: &mut Progress) -> anyhow::Result<BisectReport> {
        if self.decides.is_none() {
            return self.report(Bisection::Undecided(Vec::new()));
        }
        let search = self.trees.search.repository.clone();
        let (mut at, mut examined) = (search.bisect(&self.good, &self.bad)?, HashSet::new());
        while let Bisection::Test(commit) = &at {
            anyhow::ensure!(examined.insert(commit.clone()), "`git bisect` comes to {commit} a second time");
            let (word, why) = match self.examine(commit, progress) {
                Ok(true) => ("bad", String::new()),
                Ok(false) => ("good", String::new()),
                Err(fault) => ("skip", format!(": {fault:#}")),
            };
            anyhow::ensure!(!self.measuring.stop.load(Ordering::Relaxed), "interrupted");
            self.skipped += usize::from(word == "skip");
            let subject = search.subject(commit).unwrap_or_default();
            progress.say(&format!("{word}: {commit} {subject}{why}"));
            at = search.mark(word, commit)?;
        }
        self.report(at)
    }

    /// Whether the commit that is checked out is bad.
    ///
    /// # Errors
    /// Where that cannot be told.
    fn examine(&mut self, commit: &str, progress: &mut Progress) -> anyhow::Result<bool> {
        self.build(false, commit)?;
        let (good, search) = (&self.trees.good.folder, &self.trees.search.folder);
        let checks = match &self.decides {
            Some(Decides::Counts(counted_good)) => {
                let counted = self.measuring.count(search, progress)?;
                check_builds(counted_good, &counted, &self.typed.limits, &Against::GOOD)
            }
            Some(Decides::Trials(names)) => {
                self.measuring.time((good, search), Some(names), self.percent(), progress)?
            }
            None => Vec::new(),
        };
        let of = |(solver, dataset): &(String, String)| {
            checks.iter().find(|check| check.solver == *solver && check.dataset == *dataset)
        };
        let watched: Vec<Option<&Check>> = self.watched.iter().map(of).collect();
        let is_bad = watched.iter().flatten().any(|check| check.verdict == GateVerdict::Fail);
        for check in watched {
            let check = check.ok_or_else(|| anyhow::anyhow!("it lacks a solver that is worse at bad"))?;
            let is_told = matches!(check.verdict, GateVerdict::Pass | GateVerdict::Fail);
            anyhow::ensure!(is_bad || is_told, "{} on {}: {}", check.solver, check.dataset, check.reason);
        }
        self.found.insert(commit.to_owned(), checks);
        Ok(is_bad)
    }

    fn report(mut self, at: Bisection) -> anyhow::Result<BisectReport> {
        let named = |hash: &String| {
            let subject = self.trees.search.repository.subject(hash).unwrap_or_default();
            (hash.clone(), subject)
        };
        let ending = match &at {
            _ if self.decides.is_none() => {
                let checks = self.found.get(&self.bad).into_iter().flatten();
                let mut verdicts = checks.map(|check| check.verdict);
                let is_untold = verdicts.any(|verdict| verdict == GateVerdict::Missing);
                if is_untold { Ending::Untold } else { Ending::NotWorse }
            }
            Bisection::Found(hash) | Bisection::Test(hash) => Ending::Found(named(hash)),
            Bisection::Undecided(hashes) => Ending::Skipped(hashes.iter().map(named).collect()),
        };
        let hash = match &ending {
            Ending::Found((hash, _)) => hash,
            Ending::Skipped(_) | Ending::NotWorse | Ending::Untold => &self.bad,
        };
        let checks = self.found.remove(hash).unwrap_or_default();
        let told = match ending {
            Ending::NotWorse => None,
            Ending::Untold => Some(GateVerdict::Missing),
            Ending::Found(_) | Ending::Skipped(_) => Some(GateVerdict::Fail),
        };
        let is_told = |check: &Check| told.is_none_or(|verdict| check.verdict == verdict);
        Ok(BisectReport {
            checks: checks.into_iter().filter(is_told).collect(),
            by_counts: matches!(self.decides, Some(Decides::Counts(_))),
            good: self.good,
            bad: self.bad,
            builds: self.builds,
            skipped: self.skipped,
            ending,
        })
    }
}

fn usage(fault: Fault) -> UsageError {
    UsageError(fault.to_string())
}

/// Whether everything was counted.
fn check_counted(counted: &[Counted]) -> Result<(), Fault> {
    let fault = counted.iter().find_map(|pair| Some((pair, pair.counted.as_ref().err()?)));
    fault.map_or(Ok(()), |(pair, fault)| Err(Fault(format!("{} on {}: {fault}", pair.solver, pair.dataset))))
}
