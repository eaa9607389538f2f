//! Compares every listed variant with an oracle, with the other variants and with known answers.
//!
//! The tests loop over all variants in the registry, and over the solvers outside of the library that `variants.rs` lists. So a new variant
//! in the registry is tested without a change to the tests.

mod agreement;
mod call_count;
mod counters;
mod functions;
mod limits;
mod regressions;
mod singles;
mod variants;
