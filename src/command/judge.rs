//! `sudobench judge`: runs programs under the judge's rules.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::SystemTime;

use sudobench_rows::Budgets;
use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::find;

use super::export::{Exports, Kind, print};
use super::measuring::{asked_exports, export_record, inputs_of, load};
use super::progress::MeasurementProgress;
use super::say::say;
use super::{Exit, UsageError, first_error, interrupt, terminal};
use crate::cli::{JudgeArgs, JudgeRunningArgs, ProgramArgs};
use sudobench_harness::bench::Dataset;
use sudobench_harness::figures::{count, counted, duration_ns};
use sudobench_harness::judge::{
    CheckedOutput, Event, Judged, JudgedProgram, JudgedSet, Language, LimitOptions, Rules, check_output,
    judge,
};
use sudobench_harness::problem::Problem;
use sudobench_harness::process::{Fault, NamedCommand, Supervisor, absolute_argv};
use sudobench_harness::record::{
    BenchRecord, Build, Finding, JUDGE, Machine, SCHEMA_VERSION, Settings, Verdict, look_for_noise,
};
use sudobench_harness::report;
use sudobench_harness::started;

/// Maximum number of omitted puzzles of a dataset, and of failures of a program, that are listed one by one.
const TOLD: usize = 20;

pub(super) fn run(mut typed: JudgeArgs, level: Level) -> anyhow::Result<Exit> {
    let problem = Problem::new(typed.problem);
    if typed.check_output {
        return check(&typed.inputs, problem, level);
    }
    let supervisor = Arc::new(Supervisor::new(Arc::default()));
    if typed.inputs.is_empty() {
        typed.inputs.push(PathBuf::from("-"));
    }
    let output = &typed.output;
    let asked = asked_exports(&output.shared).into_iter().chain([(Kind::Runs, &output.export_runs)]);
    let inputs = typed.inputs.iter().map(PathBuf::as_path);
    let exports = Exports::open(asked, output.shared.force, inputs)?;
    let rules = rules(&typed, problem)?;
    let programs = programs(&typed, problem, level)?;
    let inputs = inputs_of(&typed.inputs)?;
    supervisor.make_ready()?;
    let mut datasets = load(&inputs, rules.seed, None)?;
    datasets.iter_mut().try_for_each(|dataset| dataset.take_fingerprint(level))?;
    let mut progress = MeasurementProgress::new(typed.output.shared.quiet);
    let sets = sets(datasets, problem, level, &typed.running, &progress)?;
    tell_of_languages(&progress, &typed.programs, &programs);
    interrupt::raise_on_signal(supervisor.interrupt_flag())?;
    let started = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let noise = look_for_noise();
    progress.tell_noise(&noise);
    if rules.jobs > 1 {
        progress.say(&format!(
            "{} runs take place at the same time and distort each other's times: runs that end near a limit or a budget are repeated alone",
            rules.jobs
        ));
    }
    let mut told = vec![0; programs.len()];
    let judged = judge(&programs, &sets, &rules, &supervisor, &mut |event| {
        tell(&mut progress, &programs, &mut told, &event);
        !supervisor.is_interrupted()
    })
    .map_err(|Fault(message)| anyhow::anyhow!(message))?;
    drop(progress);
    let mut record = record(&typed, &rules, level, &sets, &judged, started, noise)?;
    record.interrupted = supervisor.is_interrupted();
    let tables = report::bench_text(&record, terminal::stdout_width().unwrap_or(usize::MAX));
    first_error([
        exports.write(Kind::Runs, |out| Ok(report::write_judge_runs(out, judged.puzzles())?)),
        export_record(&exports, &record),
        // `false`, because the tables are not the only result: the exit code is a result, too.
        exports.print(&tables, false),
    ])?;
    let unfinished = if supervisor.is_interrupted() { Vec::new() } else { judged.unfinished() };
    for (program, dataset, left) in &unfinished {
        let left = counted(*left, "puzzle");
        say(format_args!(
            "{program}: {left} of {dataset} not judged: a time limit was exceeded only while other runs took place at the same time; use \
             --jobs 1"
        ));
    }
    Ok(match judged.worst() {
        _ if supervisor.is_interrupted() => Exit::Interrupted,
        Some(Verdict::Accepted) if unfinished.is_empty() => Exit::Fine,
        _ => Exit::BadResult,
    })
}

