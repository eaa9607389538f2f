//! Every program on every puzzle.
//!
//! The programs take turns on each puzzle, in an order that is shuffled anew each time, so that drift of the machine falls on
//! all alike. A worker (one, unless more are asked for) has a runner of each program. What ends near a limit or a budget is
//! timed again alone, and the median decides.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use sudobench_sudoku::random::Random;

use super::Contender;
use super::plan::{Board, Event, Rules};
use super::ruling::rule;
use super::summary::{Judged, Sample};
use crate::problem::Ruling;
use crate::process::{Children, End, Fault, Run, Runner};
use crate::record::Verdict;
use crate::statistics::median_u64;

/// Runs on a solved board; the median of them is the start-up.
const STARTUP_RUNS: usize = 5;

/// What ended near a limit is timed again so often.
const AGAIN: usize = 3;

/// A time is near a limit where it is within a tenth of it; where others ran beside, where it may have been twice what it is
/// alone.
const NEAR: f64 = 1.1;
const NEAR_BESIDE_OTHERS: f64 = 2.0;

/// A puzzle of a board, and whose turn it is.
#[derive(Clone, Copy, Debug)]
struct Task {
    board: usize,
    index: usize,
    contender: usize,
}

/// Judges every contender on every board. `tell` hears of what happens and answers whether to go on; where it does not, what was judged
/// so far is the result.
///
/// # Errors
/// [`Fault`] where a program cannot be started, or nobody can run it.
pub fn judge<'j>(
    contenders: &'j [Contender],
    boards: &'j [Board],
    rules: &'j Rules,
    children: &Arc<Children>,
    tell: &mut dyn FnMut(Event) -> bool,
) -> Result<Judged<'j>, Fault> {
    let mut session =
        Session { contenders, boards, rules, children, judged: Judged::new(contenders, boards, rules) };
    if session.measure_startup(tell)? && session.run_rounds(tell)? {
        session.time_again(tell)?;
    }
    Ok(session.judged)
}

struct Session<'j, 'c> {
    contenders: &'j [Contender],
    boards: &'j [Board],
    rules: &'j Rules,
    children: &'c Arc<Children>,
    judged: Judged<'j>,
}

