//! Joins the parts of a run: see [`Shard`](crate::Shard).
//!
//! ```text
//! parts    reads the records, and checks that each part exists once, belongs to the same run and has the right size
//! copy     concatenates the outputs, without the headers after the first; the digest of the copied bytes is compared with
//!          the record before the output gets its name
//! ```

mod copy;
mod shard_outputs;

pub use copy::{MergeError, Merging};
pub use shard_outputs::{ShardOutput, ShardOutputs, ShardOutputsError};
