//! A solver in this process as a contestant.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::{Outcome, Question, Solver, Status, Variant};

use super::alarm::Alarm;
use super::{Allowance, Contestant, Fault, Pass, WarmUp};
use crate::meters::{Account, Counters, thread_time_ns};
use crate::record::Kind;

/// Number of puzzles that a thread takes at a time if there are several threads. A batch solver takes at least one batch. With a larger
/// number, some threads would end much later than others. With a smaller number, the lock would cost too much time.
const CHUNK: usize = 64;

/// Number of puzzles in a slice for a solver that solves one puzzle at a time. The question's `cancel` flag is checked between slices, so a
/// slice must be short.
const SLICE: usize = 1024;

/// A solver in this process, with one instance for each thread.
pub struct InProcess {
    name: String,
    solvers: Vec<Box<dyn Solver>>,
    question: Question,
    counters: Option<Counters>,
}

impl InProcess {
    /// Builds one solver for each of `threads` threads.
    ///
    /// # Errors
    /// [`LevelError`] if the CPU does not support the SIMD level.
    pub fn new(
        variant: &Variant,
        level: Level,
        threads: usize,
        question: Question,
    ) -> Result<InProcess, LevelError> {
        let solvers = (0..threads.max(1)).map(|_| variant.build(level)).collect::<Result<_, _>>()?;
        Ok(InProcess::from_solvers(variant.name.to_owned(), solvers, question))
    }

    /// Makes a contestant from an existing solver, for one thread.
    pub fn from_solver(name: impl Into<String>, solver: Box<dyn Solver>, question: Question) -> InProcess {
        InProcess::from_solvers(name.into(), vec![solver], question)
    }

    fn from_solvers(name: String, solvers: Vec<Box<dyn Solver>>, question: Question) -> InProcess {
        // The counters cover only one thread, so they are not used if there are several threads.
        let counters = if solvers.len() <= 1 { Counters::open().ok() } else { None };
        InProcess { name, solvers, question, counters }
    }

    fn batch_size(&self) -> usize {
        self.solvers.first().map_or(1, |solver| solver.batch_size())
    }

    /// Solves the puzzles under `question` and returns the wall time. The division into batches must not depend on the clock, because the
    /// counts of a batch solver depend on its batches.
    fn solve(
        &mut self,
        puzzles: &[Puzzle],
        question: &Question,
        outcomes: &mut [Outcome],
    ) -> Result<u64, Fault> {
        let chunk = CHUNK.max(self.batch_size());
        match self.solvers.as_mut_slice() {
            [solver] => Ok(solve_alone(solver.as_mut(), puzzles, question, outcomes)),
            solvers => solve_together(solvers, chunk, puzzles, question, outcomes),
        }
    }

    /// Solves the puzzles in chunks. The size of the chunks doubles as long as a chunk takes little time. When the time is over, only the
    /// answers before the first unfinished puzzle are kept.
    fn reach(&mut self, puzzles: &[Puzzle], allowance: Duration) -> Result<Reached, Fault> {
        let start = Instant::now();
        let alarm = Alarm::set(allowance, self.question.cancel.clone())?;
        let question = Question { cancel: Some(Arc::clone(alarm.flag())), ..self.question.clone() };
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(puzzles.len());
        let mut chunk = self.batch_size() * self.solvers.len();
        let (mut elapsed_ns, mut in_one_pass) = (0, true);
        while outcomes.len() < puzzles.len() {
            if start.elapsed() >= allowance && !outcomes.is_empty() {
                break;
            }
            let done = outcomes.len();
            in_one_pass = done == 0;
            let next = &puzzles[done..puzzles.len().min(done + chunk)];
            outcomes.resize(done + next.len(), Outcome::ABORTED);
            let chunk_ns = self.solve(next, &question, &mut outcomes[done..])?;
            elapsed_ns += chunk_ns;
            if alarm.has_rung()
                && let Some(cut) = outcomes[done..].iter().position(|outcome| was_cut_off(outcome, &question))
            {
                outcomes.truncate(done + cut);
                in_one_pass = false;
                break;
            }
            if u128::from(chunk_ns) * 16 < allowance.as_nanos() {
                chunk *= 2;
            }
        }
        Ok(Reached { outcomes, elapsed_ns, in_one_pass })
    }
}

