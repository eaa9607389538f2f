//! `bitboard`: one puzzle at a time, nine digits at once.
//!
//! ```text
//!            lane 1        lane 2        ..  lane 9       (16 lanes of 32 bits, nine in use)
//!   band 1   27 cells of   27 cells of       27 cells of
//!   band 2   the digit 1   the digit 2       the digit 9
//!   band 3
//!
//!   repeat
//!     infer until nothing changes                       infer.rs, triple.rs
//!     contradictory: take the board on top of the stack
//!     solved:        count it, take the board on top of the stack
//!     open:          choose a configuration of a digit, or a digit of a cell;      configuration.rs
//!                    push the board without this choice, search the board with it  branch.rs
//! ```
//!
//! A search whose guesses rarely fail is *eager*: the puzzle probably has many solutions, so most guesses lead to one. Then a guess is
//! cheaper than the inference that would avoid it. So an eager search does not apply the triple rule, and applies all other rules only
//! once. It then splits the first cell with two digits (in a search in order: the first cell with several digits), even if the rules could
//! remove more candidates. If there is no such cell, it continues like a search that is not eager. Whether a search is eager depends on
//! that search only, so the outcome and the counters don't depend on other puzzles.
//!
//! Use `bitboard` for small inputs and low latency, because it needs no batch. For batches see [`super::Bitslice`].
//!
//! To find the smallest solution, a second search branches on the cells in order. `turns.rs` describes when each of the two searches runs.
//!
//! The stack holds at most one board for each decision on the way to the current board, so at most [`MOST_DECISIONS`] boards. A *node* is
//! an alternative that is tried: one for each guess, and one for each board taken from the stack after a solution or a contradiction.

mod branch;
mod clues;
mod configuration;
mod infer;
mod search;
mod solutions;
mod triple;
mod turns;

pub use solutions::Solutions;

use std::fmt;

use super::{Known, MOST_DECISIONS, Outcome, Question, Solver};
use crate::puzzle::Puzzle;
use crate::simd::{self, Build, Level, LevelError, Simd};
use turns::{Stacks, TwoSearches};

/// Solves one puzzle at a time. `Bitboard::default` uses the widest vectors of the CPU.
///
/// ```
/// use sudobench_sudoku::{Puzzle, Question, Solver, simd::Level, solver::Bitboard};
/// let narrow = Bitboard::new(Level::Baseline)?.solve(&Puzzle::EMPTY, &Question::unique());
/// assert_eq!(narrow, Bitboard::default().solve(&Puzzle::EMPTY, &Question::unique()));
/// # Ok::<(), sudobench_sudoku::simd::LevelError>(())
/// ```
pub struct Bitboard(Box<dyn One>);

/// The methods of the solver, independent of its vector width.
trait One: Send {
    /// Solves a puzzle. Ignores the solutions that `known` excludes.
    fn solve(&mut self, puzzle: &Puzzle, known: Option<&Known>, question: &Question) -> Outcome;
}

/// Builds the solver for a vector width.
#[derive(Clone, Copy)]
struct Width;

impl Build for Width {
    type Output = Bitboard;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> Bitboard {
        Bitboard(Box::new(BoardSolver::new(simd)))
    }
}

impl Bitboard {
    /// Makes a solver that uses this SIMD level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<Bitboard, LevelError> {
        simd::build_at(level, Width)
    }
}

impl Bitboard {
    /// Makes a solver that uses the vectors of this token.
    pub(super) fn from_simd<const N: usize>(simd: impl Simd<N>) -> Bitboard {
        Width.build(simd)
    }

    /// Searches for a solution that `known` does not exclude. `question` must be [`Question::first`], with or without a cancel flag.
    pub(crate) fn find_other(&mut self, puzzle: &Puzzle, known: &Known, question: &Question) -> Outcome {
        self.0.solve(puzzle, Some(known), question)
    }
}

impl Default for Bitboard {
    fn default() -> Bitboard {
        simd::build_widest(Width)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bitboard").finish_non_exhaustive()
    }
}

impl Solver for Bitboard {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        self.0.solve(puzzle, None, question)
    }
}

/// The solver for one vector width.
struct BoardSolver<S: Simd<N>, const N: usize> {
    simd: S,
    stacks: Stacks<S::Digits>,
}

impl<S: Simd<N>, const N: usize> BoardSolver<S, N> {
    fn new(simd: S) -> BoardSolver<S, N> {
        BoardSolver { simd, stacks: [(); 2].map(|()| Vec::with_capacity(MOST_DECISIONS)) }
    }
}

impl<S: Simd<N>, const N: usize> One for BoardSolver<S, N> {
    fn solve(&mut self, puzzle: &Puzzle, known: Option<&Known>, question: &Question) -> Outcome {
        let BoardSolver { simd, stacks } = self;
        simd.call(TwoSearches { simd: *simd, puzzle, known, question, stacks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Plain;

    #[test]
    fn plain_integers_give_the_stored_search() {
        super::super::tests::assert_as_stored("bitboard", &mut Width.build(Plain));
    }
}
