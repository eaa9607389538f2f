//! The measurements of `bench` and `gate`.
//!
//! ```text
//! dataset, fingerprint, forms
//!     The puzzles of one input: loaded once, permuted by the seed, with counts that show their difficulty. Equivalent forms of the
//!     puzzles.
//! variant, engine*, exchange, files, protocol
//!     Contestants: a solver variant on its threads, or an external engine with one process for all puzzles or one process for each puzzle.
//! selection, answer_probes
//!     The choice of built-in solvers. Puzzles that show which kind of answers an engine gives.
//! warm_up, agreement, form_answers, wrong, work
//!     Every contestant answers every dataset once, as far as its time allows. The referee and the other contestants check the answers. A
//!     wrong answer excludes the pair (this contestant on this dataset) from the rounds.
//! rounds, pair
//!     In each round, the pairs run in a newly shuffled order. The answers are checked again.
//! summary
//!     Turns the samples into the measurements of a record.
//! runs
//!     Repeats the whole measurement several times, each time in a new process.
//! command, command_rounds, command_summary
//!     Any programs in rounds, without puzzles.
//! engine_solver
//!     An engine as the solver for which `generate` searches hard puzzles.
//! callgrind
//!     Instructions of other processes, counted by valgrind.
//! count
//!     Exact counts of one untimed pass (for an engine: two passes).
//! trials, passes, served_binary, serve, engine_builds, command_builds
//!     Two builds in turn: two binaries that serve passes on request, or two builds of an engine or of any program.
//! ```
//! Contestants and commands measure times. The other modules read the clock only for time limits and estimates, so tests can use invented
//! times.

mod agreement;
mod alarm;
mod answer_probes;
mod callgrind;
mod command;
mod command_builds;
mod command_rounds;
mod command_summary;
mod count;
mod dataset;
mod engine;
mod engine_builds;
mod engine_judge;
mod engine_library;
mod engine_lines;
mod engine_solver;
mod engine_text;
mod exchange;
mod files;
mod fingerprint;
mod form_answers;
mod forms;
mod pair;
mod passes;
mod protocol;
mod rounds;
mod runs;
mod selection;
mod serve;
mod served_binary;
mod stored_plan;
mod summary;
mod trials;
mod variant;
mod warm_up;
mod work;
mod wrong;

pub use callgrind::Callgrind;
pub use command::{CounterPattern, MeasuredCommand};
pub use command_builds::{CommandBuild, CommandBuilds};
pub use command_rounds::{CommandStep, CommandsPlan, measure_commands};
pub use command_summary::summarize_commands;
pub use count::{CountedAnswer, count, count_printed};
pub use dataset::{Dataset, DatasetError, disambiguate};
pub use engine::{Engine, pipes_ns};
pub use engine_builds::{EngineBuild, EngineBuilds, PuzzlePart};
pub use engine_solver::EngineSolverFactory;
pub use passes::{Leg, Passes, Request, ServedPair};
pub use protocol::{AnswersOf, EngineProtocol, EngineSetup, ProtocolOf, engine_setups};
pub use rounds::{Measured, measure};
pub use runs::{RequestedEngine, RunRequest, Runs, answer_run};
pub use selection::{Selection, TooHard, too_hard, variant_named};
pub use serve::{Ready, Reply, SINGLE_SAMPLE, serve};
pub use served_binary::{Binaries, Launch, ServedBinary, count_served};
pub use trials::{HeadPairs, Ratios, Side, SideFault, Sides, TrialRatio, Trials};
pub use variant::InProcess;
pub use warm_up::WARM_UP_SHARE;
pub use work::Work;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sudobench_rows::Budget;
use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::{Outcome, Question};

use self::variant::is_cancelled;
use crate::figures::counted;
use crate::meters::Account;
use crate::process::{Fault, Run};
use crate::record::registry::{Readings, add_readings};
use crate::record::{AnswerKind, EngineRecord, Kind};

