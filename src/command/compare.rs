//! `sudobench compare`: compares records.

use std::path::PathBuf;

use clap::ValueEnum as _;

use super::export::{Exports, Kind};
use super::records::read_records;
use super::say::say;
use super::{Exit, terminal};
use crate::cli::{CompareArgs, CompareFailure};
use sudobench_harness::analysis::{self, CompareTerms, Comparison, ComparisonOutcome, TimeVerdict};
use sudobench_harness::figures::counted;
use sudobench_harness::report;
use sudobench_harness::statistics::ENOUGH_RUNS;

pub(super) fn run(typed: &CompareArgs) -> anyhow::Result<Exit> {
    let exports = Exports::open(
        [(Kind::Markdown, &typed.export_markdown)],
        typed.force,
        typed.records.iter().map(PathBuf::as_path),
    )?;
    let (records, names) = read_records(&typed.records)?;
    let terms = CompareTerms { across_machines: typed.across_machines, same_within: typed.same_within };
    let comparisons = analysis::compare(&records, terms);
    anyhow::ensure!(
        !comparisons.is_empty(),
        "the records have no pair of solver and dataset: there is nothing to compare"
    );
    let caveats = analysis::caveats(&records);
    exports.write_text(Kind::Markdown, || {
        report::truncated(&report::compare_markdown(&comparisons, &caveats, &names))
    })?;
    let width = terminal::stdout_width().unwrap_or(usize::MAX);
    let tables = report::compare_text(&comparisons, &caveats, &names, width);
    exports.print(&tables, typed.fail_on.is_empty())?;
    Ok(exit(&comparisons, &typed.fail_on))
}

/// Prints on standard error which of the failures in `fail_on` occurred, and returns the exit code of the most serious failure. The order,
/// from the most serious, is: a regression, a pair without a comparison, a pair without a verdict. If `fail_on` is not empty and no pair
/// was compared, this is a failure too, because nothing shows that the solvers are as good as before.
fn exit(comparisons: &[Comparison], fail_on: &[CompareFailure]) -> Exit {
    let mut exits = Vec::new();
    let pairs = |fails: &dyn Fn(&Comparison) -> bool| {
        comparisons.iter().filter(|&comparison| fails(comparison)).count() as u64
    };
    for &failure in fail_on {
        let failing = match failure {
            CompareFailure::Worse => pairs(&Comparison::is_worse),
            CompareFailure::Missing => pairs(&|it| it.outcome == ComparisonOutcome::Gone),
            CompareFailure::NotCompared => pairs(&|it| it.reason().is_some()),
        };
        let name = failure.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        if failing > 0 {
            say(format_args!("--fail-on {name}: {} of solver and dataset", counted(failing, "pair")));
            exits.push(if failure == CompareFailure::Worse { Exit::Regression } else { Exit::BadResult });
        }
        let more_runs = format!("make each record with `sudobench bench --runs {ENOUGH_RUNS}` or more");
        let same_puzzles = "let all runs measure the same puzzles: set the same --sample, small enough for --max-time-per-pair";
        for (verdict, remedy) in [
            (TimeVerdict::TooFewRuns, more_runs.as_str()),
            (TimeVerdict::OtherMachine, "make the records on one machine, with one build profile"),
            (TimeVerdict::UnequalRuns, same_puzzles),
            (TimeVerdict::OtherPuzzles, same_puzzles),
        ] {
            let undecided = pairs(&|it| it.change().is_some_and(|it| it.verdict == verdict));
            if failure == CompareFailure::Worse && undecided > 0 {
                let undecided = counted(undecided, "pair");
                say(format_args!("--fail-on worse: {undecided} without a verdict: {remedy}"));
                exits.push(Exit::Inconclusive);
            }
        }
    }
    if !fail_on.is_empty() && comparisons.iter().all(|it| it.reason().is_some()) {
        say("--fail-on: no pair was compared; the table gives the reasons");
        exits.push(Exit::BadResult);
    }
    [Exit::Regression, Exit::BadResult, Exit::Inconclusive]
        .into_iter()
        .find(|exit| exits.contains(exit))
        .unwrap_or(Exit::Fine)
}
