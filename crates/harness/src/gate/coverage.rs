//! Verdicts on the puzzles that paired trials leave out.
//!
//! Trials of a slow solver or engine time only a first part of the puzzles. The other puzzles may have become slower, so a pair passes only
//! if the base and the head were timed on these puzzles, too.

use super::{Check, GateVerdict, TimedPuzzles, Unmeasured};
use crate::figures::counted;

/// The result for the puzzles that the trials of a pair leave out.
#[derive(Clone, Debug, PartialEq)]
pub enum LeftOutResult {
    /// The base, the head or both never answered all of these puzzles in time. The text is the remedy.
    NeverTimed(&'static str),
    /// One trial was made on these puzzles, and its ratio of head to base is within the limit. The number is this ratio.
    WithinLimit(f64),
    /// The first trial on these puzzles exceeds the limit, so further trials were made. The value is the check of these further trials.
    MoreTrials(Box<Check>),
    /// A trial on these puzzles was not possible.
    Unmeasured(Unmeasured),
}

/// Stores in a paired check how many puzzles are timed in its trials. If the trials leave some puzzles out, also adds the result for these
/// puzzles to the check. The check then has the more severe of the two verdicts.
pub fn cover(check: &mut Check, timed: TimedPuzzles, left_out: LeftOutResult) {
    check.timed = Some(timed);
    let TimedPuzzles { timed, of } = timed;
    let others = of.saturating_sub(timed);
    if others == 0 {
        return;
    }
    let share = format!("{timed} of {} timed", counted(of, "puzzle"));
    let others = counted(others, "other puzzle");
    let own = std::mem::take(&mut check.reason);
    check.reason = match left_out {
        LeftOutResult::NeverTimed(remedy) => {
            check.verdict = check.verdict.max(GateVerdict::Missing);
            format!("{own}; {share}; one build or both did not answer the {others} in time: {remedy}")
        }
        LeftOutResult::WithinLimit(ratio) => {
            format!("{own}; {share}, the {others} in one trial: {:+.1}%", (ratio - 1.0) * 100.0)
        }
        LeftOutResult::MoreTrials(rest) => {
            let both = format!("{share}: {own}; on the {others}: {}", rest.reason);
            if rest.verdict > check.verdict {
                check.verdict = rest.verdict;
                check.base_failed = rest.base_failed;
                check.figures = rest.figures;
            }
            both
        }
        LeftOutResult::Unmeasured(unmeasured) => {
            if unmeasured.verdict > check.verdict {
                check.verdict = unmeasured.verdict;
                check.base_failed = unmeasured.base_failed;
            }
            format!("{share}: {own}; on the {others}: {}", unmeasured.reason)
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;

    #[test]
    fn a_part_that_was_not_timed_on_both_sides_never_passes_and_a_slow_part_fails() {
        let check = |verdict, reason: &str| {
            Check::new(Gate::Paired, "time", ("mine", "p.csv"), verdict, reason.to_owned())
        };
        let slow = Box::new(check(GateVerdict::Fail, "slower: time +900%"));
        let mut blamed = slow.clone();
        blamed.blame(Some("14".to_owned()));
        let undecided = Box::new(check(GateVerdict::Inconclusive, "time +7%"));
        let base = Unmeasured::base_failed("old build: it crashed");
        let cases = [
            (20, GateVerdict::Pass, LeftOutResult::NeverTimed("raise it")),
            (8, GateVerdict::Pass, LeftOutResult::NeverTimed("raise it")),
            (8, GateVerdict::Fail, LeftOutResult::NeverTimed("raise it")),
            (8, GateVerdict::Pass, LeftOutResult::WithinLimit(1.021)),
            (8, GateVerdict::Pass, LeftOutResult::MoreTrials(blamed)),
            (19, GateVerdict::Pass, LeftOutResult::MoreTrials(undecided)),
            (8, GateVerdict::Broken, LeftOutResult::MoreTrials(slow)),
            (8, GateVerdict::Pass, LeftOutResult::Unmeasured(base)),
        ];
        let shown = cases.map(|(timed, verdict, left_out)| {
            let mut covered = check(verdict, "time -0.2%");
            cover(&mut covered, TimedPuzzles { timed, of: 20 }, left_out);
            let base = if covered.base_failed { " (base)" } else { "" };
            format!("{}{base}: {}", covered.verdict.name(), covered.reason)
        });
        insta::assert_snapshot!(shown.join("\n"));
    }
}
