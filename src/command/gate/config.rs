//! `gate` as typed -> validated.

use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context as _;
use sudobench_rows::Budget;
use sudobench_rows::source::Input;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Question, Variant};

use super::serving::Serving;
use super::trials::Trialling;
use crate::cli::{
    BudgetArgs, ExactArgs, GateArgs, GateCommandArgs, GateEngineArgs, GateOutputArgs, InstructionsFrom,
    Missing, PairedArgs, PuzzleArgs, SelectionArgs,
};
use crate::command::UsageError;
use crate::command::measuring::{
    EngineSetting, commands, inputs_of, load, named_commands, names_variants, prepare_words, supervisor,
    variants,
};
use sudobench_harness::bench::{Binaries, CounterPattern, Dataset, EngineSetup, Launch, Plan};
use sudobench_harness::gate::{AllowMissing, Baseline, BaselineTerms, BudgetLimit, GateLimits, TrialPlan};
use sudobench_harness::process::{NamedCommand, ScratchFolder};
use sudobench_harness::record::registry::INSTRUCTIONS;
use sudobench_harness::record::{BenchRecord, read_stored_file, stored_text};
use sudobench_harness::started;

/// Rounds of a measurement that is made for budgets alone.
const BUDGET_ROUNDS: usize = 5;

/// What is asked where neither the command line nor a baseline says.
const TERMS: BaselineTerms = BaselineTerms { max_solutions: 2, max_nodes: 1_000_000, seed: 1, sample: 500 };

/// Minimum number of full batches that a batch solver is timed on if no sample was typed. With fewer batches, much of the time is the end of a
/// batch, when only a few puzzles are left to solve together.
const BATCHES: u64 = 4;

/// The rise of instructions that callgrind counts which is let through by default, in percent.
const INSTRUCTIONS_PERCENT: f64 = 1.0;

/// A run of `gate`, validated: whatever is wrong below this is the fault of the data, a program or the system.
pub(super) struct GateConfig {
    pub(super) measured: Measured,
    pub(super) limits: GateLimits,
    pub(super) allow_missing: AllowMissing,
    pub(super) exact: Option<ExactConfig>,
    pub(super) paired: Option<PairedConfig>,
    pub(super) builds: Option<BuildsConfig>,
    pub(super) commands: Option<CommandsConfig>,
    pub(super) budgets: Option<BudgetConfig>,
    /// Whether callgrind counts instructions.
    pub(super) uses_callgrind: bool,
    pub(super) output: GateOutputArgs,
}

/// Who answers which puzzles.
pub(super) struct Measured {
    pub(super) inputs: Vec<Input>,
    pub(super) variants: Vec<&'static Variant>,
    pub(super) level: Level,
    pub(super) engines: Vec<Command>,
    pub(super) blank: char,
    /// How long an engine may take for the sample where no clock is read.
    pub(super) max_silence: Duration,
    pub(super) terms: BaselineTerms,
}

/// An engine's command, and how it is talked with.
pub(super) type Command = (NamedCommand, EngineSetup);

impl Measured {
    /// What all engines have in common.
    pub(super) fn engine_setting(&self) -> EngineSetting {
        EngineSetting { blank: self.blank, max_solutions: solutions(self.terms), checks_answers: false }
    }

    /// Keeps standard input, where it is a dataset, in a file of that name: it can be read once, and more than one
    /// reads the datasets. Returns the folder, with which the file goes.
    ///
    /// # Errors
    /// Where standard input cannot be read or the file cannot be written.
    pub(super) fn keep_standard_input(&mut self) -> anyhow::Result<Option<ScratchFolder>> {
        let Some(input) = self.inputs.iter_mut().find(|input| **input == Input::Stdin) else {
            return Ok(None);
        };
        let folder = ScratchFolder::new().context("cannot make a folder to keep standard input in")?;
        let path = folder.path().join(input.to_string());
        let copied = File::create(&path).and_then(|mut file| io::copy(&mut io::stdin().lock(), &mut file));
        copied.context("cannot keep standard input")?;
        *input = Input::File(path);
        Ok(Some(folder))
    }

    /// Takes out the datasets that hold no puzzle, and returns what they are called.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub(super) fn take_empty(&mut self) -> anyhow::Result<Vec<String>> {
        let mut empty = Vec::new();
        for input in std::mem::take(&mut self.inputs) {
            match Dataset::holds_any(&input)? {
                true => self.inputs.push(input),
                // Standard input is kept in a file of that name.
                false => empty.push(match &input {
                    Input::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                    Input::Stdin | Input::Puzzles(_) | Input::Reader(_) => input.to_string(),
                }),
            }
        }
        Ok(empty)
    }

    /// The puzzles of all datasets.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub(super) fn load(&self) -> anyhow::Result<Rc<[Dataset]>> {
        Ok(load(&self.inputs, self.terms.seed, Some(self.terms.sample))?.into())
    }

    /// The files of the datasets.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let path = |input: &Input| match input {
            Input::File(path) => Some(path.clone()),
            Input::Stdin | Input::Puzzles(_) | Input::Reader(_) => None,
        };
        self.inputs.iter().filter_map(path).collect()
    }
}

