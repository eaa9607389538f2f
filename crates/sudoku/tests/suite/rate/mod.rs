//! Difficulty ratings, compared with plain implementations of the definitions, with published results, and with
//! properties of equivalent forms.

mod candidates;
mod known;
mod naive;
mod properties;
