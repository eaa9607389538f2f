//! `gate` as typed -> validated.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context as _;
use regex_lite::Regex;
use sudobench_batch::Budget;
use sudobench_batch::source::Input;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Question, Variant};
use tempfile::TempDir;

use crate::bench::{Binaries, Launch, Plan, WARM_UP_SHARE};
use crate::cli::{BudgetArgs, GateArgs, GateOutputArgs, PairedArgs, PuzzleArgs, SelectionArgs};
use crate::command::UsageError;
use crate::command::measuring::{children, inputs_of, variants};
use crate::gate::{BaselineTerms, BudgetLimit, GateLimits, TrialPlan};
use crate::started;

/// Variants that another version of this program may have for each one of this.
const MORE_VARIANTS: usize = 2;

/// Rounds of a measurement that is made for budgets alone.
const BUDGET_ROUNDS: usize = 5;

/// A run of `gate`, validated: whatever is wrong below this is the fault of the data, a program or the system.
pub(super) struct GateConfig {
    pub(super) measured: Measured,
    pub(super) limits: GateLimits,
    /// Whether the counts are stored, instead of anything being held against anything.
    pub(super) update_baseline: bool,
    pub(super) exact: Option<ExactConfig>,
    pub(super) paired: Option<PairedConfig>,
    pub(super) budgets: Option<BudgetConfig>,
    pub(super) output: GateOutputArgs,
}

/// Which variants answer which puzzles.
pub(super) struct Measured {
    pub(super) inputs: Vec<Input>,
    pub(super) variants: Vec<&'static Variant>,
    pub(super) level: Level,
}

impl Measured {
    /// Keeps standard input, where it is a dataset, in a file of that name: it can be read once, and more than one
    /// reads the datasets. Returns the folder, with which the file goes.
    ///
    /// # Errors
    /// Where standard input cannot be read or the file cannot be written.
    pub(super) fn keep_standard_input(&mut self) -> anyhow::Result<Option<TempDir>> {
        let Some(input) = self.inputs.iter_mut().find(|input| **input == Input::Stdin) else {
            return Ok(None);
        };
        let folder = tempfile::tempdir().context("cannot make a folder to keep standard input in")?;
        let path = folder.path().join(input.to_string());
        let copied = File::create(&path).and_then(|mut file| io::copy(&mut io::stdin().lock(), &mut file));
        copied.context("cannot keep standard input")?;
        *input = Input::File(path);
        Ok(Some(folder))
    }

    /// The files of the datasets.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let path = |input: &Input| match input {
            Input::File(path) => Some(path.clone()),
            Input::Stdin | Input::Reader(_) => None,
        };
        self.inputs.iter().filter_map(path).collect()
    }
}

/// Gate A.
pub(super) struct ExactConfig {
    pub(super) baseline: PathBuf,
    /// Those of a new baseline; one that exists keeps its own.
    pub(super) terms: BaselineTerms,
}

/// Gate B.
pub(super) struct PairedConfig {
    pub(super) plan: TrialPlan,
    pub(super) leg: Duration,
    max_silence: Duration,
    base: PathBuf,
    head: Option<PathBuf>,
    serving: Serving,
}

/// Budgets.
pub(super) struct BudgetConfig {
    pub(super) limits: Vec<BudgetLimit>,
    pub(super) source: BudgetSource,
}

/// What is held against the budgets.
pub(super) enum BudgetSource {
    /// A record of `bench` or `judge`.
    Record(PathBuf),
    /// A measurement of so many puzzles of each dataset.
    Measure { plan: Plan, sample: u64 },
}

