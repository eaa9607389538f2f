//! Renders the tables of a record of `bench` or `judge`, for a terminal and as Markdown.

use super::bench_tables::bench_grids;
use super::counted;
use super::grid::{markdown_report, texts};
use super::judge_tables::{judge_grids, judge_histograms};
use super::leaderboard::leaderboard_grids;
use super::record_grid::{RecordGrid, RecordTable};
use crate::record::{BenchRecord, Build, Finding, Machine};

/// Returns the tables of a record as text, in lines of at most `width` columns. For a record of `judge`, histograms of the times of
/// accepted puzzles follow.
pub fn bench_text(record: &BenchRecord, width: usize) -> String {
    let mut tables = vec![texts(grids(record).iter().map(|it| &it.grid), width)];
    if record.is_judged() {
        tables.extend(judge_histograms(record, width));
    }
    tables.join("\n")
}

/// Returns two kinds of tables as text, in lines of at most `width` columns: the rankings of a leaderboard, and the pairs without a rank.
pub fn leaderboard_text(record: &BenchRecord, width: usize) -> String {
    let grids = grids(record);
    let shown = grids.iter().filter(|it| matches!(it.table, RecordTable::Ranking | RecordTable::NotRanked));
    texts(shown.map(|it| &it.grid), width)
}

/// Returns the tables of a record as Markdown.
pub fn bench_markdown(record: &BenchRecord) -> String {
    let conditions =
        conditions(&record.machine, &record.build, &record.noise, (&record.started, record.seed));
    markdown_report(&title(record), &conditions, grids(record).iter().map(|it| &it.grid))
}

/// Returns the heading of a report, such as `sudobench bench`.
pub(super) fn title(record: &BenchRecord) -> String {
    match (&record.leaderboard, record.is_judged()) {
        (Some(board), _) => format!("sudobench leaderboard: {}", board.contest.title),
        (None, true) => "sudobench judge".to_owned(),
        (None, false) => "sudobench bench".to_owned(),
    }
}

/// Describes in a paragraph the conditions under which a record was made.
pub(super) fn conditions(
    machine: &Machine,
    build: &Build,
    noise: &[Finding],
    (started, seed): (&str, u64),
) -> String {
    let noisy: Vec<String> = (noise.iter().filter(|found| found.is_noisy()))
        .map(|found| format!("{}: {}", found.name, found.value))
        .collect();
    let noise = if noisy.is_empty() { "nothing found".to_owned() } else { noisy.join("; ") };
    format!(
        "{}, {}, {}. sudobench {} ({}), {}, {}. Started {started}, seed {seed}. Noise: {noise}.",
        machine.cpu,
        counted(machine.cores as u64, "core"),
        machine.os,
        build.version,
        build.commit,
        build.rustc,
        build.profile
    )
}

/// Returns all tables of a record. If the run was interrupted, a sentence above the first table says so.
pub(super) fn grids(record: &BenchRecord) -> Vec<RecordGrid> {
    let mut grids = record.leaderboard.as_ref().map_or(Vec::new(), |board| leaderboard_grids(record, board));
    grids.extend(if record.is_judged() { judge_grids(record) } else { bench_grids(record) });
    if let Some(first) = grids.first_mut() {
        first.grid.lead.extend(record.interruption());
    }
    grids
}