/// Checks outputs that were collected without this program. Prints a line for each failure and a summary.
fn check(names: &[PathBuf], problem: Problem, level: Level) -> anyhow::Result<Exit> {
    let [puzzles, place] = names else {
        let message =
            "--check-output needs two names: the file of puzzles, and the file or folder of outputs";
        return Err(UsageError(message.to_owned()).into());
    };
    let inputs = inputs_of(std::slice::from_ref(puzzles))?;
    let dataset = Dataset::load_in_order(&inputs[0])?;
    let checked = check_output(&dataset, problem, level, place)?;
    let checks_any = checked.accepted > 0 || !checked.failures.is_empty();
    anyhow::ensure!(checks_any, "no puzzle of {} has a solution", dataset.name());
    let (record, name) = (dataset.record(), problem.name());
    let CheckedOutput { accepted, failures, unsolvable, remark } = checked;
    print(&report::checked_text(record, name, accepted, &failures, &unsolvable, remark.as_deref()))?;
    Ok(if failures.is_empty() { Exit::Fine } else { Exit::BadResult })
}

fn rules(typed: &JudgeArgs, problem: Problem) -> Result<Rules, UsageError> {
    let running = &typed.running;
    if typed.limits.budgets.preset.is_some_and(|preset| preset != problem.preset) {
        return Err(UsageError(
            "--budgets names another problem than --problem: name the same problem, or only times".to_owned(),
        ));
    }
    Ok(Rules {
        problem,
        budgets: Budgets::from_preset(problem.preset).and(&typed.limits.budgets.list).list,
        repeat: running.repeat.get(),
        jobs: running.jobs.get(),
        stop_at_first: running.stop_at_first,
        seed: running.seed,
        keep_puzzles: typed.output.shared.keep_puzzles,
    })
}

/// Returns the programs to judge: first the commands that the user named, then the built-in solvers.
fn programs(typed: &JudgeArgs, problem: Problem, level: Level) -> anyhow::Result<Vec<JudgedProgram>> {
    let named = &typed.programs;
    let commands = commands(named, problem, level)?;
    let languages = languages(&named.language, &commands)?;
    let environment = environment(&named.env)?;
    let options = LimitOptions {
        time_limit: typed.limits.time_limit,
        wall_limit: typed.limits.wall_limit,
        memory_limit: typed.limits.memory_limit,
        output_limit: typed.limits.output_limit,
    };
    let program = |(command, language): (Command, Language)| {
        let Command { name, typed, argv, .. } = command;
        JudgedProgram::new(&name, &typed, argv, language, problem, &options, environment.clone())
    };
    Ok(commands.into_iter().zip(languages).map(program).collect())
}

/// A program to judge: a program that was typed, or a built-in solver.
struct Command {
    name: String,
    typed: String,
    argv: Vec<String>,
    is_ours: bool,
}

fn commands(typed: &ProgramArgs, problem: Problem, level: Level) -> anyhow::Result<Vec<Command>> {
    let mut commands = Vec::new();
    let mut add = |name: &str, typed: String, argv: &[String]| -> Result<(), UsageError> {
        let argv = absolute_argv(argv).map_err(|Fault(message)| UsageError(format!("{name}: {message}")))?;
        commands.push(Command { name: name.to_owned(), typed, argv, is_ours: false });
        Ok(())
    };
    if !typed.command.is_empty() {
        add(&name_of(&typed.command), shell_words::join(&typed.command), &typed.command)?;
    }
    for text in &typed.program {
        let named: NamedCommand = text.parse().map_err(|Fault(message)| UsageError(message))?;
        add(&named.name, named.text, &named.argv)?;
    }
    for name in &typed.solver {
        find(name)
            .ok_or_else(|| UsageError(format!("there is no solver `{name}`: see `sudobench solvers`")))?;
        let (file, again) = started::again()?;
        let mut argv = vec![file.to_string_lossy().into_owned()];
        argv.extend(again);
        argv.extend(["--simd", level.name(), "answer", problem.name(), name].map(str::to_owned));
        commands.push(Command { name: name.clone(), typed: shell_words::join(&argv), argv, is_ours: true });
    }
    if commands.is_empty() {
        let message = "no program is named: write its command after `--`, or use --program NAME=COMMAND or --solver NAME";
        return Err(UsageError(message.to_owned()).into());
    }
    for (at, command) in commands.iter().enumerate() {
        if commands[..at].iter().any(|other| other.name == command.name) {
            return Err(UsageError(format!(
                "two programs are called `{}`: rename one of them, or leave it out",
                command.name
            ))
            .into());
        }
    }
    Ok(commands)
}