struct Reached {
    outcomes: Vec<Outcome>,
    elapsed_ns: u64,
    /// Whether the outcomes come from one pass.
    in_one_pass: bool,
}

/// Solves on the caller's thread, and returns the wall time in nanoseconds. A batch solver gets all puzzles at once. Any other solver gets
/// at most [`SLICE`] puzzles at a time.
fn solve_alone(
    solver: &mut dyn Solver,
    puzzles: &[Puzzle],
    question: &Question,
    outcomes: &mut [Outcome],
) -> u64 {
    let slice = if solver.batch_size() > 1 { puzzles.len().max(1) } else { SLICE };
    let start = Instant::now();
    #[cfg(feature = "planted-slowdown")]
    let before = thread_time_ns();
    for (puzzles, outcomes) in puzzles.chunks(slice).zip(outcomes.chunks_mut(slice)) {
        if is_cancelled(question) {
            break;
        }
        solver.solve_batch(puzzles, question, outcomes);
    }
    #[cfg(feature = "planted-slowdown")]
    plant_slowdown(before);
    nanoseconds(start.elapsed())
}

pub(super) fn is_cancelled(question: &Question) -> bool {
    question.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
}

/// Solves on several threads, and returns the wall time in nanoseconds. The threads wait for each other before the clock starts. The clock
/// stops when the last thread has ended.
///
/// # Errors
///
/// [`Fault`] if some thread can't be started. The other threads have then ended.
fn solve_together(
    solvers: &mut [Box<dyn Solver>],
    chunk: usize,
    puzzles: &[Puzzle],
    question: &Question,
    outcomes: &mut [Outcome],
) -> Result<u64, Fault> {
    let work = Mutex::new(puzzles.chunks(chunk).zip(outcomes.chunks_mut(chunk)));
    let line = StartLine::default();
    let threads = solvers.len();
    let start = std::thread::scope(|scope| {
        for (started, solver) in solvers.iter_mut().enumerate() {
            let work_through = || {
                if !line.wait_for_start() {
                    return;
                }
                while !is_cancelled(question) {
                    // A poisoned lock can be used: even if another thread panicked, each chunk was taken completely or not at all.
                    let next = work.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((puzzles, outcomes)) = next else { break };
                    solver.solve_batch(puzzles, question, outcomes);
                }
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work_through) {
                line.start(false);
                let enough = started.max(1);
                return Err(Fault(format!(
                    "cannot start {threads} threads: {error}; {started} could be started, so try --threads {enough}"
                )));
            }
        }
        line.wait_for(threads);
        let start = Instant::now();
        line.start(true);
        Ok(start)
    })?;
    Ok(nanoseconds(start.elapsed()))
}

/// Makes threads wait until all threads are ready. If a thread can't be started, the waiting threads are released, whereas a barrier would
/// wait forever.
#[derive(Default)]
struct StartLine {
    state: Mutex<AtLine>,
    changed: Condvar,
}

#[derive(Default)]
struct AtLine {
    waiting: usize,
    /// Whether the threads start. `None` until this is decided.
    starts: Option<bool>,
}

impl StartLine {
    /// Waits for the start. Returns false if the start is cancelled.
    fn wait_for_start(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting += 1;
        self.changed.notify_all();
        let waited = self.changed.wait_while(state, |state| state.starts.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).starts == Some(true)
    }

    fn wait_for(&self, threads: usize) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(state, |state| state.waiting < threads));
    }

    /// Releases the threads, either to work or to end.
    fn start(&self, starts: bool) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).starts = Some(starts);
        self.changed.notify_all();
    }
}

