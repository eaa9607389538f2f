//! Makes contestants, datasets and the question (the task for each puzzle and its limits) from the command line, from a request of another
//! process, or from a contest. Also writes the exports that `bench` and `judge` share.

use std::fmt;
use std::io::Write as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sudobench_rows::source::Input;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Class, Question, Variant};

use super::export::{Exports, Kind};
use super::{UsageError, first_error};
use crate::cli::{BenchArgs, BenchOutputArgs, EngineUseArgs, MeasuringArgs, QuestionArgs, SelectionArgs};
use sudobench_harness::bench::{
    self, Contestant, Dataset, Engine, EngineSetup, InProcess, Plan, RequestedEngine, RunRequest, Selection,
    TooHard, disambiguate, engine_setups,
};
use sudobench_harness::process::{Fault, NamedCommand, Supervisor};
use sudobench_harness::record::{BenchRecord, ContestantSpec, write_json};
use sudobench_harness::report;

/// The prepared parts of a measurement, such as contestants, datasets and plan.
pub(super) struct Prepared {
    pub(super) contestants: Vec<Box<dyn Contestant>>,
    pub(super) datasets: Vec<Dataset>,
    pub(super) plan: Plan,
    pub(super) sample: Option<u64>,
    pub(super) output: BenchOutputArgs,
    pub(super) left_out: Option<LeftOutVariants>,
    /// Number of runs that are made in new processes, and the request that each process gets. `None`: there is one run, in this process.
    pub(super) runs: Option<(NonZeroUsize, RunRequest)>,
}

/// The names and commands of the contestants, from which this or another process can build them.
pub(super) struct ContestantNames {
    variants: Vec<&'static Variant>,
    engines: Vec<(NamedCommand, EngineSetup)>,
    blank: char,
    threads: NonZeroUsize,
}

impl ContestantNames {
    /// Returns the names and commands of the contestants of a request.
    ///
    /// # Errors
    /// [`UsageError`] if this program doesn't know one of the contestants, or if a command, a protocol or a kind of answers isn't valid.
    pub(super) fn from_request(request: &RunRequest) -> Result<ContestantNames, UsageError> {
        let selection = Selection { names: request.solvers.clone(), ..Selection::default() };
        let engine = |engine: &RequestedEngine| Ok((engine.command.parse()?, engine.setup()?));
        Ok(ContestantNames {
            variants: selection.variants().map_err(usage)?,
            engines: request.engines.iter().map(engine).collect::<Result<_, _>>().map_err(usage)?,
            blank: request.blank,
            threads: request.threads,
        })
    }

    /// Returns the names of the contestants of a contest. Each contestant uses one thread. External programs read blank cells as `.`.
    ///
    /// # Errors
    /// [`UsageError`] if this program doesn't know one of the contestants, or if a command or protocol isn't valid.
    pub(super) fn from_contest(specs: &[ContestantSpec]) -> Result<ContestantNames, UsageError> {
        let mut names = ContestantNames {
            variants: Vec::new(),
            engines: Vec::new(),
            blank: '.',
            threads: NonZeroUsize::MIN,
        };
        for contestant in specs {
            match contestant.command.as_ref().zip(contestant.protocol()) {
                None => names.variants.push(bench::variant_named(&contestant.name).map_err(usage)?),
                Some((command, protocol)) => {
                    let command: NamedCommand =
                        format!("{}={command}", contestant.name).parse().map_err(usage)?;
                    let protocol = protocol.parse().map_err(|Fault(fault)| {
                        UsageError(format!(
                            "contestant `{}`: protocol `{protocol}`: {fault}",
                            contestant.name
                        ))
                    })?;
                    names.engines.push((command, EngineSetup { protocol, answers: contestant.answers }));
                }
            }
        }
        Ok(names)
    }

    fn name_in(&self, request: &mut RunRequest) {
        let variants = self.variants.iter().map(|variant| variant.name);
        let nobody = self.variants.is_empty().then_some("none");
        request.solvers = variants.chain(nobody).map(str::to_owned).collect();
        let engines = self.engines.iter();
        request.engines = engines.map(|(command, setup)| RequestedEngine::new(command, *setup)).collect();
        request.blank = self.blank;
    }

