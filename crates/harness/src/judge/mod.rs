//! Runs programs under the rules of the judge: a process for each puzzle.
//!
//! ```text
//! Language       extra time and memory for a language                                       (language)
//! JudgedProgram  a program and its limits                                            (judged_program)
//! JudgedSet      the puzzles of a dataset that are judged                                (judged_set)
//! Rules          the problem, the budgets, the number of runs; session events               (plan)
//! session        every program on every puzzle, in turns; if an accepted puzzle's time is near a
//!                limit or a budget, it is run again alone                                   (session)
//! check          the checker alone, on outputs that another runner collected            (check_output)
//! ruling         facts of a run -> verdict                                                  (ruling)
//! summary        samples -> the record's form                                               (summary)
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
