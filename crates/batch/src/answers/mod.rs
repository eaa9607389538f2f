//! Rows and what became of them.

mod block;
mod marks;
mod row;

pub use block::AnsweredBlock;
pub(crate) use block::Answers;
pub use marks::Marks;
pub(crate) use marks::{Choice, RowFilter};
pub use row::{AnsweredRow, Form, FoundPuzzle, Note};
