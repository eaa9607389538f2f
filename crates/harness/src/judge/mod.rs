//! Anybody's programs under the rules of the judge: a process for each puzzle.
//!
//! ```text
//! Language     what the judge adds to a problem's limits                                  (language)
//! Contender    a program, and what it may take                                            (contender)
//! Board        the puzzles of a dataset that are judged                                   (board)
//! Rules        the problem, the budgets, how often; events of a session                    (plan)
//! session      every program on every puzzle, in turns; what ends near a limit is timed
//!              again alone                                                                (session)
//! check        the checker alone, on outputs that another runner collected            (check_output)
//! ruling       facts of a run -> verdict                                                  (ruling)
//! summary      samples -> the record's form                                               (summary)
//! ```
//! What a program is given and how its answer is checked is in [`crate::problem`]; how it is started, held and ended in
//! [`crate::process`]. Nothing here prints.

mod board;
mod check_output;
mod contender;
mod language;
mod plan;
mod ruling;
mod session;
mod summary;

pub use board::Board;
pub use check_output::{CheckOutputError, CheckedOutput, check_output};
pub use contender::{Contender, Held};
pub use language::Language;
pub use plan::{Event, Rules};
pub use session::judge;
pub use summary::Judged;