impl<'j> Session<'j, '_> {
    /// Runs each program on a board that is solved already. Returns whether to go on, as all steps do.
    fn measure_startup(&mut self, tell: &mut dyn FnMut(Event) -> bool) -> Result<bool, Fault> {
        let Some(solution) = self.boards.iter().find_map(|board| board.solutions.first()) else {
            return Ok(true);
        };
        let input = self.rules.problem.output(solution);
        let mut runners = Runners::new(self.contenders, self.children);
        let of = STARTUP_RUNS * self.contenders.len();
        let mut not_started = Vec::new();
        for time in 0..STARTUP_RUNS {
            for (at, contender) in self.contenders.iter().enumerate() {
                let done = time * self.contenders.len() + at;
                if !tell(Event::Step {
                    done,
                    of,
                    left: None,
                    words: &format!("start-up: {}", contender.name),
                }) {
                    return Ok(false);
                }
                let startup = &mut self.judged.startups[at];
                if startup.is_hopeless {
                    continue;
                }
                // Where no runner can be started, nobody can be judged.
                if let Err(fault) = runners.start(at) {
                    return if self.children.is_stopped() { Ok(false) } else { Err(fault) };
                }
                let run = match runners.run(at, input.as_bytes()) {
                    Err(_) if self.children.is_stopped() => return Ok(false),
                    // The program may have killed it: its runs tell.
                    Err(_) => {
                        startup.is_hopeless = true;
                        continue;
                    }
                    Ok(run) => run,
                };
                match run.end {
                    // Where others can be started, its runs tell of it.
                    End::NotStarted(words) => {
                        startup.is_hopeless = true;
                        not_started.push(format!("{} cannot be started: {words}", contender.name));
                        if not_started.len() == self.contenders.len() {
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
        for (at, held_by) in runners.held_by().into_iter().enumerate() {
            self.judged.startups[at].held_by = held_by;
        }
        Ok(true)
    }

    /// Every program on every puzzle, as often as asked for.
    fn run_rounds(&mut self, tell: &mut dyn FnMut(Event) -> bool) -> Result<bool, Fault> {
        let Session { contenders, boards, rules, children, judged } = self;
        let puzzles: Vec<(usize, usize)> = (boards.iter().enumerate())
            .flat_map(|(board, found)| (0..found.solutions.len()).map(move |index| (board, index)))
            .collect();
        let turns = puzzles.len().saturating_mul(rules.repeat);
        // The turn of the first failure of each program on each board.
        let failed_at: Vec<AtomicUsize> =
            (0..boards.len() * contenders.len()).map(|_| AtomicUsize::new(usize::MAX)).collect();
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |done: Sender<(Task, Result<Sample, Fault>)>| {
            let mut runners = Runners::new(contenders, children);
            loop {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                if turn >= turns {
                    return;
                }
                let (board, index) = puzzles[turn % puzzles.len()];
                for contender in in_turns(contenders.len(), rules.seed, turn) {
                    let failed_at = &failed_at[board * contenders.len() + contender];
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    if rules.stop_at_first && failed_at.load(Ordering::Relaxed) < turn {
                        continue;
                    }
                    let task = Task { board, index, contender };
                    let sample = runners.judge(task, boards, rules);
                    if sample.as_ref().is_ok_and(|sample| sample.ruling.verdict != Verdict::Accepted) {
                        failed_at.fetch_min(turn, Ordering::Relaxed);
                    }
                    if done.send((task, sample)).is_err() {
                        return;
                    }
                }
            }
        };
        let (start, of) = (Instant::now(), turns.saturating_mul(contenders.len()));
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
                    Ok(sample) => {
                        goes_on &= judged.take(task.board, task.contender, task.index, sample, tell)
                    }
                    // What is interrupted is nobody's fault.
                    Err(_) if children.is_stopped() => goes_on = false,
                    Err(error) => fault = Some(error),
                }
                let words =
                    format!("{} on {}", contenders[task.contender].name, boards[task.board].dataset.name());
                let left = start.elapsed().mul_f64((of.saturating_sub(done)) as f64 / done as f64);
                goes_on &= tell(Event::Step { done, of, left: Some(left), words: &words });
                if !goes_on || fault.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            fault.map_or(Ok(goes_on), Err)
        })
    }

    /// Times what ended near a limit or a budget again, alone.
    fn time_again(&mut self, tell: &mut dyn FnMut(Event) -> bool) -> Result<bool, Fault> {
        let near: Vec<Task> = self.tasks().filter(|task| self.is_near(*task)).collect();
        let mut runners = Runners::new(self.contenders, self.children);
        for (done, &task) in near.iter().enumerate() {
            let words = format!("again, alone: {}", self.contenders[task.contender].name);
            if !tell(Event::Step { done, of: near.len(), left: None, words: &words }) {
                return Ok(false);
            }
            let mut samples = Vec::new();
            while !are_enough(&samples, self.rules.jobs > 1) {
                match runners.judge(task, self.boards, self.rules) {
                    Err(_) if self.children.is_stopped() => return Ok(false),
                    sample => samples.push(sample?),
                }
            }
            self.judged.replace(task.board, task.contender, task.index, samples, self.rules.jobs > 1);
        }
        Ok(self.judged.tell_of_slow_ones(tell))
    }

    fn tasks(&self) -> impl Iterator<Item = Task> + use<'_> {
        let contenders = 0..self.contenders.len();
        self.boards.iter().enumerate().flat_map(move |(board, found)| {
            let contenders = contenders.clone();
            (0..found.solutions.len()).flat_map(move |index| {
                contenders.clone().map(move |contender| Task { board, index, contender })
            })
        })
    }

    /// Whether the time of a puzzle could as well have fallen on the other side of a limit.
    fn is_near(&self, task: Task) -> bool {
        let samples = self.judged.samples(task.board, task.contender, task.index);
        let mut times: Vec<u64> = samples.iter().map(|sample| sample.cpu_ns).collect();
        let Some(time) = median_u64(&mut times) else { return false };
        let has_ended = |sample: &Sample| sample.ruling.verdict == Verdict::Accepted;
        let beside_others = self.rules.jobs > 1;
        // One that was ended while it was alone had its chance.
        if !samples
            .iter()
            .any(|sample| has_ended(sample) || (beside_others && sample.is_out_of_processor_time))
        {
            return false;
        }
        let shorter = time as f64 / if beside_others { NEAR_BESIDE_OTHERS } else { NEAR };
        let limit = self.contenders[task.contender].program.limits.cpu;
        let limits = self.rules.budgets.iter().map(|budget| budget.limit).chain(limit);
        limits
            .map(|limit| limit.as_nanos() as f64)
            .any(|limit| shorter <= limit && limit <= time as f64 * NEAR)
    }
}

