//! The package as its users call it: sources, runs, tables, shards. One program, because linking ten takes longer than running them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

mod canonical;
mod dedupe;
mod merge;
mod rate;
mod run;
mod sharded;
mod shards;
mod sources;
