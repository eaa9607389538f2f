//! Turns the runs of commands into results of a record.

use super::command::MeasuredCommand;
use crate::process::{Fault, Run};
use crate::record::{CommandFailure, CommandResult};
use crate::statistics::{mean, median, median_interval, ratio_interval, standard_deviation};

/// Returns the results of the measured commands, and the failures of the commands without measurements. `seed` is the seed of the
/// bootstrap.
pub fn summarize_commands(
    commands: &[MeasuredCommand],
    runs: Vec<Result<Vec<Run>, Fault>>,
    seed: u64,
) -> (Vec<CommandResult>, Vec<CommandFailure>) {
    let (mut results, mut failures) = (Vec::new(), Vec::new());
    for (command, runs) in commands.iter().zip(runs) {
        let (name, command) = (command.command().name.clone(), command.command().text.clone());
        match runs.map(|runs| result(&name, &command, &runs, seed)) {
            Ok(result) => results.extend(result),
            Err(fault) => failures.push(CommandFailure { command, name, error: fault.to_string() }),
        }
    }
    compare_with_fastest(&mut results, seed);
    (results, failures)
}

fn result(name: &str, command: &str, runs: &[Run], seed: u64) -> Option<CommandResult> {
    let of = |value: fn(&Run) -> u64| -> Vec<f64> { runs.iter().map(|run| seconds(value(run))).collect() };
    let times = of(|run| run.wall_ns);
    let peak = |run: &Run| Some(run.peak_memory_bytes).filter(|&peak| peak > run.memory_floor_bytes);
    Some(CommandResult {
        command: command.to_owned(),
        name: name.to_owned(),
        mean: mean(&times)?,
        stddev: standard_deviation(&times),
        median: median(&times)?,
        user: mean(&of(|run| run.cpu_ns - run.system_ns.min(run.cpu_ns)))?,
        system: mean(&of(|run| run.system_ns))?,
        min: times.iter().copied().min_by(f64::total_cmp)?,
        max: times.iter().copied().max_by(f64::total_cmp)?,
        exit_codes: vec![0; runs.len()],
        memory_usage_byte: runs.iter().map(peak).collect(),
        median_interval: median_interval(&times, seed)?,
        ratio: None,
        times,
    })
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

/// Finds the fastest command, which has the smallest median. Sets the ratio of each other command: its time divided by the time of the
/// fastest command.
fn compare_with_fastest(results: &mut [CommandResult], seed: u64) {
    let fastest = (0..results.len()).min_by(|&a, &b| results[a].median.total_cmp(&results[b].median));
    let Some(fastest) = fastest else { return };
    let fastest_times = results[fastest].times.clone();
    for (at, result) in results.iter_mut().enumerate().filter(|(at, _)| *at != fastest) {
        result.ratio = ratio_interval(&result.times, &fastest_times, seed.wrapping_add(at as u64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::End;
    use crate::process::fixtures::supervisor;
    use std::time::Duration;

    #[test]
    fn figures_agree_with_the_textbook() {
        let minute = (Duration::from_secs(60), "--max-time-per-pair");
        let supervisor = supervisor(false);
        let command = |text: &str| MeasuredCommand::new(text.parse().unwrap(), None, minute, &supervisor);
        let run = |wall_ms: u64| Run {
            wall_ns: wall_ms * 1_000_000,
            cpu_ns: 3_000_000,
            system_ns: 1_000_000,
            peak_memory_bytes: 9_000,
            memory_floor_bytes: 10 * (wall_ms % 2) * 1_000,
            ..Run::from_end(End::Exited(0))
        };
        let commands = ["slow=a", "fast=b", "broken=c"].map(command);
        let runs = vec![
            Ok([20, 40, 60, 20, 40, 60].map(run).to_vec()),
            Ok([11; 6].map(run).to_vec()),
            Err(Fault("it failed".to_owned())),
        ];
        let (results, failures) = summarize_commands(&commands, runs, 1);
        let [slow, fast] = &results[..] else { panic!("{results:?}") };
        assert_eq!((slow.mean, slow.median, slow.min, slow.max), (0.04, 0.04, 0.02, 0.06));
        assert!((slow.stddev.unwrap() - 0.017_888).abs() < 1e-6, "{:?}", slow.stddev);
        assert_eq!((slow.user, slow.system, slow.exit_codes.len()), (0.002, 0.001, 6));
        assert_eq!(
            (slow.memory_usage_byte.as_deref(), &fast.memory_usage_byte),
            (Some(&[9_000; 6][..]), &None)
        );
        let ratio = slow.ratio.unwrap();
        assert!((ratio.median - 40.0 / 11.0).abs() < 1e-9 && ratio.low < ratio.median, "{ratio:?}");
        assert!(fast.ratio.is_none() && fast.stddev.unwrap() < 1e-12, "{fast:?}");
        assert_eq!(failures[0].error, "it failed");
    }
}
