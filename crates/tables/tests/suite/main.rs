//! Tests of the package's public interface: arrays, batches, streams, files. All tests are in one program, because linking a program for
//! each suite takes longer than running the tests.
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