/// Settings of a measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The question: limits on solutions, nodes and time for each puzzle. The measurement ends when the question's `cancel` flag becomes
    /// true.
    #[serde(with = "stored_plan::StoredQuestion")]
    pub question: Question,
    /// The budgets (time limits for single puzzles), shortest first.
    #[serde(with = "stored_plan::labels")]
    pub budgets: Vec<Budget>,
    /// Planned number of rounds.
    pub rounds: usize,
    /// Minimum time of measurement of a pair, unless `max_time` is shorter. Each round has as many passes as are needed to fill the round's
    /// share of this time. An external program makes only one pass in each round.
    pub min_time: Duration,
    /// Time limit of a pair, including the warm-up, the passes and the work between them.
    pub max_time: Duration,
    /// Describes the limit of the warm-up in messages, such as `the warm-up's share of --max-time-per-pair`.
    #[serde(skip, default = "stored_plan::warm_up_limit")]
    pub warm_up_limit: &'static str,
    /// Extra time for an external program to answer more puzzles before the rounds. These answers are checked, but not timed. Zero: no
    /// extra time.
    pub check_time: Duration,
    /// Seed, for example of the order of pairs in each round and of the bootstrap. The datasets must be permuted with the same seed,
    /// because the record stores only this seed.
    pub seed: u64,
    /// Whether external programs get new equivalent forms of the puzzles in each round, so that a cache of answers doesn't help.
    pub fresh_forms: bool,
    /// Whether engines that take all puzzles at once also get the first puzzles one at a time, if their protocol permits it, so that the
    /// time of each of these puzzles is known.
    pub times_single_puzzles: bool,
    /// Whether [`Measured::puzzles`] lists the time, nodes and guesses of each puzzle.
    pub lists_puzzles: bool,
    /// Whether the record contains the result of each measured puzzle.
    pub keep_puzzles: bool,
    /// Maximum number of puzzles per dataset for built-in solvers that solve one puzzle at a time. `None`: no maximum.
    #[serde(skip)]
    pub single_sample: Option<u64>,
}

impl Plan {
    /// Returns a plan with a single round and no optional measurements, in which a pair takes at most this time.
    pub fn new(question: Question, max_time: Duration) -> Plan {
        Plan {
            question,
            budgets: Vec::new(),
            rounds: 1,
            min_time: Duration::ZERO,
            max_time,
            warm_up_limit: stored_plan::warm_up_limit(),
            check_time: Duration::ZERO,
            seed: 1,
            fresh_forms: false,
            times_single_puzzles: false,
            lists_puzzles: false,
            keep_puzzles: false,
            single_sample: None,
        }
    }

    fn warm_up_allowance(&self) -> Allowance {
        Allowance { time: self.max_time / WARM_UP_SHARE, limit: self.warm_up_limit }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        is_cancelled(&self.question)
    }
}

/// The next step of a measurement, reported before the step begins.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The round, from 1; 0 is the warm-up.
    pub round: usize,
    /// Planned number of rounds.
    pub rounds: usize,
    /// The contestant whose turn it is.
    pub solver: &'a str,
    /// The dataset.
    pub dataset: &'a str,
    /// Number of turns before this one. A turn is the warm-up of a pair, or one round of a pair.
    pub done: usize,
    /// Number of planned turns, in the warm-up and in the rounds.
    pub total: usize,
    /// Estimated time for the remaining turns. `None` during the warm-up.
    pub left: Option<Duration>,
}

/// One pass over puzzles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pass {
    /// Wall time.
    pub elapsed_ns: u64,
    /// Processor time: user and system time of an external program, or the thread's time for a solver on one thread. 0 if unknown.
    pub cpu_ns: u64,
    /// For an external program: largest resident set, in bytes.
    pub peak_memory_bytes: u64,
    /// For an external program: memory of the process that started the program, in bytes. A peak below this can't be measured.
    pub memory_floor_bytes: u64,
    /// Counts of the operating system and, if the system provides them, of the processor. Each map key is the key of a figure in the
    /// registry. [`Contestant::pass`] sets the counts of the processor; the caller adds the counts of [`Contestant::account`].
    pub readings: Readings,
}

impl Pass {
    fn from_run(run: &Run) -> Pass {
        let mut pass = Pass::default();
        pass.add(run);
        pass
    }

