//! Runs programs under the rules of the online judge (BOJ): each puzzle gets its own process.
//!
//! ```text
//! language        the languages, and the extra time and memory that each language gets
//! judged_program  a program and its limits
//! judged_set      the puzzles of a dataset that are judged
//! plan            the settings of a session (problem, budgets, number of runs), and the events that a session reports
//! session         runs every program on every puzzle; repeats a run if its time is near a limit or a budget, without other runs beside it
//! check_output    checks outputs that were collected elsewhere, without running a program
//! ruling          determines the verdict on a run
//! summary         turns the runs into records
//! ```
//! The input of programs and the check of their answers are in [`crate::problem`]. Starting, limiting and ending programs is in
//! [`crate::process`]. Nothing here prints.

mod check_output;
mod judged_program;
mod judged_set;
mod language;
mod plan;
mod ruling;
mod session;
mod summary;

pub use check_output::{CheckOutputError, CheckedOutput, check_output};
pub use judged_program::{JudgedProgram, LimitOptions};
pub use judged_set::JudgedSet;
pub use language::Language;
pub use plan::{Event, Rules};
pub use session::judge;
pub use summary::Judged;
