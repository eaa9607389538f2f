//! Tests of the package's public interface: arrays, batches, streams, files. They are one program, because linking ten takes longer than
//! running them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

mod arrays;
mod arrow_files;
mod merge;
mod parquet;
#[path = "../../../rows/tests/suite/sharded.rs"]
mod sharded;
mod stream;
mod table;
mod transform;
mod verbs;