/// Makes a pass use 10% more processor time than it has used so far. `before` is the thread's processor time at the start of the pass. This
/// function exists only in builds that test whether the gate finds a slowdown. A tenth of the wall time would be too much work on a busy
/// machine, because wall time includes the time of waiting for a core.
#[cfg(feature = "planted-slowdown")]
fn plant_slowdown(before: u64) {
    let used = || thread_time_ns() - before;
    let planted = used() + used() / 10;
    while used() < planted {
        std::hint::spin_loop();
    }
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

    fn account(&self) -> Option<Account> {
        Some(if self.solvers.len() > 1 { Account::Process } else { Account::Thread })
    }

    /// First solves the puzzles in chunks, to find how many of them fit into the time. A batch solver's work for a puzzle depends on the
    /// other puzzles of the batch, so its answers must come from the same batches as in the rounds. For this, a batch solver solves
    /// the reached puzzles again in one pass, unless a single chunk had exactly these puzzles.
    fn warm_up(&mut self, puzzles: &[Puzzle], allowance: Allowance) -> Result<WarmUp, Fault> {
        let passes_again = self.kind() == Kind::Batch;
        let share = if passes_again { allowance.time / 2 } else { allowance.time };
        let Reached { mut outcomes, elapsed_ns, in_one_pass } = self.reach(puzzles, share)?;
        if outcomes.is_empty() && !puzzles.is_empty() {
            let within = Allowance { time: share, ..allowance }.in_words();
            return Err(Fault(format!(
                "no verdict on the first puzzle within {within}: raise that limit, or leave out this solver or this puzzle; `bench` can \
                 also give up hard puzzles, with --max-nodes or --max-time-per-puzzle"
            )));
        }
        if in_one_pass || !passes_again {
            return Ok(WarmUp { outcomes, pass_ns: elapsed_ns, elapsed_ns });
        }
        let question = self.question.clone();
        let pass_ns = self.solve(&puzzles[..outcomes.len()], &question, &mut outcomes)?;
        Ok(WarmUp { outcomes, pass_ns, elapsed_ns: elapsed_ns + pass_ns })
    }

    fn pass(
        &mut self,
        puzzles: &[Puzzle],
        outcomes: &mut [Outcome],
        _allowance: Duration,
    ) -> Result<Option<Pass>, Fault> {
        let question = self.question.clone();
        if let Some(counters) = &mut self.counters {
            counters.start();
        }
        let before_ns = thread_time_ns();
        let elapsed_ns = self.solve(puzzles, &question, outcomes)?;
        // If there are several threads, this thread only waits for them, so its processor time is not the time of the work.
        let cpu_ns = if self.solvers.len() > 1 { 0 } else { thread_time_ns().saturating_sub(before_ns) };
        let counted = self.counters.as_mut().map(|counters| {
            counters.stop();
            counters.take()
        });
        Ok(Some(Pass { elapsed_ns, cpu_ns, readings: counted.unwrap_or_default(), ..Pass::default() }))
    }
}