    fn add(&mut self, run: &Run) {
        match self.elapsed_ns {
            0 => self.readings.clone_from(&run.readings), // the first run
            _ => add_readings(&mut self.readings, &run.readings),
        }
        self.elapsed_ns += run.wall_ns;
        self.cpu_ns += run.cpu_ns;
        self.peak_memory_bytes = self.peak_memory_bytes.max(run.peak_memory_bytes);
        self.memory_floor_bytes = run.memory_floor_bytes;
    }
}

/// Formats a time for readers, rounded to milliseconds. A time below half a millisecond is not rounded.
fn in_words(time: Duration) -> String {
    let rounded = u64::try_from((time.as_micros() + 500) / 1_000).unwrap_or(u64::MAX);
    humantime::format_duration(if rounded == 0 { time } else { Duration::from_millis(rounded) }).to_string()
}

/// Time limit of a warm-up.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// The time.
    pub time: Duration,
    /// Describes the option that sets the time, for messages, such as `the warm-up's share of --max-time-per-pair`.
    pub limit: &'static str,
}

impl Allowance {
    /// Describes the limit in messages: `250ms (the warm-up's share of --max-time-per-pair)`.
    fn in_words(self) -> String {
        format!("{} ({})", in_words(self.time), self.limit)
    }
}

/// The answers of an engine that gets one puzzle at a time.
#[derive(Clone, Debug, Default)]
pub struct SingleTimes {
    /// The outcomes of the answered puzzles, from the first puzzle on.
    pub outcomes: Vec<Outcome>,
    /// The time of each of these answers.
    pub times_ns: Vec<u64>,
    /// Median time in which a program that only prints its input answers one puzzle: the cost of the pipes. `None` if unknown.
    pub echo_ns: Option<u64>,
}

/// The progress of an external program before its time was over.
#[derive(Clone, Copy, Debug)]
pub struct Stopped {
    /// Number of puzzles that the program answered.
    pub answers: usize,
    /// Processor time that the program used.
    pub cpu_ns: u64,
    /// Wall time that the program took.
    pub elapsed_ns: u64,
}

impl Stopped {
    /// Describes how the program used the time, as the rest of a sentence that begins with "it".
    fn used_in_words(self) -> String {
        // Little processor time counts as none, because even a program that only waits uses some processor time to start.
        match self.cpu_ns < self.elapsed_ns / 10 {
            true => "hardly used the CPU, so it was waiting".to_owned(),
            false => format!("used {} of processor time", in_words(Duration::from_nanos(self.cpu_ns))),
        }
    }

    /// Describes the progress on these puzzles: `it had answered 300 of 401 puzzles and used 1s of processor time; the next puzzle is
    /// 53..7...`.
    fn in_words(self, puzzles: &[Puzzle]) -> String {
        let next = puzzles
            .get(self.answers)
            .map_or(String::new(), |puzzle| format!("; the next puzzle is {puzzle}"));
        let answered = match self.answers < puzzles.len() {
            true => format!("{} of {}", self.answers, counted(puzzles.len() as u64, "puzzle")),
            false => "all puzzles but did not end,".to_owned(),
        };
        format!("it had answered {answered} and {}{next}", self.used_in_words())
    }
}

/// An answer of an external program that breaks the rules of the program's protocol or problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Index of the puzzle.
    pub index: usize,
    /// The fault.
    pub reason: String,
    /// The output of the program for this puzzle.
    pub output: Vec<u8>,
}

/// A solver or an external program that takes part in a measurement: it answers puzzles and reports its times.
///
/// [`InProcess`] and [`Engine`] implement this trait. Do not implement it outside this package: its methods can change in any release.
pub trait Contestant {
    /// Returns the name that tables show.
    fn name(&self) -> &str;

    /// Returns the kind of the contestant, which says how it gets puzzles: one at a time, in batches, or as an external program.
    fn kind(&self) -> Kind;

    /// Returns the number of threads of a built-in solver, or 1 for an external program, although the program may start more threads.
    fn threads(&self) -> usize;

    /// Returns the kind of answers of an external program. `None` for solvers in this process.
    fn answers(&self) -> Option<AnswerKind> {
        self.kind().is_external().then_some(AnswerKind::Any)
    }

    /// Answers `puzzles` from the first one on, as many as `allowance` permits, and returns their outcomes.
    ///
    /// # Errors
    ///
    /// [`Fault`] if no puzzle was answered, or the contestant fails. For example, an external program prints too few or too many lines.
    fn warm_up(&mut self, puzzles: &[Puzzle], allowance: Allowance) -> Result<WarmUp, Fault>;