/// Returns a name for a program that was typed without a name: the name of its file or, if its command starts an interpreter, of the script
/// or class that the interpreter runs.
fn name_of(argv: &[String]) -> String {
    let is_option = |word: &&String| word.starts_with('-');
    let arguments = || argv.iter().skip(1);
    let runs = match Language::from_command(argv) {
        Language::None | Language::Cpp => None,
        // The last word is taken as the class, because options before it may have values.
        Language::Java => arguments().last(),
        Language::Pypy | Language::Python => {
            // These two options have a value, which is the next word.
            let has_value = |word: &String| word == "-X" || word == "-W";
            let mut before = argv.iter();
            arguments().find(|word| !before.next().is_some_and(has_value) && !is_option(word))
        }
    };
    let path = runs.or(argv.first()).map_or("", String::as_str);
    let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
    if name.is_empty() { "program".to_owned() } else { name.into_owned() }
}

/// Returns the language of each program: as typed, or else from its command. Built-in solvers are C++ unless a language was typed for their
/// name.
fn languages(typed: &[String], commands: &[Command]) -> Result<Vec<Language>, UsageError> {
    let mut of_all = None;
    let mut languages: Vec<Option<Language>> = vec![None; commands.len()];
    for text in typed {
        let (name, language) =
            text.split_once('=').map_or((None, text.as_str()), |(name, language)| (Some(name), language));
        let language = Language::from_str(language).map_err(|_| {
            UsageError(format!(
                "the judge does not know the language `{language}`: write cpp, java, pypy, python or none"
            ))
        })?;
        let place = match name {
            None => &mut of_all,
            Some(name) => {
                let at = commands.iter().position(|command| command.name == name);
                &mut languages[at
                    .ok_or_else(|| UsageError(format!("--language {text}: there is no program `{name}`")))?]
            }
        };
        if place.replace(language).is_some() {
            return Err(UsageError(format!(
                "--language {text}: the language is already set by another --language"
            )));
        }
    }
    let known = |command: &Command| match command.is_ours {
        true => Language::Cpp,
        false => of_all.unwrap_or_else(|| Language::from_command(&command.argv)),
    };
    Ok(commands.iter().zip(languages).map(|(command, language)| language.unwrap_or(known(command))).collect())
}

/// Reports the limits of the external programs whose language was not typed. For programs in Java, PyPy or Python, also reports a command
/// that is a script instead of the interpreter.
fn tell_of_languages(progress: &MeasurementProgress, typed: &ProgramArgs, programs: &[JudgedProgram]) {
    let is_typed = |name: &str| {
        let of = |text: &String| text.split_once('=').is_none_or(|(named, _)| named == name);
        typed.language.iter().any(of) || typed.solver.iter().any(|solver| solver == name)
    };
    for JudgedProgram { name, language, limited, .. } in programs {
        let (limits, file) = (&limited.limits, limited.argv.first().map_or("", String::as_str));
        if !is_typed(name) {
            let time = duration_ns(limits.cpu.map_or(0.0, |time| time.as_nanos() as f64));
            let memory = limits.memory_bytes.unwrap_or(0) >> 20;
            progress.say(&format!(
                "{name} is judged in the language `{}` (limits: {time}, {memory} MiB); set another language with --language",
                language.name()
            ));
        }
        if matches!(language, Language::Java | Language::Pypy | Language::Python) && starts_with_script(file)
        {
            progress.say(&format!(
                "{name}: `{file}` is a script that starts the interpreter, which takes time in every run: name the interpreter itself \
                 (for pyenv, `pyenv which {}` shows it)",
                Path::new(file).file_name().unwrap_or_default().to_string_lossy()
            ));
        }
    }
}

/// Returns whether a file is a script: whether it starts with `#!`. The command `python` of a version manager, such as pyenv, is a script
/// that starts the real interpreter.
fn starts_with_script(file: &str) -> bool {
    let mut first = [0; 2];
    File::open(file).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == *b"#!"
}

fn environment(typed: &[String]) -> Result<Vec<(String, String)>, UsageError> {
    let variable = |text: &String| match text.split_once('=') {
        Some(("", _)) => {
            Err(UsageError(format!("--env {text}: write NAME=VALUE, or the name of a variable")))
        }
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => {
            let value = std::env::var(text).map_err(|_| {
                UsageError(format!("--env {text}: this variable is not set, or its value is not UTF-8"))
            })?;
            Ok((text.clone(), value))
        }
    };
    typed.iter().map(variable).collect()
}