impl GateConfig {
    /// Validates what was typed.
    ///
    /// # Errors
    /// [`UsageError`] where there is nothing to do, or parts of the command line contradict each other.
    pub(super) fn new(
        typed: GateArgs,
        level: Level,
        stop: &Arc<AtomicBool>,
    ) -> Result<GateConfig, UsageError> {
        let GateArgs { datasets, selection, limits, exact, paired, budgets, puzzles, output } = typed;
        let budgets = budget_config(&limits, budgets, &puzzles, stop);
        if exact.baseline.is_none() && paired.base.is_none() && budgets.is_none() {
            let words = "nothing to hold anything against: name a --baseline, a --base binary or a budget in \
                         --limits";
            return Err(UsageError(words.to_owned()));
        }
        let terms = BaselineTerms {
            max_solutions: puzzles.max_solutions.get(),
            max_nodes: puzzles.max_nodes.get(),
            seed: puzzles.seed,
            sample: puzzles.sample.get(),
        };
        let config = GateConfig {
            measured: Measured { inputs: inputs_of(&datasets)?, variants: variants(&selection)?, level },
            update_baseline: exact.update_baseline,
            exact: exact.baseline.map(|baseline| ExactConfig { baseline, terms }),
            paired: paired_config(paired, puzzles, selection, limits.time_percent)?,
            budgets,
            limits,
            output,
        };
        // A line of a baseline is a pair, by the names of its solver and file.
        if let Some(path) = datasets.iter().find(|path| config.exact.is_some() && has_line_end(path)) {
            let words = format!(
                "a baseline cannot name {}: give that file a name without a line end",
                path.display()
            );
            return Err(UsageError(words));
        }
        if config.measured.inputs.is_empty() && (config.exact.is_some() || config.times_something()) {
            return Err(UsageError("name a dataset to measure with".to_owned()));
        }
        Ok(config)
    }

    /// Whether a clock is read, so that a noisy machine matters.
    pub(super) fn times_something(&self) -> bool {
        self.paired.is_some() || self.budgets.as_ref().is_some_and(BudgetConfig::measures)
    }
}

fn has_line_end(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}

fn paired_config(
    typed: PairedArgs,
    puzzles: PuzzleArgs,
    selection: SelectionArgs,
    time_percent: f64,
) -> Result<Option<PairedConfig>, UsageError> {
    let PairedArgs { base, head, min_trials, max_trials, leg, warm_up_time, max_silence } = typed;
    let Some(base) = base else { return Ok(None) };
    if max_trials < min_trials {
        let words = format!("--max-trials {max_trials} is below --min-trials {min_trials}: raise it");
        return Err(UsageError(words));
    }
    let (min_trials, max_trials) = (min_trials.get(), max_trials.get());
    let plan = TrialPlan { min_trials, max_trials, time_percent, seed: puzzles.seed };
    let serving = Serving { puzzles, selection, warm_up_time };
    Ok(Some(PairedConfig { plan, leg, max_silence, base, head, serving }))
}

impl PairedConfig {
    /// The two binaries, each with the words that make it serve these datasets; they are given up where `stop` goes up.
    ///
    /// # Errors
    /// Where the system does not tell the path of this program, which is the head unless another one is named, or lets
    /// nothing be started.
    pub(super) fn binaries(
        &self,
        datasets: &[PathBuf],
        level: Level,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Binaries> {
        let (head, mut words) = match &self.head {
            Some(head) => (head.clone(), Vec::new()),
            None => started::again()?,
        };
        words.extend(self.serving.arguments(datasets, true));
        let pairs = datasets.len() * solver::VARIANTS.len() * MORE_VARIANTS;
        Ok(Binaries {
            base: Launch { binary: self.base.clone(), arguments: self.serving.arguments(datasets, false) },
            head: Launch { binary: head, arguments: words },
            level,
            warm_up: self.serving.warm_up_time.saturating_mul(u32::try_from(pairs).unwrap_or(u32::MAX)),
            silence: self.max_silence,
            children: children(stop)?,
        })
    }
}

/// What both binaries are to serve.
struct Serving {
    puzzles: PuzzleArgs,
    selection: SelectionArgs,
    warm_up_time: Duration,
}

impl Serving {
    /// The words that make a binary serve the gate's pairs. A base that lacks a solver of the head must still start,
    /// so it is asked for all that it has, unless solvers were named.
    fn arguments(&self, datasets: &[PathBuf], is_head: bool) -> Vec<String> {
        let mut words = vec!["serve".to_owned()];
        words.extend(datasets.iter().map(|path| path.display().to_string()));
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        option("--sample", self.puzzles.sample.to_string());
        option("--seed", self.puzzles.seed.to_string());
        option("--max-solutions", self.puzzles.max_solutions.to_string());
        option("--max-nodes", self.puzzles.max_nodes.to_string());
        // What is not warm-up is never used up: passes are asked for one leg at a time.
        let max_time = self.warm_up_time.saturating_mul(WARM_UP_SHARE);
        option("--max-time-per-pair", format!("{}ns", max_time.as_nanos()));
        let SelectionArgs { solvers, include, exclude } = &self.selection;
        let names_all = solvers.iter().any(|name| name == "all");
        let by_name: Vec<String> = match names_all {
            true => Vec::new(),
            false => solvers.iter().map(|name| regex_lite::escape(name)).collect(),
        };
        match (is_head, by_name.is_empty()) {
            (_, true) => (),
            (true, false) => option("--solvers", solvers.join(",")),
            // By pattern, an unknown name is no error.
            (false, false) => option("--include", format!("^({})$", by_name.join("|"))),
        }
        if let Some(pattern) = include.as_ref().filter(|_| is_head || by_name.is_empty()) {
            option("--include", pattern.to_string());
        }
        if let Some(pattern) = exclude.as_ref().map(Regex::to_string) {
            option("--exclude", pattern);
        }
        words
    }
}

/// The budgets among the limits, and what is held against them; `None` without any.
fn budget_config(
    limits: &GateLimits,
    typed: BudgetArgs,
    puzzles: &PuzzleArgs,
    stop: &Arc<AtomicBool>,
) -> Option<BudgetConfig> {
    let source = match typed.record {
        Some(path) => BudgetSource::Record(path),
        None => BudgetSource::Measure {
            plan: Plan {
                // No limit of nodes: a puzzle that takes long is what a budget is there to find.
                question: Question {
                    cancel: Some(Arc::clone(stop)),
                    ..Question::up_to(puzzles.max_solutions)
                },
                budgets: counted_within(&limits.budgets),
                rounds: BUDGET_ROUNDS,
                min_time: Duration::ZERO,
                max_time: typed.max_time_per_pair,
                seed: puzzles.seed,
                keep_puzzles: false,
            },
            sample: puzzles.sample.get(),
        },
    };
    let limits = limits.budgets.clone();
    (!limits.is_empty()).then_some(BudgetConfig { limits, source })
}

impl BudgetConfig {
    fn measures(&self) -> bool {
        matches!(self.source, BudgetSource::Measure { .. })
    }
}

/// The times that puzzles have to be counted within.
fn counted_within(limits: &[BudgetLimit]) -> Vec<Budget> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser as _;

