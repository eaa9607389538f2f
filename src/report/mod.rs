//! Renders measurements; nothing here measures.
#![forbid(unsafe_code)]

mod bench_csv;
mod bench_tables;
mod grid;
mod units;

pub use bench_csv::write_bench_csv;
pub use bench_tables::{bench_markdown, bench_text};