    /// Builds the contestants: first the built-in solvers (`variants`), then the engines.
    ///
    /// # Errors
    /// [`UsageError`] if a command does not suit its protocol. Other errors if the CPU does not support the SIMD level, or if `supervisor`
    /// is unable to start programs.
    pub(super) fn contestants(
        &self,
        level: Level,
        plan: &Plan,
        supervisor: &Arc<Supervisor>,
    ) -> anyhow::Result<Vec<Box<dyn Contestant>>> {
        let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
        for variant in &self.variants {
            let question = plan.question.clone();
            contestants.push(Box::new(InProcess::new(variant, level, self.threads.get(), question)?));
        }
        let Question { max_solutions, max_time, .. } = plan.question;
        let setting = EngineSetting { blank: self.blank, max_solutions, checks_answers: true };
        contestants.extend(contestants_of(&self.engines, setting, max_time, supervisor)?);
        Ok(contestants)
    }

    /// Checks that there is a contestant, and that all names are different.
    fn check(&self) -> Result<(), UsageError> {
        if self.variants.is_empty() && self.engines.is_empty() {
            let message =
                "no solver is left to measure: choose some with --solvers; `sudobench solvers` lists them";
            return Err(UsageError(message.to_owned()));
        }
        let engines = self.engines.iter().map(|(command, _)| command.name.as_str());
        let mut seen: Vec<&str> = Vec::new();
        for name in self.variants.iter().map(|variant| variant.name).chain(engines) {
            if seen.contains(&name) {
                return Err(UsageError(format!(
                    "the name `{name}` occurs twice among the solvers and engines: rename an engine"
                )));
            }
            seen.push(name);
        }
        Ok(())
    }
}

/// The naive solvers that are left out, and the reason: a puzzle that is too hard for the first of them.
pub(super) struct LeftOutVariants {
    names: Vec<&'static str>,
    puzzle: TooHard,
}

impl fmt::Display for LeftOutVariants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (names, puzzle) = (self.names.join(", "), &self.puzzle);
        write!(
            f,
            "solvers that may take minutes are left out: {names} ({puzzle}); --solvers all includes these solvers; "
        )?;
        write!(f, "--max-nodes and --max-time-per-puzzle limit the search for each puzzle")
    }
}

impl Prepared {
    /// Validates the command line and loads the datasets. The measurement ends as soon as the interrupt flag of `supervisor` is set.
    pub(super) fn new(
        typed: BenchArgs,
        level: Level,
        supervisor: &Arc<Supervisor>,
    ) -> anyhow::Result<Prepared> {
        let BenchArgs { datasets, contestants, measuring, question, output, export_puzzles, .. } = typed;
        let plan = plan_of(&measuring, &question, output.keep_puzzles, supervisor.interrupt_flag());
        let plan = Plan { lists_puzzles: export_puzzles.is_some(), ..plan };
        let sample = measuring.sample.map(u64::from);
        // If --engine is used and no solvers are selected, only one built-in solver is measured: the default solver. The author of an
        // engine usually wants to compare the engine with one solver of this program, not with all of them.
        let variants = match contestants.engines.is_empty() || names_variants(&contestants.selection) {
            true => variants(&contestants.selection)?,
            false => vec![solver::default_variant()],
        };
        let mut names = ContestantNames {
            variants,
            engines: commands(&contestants.engines, Some(&contestants.engine_use))?,
            blank: contestants.engine_use.blank,
            threads: measuring.threads,
        };
        names.check()?;
        let mut datasets = load(&inputs_of(&datasets)?, plan.seed, sample)?;
        let mut runs = (measuring.runs.get() > 1).then(|| {
            let mut request = RunRequest::new(level.name(), measuring.threads, &plan, &datasets);
            request.isomorphs = measuring.isomorphs;
            (measuring.runs, request)
        });
        if let Some(isomorphs) = measuring.isomorphs {
            let forms = datasets.into_iter().map(|dataset| dataset.into_forms(isomorphs, plan.seed));
            datasets = forms.collect::<Result<_, _>>()?;
        }
        let left_out =
            leave_out(&mut names.variants, &contestants.selection, &plan.question, &datasets, level)?;
        names.check().map_err(|error| match &left_out {
            Some(left_out) => UsageError(format!("{error}; {left_out}")),
            None => error,
        })?;
        if let Some((_, request)) = &mut runs {
            names.name_in(request);
        }
        let contestants = names.contestants(level, &plan, supervisor)?;
        Ok(Prepared { contestants, datasets, plan, sample, output, left_out, runs })
    }
}

