//! What a bisection found.

use super::{counted, escape, wrapped};
use crate::gate::Check;

/// What a bisection found.
#[derive(Clone, Debug)]
pub struct BisectReport {
    /// How it ended.
    pub ending: Ending,
    /// What is worse at the commit that was found, against good; what is not at bad, where bad is not worse; what is missing there.
    pub checks: Vec<Check>,
    /// Whether exact counts decided; else trials did.
    pub by_counts: bool,
    /// The hash of the good commit.
    pub good: String,
    /// The hash of the bad commit.
    pub bad: String,
    /// Commits that were built.
    pub builds: usize,
    /// Of these, those that could not be told good or bad.
    pub skipped: usize,
}

/// How a bisection ends. A commit is its hash and the first line of its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This is the first bad commit.
    Found((String, String)),
    /// It is one of these, some of which were skipped.
    Skipped(Vec<(String, String)>),
    /// Bad is not worse than good.
    NotWorse,
    /// Whether bad is worse cannot be told: one of the two lacks counts.
    Untold,
}

/// The report as text, in lines of at most `width` columns.
pub fn bisect_text(report: &BisectReport, width: usize) -> String {
    let BisectReport { ending, checks, by_counts, good, bad, builds, skipped } = report;
    let line = |words: &str, indent: &str| wrapped(&escape::visible(words), width, indent, "    ");
    let mut text = match ending {
        Ending::Found((hash, subject)) => {
            line(&format!("first bad commit: {hash}"), "") + &line(subject, "  ")
        }
        Ending::Skipped(commits) => {
            let listed = commits.iter().map(|(hash, subject)| line(&format!("{hash} {subject}"), "  "));
            let head =
                "cannot tell which of these is the first bad commit, for some cannot be built or measured";
            line(head, "") + &listed.collect::<String>()
        }
        Ending::Untold => line(&format!("cannot tell whether {bad} is worse than {good}"), ""),
        Ending::NotWorse => line(&format!("{bad} is not worse than {good} beyond the limits"), ""),
    };
    for check in checks {
        text.push_str(&line(&format!("{} on {}: {}", check.solver, check.dataset, check.reason), "  "));
    }
    let how = match (ending, by_counts) {
        (Ending::Untold, _) => "counters cannot decide where only one of the two tells them".to_owned(),
        (Ending::NotWorse, _) => "no count is worse, and trials do not tell it slower".to_owned(),
        (_, true) => format!("exact counts against {good}"),
        (_, false) => format!("paired trials against {good}"),
    };
    let (builds, skipped) = (counted(*builds as u64, "build"), counted(*skipped as u64, "commit"));
    text.push_str(&line(&format!("{how}; {builds}, {skipped} skipped"), ""));
    escape::lines(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::gate_report::tests::all_verdicts;

    #[test]
    fn what_was_found_as_text() {
        let commit = |digit: &str, subject: &str| (digit.repeat(40), subject.to_owned());
        let shown = [
            Ending::Found(commit("c", "search \u{1b}more")),
            Ending::Skipped(vec![commit("c", "one"), commit("d", "two")]),
            Ending::NotWorse,
            Ending::Untold,
        ]
        .map(|ending| {
            let report = BisectReport {
                by_counts: !matches!(ending, Ending::Skipped(_)),
                ending,
                checks: all_verdicts().checks.into_iter().take(1).collect(),
                good: "a".repeat(40),
                bad: "b".repeat(40),
                builds: 5,
                skipped: 1,
            };
            bisect_text(&report, 100)
        });
        insta::assert_snapshot!(shown.join("\n"));
    }
}