/// Exact checks against a file.
pub(super) struct ExactConfig {
    pub(super) path: PathBuf,
    /// What the file holds; `None` where there is none yet, and one is to be made.
    pub(super) stored: Option<Baseline>,
    pub(super) update: Option<Update>,
}

/// How a baseline is written.
pub(super) struct Update {
    /// Whether the pairs that are not counted go.
    pub(super) prune: bool,
}

/// Paired checks of two binaries.
#[derive(Clone)]
pub(super) struct PairedConfig {
    pub(super) trialling: Trialling,
    max_silence: Duration,
    base: PathBuf,
    head: Option<PathBuf>,
    serving: Serving,
}

/// Exact and paired checks against old builds of engines.
pub(super) struct BuildsConfig {
    /// The old builds of some of the engines, by their names.
    pub(super) base: Vec<Command>,
    pub(super) trialling: Trialling,
}

/// Exact and paired checks of any programs.
pub(super) struct CommandsConfig {
    /// The old builds, in the order of the new ones.
    pub(super) base: Vec<NamedCommand>,
    pub(super) head: Vec<NamedCommand>,
    /// The words of a command that runs before each run.
    pub(super) prepare: Option<Vec<String>>,
    pub(super) counters: Vec<CounterPattern>,
    pub(super) compares_output: bool,
    pub(super) trialling: Trialling,
    /// The longest run.
    pub(super) max_silence: Duration,
}

/// Budgets.
pub(super) struct BudgetConfig {
    pub(super) limits: Vec<BudgetLimit>,
    pub(super) source: BudgetSource,
}

/// What is held against the budgets.
pub(super) enum BudgetSource {
    /// A record of `bench` or `judge`.
    Record(Box<BenchRecord>),
    /// A measurement.
    Measure(Plan),
}

impl GateConfig {
    /// Validates what was typed, and reads the baseline and the record, which decide what was not.
    ///
    /// # Errors
    /// [`UsageError`] where there is nothing to do, or parts of the command line contradict each other or a file that they name; others
    /// where such a file cannot be read.
    pub(super) fn new(typed: GateArgs, level: Level, stop: &Arc<AtomicBool>) -> anyhow::Result<GateConfig> {
        let GateArgs {
            datasets,
            commands: any_programs,
            selection,
            engines,
            limits,
            allow_missing,
            exact,
            paired,
            budgets,
            puzzles,
            output,
        } = typed;
        let allow_missing = match allow_missing {
            None => AllowMissing::Nothing,
            Some(Missing::Base) => AllowMissing::Base,
            Some(Missing::All) => AllowMissing::All,
        };
        let max_silence = paired.max_silence;
        let uses_callgrind = paired.instructions == Some(InstructionsFrom::Callgrind);
        let limits = match uses_callgrind {
            true => limits.with_default(&INSTRUCTIONS, INSTRUCTIONS_PERCENT),
            false => limits,
        };
        let exact = exact_config(exact)?;
        let terms = terms(&puzzles, exact.as_ref())?;
        let GateEngineArgs { engines, base_engines, engine_protocols, engine_answers, blank } = engines;
        let engines = commands(&engines, &engine_protocols, &engine_answers)?;
        check_engines(&engines, exact.is_some())?;
        let stored =
            exact.as_ref().filter(|exact| exact.update.is_none()).and_then(|exact| exact.stored.as_ref());
        let any_programs = commands_config(any_programs, &paired, terms.seed)?;
        let chosen = if any_programs.is_some() { Vec::new() } else { variants(&selection)? };
        let batch_sample = if puzzles.sample.is_none() { batch_sample(&chosen, level, terms) } else { None };
        let variants = match (names_variants(&selection), engines.is_empty(), stored) {
            (true, _, _) => chosen,
            (false, false, _) => Vec::new(),
            // Where nobody is named, the baseline names who is counted.
            (false, true, Some(stored)) => {
                let is_stored =
                    |variant: &&Variant| stored.pairs.iter().any(|pair| pair.solver == variant.name);
                chosen.into_iter().filter(is_stored).collect()
            }
            (false, true, None) => chosen,
        };
        if variants.is_empty() && engines.is_empty() && names_variants(&selection) {
            let words =
                "no solver is left to measure: choose some with --solvers; `sudobench solvers` lists them";
            return Err(UsageError(words.to_owned()).into());
        }
        if let Some(exact) = exact.as_ref().filter(|_| allow_missing != AllowMissing::All) {
            check_left_out(&selection, exact)?;
        }
        let budgets = budget_config(&limits, budgets, &puzzles, &selection, terms, stop)?;
        let builds = builds_config(&engines, &base_engines, &paired, &terms)?;
        let paired = paired_config(paired, terms, batch_sample, selection)?;
        let config = GateConfig {
            measured: Measured {
                inputs: inputs_of(&datasets)?,
                variants,
                level,
                engines,
                blank,
                max_silence,
                terms,
            },
            limits,
            allow_missing,
            exact,
            paired,
            builds,
            commands: any_programs,
            budgets,
            uses_callgrind,
            output,
        };
        config.check()?;
        // A line of a baseline is a pair, by the names of its solver and file.
        if let Some(path) = datasets.iter().find(|path| config.exact.is_some() && has_line_end(path)) {
            let words = format!(
                "a baseline cannot store the name {}: rename the file, without a line break",
                path.display()
            );
            return Err(UsageError(words).into());
        }
        Ok(config)
    }

