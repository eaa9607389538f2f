//! Exact and paired checks of any programs (`gate --command`).

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::instructions::InstructionCounter;
use super::trials::{Trialled, Trialling, limited, run_trials};
use crate::cli::{GateCommandArgs, PairedArgs};
use crate::command::UsageError;
use crate::command::measuring::{named_commands, prepare_command};
use crate::command::progress::MeasurementProgress;
use sudobench_harness::bench::{CommandBuild, CommandBuilds, CounterPattern, MeasuredCommand};
use sudobench_harness::gate::{Check, Gate, GateLimits, GateVerdict, check_counter, check_output};
use sudobench_harness::process::{Fault, NamedCommand, Run, Supervisor};
use sudobench_harness::record::registry::INSTRUCTIONS;

pub(super) struct CommandsConfig {
    /// The old builds, in the order of the new ones.
    base: Vec<NamedCommand>,
    head: Vec<NamedCommand>,
    /// Command line that runs before each run.
    prepare: Option<Vec<String>>,
    pub(super) counters: Vec<CounterPattern>,
    compares_output: bool,
    trialling: Trialling,
    /// Time limit of a run.
    max_silence: Duration,
}

impl CommandsConfig {
    /// Returns the two builds of each command, and the comparisons to make. Returns `None` if there is no command.
    ///
    /// # Errors
    /// [`UsageError`] if a command can't be parsed or has no old build, if an old build has a name that no command has, if two commands
    /// have the same name, if the name of a counter is already the name of another check, or if the numbers of trials contradict each
    /// other.
    pub(super) fn new(
        typed: GateCommandArgs,
        paired: &PairedArgs,
        seed: u64,
    ) -> Result<Option<CommandsConfig>, UsageError> {
        let GateCommandArgs { commands, base_commands, counters, same_output, prepare } = typed;
        if commands.is_empty() {
            return Ok(None);
        }
        let (head, old) = (named_commands(&commands)?, named_commands(&base_commands)?);
        let of_name =
            |commands: &[NamedCommand], name: &str| commands.iter().find(|it| it.name == name).cloned();
        if let Some(NamedCommand { name, .. }) = old.iter().find(|base| of_name(&head, &base.name).is_none())
        {
            let message = format!(
                "--base-command {name}: there is no command of that name; name its new build with --command"
            );
            return Err(UsageError(message));
        }
        let base = head.iter().map(|command| {
            let name = &command.name;
        let message = format!("there is nothing to compare the command `{name}` with: name its old build with --base-command {name}=COMMAND");
            of_name(&old, name).ok_or(UsageError(message))
        });
        for (at, CounterPattern { name, .. }) in counters.iter().enumerate() {
            if counters[..at].iter().any(|other| other.name == *name)
                || ["output", "alone", INSTRUCTIONS.limit_name()].contains(&name.as_str())
            {
                return Err(UsageError(format!(
                    "the name `{name}` is already used for another check: give the counter another name"
                )));
            }
        }
        Ok(Some(CommandsConfig {
            base: base.collect::<Result<_, _>>()?,
            head,
            prepare: prepare_command(prepare.as_deref())?,
            counters,
            compares_output: same_output,
            trialling: Trialling::new(paired, seed)?,
            max_silence: paired.max_silence,
        }))
    }
}

/// The two runs of one build of a command before the trials, or the reason why they failed.
type Runs = Result<[Run; 2], Fault>;

/// Runs both builds of each command, compares their output and the numbers that the patterns of `--counter` find in the output, and runs
/// trials. If the argument `counter` is given, also compares the numbers of instructions that both builds execute.
pub(super) fn check(
    config: &CommandsConfig,
    limits: &GateLimits,
    counter: Option<&InstructionCounter>,
    supervisor: &Arc<Supervisor>,
    progress: &mut MeasurementProgress,
) -> anyhow::Result<Vec<Check>> {
    supervisor.make_ready()?;
    progress.tell((0, 1), None, "paired: commands run twice");
    let build = |commands: &[NamedCommand]| {
        let max_time = (config.max_silence, "--max-silence");
        let command = |command: &NamedCommand| {
            MeasuredCommand::new(command.clone(), config.prepare.clone(), max_time, supervisor)
        };
        Rc::new(CommandBuild::new(commands.iter().map(command).collect()))
    };
    let builds = CommandBuilds { base: build(&config.base), head: build(&config.head) };
    let mut checks = Vec::new();
    for ((command, head), (_, base)) in builds.head.runs().zip(builds.base.runs()) {
        checks.extend(exact_checks(&command.command().name, base, head, config, limits));
    }
    let figures = limited(limits, true);
    let Trialled { figures: trialled, .. } =
        run_trials(&builds, config.trialling, &figures, progress).map_err(|fault| fault.fault)?;
    checks.extend(trialled.into_iter().map(|it| it.check));
    let counted = counter.map(|counter| counter.commands(&builds, &checks, progress));
    checks.extend(counted.into_iter().flatten());
    Ok(checks)
}

/// Returns the checks of a command's output. If the base does not run, the head is checked alone.
fn exact_checks(
    name: &str,
    base: &Runs,
    head: &Runs,
    config: &CommandsConfig,
    limits: &GateLimits,
) -> Vec<Check> {
    // If the head failed, there is nothing to check here, because the trials report the failure.
    let Ok(head) = head else { return Vec::new() };
    let Ok(base) = base else {
        let (verdict, reason) =
            match config.counters.iter().find_map(|counter| counter.read_twice(head).err()) {
                Some(fault) => (GateVerdict::Broken, format!("new build: {fault}")),
                None => (GateVerdict::Pass, "only the new build runs: it ends with exit code 0".to_owned()),
            };
        return vec![Check::new(Gate::Exact, "alone", (name, ""), verdict, reason)];
    };
    let mut checks: Vec<Check> = Vec::new();
    for counter in &config.counters {
        let values = (counter.read_twice(base), counter.read_twice(head));
        let percent = limits.counter_percent(&counter.name);
        checks.push(check_counter((name, ""), &counter.name, values, percent));
    }
    if config.compares_output {
        checks.push(check_output(name, &base[0].output, &head[0].output));
    }
    checks
}
