//! Solvers: the trait, what is asked of one, what it answers, and the registry of variants.
//!
//! A new variant is one file in this folder and one line in [`VARIANTS`]; the command line, the tests, the
//! benches and the fuzz targets loop over the registry.

mod auto;
mod bitboard;
mod bitslice;
mod clues;
mod dlx;
mod found;
mod lanes;
mod meter;
mod minirows;
mod mrv;
mod naive;
mod null;
pub mod referee;
mod registry;
mod smallest;

pub use auto::Auto;
pub use bitboard::Bitboard;
pub use bitslice::Bitslice;
#[doc(hidden)]
pub use bitslice::Part;
pub use meter::Meter;
pub use naive::BoolTable;
pub use registry::{Class, VARIANTS, Variant, default_variant, find, listed};

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::puzzle::{Puzzle, Solution};

/// What is asked about a puzzle, and when to give up.
#[derive(Clone, Debug)]
pub struct Question {
    /// Stop at this many solutions: 1 asks for a solution, 2 proves uniqueness, more count.
    pub max_solutions: NonZeroU64,
    /// Which solution is reported where there are several.
    pub answer: Answer,
    /// Give the puzzle up before the placement that would exceed this number of nodes. `None`: no limit.
    pub max_nodes: Option<u64>,
    /// Give the puzzle up this long after its start (within 1 ms). `None`: no limit.
    pub max_time: Option<Duration>,
    /// Give every puzzle up as soon as this becomes true (within 1 ms). `None`: never.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// Which solution stands for a puzzle that has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The lexicographically smallest, as an 81-digit number: the same whatever the solver.
    Smallest,
    /// The first that the variant finds.
    First,
}

impl Question {
    /// The question whether a puzzle has exactly one solution; of several the smallest is reported. No limit
    /// on nodes or time.
    pub fn unique() -> Question {
        Question {
            max_solutions: NonZeroU64::MIN.saturating_add(1),
            answer: Answer::Smallest,
            max_nodes: None,
            max_time: None,
            cancel: None,
        }
    }

    /// The question for a first solution, whichever the variant finds.
    pub fn first() -> Question {
        Question::up_to(NonZeroU64::MIN)
    }

    /// The question for up to that many solutions: for one, whichever the variant finds; of several the smallest is
    /// reported. No limit on nodes or time.
    pub fn up_to(max_solutions: NonZeroU64) -> Question {
        let answer = if max_solutions == NonZeroU64::MIN { Answer::First } else { Answer::Smallest };
        Question { max_solutions, answer, ..Question::unique() }
    }
}

impl Default for Question {
    fn default() -> Question {
        Question::unique()
    }
}

/// The verdict on a puzzle, or on a row that holds none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Exactly one solution, proved.
    Unique,
    /// A first solution was asked for and found; uniqueness was not asked.
    Solved,
    /// Two solutions or more.
    Multiple,
    /// No solution, proved.
    Unsolvable,
    /// Given up at a limit.
    Aborted,
    /// Not a puzzle. No solver says so: the row could not be read.
    Malformed,
}

impl Status {
    /// All statuses, in the order of every table.
    pub const ALL: [Status; 6] = [
        Status::Unique,
        Status::Solved,
        Status::Multiple,
        Status::Unsolvable,
        Status::Aborted,
        Status::Malformed,
    ];

    /// The verdict of a search that came to its end and found `count` solutions.
    pub(crate) fn of_count(question: &Question, count: u64) -> Status {
        match count {
            0 => Status::Unsolvable,
            1 if question.max_solutions.get() == 1 => Status::Solved,
            1 => Status::Unique,
            _ => Status::Multiple,
        }
    }

    /// The word that stands for it in every output.
    pub fn name(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Solved => "solved",
            Status::Multiple => "multiple",
            Status::Unsolvable => "unsolvable",
            Status::Aborted => "aborted",
            Status::Malformed => "malformed",
        }
    }

    /// The letter that stands for it where there is a row of them: `u`, `s`, `m`, `x` (unsolvable), `a`, and `-` for
    /// malformed.
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

    /// The status that a [`Status::letter`] stands for.
    pub fn of_letter(letter: char) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.letter() == letter)
    }
}

