//! Record fields that describe single puzzles: times of engines for one puzzle at a time, and the slowest puzzles.

use serde::{Deserialize, Serialize};
use sudobench_rows::LatencySummary;

use super::run_record::BudgetRecord;

/// The result of giving an engine one puzzle at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OneByOneRecord {
    /// The times of the engine's answers.
    Times(OneByOneTimes),
    /// The reason why the answers were not timed, as the rest of a sentence that begins with the engine's name: `prints more than one line
    /// for a puzzle`.
    NotTimed(String),
}

/// The times of an engine's answers when the engine gets one puzzle at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OneByOneTimes {
    /// Time from sending the puzzle's line until the answer's line was received, through two pipes. For the protocol `library`, the time of
    /// the call.
    pub latency_ns: LatencySummary,
    /// Histogram of the times in `latency_ns`: HdrHistogram V2, deflated, base64.
    pub histogram: String,
    /// Exact number of answers within each budget.
    pub budgets: Vec<BudgetRecord>,
    /// Median time of a program that only prints its input: the cost of the pipes. `latency_ns` includes this cost. Absent if there are no
    /// pipes, or if the cost is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub echo_ns: Option<u64>,
}

/// A puzzle or one of its forms, and its place in a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedPuzzle {
    /// Number of the puzzle in the dataset, from 1.
    pub number: u64,
    /// Number of the equivalent form, from 1. Absent if `puzzle` is as it is in the file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub form: Option<u64>,
    /// Number of the puzzle's line in its file, or of its row if the file has no lines.
    pub line: u64,
    /// The puzzle.
    pub puzzle: String,
}

/// One of the slowest puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlowPuzzle {
    /// The puzzle.
    #[serde(flatten)]
    pub puzzle: NamedPuzzle,
    /// Time of the puzzle.
    pub time_ns: u64,
}

/// The known figures of a contestant for a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleFigures {
    /// The puzzle.
    pub puzzle: NamedPuzzle,
    /// Time of the puzzle.
    pub time_ns: Option<u64>,
    /// Number of nodes of the puzzle.
    pub nodes: Option<u64>,
    /// Number of guesses of the puzzle.
    pub guesses: Option<u64>,
}
