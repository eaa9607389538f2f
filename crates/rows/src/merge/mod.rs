//! The parts of a run become the whole: see [`Shard`](crate::Shard).
//!
//! ```text
//! parts    the records are held against each other: all parts are there, each once, of one run, and none has been changed
//! copy     the outputs are put behind each other, each without what opens it; what is copied is digested, and stands against
//!          the record, before the output gets its name
//! ```

mod copy;
mod parts;

pub use copy::{MergeError, Merging};
pub use parts::{Part, PartFault, Parts, PartsError};
