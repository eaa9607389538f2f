//! Joins the parts of a run: see [`Shard`](crate::Shard).
//!
//! ```text
//! parts    compares the records: all parts are there, each once, of one run, and none has been changed
//! copy     concatenates the outputs, without the headers after the first; what is copied is digested and compared with
//!          the record before the output gets its name
//! ```

mod copy;
mod parts;

pub use copy::{MergeError, Merging};
pub use parts::{Part, PartFault, Parts, PartsError};
