//! Runs every program on every puzzle.
//!
//! The programs take turns on each puzzle, in an order that is shuffled each time, so that drift of the machine affects the programs alike.
//! There is one worker unless more are requested. If a program has an accepted run on a puzzle, and its time for the puzzle is near a limit
//! or a budget, the program runs on the puzzle again without other runs at the same time, and the median of the times decides. If several
//! workers were requested, a program over the time limit may run on the puzzle again, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use sudobench_sudoku::random::Random;

use super::JudgedProgram;
use super::judged_set::JudgedSet;
use super::plan::{Event, Rules};
use super::ruling::rule;
use super::summary::{Judged, Sample, Task};
use crate::problem::Ruling;
use crate::process::{End, Fault, Supervisor};
use crate::record::Verdict;
use crate::statistics::median_u64;

/// Number of runs of each program on a solved board; fewer if a run fails. The median of their times is the program's start-up time.
const STARTUP_RUNS: usize = 5;

/// Maximum number of repeated runs on a puzzle whose time is near a limit or a budget.
const AGAIN: usize = 3;

/// A time counts as near a limit if it differs from the limit by at most about a tenth. If other runs took place at the same time, any time
/// from the limit up to twice the limit counts as near, too: without the other runs, the program may take only half as long.
const NEAR: f64 = 1.1;
const NEAR_BESIDE_OTHERS: f64 = 2.0;

/// Judges every program on the judged puzzles of every dataset (its [`JudgedSet`]). `tell` receives the events and returns whether to
/// continue; if `tell` returns false, the result contains only the puzzles judged so far.
///
/// # Errors
///
/// [`Fault`] if the limits can't be enforced, a thread can't be started, or no program can be started.
pub fn judge<'j>(
    programs: &'j [JudgedProgram],
    sets: &'j [JudgedSet],
    rules: &'j Rules,
    supervisor: &Arc<Supervisor>,
    tell: &mut dyn FnMut(Event) -> bool,
) -> Result<Judged<'j>, Fault> {
    let mut session =
        Session { programs, sets, rules, supervisor, judged: Judged::new(programs, sets, rules) };
    if session.measure_startup(tell)? && session.run_rounds(tell)? {
        session.time_again(tell)?;
    }
    Ok(session.judged)
}

struct Session<'j, 'c> {
    programs: &'j [JudgedProgram],
    sets: &'j [JudgedSet],
    rules: &'j Rules,
    supervisor: &'c Arc<Supervisor>,
    judged: Judged<'j>,
}

