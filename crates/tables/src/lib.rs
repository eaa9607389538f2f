//! Solves, checks and rates Sudoku puzzles in Arrow record batches, by default on all cores: takes a batch and returns it with the answers
//! added. With the feature `files`, `add_formats` lets [`sudobench_rows`] read and write Parquet and Arrow files.
//!
//! [`solve`] is enough for one batch. For many batches, or for columns other than `solution` and `status`, use a [`BatchSolver`], which
//! keeps its threads and solvers for the next batch.
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::{ArrayRef, RecordBatch, StringArray};
//!
//! let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let puzzles: ArrayRef = Arc::new(StringArray::from(vec![puzzle]));
//! let solved = sudobench_tables::solve(&RecordBatch::try_from_iter([("puzzle", puzzles)])?)?;
//! let names: Vec<_> = solved.schema().fields().iter().map(|field| field.name().clone()).collect();
//! assert_eq!(names, ["puzzle", "solution", "status"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod added;
mod batches;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "files")]
mod forms;
mod layout;
mod memory;
mod puzzles;
mod solver;

pub use added::AddedColumns;
pub use batches::{BatchSolver, Error, Options, SolvedBatches, canonical, solve};
#[cfg(feature = "files")]
pub use files::{ARROW, PARQUET, add_formats};
#[cfg(feature = "files")]
pub use forms::{RowForms, TableForms};
pub use layout::TableLayout;
pub use puzzles::Puzzles;
pub use solver::{Solved, TableError, TableSolver};

// Tests the example in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