    fn config(words: &[&str]) -> Result<GateConfig, UsageError> {
        let typed = Cli::try_parse_from([&["sudobench", "gate"], words].concat()).unwrap();
        let Command::Gate(typed) = typed.command else { panic!() };
        GateConfig::new(*typed, Level::widest(), &Arc::default())
    }

    /// The words for the base and for the head.
    fn serving(words: &[&str]) -> [String; 2] {
        let config = config(&[&["p.txt", "--base", "b", "--head", "h"], words].concat()).unwrap();
        let (paths, paired) = (config.measured.paths(), config.paired.unwrap());
        [false, true].map(|is_head| paired.serving.arguments(&paths, is_head).join(" "))
    }

    #[test]
    fn both_binaries_are_asked_the_same_of_what_they_have() {
        let asked = "serve p.txt --sample 500 --seed 1 --max-solutions 2 --max-nodes 1000000 \
                     --max-time-per-pair 1000000000ns";
        assert_eq!(serving(&[]), [asked, asked]);
        assert_eq!(serving(&["--solvers", "all", "--warm-up-time", "250ms"]), [asked, asked]);
        let [base, head] = serving(&["--solvers", "mrv,dlx", "--exclude", "x"]);
        assert_eq!(base, format!("{asked} --include ^(mrv|dlx)$ --exclude x"), "an old base may lack one");
        assert_eq!(head, format!("{asked} --solvers mrv,dlx --exclude x"));
    }

    #[test]
    fn what_contradicts_itself_is_told_with_a_remedy() {
        let error = |words: &[&str]| config(words).err().unwrap().to_string();
        for (words, remedy) in [
            (&["p.txt"][..], "name a --baseline, a --base binary or a budget"),
            (&["--base", "b"], "name a dataset"),
            (&["--limits", "max=1s"], "name a dataset"),
            (&["--baseline", "b", "--record", "r", "--limits", "max=1s"], "name a dataset"),
            (
                &["p.txt", "--base", "b", "--max-trials", "5"],
                "--max-trials 5 is below --min-trials 10: raise it",
            ),
            (&["p.txt", "p.txt", "--base", "b"], "p.txt is named twice"),
            (&["-", "-", "--base", "b"], "standard input (`-`) can be read only once"),
            (&["p.txt", "--base", "b", "--solvers", "magic"], "there is no solver `magic`"),
            (&["p\nq", "--baseline", "b"], "without a line end"),
        ] {
            assert!(error(words).contains(remedy), "{words:?}: {}", error(words));
        }
        assert!(config(&["--record", "r", "--limits", "max=1s"]).is_ok());
    }
}
