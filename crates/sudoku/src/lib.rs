//! 9x9 Sudoku in memory: puzzles, the referee that checks solutions, and solvers from the plainest backtracker to 512
//! puzzles at once.
//!
//! A puzzle is read from text, or made of 81 values ([`Puzzle`]), and [`solve`] says what there is to say of it: how
//! many solutions it has, and which ([`Outcome`]).
//!
//! ```
//! use sudobench_sudoku::{Puzzle, Status, solve};
//!
//! let puzzle: Puzzle =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let outcome = solve(&puzzle);
//! assert_eq!(outcome.status, Status::Unique);
//! let solution = outcome.solution.expect("a unique one has a solution");
//! assert_eq!(solution.rows().next(), Some(&[5, 3, 4, 6, 7, 8, 9, 1, 2]));
//! assert_eq!(solution.check(&puzzle), Ok(()));
//! # Ok::<(), sudobench_sudoku::PuzzleError>(())
//! ```
//!
//! Many puzzles are solved faster together ([`solve_all`]), on all cores with the feature `rayon`:
//!
//! ```
//! use sudobench_sudoku::{Puzzle, Status, solve_all};
//!
//! let puzzles = vec![Puzzle::EMPTY; 1_000];
//! assert!(solve_all(&puzzles).iter().all(|outcome| outcome.status == Status::Multiple));
//! ```
//!
//! To count solutions ([`count`]) or to go through them ([`solutions`]):
//!
//! ```
//! use sudobench_sudoku::{Puzzle, count, solutions};
//!
//! assert_eq!(count(&Puzzle::EMPTY, 10_000), 10_000);
//! let smallest_two: Vec<_> = solutions(&Puzzle::EMPTY).take(2).collect();
//! assert!(smallest_two[0] < smallest_two[1]);
//! ```
//!
//! Anything else is a [`Question`] to a [`Solver`], which a loop builds once and keeps: limits of solutions, nodes or
//! time, a flag that cancels, the first solution instead of the smallest. The [registry](solver::VARIANTS) has them all.
//!
//! ```
//! use sudobench_sudoku::{Puzzle, Question, Solver, Status, solver::Bitboard};
//!
//! let mut solver = Bitboard::default();
//! let question = Question { max_solutions: 500.try_into()?, max_nodes: Some(100), ..Question::unique() };
//! assert_eq!(solver.solve(&Puzzle::EMPTY, &question).status, Status::Aborted);
//! # Ok::<(), std::num::TryFromIntError>(())
//! ```

pub mod canonical;
pub mod generate;
pub mod isomorph;
pub mod minimal;
pub mod minimals;
pub mod probe;
pub mod puzzle;
pub mod random;
pub mod rate;
pub mod simd;
pub mod solver;
pub mod vicinity;

pub use puzzle::{Puzzle, PuzzleError, RefereeError, Solution, SolutionError};
pub use solver::{
    Answer, Outcome, Question, Solutions, Solver, Status, StatusError, count, nanoseconds, solutions, solve,
    solve_all, solve_by_singles,
};

// Its example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
