//! The stored verdicts of a judge on one program and one dataset.

use serde::{Deserialize, Serialize};
use sudobench_rows::{LatencySummary, MOST_CALLS};
use sudobench_sudoku::Puzzle;

use crate::figures::counted;

/// Verdict on a run of a program, from good to bad. If a puzzle has several runs, the verdict on the puzzle is the worst verdict of its
/// runs, but `TimeLimit` counts only if more than half of the runs have it.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
pub enum Verdict {
    /// The answer is right, within all limits.
    #[serde(rename = "AC")]
    #[strum(serialize = "AC")]
    Accepted,
    /// The output is right, except for its white space.
    #[serde(rename = "PE")]
    #[strum(serialize = "PE")]
    PresentationError,
    /// The output is not the answer.
    #[serde(rename = "WA")]
    #[strum(serialize = "WA")]
    WrongAnswer,
    /// The program printed too much.
    #[serde(rename = "OLE")]
    #[strum(serialize = "OLE")]
    OutputLimit,
    /// The program took too much memory.
    #[serde(rename = "MLE")]
    #[strum(serialize = "MLE")]
    MemoryLimit,
    /// The program took too long.
    #[serde(rename = "TLE")]
    #[strum(serialize = "TLE")]
    TimeLimit,
    /// The program was ended by a signal, ended with an exit code other than 0, or had too many processes.
    #[serde(rename = "RTE")]
    #[strum(serialize = "RTE")]
    RuntimeError,
    /// The run could not be made, or the program killed or stopped its runner.
    #[serde(rename = "JE")]
    #[strum(serialize = "JE")]
    JudgeError,
}

impl Verdict {
    /// Returns the abbreviation of the verdict, such as `AC`.
    pub fn letters(self) -> &'static str {
        self.into()
    }

    /// Describes the verdict for readers who do not know the abbreviation.
    pub fn description(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::PresentationError => "presentation error",
            Verdict::WrongAnswer => "wrong answer",
            Verdict::OutputLimit => "output limit exceeded",
            Verdict::MemoryLimit => "memory limit exceeded",
            Verdict::TimeLimit => "time limit exceeded",
            Verdict::RuntimeError => "runtime error",
            Verdict::JudgeError => "judge error",
        }
    }
}

/// The result of one program on one dataset under a problem's rules. In a record of `judge`, the times of single puzzles in
/// [`Measurement`](super::Measurement) are processor times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeRecord {
    /// The problem: `boj2580` or `boj2239`.
    pub problem: String,
    /// Language that decides the limits: `cpp`, `java`, `pypy`, `python` or `none`.
    pub language: String,
    /// Limit of processor time, user and system, with all child processes.
    pub time_limit_ns: u64,
    /// Limit of wall time.
    pub wall_limit_ns: u64,
    /// Limit of resident memory.
    pub memory_limit_bytes: u64,
    /// Limit of the output, in bytes.
    pub output_limit_bytes: u64,
    /// How the limits were enforced, in words, such as `rlimits, and by watching memory and processes`.
    pub held_by: String,
    /// Maximum number of runs at the same time.
    pub jobs: usize,
    /// The worst verdict of all puzzles.
    pub verdict: Verdict,
    /// Number of puzzles for each verdict, from good to bad. [`Verdict`] describes the verdict on a puzzle with several runs.
    pub verdicts: Vec<VerdictRecord>,
    /// The first puzzles that were not accepted.
    pub failures: Vec<FailureRecord>,
    /// Start-up time: median processor time of some runs on a solved board. The processor time of every run includes the start-up time. 0
    /// if the program does not end by itself with exit code 0 on a solved board.
    pub startup_cpu_ns: u64,
    /// Median wall time of the start-up runs.
    pub startup_wall_ns: u64,
    /// Processor time of the puzzles. The time of a puzzle is the median of its runs.
    pub cpu_ns: LatencySummary,
    /// Wall time of the puzzles, from before the start of the process until its end was noticed. The time of a puzzle is the median of its
    /// runs.
    pub wall_ns: LatencySummary,
    /// Largest resident set of any run, with its child processes.
    pub peak_memory_bytes: u64,
    /// The puzzles that took the most processor time, the slowest first.
    pub slowest: Vec<SlowRecord>,
    /// Number of puzzles whose time was near a limit or a budget, so that they were run again, without other runs at the same time.
    pub timed_again: u64,
}

impl JudgeRecord {
    pub(crate) fn with_verdict(&self, verdict: Verdict) -> u64 {
        self.count(|other| other == verdict)
    }

    /// Returns the number of puzzles that were not accepted.
    pub fn failed(&self) -> u64 {
        self.count(|verdict| verdict != Verdict::Accepted)
    }

