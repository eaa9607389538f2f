//! The trait of engine protocols.

use std::time::Duration;

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::Outcome;

use super::engine_text::AnswerForm;
use super::{Fault, Pass, Refused, Stopped};
use crate::record::Kind;

/// A way to give puzzles to an engine and to read its answers.
pub(super) trait Exchange: Send {
    fn kind(&self) -> Kind;

    fn start_up_runs(&self) -> StartUp;

    /// Runs the engine with almost nothing to solve, to measure its start-up.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the engine can't be run.
    fn start_up(&self, allowance: Duration) -> Result<Answers, Fault>;

    /// Lets the engine answer the puzzles in order, as many as `allowance` permits. If the engine writes its answers to a file and does not
    /// end in time, there are no answers. `form` says how the printed lines are interpreted.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the engine fails, or prints too few or too many lines. An answer that breaks other rules is not an
    /// error, but is in [`Answers::refused`].
    fn answer(&self, puzzles: &[Puzzle], form: AnswerForm, allowance: Duration) -> Result<Answers, Fault>;

    /// Passes these puzzles to the engine one at a time until `allowance` is over. The engine gets each puzzle after its answer to the
    /// previous puzzle. Each answer may take at most `longest`, except in the protocol `library`. `form` says how the printed lines are
    /// interpreted. Protocols with a process for each puzzle don't implement this method, because [`Exchange::answer`] already times each
    /// of their answers.
    ///
    /// # Errors
    ///
    /// [`Fault`] with the reason why single answers can't be timed, as the rest of a sentence that begins with "it".
    fn answer_one_by_one(
        &self,
        _puzzles: &[Puzzle],
        _form: AnswerForm,
        _longest: Duration,
        _allowance: Duration,
    ) -> Result<OneByOne, Fault> {
        Err(Fault("already has a time for each puzzle".to_owned()))
    }
}

/// The answers of an engine that gets one puzzle at a time.
#[derive(Debug, Default)]
pub(super) struct OneByOne {
    /// The lines that the engine printed: one for each answered puzzle, in the order of the puzzles.
    pub(super) output: Vec<u8>,
    pub(super) times_ns: Vec<u64>,
}

/// The runs that measure the start-up. The start-up is the median of their times.
pub(super) struct StartUp {
    pub(super) runs: usize,
    /// Description of the input of these runs.
    pub(super) on: &'static str,
    /// What helps, besides a longer time limit, if such a run takes too long.
    pub(super) remedy: &'static str,
}

/// The result of a pass.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// The outcomes of the answered puzzles. The engine answers in order, so these are the first puzzles of the pass.
    pub(super) outcomes: Vec<Outcome>,
    /// The answers that break the rules of the engine's protocol or problem.
    pub(super) refused: Vec<Refused>,
    /// The lines that the engine printed. Empty if the engine uses the protocol of a judge's problem.
    pub(super) output: Vec<u8>,
    pub(super) pass: Pass,
    /// The time that `pass` leaves out. With the protocol of a judge's problem: the time of the run that was stopped because the time for
    /// all puzzles was used up. For a library: the time that the process spent outside of the answered calls.
    pub(super) broken_off: Pass,
    /// Whether the engine answered all puzzles and ended.
    pub(super) is_complete: bool,
}

impl Answers {
    pub(super) fn stopped(&self) -> Stopped {
        Stopped {
            answers: self.outcomes.len(),
            cpu_ns: self.pass.cpu_ns + self.broken_off.cpu_ns,
            elapsed_ns: self.pass.elapsed_ns + self.broken_off.elapsed_ns,
        }
    }
}
