//! The common part of the engine protocols.

use std::time::Duration;

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::Outcome;

use super::engine_text::AnswerForm;
use super::{Fault, Pass, Refused, Stopped};
use crate::record::Kind;

/// A way to give puzzles to an engine and to read its answers.
pub(super) trait Exchange: Send {
    /// Returns the kind for records.
    fn kind(&self) -> Kind;

    /// Returns how start-up is measured: the number of runs, and their input.
    fn start_up_runs(&self) -> StartUp;

    /// Runs it on almost no work.
    ///
    /// # Errors
    ///
    /// [`Fault`] if it can't be run.
    fn start_up(&self, allowance: Duration) -> Result<Answers, Fault>;

    /// Lets it answer as many of the first puzzles as `allowance` permits. `form` says how its lines are interpreted.
    ///
    /// # Errors
    ///
    /// [`Fault`] if an answer is not in the right form.
    fn answer(&self, puzzles: &[Puzzle], form: AnswerForm, allowance: Duration) -> Result<Answers, Fault>;

    /// Passes these puzzles to it one at a time until `allowance` is over. Each puzzle follows the answer to the previous one. An answer
    /// may take `longest`. `form` says how its lines are interpreted.
    ///
    /// # Errors
    ///
    /// [`Fault`] with the reason why single answers can't be timed, as text that follows the engine's name.
    fn answer_one_by_one(
        &self,
        puzzles: &[Puzzle],
        form: AnswerForm,
        longest: Duration,
        allowance: Duration,
    ) -> Result<OneByOne, Fault>;
}

/// Answers to one puzzle at a time.
#[derive(Debug, Default)]
pub(super) struct OneByOne {
    /// The lines that it printed, one for each of the first puzzles.
    pub(super) output: Vec<u8>,
    /// The time of each.
    pub(super) times_ns: Vec<u64>,
}

/// The runs that measure the start-up, which is their median time.
pub(super) struct StartUp {
    pub(super) runs: usize,
    /// Description of their input.
    pub(super) on: &'static str,
    /// Remedy if such a run takes too long, besides a longer time limit.
    pub(super) remedy: &'static str,
}

/// The result of a pass.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// The outcomes of the first puzzles.
    pub(super) outcomes: Vec<Outcome>,
    /// The answers that break the rules of its problem.
    pub(super) refused: Vec<Refused>,
    /// The lines that it printed.
    pub(super) output: Vec<u8>,
    /// Times of the run.
    pub(super) pass: Pass,
    /// The pass with the answer that took too long.
    pub(super) broken_off: Pass,
    /// Whether the engine answered all puzzles and ended.
    pub(super) is_complete: bool,
}

impl Answers {
    /// Returns the progress of an engine that was stopped.
    pub(super) fn stopped(&self) -> Stopped {
        Stopped {
            answers: self.outcomes.len(),
            cpu_ns: self.pass.cpu_ns + self.broken_off.cpu_ns,
            elapsed_ns: self.pass.elapsed_ns + self.broken_off.elapsed_ns,
        }
    }
}
