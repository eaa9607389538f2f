//! Tests of difficulty ratings and of candidates. Results are compared with plain implementations of the definitions and with published
//! results. Equivalent puzzles must have equal ratings.

mod candidates;
mod known;
mod naive;
mod properties;
