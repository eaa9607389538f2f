//! Answered rows: a row with its puzzle, the outcome, the facts, and what the referee and the expected solution say.

mod answerer;
mod block;
mod marks;
mod row;

pub(crate) use answerer::Answerer;
pub use block::AnsweredBlock;
pub(crate) use block::Answers;
pub use marks::Marks;
pub(crate) use marks::{Choice, RowFilter};
pub use row::{AnsweredRow, Form, FoundPuzzle, Note};
