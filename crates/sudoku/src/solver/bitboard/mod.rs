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
//!     contradictory: go on with the top of the stack
//!     solved:        count it, then likewise
//!     open:          choose a configuration of a digit, or a digit of a cell;      configuration.rs
//!                    push the board without it, go on with the board that has it   branch.rs
//! ```
//!
//! A search whose guesses hardly ever fail is *eager*: the puzzle has many solutions, and nearly every path leads to
//! one. Then a guess is cheaper than the inference that would save it: every rule is applied once, and the first cell
//! of two digits is split, be the board settled or not. What counts is this puzzle's search alone, so that its answer
//! and counters do not depend on its neighbours.
//!
//! For small inputs, library calls and latency: nothing to fill, nothing to wait for. For batches see
//! [`super::Bitslice`].
//!
//! The stack holds one board for each decision on the way to the present one, so [`MOST_DECISIONS`] at most.
//! A *node* is an alternative that is tried: one for each guess, one for each board taken from the stack.

mod branch;
mod configuration;
mod infer;
mod search;
mod solutions;
mod triple;

pub use solutions::Solutions;

use std::fmt;

use super::found_solutions::FoundSolutions;
use super::{Answer, Known, MOST_DECISIONS, Meter, Outcome, Question, Solver};
use crate::puzzle::Puzzle;
use crate::simd::{self, Build, Kernel, Level, LevelError, Simd};
use infer::{Board, Rules};
use search::{Progress, Search};

/// The solver for one puzzle at a time. The default has the widest vectors of the CPU.
///
/// ```
/// use sudobench_sudoku::{Puzzle, Question, Solver, simd::Level, solver::Bitboard};
/// let narrow = Bitboard::new(Level::Baseline)?.solve(&Puzzle::EMPTY, &Question::unique());
/// assert_eq!(narrow, Bitboard::default().solve(&Puzzle::EMPTY, &Question::unique()));
/// # Ok::<(), sudobench_sudoku::simd::LevelError>(())
/// ```
pub struct Bitboard(Box<dyn One>);

/// The solver of some width.
trait One: Send {
    /// Solves a puzzle, whose solutions have to differ from what is known.
    fn solve(&mut self, puzzle: &Puzzle, known: Option<&Known>, question: &Question) -> Outcome;
}

/// Builds the solver of a width.
#[derive(Clone, Copy)]
struct Width;

impl Build for Width {
    type Output = Bitboard;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> Bitboard {
        Bitboard(Box::new(BoardSolver::new(simd)))
    }
}

impl Bitboard {
    /// A solver of that width.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<Bitboard, LevelError> {
        simd::build_at(level, Width)
    }
}

impl Bitboard {
    /// Seeks another solution than is known: [`Question::first`] with nothing but its flag.
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

/// The solver at one width.
struct BoardSolver<S: Simd<N>, const N: usize> {
    simd: S,
    stack: Vec<Board<S::Digits>>,
}

impl<S: Simd<N>, const N: usize> BoardSolver<S, N> {
    fn new(simd: S) -> BoardSolver<S, N> {
        BoardSolver { simd, stack: Vec::with_capacity(MOST_DECISIONS) }
    }
}

impl<S: Simd<N>, const N: usize> One for BoardSolver<S, N> {
    fn solve(&mut self, puzzle: &Puzzle, known: Option<&Known>, question: &Question) -> Outcome {
        let BoardSolver { simd, stack } = self;
        let mut meter = Meter::start(question);
        let mut found = FoundSolutions::under(question);
        let mut search = |ordered, found: &mut FoundSolutions| {
            stack.clear();
            simd.call(Collect { simd: *simd, puzzle, known, stack, meter: &mut meter, ordered, found });
            !stack.is_empty()
        };
        // Asked for one solution, the smallest, there is nothing to count before.
        let ordered = question.answer == Answer::Smallest && question.max_solutions.get() == 1;
        let cut_short = search(ordered, &mut found);
        if question.answer == Answer::Smallest && !ordered && cut_short {
            let mut smallest = FoundSolutions::any();
            search(true, &mut smallest);
            if let Some(solution) = smallest.kept() {
                found.keep(solution);
            }
        }
        found.outcome(question, &meter)
    }
}

/// Collects as many solutions of a puzzle as are asked for.
struct Collect<'s, 'l, S: Simd<N>, const N: usize> {
    simd: S,
    puzzle: &'s Puzzle,
    known: Option<&'s Known>,
    stack: &'s mut Vec<Board<S::Digits>>,
    meter: &'s mut Meter<'l>,
    ordered: bool,
    found: &'s mut FoundSolutions,
}

impl<S: Simd<N>, const N: usize> Kernel for Collect<'_, '_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Collect { simd, puzzle, known, stack, meter, ordered, found } = self;
        let rules = Rules::new(simd);
        let mut search = Search { simd, rules, puzzle, stack, meter, ordered, progress: Progress::default() };
        let mut board = Some(search.first(known.and_then(Known::struck)));
        while let Some(from) = board {
            let Some(solution) = search.solution_from(from) else { return };
            if !known.is_some_and(|known| known.is(&solution)) && found.record_solution(solution).is_break() {
                return;
            }
            board = search.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Baseline, Plain};

    #[test]
    fn on_plain_integers_it_searches_as_on_the_baseline() {
        super::super::tests::assert_alike(&mut Width.build(Plain), &mut Width.build(Baseline));
    }
}