/// Returns the plan from the typed options. If `--budgets` names a problem of the judge, the default question is the question of this
/// problem: to find one solution, without a proof that there is no other.
fn plan_of(
    measuring: &MeasuringArgs,
    asked: &QuestionArgs,
    keep_puzzles: bool,
    stop: &Arc<AtomicBool>,
) -> Plan {
    let question = Question {
        max_nodes: asked.max_nodes.map(NonZeroU64::get),
        max_time: asked.max_time_per_puzzle,
        cancel: Some(Arc::clone(stop)),
        ..asked.budgets.question(asked.max_solutions)
    };
    Plan {
        budgets: asked.budgets.list.clone(),
        rounds: measuring.rounds.get(),
        min_time: measuring.min_time,
        check_time: measuring.check_time,
        seed: measuring.seed,
        // With --isomorphs, the same isomorphs of each puzzle are measured in each round, so no new isomorphs are drawn.
        fresh_forms: !measuring.same_puzzles && measuring.isomorphs.is_none(),
        times_single_puzzles: true,
        keep_puzzles,
        ..Plan::new(question, measuring.max_time_per_pair)
    }
}

/// Returns whether an option chooses built-in solvers: `--solvers`, `--include` or `--exclude`.
pub(super) fn names_variants(selection: &SelectionArgs) -> bool {
    !selection.solvers.is_empty() || selection.include.is_some() || selection.exclude.is_some()
}

pub(super) fn variants(typed: &SelectionArgs) -> Result<Vec<&'static Variant>, UsageError> {
    let SelectionArgs { solvers, include, exclude } = typed;
    let selection = Selection { names: solvers.clone(), include: include.clone(), exclude: exclude.clone() };
    selection.variants().map_err(usage)
}

/// The common settings of all engines of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct EngineSetting {
    /// Character that stands for a blank cell in the puzzles that engines read.
    pub(super) blank: char,
    /// Number of solutions after which the search stops.
    pub(super) max_solutions: NonZeroU64,
    /// Whether engines must solve some probe puzzles before their warm-up. The answers show which kind of answers an engine gives. If the
    /// user stated another kind, the record says so.
    pub(super) checks_answers: bool,
}

/// Returns the commands of engines with their protocols and kinds of answers, as typed or by default.
///
/// # Errors
///
/// [`UsageError`] if a command can't be parsed, or if a protocol or a kind of answers is given twice or for an unknown engine.
pub(super) fn commands(
    engines: &[String],
    typed: Option<&EngineUseArgs>,
) -> Result<Vec<(NamedCommand, EngineSetup)>, UsageError> {
    let (protocols, answers) =
        typed.map_or((&[][..], &[][..]), |typed| (&typed.engine_protocols, &typed.engine_answers));
    let commands = engines.iter().map(|text| text.parse::<NamedCommand>());
    let commands: Vec<NamedCommand> = commands.collect::<Result<_, _>>().map_err(usage)?;
    let setups = engine_setups(&commands, protocols, answers).map_err(usage)?;
    Ok(commands.into_iter().zip(setups).collect())
}

/// Parses commands of the form `NAME=COMMAND`.
///
/// # Errors
/// [`UsageError`] if a command can't be parsed, or if two commands have the same name.
pub(super) fn named_commands(typed: &[String]) -> Result<Vec<NamedCommand>, UsageError> {
    let mut commands: Vec<NamedCommand> = Vec::with_capacity(typed.len());
    for text in typed {
        let command = text.parse::<NamedCommand>().map_err(usage)?;
        if commands.iter().any(|other| other.name == command.name) {
            return Err(UsageError(format!(
                "two commands are called `{}`: rename one of them, or leave it out",
                command.name
            )));
        }
        commands.push(command);
    }
    Ok(commands)
}

/// Splits the value of `--prepare`, which is a command, into words.
///
/// # Errors
/// [`UsageError`] if the command can't be parsed.
pub(super) fn prepare_command(typed: Option<&str>) -> Result<Option<Vec<String>>, UsageError> {
    let parse = |text: &str| {
        let argv = shell_words::split(text).ok().filter(|argv| !argv.is_empty());
        argv.ok_or_else(|| {
            let why = "it has no word, or a quote is not closed";
            UsageError(format!("--prepare `{text}` is not a command: {why}"))
        })
    };
    typed.map(parse).transpose()
}

