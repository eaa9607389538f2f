//! Every listed variant, held against an oracle, against each other and against known answers.
//!
//! The tests loop over the registry, so that a new variant is covered without a change here, and over the solvers from
//! elsewhere that `variants.rs` lists.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod call_count;
mod counters;
mod limits;
mod regressions;
mod singles;
mod variants;
