//! 9x9 Sudoku in memory: puzzles, a referee that checks solutions, solvers, and more, such as isomorphs, ratings and a generator.
//!
//! A [`Puzzle`] is parsed from text or made from 81 values. [`solve`] returns an [`Outcome`]: whether the puzzle has no solution, one or
//! several, and the smallest solution.
//!
//! ```
//! use sudobench_sudoku::{Puzzle, Status, solve};
//!
//! let puzzle: Puzzle =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let outcome = solve(&puzzle);
//! assert_eq!(outcome.status, Status::Unique);
//! let solution = outcome.solution.expect("a puzzle with exactly one solution has a solution");
//! assert_eq!(solution.rows().next(), Some(&[5, 3, 4, 6, 7, 8, 9, 1, 2]));
//! assert_eq!(solution.check(&puzzle), Ok(()));
//! # Ok::<(), sudobench_sudoku::PuzzleError>(())
//! ```
//!
//! Solving many puzzles together is faster. [`solve_all`] does this; with the feature `rayon`, it uses several threads:
//!
//! ```
//! use sudobench_sudoku::{Puzzle, Status, solve_all};
//!
//! let puzzles = vec![Puzzle::EMPTY; 1_000];
//! assert!(solve_all(&puzzles).iter().all(|outcome| outcome.status == Status::Multiple));
//! ```
//!
//! [`count`] counts solutions, and [`solutions`] iterates over them:
//!
//! ```
//! use sudobench_sudoku::{Puzzle, count, solutions};
//!
//! assert_eq!(count(&Puzzle::EMPTY, 10_000), 10_000);
//! let smallest_two: Vec<_> = solutions(&Puzzle::EMPTY).take(2).collect();
//! assert!(smallest_two[0] < smallest_two[1]);
//! ```
//!
//! For other questions, build a [`Solver`] once, keep it, and pass it each puzzle with a [`Question`]. A question can limit the number of
//! solutions, the number of nodes or the time, contain a cancel flag, or request the first solution instead of the smallest. The solvers
//! of this crate are in the [registry](solver::VARIANTS).
//!
//! ```
//! use sudobench_sudoku::{Puzzle, Question, Solver, Status, solver::Bitboard};
//!
//! let mut solver = Bitboard::default();
//! let question = Question { max_solutions: 500.try_into()?, max_nodes: Some(100), ..Question::unique() };
//! assert_eq!(solver.solve(&Puzzle::EMPTY, &question).status, Status::Aborted);
//! # Ok::<(), std::num::TryFromIntError>(())
//! ```

pub mod candidates;
pub mod canonical;
pub mod extract;
pub mod generate;
pub mod isomorph;
pub mod minimal;
pub mod minimals;
pub mod probe;
pub mod puzzle;
pub mod random;
pub mod rate;
pub mod score;
pub mod simd;
pub mod solver;
pub mod techniques;
mod unavoidable;
pub mod vicinity;

pub use puzzle::{Puzzle, PuzzleError, RefereeError, Solution, SolutionError};
pub use solver::{
    Answer, Outcome, Question, Solutions, Solver, Status, StatusError, count, nanoseconds, solutions, solve,
    solve_all, solve_by_singles,
};

// Tests the example in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
