//! Tests the public interface of the package: sources, runs, verbs and shards. These tests are one program, because linking several
//! programs takes longer than running them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

mod canonical;
mod dedupe;
mod job;
mod merge;
mod rate;
mod run;
mod sharded;
mod shards;
mod sources;