impl<'j> Session<'j, '_> {
    /// Runs each program on a solved board. Returns whether the session continues.
    fn measure_startup(&mut self, tell: &mut dyn FnMut(Event) -> bool) -> Result<bool, Fault> {
        let Some(solution) = self.sets.iter().find_map(|set| set.solutions.first()) else {
            return Ok(true);
        };
        let input = self.rules.problem.output(solution);
        let total = STARTUP_RUNS * self.programs.len();
        let mut not_started = Vec::new();
        for time in 0..STARTUP_RUNS {
            for (at, program) in self.programs.iter().enumerate() {
                let done = time * self.programs.len() + at;
                if !tell(Event::Step {
                    done,
                    total,
                    left: None,
                    activity: &format!("start-up: {}", program.name),
                }) {
                    return Ok(false);
                }
                let startup = &mut self.judged.startups[at];
                if startup.is_hopeless {
                    continue;
                }
                // If the limits can't be enforced, no program can be judged.
                if let Err(fault) = self.supervisor.prepare(&program.limited.limits) {
                    return if self.supervisor.is_interrupted() { Ok(false) } else { Err(fault) };
                }
                let run = match self.supervisor.run(&program.limited, input.as_bytes()) {
                    Err(_) if self.supervisor.is_interrupted() => return Ok(false),
                    // The program may have killed the runner. The runs on puzzles will show this.
                    Err(_) => {
                        startup.is_hopeless = true;
                        continue;
                    }
                    Ok(run) => run,
                };
                startup.enforced_by = run.enforced_by;
                match run.end {
                    // Perhaps other programs can be started, so this is an error only if no program can be started.
                    End::NotStarted(reason) => {
                        startup.is_hopeless = true;
                        not_started.push(format!("{} cannot be started: {reason}", program.name));
                        if not_started.len() == self.programs.len() {
                            return Err(Fault(not_started.swap_remove(0)));
                        }
                    }
                    End::Exited(0) => {
                        startup.cpu_ns.push(run.cpu_ns);
                        startup.wall_ns.push(run.wall_ns);
                    }
                    _ => startup.is_hopeless = true,
                }
            }
        }
        Ok(true)
    }

    /// Runs every program on every puzzle, as often as requested. Returns whether the session continues.
    fn run_rounds(&mut self, tell: &mut dyn FnMut(Event) -> bool) -> Result<bool, Fault> {
        let Session { programs, sets, rules, supervisor, judged } = self;
        let puzzles: Vec<(usize, usize)> = (sets.iter().enumerate())
            .flat_map(|(set, judged_set)| (0..judged_set.solutions.len()).map(move |index| (set, index)))
            .collect();
        let turns = puzzles.len().saturating_mul(rules.repeat);
        // In a turn, all programs run on one puzzle. For each set and each program, this is the number of the turn of the first failure, or
        // `usize::MAX` if no run failed.
        let failed_at: Vec<AtomicUsize> =
            (0..sets.len() * programs.len()).map(|_| AtomicUsize::new(usize::MAX)).collect();
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |done: Sender<(Task, Result<Sample, Fault>)>| {
            loop {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                if turn >= turns {
                    return;
                }
                let (set, index) = puzzles[turn % puzzles.len()];
                for program in in_turns(programs.len(), rules.seed, turn) {
                    let failed_at = &failed_at[set * programs.len() + program];
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    if rules.stop_at_first && failed_at.load(Ordering::Relaxed) < turn {
                        continue;
                    }
                    let task = Task { set, index, program };
                    let sample = judge_once(&programs[task.program], task, sets, rules, supervisor);
                    if sample.as_ref().is_ok_and(|sample| sample.ruling.verdict != Verdict::Accepted) {
                        failed_at.fetch_min(turn, Ordering::Relaxed);
                    }
                    if done.send((task, sample)).is_err() {
                        return;
                    }
                }
            }
        };
        let (start, total) = (Instant::now(), turns.saturating_mul(programs.len()));
        std::thread::scope(|scope| {
            let (sender, samples) = channel();
            for number in 0..rules.jobs {
                let (sender, work) = (sender.clone(), &work);
                let worker = std::thread::Builder::new().name(format!("judge {number}"));
                let started = worker.spawn_scoped(scope, move || work(sender));
                started.map_err(|error| {
                    stop.store(true, Ordering::Relaxed);
                    Fault(format!("cannot start a thread: {error}"))
                })?;
            }
            drop(sender);
            let (mut done, mut goes_on, mut fault) = (0, true, None);
            for (task, sample) in samples {
                done += 1;
                match sample {
                    Ok(sample) => goes_on &= judged.take(task, sample, tell),
                    // After an interrupt, the error is not a failure of the program.
                    Err(_) if supervisor.is_interrupted() => goes_on = false,
                    Err(error) => fault = Some(error),
                }
                let activity =
                    format!("{} on {}", programs[task.program].name, sets[task.set].dataset.name());
                let left = start.elapsed().mul_f64((total.saturating_sub(done)) as f64 / done as f64);
                goes_on &= tell(Event::Step { done, total, left: Some(left), activity: &activity });
                if !goes_on || fault.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            fault.map_or(Ok(goes_on), Err)
        })
    }

    /// Runs a program again on each puzzle for which its time is near a limit or a budget. No other run takes place at the same time.
    fn time_again(&mut self, tell: &mut dyn FnMut(Event) -> bool) -> Result<bool, Fault> {
        let near: Vec<Task> = self.tasks().filter(|task| self.is_near(*task)).collect();
        for (done, &task) in near.iter().enumerate() {
            let activity = format!("timed again alone: {}", self.programs[task.program].name);
            if !tell(Event::Step { done, total: near.len(), left: None, activity: &activity }) {
                return Ok(false);
            }
            let mut samples = Vec::new();
            while !are_enough(&samples, self.rules.jobs > 1) {
                let program = &self.programs[task.program];
                match judge_once(program, task, self.sets, self.rules, self.supervisor) {
                    Err(_) if self.supervisor.is_interrupted() => return Ok(false),
                    sample => samples.push(sample?),
                }
            }
            self.judged.runs_mut(task).add_repeated(samples, self.rules.jobs > 1);
        }
        Ok(self.judged.tell_of_rest(tell))
    }

    fn tasks(&self) -> impl Iterator<Item = Task> + use<'_> {
        let programs = 0..self.programs.len();
        self.sets.iter().enumerate().flat_map(move |(set, judged_set)| {
            let programs = programs.clone();
            (0..judged_set.solutions.len())
                .flat_map(move |index| programs.clone().map(move |program| Task { set, index, program }))
        })
    }

    /// Returns whether the time of a puzzle is near a limit or a budget: a repeated run could be within the limit instead of over it, or
    /// the reverse.
    fn is_near(&self, task: Task) -> bool {
        let samples = self.judged.samples(task);
        let mut times: Vec<u64> = samples.iter().map(|sample| sample.cpu_ns).collect();
        let Some(time) = median_u64(&mut times) else { return false };
        let is_accepted = |sample: &Sample| sample.ruling.verdict == Verdict::Accepted;
        let beside_others = self.rules.jobs > 1;
        // Without an accepted run on the puzzle, the program runs again only if other runs may have slowed it down.
        if !samples
            .iter()
            .any(|sample| is_accepted(sample) || (beside_others && sample.is_out_of_processor_time))
        {
            return false;
        }
        let shorter = time as f64 / if beside_others { NEAR_BESIDE_OTHERS } else { NEAR };
        let limit = self.programs[task.program].limited.limits.cpu;
        let limits = self.rules.budgets.iter().map(|budget| budget.limit).chain(limit);
        limits
            .map(|limit| limit.as_nanos() as f64)
            .any(|limit| shorter <= limit && limit <= time as f64 * NEAR)
    }
}

