//! `sudobench report`: makes the requested reports from records, or prints their tables.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;

use super::export::{Exports, Kind, print_result};
use super::records::read_records;
use super::{Exit, first_error, terminal};
use crate::cli::ReportArgs;
use sudobench_harness::record::BenchRecord;
use sudobench_harness::report;

pub(super) fn run(typed: &ReportArgs) -> anyhow::Result<Exit> {
    let asked = [
        (Kind::Html, &typed.export_html),
        (Kind::Markdown, &typed.export_markdown),
        (Kind::Svg, &typed.export_svg),
        (Kind::Csv, &typed.export_csv),
        (Kind::Junit, &typed.export_junit),
    ];
    let exports = Exports::open(asked, typed.force, typed.records.iter().map(PathBuf::as_path))?;
    let (records, names) = read_records(&typed.records)?;
    let joined = |render: &dyn Fn(&BenchRecord) -> String| {
        records.iter().map(render).collect::<Vec<String>>().join("\n")
    };
    first_error([
        exports.write_text(Kind::Html, || report::html_page(&records, &names)),
        exports.write_text(Kind::Markdown, || report::truncated(&joined(&report::bench_markdown))),
        exports.write(Kind::Svg, |out| {
            let drawing = records.iter().find_map(report::speed_svg);
            let drawing = drawing.context(
                "no record has speeds to draw: only pairs that `bench` or `leaderboard` measured have speeds",
            )?;
            Ok(out.write_all(drawing.as_bytes())?)
        }),
        exports.write(Kind::Csv, |out| Ok(report::write_bench_csv(out, &records)?)),
        exports.write(Kind::Junit, |out| Ok(out.write_all(report::bench_junit(&records)?.as_bytes())?)),
    ])?;
    if asked.iter().all(|(_, path)| path.is_none()) {
        let width = terminal::stdout_width().unwrap_or(usize::MAX);
        print_result(&joined(&|record| report::bench_text(record, width)))?;
    }
    Ok(Exit::Fine)
}