/// Returns the engines as contestants. `supervisor` starts their programs.
///
/// # Errors
/// [`UsageError`] if a command does not suit its protocol. Another error if `supervisor` is unable to start programs.
pub(super) fn contestants_of(
    commands: &[(NamedCommand, EngineSetup)],
    setting: EngineSetting,
    max_time: Option<Duration>,
    supervisor: &Arc<Supervisor>,
) -> anyhow::Result<Vec<Box<dyn Contestant>>> {
    let EngineSetting { blank, max_solutions, checks_answers } = setting;
    if !commands.is_empty() {
        supervisor.make_ready()?;
    }
    let engines = commands.iter().map(|(command, setup)| {
        let engine = Engine::new(command.clone(), setup.protocol, blank, max_time, supervisor);
        let engine = engine.and_then(|engine| engine.answering(setup.answers, max_solutions, checks_answers));
        let engine = engine.map_err(usage)?;
        Ok(Box::new(engine) as Box<dyn Contestant>)
    });
    engines.collect()
}

fn usage(fault: Fault) -> UsageError {
    UsageError(fault.to_string())
}

/// Leaves the naive solvers out if the first naive solver needs too many nodes for one of the first puzzles of a dataset. If `--solvers` or
/// `--include` is used, or if there is a limit per puzzle, leaves out nothing. The decision depends on the number of nodes, not on the
/// time, so the same command measures the same solvers on every machine.
fn leave_out(
    variants: &mut Vec<&'static Variant>,
    typed: &SelectionArgs,
    question: &Question,
    datasets: &[Dataset],
    level: Level,
) -> Result<Option<LeftOutVariants>, Fault> {
    let is_naive = |variant: &Variant| variant.class == Class::Naive;
    let asked_for = !typed.solvers.is_empty() || typed.include.is_some();
    let has_limit = question.max_nodes.is_some() || question.max_time.is_some();
    let Some(&naive) = variants.iter().find(|variant| is_naive(variant) && !asked_for && !has_limit) else {
        return Ok(None);
    };
    let Some(puzzle) = bench::too_hard(naive, level, datasets, question)? else { return Ok(None) };
    let names = variants.iter().filter(|variant| is_naive(variant)).map(|variant| variant.name).collect();
    variants.retain(|variant| !is_naive(variant));
    Ok(Some(LeftOutVariants { names, puzzle }))
}

/// Returns the inputs for the datasets that the user named; `-` is standard input.
///
/// # Errors
///
/// [`UsageError`] if a dataset is named twice.
pub(super) fn inputs_of(paths: &[PathBuf]) -> Result<Vec<Input>, UsageError> {
    for (at, path) in paths.iter().enumerate() {
        if paths[..at].contains(path) {
            return Err(UsageError(match path.as_os_str() == "-" {
                true => {
                    "standard input (`-`) can be read only once: name files for the other datasets".to_owned()
                }
                false => format!("{} is named twice: leave one out", path.display()),
            }));
        }
    }
    let input = |path: &PathBuf| match path.as_os_str() == "-" {
        true => Input::Stdin,
        false => Input::File(path.clone()),
    };
    Ok(paths.iter().map(input).collect())
}

pub(super) fn load(inputs: &[Input], seed: u64, sample: Option<u64>) -> anyhow::Result<Vec<Dataset>> {
    let mut datasets = Vec::with_capacity(inputs.len());
    for input in inputs {
        datasets.push(Dataset::load(input, seed, sample)?);
    }
    disambiguate(&mut datasets);
    Ok(datasets)
}

pub(super) fn asked_exports(typed: &BenchOutputArgs) -> [(Kind, &Option<PathBuf>); 5] {
    [
        (Kind::Json, &typed.export_json),
        (Kind::Csv, &typed.export_csv),
        (Kind::Markdown, &typed.export_markdown),
        (Kind::Html, &typed.export_html),
        (Kind::Junit, &typed.export_junit),
    ]
}

pub(super) fn export_record(exports: &Exports, record: &BenchRecord) -> anyhow::Result<()> {
    let records = std::slice::from_ref(record);
    first_error([
        exports.write(Kind::Json, |out| Ok(write_json(out, record)?)),
        exports.write(Kind::Csv, |out| Ok(report::write_bench_csv(out, records)?)),
        exports.write_text(Kind::Markdown, || report::bench_markdown(record)),
        exports.write_text(Kind::Html, || report::html_page(records, &["this run".to_owned()])),
        exports.write(Kind::Junit, |out| Ok(out.write_all(report::bench_junit(records)?.as_bytes())?)),
    ])
}
