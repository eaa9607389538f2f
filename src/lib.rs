//! Solves very large 9x9 Sudoku datasets in parallel, and measures the solvers that do it.
//!
//! The `sudobench` command is a thin shell over this library. To solve one puzzle:
//!
//! ```
//! use sudobench::{Puzzle, Status};
//!
//! let puzzle: Puzzle =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let outcome = sudobench::solve(&puzzle);
//! assert_eq!(outcome.status, Status::Unique);
//! assert_eq!(
//!     outcome.solution.map(|solution| solution.to_string()).as_deref(),
//!     Some("534678912672195348198342567859761423426853791713924856961537284287419635345286179"),
//! );
//! # Ok::<(), sudobench::PuzzleError>(())
//! ```
//!
//! To ask something else, or many puzzles at once, build a variant of the [registry](solver::VARIANTS) and keep
//! it: one solver a thread, reused from batch to batch.
//!
//! ```
//! use sudobench::{Limits, Outcome, Puzzle, Status, solver};
//!
//! let variant = solver::find("dlx").ok_or("no such variant")?;
//! let mut dlx = variant.build();
//! let puzzles = [Puzzle::EMPTY; 3];
//! let limits = Limits { max_nodes: Some(10_000), ..Limits::unique() };
//! let mut outcomes = [Outcome::ABORTED; 3];
//! dlx.solve_batch(&puzzles, &limits, &mut outcomes);
//! assert!(outcomes.iter().all(|outcome| outcome.status == Status::Multiple && outcome.count == 2));
//! # Ok::<(), &str>(())
//! ```
//!
//! # The data walk
//! ```text
//! bytes      -> source     blocks of raw bytes, split at record borders, decompressed if need be
//!  block     -> rows       line number, puzzle or what is wrong with it, expected solution, the untouched row
//!  puzzles   -> solver     solve_batch(&[Puzzle], limits, &mut [Outcome])
//!  outcomes  -> measure    worker-local histogram and exact counts per budget, merged at the end
//!  outcomes  -> sink       one output row for every input row, in input order
//!  measures  -> report     what is said at the end
//! ```
//! [`pipeline`] moves the blocks: workers on rayon's threads, who read and write in turn, in order, in bounded memory.
//! [`bench`](mod@bench) measures solvers on datasets, [`gate`] judges what was measured.
//! Modules import downwards only: [`cli`] and [`command`] stand above [`report`], [`gate`], [`bench`](mod@bench), [`pipeline`],
//! [`sink`], [`measure`], [`source`] and [`solver`]; [`puzzle`] stands below all.

pub mod bench;
pub mod cli;
pub mod command;
pub mod gate;
pub mod measure;
pub mod pipeline;
pub mod puzzle;
pub mod report;
pub mod simd;
pub mod sink;
pub mod solver;
pub mod source;

pub use puzzle::{Puzzle, PuzzleError, RefereeError, Solution};
pub use solver::{Answer, Limits, Outcome, Solver, Status, solve};
