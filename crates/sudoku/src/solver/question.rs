//! The question to a solver.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The question about a puzzle, and the limits of the search.
///
/// ```
/// use std::time::Duration;
///
/// use sudobench_sudoku::{Puzzle, Question, Solver, Status, solver::Bitboard};
///
/// let question = Question {
///     max_solutions: 1_000.try_into().unwrap(),
///     max_time: Some(Duration::from_secs(60)),
///     ..Question::unique()
/// };
/// let outcome = Bitboard::default().solve(&Puzzle::EMPTY, &question);
/// assert_eq!((outcome.status, outcome.count), (Status::Multiple, 1_000));
/// ```
#[derive(Clone, Debug)]
pub struct Question {
    /// Largest number of solutions to count: 1 finds a solution, 2 decides whether it is the only one, larger numbers count solutions.
    pub max_solutions: NonZeroU64,
    /// Which solution is reported if there are several.
    pub answer: Answer,
    /// Abort the puzzle before the placement that would exceed this number of nodes. `None`: no limit.
    pub max_nodes: Option<u64>,
    /// Abort the puzzle soon after this time has passed since its start (usually within 1 ms). `None`: no limit.
    pub max_time: Option<Duration>,
    /// Abort the search soon after this becomes true (usually within 1 ms). If puzzles are solved one by one, a puzzle that takes less time
    /// than this delay is still solved, even if the flag is already true. `None`: never.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// Which solution is reported if there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The smallest solution: solutions are compared as 81-digit numbers. Every solver reports the same solution.
    Smallest,
    /// The first solution that the solver finds.
    First,
}

impl Question {
    /// Returns the question whether a puzzle has exactly one solution. If there are several, the smallest is reported.
    /// No limit on nodes or time.
    ///
    /// ```
    /// use sudobench_sudoku::{Answer, Question};
    /// let question = Question::unique();
    /// assert_eq!((question.max_solutions.get(), question.answer), (2, Answer::Smallest));
    /// ```
    pub fn unique() -> Question {
        Question {
            max_solutions: NonZeroU64::MIN.saturating_add(1),
            answer: Answer::Smallest,
            max_nodes: None,
            max_time: None,
            cancel: None,
        }
    }

    /// Returns the question whether a puzzle has exactly one solution. If there are several, the first one found is reported, because
    /// finding the smallest would take a second search.
    pub(crate) fn unique_or_first() -> Question {
        Question { answer: Answer::First, ..Question::unique() }
    }

    /// Returns the question for the first solution that the solver finds.
    ///
    /// ```
    /// use sudobench_sudoku::{Answer, Question};
    /// let question = Question::first();
    /// assert_eq!((question.max_solutions.get(), question.answer), (1, Answer::First));
    /// ```
    pub fn first() -> Question {
        Question::up_to(NonZeroU64::MIN)
    }

    /// Returns the question for up to this number of solutions, without a limit on nodes or time. If the number is 1, the first solution
    /// found is reported; otherwise the smallest solution.
    ///
    /// ```
    /// use sudobench_sudoku::{Answer, Question};
    /// let question = Question::up_to(200.try_into().unwrap());
    /// assert_eq!((question.max_solutions.get(), question.answer), (200, Answer::Smallest));
    /// ```
    pub fn up_to(max_solutions: NonZeroU64) -> Question {
        let answer = if max_solutions == NonZeroU64::MIN { Answer::First } else { Answer::Smallest };
        Question { max_solutions, answer, ..Question::unique() }
    }
}

impl Default for Question {
    /// Returns [`Question::unique`].
    fn default() -> Question {
        Question::unique()
    }
}