    /// Returns the number of puzzles with a verdict.
    pub fn puzzles(&self) -> u64 {
        self.count(|_| true)
    }

    /// Returns the number of puzzles with the verdicts for which `is_meant` returns true. The sum saturates, because an edited record may
    /// have any numbers.
    fn count(&self, is_meant: impl Fn(Verdict) -> bool) -> u64 {
        let counted = self.verdicts.iter().filter(|counted| is_meant(counted.verdict));
        counted.fold(0, |sum, counted| sum.saturating_add(counted.puzzles))
    }

    /// Describes the verdicts of the puzzles that were not accepted: `WA on 1, TLE on 2`. Empty if all puzzles were accepted.
    pub(crate) fn failures_in_words(&self) -> String {
        let failed = self.verdicts.iter().filter(|counted| counted.verdict != Verdict::Accepted);
        let failed = failed.filter(|counted| counted.puzzles > 0);
        let words = failed.map(|counted| format!("{} on {}", counted.verdict.letters(), counted.puzzles));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// A verdict, with the number of puzzles that got this verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictRecord {
    /// The verdict.
    pub verdict: Verdict,
    /// Number of puzzles.
    pub puzzles: u64,
}

/// A puzzle that was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureRecord {
    /// Number of the puzzle in the dataset, from 1.
    pub number: u64,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason why the puzzle was not accepted.
    pub words: String,
    /// Number of the puzzle's line in its file, or of its row if the file has no lines. Absent in records of older versions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<u64>,
    /// The puzzle. Absent in records of older versions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub puzzle: Option<String>,
    /// Number of calls that the search of BOJ 12095, a simple recursive search, makes until it solves the puzzle, counted up to
    /// [`MOST_CALLS`]. Known only for the first puzzles on which the program hit its time limit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reference_calls: Option<u64>,
}

impl FailureRecord {
    /// Returns the reason of the failure. If the time limit was exceeded, adds what is known about the puzzle.
    pub(crate) fn reason(&self) -> String {
        let mut reason = self.words.clone();
        if self.verdict == Verdict::TimeLimit
            && let Some(puzzle) = self.puzzle.as_ref().and_then(|puzzle| puzzle.parse::<Puzzle>().ok())
        {
            reason.push_str(&format!("; {}", counted(puzzle.clue_cells().len() as u64, "clue")));
        }
        if let Some(calls) = self.reference_calls {
            let least = if calls >= MOST_CALLS { "at least " } else { "" };
            reason.push_str(&format!(
                "; BOJ 12095's search takes {least}{} for this puzzle",
                counted(calls, "call")
            ));
        }
        reason
    }
}

/// A puzzle and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlowRecord {
    /// Number of the puzzle in the dataset, from 1.
    pub number: u64,
    /// The verdict.
    pub verdict: Verdict,
    /// Processor time of the puzzle: median over its runs.
    pub cpu_ns: u64,
    /// Wall time of the puzzle: median over its runs.
    pub wall_ns: u64,
}

/// Result of a program for a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedPuzzle<'a> {
    /// The dataset's name.
    pub dataset: &'a str,
    /// Number of the puzzle in the dataset, from 1.
    pub number: u64,
    /// The program's name.
    pub program: &'a str,
    /// The verdict on the puzzle: the worst of its runs (see [`Verdict`]).
    pub verdict: Verdict,
    /// The reason; empty if the puzzle was accepted.
    pub reason: &'a str,
    /// Number of runs.
    pub runs: u64,
    /// Processor time: median over the runs.
    pub cpu_ns: u64,
    /// Wall time: median over the runs.
    pub wall_ns: u64,
    /// Largest resident set of any of the runs.
    pub peak_memory_bytes: u64,
    /// Number of the puzzle's line in its file, or of its row if the file has no lines.
    pub line: u64,
    /// The puzzle.
    pub puzzle: &'a Puzzle,
}

#[cfg(test)]
mod tests {
    use super::super::fixtures;
    use super::*;

    #[test]
    fn verdicts_are_counted_and_sums_saturate() {
        let mut judge = fixtures::judge_record().pairs.remove(1).measurement.unwrap().judge.unwrap();
        assert_eq!((judge.with_verdict(Verdict::Accepted), judge.failed(), judge.puzzles()), (2, 2, 4));
        assert_eq!(judge.failures_in_words(), "WA on 1, TLE on 1");
        judge.verdicts[1].puzzles = u64::MAX;
        assert_eq!((judge.failed(), judge.puzzles()), (u64::MAX, u64::MAX));
    }
}
