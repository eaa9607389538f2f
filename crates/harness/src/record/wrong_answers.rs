//! Record fields that describe wrong answers.

use serde::{Deserialize, Serialize};

use super::NamedPuzzle;

/// Maximum number of wrong answers that a record keeps for each pair of a contestant and a dataset.
const KEPT: usize = 20;

/// The wrong answers of a contestant on a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongAnswers {
    /// Number of wrong answers.
    pub answers: u64,
    /// Number of answers that were checked.
    pub of: u64,
    /// The first wrong answers.
    pub first: Vec<WrongAnswer>,
}

impl WrongAnswers {
    /// Makes the record of `all` wrong answers; `of` answers were checked.
    pub(crate) fn new(all: &[WrongAnswer], of: u64) -> WrongAnswers {
        WrongAnswers { answers: all.len() as u64, of, first: all[..all.len().min(KEPT)].to_vec() }
    }
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongAnswer {
    /// The puzzle in the form that the contestant got.
    #[serde(flatten)]
    pub puzzle: NamedPuzzle,
    /// The answer: the text that an external program printed; if there is no text, the solution or the status.
    pub answer: String,
    /// The fault: the rest of a sentence that begins with "its answer". For an answer that breaks the rules of the engine's protocol or
    /// problem, a complete sentence, such as "it printed nothing".
    pub reason: String,
}
