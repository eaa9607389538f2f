//! Determines the verdict on a run.

use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::puzzle::{Puzzle, Solution};

use crate::figures::{duration_ns, excerpt};
use crate::problem::{Problem, Ruling};
use crate::process::{End, Limits, Run, signal_name};
use crate::record::Verdict;

/// Largest number of characters of a program's standard error that a reason shows.
const SHOWN: usize = 120;

/// Returns the verdict on a run. `smallest` is the puzzle's smallest solution, if the problem requires it.
///
/// Limits are checked before the output, because a program that was ended at a limit could not finish its answer.
pub(super) fn rule(
    problem: Problem,
    puzzle: &Puzzle,
    smallest: Option<&Solution>,
    limits: &Limits,
    run: &Run,
) -> Ruling {
    let ruling = |verdict, reason: String| Ruling { verdict, reason };
    let memory = || {
        let most = limits.memory_bytes.unwrap_or(0);
        let (unit, name) = if most < 1 << 20 { (1 << 10, "KiB") } else { (1 << 20, "MiB") };
        format!("{} {name} of memory, limit {} {name}", run.peak_memory_bytes.div_ceil(unit), most / unit)
    };
    let limit_ns = limits.cpu.map_or(u64::MAX, nanoseconds);
    let limit = duration_ns(limit_ns as f64);
    let is_too_slow = run.cpu_ns > limit_ns;
    let is_too_large = limits.memory_bytes.is_some_and(|most| run.peak_memory_bytes > most);
    match &run.end {
        End::NotStarted(reason) => ruling(Verdict::JudgeError, format!("it cannot be started: {reason}")),
        End::Processes => {
            ruling(Verdict::RuntimeError, format!("more than {} processes at a time", limits.processes))
        }
        End::Memory => ruling(Verdict::MemoryLimit, memory()),
        _ if is_too_large => ruling(Verdict::MemoryLimit, memory()),
        End::CpuTime => {
            ruling(Verdict::TimeLimit, format!("it was ended at the limit of {limit} of processor time"))
        }
        _ if is_too_slow => {
            let (used, over) = (run.cpu_ns as f64, run.cpu_ns.saturating_sub(limit_ns) as f64);
            ruling(
                Verdict::TimeLimit,
                format!(
                    "{} of processor time, {} over the limit of {limit}",
                    duration_ns(used),
                    duration_ns(over)
                ),
            )
        }
        End::WallTime => {
            let (wall, used) = (duration_ns(limits.wall.as_nanos() as f64), duration_ns(run.cpu_ns as f64));
            ruling(
                Verdict::TimeLimit,
                format!("it did not end within {wall} of wall time ({used} of processor time)"),
            )
        }
        End::Stopped => ruling(Verdict::JudgeError, "the run was stopped".to_owned()),
        End::Output => ruling(Verdict::OutputLimit, format!("more than {} bytes", limits.output_bytes)),
        End::Signalled(number) => ruling(
            Verdict::RuntimeError,
            with_last_line(&format!("signal {}", signal_name(*number)), &run.stderr_start),
        ),
        End::Exited(code) if *code != 0 => {
            ruling(Verdict::RuntimeError, with_last_line(&format!("exit code {code}"), &run.stderr_start))
        }
        End::Exited(_) => problem.check(puzzle, smallest, &run.output),
    }
}

/// Returns the text `what`, followed by the last line of `stderr_start` that is not indented. In a Python traceback, the reason is the
/// last line. In a Java stack trace, indented lines follow the reason. If all lines are indented, the last line is used.
fn with_last_line(what: &str, stderr_start: &str) -> String {
    let lines = || stderr_start.lines().rev().filter(|line| !line.trim().is_empty());
    let is_flush = |line: &&str| !line.starts_with([' ', '\t']);
    let Some(last) = lines().find(is_flush).or_else(|| lines().next()) else { return what.to_owned() };
    format!("{what}: {}", excerpt(last.trim(), SHOWN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use sudobench_rows::Preset;

    fn limits() -> Limits {
        Limits {
            cpu: Some(Duration::from_secs(1)),
            wall: Duration::from_secs(4),
            memory_bytes: Some(256 << 20),
            address_space_bytes: None,
            output_bytes: 65_536,
            processes: 64,
        }
    }

    fn run(end: End) -> Run {
        Run { cpu_ns: 1_000, wall_ns: 2_000, peak_memory_bytes: 1 << 20, ..Run::from_end(end) }
    }

    fn ruled(run: &Run) -> String {
        let ruling = rule(Problem::new(Preset::Boj2580), &Puzzle::EMPTY, None, &limits(), run);
        format!("{} {}", ruling.verdict.letters(), ruling.reason)
    }

    #[test]
    fn each_end_has_its_verdict() {
        let traceback = Run {
            stderr_start: "Traceback:\n  line 1\nValueError: no\n\n".to_owned(),
            ..run(End::Exited(1))
        };
        let exception = Run {
            stderr_start: "Exception in thread \"main\": no\n\tat Main.solve\n    at Main.main\n".to_owned(),
            ..run(End::Exited(1))
        };
        let rows = [
            (run(End::Exited(0)), "WA it printed nothing"),
            (run(End::Exited(3)), "RTE exit code 3"),
            (traceback, "RTE exit code 1: ValueError: no"),
            (exception, "RTE exit code 1: Exception in thread \"main\": no"),
            (
                Run { peak_memory_bytes: 300 << 20, ..run(End::Processes) },
                "RTE more than 64 processes at a time",
            ),
            (run(End::Signalled(11)), "RTE signal 11 (SIGSEGV)"),
            (run(End::Processes), "RTE more than 64 processes at a time"),
            (run(End::Output), "OLE more than 65536 bytes"),
            (run(End::WallTime), "TLE it did not end within 4.00 s of wall time (1.00 us of processor time)"),
            (
                Run { cpu_ns: 1_002_000_000, ..run(End::CpuTime) },
                "TLE it was ended at the limit of 1.00 s of processor time",
            ),
            (
                Run { cpu_ns: 1_500_000_000, ..run(End::Exited(3)) },
                "TLE 1.50 s of processor time, 500 ms over the limit of 1.00 s",
            ),
            (
                Run { peak_memory_bytes: 300 << 20, ..run(End::Memory) },
                "MLE 300 MiB of memory, limit 256 MiB",
            ),
            (
                Run { peak_memory_bytes: 300 << 20, ..run(End::Signalled(6)) },
                "MLE 300 MiB of memory, limit 256 MiB",
            ),
            (run(End::NotStarted("no".to_owned())), "JE it cannot be started: no"),
        ];
        for (run, expected) in rows {
            assert_eq!(ruled(&run), expected);
        }
    }
}
