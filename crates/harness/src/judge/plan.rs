//! The settings of a session, and the events that a session reports.

use std::time::Duration;

use sudobench_rows::Budget;
use sudobench_sudoku::Puzzle;

use crate::problem::{Problem, Ruling};

/// The settings of a judgement.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The problem.
    pub problem: Problem,
    /// Times with which the runs are compared (reference times and other budgets), shortest first.
    pub budgets: Vec<Budget>,
    /// Number of runs of each program on each puzzle. A puzzle whose time is near a limit or a budget may get further runs.
    pub repeat: usize,
    /// Number of runs that take place at the same time.
    pub jobs: usize,
    /// Whether to stop a program on a dataset after the program's first failure on this dataset.
    pub stop_at_first: bool,
    /// Seed for the order of the programs and for the bootstrap. The datasets must be permuted with the same seed.
    pub seed: u64,
    /// Whether the record contains the result of each judged puzzle.
    pub keep_puzzles: bool,
}

/// An event of a session.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The progress of the session.
    Step {
        /// Number of finished runs in the current part of the session (start-up, runs on puzzles, repeated runs). Several repeated runs on
        /// a puzzle count as one.
        done: usize,
        /// Planned number of runs in the current part of the session, counted like `done`.
        total: usize,
        /// Estimated remaining time. `None` if unknown.
        left: Option<Duration>,
        /// The current activity.
        activity: &'a str,
    },
    /// A program failed on a puzzle. Each puzzle is reported at most once for a program, as soon as a run fails. Two kinds of failed runs
    /// are not reported: repeated runs and, if `jobs` is larger than 1, runs over the time limit. If a puzzle has no other failed runs, and
    /// its final verdict is not "accepted", this verdict is reported at the end. If `jobs` is 1, a run over the time limit is reported, but
    /// its puzzle may be accepted in the end: the verdict "time limit" counts only if more than half of the runs on the puzzle have it.
    Failure {
        /// The program's name.
        program: &'a str,
        /// The dataset's name.
        dataset: &'a str,
        /// The puzzle's number in the dataset.
        number: u64,
        /// The puzzle.
        puzzle: &'a Puzzle,
        /// The verdict and its reason.
        ruling: &'a Ruling,
    },
}