/// Returns the puzzles that are judged, and reports the puzzles that are left out because they can't be inputs of the problem.
fn sets(
    datasets: Vec<Dataset>,
    problem: Problem,
    level: Level,
    running: &JudgeRunningArgs,
    progress: &MeasurementProgress,
) -> anyhow::Result<Vec<JudgedSet>> {
    let mut sets = Vec::with_capacity(datasets.len());
    for dataset in datasets {
        let name = dataset.name().to_owned();
        let set =
            JudgedSet::choose(dataset, problem, level, running.sample.map(u64::from), running.all_puzzles)?;
        if !set.unsolvable.is_empty() {
            let why = "no solution; the problem has no such puzzles";
            progress.say(&left_out(&name, &set.unsolvable, why));
        }
        if !set.beyond_problem.is_empty() {
            let most = count(problem.max_calls.unwrap_or(0));
            let why = format!(
                "the search of BOJ 12095 needs more than {most} calls, which is the maximum for the inputs of {}; --all-puzzles includes \
                 them",
                problem.name()
            );
            progress.say(&left_out(&name, &set.beyond_problem, &why));
        }
        if set.solutions.is_empty() {
            let beyond = set.beyond_problem.len() as u64;
            anyhow::ensure!(beyond > 0, "no puzzle of {name} has a solution");
            anyhow::bail!(
                "no puzzle of {name} can be an input of {}: {} too hard for this problem, {} without a solution; add --all-puzzles to judge the hard ones anyway",
                problem.name(),
                count(beyond),
                count(set.unsolvable.len() as u64)
            );
        }
        sets.push(set);
    }
    Ok(sets)
}

/// Names the puzzles that are left out: `3 puzzles of hard.txt are left out (numbers 7, 9, 12): no solution`.
fn left_out(dataset: &str, numbers: &[u64], why: &str) -> String {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    let named: Vec<String> = numbers.iter().take(TOLD).map(u64::to_string).collect();
    let more = if numbers.len() > TOLD { ", ..." } else { "" };
    let (is, ending) = if numbers.len() == 1 { ("is", "") } else { ("are", "s") };
    format!(
        "{} of {dataset} {is} left out (number{ending} {}{more}): {why}",
        counted(numbers.len() as u64, "puzzle"),
        named.join(", ")
    )
}

/// Shows the progress of the session, and reports failures. `told` has the number of failures of each program so far.
fn tell(progress: &mut MeasurementProgress, programs: &[JudgedProgram], told: &mut [usize], event: &Event) {
    match event {
        Event::Step { done, total, left, activity } => progress.tell((*done, *total), *left, activity),
        Event::Failure { program, dataset, number, puzzle, ruling } => {
            let Some(at) = programs.iter().position(|it| it.name == *program) else { return };
            told[at] += 1;
            if told[at] <= TOLD {
                let (letters, reason) = (ruling.verdict.letters(), &ruling.reason);
                progress.say(&format!(
                    "{program}: {letters} on puzzle {number} of {dataset}, {puzzle}: {reason}"
                ));
            } else if told[at] == TOLD + 1 {
                progress.say(&format!(
                    "{program}: more failures are counted but not shown; --export-runs writes all of them"
                ));
            }
        }
    }
}

fn record(
    typed: &JudgeArgs,
    rules: &Rules,
    level: Level,
    sets: &[JudgedSet],
    judged: &Judged,
    started: String,
    noise: Vec<Finding>,
) -> anyhow::Result<BenchRecord> {
    Ok(BenchRecord {
        schema_version: SCHEMA_VERSION,
        kind: JUDGE.to_owned(),
        started,
        arguments: started::arguments(),
        seed: rules.seed,
        settings: Settings {
            rounds: rules.repeat,
            runs: None,
            min_time_ns: 0,
            max_time_ns: 0,
            max_time_per_puzzle_ns: typed.limits.time_limit.map(nanoseconds),
            max_nodes: None,
            sample: typed.running.sample.map(u64::from),
            isomorphs: None,
            fresh_forms: false,
        },
        interrupted: false,
        datasets: sets.iter().map(|set| set.dataset.record().clone()).collect(),
        pairs: judged.records().map_err(|Fault(message)| anyhow::anyhow!(message))?,
        machine: Machine::detect(),
        // The SIMD level only concerns built-in solvers.
        simd_level: (!typed.programs.solver.is_empty()).then(|| level.name().to_owned()),
        noise,
        build: Build::current(),
        leaderboard: None,
    })
}
