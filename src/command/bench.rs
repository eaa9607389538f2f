//! `sudobench bench`: measures, then shows and exports the record.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;

use sudobench_sudoku::simd::Level;

use super::export::{Exports, Kind};
use super::kept_history::KeptHistory;
use super::measuring::{Prepared, asked_exports, export_record};
use super::progress::MeasurementProgress;
use super::{Exit, bench_commands, first_error, interrupt, terminal};
use crate::cli::BenchArgs;
use sudobench_harness::bench::{Measured, RunRequest, Runs};
use sudobench_harness::process::Supervisor;
use sudobench_harness::record::{BenchRecord, HistoryEntry, look_for_noise};
use sudobench_harness::{bench, record_of, report, started};

pub(super) fn run(typed: BenchArgs, level: Level) -> anyhow::Result<Exit> {
    if !typed.commands.commands.is_empty() {
        return bench_commands::run(&typed);
    }
    let supervisor = Arc::new(Supervisor::new(Arc::default()));
    let inputs = || typed.datasets.iter().map(PathBuf::as_path);
    let history = KeptHistory::open(typed.history.as_deref(), typed.commit.as_deref(), inputs())?;
    let others = inputs().chain(typed.history.as_deref());
    let of_puzzles = [(Kind::WrongAnswers, &typed.export_wrong), (Kind::Puzzles, &typed.export_puzzles)];
    let asked = asked_exports(&typed.output).into_iter().chain(of_puzzles);
    let exports = Exports::open(asked, typed.output.force, others)?;
    exports.check_print(history.is_none())?;
    let Prepared { mut contestants, mut datasets, plan, sample, output, left_out, runs } =
        Prepared::new(typed, level, &supervisor)?;
    datasets.iter_mut().try_for_each(|dataset| dataset.take_fingerprint(level))?;
    // Installs the signal handler only after the preparation. The preparation does not check the flag that the handler sets, so a signal
    // during the preparation must end the process.
    interrupt::raise_on_signal(supervisor.interrupt_flag())?;
    let start = SystemTime::now();
    let noise = look_for_noise();
    let mut progress = MeasurementProgress::new(output.quiet);
    progress.tell_noise(&noise);
    if let Some(left_out) = left_out {
        progress.say(&left_out.to_string());
    }
    let measured = match &runs {
        None => bench::measure(&mut contestants, &datasets, &plan, &mut |step| {
            progress.tell_step(&step, "");
            !supervisor.is_interrupted()
        }),
        Some((runs, request)) => measure_runs(*runs, request, &supervisor, &mut progress)?,
    };
    let Measured { pairs, wrong, puzzles } = measured;
    drop(progress);
    let mut record = record_of(start, level, &plan, sample, &datasets, pairs, noise);
    record.settings.runs = runs.map(|(runs, _)| runs.get() as u64);
    let interrupted = supervisor.is_interrupted();
    let tables = report::bench_text(&record, terminal::stdout_width().unwrap_or(usize::MAX));
    // The tables are printed last. If the reader of standard output stops early, the exports are already written.
    first_error([
        export_record(&exports, &record),
        exports.write(Kind::WrongAnswers, |out| {
            Ok(report::write_wrong_answers(out, record.pairs.iter().zip(&wrong))?)
        }),
        exports
            .write(Kind::Puzzles, |out| Ok(report::write_puzzles(out, record.pairs.iter().zip(&puzzles))?)),
        history.as_ref().filter(|_| !interrupted).map_or(Ok(()), |history| {
            history.append(start, level, HistoryEntry::pairs_of(&record), &supervisor)
        }),
        exports.print(&tables, history.is_none()),
    ])?;
    Ok(exit(&record, interrupted))
}

/// Makes the runs, each in a new process of this program.
fn measure_runs(
    runs: NonZeroUsize,
    request: &RunRequest,
    supervisor: &Supervisor,
    progress: &mut MeasurementProgress,
) -> anyhow::Result<Measured> {
    let (file, message) = started::again()?;
    let mut command = Command::new(file);
    command.args(message).arg("measure");
    let runs = Runs { command: &command, request, runs, supervisor };
    Ok(runs.measure(&mut |run, step| progress.tell_step(&step, &format!("run {run} of {}, ", runs.runs)))?)
}

/// Returns the exit code. A pair that was not measured because of an error is a failure. A pair whose time ran out is not.
fn exit(record: &BenchRecord, interrupted: bool) -> Exit {
    match interrupted {
        true => Exit::Interrupted,
        false if record.pairs.iter().any(|pair| pair.error.is_some()) => Exit::BadResult,
        false => Exit::Fine,
    }
}
