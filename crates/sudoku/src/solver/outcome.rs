//! The outcome that a solver returns.

use std::fmt;
use std::str::FromStr;

use super::{Meter, Question};
use crate::puzzle::Solution;

/// The verdict on a puzzle, or on a row that isn't a puzzle.
///
/// ```
/// use sudobench_sudoku::Status;
/// assert_eq!("unsolvable".parse(), Ok(Status::Unsolvable));
/// assert_eq!(Status::Unsolvable.to_string(), "unsolvable");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Exactly one solution, proved.
    Unique,
    /// One solution was requested and found; uniqueness wasn't checked.
    Solved,
    /// Two solutions or more.
    Multiple,
    /// No solution, proved.
    Unsolvable,
    /// No verdict, usually because a limit or the cancel flag stopped the search.
    Aborted,
    /// Not a puzzle: the row could not be parsed. Solvers never return this.
    Malformed,
}

impl Status {
    /// All statuses, each once, in the order in which reports list them.
    pub const ALL: [Status; 6] = [
        Status::Unique,
        Status::Solved,
        Status::Multiple,
        Status::Unsolvable,
        Status::Aborted,
        Status::Malformed,
    ];

    /// Returns the status of a search that ended with `count` solutions and was not aborted.
    pub(crate) fn from_count(question: &Question, count: u64) -> Status {
        match count {
            0 => Status::Unsolvable,
            1 if question.max_solutions.get() == 1 => Status::Solved,
            1 => Status::Unique,
            _ => Status::Multiple,
        }
    }

    /// Returns the name of the status.
    ///
    /// ```
    /// use sudobench_sudoku::Status;
    /// assert_eq!(Status::ALL.map(Status::name)[..2], ["unique", "solved"]);
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Solved => "solved",
            Status::Multiple => "multiple",
            Status::Unsolvable => "unsolvable",
            Status::Aborted => "aborted",
            Status::Malformed => "malformed",
        }
    }

    /// Returns the letter for the status in compact lists: `u`, `s`, `m`, `x` (unsolvable), `a`, and `-` for malformed.
    ///
    /// ```
    /// use sudobench_sudoku::Status;
    /// assert_eq!(Status::ALL.map(Status::letter), ['u', 's', 'm', 'x', 'a', '-']);
    /// ```
    pub fn letter(self) -> char {
        match self {
            Status::Unique => 'u',
            Status::Solved => 's',
            Status::Multiple => 'm',
            Status::Unsolvable => 'x',
            Status::Aborted => 'a',
            Status::Malformed => '-',
        }
    }

    /// Returns the status that has this [letter](Status::letter), or `None` if there is none.
    ///
    /// ```
    /// use sudobench_sudoku::Status;
    /// assert_eq!((Status::from_letter('x'), Status::from_letter('?')), (Some(Status::Unsolvable), None));
    /// ```
    pub fn from_letter(letter: char) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.letter() == letter)
    }
}

/// The error for a text that is not the name of a [`Status`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown status `{0}`: choose from unique, solved, multiple, unsolvable, aborted and malformed")]
pub struct StatusError(String);

impl FromStr for Status {
    type Err = StatusError;

    /// Parses a [`Status::name`].
    fn from_str(name: &str) -> Result<Status, StatusError> {
        let found = Status::ALL.into_iter().find(|status| status.name() == name);
        found.ok_or_else(|| StatusError(name.to_owned()))
    }
}

impl fmt::Display for Status {
    /// Writes [`Status::name`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The answer of a solver for one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The verdict; never [`Status::Malformed`].
    pub status: Status,
    /// Number of solutions found, up to the requested limit. For an aborted puzzle, the number found before it was
    /// aborted.
    pub count: u64,
    /// The solution; `None` if the puzzle is unsolvable or was aborted. If there are several solutions, the question selects one: see
    /// [`Question::answer`].
    pub solution: Option<Solution>,
    /// Number of digits, or of alternatives of another kind, that the search tried. The vector solvers (`bitboard`, `bitslice`, `auto`)
    /// count only alternatives of guesses; the others also count digits that follow without a guess.
    ///
    /// Unless a time limit or the cancel flag stops the search, the number is the same on every machine. Exceptions are the variants that
    /// solve the puzzles of a batch together (`bitslice`, and `auto` for large batches): there, the number depends on the batch and on the
    /// SIMD level. The reason is that branching depends on the other puzzles of the batch, and that more lanes try more alternatives before
    /// enough solutions are found.
    pub nodes: u64,
    /// Number of decisions with more than one open alternative. Solvers that keep candidates count a decision when they make it. Row-major
    /// backtrackers don't look ahead, so they count a decision when they try its second alternative.
    pub guesses: u64,
    /// Time from the start of the puzzle to its verdict, in nanoseconds. Set by [`Solver::solve_batch`](super::Solver::solve_batch); 0 from
    /// [`Solver::solve`](super::Solver::solve).
    pub elapsed_ns: u64,
}

impl Outcome {
    /// The outcome of a puzzle that was aborted before anything was tried.
    pub const ABORTED: Outcome =
        Outcome { status: Status::Aborted, count: 0, solution: None, nodes: 0, guesses: 0, elapsed_ns: 0 };

    /// The outcome of a puzzle whose clues contradict each other: no solution, nothing tried.
    pub const CONTRADICTORY: Outcome = Outcome { status: Status::Unsolvable, ..Outcome::ABORTED };

    /// Makes the outcome of a search that found `count` solutions and reports `solution`. The status is [`Status::Aborted`] if `meter`
    /// stopped the search; otherwise `question` and `count` determine the status. Use this function in your own solvers: see
    /// [`Variant`](super::Variant).
    ///
    /// ```
    /// use sudobench_sudoku::{Outcome, Question, Status, solver::Meter};
    /// let question = Question::unique();
    /// let outcome = Outcome::searched(&question, 0, None, &Meter::start(&question));
    /// assert_eq!(outcome.status, Status::Unsolvable);
    /// ```
    pub fn searched(question: &Question, count: u64, solution: Option<Solution>, meter: &Meter) -> Outcome {
        let status = if meter.stopped() { Status::Aborted } else { Status::from_count(question, count) };
        let solution = solution.filter(|_| status != Status::Aborted);
        Outcome { status, count, solution, nodes: meter.nodes(), guesses: meter.guesses(), elapsed_ns: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_letters_are_parsed_and_others_refused() {
        for status in Status::ALL {
            assert_eq!(status.to_string().parse(), Ok(status));
            assert_eq!(Status::from_letter(status.letter()), Some(status));
        }
        assert_eq!("Unique".parse::<Status>(), Err(StatusError("Unique".to_owned())));
        assert_eq!(Status::from_letter('?'), None);
        let message = StatusError(String::new()).to_string();
        assert!(Status::ALL.iter().all(|status| message.contains(status.name())), "{message}");
    }
}
