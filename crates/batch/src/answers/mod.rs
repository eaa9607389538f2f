//! Rows and what became of them.

mod block;
mod marks;
mod only;
mod row;

pub use block::AnsweredBlock;
pub(crate) use block::Answers;
pub(crate) use marks::Choice;
pub use marks::Marks;
pub use only::{Only, OnlyError};
pub use row::{AnsweredRow, Form, FoundPuzzle, Note};
