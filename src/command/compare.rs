//! `sudobench compare`: records against each other.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum as _;

use super::export::{Exports, Kind, print};
use super::records::read_records;
use super::say::say;
use super::{Exit, terminal};
use crate::cli::{CompareArgs, CompareFailure};
use sudobench_harness::analysis::{self, Compared, Comparison};
use sudobench_harness::figures::counted;
use sudobench_harness::report;

/// Compares and prints.
///
/// # Errors
/// Where a record cannot be read or an output written.
pub(super) fn run(typed: &CompareArgs) -> anyhow::Result<Exit> {
    let exports = Exports::open(
        [(Kind::Markdown, &typed.export_markdown)],
        typed.force,
        typed.records.iter().map(PathBuf::as_path),
    )?;
    let (records, names) = read_records(&typed.records)?;
    let comparisons = analysis::compare(&records, typed.across_machines);
    anyhow::ensure!(!comparisons.is_empty(), "the records hold no pair: there is nothing to compare");
    let caveats = analysis::caveats(&records);
    exports.write(Kind::Markdown, |out| {
        let markdown = report::truncated(&report::compare_markdown(&comparisons, &caveats, &names));
        Ok(out.write_all(markdown.as_bytes())?)
    })?;
    if !exports.take_stdout() {
        let width = terminal::width().unwrap_or(usize::MAX);
        print(&report::compare_text(&comparisons, &caveats, &names, width))?;
    }
    Ok(exit(&comparisons, &typed.fail_on))
}

/// Says on standard error which failures that were asked for there are. A pair without a comparison weighs more than a slower one.
fn exit(comparisons: &[Comparison], fail_on: &[CompareFailure]) -> Exit {
    let mut exit = Exit::Fine;
    for &failure in fail_on {
        let fails = |comparison: &&Comparison| match failure {
            CompareFailure::Worse => comparison.is_worse(),
            CompareFailure::Missing => comparison.outcome == Compared::Gone,
            CompareFailure::NotCompared => comparison.reason().is_some(),
        };
        let pairs = comparisons.iter().filter(fails).count() as u64;
        if pairs == 0 {
            continue;
        }
        let name = failure.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        say(format_args!("--fail-on {name}: {}", counted(pairs, "pair")));
        exit = match (exit, failure) {
            (Exit::Fine, CompareFailure::Worse) => Exit::Regression,
            (exit, CompareFailure::Worse) => exit,
            _ => Exit::PuzzleFailed,
        };
    }
    exit
}
