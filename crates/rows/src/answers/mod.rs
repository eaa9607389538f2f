//! Answered rows: a row with its puzzle, the outcome, the facts, and a note if the referee refused the answer or the answer differs from
//! the expected solution.

mod answerer;
mod block;
mod marks;
mod row;

pub use answerer::Answerer;
pub use block::{AnsweredBlock, Answers};
pub(crate) use marks::RowFilter;
pub use marks::{Choice, Marks};
pub use row::{AnsweredRow, FoundItem, Note, RowForm};