/// Returns whether there are enough repeated runs. With `replaces`, the repeated runs replace the earlier runs, so a single repeated run is
/// enough if it exceeds the time limit. Without `replaces`, the repeated runs are added to an accepted run, so a single slow run is not
/// enough: with one slow run and one accepted run, there would be no majority.
fn are_enough(again: &[Sample], replaces: bool) -> bool {
    match again {
        [first] => replaces && first.ruling.verdict == Verdict::TimeLimit,
        _ => again.len() >= AGAIN,
    }
}

fn in_turns(programs: usize, seed: u64, turn: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..programs).collect();
    Random::new(seed.wrapping_add(turn as u64)).shuffle(&mut order);
    order
}

/// Runs a program on a puzzle and returns the verdict. A lost runner is not an error of this function, because the program may have killed
/// it; the verdict is then `JudgeError`. The only error is an interrupt of the session.
fn judge_once(
    program: &JudgedProgram,
    task: Task,
    sets: &[JudgedSet],
    rules: &Rules,
    supervisor: &Arc<Supervisor>,
) -> Result<Sample, Fault> {
    let set = &sets[task.set];
    let puzzle = &set.dataset.puzzles()[task.index];
    let smallest = rules.problem.demands_smallest.then(|| &set.solutions[task.index]);
    let limited = &program.limited;
    match supervisor.run(limited, rules.problem.input(puzzle).as_bytes()) {
        Ok(run) => Ok(Sample {
            cpu_ns: run.cpu_ns,
            wall_ns: run.wall_ns,
            peak_memory_bytes: run.peak_memory_bytes,
            is_out_of_processor_time: run.end == End::CpuTime,
            ruling: rule(rules.problem, puzzle, smallest, &limited.limits, &run),
        }),
        Err(fault) if supervisor.is_interrupted() => Err(fault),
        Err(Fault(reason)) => Ok(Sample {
            cpu_ns: 0,
            wall_ns: 0,
            peak_memory_bytes: 0,
            is_out_of_processor_time: false,
            ruling: Ruling { verdict: Verdict::JudgeError, reason },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_run_alone_decides_only_if_no_other_run_counts() {
        let sample = |verdict| Sample {
            cpu_ns: 1,
            wall_ns: 1,
            peak_memory_bytes: 1,
            is_out_of_processor_time: false,
            ruling: Ruling { verdict, reason: String::new() },
        };
        let (slow, right) = (sample(Verdict::TimeLimit), sample(Verdict::Accepted));
        let [slow, right] = [slow, right].map(|sample| vec![sample; AGAIN]);
        assert!(!are_enough(&[], true));
        assert!(are_enough(&slow[..1], true) && !are_enough(&slow[..1], false));
        assert!(!are_enough(&right[..1], true) && !are_enough(&right[..2], true));
        assert!(are_enough(&right, true) && are_enough(&slow, false));
    }
}
