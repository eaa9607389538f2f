//! Puzzles in tables: Arrow arrays and plain memory in, arrays out.
//!
//! ```text
//! TableLayout    which columns hold the puzzles and the expected solutions           (source/table)
//! Puzzles        the rows of such a column, whatever its type                         (source/table/puzzles)
//! TableSolver    takes the rows in pieces to solvers on all threads                   (solver)
//! AddedColumns   the answers, written where they will stand in the arrays            (added)
//! TableForms     the rows themselves, with their boards in other forms              (forms)
//! ```
//! A table that is streamed from a file takes the way of text, block by block: its rows become lines of CSV where somebody
//! wants them as such (source/table/text).

mod added;
#[cfg(feature = "parquet")]
mod forms;
mod memory;
mod solver;

pub use added::AddedColumns;
#[cfg(feature = "parquet")]
pub(crate) use forms::FormedColumns;
#[cfg(feature = "parquet")]
pub use forms::TableForms;
pub use solver::{Solved, TableError, TableSolver};

pub use crate::source::table::{Puzzles, TableLayout};
