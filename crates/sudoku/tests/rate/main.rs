//! How hard puzzles are, held against the definitions written down plainly, against what is published, and against what has to hold
//! of all forms of a puzzle.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "../common/mod.rs"]
mod common;

mod known;
mod naive;
mod properties;