    /// Whether everything that was typed has something to be held against.
    fn check(&self) -> Result<(), UsageError> {
        let refuse = |words: String| Err(UsageError(words));
        let Measured { inputs, variants, engines, .. } = &self.measured;
        let has_budgets = self.budgets.is_some();
        let is_paired = self.paired.is_some() || self.builds.is_some() || self.commands.is_some();
        if self.uses_callgrind && !is_paired {
            let words = "--instructions compares two builds: name a --base binary, a --base-engine or a --base-command";
            return refuse(words.to_owned());
        }
        if self.commands.is_some() {
            return match has_budgets {
                true => refuse(
                    "times of single puzzles can't be limited for a --command: leave them out of --limits"
                        .to_owned(),
                ),
                false => Ok(()),
            };
        }
        if self.exact.is_none() && self.paired.is_none() && self.builds.is_none() && !has_budgets {
            let words = "there is nothing to compare with: name a --baseline, a --base binary, a --base-engine, a --command with its \
            --base-command, or a budget in --limits";
            return refuse(words.to_owned());
        }
        let has_base = |name: &str| {
            self.builds.as_ref().is_some_and(|builds| builds.base.iter().any(|(base, _)| base.name == name))
        };
        let measures_budgets = self.budgets.as_ref().is_some_and(BudgetConfig::measures);
        let guarded = self.exact.is_some() || measures_budgets;
        if let Some((engine, _)) = engines.iter().find(|(engine, _)| !guarded && !has_base(&engine.name)) {
            return refuse(format!(
                "there is nothing to compare the engine `{0}` with: name its old build with --base-engine {0}=COMMAND, or a --baseline",
                engine.name
            ));
        }
        if self.paired.is_some() && variants.is_empty() {
            let words = "--base compares built-in solvers: besides the --engine, choose some with --solvers";
            return refuse(words.to_owned());
        }
        let measures = self.exact.is_some() || self.times_something();
        match inputs.first() {
            None if measures => refuse("name a dataset to measure with".to_owned()),
            Some(input) if !measures => refuse(format!(
                "{input} is not used, because --record is checked instead of measuring; leave out one of them"
            )),
            _ => Ok(()),
        }
    }

    /// Whether a clock is read, so that a noisy machine matters.
    pub(super) fn times_something(&self) -> bool {
        self.paired.is_some()
            || self.builds.is_some()
            || self.commands.is_some()
            || self.budgets.as_ref().is_some_and(BudgetConfig::measures)
    }
}

