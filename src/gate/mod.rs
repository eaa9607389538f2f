//! The statistics of comparison. Nothing here measures and nothing prints.
#![forbid(unsafe_code)]

mod ranking;

pub use ranking::{Standing, standings, times_best};
