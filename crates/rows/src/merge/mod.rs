//! Joins the parts of a run: see [`Shard`](crate::Shard).
//!
//! ```text
//! parts    checks by the records that all parts exist, each once, belong to one run, and have the right sizes
//! copy     concatenates the outputs, without the headers after the first; the digest of the copied bytes is compared with
//!          the record before the output gets its name
//! ```

mod copy;
mod parts;

pub use copy::{MergeError, Merging};
pub use parts::{Part, Parts, PartsError};
