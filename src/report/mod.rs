//! Renderings of measurements. Nothing here measures.
#![forbid(unsafe_code)]

mod figures;
mod histogram;
mod run_summary;

pub use figures::{count, duration_ns, rate, share};
pub use histogram::draw_histogram;
pub use run_summary::RunSummary;