/// Whether runs that were made again, alone, are enough. Where they stand instead of those beside others, one that is too
/// slow tells all; beside an earlier run that was accepted it would be one against one.
fn are_enough(again: &[Sample], instead: bool) -> bool {
    match again {
        [first] => instead && first.ruling.verdict == Verdict::TimeLimit,
        _ => again.len() >= AGAIN,
    }
}

/// The order of the programs at a turn.
fn in_turns(contenders: usize, seed: u64, turn: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..contenders).collect();
    Random::new(seed.wrapping_add(turn as u64)).shuffle(&mut order);
    order
}

/// A runner of each program, started when it is needed.
struct Runners<'r> {
    contenders: &'r [Contender],
    children: &'r Arc<Children>,
    runners: Vec<Option<Runner>>,
}

impl<'r> Runners<'r> {
    fn new(contenders: &'r [Contender], children: &'r Arc<Children>) -> Runners<'r> {
        Runners { contenders, children, runners: contenders.iter().map(|_| None).collect() }
    }

    /// The runner of a program, started if there is none.
    fn start(&mut self, contender: usize) -> Result<&mut Runner, Fault> {
        match &mut self.runners[contender] {
            Some(runner) => Ok(runner),
            none => Ok(none.insert(Runner::start(self.children, &self.contenders[contender].program)?)),
        }
    }

    /// Runs a program on an input. A runner that was lost is started anew the next time.
    fn run(&mut self, contender: usize, input: &[u8]) -> Result<Run, Fault> {
        let run = self.start(contender)?.run(input);
        if run.is_err() {
            self.runners[contender] = None;
        }
        run
    }

    /// Runs a program on a puzzle and rules on it. That its runner is lost is a verdict, unless we are to end: a program can
    /// kill what runs it.
    fn judge(&mut self, task: Task, boards: &[Board], rules: &Rules) -> Result<Sample, Fault> {
        let board = &boards[task.board];
        let puzzle = &board.dataset.puzzles()[task.index];
        let smallest = rules.problem.demands_smallest.then(|| &board.solutions[task.index]);
        let limits = &self.contenders[task.contender].program.limits;
        match self.run(task.contender, rules.problem.input(puzzle).as_bytes()) {
            Ok(run) => Ok(Sample {
                cpu_ns: run.cpu_ns,
                wall_ns: run.wall_ns,
                peak_memory_bytes: run.peak_memory_bytes,
                is_out_of_processor_time: run.end == End::CpuTime,
                ruling: rule(rules.problem, puzzle, smallest, limits, &run),
            }),
            Err(fault) if self.children.is_stopped() => Err(fault),
            Err(Fault(words)) => Ok(Sample {
                cpu_ns: 0,
                wall_ns: 0,
                peak_memory_bytes: 0,
                is_out_of_processor_time: false,
                ruling: Ruling { verdict: Verdict::JudgeError, words },
            }),
        }
    }

    fn held_by(&self) -> Vec<String> {
        self.runners.iter().map(|runner| runner.as_ref().map_or("", Runner::held_by).to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_run_alone_is_enough_only_where_no_other_counts() {
        let sample = |verdict| Sample {
            cpu_ns: 1,
            wall_ns: 1,
            peak_memory_bytes: 1,
            is_out_of_processor_time: false,
            ruling: Ruling { verdict, words: String::new() },
        };
        let (slow, right) = (sample(Verdict::TimeLimit), sample(Verdict::Accepted));
        let [slow, right] = [slow, right].map(|sample| vec![sample; AGAIN]);
        assert!(!are_enough(&[], true));
        assert!(are_enough(&slow[..1], true) && !are_enough(&slow[..1], false));
        assert!(!are_enough(&right[..1], true) && !are_enough(&right[..2], true));
        assert!(are_enough(&right, true) && are_enough(&slow, false));
    }
}
