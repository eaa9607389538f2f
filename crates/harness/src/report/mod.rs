//! Renders measurements as reports. Nothing here measures.

mod bench_csv;
mod bench_tables;
mod checked;
mod command_tables;
mod compare_report;
mod dedupe_summary;
mod doctor;
pub mod escape;
mod explained;
mod export_csv;
mod figure_cell;
mod gate_report;
mod grid;
mod histogram;
mod history_tables;
#[cfg(test)]
mod hostile;
mod html;
mod judge_runs;
mod judge_tables;
mod junit;
mod leaderboard;
mod overlap_text;
mod puzzles_csv;
mod record_grid;
mod record_tables;
mod rows_summary;
mod run_summary;
mod scores_text;
mod strata_summary;
mod units;
mod wrap;

pub use crate::figures::{count, counted, duration_ns, number, plural, rate, share};
pub use bench_csv::write_bench_csv;
pub use checked::checked_text;
pub use command_tables::{
    commands_junit, commands_markdown, commands_page, commands_text, write_commands_csv,
};
pub use compare_report::{compare_markdown, compare_text};
pub use dedupe_summary::{DedupeSummary, DuplicatesCsv};
pub use doctor::doctor_text;
pub use explained::{ExplainedPuzzle, steps_text};
pub use gate_report::{gate_annotations, gate_markdown, gate_text, truncated};
pub(crate) use histogram::draw_histogram;
pub use history_tables::history_text;
pub use html::{history_page, html_page, scores_page, speed_svg, steps_page};
pub use judge_runs::write_judge_runs;
pub use junit::{bench_junit, gate_junit};
pub use overlap_text::overlap_text;
pub use puzzles_csv::{write_puzzles, write_wrong_answers};
pub use record_tables::{bench_markdown, bench_text, leaderboard_text};
pub use rows_summary::RowsSummary;
pub use run_summary::RunSummary;
pub use scores_text::{scores_markdown, scores_text};
pub use strata_summary::StrataSummary;
pub use wrap::wrapped;
