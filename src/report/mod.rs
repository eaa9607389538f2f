//! Renderings of measurements. Nothing here measures.
#![forbid(unsafe_code)]

mod bench_csv;
mod bench_tables;
mod figures;
mod grid;
mod histogram;
mod run_summary;
mod units;

pub use bench_csv::write_bench_csv;
pub use bench_tables::{bench_markdown, bench_text};
pub use figures::{count, duration_ns, rate, share};
pub use histogram::draw_histogram;
pub use run_summary::RunSummary;
