//! Compares every listed variant with an oracle, with the other variants and with known answers.
//!
//! The tests loop over the registry, so a new variant is covered without a change here, and over the external solvers
//! that `variants.rs` lists.

mod agreement;
mod call_count;
mod counters;
mod limits;
mod regressions;
mod singles;
mod variants;