/// What a solver says about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The verdict; never [`Status::Malformed`].
    pub status: Status,
    /// The solutions found, up to the limit asked for. For an aborted puzzle, those found until then.
    pub count: u64,
    /// The answer; `None` where the puzzle is unsolvable or was given up.
    pub solution: Option<Solution>,
    /// Digit placements that the search tried; of the vector engines, alternatives. The same on every machine. Of a
    /// variant that solves a batch at once, the same for the same batch at the same vector width: how it branches
    /// depends on what else is there, and where it stops at a limit, more lanes have tried more.
    pub nodes: u64,
    /// Decisions with more than one open alternative. Solvers that keep candidates count a decision when it
    /// is made; the row-major backtrackers, which do not look ahead, when a second alternative is tried.
    pub guesses: u64,
    /// Time from entry to verdict, in nanoseconds. Set by [`Solver::solve_batch`]; 0 from [`Solver::solve`].
    pub elapsed_ns: u64,
}

impl Outcome {
    /// The outcome of a puzzle that was given up before anything was tried.
    pub const ABORTED: Outcome =
        Outcome { status: Status::Aborted, count: 0, solution: None, nodes: 0, guesses: 0, elapsed_ns: 0 };

    /// The outcome of a puzzle whose clues contradict each other: no solution, nothing tried.
    pub const CONTRADICTORY: Outcome = Outcome { status: Status::Unsolvable, ..Outcome::ABORTED };

    /// The outcome of a search that came to its end: `count` solutions were found under `question`, of which
    /// `solution` is the one to report.
    pub fn searched(question: &Question, count: u64, solution: Option<Solution>, meter: &Meter) -> Outcome {
        let status = if meter.stopped() { Status::Aborted } else { Status::of_count(question, count) };
        let solution = solution.filter(|_| status != Status::Aborted);
        Outcome { status, count, solution, nodes: meter.nodes(), guesses: meter.guesses(), elapsed_ns: 0 }
    }
}

/// The decisions on a way from the clues to a solution, at most, where one decides a cell or a digit's configuration in a
/// band or stack: neither is decided again further down.
const MOST_DECISIONS: usize = crate::puzzle::CELLS + 6 * 9;

/// A solver variant: single-threaded, reusable, allocating nothing per node.
pub trait Solver: Send {
    /// Solves one puzzle. `elapsed_ns` of the outcome stays 0.
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome;

    /// Solves `puzzles`, writing the outcome of `puzzles[i]` to `outcomes[i]`, each with its latency.
    ///
    /// The default goes through them one by one and reads the clock once a puzzle; variants that solve many
    /// at once override it. Node and time limits hold for each puzzle.
    ///
    /// # Panics
    /// Where the two slices differ in length.
    fn solve_batch(&mut self, puzzles: &[Puzzle], question: &Question, outcomes: &mut [Outcome]) {
        assert_eq!(puzzles.len(), outcomes.len(), "one outcome for every puzzle");
        let mut start = Instant::now();
        for (puzzle, outcome) in puzzles.iter().zip(outcomes) {
            *outcome = self.solve(puzzle, question);
            let end = Instant::now();
            outcome.elapsed_ns = nanoseconds(end - start);
            start = end;
        }
    }

    /// The number of puzzles from which a batch of this variant runs at full speed: 1 where they are solved
    /// one by one. The pipeline cuts its blocks no smaller than this.
    fn batch_size(&self) -> usize {
        1
    }
}

/// Solves a puzzle with the default variant, proving uniqueness: see [`Question::unique`].
///
/// ```
/// use sudobench_sudoku::{Puzzle, Status, solve};
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// assert_eq!(solve(&puzzle).status, Status::Unique);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
pub fn solve(puzzle: &Puzzle) -> Outcome {
    Bitboard::widest().solve(puzzle, &Question::unique())
}

/// A time in whole nanoseconds, as outcomes and records hold it; the largest number where it is too long.
pub fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_back() {
        for status in Status::ALL {
            assert_eq!(Status::of_letter(status.letter()), Some(status));
        }
        assert_eq!(Status::of_letter('?'), None);
    }

    /// Holds two solvers to the same outcomes, counters and all, on the committed puzzles of every kind.
    #[track_caller]
    pub(super) fn assert_alike(a: &mut dyn Solver, b: &mut dyn Solver) {
        let rows = include_str!("../../../../datasets/statuses.csv").lines();
        let kinds: Vec<Puzzle> = rows.filter_map(|row| row.split(',').next()?.parse().ok()).collect();
        // More than there are lanes.
        let puzzles: Vec<Puzzle> = kinds.iter().copied().cycle().take(200).collect();
        let solve_all = |solver: &mut dyn Solver| {
            let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
            solver.solve_batch(&puzzles, &Question::unique(), &mut outcomes);
            outcomes.iter_mut().for_each(|outcome| outcome.elapsed_ns = 0);
            outcomes
        };
        let outcomes = solve_all(a);
        assert!(outcomes.iter().any(|outcome| outcome.guesses > 0));
        assert_eq!(outcomes, solve_all(b));
    }
}