fn has_line_end(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// The baseline, with what its file holds.
fn exact_config(typed: ExactArgs) -> anyhow::Result<Option<ExactConfig>> {
    let ExactArgs { baseline, update_baseline, prune } = typed;
    let Some(path) = baseline else { return Ok(None) };
    let stored = read_stored(&path)?;
    if stored.is_none() && !update_baseline {
        anyhow::bail!("there is no baseline {}: make one with --update-baseline", path.display());
    }
    let update = update_baseline.then_some(Update { prune });
    Ok(Some(ExactConfig { path, stored, update }))
}

/// The baseline of a file; `None` where there is none, or nothing in it.
///
/// # Errors
/// Where it cannot be read or is none.
pub(super) fn read_stored(path: &Path) -> anyhow::Result<Option<Baseline>> {
    let shown = path.display();
    match read_stored_file(path).and_then(stored_text) {
        Ok(text) if text.is_empty() => Ok(None),
        Ok(text) => Ok(Some(text.parse::<Baseline>().map_err(|error| anyhow::anyhow!("{shown}: {error}"))?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(anyhow::Error::new(error).context(format!("cannot read the baseline {shown}"))),
    }
}

/// What is asked: what was typed, else what the baseline says. A baseline that says otherwise would make the counts incomparable.
fn terms(typed: &PuzzleArgs, exact: Option<&ExactConfig>) -> Result<BaselineTerms, UsageError> {
    let baseline = exact.and_then(|exact| Some((&exact.path, exact.stored.as_ref()?.terms)));
    let decide = |option: &str, typed: Option<u64>, of: fn(&BaselineTerms) -> u64| match (typed, baseline) {
        (Some(typed), Some((path, stored))) if typed != of(&stored) => Err(UsageError(format!(
            "{option} {typed} does not fit --baseline {}, which was counted with {option} {}: leave out the option, or remove the file \
             and make it again",
            path.display(),
            of(&stored)
        ))),
        (Some(typed), _) => Ok(typed),
        (None, Some((_, stored))) => Ok(of(&stored)),
        (None, None) => Ok(of(&TERMS)),
    };
    let number = |typed: Option<NonZeroU64>| typed.map(NonZeroU64::get);
    Ok(BaselineTerms {
        max_solutions: decide("--max-solutions", number(typed.max_solutions), |terms| terms.max_solutions)?,
        max_nodes: decide("--max-nodes", number(typed.max_nodes), |terms| terms.max_nodes)?,
        seed: decide("--seed", typed.seed, |terms| terms.seed)?,
        sample: decide("--sample", number(typed.sample), |terms| terms.sample)?,
    })
}

/// Whether a name can stand in a report and a baseline beside those of this program's own solvers.
fn check_engines(engines: &[Command], has_baseline: bool) -> Result<(), UsageError> {
    for (at, (engine, _)) in engines.iter().enumerate() {
        let name = &engine.name;
        if solver::find(name).is_some() || engines[..at].iter().any(|(other, _)| other.name == *name) {
            return Err(UsageError(format!("two solvers are called `{name}`: rename the engine")));
        }
        if has_baseline && name.contains(char::is_whitespace) {
            let words =
                format!("a baseline cannot store the engine name `{name}`: choose a name without spaces");
            return Err(UsageError(words));
        }
    }
    Ok(())
}

/// Whether the names that were typed leave out solvers that the baseline holds, which would guard less than it says.
fn check_left_out(selection: &SelectionArgs, exact: &ExactConfig) -> Result<(), UsageError> {
    let (Some(stored), None) = (&exact.stored, &exact.update) else { return Ok(()) };
    let typed = &selection.solvers;
    if typed.is_empty() || typed.iter().any(|name| name == "all") {
        return Ok(());
    }
    let is_left_out = |name: &str| solver::find(name).is_some() && !typed.iter().any(|other| other == name);
    match stored.pairs.iter().find(|pair| is_left_out(&pair.solver)) {
        None => Ok(()),
        Some(pair) => Err(UsageError(format!(
            "--solvers {} does not fit --baseline {}, which also has {}: name that too, remove it with --update-baseline --prune, or use \
             --allow-missing",
            typed.join(","),
            exact.path.display(),
            pair.solver
        ))),
    }
}

fn trialling(typed: &PairedArgs, seed: u64) -> Result<Trialling, UsageError> {
    let PairedArgs { min_trials, max_trials, leg, .. } = typed;
    if max_trials < min_trials {
        let words = format!("--max-trials {max_trials} is below --min-trials {min_trials}: raise it");
        return Err(UsageError(words));
    }
    let plan = TrialPlan { min_trials: min_trials.get(), max_trials: max_trials.get(), seed };
    Ok(Trialling { plan, leg: *leg })
}

/// Returns how many puzzles of each dataset the batch solvers among the variants are timed on, if that is more than the sample of the terms.
///
/// Exact counts keep the sample of the terms: they have no noise, and a baseline is a text file for git.
fn batch_sample(variants: &[&Variant], level: Level, terms: BaselineTerms) -> Option<u64> {
    let batch_size = |variant: &&Variant| variant.build(level).map_or(1, |solver| solver.batch_size());
    let largest = variants.iter().map(batch_size).filter(|&size| size > 1).max()?;
    Some(BATCHES.saturating_mul(largest as u64)).filter(|&sample| sample > terms.sample)
}

fn paired_config(
    typed: PairedArgs,
    terms: BaselineTerms,
    batch_sample: Option<u64>,
    selection: SelectionArgs,
) -> Result<Option<PairedConfig>, UsageError> {
    let trialling = trialling(&typed, terms.seed)?;
    let PairedArgs { base, head, warm_up_time, max_silence, .. } = typed;
    let Some(base) = base else { return Ok(None) };
    let serving = Serving { terms, batch_sample, selection, warm_up_time };
    Ok(Some(PairedConfig { trialling, max_silence, base, head, serving }))
}

/// The old builds of engines, each talked with as the new one.
fn builds_config(
    engines: &[Command],
    typed: &[String],
    paired: &PairedArgs,
    terms: &BaselineTerms,
) -> Result<Option<BuildsConfig>, UsageError> {
    if typed.is_empty() {
        return Ok(None);
    }
    let mut base = commands(typed, &[], &[])?;
    for (command, setup) in &mut base {
        let head = engines.iter().find(|(engine, _)| engine.name == command.name);
        *setup = head.map_or(*setup, |(_, setup)| *setup);
    }
    for (at, (command, _)) in base.iter().enumerate() {
        let name = &command.name;
        if !engines.iter().any(|(engine, _)| engine.name == *name) {
            let words = format!(
                "--base-engine {name}: there is no engine of that name; name its new build with --engine"
            );
            return Err(UsageError(words));
        }
        if base[..at].iter().any(|(other, _)| other.name == *name) {
            return Err(UsageError(format!("--base-engine {name} occurs twice")));
        }
    }
    Ok(Some(BuildsConfig { base, trialling: trialling(paired, terms.seed)? }))
}

/// The two builds of each command, and what is compared of them.
fn commands_config(
    typed: GateCommandArgs,
    paired: &PairedArgs,
    seed: u64,
) -> Result<Option<CommandsConfig>, UsageError> {
    let GateCommandArgs { commands, base_commands, counters, same_output, prepare } = typed;
    if commands.is_empty() {
        return Ok(None);
    }
    let (head, old) = (named_commands(&commands)?, named_commands(&base_commands)?);
    let of_name = |commands: &[NamedCommand], name: &str| commands.iter().find(|it| it.name == name).cloned();
    if let Some(NamedCommand { name, .. }) = old.iter().find(|base| of_name(&head, &base.name).is_none()) {
        let words = format!(
            "--base-command {name}: there is no command of that name; name its new build with --command"
        );
        return Err(UsageError(words));
    }
    let base = head.iter().map(|command| {
        let name = &command.name;
        let words = format!("there is nothing to compare the command `{name}` with: name its old build with --base-command {name}=COMMAND");
        of_name(&old, name).ok_or(UsageError(words))
    });
    for (at, CounterPattern { name, .. }) in counters.iter().enumerate() {
        if counters[..at].iter().any(|other| other.name == *name)
            || ["output", "alone", INSTRUCTIONS.limit_name()].contains(&name.as_str())
        {
            return Err(UsageError(format!(
                "the counter `{name}` needs another name, because this one is already used"
            )));
        }
    }
    Ok(Some(CommandsConfig {
        base: base.collect::<Result<_, _>>()?,
        head,
        prepare: prepare_words(prepare.as_deref())?,
        counters,
        compares_output: same_output,
        trialling: trialling(paired, seed)?,
        max_silence: paired.max_silence,
    }))
}

impl PairedConfig {
    /// The two binaries as they serve a single pair, whose warm-up lasts until all puzzles are answered: all of its sample, or so many.
    ///
    /// # Errors
    /// As [`PairedConfig::binaries`].
    pub(super) fn binaries_of_pair(
        &self,
        solver: &str,
        dataset: &Path,
        sample: Option<u64>,
        level: Level,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Binaries> {
        let mut of_pair = self.clone();
        let serving = &mut of_pair.serving;
        serving.selection = SelectionArgs { solvers: vec![solver.to_owned()], include: None, exclude: None };
        serving.warm_up_time = self.max_silence;
        if let Some(sample) = sample {
            (serving.terms.sample, serving.batch_sample) = (sample, None);
        }
        of_pair.binaries(&[dataset.to_owned()], level, stop)
    }

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
        Ok(Binaries {
            base: Launch { binary: self.base.clone(), arguments: self.serving.arguments(datasets, false) },
            head: Launch { binary: head, arguments: words },
            level,
            single_sample: self.serving.single_sample(),
            warm_up: self.serving.warm_up_of_all(datasets.len()),
            silence: self.max_silence,
            supervisor: supervisor(stop)?,
        })
    }
}

/// The budgets among the limits, and what is held against them; `None` without any.
fn budget_config(
    limits: &GateLimits,
    typed: BudgetArgs,
    puzzles: &PuzzleArgs,
    selection: &SelectionArgs,
    terms: BaselineTerms,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Option<BudgetConfig>> {
    let source = match typed.record {
        Some(path) => {
            let record = BenchRecord::read(&path)?;
            check_record(&path, &record, puzzles, selection)?;
            if limits.budgets.is_empty() {
                let words =
                    "there is nothing to check in the --record: write a budget such as p99=80ms in --limits";
                return Err(UsageError(words.to_owned()).into());
            }
            BudgetSource::Record(Box::new(record))
        }
        None => BudgetSource::Measure(Plan {
            // No limit of nodes: a puzzle that takes long is what a budget is there to find.
            question: Question { cancel: Some(Arc::clone(stop)), ..Question::up_to(solutions(terms)) },
            budgets: counted_within(&limits.budgets),
            rounds: BUDGET_ROUNDS,
            min_time: Duration::ZERO,
            max_time: typed.max_time_per_pair,
            warm_up_limit: "the warm-up's share of --max-time-per-pair",
            check_time: Duration::ZERO,
            fresh_forms: false,
            seed: terms.seed,
            times_single_puzzles: false,
            lists_puzzles: false,
            keep_puzzles: false,
            single_sample: None,
        }),
    };
    let limits = limits.budgets.clone();
    Ok((!limits.is_empty()).then_some(BudgetConfig { limits, source }))
}

/// The solutions after which a search stops.
pub(super) fn solutions(terms: BaselineTerms) -> NonZeroU64 {
    NonZeroU64::new(terms.max_solutions).unwrap_or(NonZeroU64::MIN)
}

/// Whether the record was measured as was typed: what it says of other puzzles or solvers would be taken for an answer.
fn check_record(
    path: &Path,
    record: &BenchRecord,
    puzzles: &PuzzleArgs,
    selection: &SelectionArgs,
) -> Result<(), UsageError> {
    let shown = |count: Option<u64>| count.map_or("none".to_owned(), |count| count.to_string());
    let number = |typed: Option<NonZeroU64>| typed.map(NonZeroU64::get);
    let max_solutions = record.pairs.first().map(|pair| pair.max_solutions);
    for (option, typed, recorded) in [
        ("--sample", number(puzzles.sample), record.settings.sample),
        ("--max-nodes", number(puzzles.max_nodes), record.settings.max_nodes),
        ("--max-solutions", number(puzzles.max_solutions), max_solutions),
        ("--seed", puzzles.seed, Some(record.seed)),
    ] {
        if let Some(typed) = typed.filter(|_| typed != recorded) {
            return Err(UsageError(format!(
                "{option} {typed} does not fit --record {}, which was measured with {}: leave out the option, or measure again",
                path.display(),
                shown(recorded)
            )));
        }
    }
    let names = &selection.solvers;
    let recorded = |name: &String| record.pairs.iter().any(|pair| pair.solver == *name);
    let is_left_out = |name: &str| !names.is_empty() && !names.iter().any(|other| other == name);
    let left_out = record.pairs.iter().find(|pair| is_left_out(&pair.solver)).map(|pair| &pair.solver);
    match names.iter().find(|name| !recorded(name)).or(left_out) {
        None => Ok(()),
        Some(name) => Err(UsageError(format!(
            "--solvers {} does not fit --record {}, because {name} differs: all solvers of a record are checked; leave out the option, or \
             measure again",
            names.join(","),
            path.display()
        ))),
    }
}

impl BudgetConfig {
    /// Whether it measures, instead of reading a record.
    pub(super) fn measures(&self) -> bool {
        matches!(self.source, BudgetSource::Measure(_))
    }
}

/// The times that puzzles have to be counted within.
fn counted_within(limits: &[BudgetLimit]) -> Vec<Budget> {
    let mut budgets: Vec<Budget> = limits
        .iter()
        .filter_map(|limit| match limit {
            BudgetLimit::Within { limit, .. } => Some(Budget { origin: "", limit: *limit }),
            BudgetLimit::AtMost { .. } => None,
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

    fn config(words: &[&str]) -> anyhow::Result<GateConfig> {
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
                     --max-time-per-pair 8000000000ns";
        let asked_for_batches = asked.replace("500", &batches("auto").to_string());
        let asked_for_batches = [asked_for_batches.as_str(); 2];
        assert_eq!(serving(&[]), asked_for_batches);
        assert_eq!(serving(&["--solvers", "all", "--warm-up-time", "2s"]), asked_for_batches);
        let [base, head] = serving(&["--solvers", "mrv,dlx", "--exclude", "x"]);
        assert_eq!(base, format!("{asked} --include ^(mrv|dlx)$ --exclude x"), "an old base may lack one");
        assert_eq!(head, format!("{asked} --solvers mrv,dlx --exclude x"));
    }

    /// Number of puzzles in the batches that a solver is timed on.
    fn batches(solver: &str) -> u64 {
        let solver = solver::find(solver).unwrap().build(Level::widest()).unwrap();
        BATCHES * solver.batch_size() as u64
    }

    #[test]
    fn batch_solvers_are_timed_on_full_batches_and_others_on_the_same_puzzles_as_before() {
        let (_folder, baseline, _) = files();
        // The number for all, and that for the solvers that solve one by one, if it is another.
        let samples = |words: &[&str]| {
            let config = config(&[&["p.txt", "--base", "b"], words].concat()).unwrap();
            let (counted, serving) = (config.measured.terms.sample, config.paired.unwrap().serving);
            let arguments = serving.arguments(&[], true);
            let at = arguments.iter().position(|word| word == "--sample").unwrap();
            (counted, arguments[at + 1].parse::<u64>().unwrap(), serving.single_sample())
        };
        for variant in solver::VARIANTS {
            let of_batches = batches(variant.name);
            let expected = match of_batches > BATCHES {
                true => (500, of_batches, Some(500)),
                false => (500, 500, None),
            };
            assert_eq!(samples(&["--solvers", variant.name]), expected, "{}", variant.name);
        }
        assert_eq!(samples(&["--solvers", "mrv,bitslice"]), (500, batches("bitslice"), Some(500)));
        assert_eq!(samples(&["--exclude", "auto|bitslice"]), (500, 500, None));
        // What was typed holds for all.
        assert_eq!(samples(&["--sample", "20"]), (20, 20, None));
        assert_eq!(samples(&["--sample", "100k", "--solvers", "bitslice"]), (100_000, 100_000, None));
        // The sample of a baseline decides what is counted.
        assert_eq!(samples(&["--baseline", &baseline]), (500, batches("auto"), Some(500)));
        let text = std::fs::read_to_string(&baseline).unwrap();
        for (stored, all, single) in [(20, batches("auto"), Some(20)), (1_000_000, 1_000_000, None)] {
            std::fs::write(&baseline, text.replace("sample=500", &format!("sample={stored}"))).unwrap();
            assert_eq!(samples(&["--baseline", &baseline]), (stored, all, single));
        }
    }

    /// A folder with a baseline of `mrv` and `dlx` on p.txt and a record of some measurement.
    fn files() -> (tempfile::TempDir, String, String) {
        let folder = tempfile::tempdir().unwrap();
        let [baseline, record] = ["b.txt", "r.json"].map(|name| folder.path().join(name));
        let pair = |solver: &str| format!("pair {solver} p.txt puzzles=1 sha256=aa\nu1:51/1:4c5e72\n");
        let question = "question max_solutions=2 max_nodes=7 seed=3 sample=500";
        let text = format!("# sudobench baseline 2\n{question}\n{}{}", pair("mrv"), pair("dlx"));
        std::fs::write(&baseline, text).unwrap();
        std::fs::write(&record, include_str!("../../../tests/harness/golden/bench.json")).unwrap();
        let [baseline, record] = [baseline, record].map(|path| path.to_str().unwrap().to_owned());
        (folder, baseline, record)
    }

    #[test]
    fn what_contradicts_itself_is_told_with_a_remedy() {
        let (_folder, baseline, record) = files();
        let (b, r) = (baseline.as_str(), record.as_str());
        let error = |words: &[&str]| format!("{:#}", config(words).err().unwrap());
        for (words, remedy) in [
            (&["p.txt"][..], "name a --baseline, a --base binary, a --base-engine, a --command"),
            (&["--base", "b"], "name a dataset"),
            (&["--limits", "max=1s"], "name a dataset"),
            (&["--baseline", b, "--record", r, "--limits", "max=1s"], "name a dataset"),
            (
                &["p.txt", "--base", "b", "--max-trials", "5"],
                "--max-trials 5 is below --min-trials 10: raise it",
            ),
            (&["p.txt", "p.txt", "--base", "b"], "p.txt is named twice"),
            (&["-", "-", "--base", "b"], "standard input (`-`) can be read only once"),
            (&["p.txt", "--base", "b", "--solvers", "magic"], "there is no solver `magic`"),
            (&["p\nq", "--baseline", b], "without a line break"),
            (
                &["p.txt", "--baseline", "no-such"],
                "there is no baseline no-such: make one with --update-baseline",
            ),
            (&["p.txt", "--baseline", b, "--sample", "20"], "--sample 20 does not fit --baseline "),
            (
                &["p.txt", "--baseline", b, "--sample", "20"],
                "b.txt, which was counted with --sample 500: leave",
            ),
            (&["p.txt", "--baseline", b, "--max-nodes", "8"], "counted with --max-nodes 7"),
            (&["p.txt", "--baseline", b, "--seed", "1", "--update-baseline"], "counted with --seed 3"),
            (&["p.txt", "--baseline", b, "--solvers", "mrv"], "b.txt, which also has dlx: name that too"),
            (&["--record", r], "write a budget such as p99=80ms"),
            (&["p.txt", "--record", r, "--limits", "max=1s"], "p.txt is not used"),
            (
                &["--record", r, "--limits", "max=1s", "--max-nodes", "9"],
                "--max-nodes 9 does not fit --record ",
            ),
            (&["--record", r, "--limits", "max=1s", "--solvers", "mrv"], "because bitslice differs"),
            (&["p.txt", "--engine", "e=cat", "--limits", "nodes=0%"], "there is nothing to compare with"),
            (
                &["p.txt", "--engine", "e=cat", "--base", "b"],
                "name its old build with --base-engine e=COMMAND",
            ),
            (
                &["p.txt", "--engine", "e=cat", "--base-engine", "e=cat", "--base", "b"],
                "besides the --engine, choose some with --solvers",
            ),
            (
                &["p.txt", "--engine", "e=cat", "--base-engine", "f=cat"],
                "--base-engine f: there is no engine of that name",
            ),
            (
                &["p.txt", "--engine", "e=cat", "--base-engine", "e=cat", "--base-engine", "e=cat"],
                "--base-engine e occurs twice",
            ),
            (
                &["p.txt", "--engine", "mrv=cat", "--base-engine", "mrv=cat"],
                "two solvers are called `mrv`: rename",
            ),
            (&["p.txt", "--engine", "a b=cat", "--baseline", b], "choose a name without spaces"),
            (&["p.txt", "--engine", "e=", "--base-engine", "e=cat"], "has no command"),
            (&["p.txt", "--baseline", b, "--include", "zzz"], "no solver is left to measure"),
            (
                &["--command", "c=cat", "--base-command", "d=cat"],
                "--base-command d: there is no command of that name",
            ),
            (
                &["--command", "c=cat", "--command", "d=cat", "--base-command", "c=cat"],
                "there is nothing to compare the command `d` with: name its old build with --base-command d=COMMAND",
            ),
            (
                &["--command", "c=cat", "--base-command", "c=cat", "--base-command", "c=tac"],
                "two commands are called `c`",
            ),
            (&["--command", "c='", "--base-command", "c=cat"], "has no command"),
            (
                &["--command", "c=cat", "--base-command", "c=cat", "--prepare", "'"],
                "--prepare `'` is not a command",
            ),
            (
                &["--command", "c=cat", "--base-command", "c=cat", "--counter", "output=(1)"],
                "the counter `output` needs another name",
            ),
            (
                &["p.txt", "--baseline", b, "--instructions", "callgrind"],
                "--instructions compares two builds: name a --base binary",
            ),
            (
                &["--command", "c=cat", "--base-command", "c=cat", "--limits", "p99=1s"],
                "times of single puzzles can't be limited for a --command",
            ),
        ] {
            assert!(error(words).contains(remedy), "{words:?}: {}", error(words));
        }
        assert!(config(&["--record", r, "--limits", "max=1s"]).is_ok());
        assert!(config(&["p.txt", "--baseline", b, "--solvers", "mrv", "--allow-missing"]).is_ok());
        assert!(config(&["p.txt", "--baseline", b, "--solvers", "mrv", "--update-baseline"]).is_ok());
    }

    /// What only concerns puzzles has no meaning for a command.
    #[test]
    fn commands_refuse_the_options_of_puzzles() {
        let refused = |words: &[&str]| {
            let commands = ["sudobench", "gate", "--command", "c=cat", "--base-command", "c=cat"];
            Cli::try_parse_from([&commands[..], words].concat()).err().map(|error| error.to_string())
        };
        assert_eq!(
            refused(&["--same-output", "--seed", "7", "--counter", "n=n=([0-9])", "--prepare", "true"]),
            None
        );
        for (words, remedy) in [
            (&["p.txt"][..], "cannot be used with"),
            (&["--base", "b"], "cannot be used with"),
            (&["--engine", "e=cat"], "cannot be used with"),
            (&["--solvers", "mrv"], "cannot be used with"),
            (&["--baseline", "b"], "cannot be used with"),
            (&["--record", "r"], "cannot be used with"),
            (&["--sample", "7"], "cannot be used with"),
            (&["--counter", "n"], "`n` is not a counter: write NAME='REGEX'"),
            (&["--counter", "n=[0-9]+"], "has no group: put the number in parentheses"),
            (&["--counter", "n=("], "the counter `n`: "),
        ] {
            assert!(
                refused(words).is_some_and(|error| error.contains(remedy)),
                "{words:?}: {:?}",
                refused(words)
            );
        }
    }

    #[test]
    fn a_baseline_decides_what_is_not_typed() {
        let (_folder, baseline, _) = files();
        let terms = |words: &[&str]| config(words).unwrap().measured.terms;
        let with = ["p.txt", "--baseline", &baseline, "--sample", "500"];
        assert_eq!(terms(&with), BaselineTerms { max_solutions: 2, max_nodes: 7, seed: 3, sample: 500 });
        assert_eq!(terms(&["p.txt", "--base", "b", "--sample", "9"]), BaselineTerms { sample: 9, ..TERMS });
    }

    #[test]
    fn engines_stand_alone_where_no_solver_is_named() {
        let gated = |words: &[&str]| {
            let typed =
                ["p.txt", "--engine", "e=cat", "--base-engine", "e=tac", "--engine-protocol", "e=files"];
            let config = config(&[&typed[..], words].concat()).unwrap();
            let base = config.builds.unwrap().base;
            assert_eq!(
                (base[0].0.text.as_str(), base[0].1.protocol),
                ("tac", sudobench_harness::bench::EngineProtocol::Files)
            );
            config.measured.variants.len()
        };
        assert_eq!((gated(&[]), gated(&["--solvers", "mrv,dlx"])), (0, 2));
    }

    #[test]
    fn a_baseline_names_who_is_counted_where_nobody_else_is_named() {
        let (_folder, baseline, _) = files();
        let counted = |words: &[&str]| -> Vec<&str> {
            let config = config(&[&["p.txt", "--baseline", &baseline], words].concat()).unwrap();
            config.measured.variants.iter().map(|variant| variant.name).collect()
        };
        assert_eq!(counted(&[]), ["mrv", "dlx"]);
        assert_eq!(counted(&["--solvers", "mrv,dlx,bitboard"]), ["mrv", "dlx", "bitboard"]);
        assert!(counted(&["--update-baseline"]).len() > 2, "a new one may get them all");
    }
}
