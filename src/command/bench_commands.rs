//! `sudobench bench --command`: measures any programs, then shows and exports the record.

use std::io::Write as _;
use std::sync::Arc;
use std::time::SystemTime;

use super::export::{Exports, Kind};
use super::measuring::{asked_exports, named_commands, prepare_command};
use super::progress::MeasurementProgress;
use super::{Exit, first_error, interrupt, terminal};
use crate::cli::{BenchArgs, BenchCommandArgs};
use sudobench_harness::bench::{
    CommandStep, CommandsPlan, MeasuredCommand, measure_commands, summarize_commands,
};
use sudobench_harness::process::Supervisor;
use sudobench_harness::record::{
    Build, COMMANDS, CommandsRecord, CommandsSettings, Machine, SCHEMA_VERSION, look_for_noise, write_json,
};
use sudobench_harness::{report, started};
use sudobench_sudoku::nanoseconds;

pub(super) fn run(typed: &BenchArgs) -> anyhow::Result<Exit> {
    let BenchArgs { commands: BenchCommandArgs { commands, prepare }, measuring, output, .. } = typed;
    let supervisor = Arc::new(Supervisor::new(Arc::default()));
    let exports = Exports::open(asked_exports(output), output.force, [])?;
    exports.check_print(true)?;
    let plan = CommandsPlan {
        rounds: measuring.rounds.get(),
        min_time: measuring.min_time,
        max_time: measuring.max_time_per_pair,
        seed: measuring.seed,
    };
    let prepared = prepare_command(prepare.as_deref())?;
    supervisor.make_ready()?;
    let max_time = (plan.max_time, "--max-time-per-pair");
    let measured = named_commands(commands)?.into_iter();
    let measured: Vec<MeasuredCommand> =
        measured.map(|it| MeasuredCommand::new(it, prepared.clone(), max_time, &supervisor)).collect();
    // Installs the signal handler only after the preparation. The preparation does not check the flag that the handler sets, so a signal
    // during the preparation must end the process.
    interrupt::raise_on_signal(supervisor.interrupt_flag())?;
    let start = SystemTime::now();
    let noise = look_for_noise();
    let mut progress = MeasurementProgress::new(output.quiet);
    progress.tell_noise(&noise);
    let runs = measure_commands(&measured, &plan, &mut |step| {
        progress.tell((step.done, step.total), step.left, &activity(step));
        !supervisor.is_interrupted()
    });
    drop(progress);
    let (results, failures) = summarize_commands(&measured, runs, plan.seed);
    let interrupted = supervisor.is_interrupted();
    let record = CommandsRecord {
        schema_version: SCHEMA_VERSION,
        kind: COMMANDS.to_owned(),
        started: humantime::format_rfc3339_seconds(start).to_string(),
        arguments: started::arguments(),
        seed: plan.seed,
        settings: CommandsSettings {
            rounds: plan.rounds,
            min_time_ns: nanoseconds(plan.min_time),
            max_time_ns: nanoseconds(plan.max_time),
            prepare: prepare.clone(),
        },
        interrupted,
        results,
        failures,
        machine: Machine::detect(),
        noise,
        build: Build::current(),
    };
    let tables = report::commands_text(&record, terminal::stdout_width().unwrap_or(usize::MAX));
    first_error([export(&exports, &record), exports.print(&tables, true)])?;
    Ok(match interrupted {
        true => Exit::Interrupted,
        false if !record.failures.is_empty() => Exit::BadResult,
        false => Exit::Fine,
    })
}

fn activity(step: &CommandStep) -> String {
    match step.round {
        0 => format!("warm-up: {}", step.name),
        round => format!("round {round}: {}", step.name),
    }
}

fn export(exports: &Exports, record: &CommandsRecord) -> anyhow::Result<()> {
    first_error([
        exports.write(Kind::Json, |out| Ok(write_json(out, record)?)),
        exports.write(Kind::Csv, |out| Ok(report::write_commands_csv(out, record)?)),
        exports.write_text(Kind::Markdown, || report::commands_markdown(record)),
        exports.write_text(Kind::Html, || report::commands_page(record)),
        exports.write(Kind::Junit, |out| Ok(out.write_all(report::commands_junit(record)?.as_bytes())?)),
    ])
}
