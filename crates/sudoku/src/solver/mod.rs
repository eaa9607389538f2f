//! Solvers: the question, the outcome, the trait, and the registry of variants. Also functions that solve puzzles, and a referee for blocks
//! of solutions.
//!
//! A new variant is one file or folder here and one entry in [`VARIANTS`]. A solver outside this crate implements [`Solver`] and has a
//! [`Variant`] or a [`SolverFactory`] of its own.

mod auto;
mod bitboard;
mod bitslice;
pub mod block_referee;
mod dlx;
mod found_solutions;
mod functions;
mod known;
mod meter;
mod mrv;
mod naive;
mod null;
mod other_searches;
mod outcome;
mod question;
mod registry;
mod smallest;
mod stopwatch;

pub use auto::Auto;
pub use bitboard::{Bitboard, Solutions};
pub use bitslice::Bitslice;
#[doc(hidden)]
pub use bitslice::Part;
pub use functions::{count, solutions, solve, solve_all, solve_by_singles};
pub(crate) use known::Known;
pub use meter::Meter;
pub(crate) use mrv::Mrv;
pub use naive::BoolTable;
pub(crate) use other_searches::OtherSearches;
pub use outcome::{Outcome, Status, StatusError};
pub use question::{Answer, Question};
pub use registry::{Class, SolverFactory, VARIANTS, Variant, default_variant, find, listed};

use std::time::Duration;

use crate::puzzle::Puzzle;

/// Solves a puzzle for a unit test, with a solver that compiles in little time. `solve` would bring its kernels, one for each SIMD level,
/// into the program of the unit tests, which would then take four times as long to compile.
#[cfg(test)]
pub(crate) fn solve_simply(puzzle: &Puzzle) -> Outcome {
    Mrv::new().solve(puzzle, &Question::unique())
}

/// Largest number of decisions between the clues and a solution. A decision sets a cell, or a digit's configuration in
/// a band or stack, and nothing is decided twice.
const MOST_DECISIONS: usize = crate::puzzle::CELLS + 6 * 9;

/// A solver. It runs on one thread and can be reused for any number of puzzles. The solvers of this crate don't allocate memory for each
/// node.
///
/// Build one solver for each thread and keep it.
///
/// ```
/// use sudobench_sudoku::{Outcome, Puzzle, Question, Solver, Status, solver::Auto};
///
/// let mut solver = Auto::default();
/// let one = solver.solve(&Puzzle::EMPTY, &Question::first());
/// assert_eq!(one.status, Status::Solved);
///
/// let puzzles = vec![Puzzle::EMPTY; solver.batch_size()];
/// let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
/// solver.solve_batch(&puzzles, &Question::first(), &mut outcomes);
/// assert!(outcomes.iter().all(|outcome| outcome.status == Status::Solved));
/// ```
pub trait Solver: Send {
    /// Solves one puzzle. `elapsed_ns` of the outcome stays 0.
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome;

    /// Solves `puzzles`. Writes the outcome of `puzzles[i]`, including its time `elapsed_ns`, to `outcomes[i]`.
    ///
    /// The default implementation solves the puzzles one by one and measures the time of each puzzle. Variants that solve many puzzles
    /// together override this method. Node and time limits apply to each puzzle.
    ///
    /// # Panics
    /// If the slices differ in length.
    fn solve_batch(&mut self, puzzles: &[Puzzle], question: &Question, outcomes: &mut [Outcome]) {
        assert_eq!(puzzles.len(), outcomes.len(), "one outcome for every puzzle");
        stopwatch::time_each(puzzles, outcomes, |puzzle| self.solve(puzzle, question));
    }

    /// Returns the recommended number of puzzles for each call of [`Solver::solve_batch`]: 1 if this variant solves puzzles one by one.
    fn batch_size(&self) -> usize {
        1
    }
}

/// Returns a time in whole nanoseconds, or `u64::MAX` if the time is too long.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(sudobench_sudoku::nanoseconds(Duration::from_micros(3)), 3_000);
/// ```
#[inline]
pub fn nanoseconds(time: Duration) -> u64 {
    // Avoids 128-bit arithmetic, because this function is called for each puzzle.
    time.as_secs().saturating_mul(1_000_000_000).saturating_add(u64::from(time.subsec_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::CELLS;

    #[test]
    fn a_time_too_long_to_store_becomes_the_largest() {
        assert_eq!(nanoseconds(Duration::new(3, 7)), 3_000_000_007);
        assert_eq!(nanoseconds(Duration::new(18_446_744_073, 709_551_615)), u64::MAX);
        assert_eq!(nanoseconds(Duration::MAX), u64::MAX);
    }

    /// Asserts that a solver counts the nodes and guesses that the snapshot of the test suite has for this variant, and that its answers to
    /// a batch of the same puzzles equal the answers of another solver.
    #[track_caller]
    pub(super) fn assert_as_stored(variant: &str, solver: &mut dyn Solver) {
        let rows = include_str!("../../tests/data/regressions.csv").lines().skip(1);
        let puzzles: Vec<Puzzle> = rows.map(|row| row[..CELLS].parse().unwrap()).collect();
        let snapshot = include_str!(
            "../../tests/suite/solvers/snapshots/suite__solvers__counters__counters_are_as_stored.snap"
        );
        let stored = snapshot.lines().skip_while(|line| *line != variant).skip(1).take(puzzles.len());
        assert_eq!(stored.clone().count(), puzzles.len(), "the snapshot has no counters of {variant}");
        for (puzzle, stored) in puzzles.iter().zip(stored) {
            let outcome = solver.solve(puzzle, &Question::unique());
            let found =
                format!("{} {} nodes {} guesses", outcome.status.name(), outcome.nodes, outcome.guesses);
            let words: Vec<&str> = stored.split_whitespace().take(5).collect();
            assert_eq!(found, words.join(" "), "{puzzle}");
        }
        // More puzzles than the 128 lanes of `bitslice` at the SIMD level `baseline`, so that lanes are reused.
        let puzzles: Vec<Puzzle> = puzzles.iter().copied().cycle().take(200).collect();
        let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
        solver.solve_batch(&puzzles, &Question::unique(), &mut outcomes);
        for (puzzle, outcome) in puzzles.iter().zip(&outcomes) {
            let expected = solve_simply(puzzle);
            let parts = |outcome: &Outcome| (outcome.status, outcome.count, outcome.solution);
            assert_eq!(parts(outcome), parts(&expected), "{puzzle}");
        }
    }
}
