//! Every listed variant, held against an oracle, against each other and against known answers.
//!
//! The tests loop over the registry, so that a new variant is covered without a change here, and over the solvers from
//! elsewhere that `variants.rs` lists.

mod agreement;
mod call_count;
mod counters;
mod limits;
mod regressions;
mod singles;
mod variants;
