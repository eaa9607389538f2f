//! What the end-to-end tests share: an oracle that solves puzzles in an obviously right way, and random puzzles.
#![forbid(unsafe_code)]

pub(crate) mod grids;
pub(crate) mod oracle;
