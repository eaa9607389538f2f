//! A solver variant of this program as a contestant.
#![forbid(unsafe_code)]

use std::sync::{Barrier, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::counters::Counters;
use super::thread_time::thread_time_ns;
use super::{Contestant, Fault, Pass, WarmUp, nanoseconds};
use crate::measure::{HardwareRecord, Kind};
use crate::puzzle::Puzzle;
use crate::solver::{Limits, Outcome, Solver, Status, Variant};

/// Puzzles that a thread takes at a time, where there are several threads: enough that the lock is not felt,
/// few enough that all end together.
const CHUNK: usize = 64;

/// A variant with one solver for each of its threads.
pub struct InProcess {
    name: String,
    solvers: Vec<Box<dyn Solver>>,
    limits: Limits,
    counters: Option<Counters>,
}

impl InProcess {
    /// Builds the solvers of `threads` threads.
    pub fn new(variant: &Variant, threads: usize, limits: Limits) -> InProcess {
        let solvers = (0..threads.max(1)).map(|_| variant.build()).collect();
        // The counters are those of one thread.
        let counters = if threads <= 1 { Counters::open() } else { None };
        InProcess { name: variant.name.to_owned(), solvers, limits, counters }
    }

    fn batch_size(&self) -> usize {
        self.solvers.first().map_or(1, |solver| solver.batch_size())
    }

    /// Solves all puzzles under `limits` and returns the wall time.
    fn solve(&mut self, puzzles: &[Puzzle], limits: &Limits, outcomes: &mut [Outcome]) -> u64 {
        let chunk = CHUNK.max(self.batch_size());
        match self.solvers.as_mut_slice() {
            [solver] => solve_alone(solver.as_mut(), puzzles, limits, outcomes),
            solvers => solve_together(solvers, chunk, puzzles, limits, outcomes),
        }
    }
}

/// One thread: the whole slice at once, on the caller's thread.
fn solve_alone(
    solver: &mut dyn Solver,
    puzzles: &[Puzzle],
    limits: &Limits,
    outcomes: &mut [Outcome],
) -> u64 {
    let start = Instant::now();
    solver.solve_batch(puzzles, limits, outcomes);
    let elapsed = start.elapsed();
    #[cfg(feature = "planted-slowdown")]
    let elapsed = plant_slowdown(start, elapsed);
    nanoseconds(elapsed)
}

/// Several threads, which wait for each other before the clock starts; it stops when the last has ended.
fn solve_together(
    solvers: &mut [Box<dyn Solver>],
    chunk: usize,
    puzzles: &[Puzzle],
    limits: &Limits,
    outcomes: &mut [Outcome],
) -> u64 {
    let work = Mutex::new(puzzles.chunks(chunk).zip(outcomes.chunks_mut(chunk)));
    let all_ready = Barrier::new(solvers.len() + 1);
    let start = std::thread::scope(|scope| {
        for solver in solvers {
            scope.spawn(|| {
                all_ready.wait();
                loop {
                    // No chunk is left half taken where another thread panicked.
                    let next = work.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((puzzles, outcomes)) = next else { break };
                    solver.solve_batch(puzzles, limits, outcomes);
                }
            });
        }
        all_ready.wait();
        Instant::now()
    });
    nanoseconds(start.elapsed())
}

/// Makes every pass a tenth longer. Only in builds that show that the gate sees it.
#[cfg(feature = "planted-slowdown")]
fn plant_slowdown(start: Instant, elapsed: Duration) -> Duration {
    let planted = elapsed.mul_f64(1.1);
    while start.elapsed() < planted {
        std::hint::spin_loop();
    }
    start.elapsed()
}

impl Contestant for InProcess {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Kind {
        if self.batch_size() > 1 { Kind::Batch } else { Kind::Single }
    }

    fn threads(&self) -> usize {
        self.solvers.len()
    }

    /// Goes by chunks that double as long as they are short, so that even a variant that takes a second for a
    /// puzzle stops about when it should.
    fn warm_up(&mut self, puzzles: &[Puzzle], allowance: Duration) -> Result<WarmUp, Fault> {
        let start = Instant::now();
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(puzzles.len());
        let mut chunk = self.batch_size() * self.solvers.len();
        let mut elapsed_ns = 0;
        while outcomes.len() < puzzles.len() {
            let left = allowance.saturating_sub(start.elapsed());
            if left.is_zero() && !outcomes.is_empty() {
                break;
            }
            let done = outcomes.len();
            let next = &puzzles[done..puzzles.len().min(done + chunk)];
            outcomes.resize(done + next.len(), Outcome::ABORTED);
            let own_limit = self.limits.max_time.unwrap_or(Duration::MAX);
            let limits = Limits { max_time: Some(own_limit.min(left)), ..self.limits.clone() };
            let chunk_ns = self.solve(next, &limits, &mut outcomes[done..]);
            elapsed_ns += chunk_ns;
            if own_limit > left
                && let Some(cut) = cut_off(&outcomes[done..], nanoseconds(left))
            {
                outcomes.truncate(done + cut);
                break;
            }
            if u128::from(chunk_ns) * 16 < allowance.as_nanos() {
                chunk *= 2;
            }
        }
        match outcomes.is_empty() && !puzzles.is_empty() {
            true => Err(Fault(format!(
                "no verdict on the first puzzle within {}: raise --max-time, or give puzzles up with \
                 --max-time-per-puzzle",
                humantime::format_duration(allowance)
            ))),
            false => Ok(WarmUp { outcomes, elapsed_ns }),
        }
    }

    fn pass(&mut self, puzzles: &[Puzzle], outcomes: &mut [Outcome]) -> Result<Pass, Fault> {
        let limits = self.limits.clone();
        if let Some(counters) = &mut self.counters {
            counters.start();
        }
        let before_ns = thread_time_ns();
        let elapsed_ns = self.solve(puzzles, &limits, outcomes);
        // Several threads do the work elsewhere: this one only waits.
        let cpu_ns = if self.solvers.len() > 1 { 0 } else { thread_time_ns().saturating_sub(before_ns) };
        if let Some(counters) = &mut self.counters {
            counters.stop();
        }
        Ok(Pass { elapsed_ns, cpu_ns, ..Pass::default() })
    }

    fn take_counters(&mut self, puzzles: u64) -> Option<HardwareRecord> {
        self.counters.as_mut()?.take(puzzles)
    }
}

/// Where the outcomes end that had their full time: before the first that was given up because the warm-up's
/// time was over.
fn cut_off(outcomes: &[Outcome], left_ns: u64) -> Option<usize> {
    let cut = |outcome: &Outcome| outcome.status == Status::Aborted && outcome.elapsed_ns >= left_ns;
    outcomes.iter().position(cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver;

    fn null(threads: usize) -> InProcess {
        InProcess::new(solver::find("null").unwrap(), threads, Limits::unique())
    }

    #[test]
    fn a_pass_answers_every_puzzle_whatever_the_threads() {
        for threads in [1, 3] {
            let mut outcomes = vec![Outcome { nodes: 99, ..Outcome::ABORTED }; 1000];
            let pass = null(threads).pass(&[Puzzle::EMPTY; 1000], &mut outcomes).unwrap();
            assert!(pass.elapsed_ns > 0);
            assert!(outcomes.iter().all(|outcome| outcome.nodes == 0), "{threads} threads left some out");
        }
    }

    #[test]
    fn a_warm_up_reaches_all_puzzles_in_time_and_none_without() {
        let reached =
            |time| null(1).warm_up(&[Puzzle::EMPTY; 100], time).map(|warm_up| warm_up.outcomes.len());
        assert_eq!(reached(Duration::from_secs(60)), Ok(100));
        assert!(reached(Duration::ZERO).unwrap_err().to_string().contains("--max-time"));
    }
}
