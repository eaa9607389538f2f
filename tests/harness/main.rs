//! Tests of the measuring commands from end to end. No test requires a certain speed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say so and end")]

#[path = "../../crates/sudoku/tests/suite/common/mod.rs"]
mod common;
#[path = "../common/kept.rs"]
mod kept;

mod annotations;
mod bases;
mod bench;
mod commands;
mod engines;
mod gate;
mod golden;
mod history;
mod isomorphs;
mod judge;
mod leaderboard;
mod libraries;
#[cfg(feature = "tables")]
mod reference;
mod report;
mod techniques;
