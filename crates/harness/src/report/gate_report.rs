//! Reports the gate's verdicts for a terminal, for GitHub and as Markdown.

use strum::VariantArray as _;

use super::grid::{Cell, Grid, markdown_report};
use super::{escape, plural, wrapped};
use crate::figures::pair_name;
use crate::gate::{Check, GateReport, GateVerdict};

/// Size to which a summary is cut, in bytes: a little less than the 1 MiB that GitHub allows for the summary of a step.
const STEP_SUMMARY_BYTES: usize = 1_000_000;

/// Returns the verdicts as text, in lines of at most `width` columns: first the checks, with the most serious verdict last, then the
/// verdict on the run.
pub fn gate_text(report: &GateReport, width: usize) -> String {
    format!("{}\n{}", grid(report).text(width), wrapped(&sentence(report), width, "", "  "))
}

/// Returns the verdicts as Markdown.
pub fn gate_markdown(report: &GateReport) -> String {
    let title = format!("sudobench gate: {}", report.verdict.name());
    markdown_report(&title, &sentence(report), [&grid(report)])
}

fn sentence(report: &GateReport) -> String {
    let of = |verdict| format!("{} {}", report.count_with(verdict), GateVerdict::name(verdict));
    let found = GateVerdict::VARIANTS.iter().copied().filter(|&verdict| report.count_with(verdict) > 0);
    let counted: Vec<String> = found.map(of).collect();
    format!("{}: {} (limits {})", report.verdict.name(), counted.join(", "), report.limits)
}

fn grid(report: &GateReport) -> Grid {
    let are_commands = report.checks.iter().all(|check| check.dataset.is_empty());
    let headers: &[&str] = match are_commands {
        true => &["verdict", "gate", "command", "reason"],
        false => &["verdict", "gate", "solver", "dataset", "reason"],
    };
    let mut grid = Grid::new("Gate", headers);
    grid.left = grid.headers.len();
    let mut checks: Vec<&Check> = report.checks.iter().collect();
    checks.sort_by_key(|check| check.verdict);
    grid.rows = checks
        .into_iter()
        .map(|check| {
            let mut cells = vec![check.verdict.name(), check.gate.name(), &check.solver];
            cells.extend((!are_commands).then_some(check.dataset.as_str()));
            cells.push(&check.reason);
            cells.into_iter().map(Cell::from).collect()
        })
        .collect();
    grid
}

/// Returns the verdicts as workflow commands of GitHub: an error for each check that makes the gate fail, a warning for each other check
/// that did not pass, and a notice for the result.
pub fn gate_annotations(report: &GateReport) -> String {
    let mut text = String::new();
    for check in &report.checks {
        let command = match check.verdict {
            GateVerdict::Pass => continue,
            _ if report.fails(check) => "error",
            _ => "warning",
        };
        let title = format!("{} gate, {}", check.gate.name(), pair_name(&check.solver, &check.dataset));
        text.push_str(&annotation(command, &title, &check.reason));
    }
    text + &annotation("notice", "sudobench gate", &sentence(report))
}

/// Returns a workflow command such as `::error title=TITLE::MESSAGE`, with the escapes that GitHub's runner decodes.
fn annotation(command: &str, title: &str, message: &str) -> String {
    let (title, message) = (escape::workflow_property(title), escape::workflow_message(message));
    format!("::{command} title={title}::{message}\n")
}

/// Shortens Markdown to the maximum size of a step's summary on GitHub. Cuts the text at a line end and adds a remark.
pub fn truncated(markdown: &str) -> String {
    cut(markdown, STEP_SUMMARY_BYTES)
}

