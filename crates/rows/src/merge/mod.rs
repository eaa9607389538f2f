//! Joins the parts of a run: see [`Shard`](crate::Shard).
//!
//! ```text
//! shard_outputs  reads the records, and checks that each part exists once, belongs to the same run and has the right size
//! copy           joins the outputs under one header, or lets the format join them; the digest of each part is compared with
//!                its record before the output gets its name
//! ```

mod copy;
mod shard_outputs;

pub use copy::{MergeError, Merging};
pub use shard_outputs::{ShardOutput, ShardOutputs, ShardOutputsError};