    /// For an external program that did not reach all puzzles in the warm-up: lets the program answer more of `puzzles` within
    /// `allowance`, so that the answers can be checked. Returns the outcomes from the first puzzle on, including the outcomes of the
    /// warm-up. Empty for other contestants.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the program fails or prints too few or too many lines.
    fn answer_to_check(&mut self, _puzzles: &[Puzzle], _allowance: Duration) -> Result<Vec<Outcome>, Fault> {
        Ok(Vec::new())
    }

    /// Answers all `puzzles`, writing the outcome of `puzzles[i]` to `outcomes[i]`. Returns `None` if the pass did not end within
    /// `allowance`. Solvers in this process ignore the allowance, because their passes take about as long as in the warm-up.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the contestant fails. For example, an external program prints too few or too many lines, or a thread can't be started.
    fn pass(
        &mut self,
        puzzles: &[Puzzle],
        outcomes: &mut [Outcome],
        allowance: Duration,
    ) -> Result<Option<Pass>, Fault>;

    /// For an external program that did not answer all puzzles in the latest pass: returns how far it came before its time was over.
    fn stopped(&self) -> Option<Stopped> {
        None
    }

    /// Returns the account from which page faults and context switches are read for a pass: the account of this thread, or of the whole
    /// process. `None` for an external program, because its [`Pass`] already contains these counts.
    fn account(&self) -> Option<Account> {
        None
    }

    /// Returns the lines of the latest answers, one for each puzzle. Empty for built-in solvers, and for programs that use the protocol of
    /// a judge's problem (`boj2580` or `boj2239`).
    fn printed_lines(&self) -> Vec<&[u8]> {
        Vec::new()
    }

    /// Returns the latest answers that break the rules of the program's protocol or problem, with the indexes of their puzzles.
    fn refused(&self) -> &[Refused] {
        &[]
    }

    /// For an external program: returns the work counters in the lines of its latest answers, one entry for each line. The entry of a line
    /// without counters is empty. Returns no entries for other contestants, and for programs that use the protocol of a judge's problem.
    fn work(&self) -> Vec<Work> {
        Vec::new()
    }

    /// For an engine that takes all puzzles at once: passes these puzzles to it one at a time, for at most `allowance`. Each answer may
    /// take at most `longest`, except in the protocol `library`. The result is a [`Fault`] if the engine can't be timed in this way, for
    /// example because its protocol is `files`. `None` for other contestants.
    fn answer_one_by_one(
        &mut self,
        _puzzles: &[Puzzle],
        _longest: Duration,
        _allowance: Duration,
    ) -> Option<Result<SingleTimes, Fault>> {
        None
    }

    /// For an external program: measures one run with almost nothing to solve. `None` if the run did not end within `allowance`, and for
    /// other contestants.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the program can't be run.
    fn start_up(&mut self, _allowance: Duration) -> Result<Option<Pass>, Fault> {
        Ok(None)
    }

    /// For an external program: returns its command and start-up. Processor time and memory are 0 in the result, because the summary sets
    /// them from all passes.
    fn engine(&self) -> Option<EngineRecord> {
        None
    }
}

/// The first pass of a contestant over a dataset.
#[derive(Clone, Debug)]
pub struct WarmUp {
    /// Outcomes of the puzzles that were reached. The outcomes of a batch solver are from one pass over only these puzzles.
    pub outcomes: Vec<Outcome>,
    /// Wall time of a pass over these puzzles.
    pub pass_ns: u64,
    /// Wall time of the whole warm-up.
    pub elapsed_ns: u64,
}

#[cfg(test)]
pub(crate) mod fixtures;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_computes_is_told_from_one_that_waits() {
        let used = |cpu_ms: u64| {
            let second = 1_000_000_000;
            Stopped { answers: 0, cpu_ns: cpu_ms * 1_000_000, elapsed_ns: second }.used_in_words()
        };
        assert_eq!(used(99), "hardly used the CPU, so it was waiting");
        assert_eq!(used(100), "used 100ms of processor time");
    }
}