fn cut(markdown: &str, limit: usize) -> String {
    if markdown.len() <= limit {
        return markdown.to_owned();
    }
    let whole_lines = markdown
        .match_indices('\n')
        .map(|(at, _)| at + 1)
        .take_while(|&end| end <= limit)
        .last()
        .unwrap_or(0);
    let left_out = markdown[whole_lines..].lines().count();
    let (lines, are) = (plural(left_out as u64, "line"), if left_out == 1 { "is" } else { "are" });
    let message = format!("*{left_out} more {lines} {are} left out: a summary on GitHub has a size limit.*");
    format!("{}\n{message}\n", &markdown[..whole_lines])
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::gate::{AllowMissing, Gate, GateLimits};

    pub(in crate::report) fn all_verdicts() -> GateReport {
        let check = |gate, subject: &str, solver: &str, verdict, reason: &str| {
            Check::new(gate, subject, (solver, "a,b.txt"), verdict, reason.to_owned())
        };
        let more = "more nodes on 1 puzzle: puzzle 4 (51 -> 52)";
        let undecided = "time +4% [-1%, +9%]; about 12 more trials";
        let unmeasured = "not measured, although the baseline has it";
        let checks = vec![
            check(Gate::Exact, "baseline", "mrv", GateVerdict::Fail, more),
            check(
                Gate::Exact,
                "base",
                "mrv",
                GateVerdict::Pass,
                "against the old build: 52 nodes, as before",
            ),
            check(Gate::Exact, "baseline", "dlx", GateVerdict::Pass, "51 nodes, as before"),
            check(Gate::Paired, "time", "mrv", GateVerdict::Inconclusive, undecided),
            check(Gate::Exact, "baseline", "bitmask", GateVerdict::Missing, unmeasured),
            check(Gate::Budget, "p99=1s", "<e>", GateVerdict::Broken, "wrong answer\non puzzle 1"),
        ];
        GateReport::new(GateLimits::default().to_string(), AllowMissing::Nothing, checks)
    }

    #[test]
    fn verdicts_as_text() {
        insta::assert_snapshot!(gate_text(&all_verdicts(), usize::MAX));
    }

    #[test]
    fn verdicts_as_markdown() {
        insta::assert_snapshot!(gate_markdown(&all_verdicts()));
    }

    #[test]
    fn verdicts_as_annotations() {
        insta::assert_snapshot!(gate_annotations(&all_verdicts()));
    }

    #[test]
    fn missing_checks_are_errors_unless_allowed() {
        let mut report = all_verdicts();
        let compared = [GateVerdict::Missing, GateVerdict::Pass];
        report.checks.retain(|check| compared.contains(&check.verdict));
        let limits = GateLimits::default();
        let mut base = report.checks.clone();
        base.iter_mut().for_each(|check| check.base_failed = check.verdict == GateVerdict::Missing);
        for (allow, checks, verdict, command) in [
            (AllowMissing::Nothing, &report.checks, GateVerdict::Missing, "error"),
            (AllowMissing::Base, &report.checks, GateVerdict::Missing, "error"),
            (AllowMissing::All, &report.checks, GateVerdict::Pass, "warning"),
            (AllowMissing::Nothing, &base, GateVerdict::Missing, "error"),
            (AllowMissing::Base, &base, GateVerdict::Pass, "warning"),
        ] {
            let report = GateReport::new(limits.to_string(), allow, checks.clone());
            assert_eq!(report.verdict, verdict, "{allow:?}");
            assert!(gate_annotations(&report).contains(&format!("::{command} title=exact gate")));
            let shown = gate_text(&report, usize::MAX);
            assert!(shown.contains(&format!("{}: 2 pass, 1 missing", verdict.name())), "{shown}");
        }
    }

    #[test]
    fn a_gate_without_comparisons_does_not_pass() {
        let mut missing = all_verdicts().checks;
        missing.retain(|check| check.verdict == GateVerdict::Missing);
        missing.iter_mut().for_each(|check| check.base_failed = true);
        let (nothing, all) = (AllowMissing::Nothing, AllowMissing::All);
        let none = vec![];
        for (allow, checks) in [
            (nothing, &missing),
            (all, &missing),
            (AllowMissing::Base, &missing),
            (nothing, &none),
            (all, &none),
        ] {
            let report = GateReport::new(GateLimits::default().to_string(), allow, checks.clone());
            let shown = gate_text(&report, usize::MAX);
            assert_eq!(
                (report.verdict, report.checks.iter().all(|check| report.fails(check))),
                (GateVerdict::Missing, true),
                "{shown}"
            );
            let says = shown.contains("nothing was compared");
            assert_eq!(
                says,
                allow != nothing || checks.is_empty(),
                "a missing check already gives a reason: {shown}"
            );
        }
    }

    #[test]
    fn a_summary_is_cut_at_a_line() {
        assert_eq!(cut("one\ntwo\n", 8), "one\ntwo\n");
        let cut = cut("one\ntwo\nthree\n", 9);
        assert_eq!(cut, "one\ntwo\n\n*1 more line is left out: a summary on GitHub has a size limit.*\n");
    }
}