/// Returns whether a puzzle was aborted because the time of the warm-up was over, and not at the puzzle's own limit of nodes or time.
fn was_cut_off(outcome: &Outcome, question: &Question) -> bool {
    let at_nodes = question.max_nodes.is_some_and(|nodes| outcome.nodes >= nodes);
    let at_time = question.max_time.is_some_and(|time| outcome.elapsed_ns >= nanoseconds(time));
    outcome.status == Status::Aborted && !at_nodes && !at_time
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::open_puzzles;
    use super::super::{Dataset, Plan, count, measure};
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use sudobench_sudoku::solver;

    fn null(threads: usize) -> InProcess {
        InProcess::new(solver::find("null").unwrap(), Level::widest(), threads, Question::unique()).unwrap()
    }

    fn for_so_long(milliseconds: u64) -> Allowance {
        Allowance { time: Duration::from_millis(milliseconds), limit: "the limit" }
    }

    #[test]
    fn a_pass_answers_every_puzzle_for_any_number_of_threads() {
        for threads in [1, 3] {
            let mut outcomes = vec![Outcome { nodes: 99, ..Outcome::ABORTED }; 1000];
            let pass =
                null(threads).pass(&[Puzzle::EMPTY; 1000], &mut outcomes, Duration::MAX).unwrap().unwrap();
            assert!(pass.elapsed_ns > 0);
            assert!(
                outcomes.iter().all(|outcome| outcome.nodes == 0),
                "{threads} threads left some puzzles out"
            );
        }
    }

    #[test]
    fn a_warm_up_reaches_all_puzzles_or_none_without_time() {
        let reached =
            |time| null(1).warm_up(&[Puzzle::EMPTY; 100], time).map(|warm_up| warm_up.outcomes.len());
        assert_eq!(reached(for_so_long(60_000)), Ok(100));
        assert!(reached(for_so_long(0)).unwrap_err().to_string().contains("within 0s (the limit)"));
    }

    /// Answers the first `easy` puzzles immediately. At every later puzzle, waits until the time is over. Counts how often it waited.
    struct Stuck {
        easy: usize,
        waits: Arc<AtomicUsize>,
    }

    impl Solver for Stuck {
        fn solve(&mut self, _puzzle: &Puzzle, question: &Question) -> Outcome {
            let start = Instant::now();
            let is_over =
                || is_cancelled(question) || question.max_time.is_some_and(|time| start.elapsed() >= time);
            if self.easy > 0 {
                self.easy -= 1;
                return Outcome::CONTRADICTORY;
            }
            if !is_over() {
                self.waits.fetch_add(1, Ordering::Relaxed);
            }
            while !is_over() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Outcome { elapsed_ns: nanoseconds(start.elapsed()), ..Outcome::ABORTED }
        }
    }

    #[test]
    fn the_time_of_a_warm_up_is_the_total_of_its_puzzles() {
        let waits = Arc::new(AtomicUsize::new(0));
        let stuck: Box<dyn Solver> = Box::new(Stuck { easy: 700, waits: Arc::clone(&waits) });
        let mut contestant = InProcess { solvers: vec![stuck], ..null(1) };
        let warm_up = contestant.warm_up(&[Puzzle::EMPTY; 5_000], for_so_long(3_000)).unwrap();
        assert_eq!((warm_up.outcomes.len(), waits.load(Ordering::Relaxed)), (700, 1));
    }

    /// Wraps a batch solver and reports `batch_size` as the solver's batch size. This changes the sizes of the warm-up's chunks, as if the
    /// solver were slower or faster.
    struct Paced {
        solver: Box<dyn Solver>,
        batch_size: usize,
    }

    impl Solver for Paced {
        fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
            self.solver.solve(puzzle, question)
        }

        fn solve_batch(&mut self, puzzles: &[Puzzle], question: &Question, outcomes: &mut [Outcome]) {
            self.solver.solve_batch(puzzles, question, outcomes);
        }

        fn batch_size(&self) -> usize {
            self.batch_size
        }
    }

    /// Returns the solver `bitslice` on one thread, with this batch size.
    fn paced(batch_size: usize, question: &Question) -> Box<dyn Contestant> {
        let variant = solver::find("bitslice").unwrap();
        let solver: Box<dyn Solver> =
            Box::new(Paced { solver: variant.build(Level::widest()).unwrap(), batch_size });
        Box::new(InProcess {
            solvers: vec![solver],
            ..InProcess::new(variant, Level::widest(), 1, question.clone()).unwrap()
        })
    }

    #[test]
    fn records_depend_on_the_puzzles_and_not_on_the_speed() {
        let dataset = Dataset::in_order("open", open_puzzles(9_000));
        let question = Question { max_nodes: Some(40), ..Question::unique() };
        let plan = Plan { keep_puzzles: true, ..Plan::new(question, Duration::from_secs(600)) };
        let counted =
            count(solver::find("bitslice").unwrap(), Level::widest(), &dataset, &plan.question).unwrap();
        let mut contestants: Vec<Box<dyn Contestant>> =
            [700, 2_500, 4_096, 9_000].map(|batch_size| paced(batch_size, &plan.question)).into();
        let records = measure(&mut contestants, &[dataset], &plan, &mut |_| true).pairs;
        let first = records[0].measurement.as_ref().unwrap();
        assert!(first.effort.unwrap().nodes > Some(0) && first.with_status("aborted") > 0);
        for record in &records {
            let measurement = record.measurement.as_ref().unwrap();
            assert_eq!((measurement.effort, &measurement.statuses), (first.effort, &first.statuses));
            let kept = measurement.kept.as_ref().unwrap();
            assert!(kept.nodes.iter().eq(counted.iter().map(|answer| &answer.outcome.nodes)));
            assert!(kept.guesses.iter().eq(counted.iter().map(|answer| &answer.outcome.guesses)));
        }
    }

    #[test]
    fn batches_do_not_depend_on_the_number_of_threads() {
        let puzzles = open_puzzles(9_000);
        let nodes = |threads: usize| -> Vec<u64> {
            let mut together = InProcess::new(
                solver::find("bitslice").unwrap(),
                Level::widest(),
                threads,
                Question::unique(),
            )
            .unwrap();
            let warm_up = together.warm_up(&puzzles, for_so_long(600_000)).unwrap();
            warm_up.outcomes.iter().map(|outcome| outcome.nodes).collect()
        };
        assert!(nodes(2) == nodes(3));
    }
}
