//! Checks of any programs: what they print, exactly, and their times in trials.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::config::CommandsConfig;
use super::instructions::InstructionCounter;
use super::paired::limited;
use super::trials::{Trialled, run_trials};
use crate::command::measuring::supervisor;
use crate::command::progress::Progress;
use sudobench_harness::bench::{CommandBuild, CommandBuilds, MeasuredCommand};
use sudobench_harness::gate::{Check, Gate, GateLimits, GateVerdict, check_counter, check_output};
use sudobench_harness::process::{Fault, NamedCommand, Run};

/// The two runs of a command before the trials, or why there are none.
type Runs = Result<[Run; 2], Fault>;

/// Runs both builds of each command, compares what they print, and runs trials until every command is decided.
pub(super) fn check(
    config: &CommandsConfig,
    limits: &GateLimits,
    counter: Option<&InstructionCounter>,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
) -> anyhow::Result<Vec<Check>> {
    let supervisor = supervisor(stop)?;
    progress.tell((0, 1), None, "paired: commands run twice");
    let build = |commands: &[NamedCommand]| {
        let max_time = (config.max_silence, "--max-silence");
        let command = |command: &NamedCommand| {
            MeasuredCommand::new(command.clone(), config.prepare.clone(), max_time, &supervisor)
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

/// The checks of what a command prints. If the base does not run, the head is checked alone.
fn exact_checks(
    name: &str,
    base: &Runs,
    head: &Runs,
    config: &CommandsConfig,
    limits: &GateLimits,
) -> Vec<Check> {
    // The trials say what is wrong.
    let Ok(head) = head else { return Vec::new() };
    let Ok(base) = base else {
        let (verdict, reason) =
            match config.counters.iter().find_map(|counter| counter.read_twice(head).err()) {
                Some(fault) => (GateVerdict::Broken, format!("head: {fault}")),
                None => (GateVerdict::Pass, "only the new build: it ends with exit code 0".to_owned()),
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
