//! What the end-to-end tests share: an oracle that solves puzzles in an obviously right way, and random puzzles.
#![forbid(unsafe_code)]
#![allow(dead_code, reason = "each suite is a crate of its own and uses a part")]

pub(crate) mod grids;
pub(crate) mod oracle;
