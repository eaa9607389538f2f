//! The package as its users call it: sources, runs, tables, shards. One program, because linking ten takes longer than running them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

#[cfg(feature = "arrow")]
mod arrays;
mod canonical;
mod dedupe;
mod merge;
#[cfg(feature = "parquet")]
mod parquet;
mod rate;
mod run;
mod shards;
mod sources;
#[cfg(feature = "parquet")]
mod table;
#[cfg(feature = "parquet")]
mod transform;
